// The measurements of the accuracy scenes. Soft contacts may settle during the first second, so
// positions are compared from its end on; rigid contacts need not settle.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "lab/experiments/accuracy.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

constexpr double kSettled = 1.0;  // s

double planar_distance(const Vec3& p) {
  return std::sqrt(p.x() * p.x() + p.y() * p.y());
}

// ---- ramp-stick, ramp-slide
//   farthest       m        largest distance from the start along the ramp, from the start on
//   creep          m        distance down the ramp after the first second
//   acceleration   m/s^2    down the ramp, from three positions after the first second

double way_down_ramp(const Track& /*track*/, const TrackSample& s) {
  const SinCos slope = sin_cos(kPi / 12.0);
  return slope.cos * s.bodies[0].p.x() - slope.sin * s.bodies[0].p.z();
}

void measure_block_on_ramp(const Track& track, Measurements* m) {
  const double span = 0.5 * (track.end().t - kSettled);
  const double early = way_down_ramp(track, track.at(kSettled));
  const double middle = way_down_ramp(track, track.at(kSettled + span));
  const double late = way_down_ramp(track, track.end());
  const double start = way_down_ramp(track, track.start());
  double farthest = 0.0;
  for (const TrackSample& s : track.samples) {
    farthest = std::max(farthest, std::fabs(way_down_ramp(track, s) - start));
  }
  (*m)["farthest"] = farthest;
  (*m)["creep"] = late - early;
  (*m)["acceleration"] = (late - 2.0 * middle + early) / (span * span);
}

// ---- mass-ratio
//   sink   -   descent of the upper block, relative to its size

double upper_height(const Track& track, const TrackSample& s) {
  return s.bodies[track.index("heavy")].p.z();
}

void measure_mass_ratio(const Track& track, Measurements* m) {
  constexpr double kSize = 0.2;  // m
  (*m)["sink"] = (upper_height(track, track.start()) - upper_height(track, track.end())) / kSize;
}

// ---- three-balls, cradle
//   first, inner, last   m/s   velocities at the end; inner: the largest speed between the two
//   energy               -     kinetic energy at the end over that at the start

double last_speed(const Track& /*track*/, const TrackSample& s) {
  return s.bodies.back().v.x();
}

void measure_row_of_balls(const Track& track, Measurements* m) {
  const std::vector<TrackedBody>& balls = track.end().bodies;
  double inner = 0.0;
  for (std::size_t i = 1; i + 1 < balls.size(); ++i) {
    inner = std::max(inner, std::fabs(balls[i].v.x()));
  }
  (*m)["first"] = balls.front().v.x();
  (*m)["inner"] = inner;
  (*m)["last"] = balls.back().v.x();
  (*m)["energy"] = track.kinetic(track.end()) / track.kinetic(track.start());
}

// ---- torque-free
//   energy          -       at the end over that at the start
//   momentum        -       relative change of the angular momentum
//   w_x, w_y, w_z   rad/s   angular velocity after 10 s, body axes

double middle_spin(const Track& /*track*/, const TrackSample& s) {
  return s.bodies[0].R.col(1).dot(s.bodies[0].w);
}

void measure_torque_free(const Track& track, Measurements* m) {
  const Vec3 before = track.momentum(track.start(), 0);
  (*m)["energy"] = track.kinetic(track.end()) / track.kinetic(track.start());
  (*m)["momentum"] = (track.momentum(track.end(), 0) - before).norm() / before.norm();
  const TrackedBody& body = track.at(10.0).bodies[0];
  const Vec3 w = body.R.transpose() * body.w;
  (*m)["w_x"] = w.x();
  (*m)["w_y"] = w.y();
  (*m)["w_z"] = w.z();
}

// ---- platter
//   rate     rad/s   at which the ball orbits the axis
//   growth   -       radius of its circle at the end over that at the start

double distance_from_axis(const Track& /*track*/, const TrackSample& s) {
  return planar_distance(s.bodies[0].p);
}

void measure_platter_orbit(const Track& track, Measurements* m) {
  double angle = 0.0;
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const Vec3& a = track.samples[i - 1].bodies[0].p;
    const Vec3& b = track.samples[i].bodies[0].p;
    angle += arc_tangent(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y());
  }
  (*m)["rate"] = angle / track.end().t;
  (*m)["growth"] =
      distance_from_axis(track, track.end()) / distance_from_axis(track, track.start());
}

// ---- slide-to-roll
//   speed   m/s   at the end
//   slip    m/s   of the contact point at the end
//   way     m     distance to the end

double speed_along_x(const Track& /*track*/, const TrackSample& s) {
  return s.bodies[0].v.x();
}

