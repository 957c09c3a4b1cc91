#include "lab/experiment_page.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

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
figure svg{display:block;width:100%;max-width:48rem;height:auto;margin:auto}
figcaption{max-width:48rem;margin:.5rem auto 0;font-size:.92rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.22rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}td.number,th.number{text-align:right}td.number{white-space:nowrap}
summary{cursor:pointer}pre{overflow-x:auto;font-size:.85rem;border:1px solid var(--line);padding:.8rem}
</style>)";

std::string open_page(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n{}</head>\n"
      "<body>\n",
      escape_xml(title), kStyle);
}

long count_ok(const ExperimentResult& result) {
  return std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& f) {
    return f.ok();
  });
}

std::string print_verdict(const ExperimentResult& result) {
  const long num_ok = count_ok(result);
  const bool is_good = num_ok == static_cast<long>(result.findings.size());
  return fmt::format("<b class=\"{}\">{} of {} numbers within tolerance</b>",
                     is_good ? "good" : "bad", num_ok, result.findings.size());
}

std::string print_finding(const Finding& f) {
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{:.6g}</td>"
      "<td class=\"number\">{:.6g}</td><td class=\"number\">{:.2g}</td>"
      "<td class=\"soft\">{}</td></tr>\n",
      f.ok() ? "good" : "bad", f.ok() ? "✓" : "✗ missed", escape_xml(f.quantity),
      escape_xml(f.source), f.paper, f.ours, f.tolerance, escape_xml(f.reason));
}

// The paper's own numbers are shown at once, all others on request.
std::string print_findings(const ExperimentResult& result) {
  constexpr std::string_view kHead =
      "<div class=\"wide\"><table><tr><th></th><th>quantity</th><th>source</th>"
      "<th class=\"number\">expected</th><th class=\"number\">ours</th>"
      "<th class=\"number\">± tolerance</th><th>reason</th></tr>\n";
  std::string first;
  std::string rest;
  for (const Finding& f : result.findings) {
    const bool is_first = f.source == "paper" || f.source == "claim" || !f.ok();
    (is_first ? first : rest) += print_finding(f);
  }
  return fmt::format(
      "<h2>Numbers and claims of the paper</h2>\n{}{}</table></div>\n"
      "<details><summary>Numbers of an independent implementation and of the limit h → 0"
      "</summary>\n{}{}</table></div></details>\n",
      kHead, first, kHead, rest);
}

std::string print_table(const Table& table) {
  std::string text =
      fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table><tr>", escape_xml(table.caption));
  for (const std::string& cell : table.header) {
    text += fmt::format("<th class=\"number\">{}</th>", escape_xml(cell));
  }
  text += "</tr>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (const std::string& cell : row) {
      text += fmt::format("<td class=\"number\">{}</td>", escape_xml(cell));
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string page_name(const Experiment& experiment) {
  std::string name(experiment.id);
  std::replace(name.begin(), name.end(), '/', '-');
  return name + ".html";
}

std::string make_experiment_page(const Experiment& experiment, const ExperimentResult& result,
                                 const std::string& scene_text) {
  std::string page = open_page(experiment.title);
  page += fmt::format(
      "<p><a href=\"index.html\">All experiments</a></p>\n<h1>{}</h1>\n<p>{}. "
      "<span class=\"soft\">tenpin reproduce {}</span></p>\n",
      escape_xml(experiment.title), print_verdict(result), escape_xml(experiment.id));
  for (const Figure& figure : result.figures) {
    page += fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", figure.svg,
                        escape_xml(figure.caption));
  }
  for (const Table& table : result.tables) page += print_table(table);
  page += print_findings(result);
  page += "<h2>Notes</h2>\n<ul>\n";
  for (const std::string& note : result.notes) {
    page += fmt::format("<li>{}</li>\n", escape_xml(note));
  }
  page +=
      fmt::format("</ul>\n<h2>Scene</h2>\n<pre>{}</pre>\n</body></html>\n", escape_xml(scene_text));
  return page;
}

std::string make_experiment_index(std::span<const ExperimentRun> runs) {
  std::string page = open_page("Experiments");
  page += "<h1>The papers' experiments</h1>\n<ul>\n";
  for (const ExperimentRun& run : runs) {
    page += fmt::format("<li><a href=\"{}\">{}</a><br>{}</li>\n",
                        escape_xml(page_name(*run.experiment)), escape_xml(run.experiment->title),
                        print_verdict(run.result));
  }
  return page + "</ul>\n</body></html>\n";
}

std::string make_findings_json(std::span<const ExperimentRun> runs) {
  auto list = nlohmann::ordered_json::array();
  for (const ExperimentRun& run : runs) {
    for (const Finding& f : run.result.findings) {
      // A number that is not finite is written as null.
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
