#include "solve_cone.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/stopwatch.h"
#include "complementarity/cone/cone_solver.h"
#include "exit_codes.h"
#include "print.h"
#include "record/fclib.h"
#include "record/record_error.h"

namespace tenpin::app {
namespace {

namespace fs = std::filesystem;
using namespace complementarity::cone;  // NOLINT(google-build-using-namespace): one subject
using complementarity::SolveStatus;

struct ConeFile {
  std::string file;
  record::FclibProblem fclib;
  int space_dim = 3;
  ConeProblem cone;
};

struct ConeAnswer {
  ConeSolution solution;
  double seconds = 0.0;  // s   processor time of the solve
};

constexpr std::string_view kSolverNames[] = {"cascade", "gauss-seidel", "newton", "interior-point"};

ConeMethod method_of(const std::string& solver) {
  for (const ConeMethod method :
       {ConeMethod::kGaussSeidel, ConeMethod::kNewton, ConeMethod::kInteriorPoint}) {
    if (solver == kSolverNames[static_cast<int>(method)]) return method;
  }
  return ConeMethod::kCascade;
}

// A line that is overwritten with the progress of long solves; does nothing if stderr is not a
// terminal.
class SolveProgress {
 public:
  explicit SolveProgress(std::size_t num_problems)
      : is_visible_(isatty(STDERR_FILENO) == 1), num_problems_(num_problems) {}
  ~SolveProgress() { clear(); }
  SolveProgress(const SolveProgress&) = delete;
  SolveProgress& operator=(const SolveProgress&) = delete;

  void show(std::size_t index, const std::string& file, const Effort& effort, double error) {
    constexpr double kInterval = 0.2;  // s
    if (!is_visible_ || stopwatch_.wall() < kInterval) return;
    stopwatch_.restart();
    is_shown_ = true;
    const std::string text =
        fmt::format("{} of {}: {}: {} sweeps, {} systems, error {:.1e}", index + 1, num_problems_,
                    file, effort.sweeps, effort.newton + effort.interior_point, error);
    print(stderr, "\r{:100.100}", text);
  }
  void clear() {
    if (is_shown_) print(stderr, "\r{:100}\r", "");
    is_shown_ = false;
  }

