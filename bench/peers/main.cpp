// Runs one scene in one engine and prints what came of it as one line of JSON:
//   peer_<engine> scene.yaml [--option SOLVER] [--limit CPU_SECONDS] [--ends] [--set path=value]...
// The step is method.time-stepping.step, whatever the engine. CPU time is that of the engine's
// steps alone; reading the bodies and measuring is not counted.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/stopwatch.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "engine.h"
#include "lab/experiments/accuracy.h"
#include "lab/experiments/track.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::peers {

namespace {

using lab::experiments::Track;
using lab::experiments::TrackSample;
using Json = nlohmann::json;

struct Arguments {
  std::string scene_file;
  std::string option;
  double limit = 1e9;  // s   of CPU time
  bool with_ends = false;
  std::vector<scene::Override> changes;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      arguments.scene_file = word;
      continue;
    }
    if (word == "--ends") {
      arguments.with_ends = true;
      continue;
    }
    if (++i == argc) throw std::invalid_argument(word + ": what?");
    const std::string value = argv[i];
    const std::size_t equals = value.find('=');
    if (word == "--option") {
      arguments.option = value;
    } else if (word == "--limit") {
      arguments.limit = std::stod(value);
    } else if (word == "--set" && equals != std::string::npos) {
      arguments.changes.push_back({value.substr(0, equals), value.substr(equals + 1)});
    } else {
      throw std::invalid_argument(word + " " + value + ": not known");
    }
  }
  return arguments;
}

// s   From one reading of the bodies to the next: the step that the scene names. A method that has
// no such step is read at the default one.
double get_step(const scene::MethodOptions& method) {
  const auto* stepping = std::get_if<scene::TimeSteppingOptions>(&method);
  return stepping != nullptr ? stepping->step : scene::TimeSteppingOptions{}.step;
}

PeerBody make_body(const dynamics::Model& model, int i, const Pose& X, const dynamics::Twist& V) {
  using Kind = PeerBody::Kind;
  const dynamics::Body& body = model.bodies[i];
  const bool turns = body.joint.type == dynamics::JointType::kPrescribed;
  if (body.is_mobile() && body.joint.type != dynamics::JointType::kFree) {
    throw CannotDo("joints are not among the scenes");
  }
  PeerBody peer{.kind = body.is_mobile() ? Kind::kMobile
                        : turns          ? Kind::kTurning
                                         : Kind::kFixed,
                .name = body.name,
                .X_WB = X,
                .v = V.v,
                .w = V.w,
                .mass = body.mass,
                .inertia = body.inertia,
                .friction = model.materials[body.material].mu_along,
                .restitution = model.materials[body.material].restitution};
  for (int part = body.parts_begin; part < body.parts_end; ++part) {
    peer.shapes.push_back(model.parts[part].placed);
  }
  return peer;
}

PeerScene make_peer_scene(const scene::Scene& scene, const scene::Built& built,
                          const std::string& option) {
  const dynamics::Model& model = built.model;
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(model, built.state.q, 0.0, &X);
  update_twists(model, X, built.state.v, 0.0, &V);
  PeerScene peer{.gravity = model.gravity,
                 .h = get_step(scene.method),
                 .option = option,
                 .scene = &scene,
                 .built = &built};
  for (int i = 0; i < model.num_bodies(); ++i) {
    peer.bodies.push_back(make_body(model, i, X[i], V[i]));
  }
  return peer;
}

// m   The deepest overlap, by one ruler for all engines.
double calc_overlap(const dynamics::Model& model, const TrackSample& sample) {
  std::vector<Pose> X(model.bodies.size());
  std::size_t next = 0;
  update_poses(model, VecX::Zero(model.nq), sample.t, &X);  // fixed and turning bodies
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    X[i] = {sample.bodies[next].R, sample.bodies[next].p};
    ++next;
  }
  contact::ContactFinder finder(model);
  std::vector<contact::Contact> contacts;
  finder.find(X, std::vector<double>(model.bodies.size(), 0.0), &contacts);
  double overlap = 0.0;
  for (const contact::Contact& c : contacts) overlap = std::max(overlap, -c.gap);
  return overlap;
}

