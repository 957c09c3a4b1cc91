#include "solve_lcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/stopwatch.h"
#include "complementarity/lemke.h"
#include "complementarity/proximal.h"
#include "exit_codes.h"
#include "located_json.h"
#include "print.h"
#include "solve_resting.h"

namespace tenpin::app {
namespace {

using complementarity::Lcp;
using complementarity::LcpSolution;
using complementarity::Lemke;
using complementarity::SolveStatus;

struct LcpCase {
  std::string file;
  std::string name;
  bool is_resting = false;  // true if given as A and b
  Lcp lcp;
  std::vector<bool> holonomic;  // by row; empty if no row is holonomic
};

struct LcpAnswer {
  LcpSolution solution;
  VecX w;
  double seconds = 0.0;  // s  wall time of the solve
  RestingAnswer more;    // results that only some problems have
};

struct Input {
  std::vector<LcpCase> problems;
  int num_passed_over = 0;
};

// Reads the problems of one file.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  void read(Input* input) const {
    const JsonNode root = parse_json(read_text(), file_);
    demand_kind(root, "", JsonNode::Kind::kObject, "an object");
    const std::size_t num_before = input->problems.size();
    const JsonNode* cases = root.find("cases");
    if (cases == nullptr) {
      add(root, "", file_, input);
    } else {
      demand_kind(*cases, "cases", JsonNode::Kind::kArray, "an array");
      for (std::size_t i = 0; i < cases->items.size(); ++i) {
        const std::string path = fmt::format("cases[{}]", i);
        demand_kind(cases->items[i], path, JsonNode::Kind::kObject, "an object");
        add(cases->items[i], path, path, input);
      }
    }
    if (input->problems.size() == num_before) {
      fail_at(file_, root, "", "no problem to solve, got neither M, q nor A, b, want a pair");
    }
  }

 private:
  std::string read_text() const {
    std::ifstream stream(file_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream.is_open() || text.bad()) {
      fail_at(file_, {}, "", "cannot be read, got no data, want a JSON file");
    }
    return text.str();
  }

  void demand_kind(const JsonNode& node, const std::string& path, JsonNode::Kind kind,
                   const std::string& want) const {
    if (node.kind == kind) return;
    fail_at(file_, node, path, fmt::format("wrong type, got {}, want {}", describe(node), want));
  }

  void add(const JsonNode& node, const std::string& path, const std::string& default_name,
           Input* input) const {
    const bool is_lcp = node.find("M") != nullptr || node.find("q") != nullptr;
    const bool is_resting = !is_lcp && (node.find("A") != nullptr || node.find("b") != nullptr);
    if (!is_lcp && !is_resting) {
      ++input->num_passed_over;
      return;
    }
    LcpCase problem{file_, default_name, is_resting, {}};
    const JsonNode* name = node.find("name");
    if (name != nullptr && name->kind == JsonNode::Kind::kString) problem.name = name->text;
    problem.lcp.u = read_vector(get(node, path, is_lcp ? "q" : "b"), join(path, is_lcp ? "q" : "b"),
                                std::nullopt);
    problem.lcp.R = read_matrix(get(node, path, is_lcp ? "M" : "A"), join(path, is_lcp ? "M" : "A"),
                                problem.lcp.size());
    if (is_resting) problem.lcp.u = -problem.lcp.u;
    if (const JsonNode* rows = node.find("holonomic"); is_resting && rows != nullptr) {
      problem.holonomic = read_rows(*rows, join(path, "holonomic"), problem.lcp.size());
    }
    input->problems.push_back(std::move(problem));
  }

  static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  const JsonNode& get(const JsonNode& node, const std::string& path, const std::string& key) const {
    const JsonNode* member = node.find(key);
    if (member == nullptr) {
      fail_at(file_, node, join(path, key), "missing, got no such field, want an array");
    }
    return *member;
  }

  VecX read_vector(const JsonNode& node, const std::string& path, std::optional<int> size) const {
    demand_kind(node, path, JsonNode::Kind::kArray, "an array");
    if (size && static_cast<int>(node.items.size()) != *size) {
      fail_at(file_, node, path,
              fmt::format("wrong size, got {} entries, want {}", node.items.size(), *size));
    }
    VecX vector(static_cast<Eigen::Index>(node.items.size()));
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      demand_kind(node.items[i], fmt::format("{}[{}]", path, i), JsonNode::Kind::kNumber,
                  "a number");
      vector[static_cast<Eigen::Index>(i)] = node.items[i].number;
    }
    return vector;
  }

  // Reads row numbers, which count from 0.
  std::vector<bool> read_rows(const JsonNode& node, const std::string& path, int n) const {
    const VecX numbers = read_vector(node, path, std::nullopt);
    std::vector<bool> rows(static_cast<std::size_t>(n), false);
    for (Eigen::Index i = 0; i < numbers.size(); ++i) {
      if (!(numbers[i] >= 0.0 && numbers[i] < n && numbers[i] == std::floor(numbers[i]))) {
        fail_at(file_, node.items[static_cast<std::size_t>(i)], fmt::format("{}[{}]", path, i),
                fmt::format("no such row, got {}, want 0 to {}", numbers[i], n - 1));
      }
      rows[static_cast<std::size_t>(numbers[i])] = true;
    }
    return rows;
  }

  MatX read_matrix(const JsonNode& node, const std::string& path, int n) const {
    demand_kind(node, path, JsonNode::Kind::kArray, "an array of rows");
    if (static_cast<int>(node.items.size()) != n) {
      fail_at(file_, node, path,
              fmt::format("wrong size, got {} rows, want {}", node.items.size(), n));
    }
    MatX matrix(n, n);
    for (int i = 0; i < n; ++i) {
      const JsonNode& row = node.items[static_cast<std::size_t>(i)];
      matrix.row(i) = read_vector(row, fmt::format("{}[{}]", path, i), n).transpose();
    }
    return matrix;
  }

  std::string file_;
};

