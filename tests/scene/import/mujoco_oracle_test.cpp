// MJCF models mean the same to us as to MuJoCo itself, as Debian packages it: masses, inertias,
// joints, geoms and actuator forces, at the state that each model starts in.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "scene/build.h"
#include "scene/import/import.h"
#include "scene/import/mass_sum.h"
#include "scene/import/world_poses.h"
#include "shapes/convex_mesh.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

// Both sides compute in doubles; MuJoCo diagonalises inertias by an iteration that stops at 1e-12,
// and keeps mesh vertices in single precision.
constexpr double kTolerance = 1e-9;
constexpr double kFloatTolerance = 2e-6;

struct Oracle {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};

Oracle load(const std::string& file) {
  Oracle oracle;
  char error[1000] = "";
  oracle.model.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  EXPECT_NE(oracle.model, nullptr) << file << ": MuJoCo does not load it: " << error;
  if (oracle.model == nullptr) {
    return oracle;
  }
  oracle.data.reset(mj_makeData(oracle.model.get()));
  if (oracle.model->nkey > 0) {
    mj_resetDataKeyframe(oracle.model.get(), oracle.data.get(), 0);
  }
  mj_forward(oracle.model.get(), oracle.data.get());
  return oracle;
}

Vec3 vec3(const mjtNum* p) {
  return {p[0], p[1], p[2]};
}
Mat3 mat3(const mjtNum* p) {
  Mat3 m;
  m << p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8];
  return m;
}

class Comparison {
 public:
  // MuJoCo 2 gives meshes without a mass of their own the volume of the box that has their inertia,
  // unless exactmeshinertia says otherwise; MuJoCo 3, which we follow, does no longer.
  enum class MeshMass { kCompared, kMayBeOfBoxes };

