// What an experiment must come to, as its expected.json says.
//   {"reasons": {"word": "text", ...},
//    "numbers": [{"key": ..., "quantity": ..., "source": ..., "paper": ..., "tolerance": ...,
//                 "reason": "word"}, ...],
//    "notes": ["text", ...],
//    "runs": [{"key": ..., "method": "time-stepping:solver=cone", "set": {"path": "value"}}, ...]}
// `runs` is there where one scene is run in several ways; its `set` may be left out.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "scene/read.h"

namespace tenpin::lab {

// What a simulation came to, by the keys that expected.json uses. The code that measures knows
// nothing of the numbers that are expected.
using Measurements = std::map<std::string, double, std::less<>>;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // what did not happen

// One finding for each expected number. Throws InputError for a file that is missing or malformed,
// and for a key that nobody measured.
[[nodiscard]] std::vector<Finding> judge(std::string_view id, const std::string& expected_file,
                                         const Measurements& measurements);

// What a reader should know. Throws InputError as above.
[[nodiscard]] std::vector<std::string> read_notes(const std::string& expected_file);

// One way to run the scene.
struct ExpectedRun {
  std::string key;                       // in front of its measurements
  std::string method;                    // as in variant.h
  std::vector<scene::Override> changes;  // of the scene
};

// The ways to run the scene, at least one. Throws InputError as above.
[[nodiscard]] std::vector<ExpectedRun> read_runs(const std::string& expected_file);

}  // namespace tenpin::lab
