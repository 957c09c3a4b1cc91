// The least separating translation of two overlapping (or barely touching) cores: a polytope is
// grown inside the Minkowski difference, always beyond the facet nearest to the origin, until that
// facet is one of the difference itself (van den Bergen's expanding polytope). Facet offsets are
// signed here, so the origin may as well lie on the surface or slightly outside.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "collide/gjk.h"
#include "collide/separation.h"

namespace tenpin::collide {

class Epa {
 public:
  // Reuses its buffers. Ends when upper and lower bound agree within `tolerance` (m), or at a limit
  // of iterations. Exact for polytopes; between curved cores the best direction near a facet is
  // solved for as soon as the facet is close to the surface, and its foot joins the polytope, which
  // is then as good there as the surface itself.
  // `simplex`: some points of the difference to start from.
  [[nodiscard]] Separation solve(double tolerance, const GjkSimplex& simplex, CorePair* pair);

 private:
  struct Facet {
    std::array<int, 3> v = {};       // counter-clockwise from outside
    std::array<int, 3> across = {};  // the facet behind the edge v[i] -> v[i + 1]
    Vec3 normal = Vec3::Zero();      // -   outward unit
    double offset = 0.0;             // m
    bool alive = true;
  };
  struct Ridge {
    int facet = 0;  // outside the hole
    int edge = 0;   // its edge, towards the hole
  };

  void start(const GjkSimplex& simplex, CorePair* pair);
  void find_tetrahedron(CorePair* pair);
  int add_facet(int v0, int v1, int v2);
  int nearest_facet();
  bool expand(int seed, const MinkowskiPoint& point);
  void open_hole(int seed, const Vec3& w);
  bool close_hole(int apex);
  void set_witness(const Facet& facet, Separation* result) const;
  void visit_caps(CorePair* pair);
  bool polish(CorePair* pair);
  bool insert(const MinkowskiPoint& point);

  double tolerance_ = 0.0;
  Separation best_;
  std::vector<MinkowskiPoint> points_;
  std::vector<Facet> facets_;
  std::vector<std::pair<double, int>> heap_;  // offsets and facets, least first; some are dead
  std::vector<Ridge> horizon_;
  std::vector<std::array<int, 2>> stack_;
};

}  // namespace tenpin::collide
