// A run that needs no simulation: every number is a function of the step, so that any piece of a
// file can be checked by itself.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "shapes/convex_mesh.h"

namespace tenpin::record {

inline constexpr int kStepsPerFrame = 3;

// A new folder that goes with the test.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = testing::TempDir() + "tenpin_record_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline int test_scale() {
  const char* text = getenv("TENPIN_TEST_SCALE");
  return text == nullptr ? 1 : std::max(1, atoi(text));
}

inline scene::Scene make_fake_scene(scene::Record::Contacts contacts) {
  scene::Scene scene;
  scene.name = "Fake";
  scene.file = "fake.yaml";
  scene.text = "tenpin: 1\nname: Fake  # \xC3\xA9\n";
  scene.bodies.resize(3);
  scene.bodies[0].name = "table";
  scene.bodies[1].name = "=cmd()";
  scene.bodies[1].colour = "#ff8800";
  scene.bodies[2].name = "plank, long";
  scene.record.contacts = contacts;
  scene.seed = 0xFEDCBA9876543210;
  return scene;
}

inline dynamics::Model make_fake_model() {
  dynamics::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.materials = {{.name = "ivory", .mu_along = 0.4, .mu_across = 0.3, .restitution = 0.1}};
  model.surfaces.resize(1);
  model.bodies.resize(3);
  model.bodies[0].name = "table";
  model.bodies[0].joint.type = dynamics::JointType::kFixed;
  model.bodies[1].name = "=cmd()";
  model.bodies[1].mass = 2.5;
  model.bodies[1].inertia << 1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 3.0;
  model.bodies[1].p_BO = {0.1, 0.2, 0.3};
  model.bodies[2].name = "plank, long";
  model.bodies[2].joint = {.type = dynamics::JointType::kPlanar, .q_begin = 7, .v_begin = 6};
  auto mesh = std::make_shared<shapes::ConvexMesh>();  // a tetrahedron: what a file keeps of it
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->face_begin = {0, 3, 6, 9, 12};
  mesh->face_vertices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  model.parts = {
      {0, {shapes::Plane{}, {}}},          {1, {shapes::Polyhedron{mesh}, {.p = {0.5, 0.0, 0.0}}}},
      {1, {shapes::Sphere{0.25}, {}}},     {2, {shapes::Box{{1.0, 2.0, 3.0}}, {}}},
      {2, {shapes::Polyhedron{mesh}, {}}}, {2, {shapes::Capsule{0.5, 1.5}, {}}}};
  model.nq = 10;
  model.nv = 9;
  return model;
}

inline RunHeader make_fake_header(scene::Record::Contacts contacts) {
  return make_run_header(make_fake_scene(contacts), make_fake_model(), "0.1.0-test");
}

inline double fake_number(std::int64_t step, int i) {
  return RandomStream(1, static_cast<std::uint64_t>(step)).uniform(i, -1.0, 1.0);
}

inline methods::StepReport make_fake_report(std::int64_t step) {
  methods::StepReport report;
  report.step = step;
  report.t = static_cast<double>(step) * 0.001;
  report.solver = static_cast<complementarity::SolveStatus>(step % 7);
  report.status = static_cast<methods::AdvanceStatus>(step % 4);
  report.certificate = {fake_number(step, 0), fake_number(step, 1), fake_number(step, 2),
                        fake_number(step, 3), step % 2 == 0};
  report.certificate.excess_work = fake_number(step, 15);
  report.certificate.forces_unique = step % 4 == 1;
  for (int i = 0; i < contact::Ledger::kNumStages; ++i)
    report.ledger.work[i] = fake_number(step, 4 + i);
  report.ledger.kinetic = fake_number(step, 11);
  report.ledger.potential = fake_number(step, 12);
  report.ledger.closure = fake_number(step, 13);
  report.existence = {step % 3 == 0, step % 5 == 0};
  report.num_contacts = static_cast<int>(step % 11);
  report.num_active = static_cast<int>(step % 10);
  report.problem_size = static_cast<int>(step % 9);
  report.pivots = static_cast<int>(step % 8);
  report.solves = static_cast<int>(step % 6);
  report.iterations = static_cast<int>(step % 5);
  report.contraction = fake_number(step, 14);
  if (step % 50 == 7) report.message = "step " + std::to_string(step);
  return report;
}

