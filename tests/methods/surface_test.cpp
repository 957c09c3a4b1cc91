// Bodies on a surface of triangles: as on a plane where it is flat, and at rest in a hollow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "base/check.h"
#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"
#include "shapes/surface_mesh.h"

namespace tenpin::methods {
namespace {

// 20 x 20 cells of 0.25 m with heights from a function.
template <typename Height>
shapes::Shape make_grid(Height height) {
  constexpr int kCells = 20;
  shapes::TriangleMesh mesh;
  for (int j = 0; j <= kCells; ++j) {
    for (int i = 0; i <= kCells; ++i) {
      const double x = 0.25 * i - 2.5;
      const double y = 0.25 * j - 2.5;
      mesh.vertices.emplace_back(x, y, height(x, y));
    }
  }
  for (int j = 0; j < kCells; ++j) {
    for (int i = 0; i < kCells; ++i) {
      const int v = j * (kCells + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + kCells + 2});
      mesh.triangles.push_back({v, v + kCells + 2, v + kCells + 1});
    }
  }
  return shapes::TriangleSurface{shapes::make_surface_mesh(mesh)};
}

double flat(double /*x*/, double /*y*/) {
  return 0.0;
}

struct GroundRun {
  GroundRun(const std::string& bodies, const std::string& method_text, const shapes::Shape* ground)
      : scene(scene::parse_scene("tenpin: 1\nmaterials: {default: {friction: 0.4}}\nbodies:\n"
                                 "  - {name: ground, fixed: true, shapes: [{plane: {}}]}\n" +
                                     bodies + "method: {" + method_text + "}\nuntil: 10\n",
                                 "test.yaml")) {
    if (ground != nullptr) scene.bodies[0].parts[0].shape = *ground;
    built = scene::build(scene);
    method = make_method(built.model, scene.method, 1);
  }
  VecX q_at(double t) {
    EXPECT_EQ(method->advance(t, t, &built.state, nullptr), AdvanceStatus::kReachedEnd);
    return built.state.q;
  }

  scene::Scene scene;
  scene::Built built;
  std::unique_ptr<Method> method;
};

// The solver then leaves no room for the rounding of gaps to grow.
const char* const kOrders[] = {"time-stepping: {step: 0.004, order: 1, tolerance: 1e-11}",
                               "time-stepping: {step: 0.004, order: 2, tolerance: 1e-11}"};

// Rolling and sliding over a dozen edges of triangles, none of them felt. A box that spins would
// not do: how its four corners share its weight is open, and decides how it turns.
TEST(Surface, AFlatFloorOfTrianglesIsAPlane) {
  const std::string bodies =
      "  - {name: ball, mass: 1, position: [-1.5, 0.1, 0.1], velocity: [2, 0.4, 0], shapes: "
      "[{sphere: {radius: 0.1}}]}\n"
      "  - {name: box, mass: 1, position: [-1.5, 1, 0.1], velocity: [3, 0.2, 0], shapes: [{box: "
      "{size: [0.3, 0.2, 0.2]}}]}\n"
      "  - {name: disc, mass: 1, position: [-1.5, -1, 0.2], velocity: [1.5, 0, 0], "
      "angular_velocity: [0, 7.5, 0], shapes: [{cylinder: {radius: 0.2, length: 0.1, axis: y}}]}\n";
  const shapes::Shape floor = make_grid(flat);
  for (const char* const method : kOrders) {
    GroundRun on_plane(bodies, method, nullptr);
    GroundRun on_floor(bodies, method, &floor);
    for (const double t : {0.25, 0.5, 1.0}) {
      const VecX difference = on_floor.q_at(t) - on_plane.q_at(t);
      // Order 1 on a plane itself: the box stops 3e-5 m from there if it starts 0.1 m farther on.
      const bool is_exact = std::string(method).find("order: 2") != std::string::npos;
      for (int i = 0; i < 3; ++i) {
        if (i == 1 && !is_exact) continue;
        EXPECT_NEAR(difference.segment<7>(7 * i).norm(), 0.0, 1e-9) << method << t << " body " << i;
      }
    }
  }
}

TEST(Surface, BodiesComeToRestInAHollow) {
  const shapes::Shape hollow = make_grid([](double x, double y) {
    return 0.15 * (x * x + y * y);
  });
  const std::string bodies =
      "  - {name: box, mass: 1, position: [0.8, 0.3, 0.6], shapes: [{box: {size: [0.3, 0.25, "
      "0.2]}}]}\n"
      "  - {name: hull, mass: 1, position: [-0.7, 0.4, 0.5], shapes: [{polyhedron: {points: [[0.2, "
      "0, 0], [-0.2, 0.1, 0], [0, -0.2, 0], [0, 0, 0.2], [0, 0.1, -0.1]]}}]}\n"
      "  - {name: rod, mass: 1, position: [0, -0.9, 0.5], shapes: [{capsule: {radius: 0.08, "
      "length: 0.3, axis: x}}]}\n";
  for (const char* const method : kOrders) {
    GroundRun run(bodies, method, &hollow);
    const VecX q = run.q_at(4.0);
    for (int i = 0; i < 3; ++i) {
      const double height = q[7 * i + 2] - 0.15 * q.segment<2>(7 * i).squaredNorm();
      EXPECT_GT(height, 0.03) << method << " body " << i;  // none fell through
      EXPECT_LT(height, 0.3) << method << " body " << i;
    }
    EXPECT_LT(run.built.state.v.head<12>().norm(), 1e-3) << method;  // the rod rolls on
  }
}

TEST(Surface, OtherMethodsRefuseIt) {
  const shapes::Shape floor = make_grid(flat);
  const std::string ball =
      "  - {name: ball, mass: 1, position: [0, 0, 1], shapes: [{sphere: {radius: 0.1}}]}\n";
  for (const char* const method : {"analytic: {}", "impulse: {}"}) {
    EXPECT_THROW(GroundRun(ball, method, &floor), InputError) << method;
  }
}

}  // namespace
}  // namespace tenpin::methods
