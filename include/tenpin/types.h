// Vectors, poses and ids. All quantities are in SI units.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tenpin {

using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using Quat = Eigen::Quaterniond;  // w x y z in every file and vector

// The pose of a frame in the world: .translation() (m), .linear() (rotation matrix). Multiply it
// with points to transform them.
using Transform = Eigen::Isometry3d;

// The velocity of a body's point and of its rotation, in world axes.
struct Velocity {
  Vec3 linear = Vec3::Zero();   // m/s
  Vec3 angular = Vec3::Zero();  // rad/s
};

// Ids are valid for the simulation that returned them, and for its copies.
struct BodyId {
  int index = -1;  // in the order of the scene
  bool operator==(const BodyId&) const = default;
};

// A joint connects one body to its parent and has that body's name.
struct JointId {
  int body = -1;
  bool operator==(const JointId&) const = default;
};

}  // namespace tenpin
