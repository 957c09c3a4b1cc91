#include "lab/study/design.h"

#include <algorithm>

#include "base/check.h"
#include "base/rng.h"
#include "base/text.h"
#include "lab/study/sobol.h"

namespace tenpin::lab {

namespace {

// The random numbers of sample n come from stream n; no sample uses this stream.
constexpr std::uint64_t kShiftStream = ~std::uint64_t{0};
constexpr std::uint64_t kLatinStream =
    kShiftStream - 1;  // stream of range 0; those of the other ranges are below it

// A permutation of 0 .. count-1: a Feistel network over the next power of four, applied repeatedly
// until the result is within the range.
std::uint64_t permute(const RandomStream& random, std::uint64_t number, std::uint64_t count) {
  int half_bits = 1;
  while ((std::uint64_t{1} << (2 * half_bits)) < count) ++half_bits;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  constexpr std::uint64_t kRounds = 4;
  do {
    std::uint64_t left = number >> half_bits;
    std::uint64_t right = number & mask;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t next = left ^ (random.bits(round << 32 | right) & mask);
      left = right;
      right = next;
    }
    number = left << half_bits | right;
  } while (number >= count);
  return number;
}

double draw_latin(const Study& study, std::uint64_t axis, std::uint64_t sample) {
  const auto count = static_cast<std::uint64_t>(study.samples / study.group_size());
  const RandomStream order(study.seed, kLatinStream - axis);
  const double within = RandomStream(study.seed, sample).uniform(axis);
  return (static_cast<double>(permute(order, sample % count, count)) + within) /
         static_cast<double>(count);
}

// Coordinate `axis` of point `point` of the design, in [0, 1). Sobol's points are shifted, digit by
// digit, by an amount that depends on the seed.
double draw_point(const Study& study, int axis, std::int64_t point) {
  const auto number = static_cast<std::uint64_t>(point);
  const auto coordinate = static_cast<std::uint64_t>(axis);
  switch (study.sampling) {
    case Study::Sampling::kRandom:
      return RandomStream(study.seed, number).uniform(coordinate);
    case Study::Sampling::kLatin:
      return draw_latin(study, coordinate, number);
    case Study::Sampling::kSobol:
      break;
  }
  const auto shift =
      static_cast<std::uint32_t>(RandomStream(study.seed, kShiftStream).bits(coordinate));
  const std::uint32_t digits = calc_sobol(axis, static_cast<std::uint32_t>(number)) ^ shift;
  return (static_cast<double>(digits) + 0.5) * 0x1p-32;
}

// For sensitivity, sample 0 of a group is a point A, sample 1 an independent point B, and sample
// 2 + i is A with coordinate i of B.   [SAL10, §3]
double draw_fraction(const Study& study, int axis, std::int64_t sample) {
  if (!study.has_sensitivity) return draw_point(study, axis, sample);
  const std::int64_t part = sample % study.group_size();
  const bool is_second = part == 1 || part == 2 + axis;
  return draw_point(study, is_second ? axis + study.num_ranges() : axis,
                    sample / study.group_size());
}

void take_level(const Level& level, Cell* cell, Trial* trial) {
  *cell = {.number = level.number, .text = level.number ? "" : level.label};
  for (const scene::Override& setting : level.settings) trial->settings.push_back(setting);
}

}  // namespace

int Study::num_ranges() const {
  return static_cast<int>(
      std::count_if(variables.begin(), variables.end(), [](const Variable& variable) {
        return variable.is_range();
      }));
}

std::int64_t Study::num_combinations() const {
  std::int64_t count = 1;
  for (const Variable& variable : variables) {
    if (!variable.is_range()) count *= static_cast<std::int64_t>(variable.levels.size());
  }
  return count;
}

std::size_t find_column(const Study& study, const std::string& name) {
  for (std::size_t i = 0; i < study.variables.size(); ++i) {
    if (study.variables[i].name == name) return i;
  }
  for (std::size_t i = 0; i < study.measures.size(); ++i) {
    if (study.measures[i].name == name) return study.variables.size() + i;
  }
  TENPIN_DEMAND(false);
  return 0;
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
