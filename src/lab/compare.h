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

// One run of the comparison: a scene and its method.
struct Contender {
  std::string label;
  scene::Scene scene;
};

struct CompareOptions {
  std::string folder;  // for the run files, <number>.h5
  int threads = 1;
  // m   bodies diverge beyond it; 0: kPartingShare of the smallest moving body's radius
  double tolerance = 0.0;
  bool refine = true;  // run again with half the step to find the reason for a divergence
  // If it returns false, the run stops. May be empty.
  std::function<bool(const std::string& label, const Progress& progress)> on_progress;
};

inline constexpr double kPartingShare = 0.05;  // of the radius of the smallest moving body

// The result of one contender.
struct CompareOutcome {
  std::string label;
  bool refused = false;  // refused by the method, before the first step
  std::string message;   // why it was refused or ended early
  std::string run_file;
  std::string settings;  // of the method, as "key: value" lines
  Summary summary;
};

struct Parting {
  int body = -1;
  std::string body_name;
  double t = 0.0;         // s   time of the first frame beyond the tolerance
  double distance = 0.0;  // m   at that time
  std::string situation;  // contacts of the body at that time, in either run
  std::vector<std::string> reasons;
};

// The difference between one contender and the reference.
struct Difference {
  std::vector<double> t;         // s   frames of the reference, until the shorter run ends
  std::vector<double> distance;  // m   of the body that is farthest away at that time
  double end_distance = 0.0;     // m   at the last of these frames
  std::string end_body;
  std::optional<Parting> parting;
};

struct Comparison {
  double tolerance = 0.0;  // m
  int reference = -1;      // the first contender that was not refused; -1 if all were
  std::vector<CompareOutcome> outcomes;
  std::vector<Difference> differences;  // one per outcome, empty for refused ones
};

// Compares the runs. All scenes must have the same bodies. Throws InputError if there are no bodies
// to compare.
[[nodiscard]] Comparison compare(std::span<const Contender> contenders,
                                 const CompareOptions& options);

}  // namespace tenpin::lab
