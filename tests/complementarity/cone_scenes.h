// Friction problems of small worlds: rigid bodies, points where they touch, joints; one time step.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "complementarity/cone/cone_problem.h"
#include "complementarity/draw.h"
#include "math/types.h"

namespace tenpin::complementarity::cone {

using Mat46 = Eigen::Matrix<double, 4, 6>;  // the last row only where spin is resisted

// Bodies by number; -1 is the ground.
class ConeScene {
 public:
  int add_body(double mass, const Vec3& inertia, const Vec3& p, const Vec3& v, const Vec3& w) {
    Body body;
    body.M_inv << 1.0 / mass, 1.0 / mass, 1.0 / mass, inertia.cwiseInverse();
    body.p = p;
    body.v << v, w;
    bodies_.push_back(body);
    return static_cast<int>(bodies_.size()) - 1;
  }
  const Vec3& position(int body) const { return bodies_[body].p; }

  // The normal points from a to b; u is the velocity of b against a. A patch of radius `torsion`
  // resists spin.
  void add_contact(int a, int b, const Vec3& p, const Vec3& normal, double mu, double bias = 0.0,
                   double torsion = 0.0) {
    const Vec3 n = normal.normalized();
    const Vec3 axis = std::fabs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 t1 = n.cross(axis).normalized();
    Mat3 R;
    R << n.transpose(), t1.transpose(), n.cross(t1).transpose();
    Block& block = blocks_.emplace_back();
    block.body[0] = a;
    block.body[1] = b;
    block.mu = mu;
    block.bias.x() = bias;
    set_jacobian(R, p, &block);
    if (torsion == 0.0) return;
    block.size = 4;
    if (a >= 0) block.J[0].row(3).tail<3>() = -torsion * n.transpose();
    if (b >= 0) block.J[1].row(3).tail<3>() = torsion * n.transpose();
  }
  // A ball joint: three free rows.
  void add_joint(int a, int b, const Vec3& p) {
    Block& block = blocks_.emplace_back();
    block.body[0] = a;
    block.body[1] = b;
    block.is_contact = false;
    set_jacobian(Mat3::Identity(), p, &block);
  }

  // Contacts in the order they were added, joints after them.
  ConeProblem make_problem() const {
    std::vector<const Block*> order;
    for (const bool contacts : {true, false}) {
      for (const Block& block : blocks_) {
        if (block.is_contact == contacts) order.push_back(&block);
      }
    }
    std::vector<double> mu;
    std::vector<int> sizes;
    std::vector<std::vector<int>> touching(bodies_.size());
    for (int a = 0; a < static_cast<int>(order.size()); ++a) {
      mu.push_back(order[a]->mu);
      sizes.push_back(order[a]->size);
      for (const int body : order[a]->body) {
        if (body >= 0) touching[body].push_back(a);
      }
    }
    std::vector<std::pair<int, int>> pairs;
    for (const std::vector<int>& blocks : touching) {
      for (const int a : blocks) {
        for (const int b : blocks) pairs.emplace_back(a, b);
      }
    }
    ConeProblem problem;
    set_contacts(mu, sizes, pairs, &problem);
    for (int a = 0; a < static_cast<int>(order.size()); ++a) {
      if (!order[a]->is_contact) problem.kind[a] = BlockKind::kFree;
      add_rows(order, a, &problem);
    }
    return problem;
  }

 private:
  struct Body {
    Vec6 M_inv, v;
    Vec3 p;
  };
  struct Block {
    int body[2] = {-1, -1};
    int size = 3;
    Mat46 J[2] = {Mat46::Zero(), Mat46::Zero()};
    double mu = 0.0;
    bool is_contact = true;
    Vec3 bias = Vec3::Zero();
  };

  void set_jacobian(const Mat3& R, const Vec3& p, Block* block) const {
    for (int side = 0; side < 2; ++side) {
      const int body = block->body[side];
      if (body < 0) continue;
      const Vec3 arm = p - bodies_[body].p;
      Mat3 cross;
      cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
      block->J[side].topRows<3>() << R, -R * cross;
      if (side == 0) block->J[side] = -block->J[side];
    }
  }

  void add_rows(const std::vector<const Block*>& order, int a, ConeProblem* problem) const {
    Eigen::Vector4d q = Eigen::Vector4d::Zero();
    q.head<3>() = order[a]->bias;
    for (int i = 0; i < 2; ++i) {
      const int body = order[a]->body[i];
      if (body >= 0) q += order[a]->J[i] * bodies_[body].v;
    }
    for (int k = 0; k < order[a]->size; ++k) problem->q[problem->W.first_row[a] + k] = q[k];
    for (int e = problem->W.row_begin[a]; e < problem->W.row_begin[a + 1]; ++e) {
      const Block& other = *order[problem->W.col[e]];
      Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          const int body = order[a]->body[i];
          if (body < 0 || body != other.body[j]) continue;
          W += order[a]->J[i] * bodies_[body].M_inv.asDiagonal() * other.J[j].transpose();
        }
      }
      Eigen::Map<MatX>(problem->W.entry(e), order[a]->size, other.size) =
          W.topLeftCorner(order[a]->size, other.size);
    }
  }

  std::vector<Body> bodies_;
  std::vector<Block> blocks_;
};