  explicit Comparison(const std::string& file, const std::string& root = "",
                      MeshMass mesh_mass = MeshMass::kCompared)
      : file_(file),
        mesh_mass_(mesh_mass),
        oracle_(load(file)),
        scene_(import_model(file, {.root = root})),
        poses_(world_poses(scene_)) {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      body_named_[scene_.bodies[i].name] = static_cast<int>(i);
    }
  }

  void compare() {
    if (oracle_.model == nullptr) return;
    const mjModel& m = *oracle_.model;
    const Vec3 gravity = is_disabled(mjDSBL_GRAVITY) ? Vec3::Zero() : vec3(m.opt.gravity);
    EXPECT_EQ(scene_.gravity, gravity);
    EXPECT_EQ(std::get<TimeSteppingOptions>(scene_.method).step, m.opt.timestep);
    for (int b = 1; b < m.nbody; ++b) {
      if (m.body_weldid[b] == b) {
        compare_mass(b);
      }
    }
    for (int b = 0; b < m.nbody; ++b) {
      compare_geoms(b);
    }
    for (int j = 0; j < m.njnt; ++j) {
      compare_joint(j);
    }
    compare_motors();
    compare_dynamics();
    EXPECT_EQ(num_compared_geoms_, m.ngeom) << file_;
    EXPECT_EQ(num_parts(), m.ngeom) << file_;
  }

 private:
  std::string name_of(int body) const {
    const char* name = mj_id2name(oracle_.model.get(), mjOBJ_BODY, body);
    if (body == 0) return "ground";
    return name != nullptr && *name != '\0' ? name : "body" + std::to_string(body);
  }

  // MuJoCo 2 weighs meshes in single precision.
  bool has_mesh(int body) const {
    const mjModel& m = *oracle_.model;
    for (int g = 0; g < m.ngeom; ++g) {
      if (m.geom_type[g] == mjGEOM_MESH && m.body_weldid[m.geom_bodyid[g]] == body) return true;
    }
    return false;
  }

  bool is_disabled(int flag) const {
    const int flags = oracle_.model->opt.disableflags;
    return (flags & flag) != 0 ||
           ((flags & mjDSBL_CONSTRAINT) != 0 &&
            (flag == mjDSBL_CONTACT || flag == mjDSBL_LIMIT || flag == mjDSBL_FRICTIONLOSS));
  }

  int num_parts() const {
    int count = 0;
    for (const Body& body : scene_.bodies) count += static_cast<int>(body.parts.size());
    return count;
  }

  // The scene's body for one of MuJoCo's, or for what that is welded to.
  const Body* find(int body, Pose* X_WB) const {
    const auto found = body_named_.find(name_of(body));
    if (found == body_named_.end()) return nullptr;
    *X_WB = poses_[static_cast<std::size_t>(found->second)];
    return &scene_.bodies[static_cast<std::size_t>(found->second)];
  }

  void compare_mass(int body) {
    const mjModel& m = *oracle_.model;
    const mjData& d = *oracle_.data;
    Pose X_WB;
    const Body* ours = find(body, &X_WB);
    ASSERT_NE(ours, nullptr) << file_ << " " << name_of(body);
    MassProperties sum;  // in the world
    for (int b = body; b < m.nbody; ++b) {
      if (m.body_weldid[b] != body) continue;
      const MassProperties own = {.mass = m.body_mass[b],
                                  .inertia = vec3(m.body_inertia + 3 * b).asDiagonal()};
      sum = add_mass(sum, place_mass(own, {mat3(d.ximat + 9 * b), vec3(d.xipos + 3 * b)}));
    }
    const MassProperties mass =
        place_mass({.mass = ours->mass, .center = ours->center, .inertia = ours->inertia}, X_WB);
    const double scale = std::max(sum.inertia.norm(), 1e-12);
    const double tolerance = has_mesh(body) ? kFloatTolerance : kTolerance;
    const bool differs = std::abs(mass.mass - sum.mass) > 1e-12 * sum.mass ||
                         (mass.inertia - sum.inertia).norm() > 1e-9 * scale;
    is_single_ = is_single_ || (has_mesh(body) && differs);
    constexpr double kBoxDiffers = 1e-4;  // far beyond single precision
    if (mesh_mass_ == MeshMass::kMayBeOfBoxes && has_mesh(body) &&
        std::abs(mass.mass - sum.mass) > kBoxDiffers * sum.mass) {
      weighs_boxes_ = true;
      return;
    }
    EXPECT_NEAR(mass.mass, sum.mass, tolerance * sum.mass) << file_ << " " << ours->name;
    EXPECT_LT((mass.center - sum.center).norm(), tolerance) << file_ << " " << ours->name;
    EXPECT_LT((mass.inertia - sum.inertia).norm() / scale, std::max(tolerance, 1e-7))
        << file_ << " " << ours->name << "\n"
        << mass.inertia << "\n"
        << sum.inertia;
  }

  // Geoms of what is welded together come in the order of the bodies, ours in the same.
  void compare_geoms(int body) {
    const mjModel& m = *oracle_.model;
    const bool is_static = m.body_weldid[body] == 0;
    if (!is_static && m.body_weldid[body] != body) return;
    std::vector<int> geoms;
    for (int g = 0; g < m.ngeom; ++g) {
      const int owner = m.geom_bodyid[g];
      if (is_static ? owner == body : m.body_weldid[owner] == body) geoms.push_back(g);
    }
    if (geoms.empty()) return;
    Pose X_WB;
    const Body* ours = find(body, &X_WB);
    ASSERT_NE(ours, nullptr) << file_ << " " << name_of(body);
    ASSERT_EQ(ours->parts.size(), geoms.size()) << file_ << " " << ours->name;
    for (std::size_t i = 0; i < geoms.size(); ++i) {
      compare_geom(geoms[i], ours->parts[i], ours->part_options[i], X_WB);
    }
  }

  void compare_geom(int g, const shapes::PlacedShape& part, const PartOptions& options,
                    const Pose& X_WB) {
    const mjModel& m = *oracle_.model;
    const mjData& d = *oracle_.data;
    ++num_compared_geoms_;
    const bool touches = !is_disabled(mjDSBL_CONTACT);
    EXPECT_EQ(options.layer, touches ? static_cast<std::uint32_t>(m.geom_contype[g]) : 0);
    EXPECT_EQ(options.touches, touches ? static_cast<std::uint32_t>(m.geom_conaffinity[g]) : 0);
    const double mu = scene_.materials[static_cast<std::size_t>(options.material)].friction.along;
    EXPECT_EQ(mu, m.geom_condim[g] == 1 ? 0.0 : m.geom_friction[3 * g]);
    const Pose X_WG = {mat3(d.geom_xmat + 9 * g), vec3(d.geom_xpos + 3 * g)};
    const Pose ours = X_WB * part.X_BS;
    const Vec3 size = vec3(m.geom_size + 3 * g);
    if (m.geom_type[g] == mjGEOM_MESH) {
      return compare_mesh(g, part, ours, X_WG);
    }
    EXPECT_LT((ours.p - X_WG.p).norm(), kTolerance) << file_ << " geom " << g;
    if (!std::holds_alternative<shapes::Sphere>(part.shape)) {
      EXPECT_LT((ours.R - X_WG.R).norm(), kTolerance) << file_ << " geom " << g;
    }
    switch (m.geom_type[g]) {
      case mjGEOM_PLANE:
        EXPECT_TRUE(std::holds_alternative<shapes::Plane>(part.shape));
        break;
      case mjGEOM_SPHERE:
        EXPECT_NEAR(std::get<shapes::Sphere>(part.shape).radius, size.x(), kTolerance);
        break;
      case mjGEOM_CAPSULE:
        EXPECT_NEAR(std::get<shapes::Capsule>(part.shape).radius, size.x(), kTolerance);
        EXPECT_NEAR(std::get<shapes::Capsule>(part.shape).half_length, size.y(), kTolerance);
        break;
      case mjGEOM_CYLINDER:
        EXPECT_NEAR(std::get<shapes::Cylinder>(part.shape).radius, size.x(), kTolerance);
        EXPECT_NEAR(std::get<shapes::Cylinder>(part.shape).half_length, size.y(), kTolerance);
        break;
      case mjGEOM_BOX:
        EXPECT_LT((std::get<shapes::Box>(part.shape).half - size).norm(), kTolerance);
        break;
      case mjGEOM_ELLIPSOID: {
        if (const auto* ball = std::get_if<shapes::Sphere>(&part.shape)) {
          EXPECT_LT((Vec3::Constant(ball->radius) - size).norm(), kTolerance);
          break;
        }
        EXPECT_LT((std::get<shapes::Ellipsoid>(part.shape).semiaxes - size).norm(), kTolerance);
        break;
      }
      default:
        ADD_FAILURE() << "geom type " << m.geom_type[g];
    }
  }

  // MuJoCo moves a mesh to its own centre and axes; what is left in place are its corners.
  void compare_mesh(int g, const shapes::PlacedShape& part, const Pose& ours, const Pose& theirs) {
    const mjModel& m = *oracle_.model;
    const int mesh = m.geom_dataid[g];
    const float* vertices = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
    Vec3 low = Vec3::Constant(1e9), high = -low, our_low = low, our_high = high;
    for (int i = 0; i < m.mesh_vertnum[mesh]; ++i) {
      const Vec3 p = theirs * Vec3(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    for (const Vec3& v : std::get<shapes::Polyhedron>(part.shape).mesh->vertices) {
      our_low = our_low.cwiseMin(ours * v);
      our_high = our_high.cwiseMax(ours * v);
    }
    const double size = (high - low).norm();
    EXPECT_LT((our_low - low).norm(), kFloatTolerance * size) << file_ << " geom " << g;
    EXPECT_LT((our_high - high).norm(), kFloatTolerance * size) << file_ << " geom " << g;
  }

  // The scene's body that a joint of MuJoCo's moves: the last joints of a body are the last bodies.
  const Body* body_of_joint(int j, Pose* X_WB) const {
    const mjModel& m = *oracle_.model;
    const int b = m.jnt_bodyid[j];
    const int number = j - m.body_jntadr[b];
    std::string name = name_of(b);
    if (number + 1 < m.body_jntnum[b]) name += "~" + std::to_string(number + 1);
    const auto found = body_named_.find(name);
    if (found == body_named_.end()) return nullptr;
    *X_WB = poses_[static_cast<std::size_t>(found->second)];
    return &scene_.bodies[static_cast<std::size_t>(found->second)];
  }

  void compare_joint(int j) {
    const mjModel& m = *oracle_.model;
    const mjData& d = *oracle_.data;
    Pose X_WB;
    const Body* body = body_of_joint(j, &X_WB);
    ASSERT_NE(body, nullptr) << file_ << " joint " << j;
    const JointKind kinds[] = {JointKind::kFree, JointKind::kBall, JointKind::kSlider,
                               JointKind::kHinge};
    ASSERT_EQ(body->joint, kinds[m.jnt_type[j]]) << file_ << " joint " << j;
    if (body->joint == JointKind::kFree) {
      EXPECT_LT((X_WB.p - vec3(d.xpos + 3 * m.jnt_bodyid[j])).norm(), kTolerance);
      EXPECT_LT((X_WB.R - mat3(d.xmat + 9 * m.jnt_bodyid[j])).norm(), kTolerance);
      return;
    }
    const JointProperties& p = body->properties;
    const int dof = m.jnt_dofadr[j];
    const bool is_passive = !is_disabled(mjDSBL_PASSIVE);
    EXPECT_NEAR(p.stiffness, is_passive ? m.jnt_stiffness[j] : 0.0, kTolerance);
    EXPECT_NEAR(p.damping, is_passive ? m.dof_damping[dof] : 0.0, kTolerance);
    EXPECT_NEAR(p.armature, m.dof_armature[dof], kTolerance);
    const bool is_dry = !is_disabled(mjDSBL_FRICTIONLOSS);
    EXPECT_NEAR(p.friction, is_dry ? m.dof_frictionloss[dof] : 0.0, kTolerance);
    const double reference = m.qpos0[m.jnt_qposadr[j]];
    if (body->joint != JointKind::kBall) {
      EXPECT_LT((X_WB.R * p.axis - vec3(d.xaxis + 3 * j)).norm(), kTolerance) << file_ << j;
      const double theirs = d.qpos[m.jnt_qposadr[j]] - reference;
      EXPECT_NEAR(p.at, std::clamp(theirs, p.lower, p.upper), kTolerance) << file_ << j;
      EXPECT_NEAR(p.rate, d.qvel[dof], kTolerance);
      EXPECT_NEAR(p.rest + reference, m.qpos_spring[m.jnt_qposadr[j]], kTolerance);
    }
    if (body->joint != JointKind::kSlider) {
      EXPECT_LT((X_WB * p.anchor - vec3(d.xanchor + 3 * j)).norm(), kTolerance) << file_ << j;
    }
    if (!m.jnt_limited[j] || is_disabled(mjDSBL_LIMIT)) {
      EXPECT_EQ(p.upper, kNoLimit) << file_ << j;
    } else if (body->joint == JointKind::kBall) {
      EXPECT_NEAR(p.upper, m.jnt_range[2 * j + 1], kTolerance) << file_ << j;
    } else {
      EXPECT_NEAR(p.lower + reference, m.jnt_range[2 * j], kTolerance) << file_ << j;
      EXPECT_NEAR(p.upper + reference, m.jnt_range[2 * j + 1], kTolerance) << file_ << j;
    }
  }

  static double motor_force(const JointProperties& p) {
    const Motor& motor = p.motor;
    double force = 0.0;
    if (motor.kind == Motor::Kind::kForce) force = motor.target;
    if (motor.kind == Motor::Kind::kVelocity) force = motor.damping * (motor.target - p.rate);
    if (motor.kind == Motor::Kind::kPosition) {
      force = motor.stiffness * (motor.target - p.at) - motor.damping * p.rate;
    }
    return std::clamp(force, -motor.limit, motor.limit);
  }

  void compare_motors() {
    const mjModel& m = *oracle_.model;
    const mjData& d = *oracle_.data;
    for (int a = 0; a < m.nu; ++a) {
      // Others are listed as not used, and then their forces are not ours.
      if (m.actuator_trntype[a] != mjTRN_JOINT && m.actuator_trntype[a] != mjTRN_JOINTINPARENT)
        return;
    }
    for (int j = 0; j < m.njnt; ++j) {
      Pose X_WB;
      const Body* body = body_of_joint(j, &X_WB);
      if (body == nullptr || m.jnt_type[j] == mjJNT_FREE || m.jnt_type[j] == mjJNT_BALL) continue;
      const double theirs = d.qfrc_actuator[m.jnt_dofadr[j]];
      EXPECT_NEAR(motor_force(body->properties), theirs, kTolerance * (1.0 + std::abs(theirs)))
          << file_ << " joint " << j;
    }
  }

  // MuJoCo's velocities from ours: v_theirs = T v_ours.
  MatX velocity_map(const Built& built) const {
    const mjModel& m = *oracle_.model;
    std::vector<Pose> X_WB;
    update_poses(built.model, built.state.q, 0.0, &X_WB);
    MatX T = MatX::Zero(m.nv, built.model.nv);
    for (int j = 0; j < m.njnt; ++j) {
      Pose unused;
      const Body* body = body_of_joint(j, &unused);
      if (body == nullptr) return {};
      const auto index = static_cast<std::size_t>(body - scene_.bodies.data());
      const dynamics::Body& b = built.model.bodies[index];
      const int theirs = m.jnt_dofadr[j];
      const int ours = b.joint.v_begin;
      if (m.jnt_type[j] == mjJNT_FREE) {
        const Vec3 r = X_WB[index].R * b.p_BO;
        T.block<3, 3>(theirs, ours).setIdentity();
        for (int k = 0; k < 3; ++k) {
          T.block<3, 1>(theirs, ours + 3 + k) = Vec3(Vec3::Unit(k).cross(r));
        }
        T.block<3, 3>(theirs + 3, ours + 3) = X_WB[index].R.transpose();
      } else if (m.jnt_type[j] == mjJNT_BALL) {
        T.block<3, 3>(theirs, ours) = b.joint.X_MB.R.transpose();
      } else {
        T(theirs, ours) = 1.0;
      }
    }
    return T;
  }

  // Mass matrix, and accelerations of free fall from rest, of the tree alone: no loops, contacts,
  // limits or forces in joints.
  void compare_dynamics() {
    mjModel& m = *oracle_.model;
    mjData& d = *oracle_.data;
    if (weighs_boxes_) {
      std::cout << file_ << ": meshes weighed as boxes by MuJoCo 2, dynamics not compared\n";
      return;
    }
    if (m.nv == 0) return;
    Scene open = scene_;
    open.loops.clear();
    for (int j = 0; j < m.njnt; ++j) {  // ours may start at a limit instead of beyond it
      Pose unused;
      const Body* body = body_of_joint(j, &unused);
      if (body != nullptr && (m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE)) {
        d.qpos[m.jnt_qposadr[j]] = body->properties.at + m.qpos0[m.jnt_qposadr[j]];
      }
    }
    std::fill_n(d.qvel, m.nv, 0.0);
    mj_forward(&m, &d);
    const Built built = build(open);
    const int nv = built.model.nv;
    ASSERT_EQ(nv, m.nv) << file_;
    const MatX T = velocity_map(built);
    ASSERT_EQ(T.rows(), m.nv) << file_;
    std::vector<Pose> X_WB;
    update_poses(built.model, built.state.q, 0.0, &X_WB);
    dynamics::MassMatrix inverse;
    inverse.update(built.model, X_WB, built.state.q, VecX::Zero(nv));
    MatX M = MatX::Zero(nv, nv);
    mj_fullM(&m, M.data(), d.qM);
    const MatX mapped = T.transpose() * M * T;
    // Each column of M M^-1 is a unit vector, in units in which the diagonal of M is 1.
    const VecX unit = mapped.diagonal().cwiseSqrt();
    double worst = 0.0;
    VecX column(nv);
    for (int i = 0; i < nv; ++i) {
      inverse.solve(built.model, VecX::Unit(nv, i), column);
      const VecX error = (mapped * column - VecX::Unit(nv, i)).cwiseQuotient(unit) * unit[i];
      worst = std::max(worst, error.lpNorm<Eigen::Infinity>());
    }
    VecX weight(nv), fall(nv);
    std::vector<dynamics::Wrench> scratch(built.model.bodies.size());
    dynamics::calc_gravity(built.model, X_WB, &scratch, weight);
    inverse.solve(built.model, weight, fall);
    VecX bias(nv), their_fall(nv);
    for (int i = 0; i < nv; ++i) bias[i] = -d.qfrc_bias[i];
    mj_solveM(&m, &d, their_fall.data(), bias.data(), 1);
    const double scale = 1.0 + their_fall.lpNorm<Eigen::Infinity>();
    const double fall_error = (T * fall - their_fall).lpNorm<Eigen::Infinity>() / scale;
    const double tolerance = is_single_ ? 1e-4 : 1e-8;
    EXPECT_LT(worst, tolerance) << file_ << ": mass matrix";
    EXPECT_LT(fall_error, tolerance) << file_ << ": free fall";
    std::cout << file_ << ": mass matrix " << worst << ", free fall " << fall_error
              << (is_single_ ? ", meshes weighed in single precision" : "") << std::endl;
  }

  std::string file_;
  MeshMass mesh_mass_;
  Oracle oracle_;
  Scene scene_;
  std::vector<Pose> poses_;
  std::map<std::string, int> body_named_;
  int num_compared_geoms_ = 0;
  bool weighs_boxes_ = false;  // see MeshMass; set by compare_mass
  bool is_single_ = false;     // some masses are good to single precision only; set by compare_mass
};

TEST(MujocoOracle, OwnModelsMeanTheSame) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(TENPIN_SOURCE_DIR "/tests/scene/import/models")) {
    if (entry.path().extension() != ".xml" ||
        entry.path().stem().string().ends_with("-newer")) {  // than the packaged MuJoCo
      continue;
    }
    ++count;
    Comparison(entry.path().string()).compare();
  }
  EXPECT_GE(count, 8);
}