inline std::vector<contact::ContactRecord> make_fake_contacts(std::int64_t step) {
  std::vector<contact::ContactRecord> contacts(step % 5);
  int i = 20;
  const auto next = [&] {
    return fake_number(step, i++);
  };
  for (contact::ContactRecord& c : contacts) {
    c.key = {i, i + 1, 0xFFFFFFF0u + static_cast<unsigned>(i % 10), 3};
    c.body_a = i % 3;
    c.body_b = (i + 1) % 3;
    for (Vec3* v : {&c.position, &c.normal, &c.impulse, &c.slip}) *v = {next(), next(), next()};
    for (double* x : {&c.gap, &c.normal_impulse, &c.spin_impulse, &c.normal_velocity, &c.residual,
                      &c.dissipation_gap, &c.normal_work, &c.friction_work, &c.painleve,
                      &c.free_acceleration, &c.excess_work}) {
      *x = next();
    }
    c.mode = static_cast<contact::Mode>(i % 4);
    c.no_acceleration_solution = i % 2 == 0;
    c.force_unique = i % 3 == 0;
  }
  return contacts;
}

inline dynamics::State make_fake_state(std::int64_t step, int nq = 10, int nv = 9) {
  dynamics::State state{
      .step = step, .t = static_cast<double>(step) * 0.001, .q = VecX(nq), .v = VecX(nv)};
  for (int i = 0; i < nq; ++i) state.q[i] = fake_number(step, 200 + i);
  for (int i = 0; i < nv; ++i) state.v[i] = fake_number(step, 300 + i);
  // As bodies at rest do, some frames repeat the words of the one before; some have none.
  for (std::int64_t i = 0; i < step / 20 % 4; ++i) {
    state.memory.push_back(static_cast<std::uint64_t>(step / 20 * 1000 + i));
  }
  return state;
}

inline std::vector<BodyMotion> make_fake_bodies(std::int64_t step, int count = 3) {
  std::vector<BodyMotion> bodies(count);
  int i = 400;
  const auto next = [&] {
    return fake_number(step, i++);
  };
  for (BodyMotion& b : bodies) {
    for (Vec3* v : {&b.position, &b.velocity, &b.angular_velocity}) *v = {next(), next(), next()};
    b.orientation = Quat(next(), next(), next(), next());
  }
  return bodies;
}

inline double calc_fake_duration(std::int64_t step) {
  return step % 3 == 0 ? 0.0 : 0.25 * static_cast<double>(step);
}

inline std::vector<ReactionRow> make_fake_reactions(std::int64_t step) {
  std::vector<ReactionRow> reactions(step % 2);
  for (ReactionRow& r : reactions) {
    r = {.position = {1.0, 2.0, fake_number(step, 500)},
         .force = {fake_number(step, 501), 0.0, 0.0},
         .drive = fake_number(step, 502),
         .step = step,
         .index = 1,
         .kind = ReactionRow::kJoint};
  }
  return reactions;
}

inline StepImpulses make_fake_impulses(std::int64_t step,
                                       std::span<const contact::ContactRecord> contacts,
                                       std::span<const ReactionRow> reactions) {
  return {.contacts = contacts, .reactions = reactions, .duration = calc_fake_duration(step)};
}

// Frame 0 is the initial state; every kStepsPerFrame-th step makes another.
inline void append_fake_step(std::int64_t step, RunWriter* writer) {
  const auto contacts = make_fake_contacts(step);
  const auto reactions = make_fake_reactions(step);
  if (step > 0)
    writer->append_step(make_fake_report(step), make_fake_impulses(step, contacts, reactions));
  if (step % kStepsPerFrame == 0) {
    writer->append_frame(make_fake_state(step), make_fake_bodies(step),
                         make_fake_impulses(step, contacts, reactions));
  }
}

// That the file holds the fake run from its beginning, as far as it goes, bit for bit.
void expect_fake_prefix(const RunReader& reader);

}  // namespace tenpin::record
