#include "scene/read_motor.h"

#include <span>
#include <string_view>

#include "scene/read_table.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

// The keys that belong to each kind of target.
struct Law {
  std::string_view target;
  Motor::Kind kind;
  std::string_view needed;
  std::span<const std::string_view> refused;
};

constexpr std::string_view kNotWithForce[] = {"gain", "stiffness", "damping", "limit"};
constexpr std::string_view kNotWithVelocity[] = {"stiffness", "damping"};
constexpr std::string_view kNotWithPosition[] = {"gain"};
constexpr Law kLaws[] = {
    {"torque", Motor::Kind::kForce, "", kNotWithForce},
    {"force", Motor::Kind::kForce, "", kNotWithForce},
    {"velocity", Motor::Kind::kVelocity, "gain", kNotWithVelocity},
    {"position", Motor::Kind::kPosition, "stiffness", kNotWithPosition},
};

void check_keys(const Node& node, const Law& law, const std::string& path, ProblemList* problems) {
  if (!law.needed.empty() && node.find(law.needed) == nullptr) {
    problems->add(node.place, path + "." + std::string(law.needed),
                  "needed with " + std::string(law.target) + ", got nothing, want a number > 0");
  }
  for (const std::string_view key : law.refused) {
    if (const Node* value = node.find(key)) {
      problems->add(value->place, path + "." + std::string(key),
                    "not with " + std::string(law.target) + ", got it, want the key removed");
    }
  }
}

void check_swing(const Node& node, const Motor& motor, const std::string& path,
                 ProblemList* problems) {
  if (motor.amplitude != 0.0 && motor.frequency == 0.0) {
    problems->add(node.place, path + ".frequency",
                  "needed with amplitude, got none, want a number > 0");
  }
}

}  // namespace

Motor read_motor(const Node& node, const std::string& path, ProblemList* problems) {
  Motor motor;
  for (const Law& law : kLaws) {
    if (node.find(law.target) != nullptr) {
      motor.kind = law.kind;
      take_or_table(node, law.target, path, &motor.target, &motor.table, problems);
      check_keys(node, law, path, problems);
    }
  }
  take(node, "amplitude", &motor.amplitude);
  take(node, "frequency", &motor.frequency);
  take(node, "stiffness", &motor.stiffness);
  take(node, motor.kind == Motor::Kind::kVelocity ? "gain" : "damping", &motor.damping);
  take(node, "limit", &motor.limit);
  take_span(node, path, &motor.during, problems);
  check_swing(node, motor, path, problems);
  return motor;
}

}  // namespace tenpin::scene
