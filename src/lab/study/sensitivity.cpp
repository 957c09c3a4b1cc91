#include "lab/study/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/rng.h"
#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

constexpr int kResamples = 400;  // of the groups, to compute the bands
// probability outside the band on either side
constexpr double kBandTail = 0.025;
constexpr std::uint64_t kStream = ~std::uint64_t{0} / 2;  // of random numbers; no sample uses it

// The values of the measure at A, at B, and at A with each coordinate of B in turn.
using Group = std::vector<double>;

// Collects groups by combination of levels; only complete groups.
std::vector<std::vector<Group>> collect_groups(const Study& study, std::span<const TrialRow> rows,
                                               std::size_t cell) {
  const std::int64_t num_combinations = study.num_combinations();
  const std::int64_t size = study.group_size();
  std::vector<std::map<std::int64_t, std::vector<std::optional<double>>>> found(
      static_cast<std::size_t>(num_combinations));
  for (const TrialRow& row : rows) {
    const std::int64_t sample = row.trial / num_combinations;
    auto& group = found[static_cast<std::size_t>(row.trial % num_combinations)][sample / size];
    group.resize(static_cast<std::size_t>(size));
    if (row.is_done()) group[static_cast<std::size_t>(sample % size)] = row.cells[cell].number;
  }
  std::vector<std::vector<Group>> groups(found.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (const auto& [number, values] : found[c]) {
      const bool is_whole = std::all_of(values.begin(), values.end(), [](const auto& value) {
        return value.has_value();
      });
      if (!is_whole) continue;
      Group& group = groups[c].emplace_back();
      for (const auto& value : values) group.push_back(*value);
    }
  }
  return groups;
}

struct Shares {
  double first = 0.0;
  double total = 0.0;
};

// Computes the shares of range i, over the groups that `chosen` lists. The common mean is
// subtracted from values, because products of large values would lose digits.
std::optional<Shares> calc_shares(const std::vector<Group>& groups,
                                  std::span<const std::size_t> chosen, std::size_t i) {
  double sum = 0.0;
  for (const std::size_t k : chosen) sum += groups[k][0] + groups[k][1];
  const auto n = static_cast<double>(chosen.size());
  const double mean = sum / (2.0 * n);
  double variance = 0.0;
  double first = 0.0;
  double total = 0.0;
  for (const std::size_t k : chosen) {
    const double a = groups[k][0] - mean;
    const double b = groups[k][1] - mean;
    const double mixed = groups[k][2 + i] - mean;
    variance += a * a + b * b;
    first += b * (mixed - a);
    total += (a - mixed) * (a - mixed);
  }
  variance /= 2.0 * n;
  if (!(variance > 0.0)) return std::nullopt;
  return Shares{.first = first / n / variance, .total = total / (2.0 * n) / variance};
}

double calc_half_width(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const auto cut = static_cast<std::size_t>(kBandTail * static_cast<double>(values.size()));
  return 0.5 * (values[values.size() - 1 - cut] - values[cut]);
}

SensitivityIndex calc_index(const Study& study, const std::vector<Group>& groups, std::size_t i,
                            const Shares& shares) {
  const RandomStream random(study.seed, kStream - i);
  std::vector<double> first;
  std::vector<double> total;
  std::vector<std::size_t> chosen(groups.size());
  for (int r = 0; r < kResamples; ++r) {
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      chosen[k] = random.index(static_cast<std::uint64_t>(r) * chosen.size() + k,
                               static_cast<std::uint32_t>(groups.size()));
    }
    if (const auto again = calc_shares(groups, chosen, i)) {
      first.push_back(again->first);
      total.push_back(again->total);
    }
  }
  return {.variable = "",
          .first = {shares.first, calc_half_width(std::move(first))},
          .total = {shares.total, calc_half_width(std::move(total))}};
}

std::string describe_combination(const Study& study, std::int64_t number) {
  const Trial trial = make_trial(study, number);
  std::string text;
  for (std::size_t i = 0; i < study.variables.size(); ++i) {
    if (study.variables[i].is_range()) continue;
    const Cell& cell = trial.values[i];
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", study.variables[i].name,
                        cell.number ? fmt::format("{:.6g}", *cell.number) : cell.text);
  }
  return text;
}

void add_indices(const Study& study, const std::vector<Group>& groups, Sensitivity* sensitivity) {
  if (groups.size() < 2) return;
  std::vector<std::size_t> all(groups.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  std::size_t i = 0;
  for (const Variable& variable : study.variables) {
    if (!variable.is_range()) continue;
    if (const auto shares = calc_shares(groups, all, i)) {
      sensitivity->indices.push_back(calc_index(study, groups, i, *shares));
      sensitivity->indices.back().variable = variable.name;
    }
    ++i;
  }
}

void add_bar(double x, const Share& share, Colour colour, Plot* plot) {
  constexpr double kHalfBar = 0.16;
  const double top = std::max(0.0, share.value);
  plot->outlines.push_back({.points = {{x - kHalfBar, 0.0},
                                       {x - kHalfBar, top},
                                       {x + kHalfBar, top},
                                       {x + kHalfBar, 0.0}},
                            .colour = colour,
                            .fill = 0.5});
  plot->outlines.push_back(
      {.points = {{x, share.value - share.half_width}, {x, share.value + share.half_width}},
       .colour = Colour::kInk,
       .closed = false});
}

}  // namespace

std::vector<Sensitivity> calc_sensitivities(const Study& study, std::span<const TrialRow> rows) {
  std::vector<Sensitivity> sensitivities;
  if (!study.has_sensitivity) return sensitivities;
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const auto groups = collect_groups(study, rows, study.variables.size() + m);
    for (std::size_t c = 0; c < groups.size(); ++c) {
      Sensitivity& one = sensitivities.emplace_back();
      one.measure = study.measures[m].name;
      one.combination = describe_combination(study, static_cast<std::int64_t>(c));
      one.groups = std::ssize(groups[c]);
      add_indices(study, groups[c], &one);
    }
  }
  return sensitivities;
}

std::string draw_sensitivity(const Sensitivity& sensitivity) {
  const auto count = static_cast<double>(sensitivity.indices.size());
  Plot plot = {.x_label = "ranges, in the order of the study",
               .y_label = "share of the variance",
               .height = 320.0};
  plot.x_range = Range{-0.6, count - 0.4};
  plot.y_range = Range{-0.15, 1.35};
  plot.description = fmt::format("How much each range matters for {}", sensitivity.measure);
  double x = 0.0;
  for (const SensitivityIndex& index : sensitivity.indices) {
    add_bar(x - 0.18, index.first, Colour::kBlue, &plot);
    add_bar(x + 0.18, index.total, Colour::kOrange, &plot);
    plot.labels.push_back({.at = {x, -0.1}, .text = index.variable, .dy = 4.0});
    x += 1.0;
  }
  // Bars have no legend of their own, so two curves without points make one.
  plot.series = {{.name = "first order", .colour = Colour::kBlue},
                 {.name = "total", .colour = Colour::kOrange}};
  return draw_svg(plot);
}

}  // namespace tenpin::lab