void measure_slide_to_roll(const Track& track, Measurements* m) {
  constexpr double kRadius = 0.1;  // m
  const TrackedBody& ball = track.end().bodies[0];
  (*m)["speed"] = ball.v.x();
  (*m)["slip"] = ball.v.x() - kRadius * ball.w.y();
  (*m)["way"] = ball.p.x() - track.start().bodies[0].p.x();
}

// ---- bounce
//   height/1 .. 3   m   of each bounce, from position and speed in the middle of its flight
//   place           m   height above the floor at the end

constexpr double kBouncingRadius = 0.1;  // m

double height_above_floor(const Track& /*track*/, const TrackSample& s) {
  return s.bodies[0].p.z() - kBouncingRadius;
}

void measure_bounce(const Track& track, Measurements* m) {
  constexpr std::array kInFlight = {0.8, 1.45, 2.0};  // s   between the bounces of the exact motion
  for (std::size_t i = 0; i < kInFlight.size(); ++i) {
    const TrackSample& s = track.at(kInFlight[i]);
    const double v = s.bodies[0].v.z();
    (*m)["height/" + std::to_string(i + 1)] =
        height_above_floor(track, s) - 0.5 * v * v / track.gravity.z();
  }
  (*m)["place"] = height_above_floor(track, track.end());
}

// ---- tower, tower-alternating
//   drift   m   largest displacement of a block after the first second
//   sink    m   descent of the centre of mass since the start

double height_of_center(const Track& track, const TrackSample& s) {
  double moment = 0.0;
  double mass = 0.0;
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    moment += track.bodies[i].mass * s.bodies[i].p.z();
    mass += track.bodies[i].mass;
  }
  return moment / mass;
}

void measure_tower(const Track& track, Measurements* m) {
  double drift = 0.0;
  const TrackSample& settled = track.at(kSettled);
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    drift = std::max(drift, (track.end().bodies[i].p - settled.bodies[i].p).norm());
  }
  (*m)["drift"] = drift;
  (*m)["sink"] = height_of_center(track, track.start()) - height_of_center(track, track.end());
}

// ---- direction
//   angle   rad   between the whole path and the x axis
//   way     m     its length

double way_slid(const Track& track, const TrackSample& s) {
  return planar_distance(s.bodies[0].p - track.start().bodies[0].p);
}

void measure_direction(const Track& track, Measurements* m) {
  const Vec3 way = track.end().bodies[0].p - track.start().bodies[0].p;
  (*m)["angle"] = arc_tangent(way.y(), way.x());
  (*m)["way"] = planar_distance(way);
}

// ---- all

double calc_energy_gain(const Track& track) {
  double largest = 0.0;
  double least = track.energy(track.start());
  double gain = 0.0;
  for (const TrackSample& s : track.samples) {
    const double energy = track.energy(s);
    largest = std::max(largest, std::fabs(energy));
    gain = std::max(gain, energy - least);
    least = std::min(least, energy);
  }
  return gain / largest;
}

constexpr std::array<AccuracyScene, 12> kAccuracyScenes = {{
    {"ramp-stick", "way down the ramp (m)", way_down_ramp, measure_block_on_ramp},
    {"ramp-slide", "way down the ramp (m)", way_down_ramp, measure_block_on_ramp},
    {"mass-ratio", "height of the heavy block (m)", upper_height, measure_mass_ratio},
    {"three-balls", "velocity of the last ball (m/s)", last_speed, measure_row_of_balls},
    {"cradle", "velocity of the last ball (m/s)", last_speed, measure_row_of_balls},
    {"torque-free", "spin about the middle axis (rad/s)", middle_spin, measure_torque_free},
    {"platter", "distance from the axis (m)", distance_from_axis, measure_platter_orbit},
    {"slide-to-roll", "speed (m/s)", speed_along_x, measure_slide_to_roll},
    {"bounce", "height above the floor (m)", height_above_floor, measure_bounce},
    {"tower", "height of the centre of mass (m)", height_of_center, measure_tower},
    {"tower-alternating", "height of the centre of mass (m)", height_of_center, measure_tower},
    {"direction", "way (m)", way_slid, measure_direction},
}};

}  // namespace

const AccuracyScene* find_accuracy_scene(std::string_view name) {
  const auto found = std::find_if(kAccuracyScenes.begin(), kAccuracyScenes.end(),
                                  [name](const AccuracyScene& scene) {
                                    return scene.name == name;
                                  });
  return found == kAccuracyScenes.end() ? nullptr : &*found;
}

Measurements measure_accuracy(const AccuracyScene& scene, const Track& track) {
  Measurements m;
  scene.measure(track, &m);
  m["gain"] = calc_energy_gain(track);
  return m;
}

}  // namespace tenpin::lab::experiments
