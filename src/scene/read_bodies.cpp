#include "scene/read_bodies.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/read_joint.h"
#include "scene/read_mass.h"
#include "scene/read_rotation.h"
#include "scene/read_table.h"
#include "scene/repeat.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

// -   Fraction of a planar body's velocity that may lie outside the plane because of rounding.
constexpr double kPlaneSlack = 1e-9;

// m   Largest distance of a mechanism from the world's origin; same limit as a coordinate of
// `position`.
constexpr double kMostReach = 1e7;

bool is_held(const Body& body) {
  return body.joint == JointKind::kFixed || body.joint == JointKind::kPrescribed;
}

std::string_view joint_word(JointKind kind) {
  return kind == JointKind::kHinge ? "hinge" : kind == JointKind::kSlider ? "slider" : "ball";
}

class BodyReader {
 public:
  BodyReader(const Node& entry, const std::string& path, const BodyContext& context,
             ProblemList* problems)
      : entry_(entry), path_(path), context_(context), problems_(*problems) {}

  // `parent` is empty if the entry has no parent that exists.
  Body read(std::optional<int> parent, bool parent_is_movable) {
    body_.name = entry_.find("name")->text;
    body_.line = entry_.place.line;
    body_.parent = parent.value_or(kWorld);
    if (!read_joint(entry_, path_, &body_, &problems_)) {
      return std::move(body_);
    }
    if (const Node* material = entry_.find("material")) {
      body_.material =
          find_material(context_.materials, *material, path_ + ".material", &problems_);
    }
    read_pose();
    const std::size_t before = problems_.size();
    if (const Node* shapes = entry_.find("shapes")) {
      const ShapeContext context = {
          .materials = context_.materials, .library = context_.library, .groups = context_.groups};
      read_shapes(*shapes, path_ + ".shapes", context, &body_, &problems_);
    }
    if (parent && is_movable(body_, parent_is_movable)) {
      refuse_boundless();
    }
    if (is_held(body_) && !names_parent(entry_)) {
      refuse_keys({"mass", "density", "inertia", "center_of_mass", "forces"});
    } else {
      if (problems_.size() == before) {
        read_mass(entry_, path_, *context_.library, &body_, &problems_);
      }
      read_forces();
    }
    read_velocity();
    read_touching();
    if (const Node* colour = entry_.find("colour")) {
      body_.colour = colour->text;
    }
    return std::move(body_);
  }

 private:
  void add(const Node& node, const std::string& key, const std::string& text) {
    problems_.add(node.place, path_ + "." + key, text);
  }

  void read_pose() {
    take(entry_, "position", &body_.position);
    if (const Node* orientation = entry_.find("orientation")) {
      body_.orientation = read_quaternion(*orientation, path_ + ".orientation", &problems_);
    }
  }

  void read_velocity() {
    const bool loose = body_.joint == JointKind::kFree || body_.joint == JointKind::kPlanar;
    if (!loose || names_parent(entry_) || is_chain(entry_)) {
      return refuse_keys({"velocity", "angular_velocity"});
    }
    take(entry_, "velocity", &body_.velocity);
    take(entry_, "angular_velocity", &body_.angular_velocity);
    if (body_.joint == JointKind::kPlanar) {
      refuse_motion_out_of_plane();
    }
  }

  void read_forces() {
    if (const Node* forces = entry_.find("forces")) {
      for (std::size_t i = 0; i < forces->items.size(); ++i) {
        read_force(forces->items[i], path_ + ".forces[" + std::to_string(i) + "]");
      }
    }
  }

  void read_touching() {
    take(entry_, "touches_parent", &body_.touches_parent);
    if (body_.touches_parent && !names_parent(entry_) && !is_chain(entry_)) {
      add(*entry_.find("touches_parent"), "touches_parent",
          "only with a parent, got true, want the key removed");
    }
  }

