#include "info.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "exit_codes.h"
#include "print.h"
#include "record/csv.h"
#include "record/summary.h"

namespace tenpin::app {
namespace {

using record::RunReader;
using record::RunSummary;

// In the order of contact::Ledger::Stage.
constexpr std::array<std::string_view, contact::Ledger::kNumStages> kStages = {
    "free_flight", "applied",    "scheme",     "normal",
    "friction",    "constraint", "projection", "prescribed"};

// For example ", order 2 (default), solver cone, restitution newton"; "" for other methods.
std::string describe_stepping(const record::RunHeader& header) {
  std::string text;
  for (const std::string key : {"order", "solver", "restitution"}) {
    const std::string value = record::find_method_option(header, key);
    if (value.empty()) continue;
    const std::string reason = record::find_method_option(header, key + "_reason");
    const bool is_chosen = reason.starts_with("\"default");
    text += fmt::format(", {} {}", key, value);
    if (is_chosen) text += fmt::format(" ({})", reason.substr(1, reason.size() - 2));
  }
  return text;
}

// The largest force and impulse of each joint and loop in the recorded steps.
struct LargestReaction {
  std::string name;      // "joint arm"
  double force = 0.0;    // N     the mean of a step
  double torque = 0.0;   // N m
  double impulse = 0.0;  // N s   of a step: an impact is not spread over it
};

std::vector<LargestReaction> find_largest_reactions(const RunReader& reader) {
  constexpr std::int64_t kBlock = 4096;  // rows read at a time
  const record::RunHeader& header = reader.header();
  std::map<std::pair<int, int>, LargestReaction> largest;  // by kind and index
  for (std::int64_t first = 0; first < reader.num_reactions(); first += kBlock) {
    const std::int64_t count = std::min(kBlock, reader.num_reactions() - first);
    for (const record::ReactionRow& row : reader.read_reactions(first, count)) {
      const bool is_loop = row.kind == record::ReactionRow::kLoop;
      LargestReaction& l = largest[{row.kind, row.index}];
      l.name =
          is_loop ? "loop " + header.loops[row.index] : "joint " + header.bodies[row.index].name;
      l.force = std::max(l.force, Vec3(row.force.data()).norm());
      l.torque = std::max(l.torque, Vec3(row.torque.data()).norm());
      l.impulse = std::max(l.impulse, Vec3(row.impulse.data()).norm());
    }
  }
  std::vector<LargestReaction> list;
  list.reserve(largest.size());
  for (const auto& [key, reaction] : largest) list.push_back(reaction);
  return list;
}

nlohmann::ordered_json make_reactions_json(const RunReader& reader) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LargestReaction& l : find_largest_reactions(reader)) {
    list.push_back(
        {{"name", l.name}, {"force", l.force}, {"torque", l.torque}, {"impulse", l.impulse}});
  }
  return list;
}

template <class Line>
void print_largest_reactions(const RunReader& reader, const Line& line) {
  constexpr std::size_t kMostLines = 12;
  const std::vector<LargestReaction> list = find_largest_reactions(reader);
  for (std::size_t i = 0; i < std::min(kMostLines, list.size()); ++i) {
    line(i == 0 ? "reactions" : "",
         fmt::format("{}: at most {:.4g} N, {:.4g} N m; {:.4g} N s in a recorded step",
                     list[i].name, list[i].force, list[i].torque, list[i].impulse));
  }
  if (list.size() > kMostLines) {
    line("", fmt::format("and {} more (--json lists them)", list.size() - kMostLines));
  }
}

