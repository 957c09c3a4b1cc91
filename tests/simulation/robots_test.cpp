// Mass matrix, bias forces, Jacobians and dynamics of imported robots against MuJoCo's, at random
// states. MuJoCo describes a free body by its origin and spins in the body's axes; ours is the
// centre of mass and the world's axes:  v_mj = T v,  v_dot_mj = T v_dot + gamma.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

constexpr double kRounding = 1e-10;  // of the largest number

class Robot {
 public:
  explicit Robot(const std::string& file) : sim_(Simulation::load(file)) {
    char message[1000] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, message, sizeof message));
    if (model_ == nullptr) throw std::runtime_error(message);
    data_.reset(mj_makeData(model_.get()));
    find_joints();
  }

  // Both engines at one state: joints within 1 rad or m of their zero, any pose, any velocity.
  void go_to(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    VecX q = sim_.q();
    VecX v = sim_.v();
    for (double& x : q) x = number(random);
    for (double& x : v) x = number(random);
    for (const JointId root : roots_) {
      q.segment<4>(sim_.layout(root).q_begin + 3).normalize();
    }
    for (const Pair& ball : balls_) q.segment<4>(ball.q).normalize();
    sim_.set_state(q, v);
    for (const Pair& pair : pairs_) {
      data_->qpos[pair.qpos] = q[pair.q] + model_->qpos0[pair.qpos];
    }
    // Our ball joints turn the body in the axes of its parent, MuJoCo's in the axes of the body as
    // it is drawn.
    for (const Pair& ball : balls_) {
      const Quat ours(q[ball.q], q[ball.q + 1], q[ball.q + 2], q[ball.q + 3]);
      const Quat turn = find_drawn(ball).conjugate() * ours * find_drawn(ball);
      data_->qpos[ball.qpos] = turn.w();
      for (int i = 0; i < 3; ++i) data_->qpos[ball.qpos + 1 + i] = turn.vec()[i];
    }
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      const Transform X = sim_.pose(BodyId{roots_[k].body});
      const Quat turn(X.linear());
      mjtNum* qpos = data_->qpos + model_->jnt_qposadr[root_joints_[k]];
      for (int i = 0; i < 3; ++i) qpos[i] = X.translation()[i];
      qpos[3] = turn.w();
      for (int i = 0; i < 3; ++i) qpos[4 + i] = turn.vec()[i];
    }
    make_transform();
    Eigen::Map<VecX>(data_->qvel, model_->nv) = T_ * v;
    mj_forward(model_.get(), data_.get());
  }

  Simulation& sim() { return sim_; }
  const MatX& T() const { return T_; }
  int nv() const { return model_->nv; }

  MatX calc_mass() {
    MatX M(nv(), nv());
    mj_fullM(model_.get(), M.data(), data_->qM);
    return T_.transpose() * M * T_;
  }
  // M v_dot + c, in our coordinates.
  VecX calc_inverse(const VecX& v_dot) {
    const VecX acceleration = T_ * v_dot + gamma_;
    Eigen::Map<VecX>(data_->qacc, nv()) = acceleration;
    VecX f(nv());
    mj_rne(model_.get(), data_.get(), 1, f.data());
    const Eigen::Map<const VecX> armature(model_->dof_armature, nv());
    return T_.transpose() * (f + armature.cwiseProduct(acceleration));
  }
  MatX calc_jacobian(int body, const Vec3& point) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(6, nv());
    mj_jac(model_.get(), data_.get(), J.data(), J.data() + 3 * nv(), point.data(), body);
    return J * T_;
  }
  // Bodies that are not parts of others.
  std::vector<int> bodies() const {
    std::vector<int> list;
    for (int body = 1; body < model_->nbody; ++body) {
      if (model_->body_weldid[body] == body) list.push_back(body);
    }
    return list;
  }
  std::string name(int body) const {
    const char* text = mj_id2name(model_.get(), mjOBJ_BODY, body);
    return text != nullptr && *text != '\0' ? text : "body" + std::to_string(body);
  }

 private:
  struct Pair {
    int qpos, qvel;  // MuJoCo's
    int q, v;        // ours
  };
  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };

  // Several joints of one body are a chain of bodies name~1, name~2, ..., name.
  void find_joints() {
    for (int j = 0; j < model_->njnt; ++j) {
      const int body = model_->jnt_bodyid[j];
      const int number = j - model_->body_jntadr[body] + 1;
      const bool is_last = number == model_->body_jntnum[body];
      const JointId ours =
          sim_.joint(is_last ? name(body) : name(body) + "~" + std::to_string(number));
      if (model_->jnt_type[j] == mjJNT_FREE) {
        roots_.push_back(ours);
        root_joints_.push_back(j);
      } else {
        std::vector<Pair>& kind = model_->jnt_type[j] == mjJNT_BALL ? balls_ : pairs_;
        kind.push_back({.qpos = model_->jnt_qposadr[j],
                        .qvel = model_->jnt_dofadr[j],
                        .q = sim_.layout(ours).q_begin,
                        .v = sim_.layout(ours).v_begin});
      }
    }
  }

  // The orientation of the body of a joint in its parent, as drawn.
  Quat find_drawn(const Pair& pair) const {
    const mjtNum* quat = model_->body_quat + 4 * model_->dof_bodyid[pair.qvel];
    return Quat(quat[0], quat[1], quat[2], quat[3]).normalized();
  }

  void make_transform() {
    T_ = MatX::Zero(nv(), nv());
    gamma_ = VecX::Zero(nv());
    for (const Pair& pair : pairs_) T_(pair.qvel, pair.v) = 1.0;
    for (const Pair& ball : balls_) {
      T_.block<3, 3>(ball.qvel, ball.v) = find_drawn(ball).toRotationMatrix().transpose();
    }
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      const int v = sim_.layout(roots_[k]).v_begin;
      const int q = sim_.layout(roots_[k]).q_begin;
      const int dof = model_->jnt_dofadr[root_joints_[k]];
      const Transform X = sim_.pose(BodyId{roots_[k].body});
      const Vec3 arm = X.translation() - sim_.q().segment<3>(q);  // from the centre of mass
      const Vec3 w = sim_.v().segment<3>(v + 3);
      T_.block<3, 3>(dof, v).setIdentity();
      for (int i = 0; i < 3; ++i) T_.block<3, 1>(dof, v + 3 + i) = Vec3::Unit(i).cross(arm);
      T_.block<3, 3>(dof + 3, v + 3) = X.linear().transpose();
      gamma_.segment<3>(dof) = w.cross(w.cross(arm));
    }
  }

  Simulation sim_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<Pair> pairs_;  // hinges and sliders
  std::vector<Pair> balls_;
  std::vector<JointId> roots_;
  std::vector<int> root_joints_;
  MatX T_;
  VecX gamma_;
};

