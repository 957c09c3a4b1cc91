#include "shapes/mass_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "math/trig.h"
#include "shapes/convex_mesh.h"

namespace tenpin::shapes {
namespace {

// Volume integrals of a solid: of 1, of x and of x x^T.
struct Moments {
  double volume = 0.0;             // m^3
  Vec3 center = Vec3::Zero();      // m
  Mat3 covariance = Mat3::Zero();  // m^5   integral of (x - center)(x - center)^T
};

Moments centered(double volume, const Vec3& squares) {
  return {.volume = volume, .covariance = Mat3((volume * squares).asDiagonal())};
}

// Uses, for a tetrahedron with one corner at the origin and the others at a, b, c, that the
// integral of x x^T is det/120 * (a a^T + b b^T + c c^T + s s^T) with s = a + b + c, and that of x
// is det/24 * s.
Moments calc_polyhedron_moments(const ConvexMesh& mesh) {
  Vec3 origin = Vec3::Zero();  // inside, so that all tetrahedra are positive and nothing cancels
  for (const Vec3& vertex : mesh.vertices) {
    origin += vertex / mesh.num_vertices();
  }
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int f = 0; f < mesh.num_faces(); ++f) {
    const auto face = mesh.face(f);
    const Vec3 a = mesh.vertices[face[0]] - origin;
    for (std::size_t k = 2; k < face.size(); ++k) {
      const Vec3 b = mesh.vertices[face[k - 1]] - origin;
      const Vec3 c = mesh.vertices[face[k]] - origin;
      const double det = a.dot(b.cross(c));
      const Vec3 s = a + b + c;
      volume += det / 6.0;
      first += det / 24.0 * s;
      second += det / 120.0 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  const Vec3 offset = first / volume;
  return {.volume = volume,
          .center = origin + offset,
          .covariance = second - volume * offset * offset.transpose()};
}

// Adds up the core box, a slab on each of its faces, a quarter of a cylinder along each of its
// edges and an eighth of a ball at each of its corners. `a` is the core's half edge along the axis
// whose square is integrated; b and c are the others.
Moments calc_rounded_box_moments(const Box& box) {
  const double r = box.radius;
  const Vec3 core = box.core_half();
  const double corners = 4.0 / 3.0 * kPi * r * r * r;
  double volume = 8.0 * core.prod() + corners;
  Vec3 integrals;
  for (int i = 0; i < 3; ++i) {
    const double a = core[i];
    const double b = core[(i + 1) % 3];
    const double c = core[(i + 2) % 3];
    volume += 8.0 * b * c * r + 2.0 * kPi * a * r * r;
    // Parts that span -a .. a, those that begin at a, and round ones that begin at a. The distance
    // u from there has the mean 4 r / (3 pi) and the mean square r^2 / 4 over half a disc, and
    // 3 r / 8 and r^2 / 5 over half a ball.
    const double spanning = 8.0 * a * b * c + 8.0 * a * (b + c) * r + 2.0 * kPi * a * r * r;
    integrals[i] = spanning * a * a / 3.0 + 8.0 * b * c * r * (a * a + a * r + r * r / 3.0) +
                   2.0 * kPi * (b + c) * r * r * (a * a + 8.0 * a * r / (3.0 * kPi) + r * r / 4.0) +
                   corners * (a * a + 0.75 * a * r + r * r / 5.0);
  }
  return {.volume = volume, .covariance = Mat3(integrals.asDiagonal())};
}

// For solids of revolution, `squares` are the means of x^2, y^2 and z^2 over the volume.
struct CalcMoments {
  Moments operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    return centered(4.0 / 3.0 * kPi * r * r * r, Vec3::Constant(r * r / 5.0));
  }
  Moments operator()(const Box& box) const {
    if (box.radius > 0.0) return calc_rounded_box_moments(box);
    return centered(8.0 * box.half.prod(), box.half.cwiseAbs2() / 3.0);
  }
  Moments operator()(const Ellipsoid& ellipsoid) const {
    return centered(4.0 / 3.0 * kPi * ellipsoid.semiaxes.prod(),
                    ellipsoid.semiaxes.cwiseAbs2() / 5.0);
  }
  Moments operator()(const Cylinder& cylinder) const {
    const double r = cylinder.radius;
    const double h = cylinder.half_length;
    return centered(2.0 * kPi * r * r * h, Vec3(r * r / 4.0, r * r / 4.0, h * h / 3.0));
  }
  // A cylinder and two hemispheres; for a hemisphere the mean of z is 3r/8 and that of z^2 is
  // r^2/5.
  Moments operator()(const Capsule& capsule) const {
    const double r = capsule.radius;
    const double h = capsule.half_length;
    const double tube = 2.0 * kPi * r * r * h;
    const double caps = 4.0 / 3.0 * kPi * r * r * r;
    const double across = tube * r * r / 4.0 + caps * r * r / 5.0;
    const double along = tube * h * h / 3.0 + caps * (r * r / 5.0 + h * (0.75 * r + h));
    return {.volume = tube + caps, .covariance = Mat3(Vec3(across, across, along).asDiagonal())};
  }
  // The centre is a quarter of the length above the base.
  Moments operator()(const Cone& cone) const {
    const double r = cone.radius;
    const double h = cone.half_length;
    Moments moments = centered(2.0 / 3.0 * kPi * r * r * h, 3.0 / 20.0 * Vec3(r * r, r * r, h * h));
    moments.center = Vec3(0.0, 0.0, -0.5 * h);
    return moments;
  }
  Moments operator()(const Plane& /*plane*/) const {
    throw InputError("a plane is infinite and has no mass: use it on fixed bodies only");
  }
  Moments operator()(const Bowl& /*bowl*/) const {
    throw InputError("a bowl is infinite and has no mass: use it on fixed bodies only");
  }
  Moments operator()(const TriangleSurface& /*surface*/) const {
    throw InputError("a surface of triangles has no mass: use it on fixed bodies only");
  }
  Moments operator()(const Polyhedron& polyhedron) const {
    return calc_polyhedron_moments(*polyhedron.mesh);
  }
};

Mat3 symmetric_part(const Mat3& A) {
  return 0.5 * (A + A.transpose());
}

Moments calc_moments(const PlacedShape& part) {
  const Moments own = std::visit(CalcMoments{}, part.shape);
  const Mat3& R = part.X_BS.R;
  return {.volume = own.volume,
          .center = part.X_BS * own.center,
          .covariance = symmetric_part(R * own.covariance * R.transpose())};
}

// One Jacobi rotation in the plane (p, q) that makes A(p, q) zero.
void rotate_away(int p, int q, Mat3* A, Mat3* axes) {
  const double a_pq = (*A)(p, q);
  if (a_pq == 0.0) {
    return;
  }
  const double theta = ((*A)(q, q) - (*A)(p, p)) / (2.0 * a_pq);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  Mat3 J = Mat3::Identity();
  J(p, p) = J(q, q) = c;
  J(p, q) = s;
  J(q, p) = -s;
  *A = J.transpose() * *A * J;
  (*A)(p, q) = (*A)(q, p) = 0.0;
  *axes = *axes * J;
}

// Moments in ascending order; the largest component of each of the first two axes is positive;
// right-handed.
PrincipalAxes canonical(const Vec3& moments, const Mat3& axes) {
  int order[3] = {0, 1, 2};
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)}) {
    if (moments[order[j]] < moments[order[i]]) {
      std::swap(order[i], order[j]);
    }
  }
  PrincipalAxes result;
  for (int k = 0; k < 3; ++k) {
    result.moments[k] = moments[order[k]];
    Vec3 axis = axes.col(order[k]);
    int largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    result.R.col(k) = axis[largest] < 0.0 ? Vec3(-axis) : axis;
  }
  result.R.col(2) = result.R.col(0).cross(result.R.col(1));
  return result;
}

}  // namespace

