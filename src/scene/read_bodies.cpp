#include "scene/read_bodies.h"

#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/read_mass.h"
#include "scene/read_rotation.h"
#include "scene/repeat.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

// -   Part of a planar body's velocity that may point out of the plane, by rounding.
constexpr double kPlaneSlack = 1e-9;

bool moves_freely(const Body& body) {
  return body.joint == JointKind::kFree || body.joint == JointKind::kPlanar;
}

class BodyReader {
 public:
  BodyReader(const Node& entry, const std::string& path, const BodyContext& context,
             ProblemList* problems)
      : entry_(entry), path_(path), context_(context), problems_(*problems) {}

  Body read() {
    body_.name = entry_.find("name")->text;
    body_.line = entry_.place.line;
    if (!read_joint()) {
      return std::move(body_);
    }
    if (const Node* material = entry_.find("material")) {
      body_.material =
          find_material(context_.materials, *material, path_ + ".material", &problems_);
    }
    read_pose();
    const std::size_t before = problems_.size();
    if (const Node* shapes = entry_.find("shapes")) {
      read_shapes(*shapes, path_ + ".shapes", context_.library, &body_, &problems_);
    }
    if (moves_freely(body_)) {
      refuse_planes();
      if (problems_.size() == before) {
        read_mass(entry_, path_, &body_, &problems_);
      }
      read_velocity();
    } else {
      refuse_keys_of_moving_bodies();
    }
    if (const Node* colour = entry_.find("colour")) {
      body_.colour = colour->text;
    }
    return std::move(body_);
  }

 private:
  void add(const Node& node, const std::string& key, const std::string& text) {
    problems_.add(node.place, path_ + "." + key, text);
  }

  // False after a contradiction: then nothing about the body's motion can be judged.
  bool read_joint() {
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
      read_plane(*joint->find("planar"));
    } else if (motion != nullptr) {
      body_.joint = JointKind::kPrescribed;
      take(*motion, "velocity", &body_.motion.velocity);
      take(*motion, "angular_velocity", &body_.motion.angular_velocity);
      take(*motion, "amplitude", &body_.motion.amplitude);
      take(*motion, "frequency", &body_.motion.frequency);
    }
    return true;
  }

  void read_plane(const Node& node) {
    const std::string here = path_ + ".joint.planar";
    PlanarJoint& plane = body_.planar;
    body_.joint = JointKind::kPlanar;
    if (const Node* x = node.find("x")) {
      plane.x = read_direction(*x, here + ".x", &problems_);
    }
    if (const Node* y = node.find("y")) {
      plane.y = read_direction(*y, here + ".y", &problems_);
    }
    const double cosine = plane.x.dot(plane.y);
    if (std::abs(cosine) > kRotationTolerance) {
      add(node, "joint.planar",
          "axes not perpendicular, got a cosine of " + to_text(cosine) + ", want 0 within 1e-6");
    } else if (std::abs(cosine) > kUnitSlack) {
      plane.y -= plane.x * cosine;
      plane.y /= plane.y.norm();
    }
  }

  void read_pose() {
    take(entry_, "position", &body_.position);
    if (const Node* orientation = entry_.find("orientation")) {
      body_.orientation = read_quaternion(*orientation, path_ + ".orientation", &problems_);
    }
  }

  void read_velocity() {
    take(entry_, "velocity", &body_.velocity);
    take(entry_, "angular_velocity", &body_.angular_velocity);
    if (body_.joint == JointKind::kPlanar) {
      refuse_motion_out_of_plane();
    }
    if (const Node* forces = entry_.find("forces")) {
      for (const Node& node : forces->items) {
        body_.forces.push_back(read_force(node));
      }
    }
  }

  static Force read_force(const Node& node) {
    Force force;
    take(node, "force", &force.force);
    take(node, "torque", &force.torque);
    take(node, "viscous", &force.viscous);
    take(node, "viscous_spin", &force.viscous_spin);
    take(node, "drag", &force.drag);
    return force;
  }

  void refuse_motion_out_of_plane() {
    const Vec3 normal = body_.planar.x.cross(body_.planar.y);
    const double out = body_.velocity.dot(normal);
    if (std::abs(out) > kPlaneSlack * body_.velocity.norm()) {
      add(*entry_.find("velocity"), "velocity",
          "leaves the plane, got " + to_text(out) + " m/s along its normal, want 0");
    }
    const Vec3& w = body_.angular_velocity;
    const double tilt = (w - normal * normal.dot(w)).norm();
    if (tilt > kPlaneSlack * w.norm()) {
      add(*entry_.find("angular_velocity"), "angular_velocity",
          "tilts the plane, got " + to_text(tilt) + " rad/s across its normal, want 0");
    }
  }

  void refuse_planes() {
    for (std::size_t i = 0; i < body_.parts.size(); ++i) {
      if (std::holds_alternative<shapes::Plane>(body_.parts[i].shape)) {
        add(entry_.find("shapes")->items[i], "shapes[" + std::to_string(i) + "].plane",
            "a plane cannot move, got it on a moving body, want fixed: true or motion");
      }
    }
  }

  void refuse_keys_of_moving_bodies() {
    constexpr std::string_view kKeys[] = {
        "mass", "density", "inertia", "center_of_mass", "velocity", "angular_velocity", "forces"};
    for (const std::string_view key : kKeys) {
      if (const Node* node = entry_.find(key)) {
        add(*node, std::string(key),
            body_.joint == JointKind::kFixed
                ? "not for a fixed body, got it, want the key removed"
                : "not for a body with motion, got it, want the key removed");
      }
    }
  }

  const Node& entry_;
  const std::string& path_;
  const BodyContext& context_;
  ProblemList& problems_;
  Body body_;
};

