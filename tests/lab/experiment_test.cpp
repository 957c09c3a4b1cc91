#include "lab/experiment.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/experiment_expected.h"
#include "lab/experiment_page.h"
#include "lab/well_formed.h"

namespace tenpin::lab {
namespace {

constexpr double kLedgerTolerance = 1e-12;  // -   of the largest energy; rounding stays below 1e-13
const double kNan = std::numeric_limits<double>::quiet_NaN();

// Geometry and matrices: nothing moves there, so there is no ledger.
constexpr std::string_view kWithoutMotion[] = {"B89/fig3", "B89/fig4", "B89/fig5", "B89/fig6",
                                               "B89/fig12"};
// At rest, or so simple that not even rounding is left.
constexpr std::string_view kWithoutRounding[] = {"B89/fig2-analytic", "B89/fig8", "B89/fig9",
                                                 "B89/fig10", "B89/fig13"};

template <size_t kSize>
bool is_among(std::string_view id, const std::string_view (&ids)[kSize]) {
  return std::count(std::begin(ids), std::end(ids), id) > 0;
}

void expect_findings_hold(const ExperimentRun& run) {
  EXPECT_FALSE(run.result.findings.empty());
  for (const Finding& f : run.result.findings) {
    EXPECT_TRUE(f.ok()) << f.quantity << ": expected " << f.paper << " +- " << f.tolerance
                        << ", got " << f.ours << ". " << f.reason;
    EXPECT_EQ(f.id, run.experiment->id);
    EXPECT_FALSE(f.quantity.empty());
    EXPECT_GT(f.reason.size(), 20u) << f.quantity;
    EXPECT_TRUE(f.source == "paper" || f.source == "reference" || f.source == "limit" ||
                f.source == "claim" || f.source == "ours")
        << f.source;
  }
}

void expect_ledger_closes(const ExperimentRun& run) {
  if (is_among(run.experiment->id, kWithoutMotion)) return;
  const auto& findings = run.result.findings;
  const auto ledger = std::find_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.quantity.find("energy ledger") != std::string::npos;
  });
  ASSERT_NE(ledger, findings.end());
  EXPECT_LE(ledger->ours, kLedgerTolerance);
  if (!is_among(run.experiment->id, kWithoutRounding)) {
    EXPECT_GT(ledger->ours, 0.0) << "nothing was measured";
  }
}

void expect_figures_are_well_formed(const ExperimentRun& run) {
  // Those that redraw a paper's figures have at least as many; a scene has its frames.
  const std::string_view id = run.experiment->id;
  const bool redraws = id.starts_with("ST00/") || id == "M11/impacts" || id == "M11/laws";
  EXPECT_GE(run.result.figures.size(), redraws ? 5u : 1u);
  for (const Figure& figure : run.result.figures) {
    EXPECT_EQ(find_xml_fault(figure.svg), "") << figure.caption;
    EXPECT_EQ(figure.svg.find("nan"), std::string::npos) << figure.caption;
  }
}

