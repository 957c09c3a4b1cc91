#include "lab/study/batch_trials.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/check.h"
#include "math/rotation.h"
#include "scene/problem_list.h"

namespace tenpin::lab {

namespace {

using MeasureKind = Measure::Kind;

// Numbers of the ledger and the certificate that every world keeps. The first ones are sums over
// all steps, the others are the largest values of a step.
constexpr std::array<std::string_view, 4> kSums = {"steps.work_normal", "steps.work_friction",
                                                   "steps.work_scheme", "steps.num_contacts"};
constexpr std::array<std::string_view, 2> kLargest = {"steps.residual", "steps.penetration"};
bool is_evidence(const Measure& measure) {
  const auto has = [&](const auto& names) {
    return std::find(names.begin(), names.end(), measure.quantity) != names.end();
  };
  return (measure.kind == MeasureKind::kSum && has(kSums)) ||
         (measure.kind == MeasureKind::kLargest && has(kLargest));
}
// The value of a measure for which is_evidence() is true.
template <class World>
double read_evidence(const Measure& measure, const World& world) {
  const std::string& name = measure.quantity;
  if (name == kSums[0]) return static_cast<double>(world.work_normal);
  if (name == kSums[1]) return static_cast<double>(world.work_friction);
  if (name == kSums[2]) return static_cast<double>(world.work_gravity);
  if (name == kSums[3]) return static_cast<double>(world.contacts);
  return static_cast<double>(name == kLargest[0] ? world.worst_residual : world.deepest);
}

bool is_watched(const Measure& measure) {
  const MeasureKind kind = measure.kind;
  return !is_evidence(measure) && (kind == MeasureKind::kFirst || kind == MeasureKind::kLargest ||
                                   kind == MeasureKind::kSmallest);
}

constexpr std::array<std::string_view, 3> kMotions = {"position", "velocity", "angular_velocity"};

// The path "bodies.NAME.MOTION.COMPONENT", where the components are among the given words; it holds
// the index of each.
struct MotionPath {
  std::string body;
  int motion = 0;
  int component = 0;
};
std::optional<MotionPath> parse_motion(std::string_view path,
                                       const std::array<std::string_view, 3>& components) {
  constexpr std::string_view kStart = "bodies.";
  if (!path.starts_with(kStart)) return std::nullopt;
  path.remove_prefix(kStart.size());
  for (std::size_t m = 0; m < kMotions.size(); ++m) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      const std::string end = "." + std::string(kMotions[m]) + "." + std::string(components[c]);
      if (!path.ends_with(end)) continue;
      path.remove_suffix(end.size());
      return MotionPath{std::string(path), static_cast<int>(m), static_cast<int>(c)};
    }
  }
  return std::nullopt;
}

int find_body(const dynamics::Model& model, const std::string& name) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (model.bodies[static_cast<std::size_t>(i)].name == name) return i;
  }
  return -1;
}

// The quantity as the device watches it, if it can.
std::optional<batch::Watched> find_watched(const batch::BatchScene& scene,
                                           const dynamics::Model& model,
                                           const std::string& quantity) {
  if (quantity.empty()) return batch::Watched{batch::kTime, 0, 0};
  const auto path = parse_motion(quantity, {"x", "y", "z"});
  if (!path) return std::nullopt;
  const int body = find_body(model, path->body);
  for (std::size_t i = 0; i < scene.loose.size(); ++i) {
    if (scene.loose[i].body != body) continue;
    constexpr std::array kKinds = {batch::kPosition, batch::kVelocity, batch::kSpin};
    return batch::Watched{kKinds[static_cast<std::size_t>(path->motion)],
                          static_cast<batch::Word>(i), static_cast<batch::Word>(path->component)};
  }
  return std::nullopt;
}

// Worlds measure positions from their own origin, the table from the scene's origin.
double calc_offset(const batch::BatchScene& scene, const batch::Watched& watched) {
  return watched.motion == batch::kPosition ? scene.origin[watched.component] : 0.0;
}

batch::WatchKind choose_watch_kind(const Measure& measure) {
  if (measure.kind == MeasureKind::kLargest) return batch::kLargest;
  if (measure.kind == MeasureKind::kSmallest) return batch::kSmallest;
  return measure.above ? batch::kFirstAbove : batch::kFirstBelow;
}

