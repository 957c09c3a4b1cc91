#include "scene/write.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "scene/random_scene.h"
#include "scene/read_method.h"
#include "scene/scene_text.h"
#include "scene/write_method.h"
#include "shapes/convex_mesh.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

// All numbers of a scene, as bits, in an order that the scene alone determines.
class Bits {
 public:
  void add(double x) { bits_.push_back(std::bit_cast<std::uint64_t>(x)); }
  template <typename Derived>
  void add(const Eigen::MatrixBase<Derived>& A) {
    for (Eigen::Index i = 0; i < A.size(); ++i) {
      add(A(i / A.cols(), i % A.cols()));
    }
  }
  void add(const Friction& f) {
    add(f.along), add(f.across), add(f.axis), add(f.torsion), add(f.stat), add(f.stribeck_speed);
    add(f.viscous);
    if (f.limit) {
      add(static_cast<double>(f.limit->kind));
      for (const Vec3& p : f.limit->points) add(p);
    }
  }
  void add(const shapes::PlacedShape& part) {
    add(static_cast<double>(part.shape.index()));
    add(part.X_BS.R), add(part.X_BS.p);
    if (const auto* sphere = std::get_if<shapes::Sphere>(&part.shape)) {
      add(sphere->radius);
    } else if (const auto* box = std::get_if<shapes::Box>(&part.shape)) {
      add(box->half);
    } else if (const auto* capsule = std::get_if<shapes::Capsule>(&part.shape)) {
      add(capsule->radius), add(capsule->half_length);
    } else if (const auto* cylinder = std::get_if<shapes::Cylinder>(&part.shape)) {
      add(cylinder->radius), add(cylinder->half_length);
    } else if (const auto* hull = std::get_if<shapes::Polyhedron>(&part.shape)) {
      for (const Vec3& vertex : hull->mesh->vertices) {
        add(vertex);
      }
    }
  }
  void add(const Motor& motor) {
    add(static_cast<double>(motor.kind)), add(motor.target), add(motor.amplitude);
    add(motor.frequency), add(motor.stiffness), add(motor.damping), add(motor.limit);
  }
  void add(const TimeTable& table) {
    add(static_cast<double>(table.columns)), add(static_cast<double>(table.interpolation));
    for (const double t : table.times) add(t);
    for (const double value : table.values) add(value);
  }
  void add(const Span& span) { add(span.begin), add(span.end); }
  void add(const JointProperties& p) {
    add(p.axis), add(p.anchor), add(p.at), add(p.rate), add(p.ball_at.coeffs()), add(p.ball_rate);
    add(p.lower), add(p.upper), add(p.stiffness), add(p.rest), add(p.damping), add(p.friction);
    add(p.armature), add(p.motor), add(p.motor.table), add(p.motor.during);
  }
  void add(const Loop& loop) {
    for (const int n : {static_cast<int>(loop.kind), loop.body_a, loop.body_b}) {
      add(static_cast<double>(n));
    }
    add(loop.anchor_a), add(loop.anchor_b), add(loop.axis_a), add(loop.axis_b);
    add(loop.orientation.value_or(Quat(2, 0, 0, 0)).coeffs()), add(loop.length.value_or(-1.0));
    for (const double c : loop.polynomial) {
      add(c);
    }
  }
  void add(const Body& body) {
    add(static_cast<double>(body.joint)), add(static_cast<double>(body.material));
    add(static_cast<double>(body.parent)), add(body.touches_parent ? 1.0 : 0.0);
    add(body.properties);
    for (const PartOptions& options : body.part_options) {
      add(static_cast<double>(options.material)), add(options.layer), add(options.touches);
      add(options.surface_velocity);
    }
    add(body.planar.x), add(body.planar.y);
    add(body.motion.velocity), add(body.motion.angular_velocity), add(body.motion.amplitude);
    add(body.motion.frequency), add(body.mass), add(body.center), add(body.inertia);
    add(body.position), add(body.orientation.coeffs()), add(body.velocity);
    add(body.angular_velocity), add(body.motion.axis), add(body.motion.velocity_table);
    add(body.motion.position_table), add(body.motion.rate_table), add(body.motion.angle_table);
    for (const shapes::PlacedShape& part : body.parts) {
      add(part);
    }
    for (const Force& force : body.forces) {
      add(force.force), add(force.torque), add(force.viscous), add(force.viscous_spin);
      add(force.drag), add(force.force_table), add(force.torque_table), add(force.during);
    }
  }
  void add(const TimeSteppingOptions& o) {
    add(o.step), add(o.direction_phase), add(o.fixed_point_tolerance), add(o.tolerance);
    add(o.order), add(o.formulation), add(o.solver), add(o.directions), add(o.restitution);
    for (const int n : {o.passes, static_cast<int>(o.lever), static_cast<int>(o.active_set),
                        o.fixed_point_iterations, static_cast<int>(o.projection)}) {
      add(static_cast<double>(n));
    }
  }
  template <typename Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value() ? 1.0 : 0.0), add(static_cast<double>(value.value_or(Value{})));
  }
  void add(const Scene& scene) {
    add(scene.gravity), add(scene.until), add(scene.record.every);
    add(static_cast<double>(scene.record.contacts));
    bits_.push_back(scene.seed);
    for (const Material& material : scene.materials) {
      add(material.friction), add(material.restitution);
    }
    for (const MaterialPair& pair : scene.pairs) {
      add(static_cast<double>(pair.first)), add(static_cast<double>(pair.second));
      add(pair.friction), add(pair.restitution);
    }
    for (const Body& body : scene.bodies) {
      add(body);
    }
    for (const Loop& loop : scene.loops) {
      add(loop);
    }
    for (const BodyPair& p : scene.never_touch) {
      add(p.body_a), add(p.body_b);
    }
    for (const PartPair& p : scene.always_touch) {
      add(p.body_a), add(p.part_a), add(p.body_b), add(p.part_b);
    }
    if (const auto* options = std::get_if<TimeSteppingOptions>(&scene.method)) add(*options);
  }
  bool operator==(const Bits&) const = default;

 private:
  std::vector<std::uint64_t> bits_;
};

