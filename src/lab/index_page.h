// The page of a folder of results: its runs, each with its verdict, curves and pages, and the pages
// of comparisons, studies and experiments in the same folder.
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
  std::string name;  // name of its file
  // why it cannot be read; all other fields are then empty; "" if it can be read
  std::string problem;
  bool is_good = false;    // it reached its end, and every step is certified
  std::string verdict;     // the same as text
  std::string about;       // scene, method and time
  std::string energy_svg;  // curve over time
  std::vector<IndexLink> links;
};

// A page that belongs to no run, or the table of a study.
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

// Reads everything about a run except its links. Reads the whole run, one block at a time.
[[nodiscard]] IndexedRun index_run(const record::RunReader& run, const std::string& name);

// The kind of a page of this program, from its first characters; "" for other pages.
[[nodiscard]] std::string find_page_kind(std::string_view beginning);

[[nodiscard]] std::string make_index_page(const ResultsIndex& index);

}  // namespace tenpin::lab
