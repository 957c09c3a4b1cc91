#include "scene/import/robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "math/rotation.h"
#include "scene/characters.h"
#include "scene/plain_message.h"
#include "scene/read_mass.h"

namespace tenpin::scene {

namespace {

constexpr Range kMassRange = {.low = 1e-12, .high = 1e12};

// The product of two poses. Skips products with the identity, which would only lose the sign of
// zeros.
Pose compose(const Pose& X_AB, const Pose& X_BC) {
  const auto is_identity = [](const Pose& X) {
    return X.R == Mat3::Identity() && X.p == Vec3::Zero();
  };
  return is_identity(X_AB) ? X_BC : is_identity(X_BC) ? X_AB : X_AB * X_BC;
}

class Assembler {
 public:
  Assembler(ModelText* text, Robot* robot, Scene* scene)
      : text_(*text), robot_(*robot), scene_(*scene) {}

  void assemble() {
    for (const Body& body : scene_.bodies) {
      names_.insert(body.name);
    }
    masses_.resize(scene_.bodies.size());
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      add_link(robot_.links[i]);
    }
    draw_links_without_visuals();
    say_what_became_part();
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      finish_mass(static_cast<int>(i));
    }
  }

 private:
  struct BodyMass {
    MassProperties sum;
    std::vector<double> lifts;  // of each link with mass
    int element = -1;           // index of the element of the link that moves it; -1: none
    bool carries_others = false;
  };

  // The parts of a link in its body.
  struct LinkParts {
    int body = 0;
    int first = 0;
    std::size_t count = 0;
  };

  void add_link(const Link& link) {
    const bool on_world = link.parent == kWorld;
    const Mount parent = on_world ? Mount{} : robot_.mounts[static_cast<std::size_t>(link.parent)];
    const bool parent_moves = parent.body != kWorld && masses_[index(parent.body)].element >= 0;
    Mount mount;
    robot_.joint_body.emplace_back();
    if (!link.joints.empty()) {
      mount = add_moving(link, parent);
    } else if (parent_moves) {
      mount = {.body = parent.body, .X_BL = compose(parent.X_BL, link.X_PL)};
      became_part_.push_back(link.name + " of " + scene_.bodies[index(parent.body)].name);
    } else {
      mount = add_static(link, parent);
    }
    if (mount.body != kWorld) {
      load(link, &mount);
    }
    robot_.mounts.push_back(mount);
  }

  Mount add_static(const Link& link, const Mount& parent) {
    Pose X_WL = compose(parent.X_BL, link.X_PL);
    if (parent.body != kWorld) {
      X_WL = compose(pose_of(scene_.bodies[index(parent.body)]), X_WL);
    }
    if (link.parts.empty() && link.visuals.empty()) {
      return {.body = kWorld, .X_BL = X_WL};
    }
    Body& body = add_body(link, link.name, X_WL);
    body.joint = JointKind::kFixed;
    return {.body = last_body()};
  }

  Mount add_moving(const Link& link, const Mount& parent) {
    const int count = static_cast<int>(link.joints.size());
    int hangs_from = parent.body;
    for (int j = 0; j < count; ++j) {
      const RobotJoint& joint = link.joints[static_cast<std::size_t>(j)];
      const bool is_last = j + 1 == count;
      const std::string name = is_last ? link.name : link.name + "~" + std::to_string(j + 1);
      Body& body = add_body(link, name, j == 0 ? compose(parent.X_BL, link.X_PL) : Pose{});
      masses_.back().element = link.element;
      body.parent = hangs_from;
      body.joint = joint.kind;
      body.properties = joint.properties;
      if (joint.kind == JointKind::kFree) {
        release(joint, &body);
      }
      body.touches_parent = link.touches_parent && body.parent != kWorld;
      enter_limits(link, &body.properties);
      if (body.parent != kWorld) {
        masses_[index(body.parent)].carries_others = true;
      }
      hangs_from = last_body();
      robot_.joint_body.back().push_back(last_body());
    }
    // The bodies in between touch nothing, so the parent of the last body is not the link that is
    // meant.
    if (count > 1 && !link.touches_parent && parent.body != kWorld) {
      scene_.never_touch.push_back({.body_a = parent.body, .body_b = last_body()});
    }
    return {.body = last_body()};
  }

