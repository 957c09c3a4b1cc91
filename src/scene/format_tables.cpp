// The tables of the scene format, innermost objects first.
#include <array>

#include "scene/format_events.h"
#include "scene/format_methods.h"
#include "scene/format_shapes.h"
#include "scene/format_time.h"
#include "scene/format_types.h"
#include "scene/format_values.h"

namespace tenpin::scene {

namespace tables {
namespace {

// ---- materials
constexpr int kMostLimitPoints = 64;  // facets are found from all triples
constexpr Type kLimitNumber = number(-1000.0, 1000.0);
constexpr Type kLimitPoint = list_of(kLimitNumber, 3, 3);
constexpr Type kLimitCorner = list_of(kLimitNumber, 2, 2);
constexpr Type kSemiAxis = number_above(0.0, 1000.0);
constexpr std::array<Type, 2> kEllipsoidTypes = {list_of(kSemiAxis, 3, 3),
                                                 list_of(kLimitPoint, 3, 3)};
constexpr std::array<Field, 3> kLimitFields = {{
    {"polygon", list_of(kLimitCorner, 3, kMostLimitPoints), "", "-",
     "corners [along, across]; spin is free"},
    {"polytope", list_of(kLimitPoint, 4, kMostLimitPoints), "-, -, m", "-",
     "points [along, across, spin] whose convex hull is the set"},
    {"ellipsoid", any_of(kEllipsoidTypes), "-, -, m", "-",
     "semi-axes [along, across, spin], or three conjugate semi-axes, each [along, across, spin]"},
}};
constexpr std::array<std::string_view, 3> kLimitOneOf = {"polygon", "polytope", "ellipsoid"};
constexpr Object kLimit = {"limit",
                           "A convex set of friction per unit of normal load: force along and "
                           "across `axis`, moment about the normal.",
                           kLimitFields, kLimitOneOf};
constexpr std::array<Field, 9> kFrictionFields = {{
    {"along", kFrictionNumber, "", "0.5",
     "Coulomb coefficient along `axis`, or in every direction"},
    {"across", kFrictionNumber, "", "-", "coefficient across `axis`; default: that of `along`"},
    {"axis", kDirection, "", "-",
     "direction of `along` in the body's frame; required if `across` differs, and with `limit`"},
    {"torsion", number(0.0, 1e3), "m", "0",
     "radius of the contact patch: the torque against spin is mu * torsion * N"},
    {"rolling", number(0.0, 1e3), "m", "0",
     "lever of the contact force: the torque against rolling is rolling * N"},
    {"static", kFrictionNumber, "", "-",
     "coefficient at rest, not below `along`; default: that of `along`"},
    {"stribeck_speed", number(0.0, kMostSpeed), "m/s", "0",
     "slip at which half of `static` - `along` remains; required with `static`"},
    {"viscous", number(0.0, 1e9), "N s/m", "0",
     "smooth force against the slip of each contact point"},
    {"limit", map_of(kLimit), "", "-",
     "limit surface of any convex shape, instead of `along`, `across`, `torsion` and `static`; "
     "needs `axis`"},
}};
constexpr Object kFriction = {"friction",
                              "Friction in detail; a plain number is the same as "
                              "{along: number}.",
                              kFrictionFields};
constexpr std::array<Type, 2> kFrictionTypes = {kFrictionNumber, map_of(kFriction)};
constexpr std::array<Field, 3> kMaterialFields = {{
    {"friction", any_of(kFrictionTypes), "", "0.5", "Coulomb coefficient, or a map of details"},
    {"restitution", kRestitution, "", "0",
     "0 no bounce ... 1 elastic; the method's `restitution` says of what it is the ratio"},
    {"stiffness", number(1e-3, kMostForce), "N/m", "-",
     "of a contact point, for methods with `contact: springs`; the springs of two materials act in "
     "series; default: rigid"},
}};
constexpr Object kMaterial = {"material",
                              "Two materials in contact have the geometric mean of their frictions "
                              "and the larger restitution, unless `pairs` overrides this. Bodies "
                              "without a material have the one named `default`.",
                              kMaterialFields};
constexpr Type kMaterialType = map_of(kMaterial);
constexpr std::array<Field, 4> kPairFields = {{
    {"between", list_of(kName, 2, 2), "", "-", "the two materials, or one material twice"},
    {"bodies", list_of(kName, 2, 2), "", "-",
     "two bodies, or patterns of names in which `*` stands for any text; instead of `between`"},
    {"friction", kFrictionNumber, "", "", "Coulomb coefficient between them"},
    {"restitution", kRestitution, "", "", "restitution between them"},
}};
constexpr std::array<std::string_view, 2> kPairOneOf = {"between", "bodies"};
constexpr Object kPair = {"pair", "Overrides the combination rule for two materials or bodies.",
                          kPairFields, kPairOneOf};
constexpr Type kPairType = map_of(kPair);

// ---- how a body moves
constexpr std::array<Field, 2> kPlanarFields = {{
    {"x", kDirection, "", "[1, 0, 0]", "first axis of the plane, any length"},
    {"y", kDirection, "", "[0, 1, 0]", "second axis, perpendicular to `x` to 1e-6"},
}};
constexpr Object kPlanar = {"planar",
                            "Moves in a plane and rotates about its normal: three degrees of "
                            "freedom. The angle grows from x to y.",
                            kPlanarFields};
constexpr Type kGain = number_above(0.0, kMostForce);
constexpr Type kFrequency = number(0.0, 1e6);
constexpr std::array<Field, 10> kHingeMotorFields = {{
    {"torque", any_of(kForceNumberTypes), "N m", "-",
     "a given torque, or a [table](#table) over time, as for the other targets"},
    {"velocity", any_of(kSpeedTypes), "rad/s", "-",
     "torque = gain * (velocity - that of the hinge)"},
    {"position", any_of(kAngleTypes), "rad", "-",
     "torque = stiffness * (position - that of the hinge) - damping * (velocity of the hinge - "
     "that of the target)"},
    {"amplitude", kForceNumber, "", "0",
     "adds amplitude * sin(2 pi frequency t) to the target, in its unit"},
    {"frequency", kFrequency, "1/s", "0", "required with `amplitude`"},
    {"gain", kGain, "N m s/rad", "-", "required with `velocity`"},
    {"stiffness", kGain, "N m/rad", "-", "required with `position`"},
    {"damping", kCoefficient, "N m s/rad", "-", "with `position`; default: 0"},
    {"limit", kGain, "N m", "-", "largest torque, not with `torque`; default: none"},
    kMotorDuring,
}};
constexpr std::array<std::string_view, 3> kHingeMotorOneOf = {"torque", "velocity", "position"};
constexpr Object kHingeMotor = {"hinge_motor",
                                "Drives a hinge by a torque between the body and its parent.",
                                kHingeMotorFields, kHingeMotorOneOf};
constexpr std::array<Field, 10> kSliderMotorFields = {{
    {"force", any_of(kForceNumberTypes), "N", "-",
     "a given force, or a [table](#table) over time, as for the other targets"},
    {"velocity", any_of(kSpeedTypes), "m/s", "-", "force = gain * (velocity - that of the slider)"},
    {"position", any_of(kCoordinateTypes), "m", "-",
     "force = stiffness * (position - that of the slider) - damping * (velocity of the slider - "
     "that of the target)"},
    {"amplitude", kForceNumber, "", "0",
     "adds amplitude * sin(2 pi frequency t) to the target, in its unit"},
    {"frequency", kFrequency, "1/s", "0", "required with `amplitude`"},
    {"gain", kGain, "N s/m", "-", "required with `velocity`"},
    {"stiffness", kGain, "N/m", "-", "required with `position`"},
    {"damping", kCoefficient, "N s/m", "-", "with `position`; default: 0"},
    {"limit", kGain, "N", "-", "largest force, not with `force`; default: none"},
    kMotorDuring,
}};
constexpr std::array<std::string_view, 3> kSliderMotorOneOf = {"force", "velocity", "position"};
constexpr Object kSliderMotor = {"slider_motor",
                                 "Drives a slider by a force between the body and its parent.",
                                 kSliderMotorFields, kSliderMotorOneOf};
constexpr std::array<std::string_view, 1> kNone = {"none"};
constexpr std::array<Type, 2> kAngleLimitTypes = {choice(kNone), kAngle};
constexpr Type kAngleLimit = any_of(kAngleLimitTypes);
constexpr std::array<Type, 2> kLengthLimitTypes = {choice(kNone), kCoordinate};
constexpr Type kLengthLimit = any_of(kLengthLimitTypes);
constexpr std::array<Field, 11> kHingeFields = {{
    {"axis", kDirection, "", "", "axis of rotation in the body's frame, any length"},
    {"anchor", kPoint, "m", "[0, 0, 0]", "a point of the axis, in the body's frame"},
    {"at", kAngle, "rad", "0",
     "angle at time 0; 0 is the pose given by `position` and `orientation`"},
    {"rate", kSpeed, "rad/s", "0", "its rate at time 0"},
    {"limits", list_of(kAngleLimit, 2, 2), "rad", "-",
     "smallest and largest angle, or the word `none` for either; default: none"},
    {"stiffness", kCoefficient, "N m/rad", "0", "of a spring"},
    {"rest", kAngle, "rad", "0", "angle at which the spring is at rest"},
    {"damping", kCoefficient, "N m s/rad", "0", "-damping * rate"},
    {"friction", kCoefficient, "N m", "0", "largest dry friction, independent of the load"},
    {"armature", kCoefficient, "kg m^2", "0",
     "additional inertia that turns with the joint, such as a rotor"},
    {"motor", map_of(kHingeMotor), "", "-", "drives the joint"},
}};
constexpr Object kHinge = {"hinge", "Rotates about an axis: one degree of freedom.", kHingeFields};
constexpr std::array<Field, 10> kSliderFields = {{
    {"axis", kDirection, "", "", "axis of motion in the body's frame, any length"},
    {"at", kCoordinate, "m", "0", "displacement at time 0; 0 is at `position`"},
    {"rate", kSpeed, "m/s", "0", "its rate at time 0"},
    {"limits", list_of(kLengthLimit, 2, 2), "m", "-",
     "smallest and largest displacement, or the word `none` for either; default: none"},
    {"stiffness", kCoefficient, "N/m", "0", "of a spring"},
    {"rest", kCoordinate, "m", "0", "displacement at which the spring is at rest"},
    {"damping", kCoefficient, "N s/m", "0", "-damping * rate"},
    {"friction", kCoefficient, "N", "0", "largest dry friction, independent of the load"},
    {"armature", kCoefficient, "kg", "0",
     "additional inertia that moves with the joint, such as a gear"},
    {"motor", map_of(kSliderMotor), "", "-", "drives the joint"},
}};
constexpr Object kSlider = {"slider", "Moves along an axis: one degree of freedom.", kSliderFields};
constexpr std::array<Field, 8> kBallFields = {{
    {"anchor", kPoint, "m", "[0, 0, 0]",
     "the point that is fixed to the parent, in the body's frame"},
    {"at", kOrientation, "", "[1, 0, 0, 0]",
     "rotation at time 0 from `orientation`, axes of the parent"},
    {"rate", kVelocity, "rad/s", "[0, 0, 0]",
     "angular velocity at time 0 relative to the parent, axes of the body"},
    {"limit", number_above(0.0, 3.141592653589793), "rad", "-",
     "largest angle from `orientation`; default: none"},
    {"stiffness", kCoefficient, "N m/rad", "0", "of a spring, at rest at `orientation`"},
    {"damping", kCoefficient, "N m s/rad", "0", "-damping * angular velocity"},
    {"friction", kCoefficient, "N m", "0", "largest dry friction, independent of the load"},
    {"armature", kCoefficient, "kg m^2", "0", "inertia added about every axis"},
}};
constexpr Object kBall = {"ball", "Rotates about a point: three degrees of freedom.", kBallFields};
constexpr std::array<Field, 4> kJointFields = {{
    {"planar", map_of(kPlanar), "", "-", "motion in a plane"},
    {"hinge", map_of(kHinge), "", "-", "rotates about an axis"},
    {"slider", map_of(kSlider), "", "-", "moves along an axis"},
    {"ball", map_of(kBall), "", "-", "rotates about a point"},
}};
constexpr std::array<std::string_view, 4> kJointOneOf = {"planar", "hinge", "slider", "ball"};
constexpr Object kJoint = {"joint", "The words `free` and `fixed`, or this map.", kJointFields,
                           kJointOneOf};
constexpr std::array<std::string_view, 2> kJointWords = {"free", "fixed"};
constexpr std::array<Type, 2> kJointTypes = {choice(kJointWords), map_of(kJoint)};
constexpr std::array<Field, 8> kMotionFields = {{
    {"velocity", any_of(kVelocityTypes), "m/s", "[0, 0, 0]",
     "constant part, or a [table](#vector_table) over time"},
    {"angular_velocity", kVelocity, "rad/s", "[0, 0, 0]",
     "constant, about the body's origin; axes of the parent, or of the world"},
    {"amplitude", kPoint, "m", "[0, 0, 0]",
     "of the added displacement amplitude * sin(2 pi frequency t)"},
    {"frequency", kFrequency, "1/s", "0", "of that oscillation"},
    {"position", map_of(kVectorTable), "m", "-",
     "displacement over time, linear or cubic; not with `velocity`"},
    {"axis", kDirection, "", "-", "of `angle` and `rate`, any length; axes of the parent"},
    {"angle", map_of(kTable), "rad", "-",
     "rotation about `axis` over time, linear or cubic; not with `angular_velocity`"},
    {"rate", map_of(kTable), "rad/s", "-",
     "rate of rotation about `axis` over time; not with `angle` or `angular_velocity`"},
}};
constexpr Object kMotion = {
    "motion", "A motion relative to the parent, or in the world, that no contact can disturb.",
    kMotionFields};
constexpr std::array<Field, 6> kForceFields = {{
    {"force", kForceVectorOrTable, "N", "[0, 0, 0]",
     "constant, or a [table](#vector_table) over time; world axes, at the centre of mass"},
    {"torque", kForceVectorOrTable, "N m", "[0, 0, 0]",
     "constant, or a [table](#vector_table) over time; world axes"},
    {"viscous", kCoefficient, "N s/m", "0", "-viscous * v"},
    {"viscous_spin", kCoefficient, "N m s", "0", "-viscous_spin * w"},
    {"drag", kCoefficient, "N s^2/m^2", "0", "-drag * speed * v"},
    {"during", kTableSpan, "s", "-",
     "[begin, end]: all of these act in this time; default: always"},
}};
constexpr Object kForce = {"force", "A force field on one body; the terms add up.", kForceFields};
constexpr Type kForceType = map_of(kForce);

// ---- repetition
constexpr Type kCount = integer(1, 1e9);
constexpr std::array<Type, 2> kSpacingTypes = {kCoordinate, kPoint};
constexpr std::array<Field, 3> kRingFields = {{
    {"count", kCount, "", "", "number of copies"},
    {"radius", number(0.0, kMostLength), "m", "", "of the ring"},
    {"axis", choice(kAxisWords), "", "z", "the world axis of the ring"},
}};
constexpr Object kRing = {"ring",
                          "Copies about `position`: the first is displaced by `radius` along the "
                          "axis that follows `axis` in the order x, y, z, x; the others are the "
                          "first rotated about the centre, with its orientation and velocities.",
                          kRingFields};
constexpr std::array<Field, 6> kRepeatFields = {{
    {"grid", list_of(kCount, 3, 3), "", "-", "copies along x, y and z; x counts fastest"},
    {"stack", kCount, "", "-", "copies in a row"},
    {"ring", map_of(kRing), "", "-", "copies around a circle"},
    {"chain", kCount, "", "-",
     "number of links: the first is attached to `parent`, each other to the previous one, all at "
     "the same `position` and `orientation` in their parents"},
    {"spacing", any_of(kSpacingTypes), "m", "-",
     "from copy to copy: [x, y, z], or one number (all three of a grid, z of a stack); required "
     "for grid and stack"},
    {"jitter", number(0.0, kMostLength), "m", "0",
     "each coordinate of each copy is shifted by a random number in -jitter ... jitter, from the "
     "scene's `seed`"},
}};
constexpr std::array<std::string_view, 4> kRepeatOneOf = {"grid", "stack", "ring", "chain"};
constexpr Object kRepeat = {"repeat", "Makes many bodies from one entry, named name-1, name-2, ...",
                            kRepeatFields, kRepeatOneOf};

// ---- bodies
constexpr Type kInertiaRow = list_of(kInertiaNumber, 3, 3);
constexpr std::array<Type, 3> kInertiaTypes = {kInertiaNumber, kInertiaRow,
                                               list_of(kInertiaRow, 3, 3)};
constexpr std::array<Field, 19> kBodyFields = {{
    {"name", kName, "", "", "unique in the scene, not `world`"},
    {"parent", kName, "", "world", "the body that it is attached to, earlier in the file"},
    {"fixed", simple(Kind::kFlag), "", "false",
     "true: never moves relative to its parent; same as joint: fixed"},
    {"joint", any_of(kJointTypes), "", "free",
     "how it may move relative to its parent; `free` only without a parent"},
    {"motion", map_of(kMotion), "", "-", "prescribed motion; not with `fixed` or `joint`"},
    {"material", kName, "", "default", "one of `materials`"},
    {"shapes", any_number_of(kShapeType), "", "[]",
     "its parts; a body without parts touches nothing"},
    {"touches_parent", simple(Kind::kFlag), "", "false",
     "true: its parts touch those of its parent"},
    {"mass", zero_or_number(1e-12, 1e12), "kg", "-",
     "moving bodies have exactly one of `mass` and `density`; 0 only for links of mechanisms"},
    {"density", number_above(0.0, 1e12), "kg/m^3", "-", "of all its shapes"},
    {"inertia", any_of(kInertiaTypes), "kg m^2", "-",
     "about the centre of mass, body axes: [ixx, iyy, izz] or 3x3 rows, in the plane also one "
     "number about the normal; default: uniform density"},
    {"center_of_mass", kPoint, "m", "-",
     "in the body's frame; only with `inertia`; default: uniform density"},
    {"position", kPoint, "m", "[0, 0, 0]",
     "of the body's origin in its parent, with the joint at 0, or in the world"},
    {"orientation", kOrientation, "", "[1, 0, 0, 0]",
     "of the body in its parent, with the joint at 0, or in the world"},
    {"velocity", kVelocity, "m/s", "[0, 0, 0]",
     "of the body's origin at time 0; only free and planar bodies without a parent"},
    {"angular_velocity", kVelocity, "rad/s", "[0, 0, 0]",
     "at time 0, world axes; only free and planar bodies without a parent"},
    {"forces", any_number_of(kForceType), "", "[]", "in addition to gravity"},
    {"colour", simple(Kind::kColour), "", "-",
     "for pictures: #rgb, #rrggbb or a CSS name; default: by material"},
    {"repeat", map_of(kRepeat), "", "-", "makes many copies"},
}};
constexpr Object kBody = {"body", "A rigid body.", kBodyFields};
constexpr Type kBodyType = map_of(kBody);

// ---- loops and touching
constexpr Type kPart = simple(Kind::kPart);
constexpr Field kLoopBodies = {"bodies", kNamePair, "", "", "the two bodies; one may be `world`"};
constexpr Field kLoopAnchors = {"anchors", list_of(kPoint, 2, 2), "m", "",
                                "a point of each body, in its frame"};
constexpr std::array<Field, 2> kBallLoopFields = {{kLoopBodies, kLoopAnchors}};
constexpr Object kBallLoop = {"ball_loop", "The two anchors stay together.", kBallLoopFields};
constexpr std::array<Field, 3> kHingeLoopFields = {{
    kLoopBodies,
    kLoopAnchors,
    {"axes", list_of(kDirection, 2, 2), "", "",
     "a direction of each body, in its frame, any length; they stay parallel"},
}};
constexpr Object kHingeLoop = {"hinge_loop", "The anchors stay together and the axes parallel.",
                               kHingeLoopFields};
constexpr std::array<Field, 3> kWeldFields = {{
    kLoopBodies,
    kLoopAnchors,
    {"orientation", kOrientation, "", "-",
     "of the second in the frame of the first; default: as at time 0"},
}};
constexpr Object kWeld = {
    "weld", "The anchors stay together and the bodies do not rotate relative to each other.",
    kWeldFields};
constexpr std::array<Field, 3> kDistanceFields = {{
    kLoopBodies,
    kLoopAnchors,
    {"length", number(1e-9, kMostLength), "m", "-",
     "distance of the anchors; default: as at time 0"},
}};
constexpr Object kDistance = {"distance", "The anchors stay at a distance.", kDistanceFields};
constexpr Type kPolynomialNumber = number(-1e9, 1e9);
constexpr std::array<Field, 2> kCouplingFields = {{
    {"joints", kNamePair, "", "",
     "the bodies whose hinges or sliders are coupled; `world` as the second stands for a constant"},
    {"polynomial", list_of(kPolynomialNumber, 1, 5), "", "[0, 1]",
     "[c0, c1, ...]: the first coordinate is c0 + c1 q + c2 q^2 + ... of the second one, q"},
}};
constexpr Object kCoupling = {"coupling", "Gears: one joint follows another.", kCouplingFields};
constexpr std::array<Field, 6> kLoopFields = {{
    {"name", kName, "", "", "unique among the loops"},
    {"ball", map_of(kBallLoop), "", "-", "two points stay together"},
    {"hinge", map_of(kHingeLoop), "", "-", "two points stay together and two axes parallel"},
    {"weld", map_of(kWeld), "", "-", "two bodies become one"},
    {"distance", map_of(kDistance), "", "-", "two points stay at a distance"},
    {"coupling", map_of(kCoupling), "", "-", "a joint follows another"},
}};
constexpr std::array<std::string_view, 5> kLoopOneOf = {"ball", "hinge", "weld", "distance",
                                                        "coupling"};
constexpr Object kLoop = {"loop", "Connects two bodies outside the tree of joints.", kLoopFields,
                          kLoopOneOf};
constexpr Type kLoopType = map_of(kLoop);
constexpr Type kPartPair = list_of(kPart, 2, 2);
constexpr std::array<Field, 2> kTouchFields = {{
    {"never", any_number_of(kNamePair), "", "[]", "pairs of bodies without contacts between them"},
    {"always", any_number_of(kPartPair), "", "[]",
     "pairs that may always touch, overriding layers, `touches_parent` and `never`: bodies, or "
     "`arm/2` for the shape number 2 of arm, from 0"},
}};
constexpr Object kTouch = {"touch", "Exceptions to the contact rules.", kTouchFields};

// ---- models
constexpr std::array<std::string_view, 2> kBaseWords = {"fixed", "free"};
constexpr std::array<Field, 4> kImportFields = {{
    {"base", choice(kBaseWords), "", "-", "URDF: how the root link hangs; as --base"},
    {"keyframe", simple(Kind::kTitle), "", "-", "MJCF: where to start; as --keyframe"},
    {"balance_inertia", simple(Kind::kFlag), "", "false",
     "mends inertias that no rigid body has; as --balance-inertia"},
    {"lenient", simple(Kind::kFlag), "", "false",
     "repairs what other readers accept and the formats do not allow; as --lenient"},
}};
constexpr Object kImport = {"import", "How a robot model is read.", kImportFields};
constexpr Type kAnyValue = simple(Kind::kValue);
constexpr std::array<Field, 6> kModelFields = {{
    {"file", simple(Kind::kFile), "", "", "a scene, URDF or MJCF file beneath the scene's folder"},
    {"prefix", simple(Kind::kTitle), "", "-",
     "goes before the names of its bodies, materials and loops; `/` becomes `:`; default: none"},
    {"position", kPoint, "m", "[0, 0, 0]", "of the model's origin in the world"},
    {"orientation", kOrientation, "", "[1, 0, 0, 0]", "of the model in the world"},
    {"set",
     {.kind = Kind::kNamed, .item = &kAnyValue},
     "",
     "{}",
     "changes in the model's file, as of `--set`: paths and their values"},
    {"import", map_of(kImport), "", "-", "for URDF and MJCF files"},
}};
constexpr Object kModel = {
    "model",
    "A file whose bodies, materials, pairs, loops and touch become part of this scene. Gravity, "
    "method, start, record, seed and until are those of this scene.",
    kModelFields};
constexpr Type kModelType = map_of(kModel);

// ---- the scene
constexpr std::array<std::string_view, 3> kContactWords = {"none", "frames", "steps"};
constexpr std::array<Field, 2> kRecordFields = {{
    {"every", number_above(0.0, 1e9), "s", "0.01",
     "time between frames: the first step at or after each multiple"},
    {"contacts", choice(kContactWords), "", "frames",
     "which contacts are recorded: none, those at frames, those of all steps"},
}};
constexpr Object kRecord = {"record", "The contents of the run file.", kRecordFields};
constexpr std::array<std::string_view, 3> kOverlapWords = {"resolve", "keep", "refuse"};
constexpr std::array<Field, 1> kStartFields = {{
    {"overlaps", choice(kOverlapWords), "", "resolve",
     "of bodies at time 0, and of joints beyond their stops; resolve: bodies are moved apart by "
     "the smallest motion that their joints allow; keep: the overlaps remain and are allowed; "
     "refuse: the scene is not run"},
}};
constexpr Object kStart = {"start", "Treatment before time 0.", kStartFields};
constexpr Type kAcceleration = number(-1e9, 1e9);
// Text is an expression, which the reader has replaced by a number before the check.
constexpr std::array<Type, 2> kParameterTypes = {number(-1e18, 1e18), simple(Kind::kTitle)};
constexpr Type kParameter = any_of(kParameterTypes);
constexpr std::array<Field, 17> kSceneFields = {{
    {"tenpin", integer(1, 1), "", "", "version of the format"},
    {"name", simple(Kind::kTitle), "", "-", "title; default: the name of the file"},
    {"parameters",
     {.kind = Kind::kNamed, .item = &kParameter},
     "",
     "{}",
     "numbers by name, for expressions `${...}` anywhere in the scene; each may be an expression "
     "of those above it"},
    {"gravity", list_of(kAcceleration, 3, 3), "m/s^2", "[0, 0, -9.81]",
     "acceleration of free fall"},
    {"seed", simple(Kind::kSeed), "", "0", "of all random numbers in the scene"},
    {"materials", {.kind = Kind::kNamed, .item = &kMaterialType}, "", "{}", "materials by name"},
    {"pairs", any_number_of(kPairType), "", "[]", "exceptions from the mixing rule"},
    {"groups",
     {.kind = Kind::kNamed, .item = &kShapeList},
     "",
     "{}",
     "lists of shapes by name, for bodies that share them"},
    {"models", any_number_of(kModelType), "", "[]", "files that this scene includes"},
    {"bodies", any_number_of(kBodyType), "", "[]", "the bodies, parents before children"},
    {"loops", any_number_of(kLoopType), "", "[]", "constraints that close loops of joints"},
    {"touch", map_of(kTouch), "", "-", "exceptions to the contact rules"},
    {"events", any_number_of(kEventType), "", "[]", "what happens on conditions"},
    {"method", map_of(kMethod), "", "-", "default: time-stepping with its defaults"},
    {"start", map_of(kStart), "", "-", "treatment before time 0"},
    {"record", map_of(kRecord), "", "-", "contents of the run file"},
    {"until", number_above(0.0, 1e9), "s", "", "time at which the run ends; write it last"},
}};
constexpr Object kScene = {"scene", "The file as a whole. SI units, z up.", kSceneFields};

constexpr std::array<const Object*, 54> kAllObjects = {
    &kScene,        &kMaterial, &kFriction,  &kLimit,       &kPair,         &kBody,
    &kJoint,        &kPlanar,   &kHinge,     &kSlider,      &kBall,         &kHingeMotor,
    &kSliderMotor,  &kMotion,   &kTable,     &kVectorTable, &kTurn,         &kForce,
    &kShape,        &kSphere,   &kBox,       &kCapsule,     &kCylinder,     &kCone,
    &kHeights,      &kPlane,    &kEllipsoid, &kBowl,        &kPolyhedron,   &kMesh,
    &kRepeat,       &kRing,     &kLoop,      &kBallLoop,    &kHingeLoop,    &kWeld,
    &kDistance,     &kCoupling, &kTouch,     &kMethod,      &kTimeStepping, &kFixedPoint,
    &kContactModel, &kAnalytic, &kImpulse,   &kPenalty,     &kStart,        &kRecord,
    &kEvent,        &kWhen,     &kDo,        &kSetting,     &kModel,        &kImport};

}  // namespace
}  // namespace tables

std::span<const Object* const> all_objects() {
  return tables::kAllObjects;
}
const Object& scene_object() {
  return tables::kScene;
}
const Object& body_object() {
  return tables::kBody;
}
const Object& model_object() {
  return tables::kModel;
}
const Object& loop_object() {
  return tables::kLoop;
}
std::span<const std::string_view> shape_kinds() {
  return tables::kShapeOneOf;
}

}  // namespace tenpin::scene
