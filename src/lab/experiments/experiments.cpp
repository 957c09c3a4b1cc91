#include <array>

#include "lab/experiments/m11_impacts.h"
#include "lab/experiments/m11_laws.h"
#include "lab/experiments/st00_balls.h"
#include "lab/experiments/st00_rod.h"

namespace tenpin::lab {

std::span<const Experiment> all_experiments() {
  static constexpr std::array<Experiment, 4> kExperiments = {{
      {"ST00/rod", "Stewart and Trinkle 2000, example 1: a falling rod (Figs. 2 to 5)",
       experiments::run_st00_rod},
      {"ST00/balls",
       "Stewart and Trinkle 2000, example 2: four balls (Figs. 1 and 6 to 8, Table 1)",
       experiments::run_st00_balls},
      {"M11/impacts",
       "Morgan 2011: collisions of a double pendulum in closed form (Figs. 2.1 to 2.9)",
       experiments::run_m11_impacts},
      {"M11/laws", "Morgan 2011: Newton's, Poisson's and the energetic law side by side",
       experiments::run_m11_laws},
  }};
  return kExperiments;
}

}  // namespace tenpin::lab