void expect_page_is_self_contained(const ExperimentRun& run) {
  const std::string page = make_experiment_page(
      *run.experiment, run.result, {.title = "Scene", .text = "a: <b>\n", .command = "run <c>"});
  for (const char* outside : {"src=", "<link", "@import", "<script"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(page.find("a: &lt;b&gt;"), std::string::npos);
  EXPECT_NE(page.find("run &lt;c&gt;"), std::string::npos);
  EXPECT_NE(make_experiment_index(std::span(&run, 1)).find(page_name(*run.experiment)),
            std::string::npos);
}

// Everything that is asked of an experiment is asked of one run: some take seconds.
class EveryExperiment : public testing::TestWithParam<const Experiment*> {};

// [ST00, §4.1], [ST00, §4.2], [ST00, Table 1]
TEST_P(EveryExperiment, MeetsItsNumbers) {
  const std::string folder = experiments_folder() + "/" + std::string(GetParam()->id);
  const ExperimentRun run{GetParam(), GetParam()->run({.folder = folder, .with_figures = true})};
  expect_findings_hold(run);
  expect_ledger_closes(run);
  expect_figures_are_well_formed(run);
  expect_page_is_self_contained(run);
}

std::vector<const Experiment*> list_experiments() {
  std::vector<const Experiment*> all;
  for (const Experiment& experiment : all_experiments()) all.push_back(&experiment);
  return all;
}

std::string make_test_name(const testing::TestParamInfo<const Experiment*>& info) {
  std::string name(info.param->id);
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) {
        return std::isalnum(c) == 0;
      },
      '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Papers, EveryExperiment, testing::ValuesIn(list_experiments()),
                         make_test_name);

TEST(Experiment, NumberThatIsMissingIsNotOk) {
  EXPECT_TRUE((Finding{.paper = 1.0, .ours = 1.5, .tolerance = 0.5}.ok()));
  EXPECT_FALSE((Finding{.paper = 1.0, .ours = 1.6, .tolerance = 0.5}.ok()));
  EXPECT_FALSE((Finding{.paper = 1.0, .ours = kNan, .tolerance = 0.5}.ok()));
}

TEST(Experiment, JsonHasOneObjectPerNumber) {
  const ExperimentRun run{.experiment = &all_experiments()[0],
                          .result = {.findings = {{.id = "ST00/rod",
                                                   .quantity = "t \"x\" (s)",
                                                   .source = "paper",
                                                   .paper = 0.383,
                                                   .ours = 0.385,
                                                   .tolerance = 0.0025,
                                                   .reason = "one step"},
                                                  {.ours = kNan}}}};
  const auto json = nlohmann::json::parse(make_findings_json(std::span(&run, 1)));
  ASSERT_TRUE(json.is_array());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["id"], "ST00/rod");
  EXPECT_EQ(json[0]["quantity"], "t \"x\" (s)");
  EXPECT_EQ(json[0]["paper"], 0.383);
  EXPECT_EQ(json[0]["ours"], 0.385);
  EXPECT_EQ(json[0]["tolerance"], 0.0025);
  EXPECT_EQ(json[0]["ok"], true);
  EXPECT_EQ(json[0]["reason"], "one step");
  EXPECT_TRUE(json[1]["ours"].is_null());
  EXPECT_EQ(json[1]["ok"], false);
}

TEST(Experiment, UnknownIdNamesTheNearest) {
  const std::vector<std::string> ids = {"ST00/rot"};
  try {
    static_cast<void>(find_experiments(ids));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ST00/rod"), std::string::npos);
  }
}

TEST(Experiment, AllMeansEveryOneOnce) {
  const std::vector<std::string> ids = {"all", "ST00/rod"};
  EXPECT_EQ(find_experiments(ids).size(), all_experiments().size());
}

class ExpectedFile : public testing::Test {
 protected:
  std::vector<Finding> judge_text(const std::string& text, const Measurements& measurements) {
    std::ofstream(path_) << text;
    return judge("A/b", path_, measurements);
  }
  ~ExpectedFile() override { std::remove(path_.c_str()); }

  std::string path_ =
      std::filesystem::temp_directory_path() / ("tenpin_expected_" + std::to_string(getpid()));
};

std::string make_expected(const std::string& key) {
  const nlohmann::json number = {{"key", key}, {"quantity", "q (s)"}, {"source", "paper"},
                                 {"paper", 2}, {"tolerance", 0.5},    {"reason", "r"}};
  return nlohmann::json{{"reasons", {{"r", "because"}}},
                        {"numbers", nlohmann::json::array({number})}}
      .dump();
}

TEST_F(ExpectedFile, NumbersMeetWhatWasMeasured) {
  const std::vector<Finding> good = judge_text(make_expected("k"), {{"k", 2.25}});
  ASSERT_EQ(good.size(), 1u);
  EXPECT_EQ(good[0].ours, 2.25);
  EXPECT_EQ(good[0].reason, "because");
  EXPECT_TRUE(good[0].ok());
  EXPECT_FALSE(judge_text(make_expected("k"), {{"k", 3.0}})[0].ok());
}

TEST_F(ExpectedFile, KeyThatNobodyMeasuresIsAnError) {
  EXPECT_THROW(static_cast<void>(judge_text(make_expected("k"), {{"other", 2.0}})), InputError);
}

TEST_F(ExpectedFile, MalformedFileIsAnError) {
  EXPECT_THROW(static_cast<void>(judge_text("{", {})), InputError);
  EXPECT_THROW(static_cast<void>(judge_text("{}", {})), InputError);
  EXPECT_THROW(static_cast<void>(judge("A/b", "/no/such/file", {})), InputError);
}

}  // namespace
}  // namespace tenpin::lab