void refuse_too_many(std::int64_t count, std::int64_t most, const Place& place,
                     const std::string& path, const ProblemList& problems) {
  if (count > most) {
    problems.throw_limit(place, path,
                         "too many bodies, got more than " + std::to_string(most) +
                             ", want at most " + std::to_string(most) +
                             " (raise it with --max-bodies)");
  }
}

// Tells each entry at most once.
void refuse_known_names(const Node& entry, const std::string& path, std::span<const Body> added,
                        std::unordered_set<std::string>* names, ProblemList* problems) {
  bool told = false;
  for (const Body& body : added) {
    if (!names->insert(body.name).second && !told) {
      problems->add(entry.find("name")->place, path + ".name",
                    "duplicate name, got " + excerpt(body.name) + " again, want a new one");
      told = true;
    }
  }
}

}  // namespace

void read_bodies(const Node& list, const BodyContext& context, std::vector<Body>* bodies,
                 ProblemList* problems) {
  const Type type = {.kind = Type::Kind::kObject, .object = &body_object()};
  const Trail root = {.key = "bodies"};
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node& entry = list.items[i];
    const Trail trail = {.up = &root, .index = static_cast<int>(i)};
    const bool clean = check(entry, type, trail, problems);
    const std::size_t before = bodies->size();
    if (!clean) {
      continue;
    }
    const std::string path = trail.to_string();
    const Node* repeat = entry.find("repeat");
    const auto already = static_cast<std::int64_t>(before);
    refuse_too_many(already + (repeat != nullptr ? count_copies(*repeat, context.max_bodies) : 1),
                    context.max_bodies, entry.place, path, *problems);
    Body body = BodyReader(entry, path, context, problems).read();
    if (repeat == nullptr) {
      bodies->push_back(std::move(body));
    } else {
      append_copies(body, *repeat, path + ".repeat", {.seed = context.seed, .stream = i}, bodies,
                    problems);
    }
    refuse_known_names(entry, path, std::span(*bodies).subspan(before), &names, problems);
  }
}

}  // namespace tenpin::scene
