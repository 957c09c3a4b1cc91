#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "complementarity/cone_scenes.h"

namespace tenpin::complementarity::cone {
namespace {

// W as a dense matrix.
MatX make_dense(const BlockMatrix& W) {
  MatX dense = MatX::Zero(W.num_rows(), W.num_rows());
  for (int a = 0; a < W.num_blocks(); ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
      const int b = W.col[e];
      dense.block(W.first_row[a], W.first_row[b], W.size(a), W.size(b)) =
          Eigen::Map<const MatX>(W.entry(e), W.size(a), W.size(b));
    }
  }
  return dense;
}

// The nearest point of the cone found by the geometry of its section through w: the ray of the cone
// nearest to w, or the tip.
Vec3 project_by_ray(const Vec3& w, double mu) {
  const double t = std::hypot(w[1], w[2]);
  if (t <= mu * w[0]) return w;
  const Vec3 ray = Vec3(1.0, t > 0 ? mu * w[1] / t : 0.0, t > 0 ? mu * w[2] / t : 0.0).normalized();
  return std::max(0.0, ray.dot(w)) * ray;
}

TEST(CertifyCone, AgreesWithPlainFormulas) {
  for (int seed = 0; seed < 50; ++seed) {
    Draw draw(3, seed);
    const ConeProblem problem = make_random_heap(4, 9, 2.0, 1.2, &draw);
    VecX r = VecX::Zero(problem.num_rows());
    for (double& x : r) x = draw.uniform(-1.0, 1.0);
    const VecX q = Eigen::Map<const VecX>(problem.q.data(), problem.num_rows());
    const VecX u = make_dense(problem.W) * r + q;
    double square = 0.0;
    double energy = 0.0;
    double q_energy = 0.0;
    for (int a = 0; a < problem.num_blocks(); ++a) {
      const Vec3 ra = r.segment<3>(3 * a);
      const Vec3 ua = u.segment<3>(3 * a);
      const double mu = problem.mu[a];
      const Vec3 uhat = ua + Vec3(mu * std::hypot(ua[1], ua[2]), 0.0, 0.0);
      square += (ra - project_by_ray(ra - uhat, mu)).squaredNorm();
      const double w = Eigen::Map<const Mat3>(problem.W.entry(problem.W.diagonal[a])).trace() / 3.0;
      energy += w * (ra - project_by_ray(ra - uhat / w, mu)).squaredNorm();
      q_energy += q.segment<3>(3 * a).squaredNorm() / w;
    }
    const ConeResidual residual = certify_cone(problem, {r.data(), static_cast<size_t>(r.size())});
    constexpr double kRoundOff = 1e-12;
    EXPECT_NEAR(residual.err_q * q.norm() / std::sqrt(square), 1.0, kRoundOff);
    EXPECT_NEAR(residual.err_sic * std::max({q.norm(), r.norm(), u.norm()}) / std::sqrt(square),
                1.0, kRoundOff);
    EXPECT_NEAR(residual.energy * std::sqrt(q_energy / energy), 1.0, kRoundOff);
  }
}

// A unit mass pressed on the ground, W = I.
ConeProblem make_block(double mu, const Vec3& q) {
  ConeProblem problem;
  const double list[] = {mu};
  set_structure(list, {}, {}, &problem);
  Eigen::Map<Mat3>(problem.W.entry(0)) = Mat3::Identity();
  Eigen::Map<Vec3>(problem.q.data()) = q;
  return problem;
}

TEST(CertifyCone, ExactAnswersHaveNoResidual) {
  // Sliding: q = (-1, 1, 0), mu = 1/2: r = (1, -1/2, 0), u = (0, 1/2, 0).
  const ConeProblem slides = make_block(0.5, {-1.0, 1.0, 0.0});
  const ConeResidual residual = certify_cone(slides, std::vector<double>{1.0, -0.5, 0.0});
  EXPECT_EQ(residual.err_q, 0.0);
  EXPECT_EQ(residual.energy, 0.0);
  EXPECT_EQ(residual.complementarity, 0.0);
  EXPECT_EQ(residual.friction_gain, 0.0);
  const ConeProblem opens = make_block(0.5, {1.0, 1.0, 0.0});
  EXPECT_EQ(certify_cone(opens, std::vector<double>{0.0, 0.0, 0.0}).err_q, 0.0);
}

TEST(CertifyCone, EachMeasureSeesItsOwnFault) {
  const ConeProblem problem = make_block(0.5, {-1.0, 1.0, 0.0});
  const auto certify = [&](double n, double t) {
    return certify_cone(problem, std::vector<double>{n, t, 0.0});
  };
  EXPECT_DOUBLE_EQ(certify(1.0, -1.0).cone_violation, 0.5);
  EXPECT_DOUBLE_EQ(certify(0.25, -0.125).penetration, 0.75);
  EXPECT_GT(certify(1.0, 0.5).friction_gain, 0.1);     // friction that drives
  EXPECT_GT(certify(2.0, -1.0).complementarity, 0.1);  // pushes apart what already parts
  for (const double n : {0.9, 1.1}) EXPECT_GT(certify(n, -0.5 * n).err_q, 0.01);
  EXPECT_FALSE(certify(std::numeric_limits<double>::quiet_NaN(), 0.0).finite);
}

TEST(CertifyCone, FreeRowsMustNotMove) {
  Draw draw(1);
  const ConeProblem problem = make_chain(3, false, 0.5, &draw);
  const std::vector<double> none(problem.num_rows(), 0.0);
  double square = 0.0;
  for (int i = 3 * problem.calc_num_contacts(); i < problem.num_rows(); ++i) {
    square += problem.q[i] * problem.q[i];
  }
  EXPECT_GT(square, 0.0);
  EXPECT_GT(certify_cone(problem, none).free_velocity, 0.1);
}

// A ball in a closing press has no answer: the reactions cancel and leave q, however huge they are.
TEST(CertifyCone, HugeReactionsHideNothing) {
  ConeProblem press;
  const double mu[] = {0.5, 0.5};
  const std::pair<int, int> both[] = {{0, 1}};
  set_structure(mu, {}, both, &press);
  for (int a = 0; a < 2; ++a) {
    for (int e = press.W.row_begin[a]; e < press.W.row_begin[a + 1]; ++e) {
      const double sign = press.W.col[e] == a ? 1.0 : -1.0;
      Eigen::Map<Mat3>(press.W.entry(e)) = sign * Mat3::Identity();
    }
  }
  press.q = {0.0, 0.0, 0.0, -1.0, 0.0, 0.0};
  for (const double n : {1.0, 1e10, 1e19, 1e30}) {
    const ConeResidual residual = certify_cone(press, std::vector<double>{n, 0, 0, n, 0, 0});
    EXPECT_DOUBLE_EQ(residual.err_q, 1.0) << n;
    EXPECT_DOUBLE_EQ(residual.energy, 1.0) << n;
  }
}

// Units of mass change err_q but not the measure without units.
TEST(CertifyCone, EnergyMeasureHasNoUnits) {
  Draw draw(5);
  ConeProblem problem = make_random_heap(3, 6, 0.0, 0.8, &draw);
  std::vector<double> r(problem.num_rows());
  for (double& x : r) x = draw.uniform(-0.1, 0.3);
  const ConeResidual before = certify_cone(problem, r);
  for (double& w : problem.W.values) w /= 1024.0;
  for (double& x : r) x *= 1024.0;
  const ConeResidual after = certify_cone(problem, r);
  EXPECT_NEAR(after.energy / before.energy, 1.0, 1e-12);
  EXPECT_GT(std::fabs(after.err_q / before.err_q - 1.0), 0.1);
}

}  // namespace
}  // namespace tenpin::complementarity::cone
