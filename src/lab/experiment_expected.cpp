#include "lab/experiment_expected.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace tenpin::lab {

namespace {

using Json = nlohmann::json;

Finding judge_one(std::string_view id, const Json& number, const Json& reasons,
                  const Measurements& measurements) {
  const std::string key = number.at("key");
  const auto measured = measurements.find(key);
  if (measured == measurements.end()) throw InputError(key + ": has no measurement");
  return {.id = std::string(id),
          .quantity = number.at("quantity"),
          .source = number.at("source"),
          .paper = number.at("paper"),
          .ours = measured->second,
          .tolerance = number.at("tolerance"),
          .reason = reasons.at(number.at("reason").get<std::string>())};
}

// Parses the file and passes it to `read`; error messages name the file.
template <typename Read>
auto read_expected(const std::string& expected_file, Read read) {
  std::ifstream file(expected_file);
  if (!file) throw InputError(expected_file + ": cannot be read");
  try {
    return read(Json::parse(file));
  } catch (const InputError& error) {
    throw InputError(expected_file + ": " + error.what());
  } catch (const Json::exception& error) {
    throw InputError(expected_file + ": " + error.what());
  }
}

}  // namespace

std::vector<Finding> judge(std::string_view id, const std::string& expected_file,
                           const Measurements& measurements) {
  return read_expected(expected_file, [&](const Json& expected) {
    std::vector<Finding> findings;
    for (const Json& number : expected.at("numbers")) {
      findings.push_back(judge_one(id, number, expected.at("reasons"), measurements));
    }
    return findings;
  });
}

std::vector<std::string> read_notes(const std::string& expected_file) {
  return read_expected(expected_file, [](const Json& expected) {
    return expected.at("notes").get<std::vector<std::string>>();
  });
}

std::vector<ExpectedRun> read_runs(const std::string& expected_file) {
  return read_expected(expected_file, [](const Json& expected) {
    std::vector<ExpectedRun> runs;
    for (const Json& run : expected.at("runs")) {
      ExpectedRun one{.key = run.at("key"), .method = run.at("method")};
      const Json changes = run.value("set", Json::object());
      for (const auto& [path, value] : changes.items()) {
        one.changes.push_back({.path = path, .value = value});
      }
      runs.push_back(std::move(one));
    }
    if (runs.empty()) throw InputError("runs: want at least one");
    return runs;
  });
}

}  // namespace tenpin::lab