 private:
  bool is_visible_;
  bool is_shown_ = false;
  std::size_t num_problems_;
  Stopwatch stopwatch_;
};

ConeFile read_problem(const std::string& file) {
  ConeFile problem{file, record::read_fclib(file), 3, {}};
  const LocalForm local = record::make_local_form(problem.fclib, file);
  problem.space_dim = local.space_dim;
  problem.cone = make_cone_problem(local);
  return problem;
}

// Reports the first problem of every file, so that one run shows what to correct in each.
bool read_problems(const SolveOptions& options, std::vector<ConeFile>* problems) {
  bool is_good = true;
  for (const std::string& file : options.files) {
    try {
      problems->push_back(read_problem(file));
    } catch (const InputError& error) {
      print(stderr, "{}\n", error.what());
      is_good = false;
    }
  }
  return is_good;
}

std::string name_of(const std::string& file) {
  return fs::path(file).stem().string() + ".hdf5";
}

// Checks the folder before anything is computed.
void check_solution_folder(const SolveOptions& options) {
  if (options.solution.empty()) return;
  std::set<std::string> names;
  for (const std::string& file : options.files) {
    TENPIN_REQUIRE(names.insert(name_of(file)).second,
                   fmt::format("--solution: two problems of one name, got {}, want other names",
                               name_of(file)));
    const fs::path target = fs::path(options.solution) / name_of(file);
    TENPIN_REQUIRE(!fs::exists(target) || !fs::equivalent(target, file),
                   fmt::format("--solution: would replace the problem, got {}, want another folder",
                               options.solution));
  }
  fs::create_directories(options.solution);
  if (access(options.solution.c_str(), W_OK) != 0) {
    throw record::RecordError(options.solution + ": cannot be written to");
  }
}

void write_solution(const SolveOptions& options, const ConeFile& problem,
                    const ConeSolution& solution) {
  if (options.solution.empty()) return;
  const int nc = problem.cone.calc_num_contacts();
  record::write_fclib_solution(
      (fs::path(options.solution) / name_of(problem.file)).string(), problem.fclib,
      {take_contact_rows(solution.r, nc, problem.space_dim),
       take_contact_rows(solution.u, nc, problem.space_dim), take_free_rows(solution.r, nc)});
}

nlohmann::ordered_json to_json(const ConeFile& problem, const ConeAnswer& result) {
  const ConeResidual& residual = result.solution.residual;
  nlohmann::ordered_json out;
  out["file"] = problem.file;
  out["title"] = problem.fclib.title;
  out["contacts"] = problem.cone.calc_num_contacts();
  out["equality_rows"] = problem.cone.num_rows() - 3 * problem.cone.calc_num_contacts();
  out["status"] = to_string(result.solution.status);
  out["iterations"] = {{"gauss_seidel", result.solution.effort.sweeps},
                       {"newton", result.solution.effort.newton},
                       {"interior_point", result.solution.effort.interior_point}};
  out["err_sic"] = residual.err_sic;
  out["err_q"] = residual.err_q;
  out["residual"] = {{"energy", residual.energy},
                     {"cone_violation", residual.cone_violation},
                     {"penetration", residual.penetration},
                     {"complementarity", residual.complementarity},
                     {"friction_gain", residual.friction_gain},
                     {"free_velocity", residual.free_velocity}};
  out["time_s"] = result.seconds;
  return out;
}

void print_heading(std::size_t width) {
  print(stdout, "{:<{}}  {:>8}  {:<10}  {:>6}  {:>6}  {:>8}  {:>8}  {:>8}  {:>9}\n", "file", width,
        "contacts", "status", "sweeps", "newton", "interior", "err_sic", "err_q", "time_s");
}

void print_row(const ConeFile& problem, const ConeAnswer& result, std::size_t width) {
  const ConeSolution& solution = result.solution;
  print(stdout, "{:<{}}  {:>8}  {:<10}  {:>6}  {:>6}  {:>8}  {:>8.1e}  {:>8.1e}  {:>9.6f}\n",
        problem.file, width, problem.cone.calc_num_contacts(), to_string(solution.status),
        solution.effort.sweeps, solution.effort.newton, solution.effort.interior_point,
        solution.residual.err_sic, solution.residual.err_q, result.seconds);
}

ConeAnswer solve(const ConeFile& problem, const ConeOptions& options) {
  ConeSolver solver(options);
  ConeAnswer result;
  const Stopwatch stopwatch;
  solver.solve(problem.cone, &result.solution);
  result.seconds = stopwatch.cpu();
  return result;
}

}  // namespace

int solve_cone(const SolveOptions& options) {
  std::vector<ConeFile> problems;
  if (!read_problems(options, &problems)) return kBadInput;
  check_solution_folder(options);
  std::size_t width = 4;
  for (const ConeFile& problem : problems) width = std::max(width, problem.file.size());
  if (!options.json) print_heading(width);
  nlohmann::ordered_json out;
  out["results"] = nlohmann::ordered_json::array();
  SolveProgress line(problems.size());
  bool is_all_solved = true;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    ConeOptions cone_options;
    cone_options.method = method_of(options.solver);
    if (options.tolerance) cone_options.tolerance = *options.tolerance;
    cone_options.progress = [&](Stage, const Effort& effort, double error) {
      line.show(i, problems[i].file, effort, error);
    };
    const ConeAnswer result = solve(problems[i], cone_options);
    line.clear();
    write_solution(options, problems[i], result.solution);
    if (options.json) {
      out["results"].push_back(to_json(problems[i], result));
    } else {
      print_row(problems[i], result, width);
    }
    if (result.solution.status == SolveStatus::kSolved) continue;
    is_all_solved = false;
    print(stderr, "{}: not solved, status {}, err_q {:.3e}\n", problems[i].file,
          to_string(result.solution.status), result.solution.residual.err_q);
  }
  if (options.json) {
    print(stdout, "{}\n", out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return is_all_solved ? kDone : kNumericalFailure;
}

}  // namespace tenpin::app