inline Vec3 draw_vector(Draw* draw, double size) {
  const double x = draw->uniform(-size, size);
  const double y = draw->uniform(-size, size);
  return {x, y, draw->uniform(-size, size)};
}

inline Vec3 draw_direction(Draw* draw) {
  for (;;) {
    const Vec3 v = draw_vector(draw, 1.0);
    if (v.squaredNorm() > 0.01 && v.squaredNorm() <= 1.0) return v.normalized();
  }
}

// Masses over `decades` powers of ten.
inline double draw_mass(Draw* draw, double decades) {
  double mass = 1.0;
  const double exponent = draw->uniform(-0.5 * decades, 0.5 * decades);
  for (int k = 0; k < 16; ++k) mass *= 1.0 + exponent * 2.302585 / 16.0 * (exponent > 0 ? 1 : 0.5);
  return mass;
}

// Bodies that touch at random points with random normals: no geometry holds it together.
inline ConeProblem make_random_heap(int num_bodies, int num_contacts, double decades, double max_mu,
                                    Draw* draw, double torsion = 0.0) {
  ConeScene scene;
  for (int i = 0; i < num_bodies; ++i) {
    const double mass = draw_mass(draw, decades);
    const double j = mass * draw->uniform(0.05, 0.5);
    scene.add_body(mass, {j, j * draw->uniform(0.6, 1.0), j * draw->uniform(0.6, 1.0)},
                   draw_vector(draw, 1.0), draw_vector(draw, 1.0), draw_vector(draw, 1.0));
  }
  for (int k = 0; k < num_contacts; ++k) {
    const int b = draw->integer(0, num_bodies - 1);
    int a = draw->integer(-1, num_bodies - 1);
    if (a == b) a = -1;
    const Vec3 p = scene.position(b) + draw_vector(draw, 0.7);
    const double mu = draw->chance(0.1) ? 0.0 : draw->uniform(0.0, max_mu);
    const Vec3 normal = draw_direction(draw);
    const bool resists = torsion > 0.0 && draw->chance(0.7);
    scene.add_contact(a, b, p, normal, mu, 0.0, resists ? draw->uniform(0.0, torsion) : 0.0);
  }
  return scene.make_problem();
}

// Boxes on top of each other, four contacts each: hyperstatic. The masses grow upwards by `ratio`
// from bottom to top; a sideways push starts them.
inline ConeProblem make_stack(int height, double ratio, double mu, const Vec3& push) {
  ConeScene scene;
  const double h = 0.01;
  for (int i = 0; i < height; ++i) {
    const double mass = 1.0 + (ratio - 1.0) * i / std::max(1, height - 1);
    scene.add_body(mass, mass * Vec3(1.0, 1.0, 1.0) / 6.0, {0.0, 0.0, i + 0.5},
                   Vec3(0.0, 0.0, -9.81 * h) + push, Vec3::Zero());
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        scene.add_contact(i - 1, i, {x, y, static_cast<double>(i)}, Vec3::UnitZ(), mu);
      }
    }
  }
  return scene.make_problem();
}

// Balls on a jittered close-packed grid, falling on each other and the ground.
inline ConeProblem make_ball_pack(int nx, int ny, int nz, double mu, double decades, Draw* draw,
                                  double torsion = 0.0) {
  ConeScene scene;
  std::vector<Vec3> centres;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const double shift = 0.5 * (k % 2);
        centres.push_back(Vec3(i + shift, j + shift, 0.5 + 0.70710678 * k) +
                          draw_vector(draw, 0.02));
        const double mass = draw_mass(draw, decades);
        scene.add_body(mass, Vec3::Constant(0.1 * mass), centres.back(),
                       Vec3(0.0, 0.0, -0.1) + draw_vector(draw, 0.05), draw_vector(draw, 0.05));
      }
    }
  }
  for (int b = 0; b < static_cast<int>(centres.size()); ++b) {
    if (centres[b].z() < 0.6) {
      scene.add_contact(-1, b, centres[b] - Vec3(0, 0, centres[b].z()), Vec3::UnitZ(), mu, 0.0,
                        torsion);
    }
    for (int a = 0; a < b; ++a) {
      const Vec3 d = centres[b] - centres[a];
      if (d.norm() > 1.04) continue;
      scene.add_contact(a, b, 0.5 * (centres[a] + centres[b]), d, mu, 0.0, torsion);
    }
  }
  return scene.make_problem();
}

// A hanging chain of ball joints, optionally closed at both ends, that lies on contacts.
inline ConeProblem make_chain(int num_links, bool closed, double mu, Draw* draw) {
  ConeScene scene;
  for (int i = 0; i < num_links; ++i) {
    scene.add_body(1.0, {0.1, 0.1, 0.02}, {i + 0.5, 0.0, 0.1}, Vec3(0, 0, -0.1),
                   draw_vector(draw, 0.2));
    scene.add_joint(i - 1, i, {static_cast<double>(i), 0.0, 0.1});
    scene.add_contact(-1, i, {i + 0.5, 0.05, 0.0}, Vec3::UnitZ(), mu);
    scene.add_contact(-1, i, {i + 0.5, -0.05, 0.0}, Vec3::UnitZ(), mu);
  }
  if (closed) scene.add_joint(num_links - 1, -1, {static_cast<double>(num_links), 0.0, 0.1});
  return scene.make_problem();
}

}  // namespace tenpin::complementarity::cone
