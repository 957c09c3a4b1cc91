#include "lab/study/design.h"

#include "base/rng.h"
#include "base/text.h"
#include "lab/study/sobol.h"

namespace tenpin::lab {

namespace {

// Random numbers of sample n come from stream n; this one is nobody's.
constexpr std::uint64_t kShiftStream = ~std::uint64_t{0};

// In [0, 1). Sobol's points are shifted, digit by digit, by what the seed says.
double draw_fraction(const Study& study, int axis, std::int64_t sample) {
  const auto number = static_cast<std::uint64_t>(sample);
  if (study.sampling == Study::Sampling::kRandom) {
    return RandomStream(study.seed, number).uniform(static_cast<std::uint64_t>(axis));
  }
  const auto shift = static_cast<std::uint32_t>(
      RandomStream(study.seed, kShiftStream).bits(static_cast<std::uint64_t>(axis)));
  const std::uint32_t point = calc_sobol(axis, static_cast<std::uint32_t>(number)) ^ shift;
  return (static_cast<double>(point) + 0.5) * 0x1p-32;
}

void take_level(const Level& level, Cell* cell, Trial* trial) {
  *cell = {.number = level.number, .text = level.number ? "" : level.label};
  for (const scene::Override& setting : level.settings) trial->settings.push_back(setting);
}

}  // namespace

std::int64_t Study::num_combinations() const {
  std::int64_t count = 1;
  for (const Variable& variable : variables) {
    if (!variable.is_range()) count *= static_cast<std::int64_t>(variable.levels.size());
  }
  return count;
}

Trial make_trial(const Study& study, std::int64_t index) {
  Trial trial;
  trial.settings = study.settings;
  trial.values.resize(study.variables.size());
  const std::int64_t sample = index / study.num_combinations();
  std::int64_t rest = index % study.num_combinations();
  std::vector<std::size_t> chosen(study.variables.size(), 0);
  for (std::size_t i = study.variables.size(); i-- > 0;) {
    const auto count = static_cast<std::int64_t>(study.variables[i].levels.size());
    if (count == 0) continue;
    chosen[i] = static_cast<std::size_t>(rest % count);
    rest /= count;
  }
  int axis = 0;
  for (std::size_t i = 0; i < study.variables.size(); ++i) {
    const Variable& variable = study.variables[i];
    if (!variable.is_range()) {
      take_level(variable.levels[chosen[i]], &trial.values[i], &trial);
      continue;
    }
    const double u = draw_fraction(study, axis++, sample);
    const double value = (1.0 - u) * variable.low + u * variable.high;
    trial.values[i].number = value;
    trial.settings.push_back({.path = variable.path, .value = to_text(value)});
  }
  return trial;
}

}  // namespace tenpin::lab
