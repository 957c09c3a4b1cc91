// The cases of tests/impact/data, made by an independent implementation.
#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "math/types.h"

namespace tenpin::impact {

inline nlohmann::json read_cases(const std::string& name) {
  std::ifstream file(std::string(TENPIN_SOURCE_DIR) + "/tests/impact/data/" + name);
  return nlohmann::json::parse(file).at("cases");
}

template <typename Vector = VecX>
Vector read_vector(const nlohmann::json& values) {
  Vector vector(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) vector[static_cast<Eigen::Index>(i)] = values[i];
  return vector;
}

inline Mat3 read_matrix(const nlohmann::json& rows) {
  Mat3 matrix;
  for (int i = 0; i < 3; ++i) {
    matrix.row(i) = read_vector<Vec3>(rows.at(static_cast<std::size_t>(i))).transpose();
  }
  return matrix;
}

}  // namespace tenpin::impact
