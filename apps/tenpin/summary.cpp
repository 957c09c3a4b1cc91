#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "dynamics/kinematics.h"
#include "math/rotation.h"
#include "scene/build.h"
#include "scene/words.h"

namespace tenpin::app {

namespace {

using contact::Ledger;
using contact::Mode;
using methods::AdvanceStatus;

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("  {:<22}{}\n", name, value);
}

std::string certificate_text(const lab::Summary& s) {
  const bool good = s.status == AdvanceStatus::kReachedEnd || s.status == AdvanceStatus::kStopped;
  // A run continues after steps that fail the certificate only under a method that guarantees
  // nothing.
  if (good && !s.worst.passed) {
    return fmt::format("nothing is certified; overlap {:.1e} m", s.worst.penetration);
  }
  const char* verdict = good ? "every step certified" : "FAILED";
  return fmt::format("{}; worst residual {:.1e}, overlap {:.1e} m", verdict, s.worst.residual,
                     s.worst.penetration);
}

// Lists the pairs that overlapped before the first step and how each was treated.
std::string start_text(const lab::Summary& s) {
  constexpr std::size_t kMostLines = 10;
  if (s.start_lines.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostLines, s.start_lines.size()); ++i) {
    text += row(i == 0 ? "at time 0" : "", s.start_lines[i]);
  }
  if (s.start_lines.size() > kMostLines) {
    text += row("", fmt::format("and {} more", s.start_lines.size() - kMostLines));
  }
  if (s.start.largest_motion > 0.0) {
    text += row("", fmt::format("bodies were moved by at most {:.3g} m; energy {:+.3g} J",
                                s.start.largest_motion, s.start.energy_change));
  }
  return text;
}

nlohmann::json start_json(const lab::Summary& s) {
  return {{"overlaps", s.start_lines},
          {"energy_change", s.start.energy_change},
          {"largest_motion", s.start.largest_motion},
          {"rounds", s.start.rounds}};
}

std::string ledger_text(const lab::Summary& s) {
  std::string text = row("energy, start", fmt::format("{:14.6e} J", s.energy_start));
  for (int k = 0; k < Ledger::kNumStages; ++k) {
    if (s.work[k] == 0.0) continue;
    const std::string name(to_string(static_cast<Ledger::Stage>(k)));
    text += row("  " + name, fmt::format("{:+14.6e} J", s.work[k]));
  }
  if (s.gravity_change != 0.0) {
    text += row("  change of gravity", fmt::format("{:+14.6e} J", s.gravity_change));
  }
  text += row("energy, end", fmt::format("{:14.6e} J", s.energy_end));
  text += row("ledger closes to",
              fmt::format("{:.1e} of the largest energy",
                          s.largest_energy > 0.0 ? std::fabs(s.total_closure) / s.largest_energy
                                                 : std::fabs(s.total_closure)));
  return text;
}

// Prints how often each guess of the heuristic was right.
std::string branches_text(const scene::Scene& scene, const lab::Summary& s) {
  const auto& options = std::get<scene::AnalyticOptions>(scene.method);
  if (options.forces != scene::AnalyticOptions::Forces::kLp) return "";
  const methods::ForceBranches& b = s.branches;
  return row("forces: lp",
             fmt::format("none vanishes {}, predicted {}, fallback {} (added {:.3g} J)",
                         b.none_vanishes, b.predicted, b.fallback, b.added_energy));
}

// The law of restitution of the methods that have options for it, other than time stepping.
std::string impact_law_text(const scene::MethodOptions& method) {
  if (const auto* impulse = std::get_if<scene::ImpulseOptions>(&method)) {
    return row("restitution", std::string(to_word(impulse->law, scene::kImpulseLawWords)));
  }
  const auto* analytic = std::get_if<scene::AnalyticOptions>(&method);
  if (analytic == nullptr) return "";
  if (analytic->law) {
    return row("restitution", std::string(to_word(*analytic->law, scene::kAnalyticLawWords)));
  }
  return row("restitution", "energetic where friction and restitution meet, else newton (default)");
}

std::string warnings_text(const lab::Summary& s) {
  std::string text;
  if (s.painleve_steps > 0) {
    text += row("Painleve",
                fmt::format("no acceleration-level solution in {} step(s), first at t = {:.6g} s: "
                            "{} on {}, A = {:.4g} 1/kg",
                            s.painleve_steps, s.first_painleve.t, s.first_painleve.body_b,
                            s.first_painleve.body_a, s.first_painleve.A));
  }
  if (s.loops.rows > 0) {
    text +=
        row("loops", fmt::format("{} rows, {} of them redundant", s.loops.rows, s.loops.redundant));
  }
  if (s.steps_without_promise > 0) {
    text += row(
        "existence",
        fmt::format(
            "not guaranteed by theory in {} of {} steps (dependent normals or friction directions)",
            s.steps_without_promise, s.steps));
  }
  if (s.undetermined_steps > 0) {
    text += row("forces", fmt::format("not unique in {} of {} steps (other contact forces give "
                                      "the same motion); the least {}",
                                      s.undetermined_steps, s.steps,
                                      s.not_least_steps == 0 ? "are shown"
                                                             : fmt::format("were not found in {}",
                                                                           s.not_least_steps)));
  }
  if (s.guarded > 0) {
    text += row("guarded impacts",
                fmt::format("{}, solved again because their law of restitution, with friction, "
                            "would have gained energy",
                            s.guarded));
  }
  if (s.unsettled_steps > 0) {
    text += row("note", fmt::format("{} step(s): {}", s.unsettled_steps, s.first_message));
  }
  if (!s.message.empty()) text += row("failure", s.message);
  return text;
}