// Adds a measure that needs every step to the model. Returns "", or why this is not possible.
std::string add_watch(const Measure& measure, const dynamics::Model& model,
                      batch::BatchScene* scene) {
  const auto quantity = find_watched(*scene, model, measure.quantity);
  const auto value = find_watched(*scene, model, measure.value);
  if (!quantity || !value) {
    return "a batch cannot measure this at every step, got " +
           (quantity ? measure.value : measure.quantity) +
           ", want a position, velocity or angular_velocity of a loose body";
  }
  if (scene->model.num_watches == batch::kMaxWatches) {
    return "too many measures that need every step for a batch, want at most " +
           std::to_string(batch::kMaxWatches);
  }
  batch::Watch<double>* watch = &scene->model.watches[scene->model.num_watches++];
  watch->kind = choose_watch_kind(measure);
  watch->quantity = *quantity;
  watch->value = *value;
  watch->bound =
      measure.above.value_or(measure.below.value_or(0.0)) - calc_offset(*scene, *quantity);
  return "";
}

// Adds a measure to the model. Returns "", or why a batch cannot compute it.
std::string add_measure(const Measure& measure, const dynamics::Model& model,
                        batch::BatchScene* scene) {
  if (is_evidence(measure)) return "";
  if (is_watched(measure)) return add_watch(measure, model, scene);
  if (measure.kind == MeasureKind::kSum) {
    return "a batch cannot measure this sum, want steps.work_normal, steps.work_friction, "
           "steps.work_scheme or steps.num_contacts";
  }
  if (measure.kind == MeasureKind::kFinal && !measure.quantity.starts_with("bodies.")) {
    return "a batch cannot measure this, got " + measure.quantity + ", want a quantity of a body";
  }
  return "";
}

const batch::Watched& shown_number(const batch::Watch<double>& watch) {
  const bool is_first = watch.kind == batch::kFirstAbove || watch.kind == batch::kFirstBelow;
  return is_first ? watch.value : watch.quantity;
}

}  // namespace

std::optional<BatchTrials::Target> BatchTrials::parse_target(const std::string& path) {
  const auto motion = parse_motion(path, {"0", "1", "2"});
  if (!motion) return std::nullopt;
  constexpr std::array kKinds = {Target::Kind::kPosition, Target::Kind::kVelocity,
                                 Target::Kind::kSpin};
  return Target{kKinds[static_cast<std::size_t>(motion->motion)], motion->body, motion->component};
}

BatchTrials::BatchTrials(const Study& study) : study_(study) {
  for (const Variable& variable : study.variables) {
    targets_.push_back(variable.is_range() ? parse_target(variable.path) : std::nullopt);
  }
  for (std::int64_t c = 0; c < study.num_combinations(); ++c) {
    combinations_.push_back(make_combination(make_trial(study, c), false, nullptr));
    if (num_steps() != combinations_.back().batch.num_steps) {
      throw scene::SceneError({{.file = study.file,
                                .path = "vary",
                                .text = "a batch cannot do trials of different lengths"}});
    }
    const dynamics::Model& model = combinations_.back().built.model;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (!study.variables[i].is_range()) continue;
      const int body = targets_[i] ? find_body(model, targets_[i]->body) : -1;
      shares_models_ =
          shares_models_ && body >= 0 && model.bodies[static_cast<std::size_t>(body)].is_mobile();
    }
  }
}

// A trial with its own model has the same origin as its combination.
BatchCombination BatchTrials::make_combination(const Trial& trial, bool with_ranges,
                                               const Vec3* origin) const {
  std::vector<scene::Override> settings;
  for (const scene::Override& setting : trial.settings) {
    const bool is_range =
        std::any_of(study_.variables.begin(), study_.variables.end(), [&](const Variable& v) {
          return v.is_range() && v.path == setting.path;
        });
    if (with_ranges || !is_range) settings.push_back(setting);
  }
  BatchCombination made;
  made.scene = scene::parse_scene(study_.scene_text, study_.scene_file, settings);
  made.built = scene::build(made.scene);
  const Vec3 from = origin != nullptr ? *origin : batch::choose_origin(made.built);
  made.batch = batch::make_batch_scene(made.scene, made.built, from);
  add_watches(&made.batch, made.built.model);
  return made;
}

void BatchTrials::add_watches(batch::BatchScene* scene, const dynamics::Model& model) const {
  std::vector<scene::Problem> problems;
  for (const Measure& measure : study_.measures) {
    const std::string text = add_measure(measure, model, scene);
    if (text.empty()) continue;
    problems.push_back({.file = study_.file,
                        .line = measure.place.line,
                        .column = measure.place.column,
                        .path = "measures." + measure.name,
                        .text = text});
  }
  if (!problems.empty()) throw scene::SceneError(std::move(problems));
}

