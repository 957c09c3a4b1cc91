#include "lab/experiments/track.h"

#include <algorithm>

#include "base/check.h"
#include "dynamics/kinematics.h"
#include "scene/build.h"

namespace tenpin::lab::experiments {

const TrackSample& Track::at(double t) const {
  // s   times computed as step counts times h differ from t by rounding
  constexpr double kSameTime = 1e-9;
  const auto found = std::lower_bound(samples.begin(), samples.end(), t - kSameTime,
                                      [](const TrackSample& s, double time) {
                                        return s.t < time;
                                      });
  return found == samples.end() ? samples.back() : *found;
}

std::size_t Track::index(std::string_view name) const {
  const auto found = std::find_if(bodies.begin(), bodies.end(), [name](const TrackedMass& body) {
    return body.name == name;
  });
  TENPIN_REQUIRE(found != bodies.end(), "the scene has no body '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - bodies.begin());
}

Vec3 Track::momentum(const TrackSample& sample, std::size_t body) const {
  const TrackedBody& b = sample.bodies[body];
  return b.R * (bodies[body].inertia * (b.R.transpose() * b.w));
}

double Track::kinetic(const TrackSample& sample) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const TrackedBody& b = sample.bodies[i];
    sum += 0.5 * (bodies[i].mass * b.v.squaredNorm() + b.w.dot(momentum(sample, i)));
  }
  return sum;
}

double Track::energy(const TrackSample& sample) const {
  double sum = kinetic(sample);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum -= bodies[i].mass * gravity.dot(sample.bodies[i].p);
  }
  return sum;
}

Track make_track(const dynamics::Model& model) {
  Track track{.gravity = model.gravity};
  for (const dynamics::Body& body : model.bodies) {
    if (body.is_mobile()) track.bodies.push_back({body.name, body.mass, body.inertia});
  }
  return track;
}

Track record_track(const std::string& scene_file, std::span<const scene::Override> changes) {
  const scene::Scene scene = scene::read_scene(scene_file, changes);
  const scene::Built built = scene::build(scene);
  const dynamics::Model& model = built.model;
  Track track = make_track(model);
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  const auto add = [&](const dynamics::State& state, std::int64_t impacts) {
    update_poses(model, state.q, state.t, &X_WB);
    update_twists(model, X_WB, state.v, state.t, &V_WB);
    TrackSample sample{.t = state.t, .impacts = impacts};
    for (int i = 0; i < model.num_bodies(); ++i) {
      if (!model.bodies[i].is_mobile()) continue;
      sample.bodies.push_back({.p = X_WB[i].p, .v = V_WB[i].v, .R = X_WB[i].R, .w = V_WB[i].w});
    }
    track.samples.push_back(std::move(sample));
  };
  add(built.state, 0);
  SimulationOptions options;
  options.on_step = [&](const methods::StepReport& report, auto, const dynamics::State& state) {
    add(state, report.events.impacts);
    track.counts += report.events;
  };
  options.on_frame_within = [&](const dynamics::State& state) {
    add(state, 0);
  };
  track.summary = simulate(scene, options);
  return track;
}

}  // namespace tenpin::lab::experiments
