#include "lab/index_page.h"

#include <fmt/format.h>

#include "lab/html_page.h"
#include "lab/report.h"
#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

std::string draw_energy(const RunReport& report, const std::string& scene) {
  Series kinetic{.name = "kinetic", .colour = Colour::kVermilion};
  Series whole{.name = "total", .colour = Colour::kBlue};
  for (const ReportPoint& p : report.points) {
    kinetic.points.push_back({p.t, p.kinetic});
    whole.points.push_back({p.t, p.kinetic + p.potential});
  }
  Plot plot{.x_label = "time (s)", .y_label = "energy (J)"};
  plot.width = 480.0;
  plot.height = 280.0;
  plot.description = "Energy of " + scene + " over time";
  plot.series = {std::move(whole), std::move(kinetic)};
  return draw_svg(plot);
}

std::string print_links(const std::vector<IndexLink>& links) {
  std::string text;
  for (const IndexLink& link : links) {
    text += fmt::format("{}<a href=\"{}\">{}</a>", text.empty() ? "" : " · ",
                        escape_xml(link.address), escape_xml(link.title));
  }
  return text;
}

std::string print_run(const IndexedRun& run) {
  std::string text = fmt::format("<li id=\"{}\">", escape_xml(run.name));
  if (!run.problem.empty()) {
    return text + fmt::format("<b>{}</b><p class=\"bad\">✗ {}</p></li>\n", escape_xml(run.name),
                              escape_xml(run.problem));
  }
  return text +
         fmt::format(
             "<b>{}</b><p class=\"{}\">{} {}</p>\n{}<p class=\"soft\">{}</p>\n<p>{}</p></li>\n",
             escape_xml(run.name), run.is_good ? "good" : "bad", run.is_good ? "✓" : "✗",
             escape_xml(run.verdict), run.energy_svg, escape_xml(run.about),
             print_links(run.links));
}

std::string print_pages(const std::vector<IndexedPage>& pages) {
  std::string text = "<ul class=\"cards\">\n";
  for (const IndexedPage& page : pages) {
    text +=
        fmt::format("<li>{}<p class=\"soft\">{}{}{}</p></li>\n", print_links({page.link}),
                    escape_xml(page.kind), page.about.empty() ? "" : ": ", escape_xml(page.about));
  }
  return text + "</ul>\n";
}

}  // namespace

IndexedRun index_run(const record::RunReader& run, const std::string& name) {
  const record::RunHeader& header = run.header();
  const RunReport report = make_report(run);
  const RunVerdict verdict = judge_run(run, report.summary);
  IndexedRun result;
  result.name = name;
  result.is_good = verdict.is_good;
  result.verdict = verdict.text;
  result.about = fmt::format("{}, {}, {:.6g} s, {} bodies, worst residual {:.2g}",
                             header.scene_name, header.method_name, report.summary.t_end,
                             header.num_bodies(), report.summary.worst_residual);
  result.energy_svg = draw_energy(report, header.scene_name);
  return result;
}

std::string find_page_kind(std::string_view beginning) {
  constexpr std::string_view kMark = "<meta name=\"tenpin\" content=\"";
  if (const std::size_t mark = beginning.find(kMark); mark != std::string_view::npos) {
    const std::string_view kind = beginning.substr(mark + kMark.size());
    return std::string(kind.substr(0, kind.find('"')));
  }
  if (beginning.find("<script id=\"run-header\"") == std::string_view::npos) return "";
  return beginning.find("\"comparison\":{") != std::string_view::npos ? "comparison" : "run";
}

std::string make_index_page(const ResultsIndex& index) {
  std::size_t num_good = 0;
  for (const IndexedRun& run : index.runs) num_good += run.is_good ? 1 : 0;
  std::string page = open_html_page("Results: " + index.title, "index");
  page += fmt::format("<h1>Results: {}</h1>\n", escape_xml(index.title));
  if (!index.runs.empty()) {
    const bool is_good = num_good == index.runs.size();
    page += fmt::format(
        "<p><b class=\"{}\">{} {} of {} runs finished with every step certified</b></p>\n",
        is_good ? "good" : "bad", is_good ? "✓" : "✗", num_good, index.runs.size());
    page += "<h2>Runs</h2>\n<ul class=\"cards\">\n";
    for (const IndexedRun& run : index.runs) page += print_run(run);
    page += "</ul>\n";
  }
  if (!index.pages.empty()) {
    page += "<h2>Comparisons, studies and other pages</h2>\n" + print_pages(index.pages);
  }
  if (index.runs.empty() && index.pages.empty()) page += "<p>The folder has no results.</p>\n";
  return page + close_html_page();
}

}  // namespace tenpin::lab
