// Studies of tests: a folder for each, and its table.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/study/sweep.h"

namespace tenpin::lab {

// A folder with a scene and a study.
class StudyFolder {
 public:
  StudyFolder(const std::string& study, const std::string& scene) {
    std::string pattern = testing::TempDir() + "tenpin_study_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
    write("scene.yaml", scene);
    write("study.yaml", study);
  }
  ~StudyFolder() { std::filesystem::remove_all(folder_); }
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Study study() const { return read_study(path("study.yaml")); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

 private:
  std::filesystem::path folder_;
};

inline std::vector<TrialRow> sweep(const Study& study, const std::string& path, int threads) {
  TrialTable table(path, study);
  const SweepProgress end = run_sweep(study, {.threads = threads, .on_progress = {}}, &table);
  EXPECT_EQ(end.done, study.num_trials());
  return table.read_rows(study.num_trials());
}

}  // namespace tenpin::lab
