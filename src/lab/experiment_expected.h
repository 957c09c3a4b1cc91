// The expected results of an experiment, from its expected.json.
//   {"reasons": {"word": "text", ...},
//    "numbers": [{"key": ..., "quantity": ..., "source": ..., "paper": ..., "tolerance": ...,
//                 "reason": "word"}, ...],
//    "notes": ["text", ...],
//    "runs": [{"key": ..., "method": "time-stepping:solver=cone", "set": {"path": "value"}}, ...]}
// `runs` is present if one scene is run in several ways; its `set` is optional.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "scene/read.h"

namespace tenpin::lab {

// The results of a simulation, by the keys of expected.json. The code that measures does not use
// the expected numbers.
using Measurements = std::map<std::string, double, std::less<>>;
constexpr double kNothing =
    std::numeric_limits<double>::quiet_NaN();  // for events that did not happen

// Makes one finding for each expected number. Throws InputError if the file is missing or
// malformed, or if a key has no measurement.
[[nodiscard]] std::vector<Finding> judge(std::string_view id, const std::string& expected_file,
                                         const Measurements& measurements);

// Reads the notes for the reader. Throws InputError as judge() does.
[[nodiscard]] std::vector<std::string> read_notes(const std::string& expected_file);

// One way to run the scene.
struct ExpectedRun {
  std::string key;                       // prefix of its measurements
  std::string method;                    // as in variant.h
  std::vector<scene::Override> changes;  // to the scene
};

// Reads the ways to run the scene, at least one. Throws InputError as judge() does.
[[nodiscard]] std::vector<ExpectedRun> read_runs(const std::string& expected_file);

}  // namespace tenpin::lab
