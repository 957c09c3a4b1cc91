// Robot models that we did not write, from Debian's packages: they load, say what was not used,
// and run for ten seconds with every step certified.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace tenpin::app {
namespace {

struct Model {
  std::string file;
  std::string note;  // part of what is said of it
};

void PrintTo(const Model& model, std::ostream* out) {
  *out << std::filesystem::path(model.file).filename().string();
}

class RealModel : public testing::TestWithParam<Model> {};

TEST_P(RealModel, RunsForTenSecondsCertified) {
  ASSERT_TRUE(std::filesystem::exists(GetParam().file)) << "its package is in packages.txt";
  const Place place;
  const Outcome outcome = place.run({"run", GetParam().file, "--set", "until=10", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().note), std::string::npos) << outcome.err;
  const nlohmann::json summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["t"], 10.0);
  EXPECT_TRUE(summary["certified"].get<bool>());
  const nlohmann::json& ledger = summary["ledger"];
  EXPECT_LE(ledger["worst_step_closure"].get<double>(),
            1e-12 * ledger["largest_energy"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(
    Debian, RealModel,
    testing::Values(
        Model{"/usr/share/mujoco/model/humanoid/humanoid.xml", "<geom solref> not used"},
        Model{"/usr/share/mujoco/model/slider_crank/slider_crank.xml", "not used"},
        Model{"/usr/share/doc/dart/data/urdf/KR5/KR5 sixx R650.urdf", "taken not to touch"}));

}  // namespace
}  // namespace tenpin::app
