// Requests of a live page to its run: speed, a pull or a push on a body, gravity, friction,
// restitution, a new start.
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

// A command; it is written to the pipe in one piece.
struct LiveCommand {
  enum class Kind : std::uint8_t {
    kPause,
    kContinue,
    kStep,     // one frame, then pause
    kSpeed,    // simulated seconds per second; 0 = as fast as possible
    kRestart,  // from time 0; `word` may name another method
    // A spring from a point of a body (3, m, body axes, from its origin) to a point of the world
    // (3, m).
    kPull,
    kRelease,      // ends the pull
    kPush,         // a change of velocity (3, m/s), applied within a frame
    kGravity,      // m/s^2 (3)
    kFriction,     // of all surfaces
    kRestitution,  // the same for restitution
  };
  Kind kind = Kind::kPause;
  std::int32_t body = 0;
  std::array<double, 6> numbers = {};
  std::array<char, 32> word = {};
};

// Parses a query such as "do=pull&body=3&numbers=0,0,0.1,1,0,2". Throws InputError if it is
// invalid.
[[nodiscard]] LiveCommand parse_live_command(std::string_view query);

class LiveControl {
 public:
  // Reads commands from the descriptor, which must not block. Calls `on_stand` with true when the
  // run pauses, and with false when it continues.
  LiveControl(int commands, double speed, std::function<void(bool)> on_stand)
      : commands_(commands), speed_(speed), on_stand_(std::move(on_stand)) {}

  // Call at a frame before the run continues. Waits until the run is due, and applies requests to
  // the model. Returns true if the model changed. `every` (s) is the time to the next frame.
  [[nodiscard]] bool apply(const dynamics::State& state, double every, dynamics::Model* model);

  // Reads new commands. Call this while no run waits for them.
  void read_commands();

  [[nodiscard]] bool wants_restart() const { return wants_restart_; }
  // Returns the method with which to start again, "" for the same one, and clears the request.
  [[nodiscard]] std::string take_restart();

  // s   time of the first change of the model; < 0 = none since the start
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
  int steps_ = 0;  // frames to advance during a pause
  bool wants_restart_ = false;
  std::string method_;
  Clock::time_point anchor_ = Clock::now();  // real time at which the run was at anchor_time_
  double anchor_time_ = 0.0;                 // s
  bool is_anchored_ = false;

  Pull pull_;
  std::vector<LiveCommand> pushes_;                   // for the next frame
  std::vector<LiveCommand> settings_;                 // gravity and surfaces, for the next frame
  bool was_forced_ = false;                           // true if a force acted in the previous frame
  std::vector<dynamics::AppliedForce> scene_forces_;  // by body, as in the scene
  double first_change_ = -1.0;
};

}  // namespace tenpin::app
