#include "scene/import/mjcf_actuators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace tenpin::scene::mjcf {

namespace {

constexpr std::array<std::string_view, 11> kTags = {"general",  "motor",  "position",    "velocity",
                                                    "damper",   "muscle", "intvelocity", "cylinder",
                                                    "adhesion", "plugin", "orientation"};
constexpr std::array<std::string_view, 6> kUsedTags = {"general",  "motor",       "position",
                                                       "velocity", "intvelocity", "damper"};
constexpr std::array<std::string_view, 3> kStateTags = {"muscle", "intvelocity", "cylinder"};

template <typename Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Bounds {
  bool active = false;
  double low = 0.0, high = 0.0;

  double clamp(double x) const { return active ? std::clamp(x, low, high) : x; }
};

// An actuator after applying its default classes one after the other, and then its own attributes.
struct Actuator {
  double gear = 1.0;
  double gain = 1.0;          // force per control
  double damping_gain = 0.0;  // force per control and velocity, for a damper
  std::array<double, 3> bias = {0.0, 0.0, 0.0};
  bool affine = false;      // general only: does biasprm apply?
  bool integrates = false;  // is the control the rate of the target?
  std::string strange;      // kind of the actuator if it is not supported
  Bounds control, force;
};

class ActuatorReader {
 public:
  ActuatorReader(ModelText* model, const Settings& settings, const Defaults& defaults,
                 const Keyframe& key, Tree* tree)
      : model_(*model), settings_(settings), defaults_(defaults), key_(key), tree_(*tree) {}

  void read(const Element& section) {
    for (const Element& element : section.children()) {
      if (!contains(kTags, element.tag())) {
        continue;
      }
      const std::size_t control = num_controls_++;
      const bool has_state =
          contains(kStateTags, element.tag()) || element.text("dyntype", "none") != "none";
      const std::size_t state = has_state ? num_states_++ : num_states_;
      const auto joint = contains(kUsedTags, element.tag()) ? find_joint(element) : std::nullopt;
      if (joint && settings_.actuation) {
        add(element, *joint, at(key_.ctrl, control), at(key_.act, state));
      }
    }
  }

  void finish() {
    for (const auto& [index, servo] : servos_) {
      set_motor(index, servo);
    }
  }

 private:
  // Sum of the forces on a joint: force - stiffness q - damping v.
  struct Servo {
    double force = 0.0, stiffness = 0.0, damping = 0.0;
    double limit = 0.0;
    int element = 0;
  };

  static double at(const std::vector<double>& values, std::size_t i) {
    return i < values.size() ? values[i] : 0.0;
  }

  // The joint that the actuator drives, if it is a hinge or slider.
  std::optional<int> find_joint(const Element& element) {
    const std::string_view attribute = element.has("joint") ? "joint" : "jointinparent";
    if (!element.has(attribute)) {
      return std::nullopt;
    }
    const std::string name = element.text(attribute);
    const auto found = tree_.joint_named.find(name);
    if (found == tree_.joint_named.end()) {
      element.problem(attribute,
                      "unknown joint, got " + name + ", " + want_key(name, tree_.joint_named));
      return std::nullopt;
    }
    const JointKind kind = tree_.joint(tree_.joints[static_cast<std::size_t>(found->second)]).kind;
    return kind == JointKind::kHinge || kind == JointKind::kSlider ? std::optional(found->second)
                                                                   : std::nullopt;
  }

  void add(const Element& element, int joint, double control, double activation) {
    element.mark_read().find("name");
    element.find("group");
    Actuator actuator;
    const int own_class = defaults_.class_of(element, "class", Defaults::kMain);
    for (const Element& outer : defaults_.chain(own_class, kUsedTags)) {
      apply(outer, &actuator);
    }
    apply(element, &actuator);
    if (!actuator.strange.empty()) {
      return element.note("<" + std::string(element.tag()) + "> not used: " + actuator.strange);
    }
    if (!actuator.affine) {
      actuator.bias = {0.0, 0.0, 0.0};
    }
    const double u = actuator.control.clamp(control);
    if (actuator.integrates && u != 0.0) {
      element.note("<" + std::string(element.tag()) +
                   "> holds its position: a control other than 0 is not used");
    }
    const double input = actuator.integrates ? activation : u;
    const double g = actuator.gear;
    const double reference = tree_.joints[static_cast<std::size_t>(joint)].reference;
    Servo& servo = servos_[joint];
    servo.stiffness += -actuator.bias[1] * g * g;
    servo.damping += -(actuator.bias[2] + actuator.damping_gain * u) * g * g;
    servo.force +=
        g * (actuator.gain * input + actuator.bias[0]) + actuator.bias[1] * g * g * reference;
    servo.limit += limit_of(element, actuator) * std::abs(g);
    servo.element = element.index();
  }

  static double limit_of(const Element& element, const Actuator& actuator) {
    if (!actuator.force.active) {
      return kNoLimit;
    }
    const double low = std::abs(actuator.force.low);
    const double high = std::abs(actuator.force.high);
    if (low != high) {
      element.note("<" + std::string(element.tag()) +
                   " forcerange> is not symmetric; the larger end is used both ways");
    }
    return std::max(low, high);
  }

