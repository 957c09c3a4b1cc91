#include "lab/html_page.h"

#include <fmt/format.h>

#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

constexpr std::string_view kStyle = R"(<style>
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1b1b;--soft:#5c5c5c;--line:#d8d8d8;--good:#00734f;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--paper:#16181b;--ink:#e6e6e6;--soft:#a0a0a0;--line:#3a3d42;
--good:#3ddba3;--bad:#ff8a80;--c0:#4fb3ec;--c1:#ff8a3c;--c2:#2fd3a0;--c3:#e79bc5}}
body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;margin:0 auto;
max-width:76rem;padding:1.5rem}
h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:2em 0 .6em}
a{color:inherit}.soft,figcaption{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}
figure{margin:1.5rem 0;border-bottom:1px solid var(--line);padding-bottom:1rem}
figure svg{display:block;width:100%;max-width:52rem;height:auto}
figcaption{max-width:52rem;margin:.5rem 0 0;font-size:.92rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.22rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}td.number,th.number{text-align:right}td.number{white-space:nowrap}
summary{cursor:pointer}pre{overflow-x:auto;font-size:.85rem;border:1px solid var(--line);padding:.8rem;border-radius:6px}
.beside{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:2rem;align-items:start}
.beside>:last-child{position:sticky;top:0;max-height:100vh;overflow-y:auto}.beside table{font-size:.8rem}
.beside>:last-child:empty{display:none}@media(max-width:64rem){.beside{display:block}.beside>:last-child{position:static;max-height:none}}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem;padding:0;list-style:none}
.cards li{border:1px solid var(--line);border-radius:8px;padding:1rem}.cards svg{display:block;width:100%;height:14rem;margin-bottom:.6rem}
.halves{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:0 3rem}
.cards b{font-size:1.05rem}.cards p{margin:.4rem 0}.cards a{font-weight:600}dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:.6rem 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
</style>)";

}  // namespace

std::string open_html_page(std::string_view title, std::string_view kind) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n"
      "<meta name=\"tenpin\" content=\"{}\">\n{}</head>\n<body>\n",
      escape_xml(title), escape_xml(kind), kStyle);
}

std::string close_html_page() {
  return "</body></html>\n";
}

std::string print_html_table(const HtmlTable& table) {
  const auto class_of = [&](std::size_t i) {
    return i < table.columns.size() && table.columns[i].is_number ? " class=\"number\"" : "";
  };
  std::string text = "<div class=\"wide\"><table><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += fmt::format("<th{}>{}</th>", class_of(i), escape_xml(table.columns[i].title));
  }
  text += "</tr>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += fmt::format("<td{}>{}</td>", class_of(i), escape_xml(row[i]));
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string print_html_figure(const std::string& svg, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", svg,
                     escape_xml(caption));
}

}  // namespace tenpin::lab
