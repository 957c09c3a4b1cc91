// Writes run files whose every number is known, their pages, and those numbers as JSON, for the
// browser tests.
//   test_viewer_pages <folder>                       the pages that the tests look at
//   test_viewer_pages <folder> <balls> <frames>      a heap of balls, to measure the page by
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "contact/report.h"
#include "lab/viewer_page.h"
#include "math/trig.h"
#include "record/run_reader.h"
#include "record/run_writer.h"

namespace tenpin {
namespace {

using Json = nlohmann::json;
using record::BodyMotion;
using record::HeaderPart;
using record::ShapeKind;

constexpr double kFrameTime = 0.01;  // s

record::RunHeader make_header(const std::string& name) {
  record::RunHeader header;
  header.tenpin_version = "test";
  header.scene_name = name;
  header.method_name = "time-stepping";
  header.gravity = {0, 0, -9.81};
  header.every = kFrameTime;
  header.materials = {{.name = "ivory"}, {.name = "oak"}};
  header.bodies.push_back({.name = "table", .joint = dynamics::JointType::kFixed});
  header.parts.push_back({.body = 0, .kind = ShapeKind::kPlane});
  return header;
}

void add_body(const std::string& name, HeaderPart part, record::RunHeader* header) {
  part.body = header->num_bodies();
  header->bodies.push_back({.name = name,
                            .q_begin = header->nq,
                            .v_begin = header->nv,
                            .material = header->num_bodies() % 2,
                            .mass = 1.0});
  header->parts.push_back(part);
  header->nq += 7;
  header->nv += 6;
}

HeaderPart make_tetrahedron(double size) {
  HeaderPart part{.kind = ShapeKind::kPolyhedron};
  part.vertices = {
      {size, size, size}, {size, -size, -size}, {-size, size, -size}, {-size, -size, size}};
  part.face_begin = {0, 3, 6, 9, 12};
  part.face_vertices = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
  return part;
}

// Bodies hop on parabolas over the table and spin about a tilted axis, each a little later than the
// one before. While one is within a frame's fall of the table it touches it.
struct Hop {
  double height = 0.6;   // m
  double radius = 0.12;  // m    of the body: its centre is that high when it touches
  double gravity = 9.81;

  double period() const { return 2.0 * std::sqrt(2.0 * height / gravity); }
  double phase(double t, int body) const {
    const double s = t / period() + 0.37 * body;
    return s - std::floor(s);
  }
  BodyMotion calc_motion(double t, int body, const Vec3& start) const {
    const double s = phase(t, body) * period();
    const double v0 = 0.5 * gravity * period();
    BodyMotion motion;
    motion.position = start + Vec3(0.15 * t, 0.0, radius + v0 * s - 0.5 * gravity * s * s);
    motion.velocity = {0.15, 0.0, v0 - gravity * s};
    motion.angular_velocity = Vec3(1.0, 2.0, 2.0) * (0.5 + 0.25 * body);
    const double angle = motion.angular_velocity.norm() * t;
    const auto [sine, cosine] = sin_cos(0.5 * angle);
    const Vec3 axis = motion.angular_velocity.normalized() * sine;
    motion.orientation = Quat(cosine, axis.x(), axis.y(), axis.z());
    return motion;
  }
  bool touches(double t, int body) const {
    const double s = phase(t, body) * period();
    return s < 2.0 * kFrameTime || period() - s < kFrameTime;
  }
};

struct Show {
  record::RunHeader header;
  std::vector<Vec3> starts;  // of the moving bodies, on the table
  int num_frames = 0;
  int failed_step = -1;
  Hop hop;

