#include "shapes/convex_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "shapes/certify_convex.h"

namespace tenpin::shapes {
namespace {

using Points = std::vector<Vec3>;

Points make_box_corners(const Vec3& half) {
  Points points;
  for (int i = 0; i < 8; ++i) {
    points.emplace_back((i & 1 ? half.x() : -half.x()), (i & 2 ? half.y() : -half.y()),
                        (i & 4 ? half.z() : -half.z()));
  }
  return points;
}

Vec3 random_point(const RandomStream& random, std::uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1),
          random.uniform(3 * i + 2, -1, 1)};
}

Points make_sphere(int num, std::uint64_t seed) {
  const RandomStream random(seed);
  Points points;
  for (std::uint64_t i = 0; static_cast<int>(points.size()) < num; ++i) {
    const Vec3 p = random_point(random, i);
    if (p.norm() > 0.1 && p.norm() < 1.0) {
      points.push_back(p.normalized());
    }
  }
  return points;
}

double calc_size(const Points& points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return (upper - lower).maxCoeff();
}

// The hull, certified again here against the documented tolerance.
std::shared_ptr<const ConvexMesh> make_certified(const Points& points) {
  const auto mesh = make_convex_hull(points);
  const ConvexCertificate certificate = certify_convex(*mesh, points);
  EXPECT_TRUE(certificate.holds(4.1 * kHullTolerance * calc_size(points)))
      << certificate.defect << " " << certificate.unevenness << " " << certificate.concavity << " "
      << certificate.dent << " " << certificate.outside;
  return mesh;
}

std::string error_of(const Points& points) {
  try {
    (void)make_convex_hull(points);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConvexHull, BoxHasSixExactQuads) {
  const Points corners = make_box_corners(Vec3(1, 2, 3));
  const auto mesh = make_certified(corners);
  EXPECT_EQ(mesh->vertices, corners);  // in input order, bit for bit
  ASSERT_EQ(mesh->num_faces(), 6);
  EXPECT_EQ(mesh->edges.size(), 12U);
  for (int f = 0; f < 6; ++f) {
    EXPECT_EQ(mesh->face(f).size(), 4U);
    EXPECT_EQ(mesh->normals[f].cwiseAbs().sum(), 1.0);
    EXPECT_EQ(mesh->face(f)[0], *std::min_element(mesh->face(f).begin(), mesh->face(f).end()));
  }
  EXPECT_EQ(std::vector<int>(mesh->neighbours.begin(), mesh->neighbours.begin() + 3),
            (std::vector<int>{1, 2, 4}));
}

TEST(ConvexHull, TurnedBoxesStaySixQuadsAtEverySizeAndPlace) {
  const RandomStream random(1);
  for (int i = 0; i < 300; ++i) {
    const Mat3 R = to_matrix(exp_map(3.0 * random_point(random, 3 * i)));
    const double size = std::ldexp(1.0, static_cast<int>(random.index(9 * i + 5, 32)) - 25);
    const Vec3 shift = 1000.0 * size * random_point(random, 3 * i + 2);
    Points points;
    for (const Vec3& p : make_box_corners(size * Vec3(1.0, 0.3, 0.01))) {
      points.push_back(R * p + shift);
    }
    const auto mesh = make_certified(points);
    EXPECT_EQ(mesh->num_vertices(), 8) << i;
    EXPECT_EQ(mesh->num_faces(), 6) << i;
  }
}

TEST(ConvexHull, SinglePrecisionBoxesHaveSixFaces) {
  const RandomStream random(2);
  for (int i = 0; i < 300; ++i) {
    const Mat3 R = to_matrix(exp_map(3.0 * random_point(random, 2 * i)));
    Points points;
    for (const Vec3& p : make_box_corners(Vec3(1.0, 0.5, 0.2))) {
      points.push_back((R * p).cast<float>().cast<double>());
    }
    const auto mesh = make_certified(points);
    EXPECT_EQ(mesh->num_vertices(), 8) << i;
    EXPECT_EQ(mesh->num_faces(), 6) << i;
  }
}

TEST(ConvexHull, PrismWithManySidesHasTwoPolygonFaces) {
  for (const int sides : {3, 5, 64, 1000}) {
    Points points;
    for (int i = 0; i < sides; ++i) {
      const SinCos a = sin_cos(2.0 * kPi * i / sides);
      points.emplace_back(a.cos, a.sin, -0.5);
      points.emplace_back(a.cos, a.sin, 0.5);
    }
    const auto mesh = make_certified(points);
    EXPECT_EQ(mesh->num_vertices(), 2 * sides);
    EXPECT_EQ(mesh->num_faces(), sides + 2);
    int num_polygons = 0;
    for (int f = 0; f < mesh->num_faces(); ++f) {
      num_polygons += static_cast<int>(mesh->face(f).size()) == sides ? 1 : 0;
    }
    EXPECT_EQ(num_polygons, sides == 4 ? 6 : 2) << sides;
  }
}

TEST(ConvexHull, InnerCoplanarAndDuplicatePointsVanish) {
  Points points = make_box_corners(Vec3::Ones());
  const RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    Vec3 p = random_point(random, i);
    if (i % 3 == 0) {
      p.z() = 1.0;  // within a face
    } else if (i % 3 == 1) {
      p.x() = p.y() = -1.0;  // on an edge
    }
    points.push_back(p);
    points.push_back(points[i % 8]);
    points.push_back(points[i % 8] + 1e-8 * random_point(random, 1000 + i));
  }
  const auto mesh = make_certified(points);
  EXPECT_EQ(mesh->num_vertices(), 8);
  EXPECT_EQ(mesh->num_faces(), 6);
}