std::vector<std::string> names_of(const Scene& scene) {
  std::vector<std::string> names = {scene.name, std::string(name_of(scene.method))};
  for (const WrittenOption& option : list_options(scene.method)) {
    names.push_back(std::string(option.key) + " " + option.text);
  }
  for (const Material& material : scene.materials) {
    names.push_back(material.name);
  }
  for (const Body& body : scene.bodies) {
    names.push_back(body.name);
    names.push_back(body.colour);
    for (const MeshFile& file : body.part_files) {
      names.push_back(file.path + " " + std::to_string(file.scale));
    }
  }
  for (const Loop& loop : scene.loops) {
    names.push_back(loop.name);
  }
  return names;
}

void expect_round_trip(const Scene& scene) {
  const std::string text = write_scene(scene);
  const Scene again = parse_scene(text, scene.file);
  Bits before;
  Bits after;
  before.add(scene);
  after.add(again);
  EXPECT_TRUE(before == after) << scene.file;
  EXPECT_EQ(names_of(again), names_of(scene));
  EXPECT_EQ(write_scene(again), text);
}

TEST(Write, EveryExampleReadsBackBitForBit) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(TENPIN_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() == ".yaml") {
      expect_round_trip(read_scene(entry.path().string()));
      ++count;
    }
  }
  EXPECT_GE(count, 15);
}

// A value other than the default for every option, so that one which is not written, or not read,
// shows.
TEST(Write, OptionsOfEveryMethodSurvive) {
  for (const std::string method :
       {"time-stepping: {step: 0.003, order: 1, passes: 3, formulation: nonlinear, solver: lemke, "
        "directions: 6, direction_phase: 0.25, restitution: poisson, lever: printed, active_set: "
        "all, projection: false, fixed_point: {iterations: 7, tolerance: 1e-9}, tolerance: 1e-5, "
        "sleeping: true}",
        "time-stepping: {contact: {compliance: 0.07}, solver: cone}",
        "time-stepping: {contact: springs}",
        "analytic: {integrator: adams, events: bisection, forces: lp, friction: none, collisions: "
        "propagation, law: poisson, max_step: 0.01, tolerance: 1e-10, event_tolerance: 1e-8, "
        "residual: 1e-7}",
        "impulse: {interval: 0.02, envelope: 0.001, law: newton, microcollisions: false, cap: 77, "
        "tolerance: 1e-7}",
        "penalty: {step: 0.0002, stiffness: 5000, damping: 3}"}) {
    const Scene scene = parse(
        "tenpin: 1\nbodies:\n  - {name: b, mass: 1, shapes: [{sphere: "
        "{radius: 1}}]}\nmethod: {" +
        method + "}\nuntil: 1\n");
    expect_round_trip(scene);
    const MethodOptions defaults = default_method(name_of(scene.method));
    std::vector<WrittenOption> ours = list_options(scene.method);
    const std::vector<WrittenOption> fallback = list_options(defaults);
    ASSERT_EQ(ours.size(), fallback.size());
    if (method.find("contact") != std::string::npos) continue;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].key == "contact") continue;
      EXPECT_NE(ours[i].text, fallback[i].text) << ours[i].key << " of " << method;
    }
  }
}

TEST(Write, LimitSurfacesSurvive) {
  for (const char* limit :
       {"polygon: [[0.6, 0.3], [0.6, -0.3], [-0.2, 0.05]]",
        "polytope: [[1, 0, 0], [-1, 0.1, 0], [0, -1, 0.1], [0, 0, -0.3], "
        "[0, 1, 0.3]]",
        "ellipsoid: [0.3, 0.2, 0.01]", "ellipsoid: [[0.3, 0, 0], [0, 0.2, 0.01], [0, 0, 0.004]]"}) {
    expect_round_trip(parse("tenpin: 1\nmaterials: {skate: {friction: {limit: {" +
                            std::string(limit) +
                            "}, axis: [1, 2, 0], viscous: 0.5}}}\nbodies:\n"
                            "  - {name: b, mass: 1, shapes: [{sphere: {radius: 1}}]}\nuntil: 1\n"));
  }
}

