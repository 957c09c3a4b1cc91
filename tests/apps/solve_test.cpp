// `tenpin solve` from outside: exit codes, where it complains, what it prints.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "complementarity/cone/cone_problem.h"
#include "record/fclib.h"

namespace tenpin::app {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string output;
};

// Runs a shell command and keeps its stdout.
Outcome run(const std::string& command) {
  Outcome result;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), count);
  }
  result.exit_code = WEXITSTATUS(pclose(pipe));
  return result;
}

class Solve : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    file_ = testing::TempDir() + "tenpin_solve_" + test + ".json";
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Outcome solve(const std::string& text, const std::string& rest) const {
    std::ofstream(file_) << text;
    return run(std::string(TENPIN_PROGRAM) + " solve " + file_ + " " + rest);
  }
  // All of stderr; stdout must be empty.
  std::string complaint(const std::string& text) const {
    const Outcome result = solve(text, "--json 2>&1 >/dev/null");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(solve(text, "--json 2>/dev/null").output, "");
    EXPECT_EQ(result.output.rfind(file_ + ":", 0), 0U) << result.output;
    return result.output.substr(std::min(result.output.size(), file_.size() + 1));
  }

  std::string file_;
};

TEST_F(Solve, PrintsBothKinds) {
  const Outcome result = solve(
      R"({"cases": [{"name": "pushed", "M": [[4]], "q": [-2]}, {"kind": "collision"},
                    {"A": [[0.5]], "b": [8]}]})",
      "--json 2>/dev/null");
  ASSERT_EQ(result.exit_code, 0);
  const auto out = nlohmann::json::parse(result.output);
  ASSERT_EQ(out.at("results").size(), 2U);
  EXPECT_EQ(out.at("passed_over"), 1);
  EXPECT_EQ(out["results"][0]["name"], "pushed");
  EXPECT_EQ(out["results"][0]["status"], "SOLVED");
  EXPECT_EQ(out["results"][0]["z"][0], 0.5);
  EXPECT_EQ(out["results"][0]["residual"]["natural"], 0.0);
  EXPECT_EQ(out["results"][1]["f"][0], 16.0);
  EXPECT_EQ(out["results"][1]["w"][0], 0.0);
}

TEST_F(Solve, UnsolvedCaseIsCode3AndStillPrinted) {
  const Outcome result = solve(R"({"cases": [{"M": [[-1]], "q": [-1]}, {"M": [[2]], "q": [-1]}]})",
                               "--json 2>/dev/null");
  ASSERT_EQ(result.exit_code, 3);
  const auto out = nlohmann::json::parse(result.output);
  EXPECT_EQ(out["results"][0]["status"], "RAY");
  EXPECT_TRUE(out["results"][0]["z"].is_null());
  EXPECT_EQ(out["results"][1]["z"][0], 0.5);
}

TEST_F(Solve, ComplaintsNameThePlace) {
  EXPECT_EQ(complaint("{\"M\": [[1]],\n \"q\": [1e999]}"),
            "2:8: q[0]: number too large, got 1e999, want a finite double\n");
  EXPECT_EQ(complaint("{\"M\": [[1]],\n \"q\": [NaN]}"),
            "2:8: q[0]: not JSON, got 'N', want valid JSON\n");
  EXPECT_EQ(complaint("{\"M\": [[1]],\n \"M\": [[2]], \"q\": [1]}"),
            "2:2: M: duplicate key, got \"M\" again, want it once\n");
  EXPECT_EQ(complaint(R"({"cases": [{"M": [[1, 2]], "q": [1]}]})"),
            "1:19: cases[0].M[0]: wrong size, got 2 entries, want 1\n");
  EXPECT_EQ(complaint(R"({"M": [[1]], "q": [1, 2]})"), "1:7: M: wrong size, got 1 rows, want 2\n");
  EXPECT_EQ(complaint(R"({"M": [["1"]], "q": [1]})"),
            "1:9: M[0][0]: wrong type, got a string, want a number\n");
  EXPECT_EQ(complaint(R"({"A": [[1]]})"), "1:1: b: missing, got no such field, want an array\n");
  EXPECT_EQ(complaint("{\"M\": [[1]"),
            "1:11: M[1]: not JSON, got the end of the file, want the rest of it\n");
}

const std::string kFclib = std::string(TENPIN_SOURCE_DIR) + "/tests/record/fclib/";

TEST(SolveFclib, PrintsEveryProblem) {
  const Outcome result = run(std::string(TENPIN_PROGRAM) + " solve " + kFclib + "Rover4396.hdf5 " +
                             kFclib + "Box_Stacks-i0035-31-0_global.hdf5 --json 2>/dev/null");
  ASSERT_EQ(result.exit_code, 0);
  const auto out = nlohmann::json::parse(result.output);
  ASSERT_EQ(out.at("results").size(), 2U);
  EXPECT_EQ(out["results"][0]["file"], kFclib + "Rover4396.hdf5");
  EXPECT_EQ(out["results"][0]["contacts"], 2);
  EXPECT_EQ(out["results"][1]["contacts"], 31);
  for (const auto& row : out["results"]) {
    EXPECT_EQ(row["status"], "SOLVED");
    EXPECT_LE(row["err_q"].get<double>(), 1e-8);
    EXPECT_LE(row["err_sic"].get<double>(), row["err_q"].get<double>());
    EXPECT_GE(row["iterations"]["gauss_seidel"].get<int>(), 1);
    EXPECT_GT(row["time_s"].get<double>(), 0.0);
  }
}

