// Finds contact points at the predicted poses. First the pairs whose bounds are near, in the order
// of the model's list; then the tests of these pairs, one lane each. Ballots place points in the
// order of pairs and tests, so that the result depends neither on the number of lanes nor on
// timing.
#pragma once

#include "batch/shape_points.h"

namespace tenpin::batch {

struct FoundContacts {
  int count;
  bool fits;  // true if no pair and no contact was dropped
};

// m   The largest gap at which a contact of the body takes part, equal to the stepper's reach.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real calc_margin(const World& w, const Pair& pair, Real speed) {
  const Model<Real>& model = *w.model;
  Real reach = Real(2e-3) * model.bodies[pair.b].radius;
  if (!World::is_fixed(pair.a)) reach = reach + Real(2e-3) * model.bodies[pair.a].radius;
  // Even a body that moves at the speed of the fastest one is found before it touches this body
  // within the step.
  return (reach + Real(2) * model.h * model.fall_speed) + model.h * speed;
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE Segment<Real> place_spine(const World& w, int b) {
  const Body<Real>& body = w.model->bodies[b];
  const Quaternion<Real> q = w.rotation(World::kQHat, b);
  return {w.body(World::kXHat, b) + turn(q, body.spine_centre), turn(q, body.spine_axis),
          body.spine_radius};
}

// A part in world axes; fixed parts are stored there.
template <class Real>
struct PlacedPart {
  Vector<Real> x;
  Quaternion<Real> q;
  bool is_loose;
};
template <class Real>
TENPIN_INLINE Segment<Real> place_segment(const Part<Real>& part, const PlacedPart<Real>& at) {
  if (!at.is_loose) return {part.centre, part.axis, part.radius};
  return {at.x + turn(at.q, part.centre), turn(at.q, part.axis), part.radius};
}
template <class Real>
TENPIN_INLINE Solid<Real> place_solid(const Model<Real>& model, const Part<Real>& part,
                                      const PlacedPart<Real>& at) {
  Solid<Real> solid = {part.kind,
                       part.centre,
                       part.axes,
                       part.half,
                       part.is_aligned != 0,
                       model.corners + part.corners_begin,
                       model.facets + part.facets_begin,
                       int(part.num_facets)};
  if (!at.is_loose) return solid;
  solid.centre = at.x + turn(at.q, part.centre);
  solid.axes = at.q * part.axes;
  solid.is_aligned = false;
  return solid;
}

// True if the bounds of the two bodies are within the margin. Bounds are spheres against fixed
// parts and capsules between loose bodies.
template <class World, class Real = typename World::Real>
TENPIN_INLINE bool is_near(const World& w, const Pair& pair, Real speed) {
  const Model<Real>& model = *w.model;
  const Real margin = calc_margin(w, pair, speed);
  const Vector<Real> x = w.body(World::kXHat, pair.b);
  const Real radius = model.bodies[pair.b].radius + margin;
  if (!World::is_fixed(pair.a)) {
    const Vector<Real> d = x - w.body(World::kXHat, pair.a);
    const Real far = radius + model.bodies[pair.a].radius;
    if (!(dot(d, d) < far * far)) return false;
    const Segment<Real> A = place_spine(w, pair.a), B = place_spine(w, pair.b);
    const Nearest<Real> n = find_nearest(A, B);
    const Vector<Real> between = (A.centre + n.s * A.axis) - (B.centre + n.t * B.axis);
    const Real reach = (A.radius + B.radius) + margin;
    return dot(between, between) < reach * reach;
  }
  const Part<Real>& part = model.parts[model.fixed_parts[pair.a - kFixedFlag]];
  if (part.kind == kPlane) return dot(part.axis, x - part.centre) < radius;
  if (part.kind != kRound) {
    const Solid<Real> solid = place_solid(model, part, {x, part.axes, false});
    const Vector<Real> outside = calc_outside(solid, solid.to_own(x - solid.centre));
    return dot(outside, outside) < radius * radius;
  }
  const Segment<Real> A = {part.centre, part.axis, part.radius};
  const Segment<Real> B = {x, {Real(0), Real(0), Real(0)}, Real(0)};
  const Vector<Real> d = (A.centre + find_nearest(A, B).s * A.axis) - x;
  const Real reach = radius + part.radius;
  return dot(d, d) < reach * reach;
}

// The contact point of a test of a plane and another part.
template <class Real>
TENPIN_INLINE Point<Real> meet_plane(const Model<Real>& model, const Part<Real>& plane,
                                     const Part<Real>& b, const PlacedPart<Real>& at_b, int which) {
  Vector<Real> p;
  Real radius = Real(0);
  if (b.kind == kRound) {
    const Segment<Real> B = place_segment(b, at_b);
    p = which == 0 ? B.centre - B.axis : B.centre + B.axis;
    radius = b.radius;
  } else {
    const Solid<Real> solid = place_solid(model, b, at_b);
    if (b.kind == kBox) {
      p = get_corner(solid, which);
    } else if (b.kind == kHull) {
      p = solid.centre + turn(solid.axes, solid.corners[which]);
    } else {
      const RimPoint<Real> rim = find_rim_point(solid, plane.axis, which);
      if (!rim.exists) return no_point<Real>();
      p = rim.position;
    }
  }
  return meet_plane_point(plane.centre, plane.axis, p, radius);
}

// The contact point of a test, with the normal from A to B. If B is the solid, both are exchanged.
template <class Real>
TENPIN_INLINE Point<Real> meet_parts(const Model<Real>& model, const Test& test,
                                     const PlacedPart<Real>& at_a, const PlacedPart<Real>& at_b,
                                     Real margin) {
  const Part<Real>& a = model.parts[test.part_a];
  const Part<Real>& b = model.parts[test.part_b];
  const int which = test.which;
  if (a.kind == kRound && b.kind == kRound) {
    return meet_rounds(place_segment(a, at_a), place_segment(b, at_b), which, margin);
  }
  if (a.kind == kPlane) return meet_plane(model, a, b, at_b, which);
  const bool is_swapped = a.kind == kRound;
  const Solid<Real> solid = place_solid(model, is_swapped ? b : a, is_swapped ? at_b : at_a);
  const Segment<Real> round = place_segment(is_swapped ? a : b, is_swapped ? at_a : at_b);
  Point<Real> point = meet_solid_round(solid, round, which, margin);
  if (is_swapped) {
    point.position = point.position + point.gap * point.normal;
    point.normal = -point.normal;
  }
  return point;
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE Point<Real> run_test(const World& w, const Pair& pair, const Test& test,
                                   Real margin) {
  const Model<Real>& model = *w.model;
  PlacedPart<Real> at_a = {
      {Real(0), Real(0), Real(0)}, {Real(1), Real(0), Real(0), Real(0)}, false};
  if (!World::is_fixed(pair.a)) {
    at_a = {w.body(World::kXHat, pair.a), w.rotation(World::kQHat, pair.a), true};
  }
  const PlacedPart<Real> at_b = {w.body(World::kXHat, pair.b), w.rotation(World::kQHat, pair.b),
                                 true};
  return meet_parts(model, test, at_a, at_b, margin);
}

struct NearPairs {
  int count;      // number of pairs in the list
  int num_tests;  // number of tests of all these pairs
  bool fits;
};
template <class World, class Real = typename World::Real>
TENPIN_INLINE NearPairs list_near_pairs(const World& w, Real speed) {
  const Model<Real>& model = *w.model;
  NearPairs near = {0, 0, true};
  int tests = 0;
  for (int base = 0; base < model.num_pairs; base += World::kLanes) {
    const int p = base + w.lanes.index();
    const bool yes = p < model.num_pairs && is_near(w, model.pairs[p], speed);
    const Word bits = w.lanes.ballot(yes);
    const int place = near.count + count_bits(bits & ((1U << w.lanes.index()) - 1U));
    if (yes && place < kMaxNear) {
      w.word(World::kNear + place) = Word(p);
      tests += model.pairs[p].num_tests;
    }
    near.count += count_bits(bits);
  }
  near.fits = near.count <= kMaxNear;
  near.count = near.fits ? near.count : kMaxNear;
  near.num_tests = add_counts(w.lanes, tests);
  w.lanes.sync();
  return near;
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE FoundContacts find_contacts(const World& w, Real speed) {
  const Model<Real>& model = *w.model;
  const NearPairs near = list_near_pairs(w, speed);
  int count = 0;
  int place = 0;                 // position in the list of near pairs
  int offset = w.lanes.index();  // of this lane's test among the tests of that pair
  const int rounds = w.lanes.largest_in_warp(near.num_tests);
  for (int base = 0; base < rounds; base += World::kLanes) {
    const bool has_test = base + w.lanes.index() < near.num_tests;
    int p = 0;
    if (has_test) {
      p = int(w.word(World::kNear + place));
      while (offset >= model.pairs[p].num_tests) {
        offset -= model.pairs[p].num_tests;
        ++place;
        p = int(w.word(World::kNear + place));
      }
    }
    const Pair pair = model.pairs[p];
    Point<Real> point = no_point<Real>();
    if (has_test) {
      const Real margin = calc_margin(w, pair, speed);
      point = run_test(w, pair, model.tests[pair.tests_begin + offset], margin);
      point.exists = point.exists && point.gap < margin;
    }
    const Word bits = w.lanes.ballot(point.exists);
    const int c = count + count_bits(bits & ((1U << w.lanes.index()) - 1U));
    if (point.exists && c < World::kNc) {
      w.set_contact(World::kN, c, point.normal);
      w.set_contact(World::kArmA, c, point.position);
      w.at(World::kFree + c) = point.gap;
      w.word(World::kNewKey + c) = (Word(p) << 16) | Word(offset);
      w.word(World::kBodies + c) = Word(pair.a) | (Word(pair.b) << 8);
    }
    count += count_bits(bits);
    offset += World::kLanes;
  }
  FoundContacts found = {count, near.fits && count <= World::kNc};
  if (count > World::kNc) found.count = World::kNc;
  w.lanes.sync();
  return found;
}

}  // namespace tenpin::batch
