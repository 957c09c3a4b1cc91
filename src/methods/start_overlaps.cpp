#include "methods/start_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "methods/separate_bodies.h"

namespace tenpin::methods {

namespace {

using contact::Contact;
using dynamics::Model;
using dynamics::State;
using Overlaps = scene::Start::Overlaps;

std::string print_depth(double depth) {
  return fmt::format("{:.4g}", depth);
}

std::vector<StartOverlap> to_overlaps(std::span<const Contact> contacts) {
  std::map<std::pair<int, int>, double> deepest;  // m, rad   by bodies
  for (const Contact& c : contacts) {
    if (c.gap >= -kLeastOverlap) continue;
    double& depth = deepest[std::minmax(c.body_a, c.body_b)];
    depth = std::max(depth, -c.gap);
  }
  std::vector<StartOverlap> overlaps;
  overlaps.reserve(deepest.size());
  for (const auto& [bodies, depth] : deepest) {
    overlaps.push_back({.body_a = bodies.first, .body_b = bodies.second, .depth = depth});
  }
  return overlaps;
}

// Lets contacts and stops that still overlap start with their present gaps.
void keep(std::span<const Contact> contacts, ConstVecRef q, Model* model) {
  std::map<std::pair<int, int>, double> deepest;  // m   by parts
  for (const Contact& c : contacts) {
    if (c.gap >= 0.0) continue;
    if (c.kind == contact::ContactKind::kSurface) {
      double& depth = deepest[std::minmax(c.key.part_a, c.key.part_b)];
      depth = std::max(depth, -c.gap);
      continue;
    }
    dynamics::Joint& joint = model->bodies[c.body_b].joint;
    if (joint.type == dynamics::JointType::kBall) {
      joint.forces.upper -= c.gap;
    } else if (c.direction.x() < 0.0) {
      joint.forces.upper = q[joint.q_begin];
    } else {
      joint.forces.lower = q[joint.q_begin];
    }
  }
  for (const auto& [parts, depth] : deepest) {
    model->kept_overlaps.push_back({.part_a = parts.first, .part_b = parts.second, .depth = depth});
  }
}

void enter_left(std::span<const Contact> contacts, std::vector<StartOverlap>* overlaps) {
  for (const StartOverlap& left : to_overlaps(contacts)) {
    const auto at = std::find_if(overlaps->begin(), overlaps->end(), [&](const StartOverlap& o) {
      return o.body_a == left.body_a && o.body_b == left.body_b;
    });
    if (at != overlaps->end()) {
      at->left = left.depth;
    } else {  // bodies that must be moved into each other
      overlaps->push_back(left);
      overlaps->back().left = left.depth;
    }
  }
}

[[noreturn]] void refuse(const Model& model, const std::vector<StartOverlap>& overlaps) {
  std::string message = "start.overlaps: bodies overlap at time 0, got";
  for (const StartOverlap& overlap : overlaps) message += "\n  " + describe(model, overlap);
  throw InputError(message + "\nwant none, or overlaps: resolve or keep");
}

}  // namespace

std::vector<StartOverlap> find_start_overlaps(const Model& model, const State& state) {
  return to_overlaps(find_overlapping(model, state.q));
}

StartReport treat_start_overlaps(Overlaps how, Model* model, State* state) {
  const std::vector<Contact> before = find_overlapping(*model, state->q);
  StartReport report = {.overlaps = to_overlaps(before)};
  if (report.overlaps.empty()) return report;
  if (how == Overlaps::kRefuse) refuse(*model, report.overlaps);
  if (how == Overlaps::kKeep) {
    enter_left(before, &report.overlaps);
    keep(before, state->q, model);
    return report;
  }
  const Separation separation = separate_bodies(*model, state);
  report.energy_change = separation.energy_change;
  report.largest_motion = separation.largest_motion;
  report.rounds = separation.rounds;
  const std::vector<Contact> after = find_overlapping(*model, state->q);
  enter_left(after, &report.overlaps);
  const bool any_left =
      std::any_of(report.overlaps.begin(), report.overlaps.end(), [](const auto& overlap) {
        return overlap.left > 0.0;
      });
  if (any_left) keep(after, state->q, model);
  return report;
}

void check_kept_overlaps(const Model& model, const StartReport& report,
                         const scene::MethodOptions& method) {
  if (!is_event_driven(method)) return;
  for (const StartOverlap& overlap : report.overlaps) {
    if (overlap.left == 0.0 || overlap.body_a == overlap.body_b) continue;
    const std::string& a = model.bodies[overlap.body_a].name;
    const std::string& b = model.bodies[overlap.body_b].name;
    std::string text =
        "method." + std::string(name_of(method)) + ": cannot run with overlaps, got ";
    text.append(a).append(" and ").append(b).append(" that overlap by ");
    text.append(print_depth(overlap.left)).append(" m, want them apart, or touch: {never: [[");
    text.append(a).append(", ").append(b).append("]]}, or time-stepping");
    throw InputError(text);
  }
}

std::string describe(const Model& model, const StartOverlap& overlap) {
  const dynamics::Body& b = model.bodies[overlap.body_b];
  if (overlap.body_a == overlap.body_b) {
    const char* unit = b.joint.type == dynamics::JointType::kSlider ? " m" : " rad";
    return "the joint of " + b.name + " is " + print_depth(overlap.depth) + unit + " past its stop";
  }
  return model.bodies[overlap.body_a].name + " and " + b.name + " overlap by " +
         print_depth(overlap.depth) + " m";
}

std::string describe_outcome(const Model& model, const StartOverlap& overlap, Overlaps how) {
  const std::string text = describe(model, overlap) + ": ";
  if (overlap.left == 0.0) {
    return text + (overlap.body_a == overlap.body_b ? "moved back to it" : "moved apart");
  }
  if (how == Overlaps::kKeep) return text + "kept";
  const std::string rest = overlap.left < 0.999 * overlap.depth
                               ? "no motion takes out the last " + print_depth(overlap.left)
                               : "no motion takes it out";
  return text + rest + ", kept";
}

}  // namespace tenpin::methods
