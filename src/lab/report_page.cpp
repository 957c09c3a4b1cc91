// The page of `tenpin report`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lab/html_page.h"
#include "lab/report.h"
#include "lab/svg_plot.h"
#include "record/summary.h"

namespace tenpin::lab {

namespace {

using contact::Ledger;
using record::RunReader;

constexpr std::size_t kMostMessages = 20;
constexpr double kShownShare =
    1e-3;  // -   relative to the energy: stages with less work are not drawn
constexpr std::array kCurveColours = {Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                      Colour::kPurple, Colour::kOrange,    Colour::kSky,
                                      Colour::kInk};

void add_term(std::string_view term, const std::string& text, std::string* page) {
  *page += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, escape_xml(text));
}

bool is_finished(const RunReader& run) {
  return run.status().state == record::RunState::kFinished;
}

std::string print_verdict_line(const RunReader& run, const record::RunSummary& s) {
  const RunVerdict verdict = judge_run(run, s);
  return fmt::format("<p><b class=\"{}\">{} {}</b></p>\n", verdict.is_good ? "good" : "bad",
                     verdict.is_good ? "✓" : "✗", escape_xml(verdict.text));
}

std::string describe_end(const RunReader& run, const record::RunSummary& s) {
  const record::RunStatus& status = run.status();
  std::string text = fmt::format("{} at t = {:.6g} s of {:.6g} s", status.to_string(), s.t_end,
                                 run.header().until);
  if (!status.message.empty()) text += ": " + status.message;
  return text;
}

std::string print_overview(const RunReader& run, const RunReport& report) {
  const record::RunHeader& header = run.header();
  const record::RunSummary& s = report.summary;
  std::string page = "<h2>Run</h2>\n<dl>\n";
  add_term("scene", fmt::format("{} ({})", header.scene_name, header.scene_file), &page);
  add_term("method", header.method_name, &page);
  add_term("ended", describe_end(run, s), &page);
  const std::vector<std::string> events = record::list_fired_events(run);
  if (!events.empty()) {
    add_term("events", fmt::format("{}", fmt::join(events, "; ")), &page);
  }
  add_term("bodies", fmt::format("{}, {} degrees of freedom", header.num_bodies(), header.nv),
           &page);
  add_term("recorded",
           fmt::format("{} steps, {} frames, {} contacts", run.num_steps(), run.num_frames(),
                       run.num_contacts()),
           &page);
  add_term(
      "contacts",
      fmt::format("at most {} considered in a step, {} active", s.most_contacts, s.most_active),
      &page);
  add_term("computed in",
           fmt::format("{:.3g} s, {:.3g} s of CPU", run.status().wall_time, run.status().cpu_time),
           &page);
  return page + "</dl>\n";
}

std::string name_of(const RunReader& run, int body) {
  return run.header().bodies[body].name;
}

// [ST00, §3.2]
std::string describe_existence(const RunReport& report) {
  if (!report.first_without_promise) return "theory guarantees a solution in every step";
  std::string text = "not guaranteed by theory in";
  if (report.dependent_normals > 0) {
    text += fmt::format(" {} steps with dependent normals", report.dependent_normals);
  }
  if (report.dependent_normals > 0 && report.meeting_spans > 0) text += " and";
  if (report.meeting_spans > 0) {
    text += fmt::format(" {} steps with friction in the span of the normals", report.meeting_spans);
  }
  return text + fmt::format(", first at t = {:.6g} s", *report.first_without_promise);
}

std::string print_certificate(const RunReader& run, const RunReport& report) {
  const record::RunSummary& s = report.summary;
  std::string page = "<h2>Certificate</h2>\n<dl>\n";
  add_term("worst residual", fmt::format("{:.3g}", s.worst_residual), &page);
  add_term("deepest overlap", fmt::format("{:.3g} m", s.worst_penetration), &page);
  add_term("friction beyond its cone", fmt::format("{:.3g} N s", s.worst_cone_violation), &page);
  add_term(
      "ledger",
      fmt::format("closes to {:.3g} J in a step, {:+.3g} J in all", s.worst_closure, s.sum_closure),
      &page);
  add_term("existence", describe_existence(report), &page);
  add_term("contact forces",
           report.num_open_forces == 0
               ? "unique at every recorded contact"
               : fmt::format("not unique at {} of {} recorded contacts: other forces give the same "
                             "motion",
                             report.num_open_forces, run.num_contacts()),
           &page);
  if (report.first_painleve) {
    const ReportedContact& c = *report.first_painleve;
    add_term("Painlevé",
             fmt::format("{} recorded contacts that no finite force can hold, first at t = {:.6g} "
                         "s: {} on {}, A = {:.4g} 1/kg",
                         report.num_painleve, c.t, name_of(run, c.row.body_b),
                         name_of(run, c.row.body_a), c.row.painleve),
             &page);
  } else {
    add_term("Painlevé", "a finite force exists at every recorded contact", &page);
  }
  return page + "</dl>\n";
}

template <typename Value>
Series make_series(const RunReport& report, std::string name, Colour colour, bool dashed,
                   Value value) {
  Series series{.name = std::move(name), .colour = colour, .dashed = dashed};
  for (const ReportPoint& p : report.points) series.points.push_back({p.t, value(p)});
  return series;
}

std::string print_ledger(const RunReport& report) {
  Plot plot{.x_label = "time (s)", .y_label = "energy (J)", .description = "energy over time"};
  const auto add = [&](std::string name, bool dashed, auto value) {
    const Colour colour = kCurveColours[plot.series.size() % kCurveColours.size()];
    plot.series.push_back(make_series(report, std::move(name), colour, dashed, value));
  };
  add("kinetic", false, [](const ReportPoint& p) {
    return p.kinetic;
  });
  add("potential", false, [](const ReportPoint& p) {
    return p.potential;
  });
  add("total", false, [](const ReportPoint& p) {
    return p.kinetic + p.potential;
  });
  double largest = 0.0;
  for (const ReportPoint& p : report.points) {
    largest = std::max(largest, std::fabs(p.kinetic) + std::fabs(p.potential));
  }
  for (int k = 0; k < Ledger::kNumStages; ++k) {
    if (std::fabs(report.summary.work[k]) < kShownShare * largest) continue;
    add(std::string(to_string(static_cast<Ledger::Stage>(k))), true, [k](const ReportPoint& p) {
      return p.work[k];
    });
  }
  return print_html_figure(draw_svg(plot),
                           "Where the energy is (solid) and the work done since the start "
                           "(dashed), stage by stage; stages below a thousandth are left out.");
}

std::string print_residuals(const RunReport& report) {
  const auto residual = [](const ReportPoint& p) {
    return p.residual > 0.0 ? p.residual : NAN;
  };
  const bool has_any =
      std::any_of(report.points.begin(), report.points.end(), [](const ReportPoint& p) {
        return p.residual > 0.0;
      });
  std::string page;
  if (has_any) {
    const Plot plot{.x_label = "time (s)",
                    .y_label = "residual",
                    .log_y = true,
                    .height = 280.0,
                    .description = "residual over time",
                    .series = {make_series(report, "", Colour::kBlue, false, residual)}};
    page += print_html_figure(draw_svg(plot), "Certified residual of the steps.");
  }
  const Plot plot{
      .x_label = "time (s)",
      .y_label = "overlap (m)",
      .height = 280.0,
      .description = "deepest overlap over time",
      .series = {make_series(report, "", Colour::kVermilion, false, [](const ReportPoint& p) {
        return p.penetration;
      })}};
  return page + print_html_figure(draw_svg(plot), "Deepest overlap after each step.");
}

std::string print_modes(const RunReader& run, const RunReport& report) {
  if (run.num_contacts() == 0) return "<p>No contacts were recorded.</p>\n";
  Plot plot{.x_label = "time (s)",
            .y_label = "contacts",
            .height = 300.0,
            .description = "contacts by mode over time"};
  for (std::size_t mode = 0; mode < 4; ++mode) {
    Series series{.name = std::string(to_string(static_cast<contact::Mode>(mode))),
                  .colour = kCurveColours[mode]};
    double most = 0.0;
    for (const ModeCount& count : report.modes) {
      series.points.push_back({count.t, static_cast<double>(count.num[mode])});
      most = std::max(most, series.points.back().y);
    }
    if (most > 0.0) plot.series.push_back(std::move(series));
  }
  return print_html_figure(draw_svg(plot), "What the contacts of each frame do.");
}

std::string print_contacts(const RunReader& run, const std::vector<ReportedContact>& contacts) {
  HtmlTable table{.columns = {{"t (s)", true},
                              {"bodies", false},
                              {"mode", false},
                              {"residual", true},
                              {"gap (m)", true},
                              {"impulse (N s)", true},
                              {"slip (m/s)", true},
                              {"work (J)", true}},
                  .rows = {}};
  for (const ReportedContact& c : contacts) {
    const Vec3 slip(c.row.slip.data());
    table.rows.push_back(
        {fmt::format("{:.6g}", c.t),
         fmt::format("{}, {}", name_of(run, c.row.body_a), name_of(run, c.row.body_b)),
         std::string(to_string(static_cast<contact::Mode>(c.row.mode))),
         fmt::format("{:.2e}", c.row.residual), fmt::format("{:.2e}", c.row.gap),
         fmt::format("{:.4g}", c.row.normal_impulse), fmt::format("{:.3g}", slip.norm()),
         fmt::format("{:.3g}", c.row.normal_work + c.row.friction_work)});
  }
  return print_html_table(table);
}

std::string print_worst(const RunReader& run, const RunReport& report) {
  std::string page;
  if (!report.residuals.empty()) {
    page += "<h2>Contacts with the largest residuals</h2>\n";
    page += print_contacts(run, report.residuals);
  }
  if (!report.overlaps.empty()) {
    page += "<h2>Deepest contacts</h2>\n" + print_contacts(run, report.overlaps);
  }
  return page;
}

std::string print_messages(const RunReport& report) {
  std::string page;
  if (!report.failed.empty()) {
    HtmlTable table{
        .columns = {{"step", true}, {"t (s)", true}, {"residual", true}, {"overlap (m)", true}},
        .rows = {}};
    for (const record::StepRow& row : report.failed) {
      table.rows.push_back({fmt::format("{}", row.step), fmt::format("{:.6g}", row.t),
                            fmt::format("{:.2e}", row.residual),
                            fmt::format("{:.2e}", row.penetration)});
    }
    page += "<h2>Steps without a certificate</h2>\n" + print_html_table(table);
  }
  if (report.messages.empty()) return page;
  page += fmt::format(
      "<h2>Messages of steps</h2>\n<p>{} messages{}.</p>\n<ul>\n", report.messages.size(),
      report.messages.size() > kMostMessages ? fmt::format(", the first {} of them", kMostMessages)
                                             : "");
  for (std::size_t i = 0; i < std::min(kMostMessages, report.messages.size()); ++i) {
    page += fmt::format("<li>step {}: {}</li>\n", report.messages[i].step,
                        escape_xml(report.messages[i].text));
  }
  return page + "</ul>\n";
}

std::string indent(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1);
    text += "  " + lines.substr(at, end - at + 1);
    at = end + 1;
  }
  return text;
}

}  // namespace

