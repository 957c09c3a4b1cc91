// Queries against MuJoCo and against finite differences of poses, velocities and energies.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

// A robot that stands on the floor by hinges and slides, where both engines have the same
// coordinates.
constexpr const char* kArm = R"(<mujoco model="arm">
  <compiler angle="radian"/>
  <option gravity="0.3 0.2 -9.81" timestep="0.001"/>
  <worldbody>
    <body name="base" pos="0 0 0.5" euler="0.1 0.2 0.3">
      <joint name="turn" type="hinge" axis="0 0 1" pos="0.02 0 0" armature="0.03"/>
      <inertial pos="0.05 0.02 0.1" mass="2" fullinertia="0.05 0.06 0.04 0.001 0.002 -0.001"/>
      <body name="lift" pos="0.1 0 0.4" euler="0.3 0 0.1">
        <joint name="rise" type="slide" axis="0.6 0 0.8"/>
        <inertial pos="0 0.03 0.02" mass="1.5" diaginertia="0.02 0.03 0.025"/>
        <body name="fore" pos="0.3 0.05 0">
          <joint name="bend" type="hinge" axis="0 1 0" pos="-0.05 0 0.01"/>
          <inertial pos="0.15 0 0" mass="0.8" diaginertia="0.004 0.02 0.02"/>
          <body name="hand" pos="0.3 0 0">
            <joint name="twist" type="hinge" axis="1 0 0"/>
            <inertial pos="0.04 0.01 0" mass="0.3" diaginertia="0.001 0.002 0.0015"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("tenpin-queries-" + std::to_string(getpid()) + ".xml"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

VecX make_random(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  VecX x(size);
  for (double& entry : x) entry = number(random);
  return x;
}

class Arm : public testing::Test {
 protected:
  Arm() : file_(kArm), sim_(Simulation::load(file_.path())) {
    char message[1000] = "";
    model_.reset(mj_loadXML(file_.path().c_str(), nullptr, message, sizeof message));
    EXPECT_NE(model_, nullptr) << message;
    data_.reset(mj_makeData(model_.get()));
    sim_.set_state(make_random(4, 1), make_random(4, 2));
    for (int i = 0; i < 4; ++i) {
      data_->qpos[i] = sim_.q()[i];
      data_->qvel[i] = sim_.v()[i];
    }
    mj_forward(model_.get(), data_.get());
  }

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  TemporaryFile file_;
  Simulation sim_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

constexpr double kRounding = 1e-10;  // of numbers about one, after a few dozen operations

TEST_F(Arm, MassMatrixIsMujocos) {
  MatX M(4, 4);  // symmetric, so that rows and columns may be taken for each other
  mj_fullM(model_.get(), M.data(), data_->qM);
  EXPECT_LT((calc_mass_matrix(sim_) - M).norm(), kRounding);
}

TEST_F(Arm, BiasForcesAreMujocos) {
  const Eigen::Map<const VecX> bias(data_->qfrc_bias, 4);
  EXPECT_GT(bias.norm(), 1.0);
  EXPECT_LT((calc_bias_forces(sim_) - bias).norm(), kRounding);
}

TEST_F(Arm, PointJacobianIsMujocos) {
  const Vec3 point(0.3, -0.2, 0.7);
  const int hand = mj_name2id(model_.get(), mjOBJ_BODY, "hand");
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> linear, angular;
  mj_jac(model_.get(), data_.get(), linear.data(), angular.data(), point.data(), hand);
  const MatX J = calc_point_jacobian(sim_, sim_.body("hand"), point);
  EXPECT_LT((J.topRows(3) - linear).norm(), kRounding);
  EXPECT_LT((J.bottomRows(3) - angular).norm(), kRounding);
}

TEST_F(Arm, ForwardAndInverseDynamicsAreMujocos) {
  const Eigen::Map<const VecX> v_dot(data_->qacc, 4);
  EXPECT_LT((calc_forward_dynamics(sim_, VecX::Zero(4)) - v_dot).norm(), 1e-8);
  const VecX wanted = make_random(4, 3);
  for (int i = 0; i < 4; ++i) data_->qacc[i] = wanted[i];
  mj_inverse(model_.get(), data_.get());
  const Eigen::Map<const VecX> force(data_->qfrc_inverse, 4);
  EXPECT_LT((calc_inverse_dynamics(sim_, wanted) - force).norm(), 1e-9);
}

// Every kind of joint: a free base with a hinge, a ball and a slider on it.
Scene make_creature(const std::string& method) {
  SceneBuilder builder;
  builder.method(method);
  builder.body("trunk")
      .mass(3.0)
      .position({0.0, 0.0, 5.0})
      .box({0.4, 0.3, 0.2})
      .velocity({0.3, -0.2, 0.1}, {0.5, 0.8, -0.3});
  builder.body("leg")
      .parent("trunk")
      .mass(1.0)
      .position({0.1, 0.0, -0.4})
      .capsule(0.05, 0.4)
      .hinge({.axis = Vec3(0.0, 1.0, 0.0),
              .anchor = Vec3(0.0, 0.0, 0.3),
              .at = 0.4,
              .rate = 1.5,
              .stiffness = 3.0,
              .damping = 0.1});
  builder.body("tail")
      .parent("trunk")
      .mass(0.5)
      .position({-0.5, 0.0, 0.0})
      .box({0.3, 0.05, 0.04})
      .ball({.anchor = Vec3(0.25, 0.0, 0.0)});
  builder.body("foot")
      .parent("leg")
      .mass(0.4)
      .position({0.0, 0.0, -0.4})
      .sphere(0.06)
      .slider({.axis = Vec3(0.0, 0.0, 1.0), .rate = -0.3, .stiffness = 100.0});
  return builder.build();
}

// A little after the start, where nothing is special.
Simulation make_moved_creature() {
  Simulation sim(make_creature("analytic"));
  sim.advance_to(0.13);
  return sim;
}

TEST(Queries, MassMatrixGivesTheKineticEnergy) {
  const Simulation sim = make_moved_creature();
  const MatX M = calc_mass_matrix(sim);
  EXPECT_LT((M - M.transpose()).norm(), 1e-13);
  EXPECT_NEAR(0.5 * sim.v().dot(M * sim.v()), sim.kinetic_energy(), 1e-12);
}

TEST(Queries, PointJacobianIsTheVelocityOfThePoint) {
  const Simulation sim = make_moved_creature();
  for (const char* name : {"trunk", "leg", "tail", "foot"}) {
    const BodyId body = sim.body(name);
    const Vec3 p = sim.pose(body).translation();
    const VecX V = calc_point_jacobian(sim, body, p) * sim.v();
    EXPECT_LT((V.head<3>() - sim.velocity(body).linear).norm(), 1e-13) << name;
    EXPECT_LT((V.tail<3>() - sim.velocity(body).angular).norm(), 1e-13) << name;
  }
}

// The velocity of the origin against the difference of two poses a little apart.
TEST(Queries, VelocitiesAreRatesOfPoses) {
  Simulation sim = make_moved_creature();
  constexpr double kStep = 1e-5;  // s
  const BodyId foot = sim.body("foot");
  const Vec3 before = sim.pose(foot).translation();
  sim.advance_to(sim.time() + kStep);
  const Vec3 middle_velocity = sim.velocity(foot).linear;
  const Vec3 middle = sim.pose(foot).translation();
  sim.advance_to(sim.time() + kStep);
  const Vec3 rate = (sim.pose(foot).translation() - before) / (2.0 * kStep);
  EXPECT_LT((rate - middle_velocity).norm(), 1e-7);
  EXPECT_GT((middle - before).norm(), 1e-6);
}

// The analytic method integrates to 1e-12, so its velocities tell the accelerations.
TEST(Queries, ForwardDynamicsIsTheRateOfTheVelocities) {
  constexpr double kStep = 1e-4;  // s
  Simulation sim = make_moved_creature();
  sim.set_joint_force(sim.joint("leg"), 2.0);
  sim.set_body_force(sim.body("tail"), {0.5, -1.0, 2.0}, {0.01, 0.0, 0.02});
  const VecX before = sim.v();
  sim.advance_to(sim.time() + kStep);
  const VecX v_dot = calc_forward_dynamics(sim, VecX::Zero(sim.v().size()));
  sim.advance_to(sim.time() + kStep);
  EXPECT_LT(((sim.v() - before) / (2.0 * kStep) - v_dot).norm(), 1e-4 * v_dot.norm());
}

TEST(Queries, InverseDynamicsTakesForwardDynamicsBack) {
  Simulation sim = make_moved_creature();
  const VecX extra = make_random(static_cast<int>(sim.v().size()), 5);
  const VecX v_dot = calc_forward_dynamics(sim, extra);
  const VecX force = calc_inverse_dynamics(sim, v_dot);
  EXPECT_LT((force - extra - calc_smooth_forces(sim)).norm(), 1e-9);
}

TEST(Queries, DelassusIsWhatImpulsesDoToContactVelocities) {
  SceneBuilder builder;
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("box").mass(2.0).position({0.0, 0.0, 0.1}).box({0.4, 0.3, 0.2});
  const Simulation sim(builder.build());
  const ContactRows rows = calc_contact_rows(sim, 1e-6);
  ASSERT_EQ(rows.contacts.size(), 4U);
  const MatX W = calc_delassus(sim, rows.J);
  EXPECT_LT((W - rows.J * calc_mass_matrix(sim).inverse() * rows.J.transpose()).norm(), 1e-12);
  // A corner of the box: 1/m + (y^2/I_x + x^2/I_y) along the normal.
  const double I_x = 2.0 / 12.0 * (0.3 * 0.3 + 0.2 * 0.2);
  const double I_y = 2.0 / 12.0 * (0.4 * 0.4 + 0.2 * 0.2);
  EXPECT_NEAR(W(0, 0), 0.5 + 0.15 * 0.15 / I_x + 0.2 * 0.2 / I_y, 1e-12);
  EXPECT_EQ(rows.friction[0], 0.5);
}

TEST(Queries, DistanceHasWitnessPoints) {
  SceneBuilder builder;
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("ball").mass(1.0).position({0.3, 0.2, 0.6}).sphere(0.1);
  builder.body("box").mass(1.0).position({1.0, 0.2, 0.6}).box({0.2, 0.2, 0.2});
  const Simulation sim(builder.build());
  const Distance down = calc_distance(sim, sim.body("table"), sim.body("ball"));
  EXPECT_NEAR(down.gap, 0.5, 1e-14);
  EXPECT_LT((down.point_b - Vec3(0.3, 0.2, 0.5)).norm(), 1e-14);
  const Distance across = calc_distance(sim, sim.body("ball"), sim.body("box"));
  EXPECT_NEAR(across.gap, 0.5, 1e-14);
  EXPECT_LT((across.normal - Vec3::UnitX()).norm(), 1e-14);
  EXPECT_NEAR((across.point_b - across.point_a).norm(), across.gap, 1e-14);
  EXPECT_THROW((void)calc_distance(sim, BodyId{7}, sim.body("box")), InputError);
}

TEST(Queries, WrongSizesAreRefused) {
  Simulation sim = make_moved_creature();
  EXPECT_THROW((void)calc_forward_dynamics(sim, VecX::Zero(2)), InputError);
  EXPECT_THROW((void)calc_inverse_dynamics(sim, VecX::Zero(2)), InputError);
  EXPECT_THROW((void)calc_delassus(sim, MatX::Zero(3, 2)), InputError);
  EXPECT_THROW((void)linearize(sim, {.eps = -1.0}), InputError);
  EXPECT_THROW((void)linearize(sim, {.duration = 0.0}), InputError);
  EXPECT_THROW((void)calc_contact_rows(sim, -1.0), InputError);
}

}  // namespace
}  // namespace tenpin
