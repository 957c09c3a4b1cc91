#include "scene/random_scene.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "math/rotation.h"
#include "scene/body_index.h"

namespace tenpin::scene {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : stream_(seed) {}

  Scene make() {
    scene_.name = "random";
    scene_.file = "random.yaml";
    scene_.seed = stream_.bits(counter_++);
    scene_.gravity = vector();
    scene_.materials = {Material{.name = "default", .friction = {}},
                        Material{.name = "ice", .friction = {.along = 0.1, .across = 0.1}}};
    for (int i = 0, count = 2 + pick(11); i < count; ++i) {
      scene_.bodies.push_back(make_body(i));
    }
    movable_ = find_movable(scene_.bodies);
    for (int i = 0; i < 4; ++i) {
      add_loop(i);
    }
    add_touching();
    return scene_;
  }

 private:
  int pick(int count) {
    return static_cast<int>(stream_.index(counter_++, static_cast<std::uint32_t>(count)));
  }
  bool toss() { return pick(2) == 0; }
  double between(double low, double high) { return stream_.uniform(counter_++, low, high); }
  // Of either sign and of many magnitudes, now and then a zero of either sign.
  double number() {
    constexpr double kScales[] = {0.0, -0.0, 1e-9, 1e-3, 1.0, 10.0};
    const double scale = kScales[pick(6)];
    return scale == 0.0 ? scale : between(-scale, scale);
  }
  double positive() { return between(1e-3, 10.0); }
  Vec3 vector() {
    const double x = number();
    const double y = number();
    return {x, y, number()};
  }
  Vec3 direction() {
    const double x = between(0.1, 1.0);
    const double y = between(-1.0, 1.0);
    const Vec3 v(x, y, between(-1.0, 1.0));
    return v / v.norm();
  }
  Quat rotation() { return toss() ? Quat::Identity() : exp_map(direction() * between(-3.0, 3.0)); }

  JointKind pick_joint(bool root) {
    constexpr JointKind kKinds[] = {JointKind::kHinge,  JointKind::kSlider,     JointKind::kBall,
                                    JointKind::kPlanar, JointKind::kPrescribed, JointKind::kFixed,
                                    JointKind::kFree};
    return kKinds[pick(root ? 7 : 6)];
  }

  Body make_body(int index) {
    Body body;
    body.name = "body " + std::to_string(index);
    body.parent = pick(index + 1) - 1;
    const bool root = body.parent == kWorld;
    body.joint = pick_joint(root);
    body.touches_parent = !root && toss();
    body.material = pick(2);
    body.position = vector();
    body.orientation = rotation();
    set_joint(&body);
    add_parts(&body);
    const bool held = body.joint == JointKind::kFixed || body.joint == JointKind::kPrescribed;
    if (!held || !root) {
      const bool loose =
          root && (body.joint == JointKind::kFree || body.joint == JointKind::kPlanar);
      if (loose || toss()) {
        set_mass(&body);
      }
      for (int i = 0, count = pick(3); i < count; ++i) {
        const Vec3 force = vector();
        body.forces.push_back({.force = force, .torque = vector(), .drag = positive()});
      }
    }
    return body;
  }

  void set_mass(Body* body) {
    const Vec3 size(positive(), positive(), positive());
    const Mat3 R = to_matrix(rotation());
    body->mass = positive();
    const Vec3 moments =
        Vec3::Constant(size.squaredNorm()) - size.cwiseProduct(size);  // of a box, but for 1/12
    const Mat3 inertia = R * (moments * body->mass).asDiagonal() * R.transpose();
    body->inertia = 0.5 * (inertia + inertia.transpose());
    body->center = vector();
  }

  void set_joint(Body* body) {
    switch (body->joint) {
      case JointKind::kFree:
        body->velocity = vector();
        body->angular_velocity = vector();
        break;
      case JointKind::kPlanar:
        set_plane(body);
        break;
      case JointKind::kPrescribed:
        body->motion.velocity = vector();
        body->motion.angular_velocity = vector();
        body->motion.amplitude = vector();
        body->motion.frequency = positive();
        break;
      case JointKind::kBall:
        set_ball(&body->properties);
        break;
      case JointKind::kHinge:
        body->properties.anchor = vector();
        set_axis_joint(&body->properties);
        break;
      case JointKind::kSlider:
        set_axis_joint(&body->properties);
        break;
      case JointKind::kFixed:
        break;
    }
  }

  void set_plane(Body* body) {
    PlanarJoint& plane = body->planar;
    plane.x = direction();
    const Vec3 y = plane.x.cross(direction());
    plane.y = y / y.norm();
    if (body->parent == kWorld) {
      body->velocity = plane.x * positive() + plane.y * positive();
      body->angular_velocity = plane.x.cross(plane.y) * positive();
    }
  }