std::string division_text(const lab::Summary& s) {
  const methods::DivisionCounts& d = s.division;
  return fmt::format(
      "{}, in {} divisions of steps; {} over the budget; {:.2f} solves per step", d.impacts,
      d.divisions, d.late,
      static_cast<double>(s.solves) / static_cast<double>(std::max<std::int64_t>(s.steps, 1)));
}

nlohmann::json vector_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

nlohmann::json bodies_json(const scene::Scene& scene, const lab::Summary& s) {
  const dynamics::Model model = scene::build(scene).model;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(model, s.state.q, s.state.t, &X_WB);
  update_twists(model, X_WB, s.state.v, s.state.t, &V_WB);
  nlohmann::json list = nlohmann::json::array();
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    const Vec3 r = X_WB[i].R * body.p_BO;
    const Quat q = to_quaternion(X_WB[i].R);
    nlohmann::json entry = {{"name", body.name},
                            {"position", vector_json(X_WB[i].p + r)},
                            {"orientation", {q.w(), q.x(), q.y(), q.z()}},
                            {"velocity", vector_json(V_WB[i].at(r))},
                            {"angular_velocity", vector_json(V_WB[i].w)}};
    const bool has_coordinate = body.joint.type == dynamics::JointType::kHinge ||
                                body.joint.type == dynamics::JointType::kSlider;
    if (has_coordinate) {
      entry["joint"] = {{"at", s.state.q[body.joint.q_begin]},
                        {"rate", s.state.v[body.joint.v_begin]}};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::json ledger_json(const lab::Summary& s) {
  nlohmann::json ledger = {
      {"energy_start", s.energy_start},     {"energy_end", s.energy_end},
      {"largest_energy", s.largest_energy}, {"change_of_gravity", s.gravity_change},
      {"closure", s.total_closure},         {"worst_step_closure", s.worst_closure}};
  for (int k = 0; k < Ledger::kNumStages; ++k) {
    ledger[std::string(to_string(static_cast<Ledger::Stage>(k)))] = s.work[k];
  }
  return ledger;
}

nlohmann::json stepping_json(const methods::time_stepping::Stepping& stepping) {
  return {{"order", *stepping.options.order},
          {"order_reason", stepping.order_reason},
          {"solver", to_word(*stepping.options.solver, scene::kSolverWords)},
          {"solver_reason", stepping.solver_reason},
          {"restitution", to_word(*stepping.options.restitution, scene::kRestitutionWords)},
          {"restitution_reason", stepping.restitution_reason}};
}

std::string contact_model_text(const scene::TimeSteppingOptions& options, const lab::Summary& s) {
  if (!options.is_compliant()) return "rigid";
  const std::string model = options.springs ? "springs with the stiffness of the materials"
                                            : fmt::format("compliance {:g}", options.compliance);
  return model + fmt::format("; residual of rigid contacts {:.1e}", s.worst.rigid_residual);
}

}  // namespace

std::string make_summary_table(const scene::Scene& scene, const lab::Summary& s) {
  std::string text = fmt::format("\n{}  ({})\n", scene.name, name_of(scene.method));
  text +=
      row("status", s.is_stopped_by_event ? "ended by an event" : std::string(to_string(s.status)));
  for (std::size_t i = 0; i < s.fired.size(); ++i) {
    text += row(i == 0 ? "events" : "", s.fired[i]);
  }
  text += row("certificate", certificate_text(s));
  if (s.stepping) {
    text += row("order", s.stepping->order_text());
    text += row("solver", s.stepping->solver_text());
    text += row("restitution", s.stepping->restitution_text());
    text += row("contact model", contact_model_text(s.stepping->options, s));
  }
  text += impact_law_text(scene.method);
  const double simulated = s.t - s.t_start;  // s
  text += row("simulated",
              fmt::format("{:.6g} s in {} steps, {} frames", simulated, s.steps, s.frames));
  if (s.t_start > 0.0) {
    text += row("continued", fmt::format("from t = {:.9g} s to t = {:.9g} s", s.t_start, s.t));
  }
  text += row("computed in", fmt::format("{:.3g} s, {:.3g} x real time", s.wall,
                                         s.wall > 0.0 ? simulated / s.wall : 0.0));
  text += row("contacts", fmt::format("at most {}; largest LCP {}, {} pivots in {} solves",
                                      s.max_contacts, s.max_problem_size, s.pivots, s.solves));
  text +=
      row("modes", fmt::format("{} sliding, {} sticking, {} resting, {} touching, {} separating",
                               s.modes[static_cast<std::size_t>(Mode::kSliding)],
                               s.modes[static_cast<std::size_t>(Mode::kSticking)],
                               s.modes[static_cast<std::size_t>(Mode::kResting)],
                               s.modes[static_cast<std::size_t>(Mode::kTouching)],
                               s.modes[static_cast<std::size_t>(Mode::kSeparating)]));
  if (s.events.events > 0) {
    const methods::EventCounts& e = s.events;
    text +=
        row("events",
            fmt::format("{} collisions ({} micro, {} slow sliding, {} lifts), {} pairs examined",
                        e.impacts, e.microcollisions, e.sliding, e.lifts, e.events));
    text += row("queries", fmt::format("{} closest features ({} steps), {} known planes; {:.3g} "
                                       "without heap and hash",
                                       e.distance_queries, e.feature_steps, e.plane_checks,
                                       static_cast<double>(e.naive_queries)));
  }
  if (s.stepping && s.stepping->options.order == 2) text += row("impacts", division_text(s));
  if (s.retries > 0) {
    text +=
        row("retries", fmt::format("{} failed attempts at steps that then succeeded", s.retries));
  }
  if (s.stepping && s.stepping->options.sleeping) {
    text += row("asleep", fmt::format("{} steps of single bodies", s.slept));
  }
  if (std::holds_alternative<scene::AnalyticOptions>(scene.method)) {
    text += row("event search", fmt::format("at most {} iterations in a step", s.max_iterations));
    text += branches_text(scene, s);
  } else if (s.max_iterations > 1) {
    text += row("fixed point", fmt::format("at most {} iterations, contraction {:.2g}",
                                           s.max_iterations, s.max_contraction));
  }
  text += start_text(s);
  text += ledger_text(s);
  text += warnings_text(s);
  text += row("state hash", fmt::format("{:016x}", s.state_hash));
  return text;
}

std::string make_summary_json(const scene::Scene& scene, const lab::Summary& s) {
  nlohmann::json json = {{"scene", scene.name},
                         {"method", name_of(scene.method)},
                         {"status", to_string(s.status)},
                         {"solver_status", to_string(s.solver)},
                         {"message", s.message},
                         {"t_start", s.t_start},
                         {"t", s.t},
                         {"steps", s.steps},
                         {"frames", s.frames},
                         {"wall_s", s.wall},
                         {"cpu_s", s.cpu},
                         {"certified", s.worst.passed && (s.status == AdvanceStatus::kReachedEnd ||
                                                          s.status == AdvanceStatus::kStopped)},
                         {"worst_residual", s.worst.residual},
                         {"worst_rigid_residual", s.worst.rigid_residual},
                         {"worst_penetration", s.worst.penetration},
                         {"worst_cone_violation", s.worst.cone_violation},
                         {"worst_dissipation_gap", s.worst.dissipation_gap},
                         {"start", start_json(s)},
                         {"ledger", ledger_json(s)},
                         {"max_contacts", s.max_contacts},
                         {"max_problem_size", s.max_problem_size},
                         {"pivots", s.pivots},
                         {"solves", s.solves},
                         {"slept_body_steps", s.slept},
                         {"retries", s.retries},
                         {"divided_impacts", s.division.impacts},
                         {"divisions", s.division.divisions},
                         {"late_impacts", s.division.late},
                         {"guarded_impacts", s.guarded},
                         {"steps_with_undetermined_forces", s.undetermined_steps},
                         {"steps_without_least_forces", s.not_least_steps},
                         {"worst_excess_work", s.worst.excess_work},
                         {"max_iterations", s.max_iterations},
                         {"max_contraction", s.max_contraction},
                         {"steps_without_existence_promise", s.steps_without_promise},
                         {"steps_with_message", s.unsettled_steps},
                         {"first_message", s.first_message},
                         {"loop_rows", s.loops.rows},
                         {"redundant_loop_rows", s.loops.redundant},
                         {"force_branches",
                          {{"none_vanishes", s.branches.none_vanishes},
                           {"predicted", s.branches.predicted},
                           {"fallback", s.branches.fallback},
                           {"added_energy", s.branches.added_energy}}},
                         {"fired_events", s.fired},
                         {"ended_by_event", s.is_stopped_by_event},
                         {"painleve_steps", s.painleve_steps},
                         {"first_painleve_t", s.first_painleve.t},
                         {"first_painleve_A", s.first_painleve.A},
                         {"state_hash", fmt::format("{:016x}", s.state_hash)},
                         {"bodies", bodies_json(scene, s)}};
  if (s.stepping) json["stepping"] = stepping_json(*s.stepping);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tenpin::app
