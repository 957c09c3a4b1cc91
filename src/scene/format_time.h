// Tables over time, in the tables of the scene format.
#pragma once

#include <array>
#include <string_view>

#include "scene/format_values.h"

namespace tenpin::scene::tables {

constexpr Type kTableNumber = number(-kMostForce, kMostForce);
constexpr Type kTableRow = list_of(kTableNumber, 2, 2);
constexpr Type kVectorTableRow = list_of(kTableNumber, 4, 4);
constexpr Type kColumnNumber = integer(0, 9999);
constexpr Type kTableTime = number(-1e9, 1e9);
constexpr Type kTableSpan = list_of(kTableTime, 2, 2);
constexpr std::array<std::string_view, 3> kInterpolationWords = {"linear", "cubic", "step"};
constexpr Field kTableCsv = {"csv", simple(Kind::kFile), "", "-",
                             "instead of `points`: a file in or below the scene's folder, with a "
                             "row for each time; its first line may be a heading"};
constexpr Field kTableInterpolation = {
    "interpolation", choice(kInterpolationWords), "", "linear",
    "linear: straight lines; cubic: a smooth curve with zero slope at both ends; step: each value "
    "holds until the next time"};
constexpr std::array<Field, 4> kTableFields = {{
    {"points", any_number_of(kTableRow), "", "-", "[time, value], times in seconds, rising"},
    kTableCsv,
    {"columns", list_of(kColumnNumber, 2, 2), "", "[0, 1]",
     "the columns of `csv` with time and value, from 0"},
    kTableInterpolation,
}};
constexpr std::array<std::string_view, 2> kTableOneOf = {"points", "csv"};
constexpr Object kTable = {"table",
                           "A number as a function of time. Before the first and after the last "
                           "time it keeps its value.",
                           kTableFields, kTableOneOf};
constexpr std::array<Field, 4> kVectorTableFields = {{
    {"points", any_number_of(kVectorTableRow), "", "-",
     "[time, x, y, z], times in seconds, rising"},
    kTableCsv,
    {"columns", list_of(kColumnNumber, 4, 4), "", "[0, 1, 2, 3]",
     "the columns of `csv` with time, x, y and z, from 0"},
    kTableInterpolation,
}};
constexpr Object kVectorTable = {"vector_table",
                                 "A vector as a function of time. Before the first and after the "
                                 "last time it keeps its value.",
                                 kVectorTableFields, kTableOneOf};
constexpr std::array<Type, 2> kForceVectorTypes = {kForceVector, map_of(kVectorTable)};
constexpr Type kForceVectorOrTable = any_of(kForceVectorTypes);
constexpr std::array<Type, 2> kVelocityTypes = {kVelocity, map_of(kVectorTable)};
constexpr std::array<Type, 2> kForceNumberTypes = {kForceNumber, map_of(kTable)};
constexpr std::array<Type, 2> kSpeedTypes = {kSpeed, map_of(kTable)};
constexpr std::array<Type, 2> kAngleTypes = {kAngle, map_of(kTable)};
constexpr std::array<Type, 2> kCoordinateTypes = {kCoordinate, map_of(kTable)};
constexpr Field kMotorDuring = {"during", kTableSpan, "s", "-",
                                "[begin, end]: the motor acts in this time; default: always"};

}  // namespace tenpin::scene::tables
