// Small scenes that several tests share.
#pragma once

#include <gtest/gtest.h>
#include <tenpin/tenpin.h>

#include <algorithm>
#include <string>

namespace tenpin {

// "order-1" and "order-2" are time-stepping of that order.
inline void choose_method(const std::string& method, SceneBuilder* builder) {
  if (method.starts_with("order-")) {
    builder->method("time-stepping", {{"step", "0.005"}, {"order", method.substr(6)}});
  } else if (method == "penalty") {
    builder->method(method, {{"step", "0.001"}});
  } else {
    builder->method(method);
  }
}

// Two balls that meet on a table, and, where the method has joints, a pendulum that hits one.
inline Scene make_falling_things(const std::string& method) {
  SceneBuilder builder;
  choose_method(method, &builder);
  const double friction = method == "penalty" ? 0.0 : 0.3;
  builder.material("ivory", friction, 0.5).material("felt", friction, 0.2);
  builder.body("table").fixed().material("felt").plane(Vec3::UnitZ());
  builder.body("first")
      .mass(1.0)
      .material("ivory")
      .position({0.0, 0.0, 0.1005})
      .sphere(0.1)
      .velocity({1.0, 0.0, 0.0});
  builder.body("second").mass(2.0).material("ivory").position({0.21, 0.01, 0.1005}).sphere(0.1);
  if (method != "penalty") {
    builder.body("post").fixed().position({2.0, 0.0, 1.0});
    builder.body("bob")
        .parent("post")
        .mass(0.5)
        .material("ivory")
        .position({0.0, 0.0, -0.5})
        .sphere(0.05)
        .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.5), .at = 0.4});
  }
  return builder.build();
}

inline std::string name_of_method(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

}  // namespace tenpin
