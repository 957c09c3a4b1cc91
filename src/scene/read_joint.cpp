#include "scene/read_joint.h"

#include <cmath>
#include <string_view>

#include "base/text.h"
#include "math/rotation.h"
#include "scene/read_motor.h"
#include "scene/read_rotation.h"
#include "scene/read_table.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

// rad, m   How far rounding may put the start of a joint beyond its limit.
constexpr double kLimitSlack = 1e-9;

double to_limit(const Node& node, double none) {
  return node.text == "none" ? none : to_number(node);
}

class JointReader {
 public:
  JointReader(const Node& entry, const std::string& path, Body* body, ProblemList* problems)
      : entry_(entry), path_(path), body_(*body), problems_(*problems) {}

  bool read() {
    const Node* fixed = entry_.find("fixed");
    const Node* joint = entry_.find("joint");
    const Node* motion = entry_.find("motion");
    const bool is_fixed = fixed != nullptr && to_flag(*fixed);
    if ((is_fixed ? 1 : 0) + (joint != nullptr ? 1 : 0) + (motion != nullptr ? 1 : 0) > 1) {
      problems_.add(entry_.place, path_,
                    "contradiction, got several of fixed, joint and motion, want one");
      return false;
    }
    if (is_fixed || (joint != nullptr && joint->text == "fixed")) {
      body_.joint = JointKind::kFixed;
    } else if (joint != nullptr && joint->is_map()) {
      const std::string& kind = joint->keys[0].text;
      read_kind(kind, joint->items[0], path_ + ".joint." + kind);
    } else if (motion != nullptr) {
      read_motion(*motion);
    } else if (names_parent(entry_) || is_chain(entry_)) {
      refuse_free(joint != nullptr ? *joint : entry_);
      return false;
    }
    return true;
  }

 private:
  void add(const Node& node, const std::string& path, const std::string& text) {
    problems_.add(node.place, path, text);
  }

  void refuse_free(const Node& node) {
    add(node, path_ + ".joint",
        std::string(is_chain(entry_) ? "a link of a chain" : "a body with a parent") +
            " cannot be free, got " + (&node == &entry_ ? "no joint" : "free") +
            ", want planar, hinge, slider, ball or fixed, or a motion");
  }

  void read_kind(std::string_view kind, const Node& node, const std::string& here) {
    if (kind == "planar") {
      body_.joint = JointKind::kPlanar;
      read_plane(node, here);
    } else if (kind == "ball") {
      body_.joint = JointKind::kBall;
      read_ball(node, here);
    } else {
      body_.joint = kind == "hinge" ? JointKind::kHinge : JointKind::kSlider;
      read_axis_joint(node, here);
    }
  }

  void read_motion(const Node& node) {
    body_.joint = JointKind::kPrescribed;
    PrescribedMotion& motion = body_.motion;
    const std::string here = path_ + ".motion";
    take_or_table(node, "velocity", here, &motion.velocity, &motion.velocity_table, &problems_);
    take(node, "angular_velocity", &motion.angular_velocity);
    take(node, "amplitude", &motion.amplitude);
    take(node, "frequency", &motion.frequency);
    take_positions(node, "position", here, &motion.position_table, &problems_);
    take_positions(node, "angle", here, &motion.angle_table, &problems_);
    double constant_rate = 0.0;  // the format allows only a table
    take_or_table(node, "rate", here, &constant_rate, &motion.rate_table, &problems_);
    if (const Node* axis = node.find("axis")) {
      motion.axis = read_direction(*axis, here + ".axis", &problems_);
    }
    refuse_both(node, "velocity", "position");
    refuse_both(node, "angular_velocity", "angle");
    refuse_both(node, "angular_velocity", "rate");
    refuse_both(node, "angle", "rate");
    const bool turns = node.find("angle") != nullptr || node.find("rate") != nullptr;
    if (turns != (node.find("axis") != nullptr)) {
      add(node, here + ".axis",
          turns ? "needed with angle and rate, got nothing, want a direction"
                : "only with angle or rate, got it, want the key removed");
    }
  }

