#include "lab/study/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "lab/html_page.h"
#include "lab/quantities.h"
#include "lab/study/sensitivity.h"
#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kNumBandColours = 6;

// Adds the parts of a band: one for each run of neighbouring windows that have more than one
// sample.
void add_bands(const StudyCurve& curve, Colour colour, Plot* plot) {
  Outline band = {.colour = colour, .fill = 0.2, .width = 0.0};
  std::vector<PlotPoint> lower;
  const auto finish = [&] {
    band.points.insert(band.points.end(), lower.rbegin(), lower.rend());
    if (lower.size() > 1) plot->outlines.push_back(band);
    band.points.clear();
    lower.clear();
  };
  for (const CurvePoint& point : curve.points) {
    if (!std::isfinite(point.y.half_width)) {
      finish();
      continue;
    }
    band.points.push_back({point.x, point.y.mean + point.y.half_width});
    lower.push_back({point.x, point.y.mean - point.y.half_width});
  }
  finish();
}

long count_failed(std::span<const TrialRow> rows) {
  return std::count_if(rows.begin(), rows.end(), [](const TrialRow& row) {
    return !row.is_done();
  });
}

// "" if the quantity has none. Whether the body is there does not matter.
std::string find_unit(const std::string& quantity) {
  constexpr std::string_view kBodies = "bodies.";
  std::vector<record::HeaderBody> bodies;
  const std::size_t component = quantity.rfind('.');
  if (quantity.starts_with(kBodies) && component > kBodies.size()) {
    const std::size_t field = quantity.rfind('.', component - 1);
    if (field > kBodies.size()) {
      bodies.emplace_back().name = quantity.substr(kBodies.size(), field - kBodies.size());
    }
  }
  const auto found = find_component(bodies, quantity);
  return found && found->quantity.unit != "-" ? found->quantity.unit : "";
}

std::string find_unit(const Measure& measure) {
  switch (measure.kind) {
    case Measure::Kind::kFallen:
    case Measure::Kind::kDigest:
      return "";
    case Measure::Kind::kFirst:
      return measure.value.empty() ? "s" : find_unit(measure.value);
    default:
      return find_unit(measure.quantity);
  }
}

// The name of a variable or measure, with its unit if that is known: "way (m)".
std::string make_title(const Study& study, const std::string& name) {
  for (const Measure& measure : study.measures) {
    if (measure.name != name) continue;
    const std::string unit = find_unit(measure);
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
  }
  return name;
}

std::string print_measures(const Study& study, std::span<const TrialRow> rows) {
  HtmlTable table;
  table.columns = {{"measure", false},  {"trials", true},   {"mean", true},   {"± 95 %", true},
                   {"std. dev.", true}, {"smallest", true}, {"largest", true}};
  for (const Measure& measure : study.measures) {
    const Estimate e = calc_estimate(study, measure.name, rows);
    const auto text = [](double number) {
      return fmt::format("{:.5g}", number);
    };
    table.rows.push_back({make_title(study, measure.name), fmt::format("{}", e.count), text(e.mean),
                          text(e.half_width), text(e.deviation), text(e.least), text(e.largest)});
  }
  return print_html_table(table);
}

std::string print_sensitivities(const Study& study, std::span<const TrialRow> rows) {
  std::string text;
  for (const Sensitivity& one : calc_sensitivities(study, rows)) {
    if (one.indices.empty()) continue;
    const std::string where = one.combination.empty() ? "" : " at " + one.combination;
    text += print_html_figure(
        draw_sensitivity(one),
        fmt::format("Share of the variance of {}{} that is due to each range: alone (first order) "
                    "and together with the others (total); {} groups, lines are 95 % bands.",
                    one.measure, where, one.groups));
  }
  return text.empty() ? "" : "<h2>What matters</h2>\n" + text;
}

ordered_json to_json(const Sensitivity& sensitivity) {
  ordered_json indices = ordered_json::object();
  for (const SensitivityIndex& index : sensitivity.indices) {
    indices[index.variable] = {{"first", index.first.value},
                               {"first_half_width_95", index.first.half_width},
                               {"total", index.total.value},
                               {"total_half_width_95", index.total.half_width}};
  }
  return {{"measure", sensitivity.measure},
          {"combination", sensitivity.combination},
          {"groups", sensitivity.groups},
          {"indices", indices}};
}

// Prints the first few trials that failed, so that a reader can repeat them.
std::string print_failures(std::span<const TrialRow> rows) {
  constexpr std::size_t kMostShown = 10;
  if (count_failed(rows) == 0) return "";
  HtmlTable table;
  table.columns = {{"trial", true}, {"status", false}, {"message", false}};
  for (const TrialRow& row : rows) {
    if (row.is_done() || table.rows.size() >= kMostShown) continue;
    table.rows.push_back({fmt::format("{}", row.trial), row.status, row.message});
  }
  return "<h2>Trials that failed</h2>\n" + print_html_table(table);
}