RunVerdict judge_run(const RunReader& run, const record::RunSummary& summary) {
  const std::int64_t num_failed = summary.num_failed_certificates;
  if (num_failed > 0) {
    return {false, fmt::format("{} of {} steps not certified", num_failed, run.num_steps())};
  }
  if (is_finished(run)) return {true, fmt::format("all {} steps certified", run.num_steps())};
  return {false, fmt::format("every step up to the end certified, but the run {}",
                             run.status().to_string())};
}

std::string make_report_page(const RunReader& run, const RunReport& report) {
  const record::RunHeader& header = run.header();
  std::string page = open_html_page("Report: " + header.scene_name, "report");
  page += fmt::format("<h1>{}</h1>\n", escape_xml(header.scene_name));
  page += print_verdict_line(run, report.summary);
  page += "<div class=\"halves\"><section>\n" + print_overview(run, report);
  page += "</section><section>\n" + print_certificate(run, report) + "</section></div>\n";
  if (!report.points.empty()) {
    page += "<h2>Energy ledger</h2>\n" + print_ledger(report);
    page += "<h2>Residual and overlap</h2>\n" + print_residuals(report);
  }
  page += "<h2>Contact modes</h2>\n" + print_modes(run, report);
  page += print_worst(run, report) + print_messages(report);
  page += fmt::format(
      "<h2>Settings</h2>\n<pre>{}:\n{}</pre>\n<details><summary>The scene file</summary>\n"
      "<pre>{}</pre></details>\n<p class=\"soft\">Written by tenpin {}.</p>\n",
      escape_xml(header.method_name), indent(escape_xml(header.method_options)),
      escape_xml(header.scene_text), escape_xml(header.tenpin_version));
  return page + close_html_page();
}

}  // namespace tenpin::lab