  void refuse_both(const Node& node, std::string_view first, std::string_view second) {
    const Node* extra = node.find(second);
    if (node.find(first) == nullptr || extra == nullptr) return;
    add(*extra, path_ + ".motion." + std::string(second),
        "not with " + std::string(first) + ", got both, want one of them");
  }

  void read_plane(const Node& node, const std::string& here) {
    PlanarJoint& plane = body_.planar;
    if (const Node* x = node.find("x")) {
      plane.x = read_direction(*x, here + ".x", &problems_);
    }
    if (const Node* y = node.find("y")) {
      plane.y = read_direction(*y, here + ".y", &problems_);
    }
    const double cosine = plane.x.dot(plane.y);
    if (std::abs(cosine) > kRotationTolerance) {
      add(node, here,
          "axes not perpendicular, got a cosine of " + to_text(cosine) + ", want 0 within 1e-6");
    } else if (std::abs(cosine) > kUnitSlack) {
      plane.y -= plane.x * cosine;
      plane.y /= plane.y.norm();
    }
  }

  // Reads the properties that all joints between a body and its parent may have.
  void read_passive(const Node& node) {
    JointProperties& p = body_.properties;
    take(node, "anchor", &p.anchor);
    take(node, "stiffness", &p.stiffness);
    take(node, "damping", &p.damping);
    take(node, "friction", &p.friction);
    take(node, "armature", &p.armature);
  }

  void read_axis_joint(const Node& node, const std::string& here) {
    JointProperties& p = body_.properties;
    read_passive(node);
    p.axis = read_direction(*node.find("axis"), here + ".axis", &problems_);
    take(node, "at", &p.at);
    take(node, "rate", &p.rate);
    take(node, "rest", &p.rest);
    if (const Node* limits = node.find("limits")) {
      read_limits(*limits, here);
      refuse_start_beyond(node, here);
    }
    if (const Node* motor = node.find("motor")) {
      p.motor = read_motor(*motor, here + ".motor", &problems_);
    }
  }

  void read_limits(const Node& node, const std::string& here) {
    JointProperties& p = body_.properties;
    p.lower = to_limit(node.items[0], -kNoLimit);
    p.upper = to_limit(node.items[1], kNoLimit);
    if (p.lower > p.upper) {
      add(node, here + ".limits",
          "wrong order, got " + to_text(p.lower) + " above " + to_text(p.upper) +
              ", want the lower one first");
      p.lower = -kNoLimit;
      p.upper = kNoLimit;
    }
  }

  void refuse_start_beyond(const Node& node, const std::string& here) {
    const JointProperties& p = body_.properties;
    const bool too_low = p.at < p.lower - kLimitSlack;
    if (too_low || p.at > p.upper + kLimitSlack) {
      const Node* at = node.find("at");
      add(at != nullptr ? *at : node, here + ".at",
          "beyond its limits, got " + to_text(p.at) + ", want " +
              (too_low ? "at least " + to_text(p.lower) : "at most " + to_text(p.upper)));
    }
  }

  void read_ball(const Node& node, const std::string& here) {
    JointProperties& p = body_.properties;
    read_passive(node);
    take(node, "rate", &p.ball_rate);
    take(node, "limit", &p.upper);
    if (const Node* at = node.find("at")) {
      p.ball_at = read_quaternion(*at, here + ".at", &problems_);
      const double angle = log_map(p.ball_at).norm();
      if (angle > p.upper + kLimitSlack) {
        add(*at, here + ".at",
            "beyond its limit, got an angle of " + to_text(angle) + ", want at most " +
                to_text(p.upper));
      }
    }
  }

  const Node& entry_;
  const std::string& path_;
  Body& body_;
  ProblemList& problems_;
};

}  // namespace

bool read_joint(const Node& entry, const std::string& path, Body* body, ProblemList* problems) {
  return JointReader(entry, path, body, problems).read();
}

}  // namespace tenpin::scene
