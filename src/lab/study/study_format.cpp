#include "lab/study/study_format.h"

#include <array>

#include "scene/format_types.h"

namespace tenpin::lab {

namespace study_tables {
namespace {

using scene::Field;
using scene::Object;
using scene::Type;
using namespace scene::tables;

constexpr double kLargestNumber = 1e18;  // for numbers of any unit
constexpr Type kAnyNumber = number(-kLargestNumber, kLargestNumber);
constexpr Type kText = simple(Kind::kTitle);
// The scene's reader checks values of the scene, so the type of these fields is not checked here.
constexpr Type kSettings = simple(Kind::kNamed);
constexpr std::array<std::string_view, 3> kSamplingChoices = {"random", "sobol", "latin"};

constexpr std::array<Field, 6> kVariableFields = {{
    {"path", kText, "", "-", "of the value in the scene"},
    {"from", kAnyNumber, "", "-", "least value of a range"},
    {"to", kAnyNumber, "", "-", "largest value of a range"},
    {"count", integer(2, 1e6), "", "-", "as many equal steps instead of samples"},
    {"values", kSettings, "", "-", "list of values"},
    {"cases", kSettings, "", "-", "map from a name to a map from paths to values"},
}};
constexpr std::array<std::string_view, 3> kVariableOneOf = {"from", "values", "cases"};
constexpr Object kVariable = {"variable", "", kVariableFields, kVariableOneOf};

constexpr std::array<Field, 3> kFallenFields = {{
    {"bodies", kText, "", "", "name of a body; * stands for anything"},
    {"tilt", number(0.0, 180.0), "deg", "-", "a body that leans further is down"},
    {"below", kAnyNumber, "m", "-", "a body whose origin is lower is down"},
}};
constexpr Object kFallen = {"fallen", "", kFallenFields};

constexpr std::array<Field, 4> kFirstFields = {{
    {"quantity", kText, "", "", "what is watched"},
    {"above", kAnyNumber, "", "-", "until it is above this"},
    {"below", kAnyNumber, "", "-", "until it is below this"},
    {"value", kText, "", "-", "quantity whose value is taken then, instead of the time"},
}};
constexpr std::array<std::string_view, 2> kFirstOneOf = {"above", "below"};
constexpr Object kFirst = {"first", "", kFirstFields, kFirstOneOf};

constexpr std::array<Field, 7> kMeasureFields = {{
    {"fallen", map_of(kFallen), "", "-", "number of bodies that are down at the end"},
    {"digest", kText, "", "-",
     "fingerprint of the poses of bodies at the end; * stands for anything"},
    {"final", kText, "", "-", "a quantity at the end"},
    {"largest", kText, "", "-", "the largest value of a quantity"},
    {"smallest", kText, "", "-", "the smallest value of a quantity"},
    {"sum", kText, "", "-", "the sum of a quantity over all steps"},
    {"first", map_of(kFirst), "", "-", "when a quantity first crosses a bound"},
}};
constexpr std::array<std::string_view, 7> kMeasureOneOf = {"fallen",   "digest", "final", "largest",
                                                           "smallest", "sum",    "first"};
constexpr Object kMeasure = {"measure", "", kMeasureFields, kMeasureOneOf};

constexpr std::array<Field, 4> kDrawingFields = {{
    {"x", kText, "", "", "variable or measure"},
    {"y", kText, "", "", "measure"},
    {"by", kText, "", "-", "variable with values or cases: one curve each"},
    {"window", number_above(0.0, kLargestNumber), "", "-", "width in x that a mean is taken over"},
}};
constexpr Object kDrawing = {"drawing", "", kDrawingFields};

constexpr std::array<Field, 3> kUntilFields = {{
    {"measure", kText, "", "", "whose mean is to be known"},
    {"half_width", number_above(0.0, kLargestNumber), "", "", "of its 95 % band"},
    {"most", integer(2, 1e9), "", "100000", "samples of a combination"},
}};
constexpr Object kUntil = {"until", "", kUntilFields};

constexpr Type kDrawingType = map_of(kDrawing);
constexpr std::array<Field, 13> kStudyFields = {{
    {"tenpin_study", integer(1, 1), "", "", "version of the format"},
    {"name", kText, "", "-", "title"},
    {"scene", simple(Kind::kFile), "", "", "scene file, from the study's folder"},
    {"seed", simple(Kind::kSeed), "", "0", "of the samples"},
    {"trials", integer(1, 1e9), "", "1", "samples of the ranges, per combination"},
    {"sampling", choice(kSamplingChoices), "", "random", "how ranges are sampled"},
    {"until", map_of(kUntil), "", "-", "adds trials until a mean is known well enough"},
    {"sensitivity", simple(Kind::kFlag), "", "false", "tells how much each range matters"},
    {"trial_limit", number_above(0.0, kLargestNumber), "s", "-",
     "of CPU time, after which a trial is given up"},
    {"set", kSettings, "", "-", "changes of the scene for all trials, by path"},
    {"vary", kSettings, "", "", "what differs between trials"},
    {"measures", kSettings, "", "", "what is measured in each"},
    {"draw", any_number_of(kDrawingType), "", "-", "what the page draws"},
}};
constexpr Object kStudy = {"study", "", kStudyFields};

}  // namespace
}  // namespace study_tables

const scene::Object& study_object() {
  return study_tables::kStudy;
}
const scene::Object& variable_object() {
  return study_tables::kVariable;
}
const scene::Object& measure_object() {
  return study_tables::kMeasure;
}

}  // namespace tenpin::lab