  void read_force(const Node& node, const std::string& here) {
    Force force;
    take_or_table(node, "force", here, &force.force, &force.force_table, &problems_);
    take_or_table(node, "torque", here, &force.torque, &force.torque_table, &problems_);
    take(node, "viscous", &force.viscous);
    take(node, "viscous_spin", &force.viscous_spin);
    take(node, "drag", &force.drag);
    take_span(node, here, &force.during, &problems_);
    body_.forces.push_back(std::move(force));
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

  void refuse_boundless() {
    for (std::size_t i = 0; i < body_.parts.size(); ++i) {
      if (shapes::is_boundless(body_.parts[i].shape)) {
        const shapes::Shape& shape = body_.parts[i].shape;
        const std::string kind = std::holds_alternative<shapes::Plane>(shape)  ? "plane"
                                 : std::holds_alternative<shapes::Bowl>(shape) ? "bowl"
                                                                               : "mesh";
        const std::string what = kind == "mesh" ? "static mesh" : kind;
        // With groups, there are more parts than entries.
        const Node& shapes = *entry_.find("shapes");
        const bool listed = shapes.items.size() == body_.parts.size();
        add(listed ? shapes.items[i] : shapes,
            listed ? "shapes[" + std::to_string(i) + "]." + kind : "shapes",
            "a " + what + " cannot move, got it on a moving body, want fixed: true or motion");
      }
    }
  }

  void refuse_keys(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      if (const Node* node = entry_.find(key)) {
        add(*node, std::string(key), why_not());
      }
    }
  }

  std::string why_not() const {
    switch (body_.joint) {
      case JointKind::kFixed:
        return "not for a fixed body, got it, want the key removed";
      case JointKind::kPrescribed:
        return "not for a body with motion, got it, want the key removed";
      case JointKind::kPlanar:
        return "not for a body with a parent, got it, want the key removed";
      default: {
        const std::string joint(joint_word(body_.joint));
        return "not for a body with a " + joint + ", got it, want rate of joint." + joint;
      }
    }
  }

  const Node& entry_;
  const std::string& path_;
  const BodyContext& context_;
  ProblemList& problems_;
  Body body_;
};

