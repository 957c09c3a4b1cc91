#include "compare_results.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tenpin::app {

namespace {

using lab::CompareOutcome;
using lab::Comparison;
using lab::Difference;
using methods::AdvanceStatus;
using Json = nlohmann::ordered_json;

std::string describe_status(const CompareOutcome& outcome) {
  if (outcome.refused) return "refused";
  return std::string(to_string(outcome.summary.status));
}

std::string make_row(const Comparison& comparison, std::size_t i, std::size_t width) {
  const CompareOutcome& o = comparison.outcomes[i];
  if (o.refused) return fmt::format("  {:<{}}  refused: {}\n", o.label, width, o.message);
  const lab::Summary& s = o.summary;
  const std::string distance =
      static_cast<int>(i) == comparison.reference
          ? "reference"
          : fmt::format("{:.3g} m", comparison.differences[i].end_distance);
  return fmt::format("  {:<{}}  {:>7}  {:>12}  {:>12.6g}  {:>8.1e}  {:>8.1e}  {:>8.3g}  {}\n",
                     o.label, width, s.steps, distance, s.energy_end, s.worst.residual,
                     s.worst.penetration, s.cpu, describe_status(o));
}

std::string make_parting_text(const Comparison& comparison, std::size_t i) {
  const CompareOutcome& o = comparison.outcomes[i];
  const Difference& d = comparison.differences[i];
  std::string text;
  if (!d.parting) {
    text = fmt::format("  {}: nowhere up to {:.6g} s\n", o.label, d.t.empty() ? 0.0 : d.t.back());
  } else {
    const lab::Parting& p = *d.parting;
    text = fmt::format("  {}: at t = {:.6g} s, {} by {:.3g} m ({})\n", o.label, p.t, p.body_name,
                       p.distance, p.situation);
    for (const std::string& reason : p.reasons) text += fmt::format("      {}\n", reason);
  }
  if (o.summary.status != AdvanceStatus::kReachedEnd) {
    text += fmt::format("      ended at t = {:.6g} s: {}: {}\n", o.summary.t,
                        to_string(o.summary.status), o.message);
  }
  return text;
}

Json make_parting_json(const lab::Parting& p) {
  return {{"t", p.t},
          {"body", p.body_name},
          {"distance", p.distance},
          {"situation", p.situation},
          {"reasons", p.reasons}};
}

Json make_outcome_json(const CompareOutcome& o, const Difference& d) {
  const lab::Summary& s = o.summary;
  Json json = {
      {"method", o.label}, {"status", describe_status(o)}, {"message", o.message}, {"t", s.t}};
  if (o.refused) return json;
  json["steps"] = s.steps;
  json["energy_start"] = s.energy_start;
  json["energy_end"] = s.energy_end;
  json["worst_residual"] = s.worst.residual;
  json["worst_penetration"] = s.worst.penetration;
  json["ledger_closure"] = s.total_closure;
  json["cpu_s"] = s.cpu;
  json["wall_s"] = s.wall;
  json["state_hash"] = fmt::format("{:016x}", s.state_hash);
  json["end_distance"] = d.end_distance;
  json["end_body"] = d.end_body;
  json["parting"] = d.parting ? make_parting_json(*d.parting) : Json();
  return json;
}

}  // namespace

std::string make_comparison_table(const std::string& scene_name, const Comparison& comparison) {
  std::size_t width = 6;
  for (const CompareOutcome& o : comparison.outcomes) width = std::max(width, o.label.size());
  std::string text = fmt::format("\n{}\n  {:<{}}  {:>7}  {:>12}  {:>12}  {:>8}  {:>8}  {:>8}\n",
                                 scene_name, "method", width, "steps", "end distance", "energy J",
                                 "residual", "overlap", "CPU s");
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    text += make_row(comparison, i, width);
  }
  if (comparison.reference < 0) return text;
  text += fmt::format("\nWhere they diverge from {}, by more than {:.3g} m:\n",
                      comparison.outcomes[comparison.reference].label, comparison.tolerance);
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    const bool is_shown =
        static_cast<int>(i) != comparison.reference && !comparison.outcomes[i].refused;
    if (is_shown) text += make_parting_text(comparison, i);
  }
  return text;
}

std::string make_comparison_json(const std::string& scene_name, const Comparison& comparison) {
  Json list = Json::array();
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    list.push_back(make_outcome_json(comparison.outcomes[i], comparison.differences[i]));
  }
  const Json json = {{"scene", scene_name},
                     {"tolerance", comparison.tolerance},
                     {"reference", comparison.reference},
                     {"methods", list}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenpin::app
