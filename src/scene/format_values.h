// Ranges and types of values that many keys of the scene format share.
#pragma once

#include <array>
#include <string_view>

#include "scene/format_types.h"

namespace tenpin::scene::tables {

// Permitted ranges: wide enough for grains and for bridges, narrow enough that no product of a few
// such numbers overflows or underflows a double.
constexpr double kMostLength = 1e7;  // m
constexpr double kMostSpeed = 1e9;   // m/s, rad/s
constexpr double kMostForce = 1e18;  // N, N m and their coefficients

constexpr Type kSize = number(1e-9, 1e6);
constexpr Type kCoordinate = number(-kMostLength, kMostLength);
constexpr Type kSpeed = number(-kMostSpeed, kMostSpeed);
constexpr Type kForceNumber = number(-kMostForce, kMostForce);
constexpr Type kCoefficient = number(0.0, kMostForce);
constexpr Type kComponent = number(-1e6, 1e6);
constexpr Type kUnitComponent = number(-2.0, 2.0);
constexpr Type kInertiaNumber = number(-1e26, 1e26);
constexpr Type kFrictionNumber = number(0.0, 1000.0);
constexpr Type kRestitution = number(0.0, 1.0);
constexpr Type kAngle = number(-1e5, 1e5);

constexpr Type kPoint = list_of(kCoordinate, 3, 3);
constexpr Type kDirection = list_of(kComponent, 3, 3);
constexpr Type kVelocity = list_of(kSpeed, 3, 3);
constexpr Type kForceVector = list_of(kForceNumber, 3, 3);
constexpr Type kSizes = list_of(kSize, 3, 3);
constexpr Type kName = simple(Kind::kName);

constexpr Type kNamePair = list_of(kName, 2, 2);

}  // namespace tenpin::scene::tables