  void set_passive(JointProperties* p) {
    p->stiffness = positive();
    p->damping = positive();
    p->friction = positive();
    p->armature = positive();
  }

  void set_ball(JointProperties* p) {
    set_passive(p);
    p->anchor = vector();
    p->ball_at = rotation();
    p->ball_rate = vector();
    if (toss()) {
      p->upper = between(3.0, 3.141592653589793);
    }
  }

  void set_axis_joint(JointProperties* p) {
    set_passive(p);
    p->axis = direction();
    p->at = number();
    p->rate = number();
    p->rest = number();
    p->lower = toss() ? p->at - positive() : -kNoLimit;
    p->upper = toss() ? p->at + positive() : kNoLimit;
    Motor& motor = p->motor;
    motor.kind = static_cast<Motor::Kind>(pick(4));
    if (motor.kind == Motor::Kind::kNone) {
      return;
    }
    motor.target = number();
    motor.amplitude = number();
    motor.frequency = positive();
    motor.stiffness = motor.kind == Motor::Kind::kPosition ? positive() : 0.0;
    motor.damping = motor.kind == Motor::Kind::kForce ? 0.0 : positive();
    motor.limit = motor.kind == Motor::Kind::kForce || toss() ? kNoLimit : positive();
  }

  void add_parts(Body* body) {
    for (int i = 0, count = pick(4); i < count; ++i) {
      const double size = positive();
      const shapes::Shape shape =
          toss() ? shapes::Shape(shapes::Sphere{.radius = size})
                 : shapes::Shape(shapes::Capsule{.radius = size, .half_length = positive()});
      body->parts.push_back({shape, {.R = to_matrix(rotation()), .p = vector()}});
      body->part_files.emplace_back();
      body->part_options.push_back({.material = pick(3) - 1,
                                    .layer = static_cast<std::uint32_t>(stream_.bits(counter_++)),
                                    .touches = static_cast<std::uint32_t>(pick(4))});
    }
  }

  // One of the bodies, or the world.
  int pick_end() { return pick(static_cast<int>(scene_.bodies.size()) + 1) - 1; }
  bool moves(int body) const { return body != kWorld && movable_[static_cast<std::size_t>(body)]; }
  bool has_axis(int body) const {
    if (body == kWorld) {
      return false;
    }
    const JointKind kind = scene_.bodies[static_cast<std::size_t>(body)].joint;
    return kind == JointKind::kHinge || kind == JointKind::kSlider;
  }

  void add_loop(int index) {
    Loop loop;
    loop.name = "loop " + std::to_string(index);
    loop.kind = static_cast<Loop::Kind>(pick(5));
    loop.body_a = pick_end();
    loop.body_b = pick_end();
    if (loop.body_a == loop.body_b) {
      return;
    }
    if (loop.kind == Loop::Kind::kCoupling) {
      return add_coupling(loop);
    }
    if (!moves(loop.body_a) && !moves(loop.body_b)) {
      return;
    }
    loop.anchor_a = vector();
    loop.anchor_b = vector();
    if (loop.kind == Loop::Kind::kHinge) {
      loop.axis_a = direction();
      loop.axis_b = direction();
    } else if (loop.kind == Loop::Kind::kWeld && toss()) {
      loop.orientation = rotation();
    } else if (loop.kind == Loop::Kind::kDistance && toss()) {
      loop.length = positive();
    }
    scene_.loops.push_back(loop);
  }

  void add_coupling(Loop loop) {
    const bool constant = loop.body_b == kWorld;
    if (!has_axis(loop.body_a) || (!constant && !has_axis(loop.body_b))) {
      return;
    }
    for (std::size_t i = 0; i < loop.polynomial.size(); ++i) {
      loop.polynomial[i] = i == 0 || !constant ? number() : 0.0;
    }
    scene_.loops.push_back(loop);
  }

  void add_touching() {
    const int last = static_cast<int>(scene_.bodies.size()) - 1;
    if (toss()) {
      scene_.never_touch = {{.body_a = last, .body_b = 0}};
    }
    for (std::size_t i = 0; i < scene_.bodies[0].parts.size(); ++i) {
      for (std::size_t j = 0; j < scene_.bodies.back().parts.size(); ++j) {
        if (toss()) {
          scene_.always_touch.push_back({.body_a = 0,
                                         .part_a = static_cast<int>(i),
                                         .body_b = last,
                                         .part_b = static_cast<int>(j)});
        }
      }
    }
  }

  RandomStream stream_;
  std::uint64_t counter_ = 0;
  Scene scene_;
  std::vector<bool> movable_;
};

}  // namespace

Scene make_random_scene(std::uint64_t seed) {
  return Generator(seed).make();
}

}  // namespace tenpin::scene
