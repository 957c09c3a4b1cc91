// The tables of the contact methods' options.
#pragma once

#include <array>
#include <string_view>

#include "scene/format_types.h"
#include "scene/words.h"

namespace tenpin::scene::tables {

inline constexpr auto kFormulations = texts_of(kFormulationWords);
inline constexpr auto kSolvers = texts_of(kSolverWords);
inline constexpr auto kRestitutions = texts_of(kRestitutionWords);
inline constexpr auto kLevers = texts_of(kLeverWords);
inline constexpr auto kActiveSets = texts_of(kActiveSetWords);
inline constexpr std::array<Field, 2> kFixedPointFields = {{
    {"iterations", integer(1, 100000), "", "50", "most solves in one step"},
    {"tolerance", number_between(1e-16, 1e-2), "m", "1e-13",
     "change of position at which it has converged"},
}};
inline constexpr Object kFixedPoint = {"fixed_point", "The iteration of the nonlinear formulation.",
                                       kFixedPointFields};
inline constexpr std::array<Field, 1> kContactModelFields = {{
    {"compliance", number_between(1e-9, 1.0), "", "",
     "e: a contact of mobility W gives way by e W per impulse, in each step; 0.03 makes piles "
     "fast"},
}};
inline constexpr Object kContactModel = {
    "contact_model",
    "Contacts that give way a little: a stiff spring of 1 / (e W h^2) along the normal, and one "
    "with "
    "memory along the surface, so that nothing creeps. With solver: cone.",
    kContactModelFields};
inline constexpr std::array<std::string_view, 2> kContactWords = {"rigid", "springs"};
inline constexpr std::array<Type, 2> kContactModels = {choice(kContactWords),
                                                       map_of(kContactModel)};
inline constexpr std::array<Field, 15> kTimeSteppingFields = {{
    {"step", number(1e-12, 1e3), "s", "0.004166666666666667", "time step; default 1/240"},
    {"order", integer(1, 2), "", "-",
     "1: the paper's scheme; 2: errors shrink with the square of the step, and steps are divided "
     "at impacts; by default 2 wherever it supports the scene"},
    {"passes", integer(1, 10), "", "2",
     "order 2: most solves of a smooth substep; a second one, where bodies rotate or are curved, "
     "reduces errors of energy, and most others, by 2 to 10 times"},
    {"formulation", choice(kFormulations), "", "-",
     "of order 1; naming one makes order 1 the default; position, its default: gap >= 0 at the end "
     "of the step, linearised; velocity: normal velocity >= 0, then projection; nonlinear: gap >= "
     "0 by fixed point"},
    {"solver", choice(kSolvers), "", "-",
     "lemke: polyhedral friction cone, exact by pivoting, for islands of some tens of contacts; "
     "cone: the round cone, to the tolerance, for islands of any size; by default cone wherever it "
     "supports the scene"},
    {"contact", any_of(kContactModels), "", "rigid",
     "rigid; springs: with the stiffness of the materials; or a map with a compliance. The "
     "certificate is that of the model named here"},
    {"directions", integer(3, 1e9), "", "-",
     "friction directions per spatial contact, by default 8, at most 1024; planar contacts have 2; "
     "naming them selects lemke"},
    {"direction_phase", number(0.0, 1.0), "", "0",
     "turns the directions by this fraction of their spacing"},
    {"restitution", choice(kRestitutions), "", "-",
     "impact law; none: impacts are plastic, whatever the materials say; by default newton if "
     "bodies whose materials have restitution may meet, else none"},
    {"lever", choice(kLevers), "", "full",
     "printed: friction acts at the centre of a rounded tip, as printed in the paper"},
    {"active_set", choice(kActiveSets), "", "paper",
     "paper: contacts that are or would be violated; all, as with compliance: every contact within "
     "the margin"},
    {"projection", simple(Kind::kFlag), "", "true",
     "velocity formulation: removes overlaps after the step; false: as printed, overlaps remain "
     "and are measured but not judged"},
    {"fixed_point", map_of(kFixedPoint), "", "-", "nonlinear formulation"},
    {"tolerance", number_between(1e-15, 1e-2), "", "-",
     "largest certified residual relative to its scale, per step; by default 1e-6 with cone, 1e-8 "
     "with lemke"},
    {"sleeping", simple(Kind::kFlag), "", "false",
     "loose bodies that have come to rest are neither solved nor searched for contacts until "
     "something touches them"},
}};
inline constexpr Object kTimeStepping = {TimeSteppingOptions::kName,
                                         "The time stepping of Stewart and Trinkle (2000).",
                                         kTimeSteppingFields};
inline constexpr auto kIntegrators = texts_of(kIntegratorWords);
inline constexpr auto kEventSearches = texts_of(kEventsWords);
inline constexpr auto kAnalyticFrictions = texts_of(kAnalyticFrictionWords);
inline constexpr auto kCollisionModels = texts_of(kCollisionsWords);
inline constexpr auto kAnalyticLaws = texts_of(kAnalyticLawWords);
inline constexpr auto kForceSearches = texts_of(kForcesWords);
inline constexpr std::array<Field, 10> kAnalyticFields = {{
    {"integrator", choice(kIntegrators), "", "dormand-prince",
     "dormand-prince: order 5 with dense output; runge-kutta and adams: order 4"},
    {"events", choice(kEventSearches), "", "regula-falsi", "how event times are found"},
    {"forces", choice(kForceSearches), "", "lcp",
     "lcp: exact; lp: the paper's guesses by linear programs, counted, for frictionless surfaces"},
    {"friction", choice(kAnalyticFrictions), "", "coulomb",
     "none: frictionless surfaces, as in the paper; coulomb: the friction of the materials"},
    {"collisions", choice(kCollisionModels), "", "simultaneous",
     "simultaneous: all impulses at once; propagation: one after the other"},
    {"law", choice(kAnalyticLaws), "", "-",
     "impact law of the restitution; by default energetic where friction and restitution occur "
     "together, because Newton's law can then gain energy, else newton"},
    {"max_step", number_above(0.0, 1e3), "s", "0.05", "longest step of the integrator"},
    {"tolerance", number_between(1e-15, 1e-2), "", "1e-12",
     "error of an integrator step relative to 1 + size"},
    {"event_tolerance", number_between(1e-14, 1e-2), "m", "1e-9",
     "penetration at which an event may be detected late"},
    {"residual", number_between(1e-15, 1e-2), "", "1e-8",
     "largest certified residual relative to its scale, per step"},
}};
inline constexpr Object kAnalytic = {
    AnalyticOptions::kName,
    "The analytical method of Baraff (1989): exact forces, from event to event.", kAnalyticFields};
inline constexpr auto kImpulseLaws = texts_of(kImpulseLawWords);
inline constexpr std::array<Field, 6> kImpulseFields = {{
    {"interval", number(1e-9, 1e3), "s", "0.01",
     "time between two reports, each on all impacts in between"},
    {"envelope", number(0.0, 1.0), "m", "0",
     "bodies closer than this collide; 0: 1 % of the smallest half width of a moving shape"},
    {"law", choice(kImpulseLaws), "", "poisson", "impact law of the restitution"},
    {"microcollisions", simple(Kind::kFlag), "", "true",
     "the velocity of slow contacts within the friction cone is reversed, which keeps them at "
     "rest"},
    {"cap", integer(1, 1e9), "", "1000000",
     "most impacts in one interval; more than that ends the run"},
    {"tolerance", number_between(1e-15, 1e-2), "", "1e-8",
     "largest certified residual of an impact relative to its scale"},
}};
inline constexpr Object kImpulse = {
    ImpulseOptions::kName,
    "The impulse-based method of Mirtich and Canny (1995): all contact is collision.",
    kImpulseFields};
inline constexpr std::array<Field, 3> kPenaltyFields = {{
    {"step", number(1e-12, 1e3), "s", "1e-4", "time step"},
    {"stiffness", number_above(0.0, 1e15), "N/m", "1e4", "of the spring at each contact point"},
    {"damping", number(0.0, 1e15), "N s/m", "10",
     "of the damper at each contact point, against approach and separation"},
}};
inline constexpr Object kPenalty = {
    PenaltyOptions::kName,
    "For comparison, not for use: springs push bodies apart that have sunk into each other, the "
    "deeper the heavier they are. No friction.",
    kPenaltyFields};
inline constexpr std::array<Field, 4> kMethodFields = {{
    {TimeSteppingOptions::kName, map_of(kTimeStepping), "", "-",
     "time stepping by complementarity"},
    {ImpulseOptions::kName, map_of(kImpulse), "", "-",
     "sequences of impulses between ballistic flights"},
    {AnalyticOptions::kName, map_of(kAnalytic), "", "-",
     "exact forces between exactly located events"},
    {PenaltyOptions::kName, map_of(kPenalty), "", "-",
     "springs where bodies overlap; only for comparison"},
}};
inline constexpr std::array<std::string_view, 4> kMethodOneOf = {
    TimeSteppingOptions::kName, AnalyticOptions::kName, ImpulseOptions::kName,
    PenaltyOptions::kName};
inline constexpr Object kMethod = {"method", "The contact method: exactly one, with its options.",
                                   kMethodFields, kMethodOneOf};

}  // namespace tenpin::scene::tables