TEST(SolveFclib, WritesAnswersThatReadBack) {
  const std::string folder = testing::TempDir() + "tenpin_solve_answers";
  const Outcome result = run(std::string(TENPIN_PROGRAM) + " solve " + kFclib +
                             "OneObject-i1028-138.hdf5 --solution " + folder + " 2>/dev/null");
  EXPECT_EQ(result.exit_code, 0);
  const std::string file = folder + "/OneObject-i1028-138.hdf5";
  const auto problem = complementarity::cone::make_cone_problem(
      record::make_local_form(record::read_fclib(file), file));
  const record::FclibSolution solution = record::read_fclib_solution(file);
  ASSERT_EQ(solution.r.size(), problem.q.size());
  ASSERT_EQ(solution.u.size(), problem.q.size());
  EXPECT_LE(certify_cone(problem, solution.r).err_q, 1e-8);
  std::filesystem::remove_all(folder);
}

TEST(SolveFclib, UnsolvedProblemIsCode3) {
  // A hundred thousand sweeps do not reach this tolerance on a hyperstatic problem.
  const Outcome result = run(
      std::string(TENPIN_PROGRAM) + " solve " + kFclib +
      "Kaplas_3__Kaplas-i01699-43-1.hdf5 --solver interior-point --tol 1e-15 --json 2>/dev/null");
  EXPECT_EQ(result.exit_code, 3);
  const auto out = nlohmann::json::parse(result.output);
  EXPECT_NE(out["results"][0]["status"], "SOLVED");
  EXPECT_GT(out["results"][0]["err_q"].get<double>(), 1e-15);
}

TEST_F(Solve, KindsAndSolversMustFit) {
  const std::string program = std::string(TENPIN_PROGRAM) + " solve ";
  const std::string rover = kFclib + "Rover4396.hdf5 ";
  std::ofstream(file_) << R"({"M": [[4]], "q": [-2]})";
  for (const std::string& arguments :
       {rover + file_, rover + "--solver lemke", file_ + " --solver newton",
        file_ + " --solution /tmp/none", rover + "--tol 0", rover + "no-such-file.hdf5"}) {
    const Outcome result = run(program + arguments + " 2>/dev/null");
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.output, "") << arguments;
  }
}

// [B89, §5-§6]: every resting case of the reference, exactly and by guesses.
TEST_F(Solve, AnswersTheRestingCasesOfBaraff) {
  const std::string file = TENPIN_SOURCE_DIR "/tests/impact/data/baraff.json";
  const auto golden = nlohmann::json::parse(std::ifstream(file))["cases"];
  for (const auto& [solver, tolerance] : {std::pair("lemke", 1e-9), std::pair("lp", 1e-7)}) {
    const Outcome outcome =
        run(std::string(TENPIN_PROGRAM) + " solve --json --solver " + solver + " " + file);
    const auto out = nlohmann::json::parse(outcome.output);
    std::size_t at = 0;
    for (const auto& given : golden) {
      if (!given.contains("A")) continue;
      const auto& result = out["results"].at(at++);
      if (result.value("branch", "") == "fallback") continue;  // says that it is none
      ASSERT_EQ(result["status"], "SOLVED") << given["name"];
      for (std::size_t i = 0; i < given["w"].size(); ++i) {
        EXPECT_NEAR(result["w"][i].get<double>(), given["w"][i].get<double>(), tolerance);
        if (!given["f_unique"].get<bool>()) continue;
        EXPECT_NEAR(result["f"][i].get<double>(), given["f"][i].get<double>(), tolerance);
      }
    }
    EXPECT_EQ(at, 10U);
    EXPECT_EQ(out["passed_over"], golden.size() - at);
  }
}

// [B89, Appendix B]
TEST_F(Solve, HolonomicRowsThatContradictEachOtherGetACompromise) {
  const Outcome good =
      solve(R"({"A": [[1, -0.5], [-0.5, 1]], "b": [1, -2], "holonomic": [1]})", "--json");
  EXPECT_EQ(good.exit_code, 0);
  const auto answer = nlohmann::json::parse(good.output)["results"][0];
  EXPECT_NEAR(answer["w"][1].get<double>(), 0.0, 1e-12);
  EXPECT_LT(answer["f"][1].get<double>(), 0.0);
  const Outcome bad =
      solve(R"({"A": [[1, 1], [1, 1]], "b": [1, 2], "holonomic": [0, 1]})", "--json 2>/dev/null");
  EXPECT_EQ(bad.exit_code, 3);
  const auto result = nlohmann::json::parse(bad.output)["results"][0];
  EXPECT_EQ(result["status"], "INCONSISTENT");
  const auto& misfit = result["least_squares"]["misfit"];
  EXPECT_NEAR(misfit[0].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(misfit[1].get<double>(), -0.5, 1e-12);
  const auto& sum = result["least_sum"]["misfit"];
  EXPECT_NEAR(std::fabs(sum[0].get<double>()) + std::fabs(sum[1].get<double>()), 1.0, 1e-9);
  EXPECT_NE(complaint(R"({"A": [[1]], "b": [1], "holonomic": [1]})").find("no such row"),
            std::string::npos);
}

}  // namespace
}  // namespace tenpin::app