ordered_json to_json(const Estimate& e) {
  return {{"count", e.count},         {"mean", e.mean},   {"half_width_95", e.half_width},
          {"deviation", e.deviation}, {"least", e.least}, {"largest", e.largest}};
}

ordered_json to_json(std::span<const ProcessShare> processes) {
  ordered_json list = ordered_json::array();
  for (const ProcessShare& share : processes) {
    list.push_back({{"rows", share.rows}, {"busy", share.busy}, {"lost", share.is_lost}});
  }
  return list;
}

ordered_json to_json(const Study& study, const StudyDrawing& drawing,
                     std::span<const TrialRow> rows) {
  ordered_json curves = ordered_json::array();
  for (const StudyCurve& curve : make_curves(study, drawing, rows)) {
    ordered_json points = ordered_json::array();
    for (const CurvePoint& point : curve.points) {
      points.push_back({{"x", point.x},
                        {"count", point.y.count},
                        {"mean", point.y.mean},
                        {"half_width_95", point.y.half_width}});
    }
    curves.push_back({{"name", curve.name}, {"points", points}});
  }
  return {{"x", drawing.x}, {"y", drawing.y}, {"by", drawing.by}, {"curves", curves}};
}

}  // namespace

std::string draw_curves(const StudyDrawing& drawing, std::span<const StudyCurve> curves,
                        const AxisTitles& titles) {
  Plot plot = {.x_label = titles.x.empty() ? drawing.x : titles.x,
               .y_label = titles.y.empty() ? drawing.y : titles.y};
  plot.description = fmt::format("Mean {} against {}, with 95 % bands", drawing.y, drawing.x);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const auto colour = static_cast<Colour>(k % kNumBandColours);
    Series series = {
        .name = curves[k].name, .colour = colour, .style = Series::Style::kLineAndDots};
    for (const CurvePoint& point : curves[k].points) {
      series.points.push_back({point.x, point.y.mean});
    }
    add_bands(curves[k], colour, &plot);
    plot.series.push_back(std::move(series));
  }
  return draw_svg(plot);
}

std::string make_study_results(const Study& study, std::span<const TrialRow> rows) {
  std::string page;
  for (const StudyDrawing& drawing : list_drawings(study)) {
    const std::vector<StudyCurve> curves = make_curves(study, drawing, rows);
    page += print_html_figure(
        draw_curves(drawing, curves,
                    {.x = make_title(study, drawing.x), .y = make_title(study, drawing.y)}),
        fmt::format("Mean {} against {}{}, with 95 % confidence bands.", drawing.y, drawing.x,
                    drawing.by.empty() ? "" : " for each " + drawing.by));
  }
  page += print_sensitivities(study, rows);
  page += "<h2>Measures over all trials</h2>\n" + print_measures(study, rows);
  return page + print_failures(rows);
}

std::string make_study_page(const Study& study, std::span<const TrialRow> rows) {
  std::string page = open_html_page(study.name, "study");
  page += fmt::format("<h1>{}</h1>\n<p>{} of {} trials, {} failed.</p>\n", escape_xml(study.name),
                      rows.size(), study.num_trials(),
                      count_failed(rows) == 0 ? "none" : fmt::format("{}", count_failed(rows)));
  page += make_study_results(study, rows);
  page += fmt::format(
      "<h2>Run it</h2>\n<pre>tenpin sweep {}</pre>\n<h2>Study</h2>\n<pre>{}</pre>\n",
      escape_xml(std::filesystem::path(study.file).filename().string()), escape_xml(study.text));
  return page + close_html_page();
}

std::string make_study_json(const Study& study, std::span<const TrialRow> rows,
                            const SweepProgress& progress, const std::string& table) {
  ordered_json measures = ordered_json::object();
  for (const Measure& measure : study.measures) {
    measures[measure.name] = to_json(calc_estimate(study, measure.name, rows));
  }
  ordered_json drawings = ordered_json::array();
  for (const StudyDrawing& drawing : list_drawings(study)) {
    drawings.push_back(to_json(study, drawing, rows));
  }
  ordered_json sensitivities = ordered_json::array();
  for (const Sensitivity& one : calc_sensitivities(study, rows)) {
    sensitivities.push_back(to_json(one));
  }
  const ordered_json json = {{"study", study.name},
                             {"table", table},
                             {"trials", progress.total},
                             {"rows", progress.done},
                             {"failed", count_failed(rows)},
                             {"fresh", progress.fresh},
                             {"seconds", progress.wall},
                             {"processes", to_json(progress.processes)},
                             {"table_hash", fmt::format("{:016x}", calc_table_hash(rows))},
                             {"measures", measures},
                             {"drawings", drawings},
                             {"sensitivities", sensitivities}};
  return json.dump(1) + "\n";
}

}  // namespace tenpin::lab
