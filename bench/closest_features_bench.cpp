// Coherent distance queries by the number of vertices, with FCL's libccd solver in the same run.
#include <benchmark/benchmark.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <memory>

#include "collide/closest_features.h"
#include "math/rotation.h"
#include "shapes/convex_hull.h"

namespace {

using namespace tenpin;

// Points on a sphere of radius 1, evenly spread: every one is a vertex. Eight make a cube.
shapes::Polyhedron make_ball(int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    if (count == 8) {
      points.emplace_back((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5);
      continue;
    }
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double angle = 2.39996322972865332 * i;
    const double rho = std::sqrt(1.0 - z * z);
    points.emplace_back(rho * std::cos(angle), rho * std::sin(angle), z);
  }
  return {shapes::make_convex_hull(points)};
}

// One body flies past the other while it turns: a millisecond of a tumbling body per query. Made
// beforehand, so that only queries are timed.
const std::vector<Pose>& poses() {
  static const std::vector<Pose> made = [] {
    std::vector<Pose> list;
    for (int i = 0; i < 4096; ++i) {
      const double t = 1e-3 * i;
      list.push_back({.R = to_matrix(exp_map(Vec3(2.0 * t, 1.5 * t, 0.3 * t))),
                      .p = Vec3(0.3 * std::sin(t), 0.2 * std::cos(t), 2.3)});
    }
    return list;
  }();
  return made;
}

void ours(benchmark::State& state) {
  const shapes::Shape shape = make_ball(static_cast<int>(state.range(0)));
  const collide::TrackedShape A(shape);
  collide::FeatureTracker tracker;
  collide::FeaturePair features;
  const Pose X;
  std::size_t i = 0;
  for (auto _ : state) {
    const Pose& Y = poses()[i++ % poses().size()];
    benchmark::DoNotOptimize(tracker.calc_distance({A, X, A, Y}, &features));
  }
  state.counters["steps/query"] =
      static_cast<double>(tracker.num_steps()) / static_cast<double>(tracker.num_queries());
}

void fcl_libccd(benchmark::State& state) {
  const shapes::Polyhedron ball = make_ball(static_cast<int>(state.range(0)));
  const auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(ball.mesh->vertices);
  const auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < ball.mesh->num_faces(); ++f) {
    const auto face = ball.mesh->face(f);
    faces->push_back(static_cast<int>(face.size()));
    faces->insert(faces->end(), face.begin(), face.end());
  }
  const auto geometry = std::make_shared<fcl::Convexd>(vertices, ball.mesh->num_faces(), faces);
  fcl::CollisionObjectd A(geometry);
  fcl::CollisionObjectd B(geometry);
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  std::size_t i = 0;
  for (auto _ : state) {
    const Pose& Y = poses()[i++ % poses().size()];
    B.setTransform(Y.R, Y.p);
    fcl::DistanceResultd result;
    benchmark::DoNotOptimize(fcl::distance(&A, &B, request, result));
  }
}

BENCHMARK(ours)->Arg(8)->Arg(100)->Arg(1000)->Arg(10000)->Arg(30000)->Unit(benchmark::kNanosecond);
BENCHMARK(fcl_libccd)
    ->Arg(8)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(30000)
    ->Unit(benchmark::kNanosecond);

}  // namespace
