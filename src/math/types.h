// Fixed-size and dynamic linear algebra types. No other file names Eigen's types.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tenpin {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using Quat = Eigen::Quaterniond;  // unit quaternion; written w x y z in every file format

// Views of memory that is owned elsewhere, for arguments that must not be copied.
using VecRef = Eigen::Ref<VecX>;
using ConstVecRef = Eigen::Ref<const VecX>;
using MatRef = Eigen::Ref<MatX>;
using ConstMatRef = Eigen::Ref<const MatX>;

}  // namespace tenpin