// Those of MuJoCo's own models that have no soft bodies.
TEST(MujocoOracle, PackagedModelsMeanTheSame) {
  const std::string folder = "/usr/share/mujoco/model/";
  if (!fs::exists(folder)) {
    FAIL() << "libmujoco-samples is in packages.txt and not installed";
  }
  for (const std::string name :
       {"humanoid/humanoid.xml", "humanoid/22_humanoids.xml", "humanoid100/humanoid_body.xml",
        "hammock/humanoid_body.xml", "slider_crank/slider_crank.xml", "tendon_arm/arm26.xml"}) {
    Comparison(folder + name).compare();
  }
  Comparison(folder + "mug/mug.xml", "", Comparison::MeshMass::kMayBeOfBoxes).compare();
}

TEST(MujocoOracle, ModelsOfOthersMeanTheSame) {
  const std::string folder = "/usr/share/doc/dart/data/mjcf/openai/";
  if (!fs::exists(folder)) {
    FAIL() << "dart-doc is in packages.txt and not installed";
  }
  for (const std::string name :
       {"inverted_double_pendulum.xml", "point.xml", "reacher.xml", "swimmer.xml"}) {
    Comparison(folder + name).compare();
  }
}

// TENPIN_MODELS=file:file:... compares whatever one has at hand, e.g. a checkout of public robots.
TEST(MujocoOracle, GivenModelsMeanTheSame) {
  const char* list = std::getenv("TENPIN_MODELS");
  if (list == nullptr) {
    GTEST_SKIP() << "not tried: TENPIN_MODELS names no files";
  }
  std::istringstream files(list);
  for (std::string file; std::getline(files, file, ':');) {
    std::cout << file << std::endl;
    Comparison(file, "/", Comparison::MeshMass::kMayBeOfBoxes).compare();
  }
}

}  // namespace
}  // namespace tenpin::scene
