// Requests of a live page to its run: the pace, a pull or a push on a body, gravity,
// friction, restitution, another start.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::app {

// Goes through a pipe in one piece.
struct LiveCommand {
  enum class Kind : std::uint8_t {
    kPause,
    kContinue,
    kStep,      // one frame, then pause
    kSpeed,     // seconds of the run per second; 0 = as fast as it can
    kRestart,   // from time 0; `word` may name another method
    kPull,      // a spring from a point of a body (3, m, body axes, from its origin) to one of the
                // world (3, m)
    kRelease,   // no more pull
    kPush,      // a change of velocity (3, m/s), given within a frame
    kGravity,   // m/s^2 (3)
    kFriction,  // of all surfaces
    kRestitution,  // the same for restitution
  };
  Kind kind = Kind::kPause;
  std::int32_t body = 0;
  std::array<double, 6> numbers = {};
  std::array<char, 32> word = {};
};

// From the query "do=pull&body=3&numbers=0,0,0.1,1,0,2". Throws InputError when it is none.
[[nodiscard]] LiveCommand parse_live_command(std::string_view query);

class LiveControl {
 public:
  // Commands are read from the descriptor, which does not block. `on_stand` hears when the run
  // comes to stand still in a pause (true), and when it goes on.
  LiveControl(int commands, double speed, std::function<void(bool)> on_stand)
      : commands_(commands), speed_(speed), on_stand_(std::move(on_stand)) {}

  // At a frame, before time goes on: waits until it is due, and writes into the model what was
  // asked for. Returns whether the model has changed. `every` is the time to the next frame.   s
  [[nodiscard]] bool apply(const dynamics::State& state, double every, dynamics::Model* model);

  // Reads what has come; for times when no run waits for it.
  void read_commands();

  [[nodiscard]] bool wants_restart() const { return wants_restart_; }
  // The method to start with, "" for the same; the request is forgotten.
  [[nodiscard]] std::string take_restart();

  // s   when the model was first changed; < 0 = never since the start
  [[nodiscard]] double first_change() const { return first_change_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Pull {
    int body = -1;
    Vec3 from = Vec3::Zero();  // m   body axes, from the body's origin
    Vec3 to = Vec3::Zero();    // m   world
  };

  void obey(const LiveCommand& command);
  void wait(double t);
  bool is_due(double t);
  void write_pull(const dynamics::State& state, double every, dynamics::Model* model) const;

  int commands_;
  double speed_;
  std::function<void(bool)> on_stand_;
  bool is_paused_ = false;
  int steps_ = 0;  // frames to advance although paused
  bool wants_restart_ = false;
  std::string method_;
  Clock::time_point anchor_ = Clock::now();  // when the run was at anchor_time_
  double anchor_time_ = 0.0;                 // s
  bool is_anchored_ = false;

  Pull pull_;
  std::vector<LiveCommand> pushes_;                   // for the next frame
  std::vector<LiveCommand> settings_;                 // gravity and surfaces, for the next frame
  bool was_forced_ = false;                           // in the frame before
  std::vector<dynamics::AppliedForce> scene_forces_;  // by body, as the scene has them
  double first_change_ = -1.0;
};

}  // namespace tenpin::app
