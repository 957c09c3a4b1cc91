#include "scene/import/urdf_joint.h"

#include <array>
#include <span>
#include <utility>

#include "base/text.h"
#include "math/rotation.h"
#include "scene/import/urdf_link.h"

namespace tenpin::scene::urdf {

namespace {

// The last type is specific to Bullet, and is read only leniently.
constexpr std::array<std::string_view, 7> kTypes = {"revolute", "continuous", "prismatic", "fixed",
                                                    "floating", "planar",     "spherical"};

std::string end_of(const Element& joint, std::string_view tag) {
  const auto end = joint.child(tag);
  if (!end) {
    joint.problem(tag, "missing, got nothing, want <" + std::string(tag) + " link=\"...\">");
    return {};
  }
  return end->required_text("link");
}

Vec3 read_axis(const Element& joint) {
  const auto axis = joint.child("axis");
  const Vec3 v = axis ? axis->vector("xyz", kAnyNumber).value_or(Vec3::UnitX()) : Vec3::UnitX();
  if (v.norm() < 1e-12) {
    axis->problem("xyz", "not a direction, got a zero vector, want a direction");
    return Vec3::UnitX();
  }
  return v / v.norm();
}

void read_dynamics(const Element& joint, JointProperties* properties) {
  if (const auto dynamics = joint.child("dynamics")) {
    properties->damping = dynamics->number("damping", 0.0, kNotNegative);
    properties->friction = dynamics->number("friction", 0.0, kNotNegative);
  }
}

// Reads the limits. Returns true if they are equal, so that the joint is fixed at
// `properties->lower`.
bool read_limit(const Element& joint, JointProperties* properties) {
  const auto limit = joint.child("limit");
  if (!limit) {
    static_cast<void>(
        joint.repair("limit", "missing, got nothing, want <limit> of a revolute or prismatic joint",
                     "no limit"));
    return false;
  }
  if (joint.model().lenient && !limit->has("lower") && !limit->has("upper")) {
    limit->note("<limit> has no range, got neither lower nor upper: no limit");
    return false;
  }
  const double lower = limit->number("lower", 0.0, kAnyNumber);
  const double upper = limit->number("upper", 0.0, kAnyNumber);
  if (lower > upper) {
    static_cast<void>(limit->repair(
        "",
        "not a range, got " + to_text(lower) + " to " + to_text(upper) + ", want lower <= upper",
        "no limit"));
    return false;
  }
  properties->lower = lower;
  properties->upper = upper;
  return lower == upper;
}

// Makes a planar joint: two sliders orthogonal to the axis, and a hinge about it.
std::vector<RobotJoint> make_planar(const std::string& name, const JointProperties& about) {
  const int least = [&] {
    int i = 0;
    about.axis.cwiseAbs().minCoeff(&i);
    return i;
  }();
  const Vec3 x = Vec3::Unit(least).cross(about.axis).normalized();
  std::vector<RobotJoint> joints;
  for (const Vec3& direction : {x, Vec3(about.axis.cross(x))}) {
    JointProperties properties = about;
    properties.axis = direction;
    joints.push_back({.name = name, .kind = JointKind::kSlider, .properties = properties});
  }
  joints.push_back({.name = name, .kind = JointKind::kHinge, .properties = about});
  return joints;
}

void read_motion(const Element& element, const std::string& type, Joint* joint) {
  if (type == "fixed") {
    element.child("axis");
    return;
  }
  if (type == "floating") {
    joint->joints.push_back({.name = joint->name, .kind = JointKind::kFree, .properties = {}});
    return;
  }
  JointProperties properties;
  properties.axis = read_axis(element);
  read_dynamics(element, &properties);
  if (type == "planar") {
    joint->joints = make_planar(joint->name, properties);
    return;
  }
  if (type == "spherical") {
    element.note("<joint type> spherical is read as a ball joint, without its limits");
    joint->joints.push_back(
        {.name = joint->name, .kind = JointKind::kBall, .properties = properties});
    return;
  }
  const bool slides = type == "prismatic";
  if (type != "continuous" && read_limit(element, &properties)) {
    element.note("joint " + joint->name + " has no room between its limits, and is fixed");
    const Vec3 move = properties.axis * properties.lower;
    const Pose X_moved = slides ? Pose{.p = move} : Pose{.R = to_matrix(exp_map(move))};
    joint->X_PC = joint->X_PC * X_moved;
    return;
  }
  joint->joints.push_back({.name = joint->name,
                           .kind = slides ? JointKind::kSlider : JointKind::kHinge,
                           .properties = properties});
}

}  // namespace

Joint read_joint(const Element& element) {
  Joint joint;
  joint.element = element.index();
  joint.name = element.required_text("name");
  joint.parent = end_of(element, "parent");
  joint.child = end_of(element, "child");
  joint.X_PC = read_origin(element);
  const std::size_t num_types = kTypes.size() - (element.model().lenient ? 0 : 1);
  const std::string type = element.word("type", std::span(kTypes).first(num_types), "fixed");
  if (!element.has("type")) {
    element.problem("type",
                    "missing, got nothing, want revolute, continuous, prismatic, fixed, "
                    "floating or planar");
  }
  read_motion(element, type, &joint);
  if (const auto mimic = element.child("mimic")) {
    joint.mimic = Mimic{.joint = mimic->required_text("joint"),
                        .multiplier = mimic->number("multiplier", 1.0, kAnyNumber),
                        .offset = mimic->number("offset", 0.0, kAnyNumber)};
  }
  return joint;
}

}  // namespace tenpin::scene::urdf
