#include "scene/import/mjcf_actuators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace tenpin::scene::mjcf {

namespace {

constexpr std::array<std::string_view, 11> kTags = {"general",  "motor",  "position",    "velocity",
                                                    "damper",   "muscle", "intvelocity", "cylinder",
                                                    "adhesion", "plugin", "orientation"};
constexpr std::array<std::string_view, 6> kUsedTags = {"general",  "motor",       "position",
                                                       "velocity", "intvelocity", "damper"};
constexpr std::array<std::string_view, 3> kStateTags = {"muscle", "intvelocity", "cylinder"};

// s   A target that moves at a constant rate does so for this long.
constexpr double kHorizon = 1000.0;

template <typename Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Bounds {
  bool active = false;
  double low = 0.0, high = 0.0;

  double clamp(double x) const { return active ? std::clamp(x, low, high) : x; }
};

// An actuator, from the attributes of its default classes, one after the other, and then its own.
struct Actuator {
  double gear = 1.0;
  double gain = 1.0;          // force per control
  double damping_gain = 0.0;  // force per control and velocity, for a damper
  std::array<double, 3> bias = {0.0, 0.0, 0.0};
  bool affine = false;         // for `general` only: true if biasprm applies
  bool integrates = false;     // the control is the rate of the target
  double damping_ratio = 0.0;  // -   of a position servo; replaces its bias[2]
  std::string strange;         // the kind of actuator, if it is not one of the above
  Bounds control, force, activation;
};

class ActuatorReader {
 public:
  ActuatorReader(ModelText* model, const ActuatorContext& context, Tree* tree)
      : model_(*model),
        settings_(context.settings),
        defaults_(context.defaults),
        key_(context.key),
        tendons_(context.tendons),
        tree_(*tree),
        inertias_(calc_joint_inertias(*tree)) {}