  // Moves the start within the limits. Models may start beyond a limit and be pushed back, but a
  // scene must start within its limits.
  void enter_limits(const Link& link, JointProperties* p) {
    const double inside = std::clamp(p->at, p->lower, p->upper);
    if (inside != p->at) {
      text_.add_note(link.element, "a joint of " + link.name + " starts at its limit, " +
                                       to_text(inside) + ", instead of beyond it, " +
                                       to_text(p->at));
      p->at = inside;
    }
  }

  // The pose of a free body is given in the world, whatever its parent was.
  void release(const RobotJoint& joint, Body* body) {
    if (body->parent != kWorld) {
      Pose X_WB = pose_of(*body);
      for (int up = body->parent; up != kWorld; up = scene_.bodies[index(up)].parent) {
        X_WB = compose(pose_of(scene_.bodies[index(up)]), X_WB);
      }
      set_pose(X_WB, body);
      body->parent = kWorld;
    }
    body->properties = {};
    body->velocity = joint.free_velocity;
    body->angular_velocity = joint.free_spin;
  }

  Body& add_body(const Link& link, const std::string& name, const Pose& X_PB) {
    Body body;
    body.name = make_scene_name(name);
    for (int copy = 2; !names_.insert(body.name).second; ++copy) {
      body.name = make_scene_name(name) + "_" + std::to_string(copy);
    }
    set_pose(X_PB, &body);
    body.line = Element(&text_, link.element).line();
    scene_.bodies.push_back(std::move(body));
    masses_.emplace_back();
    return scene_.bodies.back();
  }

  void load(const Link& link, Mount* mount) {
    Body& body = scene_.bodies[index(mount->body)];
    mount->first_part = static_cast<int>(body.parts.size());
    if (link.visuals.empty() && !link.parts.empty()) {
      undrawn_.push_back({mount->body, mount->first_part, link.parts.size()});
    }
    for (const RobotPart& part : link.parts) {
      body.parts.push_back({part.placed.shape, compose(mount->X_BL, part.placed.X_BS)});
      body.part_files.push_back(part.file);
      body.part_options.push_back(part.options);
    }
    for (Visual visual : link.visuals) {
      visual.placed.X_BS = compose(mount->X_BL, visual.placed.X_BS);
      if (visual.colour.empty()) visual.colour = link.colour;
      body.visuals.push_back(std::move(visual));
    }
    body.colour = body.colour.empty() ? link.colour : body.colour;
    BodyMass& mass = masses_[index(mount->body)];
    if (mass.element >= 0 && link.mass.mass > 0.0) {
      mass.sum = add_mass(mass.sum, place_mass(link.mass, mount->X_BL));
      mass.lifts.push_back(link.lift);
    }
  }

  // A body with visual shapes is drawn by these alone, so its links without visual shapes show
  // their parts.
  void draw_links_without_visuals() {
    for (const LinkParts& link : undrawn_) {
      Body& body = scene_.bodies[index(link.body)];
      if (body.visuals.empty()) continue;
      for (std::size_t i = 0; i < link.count; ++i) {
        const shapes::PlacedShape& part = body.parts[index(link.first) + i];
        if (shapes::is_boundless(part.shape)) continue;
        body.visuals.push_back({.placed = part, .file = {}});
      }
    }
  }

  void finish_mass(int index_of_body) {
    Body& body = scene_.bodies[index(index_of_body)];
    const BodyMass& mass = masses_[index(index_of_body)];
    if (mass.element < 0) {
      return;
    }
    body.mass = mass.sum.mass;
    body.center = mass.sum.center;
    body.inertia = mass.sum.inertia;
    check_mass(index_of_body, Element(&text_, mass.element));
    lift(mass, &body);
  }

