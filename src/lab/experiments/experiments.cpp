#include <array>

#include "lab/experiments/st00_balls.h"
#include "lab/experiments/st00_rod.h"

namespace tenpin::lab {

std::span<const Experiment> all_experiments() {
  static constexpr std::array<Experiment, 2> kExperiments = {{
      {"ST00/rod", "Stewart and Trinkle 2000, example 1: a falling rod (Figs. 2 to 5)",
       experiments::run_st00_rod},
      {"ST00/balls",
       "Stewart and Trinkle 2000, example 2: four balls (Figs. 1 and 6 to 8, Table 1)",
       experiments::run_st00_balls},
  }};
  return kExperiments;
}

}  // namespace tenpin::lab