  void read(const Element& section) {
    for (const Element& element : section.children()) {
      if (!contains(kTags, element.tag())) {
        continue;
      }
      const std::size_t control = num_controls_++;
      const bool has_state =
          contains(kStateTags, element.tag()) || element.text("dyntype", "none") != "none";
      const std::size_t state = has_state ? num_states_++ : num_states_;
      const auto length = contains(kUsedTags, element.tag()) ? find_length(element) : std::nullopt;
      if (length && settings_.physics.actuation) {
        add(element, *length, {at(key_.ctrl, control), at(key_.act, state)});
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
    double rate = 0.0;        // N/s, N m/s   rate at which `force` grows
    double until = kHorizon;  // s   time until which it grows
    double limit = 0.0;
    int element = 0;
  };

  // The joint or tendon that an actuator drives.
  struct Length {
    std::vector<Tendon::Term> terms;
    std::optional<Lever> lever;  // empty: only a constant force can act on it
  };
  struct Input {
    double control = 0.0, activation = 0.0;
  };

  static double at(const std::vector<double>& values, std::size_t i) {
    return i < values.size() ? values[i] : 0.0;
  }

  // The hinge or slider that an actuator drives, or the fixed tendon.
  std::optional<Length> find_length(const Element& element) {
    if (element.has("tendon")) {
      const auto found = tendons_.find(element.text("tendon"));
      return found == tendons_.end()
                 ? std::nullopt
                 : std::optional(Length{found->second.terms, found->second.lever});
    }
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
    const JointRecord& record = tree_.joints[static_cast<std::size_t>(found->second)];
    const JointKind kind = tree_.joint(record).kind;
    if (kind != JointKind::kHinge && kind != JointKind::kSlider) {
      return std::nullopt;
    }
    return Length{.terms = {{found->second, 1.0}},
                  .lever = Lever{found->second, record.reference, 1.0}};
  }

  void add(const Element& element, const Length& length, const Input& given) {
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
    const double u = actuator.control.clamp(given.control);
    if (actuator.damping_ratio > 0.0) {
      actuator.bias[2] = -calc_damping(actuator, length);
    }
    // force = constant + slope * length + damping * rate of length, where the length includes the
    // gear
    const double constant =
        actuator.gain * (actuator.integrates ? given.activation : u) + actuator.bias[0];
    const double damping = actuator.bias[2] + actuator.damping_gain * u;
    if (actuator.bias[1] == 0.0 && damping == 0.0 && !actuator.integrates) {
      push(element, actuator.force.clamp(constant) * actuator.gear, length);
    } else if (length.lever) {
      const double g = actuator.gear * length.lever->slope;
      Servo& servo = servos_[length.lever->joint];
      servo.stiffness += -actuator.bias[1] * g * g;
      servo.damping += -damping * g * g;
      servo.force += g * constant + actuator.bias[1] * g * actuator.gear * length.lever->constant;
      if (actuator.integrates && u != 0.0) {
        const double end = actuator.activation.clamp(given.activation + kHorizon * u);
        servo.rate += g * actuator.gain * u;
        servo.until = std::min(servo.until, std::max(1e-9, (end - given.activation) / u));
      }
      servo.limit += limit_of(element, actuator) * std::abs(g);
      servo.element = element.index();
    } else {
      element.note("<" + std::string(element.tag()) +
                   "> not used: a servo of a tendon whose joints move independently of each other");
    }
  }

  // A constant force on a tendon acts as a constant force on each of its joints.
  void push(const Element& element, double force, const Length& length) {
    for (const Tendon::Term& term : length.terms) {
      Servo& servo = servos_[term.joint];
      servo.force += force * term.coefficient;
      servo.limit += std::abs(force * term.coefficient);
      servo.element = element.index();
    }
  }

  // N s/m, N m s/rad   Damping from dampratio, as MuJoCo defines it: the fraction of critical
  // damping for the inertias that the actuator would move alone, at the reference coordinates, as
  // seen through its gear.
  double calc_damping(const Actuator& actuator, const Length& length) const {
    double mass = 0.0;
    for (const Tendon::Term& term : length.terms) {
      const double moment = actuator.gear * term.coefficient;
      if (moment * moment > 1e-15) {
        mass += inertias_[static_cast<std::size_t>(term.joint)] / (moment * moment);
      }
    }
    return actuator.damping_ratio * 2.0 * std::sqrt(actuator.gain * mass);
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
    read_bounds(element, "actrange", "actlimited", &actuator->activation);
    if (tag == "general") {
      apply_general(element, actuator);
    } else if (tag == "motor") {
      actuator->gain = 1.0;
      actuator->affine = false;
    } else if (tag == "position" || tag == "intvelocity") {
      const double kp = element.number("kp", actuator->affine ? actuator->gain : 1.0, kNotNegative);
      const double kv = element.number("kv", -actuator->bias[2], kNotNegative);
      if (element.has("kv") || element.has("dampratio")) {
        actuator->damping_ratio = element.number("dampratio", 0.0, kNotNegative);
      }
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
      bounds->active = is_limited(element, limited, range, settings_.at(element).auto_limits) ||
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
      if (servo.rate != 0.0) {
        const double end = motor.target + servo.until * servo.rate / servo.stiffness;
        motor.table = {.times = {0.0, servo.until}, .values = {motor.target, end}};
        motor.target = 0.0;
      }
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
  const std::map<std::string, Tendon>& tendons_;
  Tree& tree_;
  std::vector<double> inertias_;  // per joint
  std::map<int, Servo> servos_;   // by joint
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

std::vector<double> calc_joint_inertias(const Tree& tree) {
  const std::vector<Link>& links = tree.robot.links;
  // in the world: each link and all links beyond it
  std::vector<MassProperties> carried(links.size());
  for (std::size_t i = links.size(); i-- > 0;) {
    carried[i] = add_mass(carried[i], place_mass(links[i].mass, tree.X_WL[i]));
    if (links[i].parent != kWorld) {
      MassProperties& outer = carried[static_cast<std::size_t>(links[i].parent)];
      outer = add_mass(outer, carried[i]);
    }
  }
  std::vector<double> result;
  for (const JointRecord& record : tree.joints) {
    const auto i = static_cast<std::size_t>(record.link);
    const RobotJoint& joint = links[i].joints[static_cast<std::size_t>(record.number)];
    const MassProperties& mass = carried[i];
    const Vec3 axis = tree.X_WL[i].R * joint.properties.axis;
    const Vec3 arm = axis.cross(mass.center - tree.X_WL[i] * joint.properties.anchor);
    const bool is_scalar = joint.kind == JointKind::kHinge || joint.kind == JointKind::kSlider;
    const double inertia = joint.kind == JointKind::kSlider
                               ? mass.mass
                               : axis.dot(mass.inertia * axis) + mass.mass * arm.squaredNorm();
    result.push_back(is_scalar ? joint.properties.armature + inertia : 0.0);
  }
  return result;
}

void read_actuators(const Element& root, const ActuatorContext& context, Tree* tree) {
  ActuatorReader reader(&root.model(), context, tree);
  for (const Element& section : root.children()) {
    if (section.tag() == "actuator") {
      reader.read(section.mark_read());
    }
  }
  reader.finish();
}

}  // namespace tenpin::scene::mjcf