TEST(Write, AwkwardNumbersAndNamesSurvive) {
  const Scene scene = parse(
      "tenpin: 1\nname: 'Say \"hi\" \\ # : [x]'\ngravity: [0.1, -0.0, -9.80665]\n"
      "seed: 18446744073709551615\n"
      "materials: {'true': {friction: {along: 0.3, static: 0.30000000000000004, stribeck_speed: "
      "1e-3}}}\n"
      "bodies:\n"
      "  - {name: 'a: \"b\"', material: 'true', mass: 0.1, position: [1e-300, -0.0, "
      "3.3333333333333335], "
      "orientation: {axis: [1, 2, 3], degrees: 33.3}, shapes: [{cylinder: {radius: 0.1, length: "
      "0.3, axis: y}, "
      "position: [0, 0.7, 0], orientation: {axis: [3, 1, 2], degrees: 77}}, {box: {size: [0.1, "
      "0.2, 0.3]}}]}\n"
      "  - {name: p, joint: {planar: {x: [1, 1, 0], y: [-1, 1, 1e-7]}}, mass: 3, inertia: 0.1, "
      "shapes: []}\n"
      "  - {name: floor, fixed: true, shapes: [{plane: {normal: [1, 2, 3], offset: 0.1}, "
      "orientation: [0.6, 0.8, 0, 0], position: [1, 1, 1]}]}\n"
      "until: 0.30000000000000004\n");
  expect_round_trip(scene);
}

TEST(Write, RandomMechanismsReadBackBitForBit) {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  const int count = 300 * std::max(1, scale != nullptr ? std::atoi(scale) : 1);
  for (int i = 0; i < count; ++i) {
    expect_round_trip(make_random_scene(static_cast<std::uint64_t>(i)));
    ASSERT_FALSE(HasFailure()) << "seed " << i;
  }
}

TEST(Write, TablesAndEventsSurvive) {
  const Scene scene = parse(scene_text(
      "materials: {ice: {friction: 0.1}}\n"
      "bodies:\n"
      "  - {name: a.b, motion: {axis: [0, 3, 4], rate: {points: [[0, 0.1], [1.5, 2]]}, velocity: "
      "{points: [[0, 1, 2, 3], [1, 4, 5, 6]], interpolation: step}}}\n"
      "  - {name: arm, joint: {hinge: {axis: [0, 0, 1], motor: {position: {points: [[0, 0], [1, "
      "0.3]], interpolation: cubic}, stiffness: 2, during: [0.1, 3]}}}, mass: 1, shapes: [{sphere: "
      "{radius: 1}}], forces: [{torque: {points: [[0.1, 1, 2, 3]]}, during: [0.2, 0.3]}]}\n"
      "loops: [{name: latch, weld: {bodies: [arm, world], anchors: [[0, 0, 0], [0, 0, 0]]}}]\n"
      "events:\n"
      "  - {name: e, when: {contact: [a.b, arm]}, do: {release: [latch, arm], stop: true}}\n"
      "  - {name: f, when: {quantity: bodies.a.b.position.y, above: 0.1}, do: {set: [{gravity: "
      "[0, 0, 1]}, {motor: arm, target: 2}, {motion: a.b, velocity: [1, 0, 0]}, {push: arm, "
      "torque: [0, 0, 1]}, {between: [ice, default], friction: 0.2}]}}\n"
      "  - {name: g, when: {quantity: pairs.a.b+arm.distance, below: 0}, do: {stop: true}}\n"
      "  - {name: h, when: {quantity: joints.arm.velocity, below: 0}, do: {stop: true}}\n"));
  ASSERT_EQ(scene.events.size(), 4U);
  EXPECT_EQ(scene.events[1].settings.size(), 5U);
  EXPECT_EQ(scene.events[0].released_motors, std::vector<int>{1});
  expect_round_trip(scene);
}

TEST(Write, OneSidedLimitsAndMasslessLinksSurvive) {
  expect_round_trip(parse(scene_text(
      "bodies:\n"
      "  - {name: rail, joint: {slider: {axis: [1, 2, 3], limits: [none, 1.5]}}, mass: 0}\n"
      "  - {name: eye, parent: rail, fixed: true, shapes: [{sphere: {radius: 1}}]}\n"
      "  - {name: bob, parent: eye, joint: {ball: {limit: 3.141592653589793}}, density: 3, "
      "shapes: [{sphere: {radius: 1}, collides: false}]}\n")));
}

}  // namespace
}  // namespace tenpin::scene
