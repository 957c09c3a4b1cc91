#include "solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/check.h"
#include "solve_cone.h"
#include "solve_lcp.h"

namespace tenpin::app {
namespace {

// Decides by the first bytes of the file, or by its name if it cannot be read.
bool is_hdf5(const std::string& file) {
  constexpr std::string_view kStart = "\x89HDF\r\n\x1a\n";
  std::ifstream stream(file, std::ios::binary);
  std::array<char, kStart.size()> start = {};
  if (stream.read(start.data(), start.size())) {
    if (std::string_view(start.data(), start.size()) == kStart) return true;
  }
  return file.ends_with(".hdf5") || file.ends_with(".h5");
}

}  // namespace

int run_solve(const SolveOptions& options) {
  const auto num_hdf5 = std::count_if(options.files.begin(), options.files.end(), is_hdf5);
  const bool is_cone = num_hdf5 > 0;
  TENPIN_REQUIRE(!is_cone || num_hdf5 == static_cast<long>(options.files.size()),
                 "problems: two kinds of files, got JSON and HDF5, want one kind at a time");
  const bool is_lemke = options.solver == "lemke" || options.solver == "lp";
  TENPIN_REQUIRE(
      options.solver.empty() || is_lemke == !is_cone,
      fmt::format("--solver: not for this kind of file, got {}, want {}", options.solver,
                  is_cone ? "cascade, gauss-seidel, newton or interior-point" : "lemke or lp"));
  TENPIN_REQUIRE(is_cone || options.solution.empty(),
                 fmt::format("--solution: not for this kind of file, got {}, want HDF5 problems",
                             options.solution));
  return is_cone ? solve_cone(options) : solve_lcp(options);
}

}  // namespace tenpin::app
