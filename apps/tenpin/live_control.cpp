#include "live_control.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <thread>
#include <utility>

#include "base/check.h"
#include "dynamics/kinematics.h"
#include "signals.h"

namespace tenpin::app {

namespace {

using Kind = LiveCommand::Kind;
using namespace std::chrono_literals;

constexpr auto kNap = 4ms;      // between two readings of the clock
constexpr double kLate = 0.15;  // s   a run that is further behind does not try to catch up
// Natural frequency of the spring; chosen to follow a hand. Within a frame the damper keeps the
// force of its start, so it overshoots if 2 * frequency * frame * (mass over effective mass)
// exceeds 1. At the end of a rod that ratio is 4, on a ball 3.5: with a frequency of 0.1 over the
// frame there is no overshoot.
constexpr double kPullRate = 12.0;        // rad/s
constexpr double kPullAngle = 0.1;        // rad per frame
constexpr double kMostPull = 200.0;       // m/s^2   force over mass
constexpr double kMostPush = 100.0;       // m/s
constexpr double kMostGravity = 1000.0;   // m/s^2
constexpr double kMostFriction = 1000.0;  // -   the same limit as in scene files
constexpr double kMostSpeed = 1000.0;
// Largest number of pushes and settings that wait for the next frame, which may be far away during
// a pause; no user is faster.
constexpr std::size_t kMostWaiting = 1000;
constexpr double kMostPlace = 1e7;  // m   the same limit as in scene files

struct Word {
  std::string_view text;
  Kind kind;
  int numbers;
  double most;  // largest absolute value of a number
};
constexpr std::array kWords = {
    Word{"pause", Kind::kPause, 0, 0.0},
    Word{"continue", Kind::kContinue, 0, 0.0},
    Word{"step", Kind::kStep, 0, 0.0},
    Word{"speed", Kind::kSpeed, 1, kMostSpeed},
    Word{"restart", Kind::kRestart, 0, 0.0},
    Word{"pull", Kind::kPull, 6, kMostPlace},
    Word{"release", Kind::kRelease, 0, 0.0},
    Word{"push", Kind::kPush, 3, kMostPush},
    Word{"gravity", Kind::kGravity, 3, kMostGravity},
    Word{"friction", Kind::kFriction, 1, kMostFriction},
    Word{"restitution", Kind::kRestitution, 1, 1.0},
};

std::string_view find_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return "";
}

template <typename Number>
Number to_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  TENPIN_REQUIRE(error == std::errc() && end == text.data() + text.size(),
                 "a number of the command is none");
  return value;
}

void read_numbers(std::string_view text, const Word& word, std::array<double, 6>* numbers) {
  for (int i = 0; i < word.numbers; ++i) {
    TENPIN_REQUIRE(!text.empty(), "the command lacks a number");
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const double value = to_number<double>(one);
    TENPIN_REQUIRE(std::fabs(value) <= word.most, "a number of the command is too large");
    (*numbers)[static_cast<std::size_t>(i)] = value;
  }
}

Vec3 to_vector(std::span<const double> numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

bool is_movable(const dynamics::Model& model, int body) {
  return body >= 0 && body < model.num_bodies() && model.bodies[body].is_mobile();
}

void write_push(const LiveCommand& push, double every, dynamics::Model* model) {
  if (!is_movable(*model, push.body)) return;
  dynamics::Body& body = model->bodies[push.body];
  body.applied.force += body.mass / every * to_vector(push.numbers);
}

// Sets gravity, or a coefficient of all surfaces.
void write_setting(const LiveCommand& setting, dynamics::Model* model) {
  if (setting.kind == Kind::kGravity) model->gravity = to_vector(setting.numbers);
  const double value = setting.numbers[0];
  for (dynamics::Surface& s : model->surfaces) {
    if (setting.kind == Kind::kFriction) s.mu_along = s.mu_across = s.mu_static = value;
    if (setting.kind == Kind::kRestitution) s.restitution = value;
  }
}

}  // namespace

LiveCommand parse_live_command(std::string_view query) {
  const std::string_view name = find_value(query, "do");
  const auto word = std::find_if(kWords.begin(), kWords.end(), [&](const Word& candidate) {
    return candidate.text == name;
  });
  TENPIN_REQUIRE(word != kWords.end(), "there is no such command");
  LiveCommand command{.kind = word->kind};
  read_numbers(find_value(query, "numbers"), *word, &command.numbers);
  if (word->kind == Kind::kPull || word->kind == Kind::kPush)
    command.body = to_number<std::int32_t>(find_value(query, "body"));
  const bool may_be_negative = word->numbers > 1;
  TENPIN_REQUIRE(may_be_negative || command.numbers[0] >= 0.0,
                 "a number of the command is negative");
  const std::string_view method = find_value(query, "method");
  TENPIN_REQUIRE(method.size() < command.word.size(), "there is no such method");
  std::copy(method.begin(), method.end(), command.word.begin());
  return command;
}