bool is_finite(const TrackSample& sample) {
  return std::all_of(sample.bodies.begin(), sample.bodies.end(), [](const auto& body) {
    return body.p.allFinite() && body.v.allFinite() && body.w.allFinite();
  });
}

struct Timing {
  long steps = 0;
  double cpu = 0.0;   // s
  double rest = 0.0;  // s   of the last quarter of the steps
  bool reached_end = false;
};

// m   Where the mobile bodies end, by name.
Json list_ends(const Track& track) {
  Json ends = Json::object();
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    const Vec3& p = track.end().bodies[i].p;
    ends[track.bodies[i].name] = {p.x(), p.y(), p.z()};
  }
  return ends;
}

// Steps to the end of the scene or of the budget, sampling as the scene records.
Timing run_steps(const scene::Scene& scene, const PeerScene& peer, double limit, Engine* engine,
                 Track* track) {
  const long num_steps = std::lround(scene.until / peer.h);
  const long stride = std::max(1L, std::lround(scene.record.every / peer.h));
  Timing timing;
  std::vector<BodyState> states;
  const auto sample = [&] {
    TrackSample s{.t = static_cast<double>(timing.steps) * peer.h};
    engine->read(&states);
    for (const BodyState& b : states) s.bodies.push_back({b.p, b.v, b.R, b.w});
    if (!is_finite(s)) throw Failed("the state left the finite numbers");
    track->samples.push_back(std::move(s));
  };
  sample();
  bool is_slow = true;  // one step costs so much that reading the clock after each does not
  while (timing.steps < num_steps && timing.cpu < limit) {
    const long most =
        is_slow ? 1 : std::min(stride - timing.steps % stride, num_steps - timing.steps);
    const Stopwatch watch;
    for (long i = 0; i < most; ++i) engine->step();
    const double cpu = watch.cpu();
    is_slow = cpu > 0.01 * static_cast<double>(most);
    timing.cpu += cpu;
    if (4 * timing.steps >= 3 * num_steps) timing.rest += cpu;
    timing.steps += most;
    if (timing.steps % stride == 0 || timing.steps == num_steps) sample();
  }
  if (num_steps > timing.steps) sample();
  timing.reached_end = timing.steps == num_steps;
  return timing;
}

Json report_run(const Arguments& arguments) {
  const scene::Scene scene = scene::read_scene(arguments.scene_file, arguments.changes);
  const scene::Built built = scene::build(scene);
  const PeerScene peer = make_peer_scene(scene, built, arguments.option);
  const std::unique_ptr<Engine> engine = make_engine(peer);
  Track track = lab::experiments::make_track(built.model);
  const Timing timing = run_steps(scene, peer, arguments.limit, engine.get(), &track);
  Json report = {{"status", timing.reached_end ? "done" : "limit"},
                 {"version", engine->version()},
                 {"settings", engine->settings()},
                 {"bodies", track.bodies.size()},
                 {"step", peer.h},
                 {"steps", timing.steps},
                 {"cpu", timing.cpu},
                 {"overlap", calc_overlap(built.model, track.end())},
                 {"remarks", engine->remarks()}};
  if (!timing.reached_end) {
    report["reason"] = "reached " + std::to_string(track.end().t) + " s in the CPU time allowed";
    return report;
  }
  report["rest"] = timing.rest;
  if (arguments.with_ends) report["ends"] = list_ends(track);
  const std::string folder =
      std::filesystem::path(arguments.scene_file).parent_path().filename().string();
  const auto* accuracy = lab::experiments::find_accuracy_scene(folder);
  if (accuracy != nullptr) report["measures"] = measure_accuracy(*accuracy, track);
  return report;
}

int run(int argc, char** argv) {
  Json report;
  try {
    report = report_run(read_arguments(argc, argv));
  } catch (const CannotDo& reason) {
    report = {{"status", "cannot"}, {"reason", reason.what()}};
  } catch (const Failed& reason) {
    report = {{"status", "failed"}, {"reason", reason.what()}};
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << "\n";
    return 2;
  }
  std::cout << report.dump() << "\n";
  return 0;
}

}  // namespace

}  // namespace tenpin::peers

int main(int argc, char** argv) {
  return tenpin::peers::run(argc, argv);
}
