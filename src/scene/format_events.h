// Events, in the tables of the scene format.
#pragma once

#include <array>
#include <string_view>

#include "scene/format_time.h"

namespace tenpin::scene::tables {

constexpr std::array<Field, 4> kWhenFields = {{
    {"contact", kNamePair, "", "-", "two bodies: when they touch"},
    {"quantity", simple(Kind::kTitle), "", "-",
     "one number of the state, with `above` or `below`: `t`, `bodies.ball.position.z`, "
     "`joints.arm.velocity`, `pairs.ball+wall.distance`"},
    {"above", kTableNumber, "", "-", "when the quantity is at least this, in its unit"},
    {"below", kTableNumber, "", "-", "when the quantity is at most this, in its unit"},
}};
constexpr std::array<std::string_view, 2> kWhenOneOf = {"contact", "quantity"};
constexpr Object kWhen = {"when", "The condition of an event.", kWhenFields, kWhenOneOf};
constexpr std::array<Field, 12> kSettingFields = {{
    {"gravity", list_of(kSpeed, 3, 3), "m/s^2", "-", "gravity from now on"},
    {"motor", kName, "", "-", "the body whose joint has the motor; with `target`"},
    {"target", kForceNumber, "", "-", "of the motor from now on, in its unit, instead of a table"},
    {"motion", kName, "", "-",
     "a body with `motion`: it goes on from where it is with `velocity` and `angular_velocity`"},
    {"velocity", kVelocity, "m/s", "[0, 0, 0]", "with `motion`"},
    {"angular_velocity", kVelocity, "rad/s", "[0, 0, 0]", "with `motion`"},
    {"push", kName, "", "-",
     "a body: from now on `force` and `torque` act on it in addition to its forces, instead of "
     "those of an earlier push"},
    {"force", kForceVector, "N", "[0, 0, 0]", "with `push`; world axes, at the centre of mass"},
    {"torque", kForceVector, "N m", "[0, 0, 0]", "with `push`; world axes"},
    {"between", list_of(kName, 2, 2), "", "-",
     "two materials, or one twice: with `friction` and `restitution`"},
    {"friction", kFrictionNumber, "", "-", "with `between`"},
    {"restitution", kRestitution, "", "0", "with `between`"},
}};
constexpr std::array<std::string_view, 5> kSettingOneOf = {"gravity", "motor", "motion", "push",
                                                           "between"};
constexpr Object kSetting = {"setting", "A value that an event sets.", kSettingFields,
                             kSettingOneOf};
constexpr Type kSettingType = map_of(kSetting);
constexpr std::array<Type, 2> kSettingTypes = {kSettingType, any_number_of(kSettingType)};
constexpr std::array<Type, 2> kReleaseTypes = {kName, any_number_of(kName)};
constexpr std::array<Field, 3> kDoFields = {{
    {"release", any_of(kReleaseTypes), "", "-",
     "a loop, which no longer holds, or a body, whose motor no longer acts; or a list of them"},
    {"set", any_of(kSettingTypes), "", "-", "a [setting](#setting), or a list of them"},
    {"stop", simple(Kind::kFlag), "", "false", "true: the run ends here"},
}};
constexpr Object kDo = {"do", "What an event does.", kDoFields};
constexpr std::array<Field, 3> kEventFields = {{
    {"name", kName, "", "", "unique among the events"},
    {"when", map_of(kWhen), "", "", "the condition"},
    {"do", map_of(kDo), "", "", "what happens"},
}};
constexpr Object kEvent = {"event", "Happens once, when its condition first holds.", kEventFields};
constexpr Type kEventType = map_of(kEvent);

}  // namespace tenpin::scene::tables
