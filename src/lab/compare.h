// The same scene under several methods: what each comes to, and where and when they part.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/simulation.h"
#include "scene/scene.h"

namespace tenpin::lab {

// The scene as one method is to run it.
struct Contender {
  std::string label;
  scene::Scene scene;
};

struct CompareOptions {
  std::string folder;  // for the run files, <number>.h5
  int threads = 1;
  double tolerance = 0.0;  // m   bodies part beyond it; 0: kPartingShare of the smallest mover
  bool refine = true;      // run again with half the step up to the parting, to tell its reason
  // False stops the run; may be empty.
  std::function<bool(const std::string& label, const Progress& progress)> on_progress;
};

inline constexpr double kPartingShare = 0.05;  // of the radius of the smallest body that moves

// What came of one contender.
struct CompareOutcome {
  std::string label;
  bool refused = false;  // by the method, before the first step
  std::string message;   // why, or why it ended early
  std::string run_file;
  std::string settings;  // the method's, "key: value" lines
  Summary summary;
};

struct Parting {
  int body = -1;
  std::string body_name;
  double t = 0.0;         // s   first frame beyond the tolerance
  double distance = 0.0;  // m   then
  std::string situation;  // what the body touched there, in either run
  std::vector<std::string> reasons;
};

// Of one contender from the reference.
struct Difference {
  std::vector<double> t;         // s   frames of the reference, as far as both go
  std::vector<double> distance;  // m   of the body that is farthest then
  double end_distance = 0.0;     // m   at the last of them
  std::string end_body;
  std::optional<Parting> parting;
};

struct Comparison {
  double tolerance = 0.0;  // m
  int reference = -1;      // the first that was not refused; -1: all were
  std::vector<CompareOutcome> outcomes;
  std::vector<Difference> differences;  // one per outcome, empty for refused ones
};

// All scenes must have the same bodies. Throws InputError when there are none to compare.
[[nodiscard]] Comparison compare(std::span<const Contender> contenders,
                                 const CompareOptions& options);

}  // namespace tenpin::lab
