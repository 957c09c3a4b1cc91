#include "shapes/qhull.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/check.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace tenpin::shapes {
namespace {

// Owns the library's state and its error text.
class Hull {
 public:
  explicit Hull(std::span<const Vec3> points) : coordinates_(3 * points.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::copy(points[i].data(), points[i].data() + 3, &coordinates_[3 * i]);
    }
    messages_ = open_memstream(&text_, &text_size_);
    TENPIN_DEMAND(messages_ != nullptr);
    qh_zero(&state_, messages_);
    char command[] = "qhull Pp";  // Pp: no warnings about narrow hulls
    exit_code_ = qh_new_qhull(&state_, 3, static_cast<int>(points.size()), coordinates_.data(),
                              False, command, nullptr, messages_);
  }
  ~Hull() {
    qh_freeqhull(&state_, !qh_ALL);
    int num_long = 0;
    int size_long = 0;
    qh_memfreeshort(&state_, &num_long, &size_long);
    std::fclose(messages_);
    std::free(text_);
  }
  Hull(const Hull&) = delete;
  Hull& operator=(const Hull&) = delete;

  [[nodiscard]] bool failed() const { return exit_code_ != 0; }
  [[nodiscard]] std::string first_message() {
    std::fflush(messages_);
    const std::string all(text_, text_size_);
    return all.substr(0, all.find('\n'));
  }
  qhT* state() { return &state_; }

 private:
  qhT state_ = {};
  std::vector<double> coordinates_;
  FILE* messages_ = nullptr;
  char* text_ = nullptr;
  std::size_t text_size_ = 0;
  int exit_code_ = 0;
};

std::vector<int> read_facet(qhT* qh, facetT* facet, std::span<const Vec3> points) {
  std::vector<int> polygon;
  setT* corners = qh_facet3vertex(qh, facet);
  vertexT* vertex = nullptr;
  vertexT** vertexp = nullptr;
  FOREACHvertex_(corners) {
    polygon.push_back(qh_pointid(qh, vertex->point));
  }
  qh_settempfree(qh, &corners);
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    area += (points[polygon[k]] - points[polygon[0]])
                .cross(points[polygon[(k + 1) % polygon.size()]] - points[polygon[0]]);
  }
  if (area.dot(Vec3(facet->normal[0], facet->normal[1], facet->normal[2])) < 0.0) {
    std::reverse(polygon.begin(), polygon.end());
  }
  return polygon;
}

}  // namespace

std::vector<std::vector<int>> calc_hull_facets(std::span<const Vec3> points) {
  Hull hull(points);
  if (hull.failed()) {
    throw InputError("no convex hull: " + hull.first_message());
  }
  qhT* qh = hull.state();
  std::vector<std::vector<int>> facets;
  facetT* facet = nullptr;
  FORALLfacets {
    facets.push_back(read_facet(qh, facet, points));
  }
  return facets;
}

}  // namespace tenpin::shapes