  void lift(const BodyMass& mass, Body* body) {
    if (mass.lifts.empty() || *std::max_element(mass.lifts.begin(), mass.lifts.end()) == 0.0) {
      return;
    }
    if (std::adjacent_find(mass.lifts.begin(), mass.lifts.end(), std::not_equal_to<>()) !=
        mass.lifts.end()) {
      text_.add_note(mass.element, "<body gravcomp> of " + body->name +
                                       " not used: bodies that are fixed to it have another one");
      return;
    }
    body->forces.push_back({.force = -mass.lifts.front() * body->mass * scene_.gravity});
  }

  void check_mass(int index_of_body, const Element& link) const {
    const Body& body = scene_.bodies[index(index_of_body)];
    if (body.mass == 0.0) {
      if (!masses_[index(index_of_body)].carries_others) {
        link.problem("", "a link that moves has no mass, got 0 kg, want a mass > 0");
      }
      return;
    }
    if (!kMassRange.holds(body.mass)) {
      return link.problem(
          "", "mass out of range, got " + to_text(body.mass) + " kg, want " + describe(kMassRange));
    }
    try {
      shapes::validate_inertia(body.mass, body.inertia);
    } catch (const InputError& error) {
      return link.problem("", "not the inertia of a rigid body, got " +
                                  plain_message(error, "inertia: ") +
                                  ", want symmetric, positive, no principal moment above the sum "
                                  "of the others (--balance-inertia mends it)");
    }
    const double least = shapes::principal_axes(body.inertia).moments.minCoeff();
    const double gyration = std::sqrt(least / body.mass);
    if (gyration < kLeastGyration) {
      link.problem("", "inertia too small for the mass, got a radius of gyration of " +
                           to_text(gyration) + " m, want at least 1e-10 m");
    }
  }

  void say_what_became_part() {
    if (became_part_.empty()) {
      return;
    }
    std::string note = "fixed to a moving link, and so part of it: ";
    for (std::size_t i = 0; i < became_part_.size(); ++i) {
      note += (i > 0 ? ", " : "") + became_part_[i];
    }
    text_.notes.push_back({.text = note, .effect = Effect::kChoice});
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int last_body() const { return static_cast<int>(scene_.bodies.size()) - 1; }
  static Pose pose_of(const Body& body) {
    return {.R = to_matrix(body.orientation), .p = body.position};
  }
  static void set_pose(const Pose& X, Body* body) {
    body->position = X.p;
    body->orientation = to_quaternion(X.R);
  }

  ModelText& text_;
  Robot& robot_;
  Scene& scene_;
  std::vector<BodyMass> masses_;  // per body of the scene
  std::set<std::string> names_;
  std::vector<std::string> became_part_;
  std::vector<LinkParts> undrawn_;  // of links without visual shapes
};

}  // namespace

void add_bodies(ModelText* text, Robot* robot, Scene* scene) {
  Assembler(text, robot, scene).assemble();
}

std::string make_colour(std::span<const double> rgba) {
  const auto byte = [](double x) {
    return std::lround(std::clamp(x, 0.0, 1.0) * 255.0);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgba[0]), byte(rgba[1]), byte(rgba[2]));
}

std::string make_scene_name(const std::string& name) {
  std::string result = excerpt(name, 200);
  std::replace(result.begin(), result.end(), '/', ':');
  for (std::size_t at = result.find(".."); at != std::string::npos; at = result.find("..")) {
    result.erase(at, 1);
  }
  const std::size_t begin = std::min(result.find_first_not_of(' '), result.size());
  result = result.substr(begin, result.find_last_not_of(' ') + 1 - begin);
  // `world` is reserved in a scene; no body may have that name.
  return result.empty() ? "unnamed" : result == "world" ? "ground" : result;
}

}  // namespace tenpin::scene
