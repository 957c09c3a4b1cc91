// Scenes as text, for the tests of the program.
#pragma once

#include <string>

namespace tenpin::app {

inline std::string floor_scene(const std::string& bodies, const std::string& rest) {
  return "tenpin: 1\nname: test\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n" +
         bodies + rest;
}

inline std::string ball(const std::string& name, const std::string& position,
                        const std::string& more = "") {
  return "  - {name: " + name + ", material: m, position: " + position + more +
         ", shapes: [{sphere: {radius: 0.1}}]}\n";
}

inline std::string timing(const std::string& step, const std::string& until) {
  return "method: {time-stepping: {step: " + step + "}}\nuntil: " + until + "\n";
}

// A ball rolls for `until` seconds, in steps of 1 ms that take microseconds.
inline std::string rolling_scene(const std::string& until) {
  return floor_scene(ball("marble", "[0, 0, 0.1]", ", mass: 1, velocity: [1, 0.2, 0]"),
                     timing("0.001", until) + "record: {every: 0.01, contacts: steps}\n");
}

// A press comes down on a ball and touches it after five steps; then nothing can give way.
inline std::string squeeze_scene() {
  return floor_scene(
      "  - {name: press, material: m, motion: {velocity: [0, 0, -1]}, position: [0, 0, 0.25],"
      " shapes: [{plane: {normal: [0, 0, -1]}}]}\n" +
          ball("marble", "[0, 0, 0.1]", ", mass: 1"),
      timing("0.01", "1"));
}

}  // namespace tenpin::app
