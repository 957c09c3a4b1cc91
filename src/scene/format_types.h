// Types of values, for use in the tables of the scene format.
#pragma once

#include <span>
#include <string_view>

#include "scene/format.h"

namespace tenpin::scene::tables {

using Kind = Type::Kind;

constexpr Type number(double low, double high) {
  return {.kind = Kind::kNumber, .range = {.low = low, .high = high}};
}
constexpr Type number_above(double low, double high) {
  return {.kind = Kind::kNumber, .range = {.low = low, .high = high, .low_open = true}};
}
constexpr Type number_between(double low, double high) {
  return {.kind = Kind::kNumber,
          .range = {.low = low, .high = high, .low_open = true, .high_open = true}};
}
constexpr Type zero_or_number(double low, double high) {
  return {.kind = Kind::kNumber, .range = {.low = low, .high = high, .or_zero = true}};
}
constexpr Type integer(double low, double high) {
  return {.kind = Kind::kInteger, .range = {.low = low, .high = high}};
}
constexpr Type list_of(const Type& item, int least, int most) {
  return {.kind = Kind::kList, .item = &item, .least = least, .most = most};
}
constexpr Type any_number_of(const Type& item) {
  return {.kind = Kind::kList, .item = &item};
}
constexpr Type map_of(const Object& object) {
  return {.kind = Kind::kObject, .object = &object};
}
constexpr Type choice(std::span<const std::string_view> words) {
  return {.kind = Kind::kChoice, .choices = words};
}
constexpr Type any_of(std::span<const Type> types) {
  return {.kind = Kind::kAny, .alternatives = types};
}
constexpr Type simple(Kind kind) {
  return {.kind = kind};
}

}  // namespace tenpin::scene::tables
