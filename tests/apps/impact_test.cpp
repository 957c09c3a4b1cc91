// `tenpin impact` from outside: what it prints, what it draws, how it complains.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

const std::string kData = std::string(TENPIN_SOURCE_DIR) + "/tests/impact/data/";
const std::string kBad = std::string(TENPIN_SOURCE_DIR) + "/tests/apps/impact_bad/";

json read_json(const std::string& file) {
  std::ifstream stream(file);
  return json::parse(stream);
}

// Numbers of `ours` that differ from those of the same name in `golden`.
void compare(const json& ours, const json& golden, double tolerance, const std::string& where) {
  if (golden.is_number()) {
    const double want = golden.get<double>();
    EXPECT_NEAR(ours.get<double>(), want, tolerance * std::max(1.0, std::abs(want))) << where;
  } else if (golden.is_array()) {
    ASSERT_EQ(ours.size(), golden.size()) << where;
    for (std::size_t i = 0; i < golden.size(); ++i) {
      compare(ours[i], golden[i], tolerance, where + "[" + std::to_string(i) + "]");
    }
  } else if (golden.is_object()) {
    for (const auto& [key, value] : golden.items()) {
      ASSERT_TRUE(ours.contains(key)) << where << "." << key;
      compare(ours[key], value, tolerance, where + "." + key);
    }
  } else {
    EXPECT_EQ(ours, golden) << where;
  }
}

class Impact : public testing::Test {
 protected:
  json run_json(const std::vector<std::string>& args) {
    std::vector<std::string> all = {"impact", "--json"};
    all.insert(all.end(), args.begin(), args.end());
    const Outcome outcome = place_.run(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
  Place place_;
};

TEST_F(Impact, PlanarFilesGiveTheirOwnOutputs) {
  const json golden = read_json(kData + "morgan_planar.json")["cases"];
  const json results = run_json({kData + "morgan_planar.json"})["results"];
  ASSERT_EQ(results.size(), golden.size());
  for (std::size_t i = 0; i < golden.size(); ++i) {
    EXPECT_EQ(results[i]["name"], golden[i]["name"]);
    EXPECT_EQ(results[i]["status"], "SOLVED");
    compare(results[i]["outputs"], golden[i]["outputs"], 1e-10, golden[i]["name"]);
  }
}

TEST_F(Impact, SpatialFilesGiveEveryLaw) {
  const json golden = read_json(kData + "impact3d.json")["cases"];
  const json results = run_json({kData + "impact3d.json"})["results"];
  ASSERT_EQ(results.size(), golden.size());
  for (std::size_t i = 0; i < golden.size(); ++i) {
    json want = golden[i]["outputs"];
    const std::string name = golden[i]["name"];
    if (name.find("friction-limit") != std::string::npos) {  // either mode is right there
      for (auto& [law, out] : want.items()) {
        out.erase("mode");
        out.erase("events");
      }
    }
    compare(results[i]["outputs"], want, 1e-10, name);
    EXPECT_EQ(results[i]["outputs"]["newton"]["status"], "SOLVED");
  }
}

TEST_F(Impact, CollisionsOfRowsGiveBothModelsAndRestingCasesArePassedOver) {
  const json golden = read_json(kData + "baraff.json")["cases"];
  const json out = run_json({kData + "baraff.json"});
  EXPECT_EQ(out["passed_over"], 10);
  ASSERT_EQ(out["results"].size(), 5U);
  for (const json& ours : out["results"]) {
    const auto same = std::find_if(golden.begin(), golden.end(), [&](const json& c) {
      return c["name"] == ours["name"];
    });
    ASSERT_NE(same, golden.end());
    for (const char* key : {"v_simultaneous", "j_simultaneous", "v_propagation"}) {
      compare(ours[key], (*same)[key], 1e-9, key);
    }
  }
}

TEST_F(Impact, LawChoosesTheLaw) {
  const std::string file =
      place_.write("case.json",
                   R"({"inputs": {"q": [-1.2217304763960306, -0.17453292519943295], "u": [-1, -2],
                     "mu": 0.5, "e": 0.7}})");
  const auto change = [&](const std::string& law) {
    return run_json({file, "--law", law})["results"][0]["outputs"]["dK"].get<double>();
  };
  EXPECT_GT(change("newton"), 0.0);
  EXPECT_LT(change("poisson"), change("energetic"));
  EXPECT_LT(change("energetic"), 0.0);
  EXPECT_NE(change("energetic"), change("energetic-ratio"));
  EXPECT_EQ(place_.run({"impact", file, "--law", "hertz"}).exit_code, 2);
}

TEST_F(Impact, ContactAloneAndBodiesInsteadOfTheMatrix) {
  const std::string file =
      place_.write("cases.json",
                   R"({"cases": [{"inputs": {"A_tt": 4, "A_tn": 2.5, "A_nn": 2, "vt0": 2, "vn0": -1,
                                "mu": 1.2, "e": 0.5}},
                    {"inputs": {"bodies": [{"mass": 2, "r": [0, 0, -0.5], "inertia_world":
                                [[0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]}],
                                "u0": [1, 0, -1], "mu": 0.1, "e": 0.5}}]})");
  const json results = run_json({file})["results"];
  EXPECT_NEAR(results[0]["outputs"]["pn"], 7.590534998608758, 1e-10);
  EXPECT_NEAR(results[1]["outputs"]["newton"]["p"][2], 3.0, 1e-12);
}

