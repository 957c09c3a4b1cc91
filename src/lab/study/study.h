// A study: one scene and many trials. Contains what varies from trial to trial, what is measured,
// and what is drawn, as in the study's file (docs/studies.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/read.h"

namespace tenpin::lab {

// One of several values of a variable; a value may consist of several settings.
struct Level {
  std::string label;             // its name in the table and on the page
  std::optional<double> number;  // its number, if it has one
  std::vector<scene::Override> settings;
};

// A quantity that differs between trials. A variable with levels takes each of them, in all
// combinations with those of other variables; a variable without levels is drawn from its range.
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
  std::string quantity;  // name as in `tenpin export`, with its component: bodies.ball.position.x
  // For kFallen and kDigest.
  std::string bodies;          // a name, in which * stands for any text
  std::optional<double> tilt;  // rad   a body that leans more has fallen
  // m     a body below this height has fallen; kFirst: bound of the quantity
  std::optional<double> below;
  // For kFirst.
  std::optional<double> above;
  std::string value;  // quantity to read at that time; "" = the time
  scene::Place place = {};
};

// A curve of means with their confidence bands.
struct StudyDrawing {
  std::string x;        // variable or measure
  std::string y;        // measure
  std::string by;       // variable with levels, one curve each; "" = one curve
  double window = 0.0;  // width in x over which a mean is taken; 0 = chosen automatically
};

// When a study has enough trials: it continues until the confidence band of a measure's mean is
// narrow enough in every combination of levels.
struct StopRule {
  std::string measure;
  double half_width = 0.0;     // of the 95 % band, in the measure's unit
  std::int64_t most = 100000;  // largest number of samples of a combination
};

struct Study {
  // kLatin: each of `samples` equal parts of every range contains one sample.
  enum class Sampling { kRandom, kSobol, kLatin };

  std::string name;
  std::string file;
  std::string text;
  std::string scene_file;
  std::string scene_text;
  std::uint64_t seed = 0;
  Sampling sampling = Sampling::kRandom;
  std::int64_t samples = 1;  // number of samples of the ranges for each combination of levels
  // If true, samples come in groups of num_ranges() + 2, from which the effect of each range is
  // computed.
  bool has_sensitivity = false;
  std::optional<StopRule> until;
  // s   CPU time allowed for a trial; 0 = unlimited. Rows do not depend on it.
  double trial_limit = 0.0;
  std::vector<scene::Override> settings;  // shared by all trials
  std::vector<Variable> variables;
  std::vector<Measure> measures;
  std::vector<StudyDrawing> drawings;
  std::uint64_t fingerprint = 0;  // hash of everything that a row depends on

  [[nodiscard]] int num_ranges() const;
  // The number of samples that belong together: one, or as many as the sensitivity needs.
  [[nodiscard]] int group_size() const { return has_sensitivity ? num_ranges() + 2 : 1; }
  [[nodiscard]] std::int64_t num_combinations() const;
  // The number of trials; for a study that decides while it runs, the largest possible number.
  [[nodiscard]] std::int64_t num_trials() const {
    return (until ? std::max(samples, until->most) : samples) * num_combinations();
  }
};

// Reads a study. Throws SceneError with all problems, in the study and in the scenes that it makes.
[[nodiscard]] Study read_study(const std::string& file);

}  // namespace tenpin::lab
