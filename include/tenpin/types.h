// Vectors, poses and the names of things in a simulation. SI units everywhere.
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

// Where a frame is in the world: .translation() (m), .linear() (rotation matrix), times points.
using Transform = Eigen::Isometry3d;

// How a point of a body moves, and how the body turns. World axes.
struct Velocity {
  Vec3 linear = Vec3::Zero();   // m/s
  Vec3 angular = Vec3::Zero();  // rad/s
};

// Ids are valid in the simulation that gave them, and in its copies.
struct BodyId {
  int index = -1;  // in the order of the scene
  bool operator==(const BodyId&) const = default;
};

// A joint holds one body to its parent and has that body's name.
struct JointId {
  int body = -1;
  bool operator==(const JointId&) const = default;
};

}  // namespace tenpin
