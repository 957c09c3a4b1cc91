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

// The results of a simulation, by the keys of expected.json. The code that measures does not know
// the expected numbers.
using Measurements = std::map<std::string, double, std::less<>>;
constexpr double kNothing =
    std::numeric_limits<double>::quiet_NaN();  // for events that did not happen

// One finding for each expected number. Throws InputError for a file that is missing or malformed,
// and for a key without a measurement.
[[nodiscard]] std::vector<Finding> judge(std::string_view id, const std::string& expected_file,
                                         const Measurements& measurements);

// Notes for the reader. Throws InputError as above.
[[nodiscard]] std::vector<std::string> read_notes(const std::string& expected_file);

// One way to run the scene.
struct ExpectedRun {
  std::string key;                       // prefix of its measurements
  std::string method;                    // as in variant.h
  std::vector<scene::Override> changes;  // to the scene
};

// The ways to run the scene, at least one. Throws InputError as above.
[[nodiscard]] std::vector<ExpectedRun> read_runs(const std::string& expected_file);

}  // namespace tenpin::lab
