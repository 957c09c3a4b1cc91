// Style, head and tables that all pages except the viewer's share. Pages are self-contained and
// have a light and a dark theme.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {

// Prints the page's beginning, including <body>. The title is plain text, like all text below.
// find_page_kind reads the kind ("report", ...) from it.
[[nodiscard]] std::string open_html_page(std::string_view title, std::string_view kind);
[[nodiscard]] std::string close_html_page();

struct HtmlTable {
  struct Column {
    std::string title;
    bool is_number = false;  // right-aligned
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};
[[nodiscard]] std::string print_html_table(const HtmlTable& table);

// Prints an SVG element with a caption.
[[nodiscard]] std::string print_html_figure(const std::string& svg, std::string_view caption);

}  // namespace tenpin::lab
