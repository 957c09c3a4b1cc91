// The narrow phase: manifolds by pair of shapes, and closest points by the number of vertices, with
// FCL's libccd solver beside ours in the same run.
#include <benchmark/benchmark.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <random>

#include "collide/narrow_phase.h"
#include "shapes/convex_hull.h"

namespace {

using namespace tenpin;
using namespace tenpin::shapes;
using collide::ContactPoint;
using collide::NarrowPhase;
using collide::PairHint;
using collide::PairQuery;

Mat3 random_rotation(std::mt19937_64* random) {
  std::uniform_real_distribution<double> u(-1, 1);
  return Quat(u(*random), u(*random), u(*random), u(*random)).normalized().toRotationMatrix();
}

// Points on a sphere of radius 1, evenly spread: every one is a vertex.
Polyhedron make_ball(int num_vertices) {
  std::vector<Vec3> points;
  for (int i = 0; i < num_vertices; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / num_vertices;
    const double angle = 2.39996322972865332 * i;
    const double rho = std::sqrt(1.0 - z * z);
    points.emplace_back(rho * std::cos(angle), rho * std::sin(angle), z);
  }
  return {make_convex_hull(points)};
}

Shape make_shape(int kind) {
  switch (kind) {
    case 0:
      return Sphere{.radius = 0.5};
    case 1:
      return Box{.half = Vec3(0.5, 0.4, 0.3)};
    case 2:
      return Capsule{.radius = 0.2, .half_length = 0.4};
    case 3:
      return Cylinder{.radius = 0.4, .half_length = 0.5};
    case 4:
      return Plane{};
    default:
      return make_ball(100);
  }
}

constexpr const char* kNames[] = {"sphere", "box", "capsule", "cylinder", "plane", "polyhedron"};
constexpr double kMargin = 0.01;
constexpr int kNumPoses = 64;

// Poses that touch: gaps from -0.02 to +0.005 m.
std::vector<Pose> make_touching_poses(const Shape& A, const Shape& B) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> gap(-0.02, 0.005);
  std::vector<Pose> poses;
  for (int i = 0; i < kNumPoses; ++i) {
    Pose X{.R = random_rotation(&random), .p = random_rotation(&random).col(0) * 2.0};
    const collide::Distance d = collide::calc_distance(A, {}, B, X);
    X.p += (gap(random) - d.gap) * d.normal;
    poses.push_back(X);
  }
  return poses;
}

void bench_manifold(benchmark::State& state) {
  const Shape A = make_shape(static_cast<int>(state.range(0)));
  const Shape B = make_shape(static_cast<int>(state.range(1)));
  const std::vector<Pose> poses = make_touching_poses(A, B);
  const Pose X_WA;
  NarrowPhase narrow_phase;
  std::vector<ContactPoint> points;
  std::size_t i = 0;
  for (auto _ : state) {
    points.clear();
    narrow_phase.append_manifold({.A = A, .X_WA = X_WA, .B = B, .X_WB = poses[i++ % kNumPoses]},
                                 kMargin, &points);
    benchmark::DoNotOptimize(points.data());
  }
  state.SetLabel(std::string(kNames[state.range(0)]) + "-" + kNames[state.range(1)]);
}

void bench_stacked_boxes(benchmark::State& state) {
  const Shape A = Box{.half = Vec3(0.5, 0.4, 0.3)};
  const Pose X_WA;
  const Pose X_WB{.R = Mat3::Identity(), .p = Vec3(0.1, 0.2, 0.6)};
  NarrowPhase narrow_phase;
  std::vector<ContactPoint> points;
  for (auto _ : state) {
    points.clear();
    narrow_phase.append_manifold({.A = A, .X_WA = X_WA, .B = A, .X_WB = X_WB}, kMargin, &points);
    benchmark::DoNotOptimize(points.data());
  }
}

std::vector<Pose> make_apart_poses() {
  std::mt19937_64 random(2);
  std::vector<Pose> poses;
  for (int i = 0; i < kNumPoses; ++i) {
    poses.push_back({.R = random_rotation(&random), .p = 2.5 * random_rotation(&random).col(0)});
  }
  return poses;
}

// A body that turns slowly, as between two steps of a simulation.
std::vector<Pose> make_coherent_poses() {
  std::vector<Pose> poses;
  for (int i = 0; i < kNumPoses; ++i) {
    const double angle = 0.01 * (i < kNumPoses / 2 ? i : kNumPoses - i);
    poses.push_back({.R = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix(),
                     .p = Vec3(2.1 + 0.1 * angle, 0.3, 0.2)});
  }
  return poses;
}

void run_distance(const std::vector<Pose>& poses, PairHint* hint, benchmark::State* state) {
  const Shape shape = make_ball(static_cast<int>(state->range(0)));
  const Pose X_WA;
  NarrowPhase narrow_phase;
  std::size_t i = 0;
  for (auto _ : *state) {
    const PairQuery query{
        .A = shape, .X_WA = X_WA, .B = shape, .X_WB = poses[i++ % kNumPoses], .hint = hint};
    benchmark::DoNotOptimize(narrow_phase.calc_distance(query).gap);
  }
}

void bench_distance_cold(benchmark::State& state) {
  run_distance(make_apart_poses(), nullptr, &state);
}

void bench_distance_coherent(benchmark::State& state) {
  PairHint hint;
  run_distance(make_coherent_poses(), &hint, &state);
}

void run_fcl(const std::vector<Pose>& poses, benchmark::State* state) {
  const Polyhedron ball = make_ball(static_cast<int>(state->range(0)));
  const ConvexMesh& mesh = *ball.mesh;
  auto vertices = std::make_shared<std::vector<Vec3>>(mesh.vertices);
  auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < mesh.num_faces(); ++f) {
    faces->push_back(static_cast<int>(mesh.face(f).size()));
    faces->insert(faces->end(), mesh.face(f).begin(), mesh.face(f).end());
  }
  const auto convex = std::make_shared<fcl::Convexd>(vertices, mesh.num_faces(), faces);
  const fcl::CollisionObjectd A(convex, fcl::Transform3d::Identity());
  std::vector<fcl::CollisionObjectd> others;
  for (const Pose& pose : poses) {
    fcl::Transform3d X = fcl::Transform3d::Identity();
    X.linear() = pose.R;
    X.translation() = pose.p;
    others.emplace_back(convex, X);
  }
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  std::size_t i = 0;
  for (auto _ : *state) {
    fcl::DistanceResultd result;
    benchmark::DoNotOptimize(fcl::distance(&A, &others[i++ % kNumPoses], request, result));
  }
}

void bench_fcl_cold(benchmark::State& state) {
  run_fcl(make_apart_poses(), &state);
}
void bench_fcl_coherent(benchmark::State& state) {
  run_fcl(make_coherent_poses(), &state);
}

void all_pairs(benchmark::internal::Benchmark* bench) {
  for (int a = 0; a < 6; ++a) {
    for (int b = a; b < 6; ++b) {
      if (a != 4 || b != 4) bench->Args({a, b});
    }
  }
}

void vertex_counts(benchmark::internal::Benchmark* bench) {
  for (const int count : {8, 100, 1000, 10000, 30000}) bench->Arg(count);
}

BENCHMARK(bench_manifold)->Apply(all_pairs);
BENCHMARK(bench_stacked_boxes);
BENCHMARK(bench_distance_cold)->Apply(vertex_counts);
BENCHMARK(bench_distance_coherent)->Apply(vertex_counts);
BENCHMARK(bench_fcl_cold)->Apply(vertex_counts);
BENCHMARK(bench_fcl_coherent)->Apply(vertex_counts);

}  // namespace