// Reports the first problem of every file, so that one run shows what to correct in each.
bool read_input(const SolveOptions& options, Input* input) {
  bool is_good = true;
  const auto complain = [&is_good](const std::string& complaint) {
    print(stderr, "{}\n", complaint);
    is_good = false;
  };
  for (const std::string& file : options.files) {
    try {
      Reader(file).read(input);
    } catch (const InputError& error) {
      complain(error.what());
    }
  }
  return is_good;
}

nlohmann::ordered_json to_json(const VecX& vector) {
  auto list = nlohmann::ordered_json::array();
  for (const double value : vector) list.push_back(value);
  return list;
}

nlohmann::ordered_json to_json(const complementarity::Compromise& compromise) {
  return {{"f", to_json(compromise.f)}, {"misfit", to_json(compromise.misfit)}};
}

nlohmann::ordered_json to_json(const LcpCase& problem, const LcpAnswer& result) {
  const complementarity::LcpResidual& residual = result.solution.residual;
  const bool is_solved = result.solution.status == SolveStatus::kSolved;
  nlohmann::ordered_json out;
  out["file"] = problem.file;
  out["name"] = problem.name;
  out["n"] = problem.lcp.size();
  out["status"] = to_string(result.solution.status);
  out["pivots"] = result.solution.pivots;
  out[problem.is_resting ? "f" : "z"] = is_solved ? to_json(result.solution.z) : nullptr;
  out["w"] = is_solved ? to_json(result.w) : nullptr;
  out["residual"] = {
      {"natural", residual.natural},       {"w_negative", residual.w_negative},
      {"z_negative", residual.z_negative}, {"complementarity", residual.complementarity},
      {"scale", residual.scale},           {"relative", residual.relative}};
  if (!result.more.branch.empty()) out["branch"] = result.more.branch;
  if (result.more.least_sum) out["least_sum"] = to_json(*result.more.least_sum);
  if (result.more.least_squares) out["least_squares"] = to_json(*result.more.least_squares);
  return out;
}

void print_json(const Input& input, const std::vector<LcpAnswer>& results) {
  nlohmann::ordered_json out;
  out["results"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    out["results"].push_back(to_json(input.problems[i], results[i]));
  }
  out["passed_over"] = input.num_passed_over;
  print(stdout, "{}\n", out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_table(const Input& input, const std::vector<LcpAnswer>& results) {
  std::size_t width = 4;
  for (const LcpCase& problem : input.problems) width = std::max(width, problem.name.size());
  print(stdout, "{:<{}}  {:>4}  {:<10}  {:>6}  {:>9}  {:>9}\n", "name", width, "n", "status",
        "pivots", "residual", "time/us");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const LcpSolution& solution = results[i].solution;
    print(stdout, "{:<{}}  {:>4}  {:<10}  {:>6}  {:>9.1e}  {:>9.1f}\n", input.problems[i].name,
          width, input.problems[i].lcp.size(), to_string(solution.status), solution.pivots,
          solution.residual.natural, 1e6 * results[i].seconds);
  }
}

void solve_problem(const LcpCase& problem, const SolveOptions& options, Lemke* lemke,
                   LcpAnswer* result) {
  constexpr double kGuessed = 1e-8;  // accuracy that linear programs can guarantee
  complementarity::LemkeOptions lemke_options;
  if (options.tolerance) lemke_options.tolerance = *options.tolerance;
  const bool guesses = options.solver == "lp" && problem.is_resting;
  if (guesses || !problem.holonomic.empty()) {
    std::vector<bool> holonomic = problem.holonomic;
    holonomic.resize(static_cast<std::size_t>(problem.lcp.size()), false);
    const RestingProblem resting{.lcp = problem.lcp, .holonomic = holonomic};
    result->more = guesses ? solve_guessing(resting, options.tolerance.value_or(kGuessed))
                           : solve_holonomic(resting, lemke_options);
    result->solution = result->more.solution;
  } else {
    lemke->solve(problem.lcp, &result->solution);
    // If resting contacts depend on each other, rounding decides whether a solution exists.
    const bool is_open = result->solution.status != SolveStatus::kSolved &&
                         result->solution.status != SolveStatus::kNonfinite;
    if (is_open && problem.is_resting) {
      solve_proximal(problem.lcp, lemke_options, &result->solution);
    }
  }
  result->w = problem.lcp.R * result->solution.z + problem.lcp.u;
}

}  // namespace

int solve_lcp(const SolveOptions& options) {
  Input input;
  if (!read_input(options, &input)) return kBadInput;
  if (input.num_passed_over > 0) {
    print(stderr, "skipped {} cases that are not complementarity problems\n",
          input.num_passed_over);
  }
  complementarity::LemkeOptions lemke_options;
  if (options.tolerance) lemke_options.tolerance = *options.tolerance;
  Lemke lemke(lemke_options);
  std::vector<LcpAnswer> results(input.problems.size());
  bool is_all_solved = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    LcpAnswer& result = results[i];
    const Stopwatch stopwatch;
    solve_problem(input.problems[i], options, &lemke, &result);
    result.seconds = stopwatch.wall();
    if (result.solution.status == SolveStatus::kSolved) continue;
    is_all_solved = false;
    print(stderr, "{}: {}: not solved, status {}, residual {:.3e}\n", input.problems[i].file,
          input.problems[i].name, to_string(result.solution.status),
          result.solution.residual.natural);
  }
  options.json ? print_json(input, results) : print_table(input, results);
  return is_all_solved ? kDone : kNumericalFailure;
}

}  // namespace tenpin::app