BatchTrial BatchTrials::make(std::int64_t number) const {
  const Trial trial = make_trial(study_, number);
  const BatchCombination& base = combinations_[combination_of(number)];
  BatchTrial made = {.values = trial.values, .start = base.built.state, .own = nullptr};
  if (!shares_models_) {
    made.own =
        std::make_shared<const BatchCombination>(make_combination(trial, true, &base.batch.origin));
    made.start = made.own->built.state;
    TENPIN_REQUIRE(made.own->batch.num_steps == num_steps(),
                   "a batch cannot do trials of different lengths");
    return made;
  }
  // Makes the state of a free body in the same way as scene::build().
  for (std::size_t slot = 0; slot < base.batch.loose.size(); ++slot) {
    const auto index = static_cast<std::size_t>(base.batch.loose[slot].body);
    const scene::Body& said = base.scene.bodies[index];
    Vec3 position = said.position, velocity = said.velocity, spin = said.angular_velocity;
    bool is_set = false;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (!targets_[i] || targets_[i]->body != said.name) continue;
      Vec3* vector = targets_[i]->kind == Target::Kind::kPosition   ? &position
                     : targets_[i]->kind == Target::Kind::kVelocity ? &velocity
                                                                    : &spin;
      (*vector)[targets_[i]->component] = *trial.values[i].number;
      is_set = true;
    }
    if (!is_set) continue;
    const Mat3 R = to_matrix(said.orientation);
    const auto q = static_cast<Eigen::Index>(7 * slot), v = static_cast<Eigen::Index>(6 * slot);
    made.start.q.segment<3>(q) = position + R * said.center;
    made.start.v.segment<3>(v) = velocity + spin.cross(R * said.center);
    made.start.v.segment<3>(v + 3) = spin;
  }
  return made;
}

const batch::BatchScene& BatchTrials::batch_scene(std::int64_t trial,
                                                  const BatchTrial& from) const {
  return from.own != nullptr ? from.own->batch : combinations_[combination_of(trial)].batch;
}

BatchTrials::Reader::Reader(const Study& study, const BatchTrials& trials)
    : study_(study), trials_(trials) {
  for (const Measure& measure : study.measures) {
    if (!is_watched(measure) && !is_evidence(measure)) final_measures_.push_back(measure);
  }
  for (const BatchCombination& c : trials.combinations()) {
    measurers_.push_back(
        std::make_unique<Measurer>(final_measures_, c.scene, c.built.model, c.built.state));
  }
}

template <class Real, int kContacts>
TrialRow BatchTrials::Reader::read(std::int64_t trial, const BatchTrial& from,
                                   const batch::Stored<Real, kContacts>& world) {
  const batch::BatchScene& scene = trials_.batch_scene(trial, from);
  TrialRow row = {.trial = trial, .cells = from.values, .status = "done", .message = ""};
  read_state(scene, world, &end_);
  std::optional<Measurer> own;
  if (from.own != nullptr) {
    own.emplace(final_measures_, from.own->scene, from.own->built.model, from.own->built.state);
  }
  Measurer& measurer = own ? *own : *measurers_[trials_.combination_of(trial)];
  const std::vector<std::optional<double>> results = measurer.finish(end_);
  std::size_t next = 0;
  int watch = 0;
  for (const Measure& measure : study_.measures) {
    Cell cell;
    if (is_evidence(measure)) {
      cell.number = read_evidence(measure, world);
    } else if (!is_watched(measure)) {
      cell.number = results[next++];
    } else {
      const batch::WatchState<Real>& state = world.watches[watch];
      const batch::Watched& shown = shown_number(scene.model.watches[watch]);
      if (state.has_result != 0) {
        cell.number = static_cast<double>(state.result) + calc_offset(scene, shown);
      }
      ++watch;
    }
    row.cells.push_back(cell);
  }
  return row;
}

template TrialRow BatchTrials::Reader::read(std::int64_t, const BatchTrial&,
                                            const batch::Stored<double, batch::kRoom>&);
template TrialRow BatchTrials::Reader::read(std::int64_t, const BatchTrial&,
                                            const batch::Stored<float, batch::kRoom>&);
template TrialRow BatchTrials::Reader::read(std::int64_t, const BatchTrial&,
                                            const batch::Stored<double, batch::kMoreRoom>&);
template TrialRow BatchTrials::Reader::read(std::int64_t, const BatchTrial&,
                                            const batch::Stored<float, batch::kMoreRoom>&);

}  // namespace tenpin::lab