  std::vector<BodyMotion> calc_motions(double t) const;
  std::vector<contact::ContactRecord> calc_contacts(double t) const;
  methods::StepReport calc_report(int frame, int num_contacts) const;
  void write_run(const std::string& path) const;
};

std::vector<BodyMotion> Show::calc_motions(double t) const {
  std::vector<BodyMotion> motions(header.bodies.size());
  for (int b = 1; b < header.num_bodies(); ++b)
    motions[b] = hop.calc_motion(t, b, starts[static_cast<std::size_t>(b - 1)]);
  return motions;
}

std::vector<contact::ContactRecord> Show::calc_contacts(double t) const {
  std::vector<contact::ContactRecord> contacts;
  const std::vector<BodyMotion> motions = calc_motions(t);
  for (int b = 1; b < header.num_bodies(); ++b) {
    if (!hop.touches(t, b)) continue;
    contact::ContactRecord c;
    c.body_b = b;
    c.key = {.part_a = 0, .part_b = b, .feature_a = 0, .feature_b = 0};
    c.position = motions[b].position;
    c.position.z() = 0.0;
    c.normal = Vec3::UnitZ();
    c.impulse = Vec3(-0.4, 0.1 * (b % 3), 2.0 + 0.2 * (b % 4));
    c.normal_impulse = c.impulse.z();
    c.mode = static_cast<contact::Mode>(b % 4);
    c.gap = 1e-6 * b;
    c.slip = {0.15, 0.0, 0.0};
    c.residual = 1e-13 * b;
    c.normal_work = -0.5;
    c.friction_work = -0.125;
    contacts.push_back(c);
  }
  return contacts;
}

methods::StepReport Show::calc_report(int frame, int num_contacts) const {
  const double t = frame * kFrameTime;
  methods::StepReport report;
  report.step = frame;
  report.t = t;
  report.num_contacts = num_contacts;
  report.certificate.residual = 1e-14 * (1 + frame % 5);
  report.certificate.penetration = 1e-9 * (frame % 7);
  for (int b = 1; b < header.num_bodies(); ++b) {
    const BodyMotion motion = hop.calc_motion(t, b, starts[static_cast<std::size_t>(b - 1)]);
    report.ledger.kinetic += 0.5 * motion.velocity.squaredNorm();
    report.ledger.potential += 9.81 * motion.position.z();
  }
  report.ledger.work[contact::Ledger::kNormal] = -0.5 * num_contacts;
  report.ledger.work[contact::Ledger::kFriction] = -0.125 * num_contacts;
  if (frame == failed_step) {
    report.certificate.passed = false;
    report.certificate.residual = 3e-4;
    report.message = "contact <i>table</i>: ray termination";
  }
  return report;
}

void Show::write_run(const std::string& path) const {
  record::RunWriter writer(path, header);
  dynamics::State state;
  state.q = VecX::Zero(header.nq);
  state.v = VecX::Zero(header.nv);
  for (int frame = 0; frame < num_frames; ++frame) {
    state.t = frame * kFrameTime;
    state.step = frame;
    const auto contacts = calc_contacts(state.t);
    if (frame > 0)
      writer.append_step(calc_report(frame, static_cast<int>(contacts.size())),
                         {.contacts = contacts, .reactions = {}, .duration = kFrameTime});
    writer.append_frame(state, calc_motions(state.t),
                        {.contacts = contacts, .reactions = {}, .duration = kFrameTime});
  }
  writer.close(record::RunState::kFinished, "");
}

Show make_shapes_show(const std::string& name, int num_frames) {
  Show show{.header = make_header(name), .num_frames = num_frames};
  add_body("ball", {.kind = ShapeKind::kSphere, .parameters = {0.12}}, &show.header);
  add_body("<b>brick</b>", {.kind = ShapeKind::kBox, .parameters = {0.14, 0.1, 0.08}},
           &show.header);
  add_body("rod", {.kind = ShapeKind::kCapsule, .parameters = {0.05, 0.15}}, &show.header);
  add_body("drum", {.kind = ShapeKind::kCylinder, .parameters = {0.11, 0.08}}, &show.header);
  add_body("wedge", make_tetrahedron(0.09), &show.header);
  HeaderPart arm{.body = 1, .kind = ShapeKind::kSphere, .parameters = {0.05}};
  arm.p_OS = {0.13, 0.0, 0.0};  // a second part: a knob on the ball
  show.header.parts.insert(show.header.parts.begin() + 2, arm);
  for (int b = 0; b + 1 < show.header.num_bodies(); ++b) {
    const int row = b / 3;
    show.starts.emplace_back(0.5 * (b % 3) - 0.5, 0.55 * row, 0.0);
  }
  return show;
}

Show make_heap_show(int balls, int frames) {
  Show show{.header = make_header("Heap"), .num_frames = frames};
  const int side = static_cast<int>(std::ceil(std::sqrt(balls)));
  for (int b = 0; b < balls; ++b) {
    add_body("ball " + std::to_string(b), {.kind = ShapeKind::kSphere, .parameters = {0.12}},
             &show.header);
    const int row = b / side;
    show.starts.emplace_back(0.3 * (b % side), 0.3 * row, 0.0);
  }
  return show;
}

// The numbers of the run file itself, read back.
Json read_numbers(const record::RunReader& run) {
  Json frames = Json::array();
  for (std::int64_t k = 0; k < run.num_frames(); ++k) {
    const record::RunFrame frame = run.read_frame(k);
    Json positions = Json::array();
    Json orientations = Json::array();
    for (const BodyMotion& body : frame.bodies) {
      const Quat& q = body.orientation;
      positions.push_back({body.position.x(), body.position.y(), body.position.z()});
      orientations.push_back({q.w(), q.x(), q.y(), q.z()});
    }
    Json contacts = Json::array();
    for (const record::ContactRow& c : run.read_contacts(frame.first_contact, frame.num_contacts))
      contacts.push_back(
          {{"a", c.body_a}, {"b", c.body_b}, {"position", c.position}, {"impulse", c.impulse}});
    frames.push_back({{"t", frame.t},
                      {"positions", positions},
                      {"orientations", orientations},
                      {"contacts", contacts}});
  }
  return frames;
}

void write_all(const Show& show, const std::string& stem,
               const lab::ViewerPageOptions& options = {}) {
  show.write_run(stem + ".h5");
  const record::RunReader run(stem + ".h5");
  lab::write_viewer_page(run, stem + ".html", options);
  if (show.header.num_bodies() < 100) std::ofstream(stem + ".json") << read_numbers(run);
}

// A door on a hinge that is at its stop, and a plate that the table holds at two points. Every
// number is round: the door turns by 0.1 rad a frame, the points bear 1 and 2 N s, 0.3 m apart, and
// one is not unique. The door's joint pulls with 3 N, its motor with 4 N m; the loop `rod` pushes
// with 5 N. Seven overlaps are told of time 0.
void write_joint_run(const std::string& path) {
  record::RunHeader header = make_header("Joints");
  add_body("plate", {.kind = ShapeKind::kBox, .parameters = {0.3, 0.1, 0.05}}, &header);
  header.materials = {{.name = "ivory", .mu_along = 0.5}, {.name = "oak", .mu_along = 0.5}};
  header.bodies.push_back({.name = "door",
                           .joint = dynamics::JointType::kHinge,
                           .q_begin = header.nq,
                           .v_begin = header.nv,
                           .mass = 1.0});
  header.parts.push_back({.body = 2, .kind = ShapeKind::kBox, .parameters = {0.1, 0.02, 0.2}});
  ++header.nq;
  ++header.nv;
  header.loops = {"rod"};
  for (int k = 1; k <= 7; ++k) {
    header.start.overlaps.push_back("plate and door overlap by 0.00" + std::to_string(k) +
                                    " m: moved apart");
  }
  const std::vector<record::ReactionRow> reactions = {{.impulse = {0.0, 0.0, 3.0 * kFrameTime},
                                                       .force = {0.0, 0.0, 3.0},
                                                       .torque = {0.5, 0.0, 0.0},
                                                       .drive = 4.0,
                                                       .stop = -4.0,
                                                       .index = 2,
                                                       .kind = record::ReactionRow::kJoint},
                                                      {.impulse = {5.0 * kFrameTime, 0.0, 0.0},
                                                       .force = {5.0, 0.0, 0.0},
                                                       .index = 0,
                                                       .kind = record::ReactionRow::kLoop}};
  record::RunWriter writer(path, header);
  constexpr int kFrames = 11;
  for (int frame = 0; frame < kFrames; ++frame) {
    dynamics::State state;
    state.t = frame * kFrameTime;
    state.step = frame;
    state.q = VecX::Zero(header.nq);
    state.v = VecX::Zero(header.nv);
    state.q[header.nq - 1] = 0.1 * frame;
    state.v[header.nv - 1] = 10.0;
    std::vector<BodyMotion> motions(3);
    motions[1].position = {0.15, 0.0, 0.05};
    motions[2].position = {0.6, 0.0, 0.3};
    contact::ContactRecord left;
    left.body_b = 1;
    left.key = {.part_a = 0, .part_b = 1, .feature_a = 0, .feature_b = 0};
    left.normal = Vec3::UnitZ();
    left.impulse = {0.5, 0.0, 1.0};
    left.normal_impulse = 1.0;
    left.mode = contact::Mode::kSliding;
    left.slip = {-0.25, 0.0, 0.0};
    contact::ContactRecord right = left;
    right.key.feature_b = 1;
    right.position = {0.3, 0.0, 0.0};
    right.impulse = {0.0, 0.0, 2.0};
    right.normal_impulse = 2.0;
    right.mode = contact::Mode::kResting;
    right.force_unique = false;
    contact::ContactRecord stop;
    stop.body_a = stop.body_b = 2;
    stop.key = {.part_a = -1, .part_b = 0, .feature_a = 1, .feature_b = 1};
    stop.mode = contact::Mode::kResting;
    const std::vector<contact::ContactRecord> contacts = {stop, left, right};
    methods::StepReport report;
    report.step = frame;
    report.t = state.t;
    report.num_contacts = 3;
    report.ledger.kinetic = 1e-14;
    report.ledger.potential = 1.0;
    report.certificate.residual = frame == 7 ? 3e-9 : 1e-15;
    const record::StepImpulses impulses = {
        .contacts = contacts, .reactions = reactions, .duration = kFrameTime};
    if (frame > 0) writer.append_step(report, impulses);
    writer.append_frame(state, motions, impulses);
  }
  writer.close(record::RunState::kFinished, "");
}

void write_test_pages(const std::string& folder) {
  write_all(make_shapes_show("Shapes & hops", 81), folder + "/shapes");
  Show hostile = make_shapes_show("</script><img src=x onerror=\"document.title='owned'\">", 21);
  hostile.failed_step = 7;
  write_all(hostile, folder + "/hostile");
  write_joint_run(folder + "/joints.h5");
  lab::write_viewer_page(record::RunReader(folder + "/joints.h5"), folder + "/joints.html");
  Show still = make_shapes_show("One frame", 1);
  write_all(still, folder + "/still");
  // Limits so low that every second frame, few contacts and every fourth step are
  // left.
  write_all(make_shapes_show("Thinned", 81), folder + "/thinned",
            {.max_pose_bytes = 81 * 5 * 20 / 2,
             .max_twist_bytes = 0,
             .max_contact_bytes = 63 * 5,
             .max_curve_points = 20});
}

}  // namespace
}  // namespace tenpin

int main(int argc, char** argv) {
  try {
    const std::string folder = argc > 1 ? argv[1] : ".";
    if (argc > 3) {
      tenpin::write_all(tenpin::make_heap_show(std::atoi(argv[2]), std::atoi(argv[3])),
                        folder + "/heap");
    } else {
      tenpin::write_test_pages(folder);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