nlohmann::ordered_json make_json(const RunReader& reader, const RunSummary& summary) {
  const record::RunHeader& header = reader.header();
  const record::RunStatus& status = reader.status();
  nlohmann::ordered_json work;
  for (std::size_t i = 0; i < kStages.size(); ++i) work[std::string(kStages[i])] = summary.work[i];
  return {{"file", reader.path()},
          {"scene", header.scene_name},
          {"scene_file", header.scene_file},
          {"method", header.method_name},
          {"method_options", header.method_options},
          {"tenpin_version", header.tenpin_version},
          {"status", status.to_string()},
          {"message", status.message},
          {"wall_time", status.wall_time},
          {"cpu_time", status.cpu_time},
          {"bodies", header.num_bodies()},
          {"nq", header.nq},
          {"nv", header.nv},
          {"frames", reader.num_frames()},
          {"steps", reader.num_steps()},
          {"contacts_recorded", reader.num_contacts()},
          {"reactions_recorded", reader.num_reactions()},
          {"largest_reactions", make_reactions_json(reader)},
          {"fired_events", record::list_fired_events(reader)},
          {"t_begin", summary.t_begin},
          {"t_end", summary.t_end},
          {"until", header.until},
          {"worst_residual", summary.worst_residual},
          {"worst_penetration", summary.worst_penetration},
          {"worst_cone_violation", summary.worst_cone_violation},
          {"failed_certificates", summary.num_failed_certificates},
          {"most_contacts", summary.most_contacts},
          {"most_active", summary.most_active},
          {"pivots", summary.sum_pivots},
          {"work", work},
          {"last_energy", summary.last_energy},
          {"worst_closure", summary.worst_closure},
          {"sum_closure", summary.sum_closure}};
}

void print_text(const RunReader& reader, const RunSummary& summary) {
  const record::RunHeader& header = reader.header();
  const record::RunStatus& status = reader.status();
  const auto line = [](std::string_view name, const std::string& value) {
    print(stdout, "{:<14}{}\n", name, value);
  };
  line("scene", fmt::format("{} ({})", header.scene_name, header.scene_file));
  line("method", header.method_name + describe_stepping(header));
  line("status", status.to_string() + (status.message.empty() ? "" : ": " + status.message));
  line("time",
       fmt::format("{:g} s to {:g} s of {:g} s", summary.t_begin, summary.t_end, header.until));
  line("computed in", fmt::format("{:.3g} s, {:.3g} s of CPU", status.wall_time, status.cpu_time));
  line("bodies", fmt::format("{} ({} degrees of freedom)", header.num_bodies(), header.nv));
  line("frames", fmt::format("{}", reader.num_frames()));
  line("steps", fmt::format("{}, {} pivots", reader.num_steps(), summary.sum_pivots));
  const std::vector<std::string> events = record::list_fired_events(reader);
  for (std::size_t i = 0; i < events.size(); ++i) line(i == 0 ? "events" : "", events[i]);
  line("contacts", fmt::format("at most {} in a step, {} of them active; {} recorded",
                               summary.most_contacts, summary.most_active, reader.num_contacts()));
  if (reader.num_reactions() > 0) print_largest_reactions(reader, line);
  line("certificate",
       fmt::format("residual {:.3g}, penetration {:.3g} m, cone {:.3g} N s, {} failed",
                   summary.worst_residual, summary.worst_penetration, summary.worst_cone_violation,
                   summary.num_failed_certificates));
  line("energy", fmt::format("{:.6g} J after the last step", summary.last_energy));
  for (std::size_t i = 0; i < kStages.size(); ++i) {
    line("", fmt::format("{:<12}{:+.6g} J", kStages[i], summary.work[i]));
  }
  line("", fmt::format("ledger closes to {:.3g} J per step, {:+.3g} J in all",
                       summary.worst_closure, summary.sum_closure));
}

void print_csv(const RunReader& reader, const std::string& table) {
  constexpr std::array<std::pair<std::string_view, record::CsvTable>, 4> kTables = {
      {{"frames", record::CsvTable::kFrames},
       {"steps", record::CsvTable::kSteps},
       {"contacts", record::CsvTable::kContacts},
       {"reactions", record::CsvTable::kReactions}}};
  for (const auto& [name, which] : kTables) {
    if (name == table) return record::write_csv(reader, which, &std::cout);
  }
  throw InputError(
      fmt::format("--csv: no table '{}', want frames, steps, contacts or "
                  "reactions",
                  table));
}

}  // namespace

int run_info(const InfoOptions& options) {
  const RunReader reader(options.file);
  reader.verify();
  if (!options.csv.empty()) {
    print_csv(reader, options.csv);
  } else if (options.json) {
    // Names come from files: bytes that are not UTF-8 are replaced, without an error.
    print(stdout, "{}\n",
          make_json(reader, record::summarize(reader))
              .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_text(reader, record::summarize(reader));
  }
  std::cout.flush();
  return kDone;
}

}  // namespace tenpin::app