void LiveControl::read_commands() {
  LiveCommand command;
  while (read(commands_, &command, sizeof command) == static_cast<ssize_t>(sizeof command))
    obey(command);
}

void LiveControl::obey(const LiveCommand& command) {
  switch (command.kind) {
    case Kind::kPause:
      is_paused_ = true;
      return;
    case Kind::kContinue:
      is_paused_ = is_anchored_ = false;
      return;
    case Kind::kStep:
      is_paused_ = true;
      ++steps_;
      return;
    case Kind::kSpeed:
      speed_ = command.numbers[0];
      is_anchored_ = false;
      return;
    case Kind::kRestart:
      wants_restart_ = true;
      method_ = command.word.data();
      return;
    case Kind::kPull:
      pull_ = {.body = command.body,
               .from = to_vector(std::span(command.numbers).first(3)),
               .to = to_vector(std::span(command.numbers).last(3))};
      return;
    case Kind::kRelease:
      pull_.body = -1;
      return;
    case Kind::kPush:
      if (pushes_.size() < kMostWaiting) pushes_.push_back(command);
      return;
    case Kind::kGravity:
    case Kind::kFriction:
    case Kind::kRestitution:
      if (settings_.size() < kMostWaiting) settings_.push_back(command);
      return;
  }
}

// True when the run should continue. If the run cannot keep up, the lost time is dropped.
bool LiveControl::is_due(double t) {
  if (is_paused_) {
    is_anchored_ = false;
    if (steps_ == 0) return false;
    --steps_;
    return true;
  }
  if (speed_ == 0.0) return true;
  const Clock::time_point now = Clock::now();
  const double late =
      std::chrono::duration<double>(now - anchor_).count() - (t - anchor_time_) / speed_;
  if (!is_anchored_ || late > kLate) {
    anchor_ = now;
    anchor_time_ = t;
    is_anchored_ = true;
    return true;
  }
  return late >= 0.0;
}

void LiveControl::wait(double t) {
  read_commands();
  bool is_standing = false;
  while (!wants_restart_ && caught_signal() == 0 && !is_due(t)) {
    if (is_paused_ && !std::exchange(is_standing, true)) on_stand_(true);
    std::this_thread::sleep_for(kNap);
    read_commands();
  }
  if (is_standing) on_stand_(false);
}

bool LiveControl::apply(const dynamics::State& state, double every, dynamics::Model* model) {
  if (scene_forces_.empty() && model->num_bodies() > 0) {
    for (const dynamics::Body& body : model->bodies) scene_forces_.push_back(body.applied);
  }
  wait(state.t);
  const bool is_forced = pull_.body >= 0 || !pushes_.empty();
  const bool changes = is_forced || was_forced_ || !settings_.empty();
  if (!changes) return false;
  if (first_change_ < 0.0) first_change_ = state.t;
  for (int k = 0; k < model->num_bodies(); ++k)
    model->bodies[k].applied = scene_forces_[static_cast<std::size_t>(k)];
  write_pull(state, every, model);
  for (const LiveCommand& push : pushes_) write_push(push, every, model);
  for (const LiveCommand& setting : settings_) write_setting(setting, model);
  pushes_.clear();
  settings_.clear();
  was_forced_ = is_forced;
  return true;
}

// Applies a spring and a damper, critical for the body's mass, for one frame. The hand also carries
// the body's weight, so that the body comes to rest at the pointer and not below it.
void LiveControl::write_pull(const dynamics::State& state, double every,
                             dynamics::Model* model) const {
  if (!is_movable(*model, pull_.body)) return;
  dynamics::Body& body = model->bodies[pull_.body];
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(*model, state.q, state.t, &X_WB);
  update_twists(*model, X_WB, state.v, state.t, &V_WB);
  const Pose& X = X_WB[pull_.body];
  const Vec3 arm = X.R * (body.p_BO + pull_.from);
  const Vec3 velocity = V_WB[pull_.body].v + V_WB[pull_.body].w.cross(arm);
  const double rate = std::min(kPullRate, kPullAngle / every);
  Vec3 acceleration = rate * rate * (pull_.to - X.p - arm) - 2.0 * rate * velocity;
  const double size = acceleration.norm();
  if (size > kMostPull) acceleration *= kMostPull / size;
  body.applied.force += body.mass * (acceleration - model->gravity);
  body.applied.torque += body.mass * arm.cross(acceleration);
}

std::string LiveControl::take_restart() {
  wants_restart_ = is_paused_ = is_anchored_ = false;
  steps_ = 0;
  pull_.body = -1;
  pushes_.clear();
  settings_.clear();
  scene_forces_.clear();
  was_forced_ = false;
  first_change_ = -1.0;
  return std::exchange(method_, "");
}

}  // namespace tenpin::app
