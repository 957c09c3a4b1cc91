// Maps keys of a scene file to members of a method's options, for the reader, the writer and the
// headers of run files. format_methods.h says which values each key accepts and what it means.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

#include "scene/options.h"
#include "scene/words.h"

namespace tenpin::scene {

template <typename Options, typename Value>
struct OptionKey {
  std::string_view name;
  Value Options::*member;
};
// clang 14 cannot deduce the arguments of an aggregate by itself.
template <typename Options, typename Value>
OptionKey(std::string_view, Value Options::*) -> OptionKey<Options, Value>;

// A key whose values are words.
template <typename Options, typename Value, typename Enum, std::size_t n>
struct OptionWordKey {
  std::string_view name;
  Value Options::*member;
  const Word<Enum> (&words)[n];
};
template <typename Options, typename Value, typename Enum, std::size_t n>
OptionWordKey(std::string_view, Value Options::*, const Word<Enum> (&)[n])
    -> OptionWordKey<Options, Value, Enum, n>;

// A key whose value is a map with keys of its own. `object` is the map's name in the format's
// tables.
template <typename... Keys>
struct OptionGroupKey {
  std::string_view name;
  std::tuple<Keys...> keys;
};
template <typename... Keys>
OptionGroupKey(std::string_view, std::tuple<Keys...>) -> OptionGroupKey<Keys...>;

// The key `contact` of time stepping: rigid, springs, or a map with the compliance.
struct ContactKey {
  std::string_view name;
};

inline constexpr std::tuple kFixedPointKeys = {
    OptionKey{"iterations", &TimeSteppingOptions::fixed_point_iterations},
    OptionKey{"tolerance", &TimeSteppingOptions::fixed_point_tolerance},
};

inline constexpr std::tuple kTimeSteppingKeys = {
    OptionKey{"step", &TimeSteppingOptions::step},
    OptionKey{"order", &TimeSteppingOptions::order},
    OptionKey{"passes", &TimeSteppingOptions::passes},
    OptionWordKey{"formulation", &TimeSteppingOptions::formulation, kFormulationWords},
    OptionWordKey{"solver", &TimeSteppingOptions::solver, kSolverWords},
    ContactKey{"contact"},
    OptionKey{"directions", &TimeSteppingOptions::directions},
    OptionKey{"direction_phase", &TimeSteppingOptions::direction_phase},
    OptionWordKey{"lever", &TimeSteppingOptions::lever, kLeverWords},
    OptionWordKey{"active_set", &TimeSteppingOptions::active_set, kActiveSetWords},
    OptionKey{"projection", &TimeSteppingOptions::projection},
    OptionGroupKey{"fixed_point", kFixedPointKeys},
    OptionWordKey{"restitution", &TimeSteppingOptions::restitution, kRestitutionWords},
    OptionKey{"tolerance", &TimeSteppingOptions::tolerance},
    OptionKey{"sleeping", &TimeSteppingOptions::sleeping},
};

inline constexpr std::tuple kAnalyticKeys = {
    OptionWordKey{"integrator", &AnalyticOptions::integrator, kIntegratorWords},
    OptionWordKey{"events", &AnalyticOptions::events, kEventsWords},
    OptionWordKey{"forces", &AnalyticOptions::forces, kForcesWords},
    OptionWordKey{"friction", &AnalyticOptions::friction, kAnalyticFrictionWords},
    OptionWordKey{"collisions", &AnalyticOptions::collisions, kCollisionsWords},
    OptionWordKey{"law", &AnalyticOptions::law, kAnalyticLawWords},
    OptionKey{"max_step", &AnalyticOptions::max_step},
    OptionKey{"tolerance", &AnalyticOptions::tolerance},
    OptionKey{"event_tolerance", &AnalyticOptions::event_tolerance},
    OptionKey{"residual", &AnalyticOptions::residual},
};

inline constexpr std::tuple kImpulseKeys = {
    OptionKey{"interval", &ImpulseOptions::interval},
    OptionKey{"envelope", &ImpulseOptions::envelope},
    OptionWordKey{"law", &ImpulseOptions::law, kImpulseLawWords},
    OptionKey{"microcollisions", &ImpulseOptions::microcollisions},
    OptionKey{"cap", &ImpulseOptions::cap},
    OptionKey{"tolerance", &ImpulseOptions::tolerance},
};

inline constexpr std::tuple kPenaltyKeys = {
    OptionKey{"step", &PenaltyOptions::step},
    OptionKey{"stiffness", &PenaltyOptions::stiffness},
    OptionKey{"damping", &PenaltyOptions::damping},
};

constexpr const auto& keys_of(const TimeSteppingOptions& /*options*/) {
  return kTimeSteppingKeys;
}
constexpr const auto& keys_of(const AnalyticOptions& /*options*/) {
  return kAnalyticKeys;
}
constexpr const auto& keys_of(const ImpulseOptions& /*options*/) {
  return kImpulseKeys;
}
constexpr const auto& keys_of(const PenaltyOptions& /*options*/) {
  return kPenaltyKeys;
}

}  // namespace tenpin::scene
