#include "scene/import/mjcf_keyframe.h"

#include <optional>
#include <span>
#include <utility>

#include "math/rotation.h"
#include "scene/check.h"

namespace tenpin::scene::mjcf {

namespace {

int num_positions(JointKind kind) {
  return kind == JointKind::kFree ? 7 : kind == JointKind::kBall ? 4 : 1;
}
int num_velocities(JointKind kind) {
  return kind == JointKind::kFree ? 6 : kind == JointKind::kBall ? 3 : 1;
}

std::vector<double> read_list(const Element& key, std::string_view name, int count) {
  return key.numbers(name, count, count, kAnyNumber).value_or(std::vector<double>());
}

std::optional<Element> find_key(const Element& root, const std::string& name) {
  std::optional<Element> found;
  std::vector<std::string> names;
  for (const Element& section : root.children()) {
    if (section.tag() != "keyframe") {
      continue;
    }
    section.mark_read();
    for (const Element& key : section.children()) {
      if (key.tag() != "key") {
        continue;
      }
      names.push_back(key.text("name"));
      if (!found && (name.empty() || names.back() == name)) {
        found = key;
      }
    }
  }
  if (!found && !name.empty()) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    root.problem("",
                 "unknown keyframe, got --keyframe " + name + ", " +
                     (views.empty() ? "want none: the model has none" : want_one_of(name, views)));
  }
  return found;
}

Quat to_unit_quaternion(std::span<const double> q) {
  const Quat turn(q[0], q[1], q[2], q[3]);
  return turn.norm() > 0.0 ? to_quaternion(to_matrix(turn)) : Quat::Identity();
}

// The coordinates of a free link are its body's pose in the world.
void set_position(std::span<const double> q, double reference, Link* link, RobotJoint* joint) {
  JointProperties& p = joint->properties;
  if (joint->kind == JointKind::kFree) {
    link->X_PL = {.R = to_matrix(to_unit_quaternion(q.subspan(3))), .p = Vec3(q[0], q[1], q[2])};
  } else if (joint->kind == JointKind::kBall) {
    // MJCF rotates the body about its own axes after applying its pose; a scene uses the parent's
    // axes.
    const bool is_first = joint == &link->joints.front();
    const Quat pose = is_first ? to_quaternion(link->X_PL.R) : Quat::Identity();
    p.ball_at = pose * to_unit_quaternion(q) * pose.conjugate();
  } else {
    p.at = q[0] - reference;
  }
}

void set_velocity(std::span<const double> v, const Link& link, RobotJoint* joint) {
  if (joint->kind == JointKind::kFree) {
    joint->free_velocity = Vec3(v[0], v[1], v[2]);
    joint->free_spin = link.X_PL.R * Vec3(v[3], v[4], v[5]);
  } else if (joint->kind == JointKind::kBall) {
    joint->properties.ball_rate = Vec3(v[0], v[1], v[2]);
  } else {
    joint->properties.rate = v[0];
  }
}

}  // namespace

Keyframe read_keyframe(const Element& root, const std::string& name, const Tree& tree) {
  const auto key = find_key(root, name);
  if (!key) {
    return {};
  }
  key->mark_read();
  int nq = 0;
  int nv = 0;
  for (const JointRecord& record : tree.joints) {
    const JointKind kind = tree.robot.links[static_cast<std::size_t>(record.link)]
                               .joints[static_cast<std::size_t>(record.number)]
                               .kind;
    nq += num_positions(kind);
    nv += num_velocities(kind);
  }
  Keyframe result;
  result.qpos = read_list(*key, "qpos", nq);
  result.qvel = read_list(*key, "qvel", nv);
  result.ctrl = read_list(*key, "ctrl", count_controls(root));
  result.act = key->numbers("act", 0, 1'000'000, kAnyNumber).value_or(std::vector<double>());
  const std::string shown = key->text("name");
  key->note(
      "starts at keyframe " + (shown.empty() ? "1" : shown) + " (--keyframe NAME takes another)",
      Effect::kChoice);
  return result;
}

void apply_keyframe(const Keyframe& key, Tree* tree) {
  std::size_t iq = 0;
  std::size_t iv = 0;
  for (const JointRecord& record : tree->joints) {
    Link& link = tree->robot.links[static_cast<std::size_t>(record.link)];
    RobotJoint& joint = tree->joint(record);
    const auto nq = static_cast<std::size_t>(num_positions(joint.kind));
    const auto nv = static_cast<std::size_t>(num_velocities(joint.kind));
    if (!key.qpos.empty()) {
      set_position(std::span(key.qpos).subspan(iq, nq), record.reference, &link, &joint);
    }
    if (!key.qvel.empty()) {
      set_velocity(std::span(key.qvel).subspan(iv, nv), link, &joint);
    }
    iq += nq;
    iv += nv;
  }
}

}  // namespace tenpin::scene::mjcf
