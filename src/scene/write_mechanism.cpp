#include "scene/write_mechanism.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "scene/body_index.h"
#include "scene/words.h"
#include "scene/write_text.h"

namespace tenpin::scene {

namespace {

std::string write_limit(double limit) {
  return limit == kNoLimit || limit == -kNoLimit ? "none" : to_text(limit);
}

std::string write_motor(const Motor& motor, std::string_view force) {
  Map map(force == "torque" ? "hinge_motor" : "slider_motor");
  switch (motor.kind) {
    case Motor::Kind::kNone:
      return {};
    case Motor::Kind::kForce:
      map.add(force, motor.target, motor.table);
      break;
    case Motor::Kind::kVelocity:
      map.add("velocity", motor.target, motor.table).add("gain", motor.damping);
      break;
    case Motor::Kind::kPosition:
      map.add("position", motor.target, motor.table).add("stiffness", motor.stiffness);
      map.add("damping", motor.damping);
      break;
  }
  map.add("amplitude", motor.amplitude).add("frequency", motor.frequency);
  if (motor.limit != kNoLimit) {
    map.add("limit", motor.limit);
  }
  map.add_during(motor.during);
  return map.text();
}

void add_passive(const JointProperties& p, Map* map) {
  map->add("stiffness", p.stiffness).add("damping", p.damping);
  map->add("friction", p.friction).add("armature", p.armature);
}

std::string write_axis_joint(const Body& body) {
  const JointProperties& p = body.properties;
  const bool hinge = body.joint == JointKind::kHinge;
  Map map(hinge ? "hinge" : "slider");
  map.add("axis", p.axis);
  if (hinge) {
    map.add("anchor", p.anchor);
  }
  map.add("at", p.at).add("rate", p.rate);
  if (p.lower != -kNoLimit || p.upper != kNoLimit) {
    map.add("limits", pair(write_limit(p.lower), write_limit(p.upper)));
  }
  add_passive(p, &map);
  map.add("rest", p.rest);
  if (p.motor.kind != Motor::Kind::kNone) {
    map.add("motor", write_motor(p.motor, hinge ? "torque" : "force"));
  }
  return map.text();
}

std::string write_ball(const JointProperties& p) {
  Map map("ball");
  map.add("anchor", p.anchor).add("at", list(p.ball_at)).add("rate", p.ball_rate);
  if (p.upper != kNoLimit) {
    map.add("limit", p.upper);
  }
  add_passive(p, &map);
  return map.text();
}

std::string write_motion(const PrescribedMotion& motion) {
  Map map("motion");
  if (motion.position_table.empty()) map.add("velocity", motion.velocity, motion.velocity_table);
  const bool has_axis = !motion.angle_table.empty() || !motion.rate_table.empty();
  if (!has_axis) map.add("angular_velocity", motion.angular_velocity);
  map.add("amplitude", motion.amplitude).add("frequency", motion.frequency);
  if (has_axis) map.add("axis", motion.axis);
  return map.add_table("position", motion.position_table)
      .add_table("angle", motion.angle_table)
      .add_table("rate", motion.rate_table)
      .text();
}

std::string name_of(int body, const Scene& scene) {
  return quote(body == kWorld ? kWorldName : scene.bodies[static_cast<std::size_t>(body)].name);
}

std::string write_loop(const Loop& loop, const Scene& scene) {
  const std::string names = pair(name_of(loop.body_a, scene), name_of(loop.body_b, scene));
  Map map(loop.kind == Loop::Kind::kBall    ? "ball_loop"
          : loop.kind == Loop::Kind::kHinge ? "hinge_loop"
                                            : to_word(loop.kind, kLoopWords));
  if (loop.kind == Loop::Kind::kCoupling) {
    std::string polynomial;
    std::string zeros;  // trailing zeros, which need not be written
    for (const double c : loop.polynomial) {
      zeros += (polynomial.empty() && zeros.empty() ? "" : ", ") + to_text(c);
      if (to_text(c) != "0" || polynomial.empty()) polynomial += std::exchange(zeros, "");
    }
    return map.add("joints", names).add("polynomial", "[" + polynomial + "]").text();
  }
  map.add("bodies", names).add("anchors", pair(list(loop.anchor_a), list(loop.anchor_b)));
  if (loop.kind == Loop::Kind::kHinge) {
    map.add("axes", pair(list(loop.axis_a), list(loop.axis_b)));
  }
  if (loop.orientation) {
    map.add("orientation", list(*loop.orientation));
  }
  if (loop.length) {
    map.add("length", *loop.length);
  }
  return map.text();
}

}  // namespace

std::string write_joint(const Body& body) {
  switch (body.joint) {
    case JointKind::kFree:
      return "joint: free";
    case JointKind::kFixed:
      return "joint: fixed";
    case JointKind::kPlanar:
      return "joint: {planar: " +
             Map("planar").add("x", body.planar.x).add("y", body.planar.y).text() + "}";
    case JointKind::kPrescribed:
      return "motion: " + write_motion(body.motion);
    case JointKind::kHinge:
      return "joint: {hinge: " + write_axis_joint(body) + "}";
    case JointKind::kSlider:
      return "joint: {slider: " + write_axis_joint(body) + "}";
    case JointKind::kBall:
      return "joint: {ball: " + write_ball(body.properties) + "}";
  }
  return {};
}

std::string write_loops(const Scene& scene) {
  std::string result = scene.loops.empty() ? "" : "loops:\n";
  for (const Loop& loop : scene.loops) {
    result += "  - {name: " + quote(loop.name) + ", " +
              std::string(to_word(loop.kind, kLoopWords)) + ": " + write_loop(loop, scene) + "}\n";
  }
  return result;
}

std::string write_touch(const Scene& scene) {
  if (scene.never_touch.empty() && scene.always_touch.empty()) {
    return {};
  }
  std::string result = "touch:\n";
  result += scene.never_touch.empty() ? "" : "  never:\n";
  for (const BodyPair& p : scene.never_touch) {
    result += "    - " + pair(name_of(p.body_a, scene), name_of(p.body_b, scene)) + "\n";
  }
  const auto part = [&](int body, int number) {
    return quote(scene.bodies[static_cast<std::size_t>(body)].name + "/" + std::to_string(number));
  };
  result += scene.always_touch.empty() ? "" : "  always:\n";
  for (const PartPair& p : scene.always_touch) {
    result += "    - " + pair(part(p.body_a, p.part_a), part(p.body_b, p.part_b)) + "\n";
  }
  return result;
}

}  // namespace tenpin::scene
