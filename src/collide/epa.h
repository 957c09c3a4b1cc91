// The shortest separating translation of two overlapping (or barely touching) cores. A polytope is
// grown inside the Minkowski difference, always beyond the facet nearest to the origin, until that
// facet belongs to the difference itself (van den Bergen's expanding polytope algorithm). Facet
// offsets are signed here, so the origin may also lie on the surface or slightly outside.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "collide/gjk.h"
#include "collide/separation.h"

namespace tenpin::collide {

class Epa {
 public:
  // Computes the separation. Ends when the upper and lower bounds agree to within `tolerance` (m),
  // or at an iteration limit. Exact for polytopes. For curved cores, once a facet is close to the
  // surface, the best direction near it is solved for and its foot is added to the polytope, which
  // is then as accurate there as the surface itself. `simplex` holds points of the difference from
  // which to start. Reuses its buffers.
  [[nodiscard]] Separation solve(double tolerance, const GjkSimplex& simplex, CorePair* pair);

 private:
  struct Facet {
    std::array<int, 3> v = {};       // counter-clockwise from outside
    std::array<int, 3> across = {};  // the facet across the edge v[i] -> v[i + 1]
    Vec3 normal = Vec3::Zero();      // -   outward unit
    double offset = 0.0;             // m
    bool alive = true;
  };
  struct Ridge {
    int facet = 0;  // index of a facet outside the hole
    int edge = 0;   // the edge of that facet on the side of the hole
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
  // offsets and facets, smallest first; some facets no longer exist
  std::vector<std::pair<double, int>> heap_;
  std::vector<Ridge> horizon_;
  std::vector<std::array<int, 2>> stack_;
};

}  // namespace tenpin::collide
