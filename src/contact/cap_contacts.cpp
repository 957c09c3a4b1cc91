#include "contact/cap_contacts.h"

#include <algorithm>
#include <span>

#include "collide/features.h"
#include "contact/finder.h"
#include "contact/tolerances.h"

namespace tenpin::contact {

namespace {

using collide::FeatureKind;

FeatureKind kind_of(std::uint32_t feature) {
  return collide::feature_kind(feature);
}

// A shape with caps that is one body of a pair.
struct Cap {
  shapes::Rims rims;
  Pose X_WS;
  bool is_a = false;

  std::uint32_t& feature(Contact* c) const { return is_a ? c->key.feature_a : c->key.feature_b; }
  bool meets_face(const Contact& c) const {
    return kind_of(is_a ? c.key.feature_b : c.key.feature_a) == FeatureKind::kFace;
  }
  bool is(FeatureKind kind, const Contact& c) const {
    return kind_of(is_a ? c.key.feature_a : c.key.feature_b) == kind && meets_face(c);
  }
};

Cap make_cap(const dynamics::Model& model, const std::vector<Pose>& X_WB, int part, bool is_a) {
  const dynamics::Part& of = model.parts[part];
  return {.rims = shapes::find_rims(of.placed.shape),
          .X_WS = X_WB[of.body] * of.placed.X_BS,
          .is_a = is_a};
}

// Replaces a fixed point that is as low as the lowest point of the rim, or at the same place, by
// that lowest point. Returns false if no point is, because the lowest point lies beyond the face.
bool become_lowest(const Cap& cap, Contact* c) {
  constexpr double kMerged = 1e-5;  // -   of the size: the narrow phase merges points this near
  const bool is_lower_rim = collide::feature_index(cap.feature(c)) < collide::kNumRimMarks;
  const double half = cap.rims.half_length;
  const Vec3 axis = cap.X_WS.R.col(2);
  const Vec3 down = cap.is_a ? c->normal : Vec3(-c->normal);
  Vec3 radial = (down - axis * axis.dot(down)).normalized();
  radial = (radial - axis * axis.dot(radial)).normalized();  // a small tilt magnifies rounding
  const Vec3 centre = cap.X_WS.p + (is_lower_rim ? -half : half) * axis;
  const Vec3 shift = centre + cap.rims.radius * radial - (cap.is_a ? c->p_a : c->p_b);
  const double size = cap.rims.radius + half;
  if (down.dot(shift) > kSamePoint * size && shift.norm() > kMerged * size) return false;
  c->p_a += shift - down * down.dot(shift);
  c->p_b += shift - down * down.dot(shift);
  cap.feature(c) = collide::make_feature(FeatureKind::kRim, is_lower_rim ? 0 : 1);
  return true;
}

// Moves the points of the pair that count as contacts to the front, and returns their number.
std::size_t choose_points(const Cap& cap, double flat, std::span<Contact> pair) {
  const auto is_mark = [&](const Contact& c) {
    return cap.is(FeatureKind::kRimMark, c);
  };
  const auto is_rim = [&](const Contact& c) {
    return cap.is(FeatureKind::kRim, c);
  };
  const auto drop = [&](const auto& unwanted) {
    return static_cast<std::size_t>(std::remove_if(pair.begin(), pair.end(), unwanted) -
                                    pair.begin());
  };
  if (std::none_of(pair.begin(), pair.end(), is_mark)) return pair.size();
  const double sine = cap.X_WS.R.col(2).cross(pair.front().normal).norm();
  if (2.0 * cap.rims.radius * sine <= flat) return drop(is_rim);
  if (std::none_of(pair.begin(), pair.end(), is_rim)) {
    const auto lowest =
        std::min_element(pair.begin(), pair.end(), [&](const auto& c, const auto& d) {
          return is_mark(c) != is_mark(d) ? is_mark(c) : c.gap < d.gap;
        });
    if (!become_lowest(cap, &*lowest) && std::all_of(pair.begin(), pair.end(), is_mark)) {
      std::iter_swap(pair.begin(), lowest);
      return 1;
    }
  }
  return drop(is_mark);
}

}  // namespace

void choose_cap_points(const dynamics::Model& model, const std::vector<Pose>& X_WB, double flat,
                       std::vector<Contact>* contacts) {
  auto end = contacts->begin();
  for (std::span<Contact> rest = *contacts; !rest.empty();) {
    std::span<Contact> pair = first_pair(rest);
    rest = rest.subspan(pair.size());
    const ContactKey key = pair.front().key;
    for (const bool is_a : {true, false}) {
      if (pair.front().kind != ContactKind::kSurface) continue;
      const Cap cap = make_cap(model, X_WB, is_a ? key.part_a : key.part_b, is_a);
      if (cap.rims.count > 0) pair = pair.first(choose_points(cap, flat, pair));
    }
    end = std::move(pair.begin(), pair.end(), end);
  }
  contacts->erase(end, contacts->end());
}

}  // namespace tenpin::contact
