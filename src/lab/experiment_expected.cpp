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
  if (measured == measurements.end()) throw InputError(key + ": nobody measures this");
  return {.id = std::string(id),
          .quantity = number.at("quantity"),
          .source = number.at("source"),
          .paper = number.at("paper"),
          .ours = measured->second,
          .tolerance = number.at("tolerance"),
          .reason = reasons.at(number.at("reason").get<std::string>())};
}

}  // namespace

std::vector<Finding> judge(std::string_view id, const std::string& expected_file,
                           const Measurements& measurements) {
  std::ifstream file(expected_file);
  if (!file) throw InputError(expected_file + ": cannot be read");
  try {
    const Json expected = Json::parse(file);
    std::vector<Finding> findings;
    for (const Json& number : expected.at("numbers")) {
      findings.push_back(judge_one(id, number, expected.at("reasons"), measurements));
    }
    return findings;
  } catch (const InputError& error) {
    throw InputError(expected_file + ": " + error.what());
  } catch (const Json::exception& error) {
    throw InputError(expected_file + ": " + error.what());
  }
}

}  // namespace tenpin::lab
