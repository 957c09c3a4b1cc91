#include "math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "base/rng.h"
#include "math/trig.h"

namespace tenpin {
namespace {

constexpr double kRounding = 2e-15;  // a few operations on numbers of size one

Vec3 random_vector(const RandomStream& random, std::uint64_t i, double size) {
  return {random.uniform(3 * i, -size, size), random.uniform(3 * i + 1, -size, size),
          random.uniform(3 * i + 2, -size, size)};
}

TEST(Rotation, SkewIsCrossProduct) {
  const Vec3 a(1, -2, 3), b(4, 5, -6);
  EXPECT_EQ(Vec3(skew(a) * b), a.cross(b));
}

TEST(Rotation, ExpMapTurnsAboutItsAxis) {
  const Vec3 turned = to_matrix(exp_map(Vec3(0, 0, kPi / 2))) * Vec3(1, 0, 0);
  EXPECT_NEAR((turned - Vec3(0, 1, 0)).norm(), 0.0, kRounding);
}

TEST(Rotation, ExpMapIsUnitAndLogMapInvertsItAtEveryScale) {
  const RandomStream random(5);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const double size = std::ldexp(1.8, -static_cast<int>(i % 300));
    const Vec3 rotation = random_vector(random, i, size);
    const Quat q = exp_map(rotation);
    EXPECT_NEAR(q.squaredNorm(), 1.0, kRounding);
    EXPECT_LT((log_map(q) - rotation).norm(), kRounding * rotation.norm()) << rotation.transpose();
    EXPECT_EQ(log_map(Quat(-q.w(), -q.x(), -q.y(), -q.z())), log_map(q));
  }
  EXPECT_EQ(exp_map(Vec3::Zero()).w(), 1.0);
}

// exp of the matrix skew(phi) by its own series, term by term, is code that exp_map does not share.
TEST(Rotation, ExpMapEqualsMatrixExponential) {
  const RandomStream random(6);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 rotation = random_vector(random, i, 1.8);
    Mat3 term = Mat3::Identity(), sum = Mat3::Identity();
    for (int k = 1; k < 40; ++k) {
      term = Mat3(term * skew(rotation) / k);
      sum += term;
    }
    EXPECT_LT((to_matrix(exp_map(rotation)) - sum).norm(), 20 * kRounding);  // the series cancels
  }
}

TEST(Rotation, MatrixAndQuaternionConvertBack) {
  const RandomStream random(7);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Quat q(random.uniform(4 * i, 0, 1), random.uniform(4 * i + 1, -1, 1),
           random.uniform(4 * i + 2, -1, 1), random.uniform(4 * i + 3, -1, 1));
    if (i % 3 == 0) {
      q.w() = 0.0;  // half turns
    }
    const Mat3 R = to_matrix(q);  // not normalised: to_matrix allows any length
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), kRounding);
    EXPECT_NEAR(R.determinant(), 1.0, kRounding);
    const Quat back = to_quaternion(R);
    EXPECT_GE(back.w(), 0.0);
    EXPECT_LT((to_matrix(back) - R).norm(), kRounding);
    EXPECT_NEAR(std::fabs(back.dot(q.normalized())), 1.0, kRounding);
  }
}

}  // namespace
}  // namespace tenpin
