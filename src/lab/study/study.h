// A study: one scene, many trials. What varies from trial to trial, what is measured in each, and
// what is drawn of it, as the study's file says it (docs/studies.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/read.h"

namespace tenpin::lab {

// One of several things that a variable can be.
struct Level {
  std::string label;             // as the table and the page name it
  std::optional<double> number;  // if it is one
  std::vector<scene::Override> settings;
};

// What differs between trials. One that has levels takes each of them with each of all others';
// one that has none is drawn from its range.
struct Variable {
  std::string name;
  std::vector<Level> levels;
  std::string path;   // of a range
  double low = 0.0;   // of a range
  double high = 0.0;  // of a range
  scene::Place place = {};

  bool is_range() const { return levels.empty(); }
};

// One number of each trial.
struct Measure {
  enum class Kind { kFallen, kDigest, kFinal, kLargest, kSmallest, kSum, kFirst };

  std::string name;
  Kind kind = Kind::kFinal;
  std::string quantity;  // as `tenpin export` names it, with its component: bodies.ball.position.x
  // kFallen, kDigest
  std::string bodies;           // a name, in which * stands for anything
  std::optional<double> tilt;   // rad   beyond which a body is down
  std::optional<double> below;  // m     height under which it is; kFirst: the quantity's bound
  // kFirst
  std::optional<double> above;
  std::string value;  // quantity to be read then; "" = the time
  scene::Place place = {};
};

// A curve of means with their confidence bands.
struct StudyDrawing {
  std::string x;        // variable or measure
  std::string y;        // measure
  std::string by;       // variable with levels, one curve each; "" = one curve
  double window = 0.0;  // of x, that a mean is taken over; 0 = chosen
};

// When a study has enough trials: it goes on until the band about the mean of a measure is narrow
// enough in every combination of levels.
struct StopRule {
  std::string measure;
  double half_width = 0.0;     // of the 95 % band, in the measure's unit
  std::int64_t most = 100000;  // samples of a combination
};

struct Study {
  // kLatin: each of `samples` equal parts of every range has one sample.
  enum class Sampling { kRandom, kSobol, kLatin };

  std::string name;
  std::string file;
  std::string text;
  std::string scene_file;
  std::string scene_text;
  std::uint64_t seed = 0;
  Sampling sampling = Sampling::kRandom;
  std::int64_t samples = 1;  // of the ranges, for each combination of levels
  // Samples come in groups of num_ranges() + 2 that tell how much each range matters.
  bool has_sensitivity = false;
  std::optional<StopRule> until;
  double trial_limit = 0.0;  // s   of CPU time of a trial; 0 = none. Not part of what a row is.
  std::vector<scene::Override> settings;  // of all trials
  std::vector<Variable> variables;
  std::vector<Measure> measures;
  std::vector<StudyDrawing> drawings;
  std::uint64_t fingerprint = 0;  // of all that a row depends on

  [[nodiscard]] int num_ranges() const;
  // Samples that belong together: one, or what sensitivity needs.
  [[nodiscard]] int group_size() const { return has_sensitivity ? num_ranges() + 2 : 1; }
  [[nodiscard]] std::int64_t num_combinations() const;
  // The most that there can be, if the study decides as it goes.
  [[nodiscard]] std::int64_t num_trials() const {
    return (until ? std::max(samples, until->most) : samples) * num_combinations();
  }
};

// Throws SceneError with all problems, of the study and of what it does to its scene.
[[nodiscard]] Study read_study(const std::string& file);

}  // namespace tenpin::lab