// Reads all entries in order; a problem in one entry does not hide problems in the next.
class BodiesReader {
 public:
  BodiesReader(const BodyContext& context, BodyIndex* index, std::vector<Body>* bodies,
               ProblemList* problems)
      : context_(context), index_(*index), bodies_(*bodies), problems_(*problems) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      index_.insert_included(bodies_[i].name, static_cast<int>(i));
      num_parts_ += static_cast<std::int64_t>(bodies_[i].parts.size());
    }
    note_motion(nullptr, "");
  }

  void read(const Node& entry, int number, const Trail& trail) {
    index_.begin_entry(number);
    const Type type = {.kind = Type::Kind::kObject, .object = &body_object()};
    const std::string path = trail.to_string();
    if (!check(entry, type, trail, &problems_)) {
      // Also reports a missing parent. Nothing else that depends on this entry can be checked.
      ProblemList told("");
      const Node* parent = entry.is_map() ? entry.find("parent") : nullptr;
      const bool is_name =
          parent != nullptr && check(*parent, *body_object().find("parent"), {}, &told);
      if (is_name) (void)find_parent(entry, path);
      return;
    }
    const std::size_t before = bodies_.size();
    refuse_too_many(entry, path);
    const std::optional<int> parent = find_parent(entry, path);
    Body body =
        BodyReader(entry, path, context_, &problems_).read(parent, moves(parent.value_or(kWorld)));
    if (const Node* repeat = entry.find("repeat")) {
      const Randomness randomness = {.seed = context_.seed,
                                     .stream = static_cast<std::uint64_t>(number)};
      append_copies(body, *repeat, path + ".repeat", randomness, &bodies_, &problems_);
    } else {
      bodies_.push_back(std::move(body));
    }
    note_names(entry, path, before);
    note_motion(&entry, path);
  }

 private:
  void refuse_too_many(const Node& entry, const std::string& path) {
    const Node* repeat = entry.find("repeat");
    const std::int64_t copies = repeat != nullptr ? count_copies(*repeat, context_.max_bodies) : 1;
    const auto most = context_.max_bodies;
    if (static_cast<std::int64_t>(bodies_.size()) + copies > most) {
      problems_.throw_limit(entry.place, path,
                            "too many bodies, got more than " + std::to_string(most) +
                                ", want at most " + std::to_string(most) +
                                " (raise it with --max-bodies)");
    }
    const Node* shapes = entry.find("shapes");
    num_parts_ += copies * (shapes != nullptr ? count_shapes(*shapes, context_.groups) : 0);
    if (num_parts_ > context_.max_parts) {
      const std::string limit = std::to_string(context_.max_parts);
      problems_.throw_limit(entry.place, path + ".shapes",
                            "too many shapes in all bodies, got more than " + limit +
                                ", want at most " + limit + " (a fixed limit, no flag raises it)");
    }
  }

  // Returns nothing if the parent is missing. This has then been reported, or the parent's own
  // entry is wrong.
  std::optional<int> find_parent(const Node& entry, const std::string& path) {
    const Node* parent = entry.find("parent");
    if (parent == nullptr) {
      return kWorld;
    }
    return index_.find({.name = parent->text, .place = parent->place, .path = path + ".parent"},
                       &problems_);
  }

  // Stores the names of the new bodies. Reports each entry at most once.
  void note_names(const Node& entry, const std::string& path, std::size_t begin) {
    const Node& name = *entry.find("name");
    bool told = false;
    for (std::size_t i = begin; i < bodies_.size(); ++i) {
      const std::string& text = bodies_[i].name;
      if (!index_.insert(text, static_cast<int>(i)) && !told) {
        problems_.add(name.place, path + ".name",
                      "duplicate name, got " + excerpt(text) + " again, want a new one");
        told = true;
      }
    }
    if (name.text == kWorldName && entry.find("repeat") == nullptr) {
      problems_.add(name.place, path + ".name",
                    "reserved for what nothing moves, got world, want another name");
    }
  }

  // Stores for each new body whether it can move and how far it reaches. `entry` is null for bodies
  // of included models, which have been checked already.
  void note_motion(const Node* entry, const std::string& path) {
    for (std::size_t i = movable_.size(); i < bodies_.size(); ++i) {
      const Body& body = bodies_[i];
      const bool hangs = body.parent != kWorld;
      movable_.push_back(is_movable(body, moves(body.parent)));
      reach_.push_back(calc_span(body) +
                       (hangs ? reach_[static_cast<std::size_t>(body.parent)] : 0.0));
      if (hangs && reach_.back() > kMostReach && entry != nullptr) {
        problems_.add(entry->place, path + ".position",
                      "too far out, got a reach of " + to_text(reach_.back()) + " m for " +
                          excerpt(body.name) + ", want at most 1e+07");
        reach_.back() = 0.0;
      }
    }
  }

  bool moves(int body) const { return body != kWorld && movable_[static_cast<std::size_t>(body)]; }

  // Largest distance of the body's origin from its parent's at time 0.
  static double calc_span(const Body& body) {
    const JointProperties& p = body.properties;
    return body.position.norm() + 2.0 * p.anchor.norm() +
           (body.joint == JointKind::kSlider ? std::abs(p.at) : 0.0);
  }

  const BodyContext& context_;
  BodyIndex& index_;
  std::vector<Body>& bodies_;
  ProblemList& problems_;
  std::vector<bool> movable_;
  std::vector<double> reach_;  // m   bound on the distance from the world's origin
  std::int64_t num_parts_ = 0;
};

}  // namespace

BodyIndex read_bodies(const Node& list, const BodyContext& context, std::vector<Body>* bodies,
                      ProblemList* problems) {
  BodyIndex index(list);
  BodiesReader reader(context, &index, bodies, problems);
  const Trail root = {.key = "bodies"};
  for (int i = 0; i < static_cast<int>(list.items.size()); ++i) {
    reader.read(list.items[static_cast<std::size_t>(i)], i, {.up = &root, .index = i});
  }
  index.end_entries();
  return index;
}

}  // namespace tenpin::scene