class Robots : public testing::TestWithParam<std::string> {};

TEST_P(Robots, HaveMujocosDynamicsAtRandomStates) {
  Robot robot(GetParam());
  ASSERT_EQ(robot.nv(), robot.sim().v().size());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    robot.go_to(seed);
    const Simulation& sim = robot.sim();
    const MatX M = robot.calc_mass();
    EXPECT_LT((calc_mass_matrix(sim) - M).norm(), kRounding * M.norm()) << seed;
    const VecX zero = VecX::Zero(robot.nv());
    const VecX bias = robot.calc_inverse(zero);
    EXPECT_LT((calc_bias_forces(sim) - bias).norm(), kRounding * bias.norm()) << seed;
    const VecX v_dot = sim.v().reverse();
    const VecX f = robot.calc_inverse(v_dot);
    EXPECT_LT((calc_inverse_dynamics(sim, v_dot) - f).norm(), kRounding * f.norm()) << seed;
    // Forward: M v_dot = f - c, by MuJoCo's M and c.
    const VecX a = calc_forward_dynamics(sim, f - calc_smooth_forces(sim));
    EXPECT_LT((M * (a - v_dot)).norm(), kRounding * f.norm()) << seed;
    for (const int body : robot.bodies()) {
      const Vec3 point(0.3, -0.2, 0.7);
      const MatX J = robot.calc_jacobian(body, point);
      const MatX ours = calc_point_jacobian(sim, sim.body(robot.name(body)), point);
      EXPECT_LT((ours - J).norm(), kRounding * J.norm()) << robot.name(body);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Robots,
                         testing::Values(TENPIN_SOURCE_DIR "/examples/scenes/quadruped.xml",
                                         TENPIN_SOURCE_DIR "/tests/simulation/ball-joints.xml",
                                         "/usr/share/mujoco/model/humanoid/humanoid.xml"));

}  // namespace
}  // namespace tenpin
