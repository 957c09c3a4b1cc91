// Runs one scene under several methods and finds where and when they diverge.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/simulation.h"
#include "scene/scene.h"

namespace tenpin::lab {

// The scene and the method of one run in the comparison.
struct Contender {
  std::string label;
  scene::Scene scene;
};

struct CompareOptions {
  std::string folder;  // for the run files, <number>.h5
  int threads = 1;
  double tolerance = 0.0;  // m   bodies diverge beyond it; 0: kPartingShare of the smallest mover
  bool refine = true;      // run again with half the step to find the reason of a divergence
  // Returning false stops the run; may be empty.
  std::function<bool(const std::string& label, const Progress& progress)> on_progress;
};

inline constexpr double kPartingShare = 0.05;  // of the radius of the smallest moving body

// The result of one contender.
struct CompareOutcome {
  std::string label;
  bool refused = false;  // by the method, before the first step
  std::string message;   // why it was refused or ended early
  std::string run_file;
  std::string settings;  // of the method, as "key: value" lines
  Summary summary;
};

struct Parting {
  int body = -1;
  std::string body_name;
  double t = 0.0;         // s   first frame beyond the tolerance
  double distance = 0.0;  // m   at that time
  std::string situation;  // contacts of the body there, in either run
  std::vector<std::string> reasons;
};

// The difference of one contender from the reference.
struct Difference {
  std::vector<double> t;         // s   frames of the reference, as long as both runs last
  std::vector<double> distance;  // m   of the body that is farthest at that time
  double end_distance = 0.0;     // m   at the last of these frames
  std::string end_body;
  std::optional<Parting> parting;
};

struct Comparison {
  double tolerance = 0.0;  // m
  int reference = -1;      // the first that was not refused; -1: all were
  std::vector<CompareOutcome> outcomes;
  std::vector<Difference> differences;  // one per outcome, empty for refused ones
};

// All scenes must have the same bodies. Throws InputError if there are none to compare.
[[nodiscard]] Comparison compare(std::span<const Contender> contenders,
                                 const CompareOptions& options);

}  // namespace tenpin::lab
