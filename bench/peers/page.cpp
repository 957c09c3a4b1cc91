// The page of the benchmark: peers_page results.json index.html. What the numbers mean is in
// docs/benchmarks.md; what they are comes from run.py.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "lab/html_page.h"
#include "lab/svg_plot.h"

namespace {

using Json = nlohmann::json;
using tenpin::lab::HtmlTable;
using tenpin::lab::Plot;
using tenpin::lab::print_html_figure;
using tenpin::lab::Series;

std::string heading(const std::string& text) {
  return fmt::format("<h2>{}</h2>\n", tenpin::lab::escape_xml(text));
}
std::string paragraph(const std::string& text) {
  return fmt::format("<p>{}</p>\n", tenpin::lab::escape_xml(text));
}

bool is_ours(const std::string& engine) {
  return engine.starts_with("Tenpin");
}

std::vector<std::string> list_engines(const Json& rows) {
  std::vector<std::string> engines;
  for (const Json& row : rows) {
    for (const Json& entry : row.at("engines")) {
      const std::string name = entry.at("engine");
      if (std::find(engines.begin(), engines.end(), name) == engines.end()) engines.push_back(name);
    }
  }
  return engines;
}

const Json* find_engine(const Json& row, const std::string& engine) {
  for (const Json& entry : row.at("engines")) {
    if (entry.at("engine") == engine) return &entry;
  }
  return nullptr;
}

// "cannot", "failed" or "limit" with the reason below the table.
std::string tell_status(const Json& entry, std::vector<std::string>* reasons,
                        const std::string& scene) {
  const std::string status = entry.at("status");
  if (status != "done") {
    reasons->push_back(fmt::format("{}, {}: {}: {}", scene, entry.at("engine").get<std::string>(),
                                   status, entry.value("reason", "")));
  }
  return status;
}

std::string print_reasons(const std::vector<std::string>& reasons) {
  if (reasons.empty()) return "";
  std::string text = "<details><summary>What could not be done, and why</summary>\n<ul>\n";
  for (const std::string& reason : reasons) {
    text += fmt::format("<li>{}</li>\n", tenpin::lab::escape_xml(reason));
  }
  return text + "</ul></details>\n";
}

// ---- accuracy

std::string print_accuracy(const Json& rows) {
  if (rows.empty()) return "";
  const std::vector<std::string> engines = list_engines(rows);
  HtmlTable table{.columns = {{"scene"}, {"exact", true}}};
  for (const std::string& engine : engines) table.columns.push_back({engine, true});
  std::vector<std::string> reasons;
  for (const Json& row : rows) {
    const std::string title = row.at("title");
    const std::string unit = row.at("unit");
    std::vector<std::string> cells = {
        title, fmt::format("{:.6g} {}", row.at("exact").get<double>(), unit)};
    for (const std::string& engine : engines) {
      const Json* entry = find_engine(row, engine);
      const std::string status = entry == nullptr ? "" : tell_status(*entry, &reasons, title);
      const bool has_error = entry != nullptr && entry->contains("error");
      cells.push_back(has_error ? fmt::format("{:.1e}", entry->at("error").get<double>()) : status);
    }
    table.rows.push_back(std::move(cells));
  }
  return heading("Accuracy") +
         paragraph(
             "Distance from the exact value after the same motion with steps of 1/240 s; the "
             "analytical method goes from event to event instead.") +
         print_html_table(table) + print_reasons(reasons);
}

// ---- plots

Series make_series(const std::string& name, std::size_t number) {
  constexpr std::size_t kColours = 7;
  return {.name = name,
          .colour = static_cast<tenpin::lab::Colour>(number % kColours),
          .style = Series::Style::kLineAndDots,
          .dashed = number >= kColours};
}

std::string print_work_precision(const Json& plots) {
  if (plots.empty()) return "";
  std::string text =
      heading("Work and precision") +
      paragraph(
          "Error against CPU time, one dot per step size from 1/60 s on; lower and further "
          "left is better. Errors below 1e-16 are drawn there.");
  for (const Json& data : plots) {
    const std::string title = data.at("title");
    Plot plot{.x_label = "CPU time (s)",
              .y_label = fmt::format("error {}", data.at("unit").get<std::string>()),
              .log_x = true,
              .log_y = true};
    plot.description = title;
    for (const Json& curve : data.at("curves")) {
      Series series = make_series(curve.at("engine"), plot.series.size());
      for (const Json& point : curve.at("points")) {
        series.points.push_back(
            {point.at("cpu"), std::max(1e-16, point.at("error").get<double>())});
      }
      plot.series.push_back(std::move(series));
    }
    text += print_html_figure(draw_svg(plot), title);
  }
  return text;
}

// ---- speed

// ms   The fastest engine of others that came to the end.
std::optional<double> find_fastest_peer(const Json& row) {
  std::optional<double> fastest;
  for (const Json& entry : row.at("engines")) {
    if (is_ours(entry.at("engine")) || entry.at("status") != "done") continue;
    const double ms = entry.at("ms_per_step");
    if (!fastest || ms < *fastest) fastest = ms;
  }
  return fastest;
}

std::string print_speed_cell(const Json& entry, std::optional<double> fastest) {
  if (!entry.contains("ms_per_step")) return entry.at("status");
  const double ms = entry.at("ms_per_step");
  std::string cell = fmt::format("{:.3g}", ms);
  if (fastest) cell += fmt::format(" ({:.2g}x)", ms / *fastest);
  return entry.at("status") == "done" ? cell : cell + " limit";
}

std::string print_overlap_cell(const Json& entry) {
  return entry.at("status") == "done" ? fmt::format("{:.1e}", entry.at("overlap").get<double>())
                                      : entry.at("status").get<std::string>();
}

std::string print_speed(const Json& rows) {
  if (rows.empty()) return "";
  const std::vector<std::string> engines = list_engines(rows);
  HtmlTable speed{.columns = {{"scene"}, {"simulated", true}}};
  for (const std::string& engine : engines) speed.columns.push_back({engine, true});
  HtmlTable overlaps{.columns = speed.columns};
  std::vector<std::string> reasons;
  for (const Json& row : rows) {
    const std::string scene = row.at("scene");
    std::vector<std::string> cells = {scene, fmt::format("{} s", row.at("seconds").get<double>())};
    std::vector<std::string> depths = cells;
    const std::optional<double> fastest = find_fastest_peer(row);
    for (const std::string& engine : engines) {
      const Json* entry = find_engine(row, engine);
      cells.push_back(entry == nullptr ? "" : print_speed_cell(*entry, fastest));
      depths.push_back(entry == nullptr ? "" : print_overlap_cell(*entry));
      if (entry != nullptr) tell_status(*entry, &reasons, scene);
    }
    speed.rows.push_back(std::move(cells));
    overlaps.rows.push_back(std::move(depths));
  }
  return heading("Speed") +
         paragraph(
             "CPU time of a step of 1/240 s on one thread, in ms, and in brackets over that of "
             "the fastest other engine that came to the end of the scene. Limit: the engine "
             "did not come to the end in the time allowed; its mean is that of the steps taken.") +
         print_html_table(speed) + print_reasons(reasons) +
         paragraph("Deepest overlap at the end, in m, measured by one ruler for all engines:") +
         print_html_table(overlaps);
}

std::string print_cost(const Json& rows) {
  std::map<std::string, std::vector<const Json*>> families;
  for (const Json& row : rows) {
    const std::string scene = row.at("scene");
    families[scene.substr(0, scene.find('-'))].push_back(&row);
  }
  std::string text;
  for (const auto& [family, members] : families) {
    if (members.size() < 2) continue;
    Plot plot{
        .x_label = "bodies", .y_label = "CPU time of a step (ms)", .log_x = true, .log_y = true};
    plot.description = fmt::format("Cost of a step against the number of bodies, {}", family);
    for (const std::string& engine : list_engines(rows)) {
      Series series = make_series(engine, plot.series.size());
      for (const Json* row : members) {
        const Json* entry = find_engine(*row, engine);
        if (entry == nullptr || !entry->contains("ms_per_step")) continue;
        series.points.push_back({row->at("bodies"), entry->at("ms_per_step")});
      }
      if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    if (plot.series.empty()) continue;
    text += print_html_figure(draw_svg(plot), plot.description);
  }
  return text.empty() ? "" : heading("Cost against size") + text;
}

// ---- friction problems

std::string print_friction(const Json& blocks) {
  std::string text;
  for (const Json& block : blocks) {
    HtmlTable table{.columns = {{"solver"},
                                {"problems", true},
                                {"solved to 1e-8 (err_sic)", true},
                                {"also by err_q", true},
                                {"median of the solved (ms)", true},
                                {"sum of the solved (ms)", true}}};
    const auto in_ms = [](const Json& time) {
      return time.is_null() ? std::string() : fmt::format("{:.3g}", 1e3 * time.get<double>());
    };
    for (const Json& row : block.at("solvers")) {
      table.rows.push_back({row.at("solver"), fmt::format("{}", row.at("problems").get<int>()),
                            fmt::format("{}", row.at("solved").get<int>()),
                            fmt::format("{}", row.at("solved_strictly").get<int>()),
                            in_ms(row.at("median")), in_ms(row.at("sum"))});
    }
    text += heading("Friction problems") +
            paragraph(
                "Problems in FCLIB's format, from zero to 1e-8; answers are certified by code "
                "that no solver shares.") +
            print_html_table(table);
    const Json& best = block.at("best_of_siconos");
    if (best.at("median_ratio").is_null()) continue;
    text +=
        paragraph(fmt::format("Against the best Siconos solver of each problem, {} problems: ours "
                              "is {:.3g} times faster in "
                              "the median, {:.3g} times in the sum.",
                              best.at("solved").get<int>(), best.at("median_ratio").get<double>(),
                              best.at("sum_ratio").get<double>()));
  }
  return text;
}

// ---- all

std::string print_settings(const Json& settings) {
  HtmlTable table{.columns = {{"engine"}, {"version"}, {"settings"}}};
  for (const auto& [engine, entry] : settings.items()) {
    table.rows.push_back({engine, entry.at("version"), entry.at("settings")});
  }
  return heading("Settings") + print_html_table(table);
}

std::string make_page(const Json& results) {
  const Json& machine = results.at("machine");
  std::string page = tenpin::lab::open_html_page("Tenpin beside other engines", "benchmarks");
  page += "<h1>Tenpin beside other engines</h1>\n";
  page += paragraph(fmt::format(
      "Measured in one go on {}, {} cores, load {:.1f} at the start{}.",
      machine.at("processor").get<std::string>(), machine.at("cores").get<int>(),
      machine.at("load").get<double>(),
      results.at("quick").get<bool>() ? "; quick: each scene once, small ones only" : ""));
  page += print_accuracy(results.at("accuracy"));
  page += print_work_precision(results.at("work_precision"));
  page += print_speed(results.at("speed"));
  page += print_cost(results.at("speed"));
  page += print_friction(results.at("friction"));
  page += print_settings(results.at("settings"));
  return page + tenpin::lab::close_html_page();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " results.json index.html\n";
    return 2;
  }
  try {
    std::ifstream in(argv[1]);
    const Json results = Json::parse(in);
    std::ofstream out(argv[2]);
    out << make_page(results);
    return out.flush() ? 0 : 4;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 2;
  }
}
