// Converts models to the precision of their worlds.
#include <algorithm>
#include <cstring>

#include "batch/batch_scene.h"

namespace tenpin::batch {

namespace {

template <class Real>
Vector<Real> round_vector(const Vector<double>& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}
template <class Real>
Quaternion<Real> round_quaternion(const Quaternion<double>& q) {
  return {static_cast<Real>(q.w), static_cast<Real>(q.x), static_cast<Real>(q.y),
          static_cast<Real>(q.z)};
}

template <class Real>
Body<Real> round_body(const Body<double>& b) {
  return {static_cast<Real>(b.mass),          static_cast<Real>(b.inverse_mass),
          round_vector<Real>(b.moments),      round_vector<Real>(b.inverse_moments),
          round_vector<Real>(b.half_rates),   static_cast<Real>(b.is_top),
          static_cast<Real>(b.radius),        static_cast<Real>(b.arm),
          round_vector<Real>(b.spine_centre), round_vector<Real>(b.spine_axis),
          static_cast<Real>(b.spine_radius),  round_vector<Real>(b.origin)};
}

template <class Real>
Part<Real> round_part(const Part<double>& p) {
  return {p.kind,
          p.is_aligned,
          p.corners_begin,
          p.num_corners,
          p.facets_begin,
          p.num_facets,
          static_cast<Real>(p.radius),
          round_vector<Real>(p.centre),
          round_vector<Real>(p.axis),
          round_vector<Real>(p.half),
          round_quaternion<Real>(p.axes)};
}

template <class Real>
Facet<Real> round_facet(const Facet<double>& f) {
  return {round_vector<Real>(f.normal),
          static_cast<Real>(f.offset),
          {f.corners[0], f.corners[1], f.corners[2]}};
}

}  // namespace

template <class Real>
Model<Real> convert_model(const Model<double>& m) {
  Model<Real> out;
  std::memset(&out, 0, sizeof out);
  out.num_bodies = m.num_bodies;
  out.num_fixed = m.num_fixed;
  out.num_pairs = m.num_pairs;
  out.num_watches = m.num_watches;
  out.max_sweeps = m.max_sweeps;
  out.has_restitution = m.has_restitution;
  out.h = static_cast<Real>(m.h);
  out.inverse_h = static_cast<Real>(m.inverse_h);
  out.gravity = round_vector<Real>(m.gravity);
  out.fall_speed = static_cast<Real>(m.fall_speed);
  out.compliance = static_cast<Real>(m.compliance);
  out.compliance_share = static_cast<Real>(m.compliance_share);
  out.mobility_share = static_cast<Real>(m.mobility_share);
  out.tolerance = static_cast<Real>(m.tolerance);
  out.max_speed = static_cast<Real>(m.max_speed);
  out.max_overlap = static_cast<Real>(m.max_overlap);
  out.start_overlap = static_cast<Real>(m.start_overlap);
  out.least_speed = static_cast<Real>(m.least_speed);
  if (sizeof(Real) == sizeof(float)) {
    constexpr double kStartOverlap32 = 1e-5;  // m   rounding of gaps in scenes up to 100 m wide
    out.tolerance = static_cast<Real>(std::max(m.tolerance, kLeastTolerance32));
    out.start_overlap = static_cast<Real>(std::max(m.start_overlap, kStartOverlap32));
  }
  std::transform(m.bodies, m.bodies + kMaxBodies, out.bodies, round_body<Real>);
  std::transform(m.parts, m.parts + kMaxParts, out.parts, round_part<Real>);
  std::transform(m.corners, m.corners + kMaxCorners, out.corners, round_vector<Real>);
  std::transform(m.facets, m.facets + kMaxFacets, out.facets, round_facet<Real>);
  std::copy(m.fixed_parts, m.fixed_parts + kMaxFixed, out.fixed_parts);
  std::copy(m.pairs, m.pairs + kMaxPairs, out.pairs);
  std::copy(m.tests, m.tests + kMaxTests, out.tests);
  for (int i = 0; i < kMaxSurfaces; ++i) {
    out.surfaces[i] = {static_cast<Real>(m.surfaces[i].friction),
                       static_cast<Real>(m.surfaces[i].restitution)};
  }
  for (int i = 0; i < kMaxWatches; ++i) {
    const Watch<double>& watch = m.watches[i];
    out.watches[i] = {watch.kind, watch.quantity, watch.value, static_cast<Real>(watch.bound)};
  }
  return out;
}

template Model<double> convert_model(const Model<double>& model);
template Model<float> convert_model(const Model<double>& model);

}  // namespace tenpin::batch
