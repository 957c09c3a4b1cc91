#include "lab/study/measurer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/text.h"
#include "lab/version.h"
#include "math/trig.h"

namespace tenpin::lab {

namespace {

using MeasureKind = Measure::Kind;

std::string full_name(const Quantity& quantity, std::size_t component) {
  const std::string& part = quantity.components[component];
  return part.empty() ? quantity.name : quantity.name + "." + part;
}

bool is_of_bodies(MeasureKind kind) {
  return kind == MeasureKind::kFallen || kind == MeasureKind::kDigest;
}

bool needs_all_steps(MeasureKind kind) {
  return !is_of_bodies(kind) && kind != MeasureKind::kFinal;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i) {
    if (matches(rest, name.substr(i))) return true;
  }
  return false;
}

Measurer::Measurer(std::span<const Measure> measures, const scene::Scene& scene,
                   const dynamics::Model& model, const dynamics::State& start)
    : bodies_(record::make_header_bodies(scene, model)),
      motions_(model),
      up_(scene.gravity.norm() > 0.0 ? Vec3(-scene.gravity.normalized()) : Vec3(Vec3::UnitZ())) {
  for (const record::BodyMotion& motion : motions_.read(start)) {
    up_in_body_.emplace_back(motion.orientation.conjugate() * up_);
  }
  for (const Measure& measure : measures) {
    Watch watch = {.measure = &measure};
    if (!measure.quantity.empty()) watch.source = find_component(bodies_, measure.quantity);
    if (!measure.value.empty()) watch.value = find_component(bodies_, measure.value);
    looks_at_steps_ = looks_at_steps_ || needs_all_steps(measure.kind);
    watches_.push_back(std::move(watch));
  }
  look(start);
}

// Quantities of steps have no value before the first step.
double Measurer::read(const Source& source) {
  values_.clear();
  if (source.quantity.rows == RowsOf::kFrames) {
    append_values(source.quantity, bodies_, frame_, &values_);
  } else if (has_step_) {
    append_values(source.quantity, row_, &values_);
  } else {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return values_[source.component];
}

void Measurer::on_step(const methods::StepReport& report, const dynamics::State& state) {
  row_ = record::to_row(report);
  has_step_ = true;
  if (looks_at_steps_) look(state);
}

// Quantities of steps are measured only at the ends of steps.
void Measurer::on_frame_within(const dynamics::State& state) {
  if (looks_at_steps_) look(state, Looked::kWithin);
}

void Measurer::look(const dynamics::State& state, Looked looked) {
  frame_.t = state.t;
  frame_.q = state.q;
  frame_.v = state.v;
  frame_.bodies = motions_.read(state);
  for (Watch& watch : watches_) {
    if (!watch.source) continue;
    const bool is_of_steps =
        watch.source->quantity.rows != RowsOf::kFrames || watch.measure->kind == MeasureKind::kSum;
    if (looked == Looked::kWithin && is_of_steps) continue;
    const double number = read(*watch.source);
    if (!std::isfinite(number)) continue;
    const double before = watch.result.value_or(number);
    switch (watch.measure->kind) {
      case MeasureKind::kFinal:
        watch.result = number;
        break;
      case MeasureKind::kLargest:
        watch.result = std::max(before, number);
        break;
      case MeasureKind::kSmallest:
        watch.result = std::min(before, number);
        break;
      case MeasureKind::kSum:
        if (has_step_) watch.result = watch.result.value_or(0.0) + number;
        break;
      case MeasureKind::kFirst:
        look_for_crossing(number, &watch);
        break;
      case MeasureKind::kFallen:
      case MeasureKind::kDigest:
        break;
    }
  }
}

// Finds when a quantity crosses its bound, by linear interpolation between two steps.
void Measurer::look_for_crossing(double number, Watch* watch) {
  if (watch->result) return;
  const Measure& measure = *watch->measure;
  const double value = watch->value ? read(*watch->value) : frame_.t;
  const double bound = measure.above ? *measure.above : *measure.below;
  const bool is_beyond = measure.above ? number > bound : number < bound;
  if (is_beyond) {
    const double last = watch->last.value_or(bound);
    const double part = watch->last ? (bound - last) / (number - last) : 1.0;
    const double between = (1.0 - part) * watch->last_value + part * value;
    watch->result = std::isfinite(between) ? between : value;
  }
  watch->last = number;
  watch->last_value = value;
}

double Measurer::count_fallen(const Measure& measure) const {
  double count = 0.0;
  for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
    if (!matches(measure.bodies, bodies_[i].name)) continue;
    const record::BodyMotion& body = frame_.bodies[i];
    const double upright = up_.dot(body.orientation * up_in_body_[i]);
    const bool leans = measure.tilt && upright < sin_cos(*measure.tilt).cos;
    const bool is_low = measure.below && up_.dot(body.position) < *measure.below;
    count += leans || is_low ? 1.0 : 0.0;
  }
  return count;
}

// 48 bits of a hash of all bits; a double holds them exactly.
double Measurer::calc_digest(const Measure& measure) const {
  Hash hash;
  for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
    if (!matches(measure.bodies, bodies_[i].name)) continue;
    const record::BodyMotion& body = frame_.bodies[i];
    const Quat& turn = body.orientation;
    for (const double x : body.position) hash.add(x);
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) hash.add(x);
  }
  return static_cast<double>(hash.value() >> 16);
}

std::vector<std::optional<double>> Measurer::finish(const dynamics::State& end) {
  if (!looks_at_steps_) look(end);
  std::vector<std::optional<double>> results;
  for (const Watch& watch : watches_) {
    const Measure& measure = *watch.measure;
    results.push_back(measure.kind == MeasureKind::kFallen   ? count_fallen(measure)
                      : measure.kind == MeasureKind::kDigest ? calc_digest(measure)
                                                             : watch.result);
  }
  return results;
}

std::string find_measure_problem(const Measure& measure, const scene::Scene& scene,
                                 const dynamics::Model& model) {
  const record::RunHeader header = record::make_run_header(scene, model, kVersion);
  if (is_of_bodies(measure.kind)) {
    const bool any = std::any_of(header.bodies.begin(), header.bodies.end(), [&](const auto& b) {
      return matches(measure.bodies, b.name);
    });
    return any ? "" : "no such body, got " + measure.bodies + ", want a name of the scene";
  }
  std::vector<std::string> known;
  for (const Quantity& quantity : list_quantities(header)) {
    if (quantity.rows == RowsOf::kContacts) continue;
    for (std::size_t k = 0; k < quantity.components.size(); ++k) {
      known.push_back(full_name(quantity, k));
    }
  }
  for (const std::string& name : {measure.quantity, measure.value}) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto meant = nearest(name, std::span<const std::string>(known));
    return "no such quantity, got " + name + ", want " +
           meant.value_or("a number of steps or bodies, as `tenpin export --list` names them");
  }
  return "";
}

}  // namespace tenpin::lab
