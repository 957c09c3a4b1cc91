// The page of a folder of results: its runs, each with its verdict, curves and pages, and the pages
// of comparisons, studies and experiments that lie beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/run_reader.h"

namespace tenpin::lab {

struct IndexLink {
  std::string title;
  std::string address;  // relative to the page
};

struct IndexedRun {
  std::string name;        // of its file
  std::string problem;     // why it cannot be read, and then nothing else; "" = it can
  bool is_good = false;    // it reached its end, every step certified
  std::string verdict;     // the same in words
  std::string about;       // scene, method and time
  std::string energy_svg;  // curve over time
  std::vector<IndexLink> links;
};

// A page that stands for itself, or the table of a study.
struct IndexedPage {
  IndexLink link;
  std::string kind;  // "comparison", "study", ...
  std::string about;
};

struct ResultsIndex {
  std::string title;
  std::vector<IndexedRun> runs;
  std::vector<IndexedPage> pages;
};

// Everything about a run but its links. Reads the whole run, a block at a time.
[[nodiscard]] IndexedRun index_run(const record::RunReader& run, const std::string& name);

// The kind of a page of this program, read from its first characters; "" for other pages.
[[nodiscard]] std::string find_page_kind(std::string_view beginning);

[[nodiscard]] std::string make_index_page(const ResultsIndex& index);

}  // namespace tenpin::lab
