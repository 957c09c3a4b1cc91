#include "lab/experiment_page.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "lab/html_page.h"
#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

long count_ok(const ExperimentResult& result) {
  return std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& f) {
    return f.ok();
  });
}

bool is_good(const ExperimentResult& result) {
  return count_ok(result) == std::ssize(result.findings);
}

std::string print_verdict(const ExperimentResult& result) {
  return fmt::format("<b class=\"{}\">{} of {} numbers within tolerance</b>",
                     is_good(result) ? "good" : "bad", count_ok(result), result.findings.size());
}

bool is_of_paper(const Finding& f) {
  return f.source == "paper" || f.source == "claim" || !f.ok();
}

std::string print_mark(const Finding& f) {
  return fmt::format("<td class=\"{}\">{}</td>", f.ok() ? "good" : "bad",
                     f.ok() ? "✓" : "✗ missed");
}

// The table beside the figures, with the paper's numbers and the measured ones.
std::string print_paper_numbers(const ExperimentResult& result) {
  std::string text =
      "<h2>Expected and ours</h2>\n<div "
      "class=\"wide\"><table><tr><th></th><th>quantity</th>"
      "<th class=\"number\">expected</th><th class=\"number\">ours</th>"
      "<th class=\"number\">±</th></tr>\n";
  long count = 0;
  for (const Finding& f : result.findings) {
    if (!is_of_paper(f)) continue;
    ++count;
    text += fmt::format(
        "<tr>{}<td>{}</td><td class=\"number\">{:.6g}</td><td class=\"number\">{:.6g}</td>"
        "<td class=\"number\">{:.2g}</td></tr>\n",
        print_mark(f), escape_xml(f.quantity), f.paper, f.ours, f.tolerance);
  }
  if (count == 0) return "";
  return text + "</table></div>\n";
}

// All numbers with their sources and the reasons for their tolerances.
std::string print_all_numbers(const ExperimentResult& result) {
  std::string text =
      "<details><summary>All numbers with their sources and the reasons for the tolerances"
      "</summary>\n<div class=\"wide\"><table><tr><th></th><th>quantity</th><th>source</th>"
      "<th class=\"number\">expected</th><th class=\"number\">ours</th>"
      "<th class=\"number\">± tolerance</th><th>reason</th></tr>\n";
  for (const Finding& f : result.findings) {
    text += fmt::format(
        "<tr>{}<td>{}</td><td>{}</td><td class=\"number\">{:.6g}</td>"
        "<td class=\"number\">{:.6g}</td><td class=\"number\">{:.2g}</td>"
        "<td class=\"soft\">{}</td></tr>\n",
        print_mark(f), escape_xml(f.quantity), escape_xml(f.source), f.paper, f.ours, f.tolerance,
        escape_xml(f.reason));
  }
  return text + "</table></div></details>\n";
}

std::string print_table(const Table& table) {
  HtmlTable html;
  for (const std::string& title : table.header) html.columns.push_back({title, true});
  html.rows = table.rows;
  return fmt::format("<h2>{}</h2>\n", escape_xml(table.caption)) + print_html_table(html);
}

std::string paper_of(const Experiment& experiment) {
  return std::string(experiment.id.substr(0, experiment.id.find('/')));
}

std::string print_card(const ExperimentRun& run) {
  const auto& figures = run.result.figures;
  return fmt::format("<li>{}<a href=\"{}\">{}</a><br>{}<br><code>tenpin reproduce {}</code></li>\n",
                     figures.empty() ? "" : figures.front().svg,
                     escape_xml(page_name(*run.experiment)), escape_xml(run.experiment->title),
                     print_verdict(run.result), escape_xml(run.experiment->id));
}

}  // namespace

std::string page_name(const Experiment& experiment) {
  std::string name(experiment.id);
  std::replace(name.begin(), name.end(), '/', '-');
  return name + ".html";
}

std::string make_experiment_page(const Experiment& experiment, const ExperimentResult& result,
                                 const ExperimentInput& input) {
  std::string page = open_html_page(experiment.title, "experiment");
  page +=
      fmt::format("<p><a href=\"index.html\">All experiments</a></p>\n<h1>{}</h1>\n<p>{}.</p>\n",
                  escape_xml(experiment.title), print_verdict(result));
  page += "<div class=\"beside\"><div>\n";
  for (const Figure& figure : result.figures) page += print_html_figure(figure.svg, figure.caption);
  page += "</div><div>\n" + print_paper_numbers(result) + "</div></div>\n";
  for (const Table& table : result.tables) page += print_table(table);
  page += print_all_numbers(result);
  if (!result.notes.empty()) page += "<h2>Notes</h2>\n<ul>\n";
  for (const std::string& note : result.notes) {
    page += fmt::format("<li>{}</li>\n", escape_xml(note));
  }
  if (!result.notes.empty()) page += "</ul>\n";
  page += fmt::format(
      "<h2>Run it</h2>\n<pre>tenpin reproduce {}\n{}</pre>\n<h2>{}</h2>\n<pre>{}</pre>\n",
      escape_xml(experiment.id), escape_xml(input.command), escape_xml(input.title),
      escape_xml(input.text));
  return page + close_html_page();
}

std::string make_experiment_index(std::span<const ExperimentRun> runs) {
  const long num_good = std::count_if(runs.begin(), runs.end(), [](const ExperimentRun& run) {
    return is_good(run.result);
  });
  std::string page = open_html_page("Experiments", "experiments");
  page += fmt::format(
      "<h1>Experiments</h1>\n<p><b class=\"{}\">{} of {} experiments meet all their "
      "numbers.</b> <code>tenpin reproduce all</code></p>\n",
      num_good == std::ssize(runs) ? "good" : "bad", num_good, runs.size());
  std::string paper;
  for (const ExperimentRun& run : runs) {
    if (paper != paper_of(*run.experiment)) {
      if (!paper.empty()) page += "</ul>\n";
      paper = paper_of(*run.experiment);
      page += fmt::format("<h2>{}</h2>\n<ul class=\"cards\">\n", escape_xml(paper));
    }
    page += print_card(run);
  }
  return page + "</ul>\n" + close_html_page();
}

std::string make_findings_json(std::span<const ExperimentRun> runs) {
  auto list = nlohmann::ordered_json::array();
  for (const ExperimentRun& run : runs) {
    for (const Finding& f : run.result.findings) {
      // Numbers that are not finite are written as null.
      list.push_back({{"id", f.id},
                      {"quantity", f.quantity},
                      {"source", f.source},
                      {"paper", f.paper},
                      {"ours", f.ours},
                      {"tolerance", f.tolerance},
                      {"ok", f.ok()},
                      {"reason", f.reason}});
    }
  }
  return list.dump(1) + "\n";
}

}  // namespace tenpin::lab