MassProperties calc_mass_properties(std::span<const PlacedShape> parts, double density) {
  TENPIN_REQUIRE(!parts.empty(), "a body without shapes has no mass: give mass and inertia");
  TENPIN_REQUIRE(density > 0.0 && std::isfinite(density),
                 fmt::format("density: got {}, want a positive number of kg/m^3", density));
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  for (const PlacedShape& part : parts) {
    const Moments moments = calc_moments(part);
    volume += moments.volume;
    first += moments.volume * moments.center;
  }
  const Vec3 center = first / volume;
  Mat3 covariance = Mat3::Zero();
  for (const PlacedShape& part : parts) {
    const Moments moments = calc_moments(part);
    const Vec3 arm = moments.center - center;  // parallel axis theorem
    covariance += moments.covariance + moments.volume * arm * arm.transpose();
  }
  // Each moment is the sum of the other two variances. Subtracting from the trace instead would
  // lose all digits for a thin needle.
  const Vec3 c = covariance.diagonal();
  Mat3 inertia = -covariance;
  inertia.diagonal() = Vec3(c[1] + c[2], c[2] + c[0], c[0] + c[1]);
  return {.mass = density * volume, .center = center, .inertia = density * symmetric_part(inertia)};
}

MassProperties with_mass(const MassProperties& properties, double mass) {
  return {.mass = mass,
          .center = properties.center,
          .inertia = properties.inertia * (mass / properties.mass)};
}

void validate_inertia(double mass, const Mat3& inertia) {
  TENPIN_REQUIRE(mass > 0.0 && std::isfinite(mass),
                 fmt::format("mass: got {:.17g}, want a positive number of kg", mass));
  TENPIN_REQUIRE(inertia.allFinite(), "inertia: every entry must be finite");
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  TENPIN_REQUIRE(asymmetry <= kInertiaSlack * inertia.cwiseAbs().maxCoeff(),
                 fmt::format("inertia: not symmetric, entries differ by {:.17g}", asymmetry));
  Vec3 m = principal_axes(symmetric_part(inertia)).moments;
  std::sort(m.data(), m.data() + 3);
  const auto describe = [&](const char* problem) {
    return fmt::format("inertia: {}, principal moments {:.17g}, {:.17g}, {:.17g} kg m^2", problem,
                       m[0], m[1], m[2]);
  };
  TENPIN_REQUIRE(m[0] > 0.0, describe("not positive definite"));
  TENPIN_REQUIRE(m[0] + m[1] >= m[2] * (1.0 - kInertiaSlack),
                 describe("no body has it, the largest moment exceeds the sum of the others"));
}

PrincipalAxes principal_axes(const Mat3& inertia) {
  Mat3 A = inertia;
  Mat3 axes = Mat3::Identity();
  const auto off_diagonal = [&A] {
    return std::fabs(A(0, 1)) + std::fabs(A(0, 2)) + std::fabs(A(1, 2));
  };
  if (off_diagonal() == 0.0) {
    return {.R = axes, .moments = A.diagonal()};
  }
  // Converges quadratically: a sweep or two after the off-diagonal entries become small, they are
  // zero.
  constexpr int kMaxSweeps = 30;
  for (int sweep = 0; sweep < kMaxSweeps && off_diagonal() > 0.0; ++sweep) {
    rotate_away(0, 1, &A, &axes);
    rotate_away(0, 2, &A, &axes);
    rotate_away(1, 2, &A, &axes);
  }
  return canonical(A.diagonal(), axes);
}

}  // namespace tenpin::shapes