  void apply(const Element& element, Actuator* actuator) {
    const std::string_view tag = element.tag();
    if (const auto gear = element.numbers("gear", 1, 6, kAnyNumber)) {
      actuator->gear = gear->front();
    }
    read_bounds(element, "ctrlrange", "ctrllimited", &actuator->control);
    read_bounds(element, "forcerange", "forcelimited", &actuator->force);
    if (tag == "general") {
      apply_general(element, actuator);
    } else if (tag == "motor") {
      actuator->gain = 1.0;
      actuator->affine = false;
    } else if (tag == "position" || tag == "intvelocity") {
      const double kp = element.number("kp", actuator->affine ? actuator->gain : 1.0, kNotNegative);
      const double kv = element.number("kv", -actuator->bias[2], kNotNegative);
      actuator->gain = kp;
      actuator->bias = {0.0, -kp, -kv};
      actuator->affine = true;
      actuator->integrates = tag == "intvelocity";
    } else if (tag == "velocity") {
      const double kv = element.number("kv", actuator->affine ? actuator->gain : 1.0, kNotNegative);
      actuator->gain = kv;
      actuator->bias = {0.0, 0.0, -kv};
      actuator->affine = true;
    } else if (tag == "damper") {
      const double kv = element.number("kv", 1.0, kNotNegative);
      actuator->gain = 0.0;
      actuator->damping_gain = -kv;
      actuator->affine = false;
    }
  }

  static void apply_general(const Element& element, Actuator* actuator) {
    if (const auto gain = element.numbers("gainprm", 1, 10, kAnyNumber)) {
      actuator->gain = gain->front();
    }
    if (const auto bias = element.numbers("biasprm", 1, 10, kAnyNumber)) {
      for (std::size_t i = 0; i < 3; ++i) {
        actuator->bias[i] = i < bias->size() ? (*bias)[i] : 0.0;
      }
    }
    const std::string bias_type = element.text("biastype", actuator->affine ? "affine" : "none");
    const std::string dynamics =
        element.text("dyntype", actuator->integrates ? "integrator" : "none");
    actuator->affine = bias_type == "affine";
    actuator->integrates = dynamics == "integrator";
    if (element.text("gaintype", "fixed") != "fixed") {
      actuator->strange = "gaintype " + element.text("gaintype");
    } else if (bias_type != "affine" && bias_type != "none") {
      actuator->strange = "biastype " + bias_type;
    } else if (dynamics.starts_with("filter")) {
      element.note("<general dyntype> filter not used: its input is constant");
    } else if (dynamics != "none" && dynamics != "integrator") {
      actuator->strange = "dyntype " + dynamics;
    }
  }

  void read_bounds(const Element& element, std::string_view range, std::string_view limited,
                   Bounds* bounds) {
    if (const auto ends = element.numbers(range, 2, 2, kAnyNumber)) {
      bounds->low = std::min((*ends)[0], (*ends)[1]);
      bounds->high = std::max((*ends)[0], (*ends)[1]);
    }
    if (element.has(limited) || element.has(range)) {
      bounds->active = is_limited(element, limited, range, settings_.auto_limits) ||
                       (bounds->active && !element.has(limited));
    }
  }

  void set_motor(int index, const Servo& servo) {
    const JointRecord& record = tree_.joints[static_cast<std::size_t>(index)];
    Motor& motor = tree_.joint(record).properties.motor;
    if (servo.stiffness < 0.0 || servo.damping < 0.0) {
      model_.add_note(servo.element,
                      "actuators of this joint not used: together they push away from "
                      "their target");
      return;
    }
    motor.stiffness = servo.stiffness;
    motor.damping = servo.damping;
    motor.limit = std::min(servo.limit, record.motor_limit);
    if (servo.stiffness > 0.0) {
      motor.kind = Motor::Kind::kPosition;
      motor.target = servo.force / servo.stiffness;
    } else if (servo.damping > 0.0) {
      motor.kind = Motor::Kind::kVelocity;
      motor.target = servo.force / servo.damping;
    } else {
      // A constant force needs no limit of its own.
      motor.kind = servo.force == 0.0 ? Motor::Kind::kNone : Motor::Kind::kForce;
      motor.target = std::clamp(servo.force, -motor.limit, motor.limit);
      motor.limit = kNoLimit;
    }
  }

  ModelText& model_;
  const Settings& settings_;
  const Defaults& defaults_;
  const Keyframe& key_;
  Tree& tree_;
  std::map<int, Servo> servos_;  // by joint
  std::size_t num_controls_ = 0;
  std::size_t num_states_ = 0;
};

}  // namespace

int count_controls(const Element& root) {
  int count = 0;
  for (const Element& section : root.children()) {
    if (section.tag() != "actuator") {
      continue;
    }
    for (const Element& element : section.children()) {
      count += contains(kTags, element.tag()) ? 1 : 0;
    }
  }
  return count;
}

void read_actuators(const Element& root, const Settings& settings, const Defaults& defaults,
                    const Keyframe& key, Tree* tree) {
  ActuatorReader reader(&root.model(), settings, defaults, key, tree);
  for (const Element& section : root.children()) {
    if (section.tag() == "actuator") {
      reader.read(section.mark_read());
    }
  }
  reader.finish();
}

}  // namespace tenpin::scene::mjcf