TEST_F(Impact, WhatHasNoEndIsCode3AndStillPrinted) {
  const std::string file = place_.write(
      "cases.json",
      R"({"cases": [{"name": "wedged", "inputs": {"A_tt": 1, "A_tn": 1, "A_nn": 1, "vt0": 0,
                                "vn0": -1, "mu": 1.5, "e": 0.5}},
                    {"name": "free", "inputs": {"A_tt": 1, "A_tn": 0, "A_nn": 1, "vt0": 0,
                                "vn0": -1, "mu": 1.5, "e": 0.5}}]})");
  const Outcome outcome = place_.run({"impact", file, "--json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("wedged"), std::string::npos);
  const json results = json::parse(outcome.out)["results"];
  EXPECT_EQ(results[0]["status"], "UNBOUNDED");
  EXPECT_EQ(results[1]["status"], "SOLVED");
}

TEST_F(Impact, DrawsFoldersAndPages) {
  ASSERT_EQ(place_.run({"impact", kData + "morgan_planar.json", "--draw", "planar"}).exit_code, 0);
  ASSERT_EQ(place_.run({"impact", kData + "impact3d.json", "--draw", "page.html"}).exit_code, 0);
  int num_pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("planar"))) {
    EXPECT_EQ(entry.path().extension(), ".svg");
    ++num_pictures;
  }
  EXPECT_EQ(num_pictures, 2 * 17);
  const std::string page = place_.read("page.html");
  EXPECT_NE(page.find("</svg>"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  place_.write("file", "");
  EXPECT_EQ(place_.run({"impact", kData + "impact3d.json", "--draw", "file"}).exit_code, 4);
}

TEST_F(Impact, NamesAreTextInPictures) {
  const std::string file = place_.write(
      "case.json", R"({"name": "<script>../../x", "inputs": {"A_tt": 1, "A_tn": 0.5, "A_nn": 1,
                       "vt0": 1, "vn0": -1, "mu": 0.5, "e": 0.5}})");
  ASSERT_EQ(place_.run({"impact", file, "--draw", "out/page.html"}).exit_code, 4) << "no folder";
  ASSERT_EQ(place_.run({"impact", file, "--draw", "page.html"}).exit_code, 0);
  EXPECT_EQ(place_.read("page.html").find("<script"), std::string::npos);
  ASSERT_EQ(place_.run({"impact", file, "--draw", "pictures"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(place_.path("pictures/01-script-x-velocity.svg")));
}

// Every file of the folder: exit code 2, a complaint with its place, nothing written.
TEST_F(Impact, RefusesBadFiles) {
  int num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kBad)) {
    ++num_files;
    const std::string file = entry.path().string();
    const Outcome outcome = place_.run({"impact", file, "--json", "--draw", "pictures"});
    EXPECT_EQ(outcome.exit_code, 2) << file << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << file;
    EXPECT_TRUE(place_.files().empty()) << file;
    std::istringstream lines(outcome.err);
    std::string line;
    int num_lines = 0;
    while (std::getline(lines, line)) {
      ++num_lines;
      EXPECT_EQ(line.rfind(file + ":", 0), 0U) << line;
      EXPECT_NE(line.find(", got "), std::string::npos) << line;
      EXPECT_NE(line.find(", want "), std::string::npos) << line;
    }
    EXPECT_GE(num_lines, 1) << file;
  }
  EXPECT_GE(num_files, 60);
}

TEST_F(Impact, NamesThePlace) {
  const std::string file = place_.write(
      "case.json",
      "{\"inputs\": {\"K\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],\n  \"u0\": [1, \"2\", -1],"
      " \"mu\": -1, \"e\": 0.5}}");
  EXPECT_EQ(place_.run({"impact", file}).err,
            "case.json:2:29: inputs.mu: out of range, got -1, want 0 to 1000\n"
            "case.json:2:13: inputs.u0[1]: wrong type, got a string, want a number\n");
}

TEST_F(Impact, OnlyRegularFilesAreRead) {
  for (const char* file : {"/dev/zero", "/dev/null", "/proc/self", "none.json"}) {
    const Outcome outcome = place_.run({"impact", file}, 5.0);
    EXPECT_EQ(outcome.exit_code, 2) << file;
    EXPECT_FALSE(outcome.timed_out) << file;
  }
}

TEST_F(Impact, TakesAByteOrderMarkAndCarriageReturns) {
  const std::string file = place_.write(
      "case.json",
      "\xEF\xBB\xBF{\"inputs\": {\"A_tt\": 1, \"A_tn\": 0, \"A_nn\": 1,\r\n \"vt0\": 0, "
      "\"vn0\": -1, \"mu\": 0.5, \"e\": 0.5}}\r\n");
  EXPECT_EQ(run_json({file})["results"][0]["outputs"]["pn"], 1.5);
}

}  // namespace
}  // namespace tenpin::app
