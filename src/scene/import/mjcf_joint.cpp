#include "scene/import/mjcf_joint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace tenpin::scene::mjcf {

namespace {

constexpr std::array<std::string_view, 4> kJointTypes = {"free", "ball", "slide", "hinge"};

class JointReader {
 public:
  JointReader(const Element& joint, const Settings& settings, const Pose& X_LF)
      : joint_(joint), settings_(settings), local_(settings.at(joint)), X_LF_(X_LF) {}

  std::optional<Joint> read() {
    const std::string type =
        joint_.tag() == "freejoint" ? "free" : joint_.word("type", kJointTypes, "hinge");
    result_.joint.name = joint_.text("name");
    if (type == "free") {
      return read_free();
    }
    result_.joint.kind = type == "ball"    ? JointKind::kBall
                         : type == "slide" ? JointKind::kSlider
                                           : JointKind::kHinge;
    unit_ = type == "slide" ? 1.0 : local_.angle_unit;
    read_place();
    read_reference();
    read_forces();
    read_range();
    return is_good_ ? std::optional(result_) : std::nullopt;
  }

 private:
  Joint read_free() {
    result_.joint.kind = JointKind::kFree;
    if (joint_.tag() == "freejoint") {
      return result_;
    }
    for (const std::string_view name : {"axis", "pos", "limited", "range", "ref", "springref"}) {
      joint_.find(name);  // has no meaning here
    }
    for (const std::string_view name : {"stiffness", "damping", "armature", "frictionloss"}) {
      if (first_number(name) != 0.0) {
        joint_.note("<joint " + std::string(name) + "> of a free joint not used");
      }
    }
    return result_;
  }

  // The first number of an attribute; newer files may give a polynomial.
  double first_number(std::string_view name) {
    const auto values = joint_.numbers(name, 1, 10, kAnyNumber);
    if (!values) {
      return 0.0;
    }
    if (std::any_of(values->begin() + 1, values->end(), [](double x) {
          return x != 0.0;
        })) {
      joint_.note("<joint " + std::string(name) + "> used without its terms of higher degree");
    }
    if (values->front() < 0.0) {
      joint_.problem(name,
                     "out of range, got " + to_text(values->front()) + ", want a number >= 0");
      is_good_ = false;
    }
    return values->front();
  }

  void read_place() {
    JointProperties& p = result_.joint.properties;
    p.anchor = X_LF_ * joint_.vector("pos", kPointRange).value_or(Vec3::Zero());
    const Vec3 axis = joint_.vector("axis", kAnyNumber).value_or(Vec3::UnitZ());
    if (result_.joint.kind == JointKind::kBall) {
      return;
    }
    if (axis.norm() < 1e-12) {
      joint_.problem("axis", "not a direction, got a zero vector, want a direction");
      is_good_ = false;
      return;
    }
    p.axis = X_LF_.R * axis / axis.norm();
    if (result_.joint.kind == JointKind::kSlider) {
      p.anchor.setZero();
    }
  }

  void read_reference() {
    const double reference = unit_ * joint_.number("ref", 0.0, kAnyNumber);
    const double rest = unit_ * joint_.number("springref", 0.0, kAnyNumber);
    if (result_.joint.kind != JointKind::kBall) {
      result_.reference = reference;
      result_.joint.properties.rest = rest - reference;
    }
  }

  void read_forces() {
    JointProperties& p = result_.joint.properties;
    p.stiffness = first_number("stiffness");
    p.damping = first_number("damping");
    p.friction = joint_.number("frictionloss", 0.0, kNotNegative);
    p.armature = joint_.number("armature", 0.0, kNotNegative);
    if (!settings_.physics.springs) {
      p.stiffness = p.damping = 0.0;
    }
    if (!settings_.physics.friction_loss) {
      p.friction = 0.0;
    }
    const auto range = joint_.numbers("actuatorfrcrange", 2, 2, kAnyNumber);
    const bool limited =
        is_limited(joint_, "actuatorfrclimited", "actuatorfrcrange", local_.auto_limits);
    if (limited && range) {
      result_.motor_limit = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
    }
  }

  void read_range() {
    const bool limited = is_limited(joint_, "limited", "range", local_.auto_limits);
    const auto range = joint_.numbers("range", 2, 2, kAnyNumber);
    if (!limited || !settings_.physics.limits || (joint_.has("range") && !range)) {
      return;
    }
    JointProperties& p = result_.joint.properties;
    const double low = range ? unit_ * (*range)[0] : 0.0;
    const double high = range ? unit_ * (*range)[1] : 0.0;
    if (!(low < high)) {
      joint_.problem("range", "not a range, got " + to_text(low) + " to " + to_text(high) +
                                  ", want the lower end below the upper one");
      is_good_ = false;
      return;
    }
    if (result_.joint.kind == JointKind::kBall) {
      p.upper = high;
    } else {
      p.lower = low - result_.reference;
      p.upper = high - result_.reference;
    }
  }

  const Element& joint_;
  const Settings& settings_;
  const Settings& local_;  // of the model that the joint comes from
  const Pose& X_LF_;
  Joint result_;
  double unit_ = 1.0;  // rad or m   of the joint's coordinate in the file
  bool is_good_ = true;
};

}  // namespace

std::optional<Joint> read_joint(const Element& joint, const Settings& settings, const Pose& X_LF) {
  return JointReader(joint, settings, X_LF).read();
}

bool is_limited(const Element& element, std::string_view limited, std::string_view range,
                bool automatic) {
  constexpr std::array<std::string_view, 3> kWords = {"auto", "true", "false"};
  const std::string word = element.word(limited, kWords, "auto");
  return word == "auto" ? automatic && element.has(range) : word == "true";
}

}  // namespace tenpin::scene::mjcf
