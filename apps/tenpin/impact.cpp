#include "impact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "exit_codes.h"
#include "impact_draw.h"
#include "impact_results.h"
#include "print.h"

namespace tenpin::app {

namespace {

using impact::Law;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxProblems = 20;

void print_problems(const std::vector<std::string>& problems) {
  for (std::size_t i = 0; i < std::min(problems.size(), kMaxProblems); ++i) {
    print(stderr, "{}\n", problems[i]);
  }
  if (problems.size() > kMaxProblems) {
    print(stderr, "and {} more problems\n", problems.size() - kMaxProblems);
  }
}

// Solves one case after another, and collects the data for each kind of output.
class CaseSolver {
 public:
  CaseSolver(std::optional<Law> law, bool draws) : law_(law), draws_(draws) {}

  void solve(const ImpactCase& c) {
    Json json = std::visit(
        [&](const auto& what) {
          return solve_what(c, what);
        },
        c.what);
    Json result = {{"file", c.file}, {"name", c.name}};
    result.update(json);
    results_.push_back(std::move(result));
  }

  bool is_good() const { return is_good_; }
  const std::vector<CasePictures>& pictures() const { return pictures_; }

  void print_json(int num_passed_over) const {
    const Json out = {{"results", results_}, {"passed_over", num_passed_over}};
    print(stdout, "{}\n", out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  void print_table() const {
    std::size_t name_width = 4;
    std::size_t mode_width = 4;
    for (const auto& [name, line] : lines_) {
      name_width = std::max(name_width, name.size());
      mode_width = std::max(mode_width, line.mode.size());
    }
    print(stdout, "{:<{}}  {:<9}  {:<15}  {:<{}}  {:>14}  {:>14}  {:>11}\n", "name", name_width,
          "kind", "law", "mode", mode_width, "impulse/N s", "energy/J", "certificate");
    for (const auto& [name, line] : lines_) {
      const impact::ImpactCertificate& c = line.certificate;
      print(stdout, "{:<{}}  {:<9}  {:<15}  {:<{}}  {:>14.9g}  {:>14.9g}  {:>11.1e}\n", name,
            name_width, line.kind, line.law, line.mode, mode_width, line.impulse, line.change,
            std::max({c.momentum, c.energy, c.friction, c.restitution}));
    }
  }

 private:
  Json solve_what(const ImpactCase& c, const PlanarCase& what) {
    const PlanarResult result = solve_case(what, law_);
    judge(c, find_fault(result));
    lines_.emplace_back(c.name, make_line(result));
    if (draws_) pictures_.push_back(draw_case(c.name, what, result));
    return to_json(what, result);
  }
  Json solve_what(const ImpactCase& c, const SpatialCase& what) {
    const std::vector<SpatialResult> results = solve_case(what, law_);
    for (const SpatialResult& result : results) {
      judge(c, find_fault(result));
      lines_.emplace_back(c.name, make_line(result));
    }
    if (draws_) pictures_.push_back(draw_case(c.name, what, results));
    return to_json(results);
  }
  Json solve_what(const ImpactCase& c, const CollisionCase& what) {
    const CollisionResult result = solve_case(what);
    judge(c, find_fault(result));
    for (ResultLine& line : make_lines(what, result)) lines_.emplace_back(c.name, std::move(line));
    if (law_ && *law_ != Law::kNewton) {
      print(stderr, "{}: {}: collisions of several contacts follow newton, not {}\n", c.file,
            c.name, to_string(*law_));
    }
    return to_json(what, result);
  }

  void judge(const ImpactCase& c, const std::string& fault) {
    if (fault.empty()) return;
    print(stderr, "{}: {}: {}\n", c.file, c.name, fault);
    is_good_ = false;
  }

  std::optional<Law> law_;
  bool draws_;
  bool is_good_ = true;
  Json results_ = Json::array();
  std::vector<std::pair<std::string, ResultLine>> lines_;
  std::vector<CasePictures> pictures_;
};

}  // namespace

int run_impact(const ImpactOptions& options) {
  ImpactInput input;
  std::vector<std::string> problems;
  const std::optional<Law> law = impact::find_law(options.law);
  if (!options.law.empty() && !law) {
    problems.push_back(
        fmt::format("--law: no such law, got {}, want newton, poisson, energetic or "
                    "energetic-ratio",
                    options.law));
  }
  for (const std::string& file : options.files) read_impact_cases(file, &input, &problems);
  if (!problems.empty()) {
    print_problems(problems);
    return kBadInput;
  }
  if (input.num_passed_over > 0) {
    print(stderr, "skipped {} cases of resting contact\n", input.num_passed_over);
  }
  const bool draws = !options.draw.empty();
  if (draws) check_draw_target(options.draw);
  CaseSolver solver(law, draws);
  for (const ImpactCase& c : input.cases) solver.solve(c);
  options.json ? solver.print_json(input.num_passed_over) : solver.print_table();
  if (draws) write_pictures(options.draw, solver.pictures());
  return solver.is_good() ? kDone : kNumericalFailure;
}

}  // namespace tenpin::app
