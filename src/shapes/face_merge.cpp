#include "shapes/face_merge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

namespace tenpin::shapes {
namespace {

// Facets, and for each of their sides the facet on the other side. Sides are numbered consecutively
// over all facets.
struct Facets {
  std::span<const Vec3> points;
  const std::vector<Polygon>& polygons;
  std::vector<int> side_begin;  // facet f owns sides side_begin[f] .. side_begin[f+1]
  std::vector<int> across;      // per side, the facet on its other side
};

// Finds for each side the facet across it. Returns nothing unless every side has exactly one twin
// in the opposite direction.
std::optional<std::vector<int>> match_sides(const std::vector<Polygon>& polygons) {
  struct Side {
    std::int64_t edge;  // both ends, the smaller first: the same for twins
    bool ascending;
    int facet;
    int number;
  };
  std::vector<Side> sides;
  for (int f = 0; f < static_cast<int>(polygons.size()); ++f) {
    for (std::size_t k = 0; k < polygons[f].size(); ++k) {
      const std::int64_t a = polygons[f][k];
      const std::int64_t b = polygons[f][(k + 1) % polygons[f].size()];
      sides.push_back(
          {std::min(a, b) << 32 | std::max(a, b), a < b, f, static_cast<int>(sides.size())});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.number < b.number;
  });
  std::vector<int> across(sides.size(), -1);
  for (std::size_t k = 0; k < sides.size(); k += 2) {
    const bool twins = k + 1 < sides.size() && sides[k].edge == sides[k + 1].edge &&
                       sides[k].ascending != sides[k + 1].ascending &&
                       (k + 2 == sides.size() || sides[k + 2].edge != sides[k].edge);
    if (!twins) {
      return std::nullopt;
    }
    across[sides[k].number] = sides[k + 1].facet;
    across[sides[k + 1].number] = sides[k].facet;
  }
  return across;
}

bool lies_in_plane(const Facets& facets, int f, const Vec3& normal, const Vec3& point,
                   double tolerance) {
  return std::all_of(facets.polygons[f].begin(), facets.polygons[f].end(), [&](int v) {
    return std::fabs(normal.dot(facets.points[v] - point)) <= tolerance;
  });
}

void grow(const Facets& facets, int seed, double tolerance, std::vector<int>* region) {
  const Vec3 area = calc_area_vector(facets.points, facets.polygons[seed]);
  const Vec3 normal = area / area.norm();
  const Vec3& point = facets.points[facets.polygons[seed][0]];
  std::vector<int> front = {seed};
  (*region)[seed] = seed;
  while (!front.empty()) {
    const int f = front.back();
    front.pop_back();
    for (int k = facets.side_begin[f]; k < facets.side_begin[f + 1]; ++k) {
      const int g = facets.across[k];
      if ((*region)[g] < 0 && lies_in_plane(facets, g, normal, point, tolerance)) {
        (*region)[g] = seed;
        front.push_back(g);
      }
    }
  }
}

// Finds for each facet the seed facet of its face. Larger facets come first, because their planes
// are the most accurate.
std::vector<int> assign_regions(const Facets& facets, double tolerance) {
  const int num = static_cast<int>(facets.polygons.size());
  std::vector<double> area(num);
  for (int f = 0; f < num; ++f) {
    area[f] = calc_area_vector(facets.points, facets.polygons[f]).squaredNorm();
  }
  std::vector<int> order(num);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return area[a] != area[b] ? area[a] > area[b] : facets.polygons[a] < facets.polygons[b];
  });
  std::vector<int> region(num, -1);
  for (const int f : order) {
    if (region[f] < 0 && tolerance > 0.0 && area[f] > 0.0) {
      grow(facets, f, tolerance, &region);
    } else if (region[f] < 0) {
      region[f] = f;
    }
  }
  return region;
}

struct Border {
  int region = 0;  // on its left
  int from = 0, to = 0;
};

// The sides between two regions, region by region and sorted by their start.
std::vector<Border> list_borders(const Facets& facets, const std::vector<int>& region) {
  std::vector<Border> borders;
  for (std::size_t f = 0; f < facets.polygons.size(); ++f) {
    const Polygon& polygon = facets.polygons[f];
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      if (region[f] != region[facets.across[facets.side_begin[f] + k]]) {
        borders.push_back({region[f], polygon[k], polygon[(k + 1) % polygon.size()]});
      }
    }
  }
  std::sort(borders.begin(), borders.end(), [](const Border& a, const Border& b) {
    return std::tie(a.region, a.from, a.to) < std::tie(b.region, b.from, b.to);
  });
  return borders;
}

// Counts how many regions meet at each point: the number of borders that start there.
std::vector<int> count_regions(std::size_t num_points, const std::vector<Border>& borders) {
  std::vector<int> count(num_points, 0);
  for (const Border& border : borders) {
    ++count[border.from];
  }
  return count;
}

// Walks the borders of one region (sorted by `from`) into a single loop through its corners.
std::optional<Polygon> walk_loop(std::span<const Border> borders, const std::vector<int>& count) {
  Polygon loop;
  const int start = borders.front().from;
  int at = start;
  std::size_t steps = 0;
  do {
    if (count[at] >= 3) {
      loop.push_back(at);
    }
    const auto next =
        std::lower_bound(borders.begin(), borders.end(), at, [](const Border& a, int from) {
          return a.from < from;
        });
    const bool pinched = next == borders.end() || next->from != at ||
                         (next + 1 != borders.end() && (next + 1)->from == at);
    if (pinched || ++steps > borders.size()) {
      return std::nullopt;
    }
    at = next->to;
  } while (at != start);
  const bool whole = steps == borders.size() && loop.size() >= 3;
  return whole ? std::optional(loop) : std::nullopt;
}

}  // namespace

Vec3 calc_area_vector(std::span<const Vec3> points, std::span<const int> polygon) {
  Vec3 area = Vec3::Zero();
  const Vec3& origin = points[polygon[0]];
  for (std::size_t k = 2; k < polygon.size(); ++k) {
    area += (points[polygon[k - 1]] - origin).cross(points[polygon[k]] - origin);
  }
  return area;
}

std::optional<std::vector<Polygon>> merge_faces(std::span<const Vec3> points,
                                                const std::vector<Polygon>& facets,
                                                double tolerance) {
  auto across = match_sides(facets);
  if (!across) {
    return std::nullopt;
  }
  Facets adjacent = {points, facets, {0}, std::move(*across)};
  for (const Polygon& facet : facets) {
    adjacent.side_begin.push_back(adjacent.side_begin.back() + static_cast<int>(facet.size()));
  }
  const std::vector<Border> borders = list_borders(adjacent, assign_regions(adjacent, tolerance));
  const std::vector<int> count = count_regions(points.size(), borders);
  std::vector<Polygon> faces;
  for (std::size_t begin = 0; begin < borders.size();) {
    std::size_t end = begin;
    while (end < borders.size() && borders[end].region == borders[begin].region) {
      ++end;
    }
    auto loop = walk_loop(std::span(borders).subspan(begin, end - begin), count);
    if (!loop) {
      return std::nullopt;
    }
    faces.push_back(std::move(*loop));
    begin = end;
  }
  return faces.size() >= 4 && match_sides(faces) ? std::optional(faces) : std::nullopt;
}

}  // namespace tenpin::shapes