TEST(ConvexHull, SevenOfFifteenCoplanarBecomeOneFace) {
  Points points;
  for (int i = 0; i < 7; ++i) {
    const SinCos a = sin_cos(1.0 + 2.0 * kPi * i / 7.0);
    points.emplace_back(a.cos, a.sin, 0.3);
  }
  const Points below = make_sphere(8, 4);
  for (const Vec3& p : below) {
    points.emplace_back(0.8 * p.x(), 0.8 * p.y(), -0.2 - std::fabs(p.z()));
  }
  const auto mesh = make_certified(points);
  const auto is_heptagon = [&](int f) {
    return mesh->face(f).size() == 7;
  };
  int num = 0;
  for (int f = 0; f < mesh->num_faces(); ++f) {
    num += is_heptagon(f) ? 1 : 0;
  }
  EXPECT_EQ(num, 1);
}

TEST(ConvexHull, SpheresKeepNearlyAllPoints) {
  const Points points = make_sphere(20'000, 5);
  const auto mesh = make_certified(points);
  EXPECT_GT(mesh->num_vertices(), 19'900);
}

TEST(ConvexHull, ShuffledPointsGiveTheSameBody) {
  Points points = make_sphere(300, 6);
  const auto mesh = make_certified(points);
  std::reverse(points.begin(), points.end());
  const auto reversed = make_certified(points);
  ASSERT_EQ(mesh->num_vertices(), reversed->num_vertices());
  EXPECT_EQ(mesh->edges.size(), reversed->edges.size());
  EXPECT_EQ(mesh->vertices.front(), reversed->vertices.back());
}

TEST(ConvexHull, RandomCloudsAreCertified) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomStream random(seed, 7);
    const int num = 4 + static_cast<int>(random.index(0, 200));
    Points points;
    for (int i = 0; i < num; ++i) {
      Vec3 p = random_point(random, 10 + i);
      p.z() *= seed % 2 == 0 ? 1.0 : 1e-4;  // plates
      if (seed % 5 == 0) {
        p = (4.0 * p).array().round() / 4.0;  // many coplanar points
      }
      points.push_back(p);
    }
    const std::string error = [&] {
      try {
        make_certified(points);
      } catch (const InputError& thrown) {
        return std::string(thrown.what());
      }
      return std::string();
    }();
    // Rounded plates and a handful of rounded points may truly be flat.
    EXPECT_TRUE(error.empty() || (seed % 5 == 0 && error.find("flat") != std::string::npos))
        << seed << ": " << error;
  }
}

TEST(ConvexHull, BadCloudsAreNamed) {
  const double nan = std::nan("");
  Points points = make_box_corners(Vec3::Ones());
  EXPECT_NE(error_of({points[0], points[1], points[2]}).find("3 points"), std::string::npos);
  EXPECT_NE(error_of({}).find("0 points"), std::string::npos);
  EXPECT_NE(error_of(Points(9, Vec3(1, 2, 3))).find("equal"), std::string::npos);
  EXPECT_NE(error_of({points[0], points[0], points[1], points[1]}).find("line"), std::string::npos);
  points.resize(4);  // one face
  EXPECT_NE(error_of(points).find("flat: thickness 0 m, need >="), std::string::npos);
  points.emplace_back(0, 0, -1.0 + 1e-5);
  EXPECT_NE(error_of(points).find("flat"), std::string::npos);
  points.emplace_back(0, 0, nan);
  EXPECT_NE(error_of(points).find("point 5"), std::string::npos);
  points.back() = Vec3(0, 0, 1e8);
  EXPECT_NE(error_of(points).find("point 5"), std::string::npos);
  Points tiny = make_box_corners(Vec3::Constant(1e-10));
  EXPECT_NE(error_of(tiny).find("size"), std::string::npos);
  for (Vec3& p : tiny) {
    p = 10.0 * p + Vec3::Constant(1e7);  // lost in the rounding of the place
  }
  EXPECT_NE(error_of(tiny), "no error");
}

TEST(CertifyConvex, FindsWhatIsWrong) {
  const Points points = make_box_corners(Vec3::Ones());
  const auto mesh = make_convex_hull(points);
  EXPECT_TRUE(certify_convex(*mesh, points).holds(0.0));

  ConvexMesh dented = *mesh;
  dented.vertices[0] *= 0.9;
  EXPECT_GT(certify_convex(dented, {}).unevenness, 0.05);

  ConvexMesh shifted = *mesh;
  shifted.offsets[2] -= 0.1;
  EXPECT_NEAR(certify_convex(shifted, {}).concavity, 0.1, 1e-12);

  EXPECT_NEAR(certify_convex(*mesh, Points{Vec3(0, 1.5, 0.3)}).outside, 0.5, 1e-12);

  ConvexMesh open = *mesh;
  open.edges.pop_back();
  EXPECT_NE(certify_convex(open, points).defect, "");

  ConvexMesh flipped = *mesh;
  std::reverse(flipped.face_vertices.begin(), flipped.face_vertices.begin() + 4);
  EXPECT_NE(certify_convex(flipped, points).defect, "");

  ConvexMesh lonely = *mesh;
  lonely.neighbours[0] = 7;
  EXPECT_NE(certify_convex(lonely, points).defect, "");
}

}  // namespace
}  // namespace tenpin::shapes
