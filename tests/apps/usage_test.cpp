// Messages about arguments, and the examples at the end of each help text.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using Words = std::vector<std::string>;

const std::string kModels = TENPIN_SOURCE_DIR "/tests/scene/import/models/";

Words split(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Words list_commands(const Place& place) {
  const std::string help = place.run({"--help"}).out;
  Words names;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) names.push_back(split(line).front());
  return names;
}

TEST(Arguments, MistakesAreExplained) {
  const Place place;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no command"},
      {"--fast", "no command before --fast"},
      {"rnu x", "no command 'rnu'; did you mean 'run'?"},
      {"run x --methd y", "'run' has no option --methd; did you mean '--method'?"},
      {"run --thread 3 x", "'run' has no option --thread; did you mean '--threads'?"},
      {"run x -z", "'run' has no option -z"},
      {"run x --untill 3", "'run' has no option --untill; to change the scene, use --set until"},
      {"run a b", "'run' takes no further argument, got 'b'"},
      {"run x --set a=1 b=2",
       "'run' takes no further argument, got 'b=2'; write --set before each setting"},
      {"info", "'info' needs RUN: Run file (HDF5)"},
      {"merge x", "'merge' needs -o FILE: Table of the whole study"},
      {"run x --output", "no value for -o FILE"},
      {"run x --base", "no value for --base fixed|free"},
      {"run x --base floating", "--base: got floating, want one of fixed, free"},
      {"run x --method a --method b", "--method METHOD[:KEY=VALUE]... is given 2 times"},
      {"run x --threads many", "--threads: got many, want a whole number from 1 to 1024"},
      {"run x --max-bodies -3", "--max-bodies: got -3, want a whole number from 1"},
      {"run x --step-limit -1", "--step-limit: got -1, want a number > 0"},
      {"run x --json=banana", "--json takes no value"},
      {"run x --quiet=5", "-q takes no value"},
      {"solve x --tol 1", "--tol: got 1, want a number from 1e-15 to 0.01"},
      {"info x --csv frmes", "; did you mean 'frames'?"},
      {"completion fish", "shell: got fish, want one of bash, zsh"}};
  for (const auto& [line, message] : cases) {
    const Outcome outcome = place.run(split(line));
    EXPECT_EQ(outcome.exit_code, 2) << line;
    EXPECT_TRUE(outcome.err.starts_with("tenpin: ")) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << line << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("\nTry 'tenpin "), std::string::npos) << outcome.err;
  }
}

// They would have no effect there.
TEST(Arguments, ThatOnlyRobotModelsTakeAreRefusedElsewhere) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  for (const std::string option :
       {"--base fixed", "--keyframe home", "--root .", "--balance-inertia", "--lenient"}) {
    const Words words = split(option);
    for (const std::string command : {"run", "check", "convert", "compare"}) {
      Words args = {command, "scene.yaml"};
      args.insert(args.end(), words.begin(), words.end());
      const Outcome outcome = place.run(args);
      EXPECT_EQ(outcome.exit_code, 2) << command << " " << option << outcome.err;
      EXPECT_NE(outcome.err.find("scene.yaml: " + words.front() + ": applies to robot models"),
                std::string::npos)
          << outcome.err;
    }
  }
  EXPECT_EQ(place.run({"run", "scene.yaml", "--ground"}).exit_code, 0);
  const Outcome mjcf = place.run({"check", kModels + "joints.xml", "--base", "free"});
  EXPECT_EQ(mjcf.exit_code, 2);
  EXPECT_NE(mjcf.err.find("--base applies to URDF models"), std::string::npos) << mjcf.err;
  const Outcome urdf = place.run({"check", kModels + "arm.urdf", "--keyframe", "home"});
  EXPECT_EQ(urdf.exit_code, 2);
  EXPECT_NE(urdf.err.find("--keyframe applies to MJCF models"), std::string::npos) << urdf.err;
}

// Each example is a call of the command with options that the command has.
TEST(Help, HasExamplesOfItsOwn) {
  const Place place;
  const Words commands = list_commands(place);
  EXPECT_GE(commands.size(), 17U);
  for (const std::string& command : commands) {
    const std::string help = place.run({command, "--help"}).out;
    const std::size_t begin = help.find("\nExamples:\n");
    ASSERT_NE(begin, std::string::npos) << command;
    EXPECT_NE(help.find("Exit codes: 0 done"), std::string::npos) << command;
    EXPECT_EQ(help.find(" in {"), std::string::npos) << "a description of the parser's: " << help;
    std::istringstream lines(help.substr(begin + 11));
    for (std::string line; std::getline(lines, line) && line.starts_with("  ");) {
      EXPECT_NE(line.find("tenpin " + command), std::string::npos) << line;
      static const std::regex kOption("--[a-z][a-z-]*");
      for (std::sregex_iterator it(line.begin(), line.end(), kOption), end; it != end; ++it) {
        EXPECT_LT(help.find(it->str()), begin) << line << ": no option " << it->str();
      }
    }
  }
}

}  // namespace
}  // namespace tenpin::app
