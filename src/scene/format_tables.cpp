// The tables of the scene format, from the inside outwards.
#include <array>

#include "scene/format.h"

namespace tenpin::scene {

namespace {

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

// Declared ranges. Wide enough for grains and for bridges, narrow enough that no product of a few
// such numbers leaves the range of a double.
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

constexpr std::array<std::string_view, 3> kAxisWords = {"x", "y", "z"};

// ---- orientation
constexpr Type kMatrixRow = list_of(kUnitComponent, 3, 3);
constexpr Type kMatrix = list_of(kMatrixRow, 3, 3);
constexpr std::array<Field, 4> kTurnFields = {{
    {"axis", kDirection, "", "-", "direction of the axis, any length; with `degrees` or `radians`"},
    {"degrees", kAngle, "deg", "-", "angle of the turn about `axis`"},
    {"radians", kAngle, "rad", "-", "angle of the turn about `axis`"},
    {"matrix", kMatrix, "", "-", "rotation matrix by rows: orthonormal to 1e-6, determinant +1"},
}};
constexpr std::array<std::string_view, 3> kTurnOneOf = {"degrees", "radians", "matrix"};
constexpr Object kTurn = {"orientation",
                          "A rotation by axis and angle or by a matrix; the list "
                          "[w, x, y, z] is a unit quaternion instead, of length 1 to 1e-6.",
                          kTurnFields, kTurnOneOf};
constexpr std::array<Type, 2> kOrientationTypes = {list_of(kUnitComponent, 4, 4), map_of(kTurn)};
constexpr Type kOrientation = any_of(kOrientationTypes);

// ---- materials
constexpr std::array<Field, 7> kFrictionFields = {{
    {"along", kFrictionNumber, "", "0.5",
     "Coulomb coefficient along `axis`, or in every direction"},
    {"across", kFrictionNumber, "", "-", "coefficient across `axis`; default: that of `along`"},
    {"axis", kDirection, "", "-",
     "direction of `along` in the body's frame; needed if `across` differs"},
    {"torsion", number(0.0, 1e3), "m", "0",
     "radius of the contact patch: spin is resisted by mu * torsion * N"},
    {"static", kFrictionNumber, "", "-",
     "coefficient at rest, not below `along`; default: that of `along`"},
    {"stribeck_speed", number(0.0, kMostSpeed), "m/s", "0",
     "slip at which half of `static` - `along` is left; needed with `static`"},
    {"viscous", number(0.0, 1e9), "N s/m", "0",
     "smooth force against the slip of each touching point"},
}};
constexpr Object kFriction = {"friction",
                              "Friction in detail; a plain number is the same as "
                              "{along: number}.",
                              kFrictionFields};
constexpr std::array<Type, 2> kFrictionTypes = {kFrictionNumber, map_of(kFriction)};
constexpr std::array<Field, 2> kMaterialFields = {{
    {"friction", any_of(kFrictionTypes), "", "0.5", "Coulomb coefficient, or a map of details"},
    {"restitution", kRestitution, "", "0",
     "0 no bounce ... 1 elastic; what it is the ratio of is the method's `restitution`"},
}};
constexpr Object kMaterial = {
    "material",
    "Two materials in contact have the geometric mean of "
    "their frictions and the larger restitution, unless `pairs` says otherwise. The material named "
    "`default` is that of bodies that name none.",
    kMaterialFields};
constexpr Type kMaterialType = map_of(kMaterial);
constexpr std::array<Field, 3> kPairFields = {{
    {"between", list_of(kName, 2, 2), "", "", "the names of the two materials, or of one twice"},
    {"friction", kFrictionNumber, "", "", "Coulomb coefficient between them"},
    {"restitution", kRestitution, "", "", "restitution between them"},
}};
constexpr Object kPair = {"pair", "What holds between two materials instead of the mixing rule.",
                          kPairFields};
constexpr Type kPairType = map_of(kPair);

// ---- shapes
constexpr std::array<Field, 1> kSphereFields = {{
    {"radius", kSize, "m", "", "radius"},
}};
constexpr Object kSphere = {"sphere", "About the origin.", kSphereFields};
constexpr std::array<Field, 2> kBoxFields = {{
    {"size", kSizes, "m", "-", "edge lengths; or `half`"},
    {"half", kSizes, "m", "-", "half the edge lengths; or `size`"},
}};
constexpr std::array<std::string_view, 2> kBoxOneOf = {"size", "half"};
constexpr Object kBox = {"box", "About the origin, edges along the axes.", kBoxFields, kBoxOneOf};
constexpr std::array<Field, 3> kCapsuleFields = {{
    {"radius", kSize, "m", "", "radius of the caps and of the middle"},
    {"length", kSize, "m", "", "length of the middle, without the caps"},
    {"axis", choice(kAxisWords), "", "z", "the body axis it lies along"},
}};
constexpr Object kCapsule = {
    "capsule", "About the origin: all points within `radius` of a segment.", kCapsuleFields};
constexpr std::array<Field, 3> kCylinderFields = {{
    {"radius", kSize, "m", "", "radius"},
    {"length", kSize, "m", "", "full length"},
    {"axis", choice(kAxisWords), "", "z", "the body axis it lies along"},
}};
constexpr Object kCylinder = {"cylinder", "About the origin, flat ends.", kCylinderFields};
constexpr std::array<Field, 2> kPlaneFields = {{
    {"normal", kDirection, "", "[0, 0, 1]", "direction out of the solid, any length"},
    {"offset", kCoordinate, "m", "0", "the surface is at normal . x = offset, in the body's frame"},
}};
constexpr Object kPlane = {"plane", "A half space, only on bodies that no contact can move.",
                           kPlaneFields};
constexpr std::array<Field, 1> kPolyhedronFields = {{
    {"points",
     {.kind = Kind::kList, .item = &kPoint, .least = 4, .most = 1000000},
     "m",
     "",
     "the solid is their convex hull"},
}};
constexpr Object kPolyhedron = {"polyhedron", "The convex hull of points.", kPolyhedronFields};
constexpr std::array<Field, 2> kMeshFields = {{
    {"file", simple(Kind::kFile), "", "", "OBJ or STL file beneath the scene's folder"},
    {"scale", number(1e-6, 1e6), "", "1", "metres per unit of the file"},
}};
constexpr Object kMesh = {"mesh", "The convex hull of a mesh file.", kMeshFields};
constexpr std::array<Field, 9> kShapeFields = {{
    {"sphere", map_of(kSphere), "", "-", "a ball"},
    {"box", map_of(kBox), "", "-", "a block"},
    {"capsule", map_of(kCapsule), "", "-", "a rod with round ends"},
    {"cylinder", map_of(kCylinder), "", "-", "a rod or disc with flat ends"},
    {"plane", map_of(kPlane), "", "-", "a half space"},
    {"polyhedron", map_of(kPolyhedron), "", "-", "the convex hull of points"},
    {"mesh", map_of(kMesh), "", "-", "the convex hull of a mesh file"},
    {"position", kPoint, "m", "[0, 0, 0]", "of the shape's origin, in the body's frame"},
    {"orientation", kOrientation, "", "[1, 0, 0, 0]", "of the shape, in the body's frame"},
}};
constexpr std::array<std::string_view, 7> kShapeOneOf = {
    "sphere", "box", "capsule", "cylinder", "plane", "polyhedron", "mesh"};
constexpr Object kShape = {"shape",
                           "One part of a body: exactly one kind, and its place. Parts are "
                           "taken not to overlap when mass and inertia are computed.",
                           kShapeFields, kShapeOneOf};
constexpr Type kShapeType = map_of(kShape);

// ---- how a body moves
constexpr std::array<Field, 2> kPlanarFields = {{
    {"x", kDirection, "", "[1, 0, 0]", "first axis of the plane, any length"},
    {"y", kDirection, "", "[0, 1, 0]", "second axis, perpendicular to `x` to 1e-6"},
}};
constexpr Object kPlanar = {"planar",
                            "Moves in a plane and turns about its normal: three degrees "
                            "of freedom. The angle grows from x to y.",
                            kPlanarFields};
constexpr std::array<Field, 1> kJointFields = {{
    {"planar", map_of(kPlanar), "", "-", "motion in a plane"},
}};
constexpr std::array<std::string_view, 1> kJointOneOf = {"planar"};
constexpr Object kJoint = {"joint", "The words `free` and `fixed`, or this map.", kJointFields,
                           kJointOneOf};
constexpr std::array<std::string_view, 2> kJointWords = {"free", "fixed"};
constexpr std::array<Type, 2> kJointTypes = {choice(kJointWords), map_of(kJoint)};
constexpr std::array<Field, 4> kMotionFields = {{
    {"velocity", kVelocity, "m/s", "[0, 0, 0]", "constant part"},
    {"angular_velocity", kVelocity, "rad/s", "[0, 0, 0]",
     "constant, world axes, about the body's origin"},
    {"amplitude", kPoint, "m", "[0, 0, 0]",
     "of the added displacement amplitude * sin(2 pi frequency t)"},
    {"frequency", number(0.0, 1e6), "1/s", "0", "of that oscillation"},
}};
constexpr Object kMotion = {"motion", "A motion that no contact can disturb.", kMotionFields};
constexpr std::array<Field, 5> kForceFields = {{
    {"force", kForceVector, "N", "[0, 0, 0]", "constant, world axes, at the centre of mass"},
    {"torque", kForceVector, "N m", "[0, 0, 0]", "constant, world axes"},
    {"viscous", kCoefficient, "N s/m", "0", "-viscous * v"},
    {"viscous_spin", kCoefficient, "N m s", "0", "-viscous_spin * w"},
    {"drag", kCoefficient, "N s^2/m^2", "0", "-drag * speed * v"},
}};
constexpr Object kForce = {"force", "A force field on one body; the terms add up.", kForceFields};
constexpr Type kForceType = map_of(kForce);

// ---- repetition
constexpr Type kCount = integer(1, 1e9);
constexpr std::array<Type, 2> kSpacingTypes = {kCoordinate, kPoint};
constexpr std::array<Field, 3> kRingFields = {{
    {"count", kCount, "", "", "how many"},
    {"radius", number(0.0, kMostLength), "m", "", "of the ring"},
    {"axis", choice(kAxisWords), "", "z", "the world axis that the ring goes round"},
}};
constexpr Object kRing = {
    "ring",
    "Copies about `position`: the first is displaced by `radius` "
    "along the axis that follows `axis` in the order x, y, z, x; each next one is the first turned "
    "about the centre, with its orientation and velocities.",
    kRingFields};
constexpr std::array<Field, 5> kRepeatFields = {{
    {"grid", list_of(kCount, 3, 3), "", "-", "copies along x, y and z; x counts fastest"},
    {"stack", kCount, "", "-", "copies in a row"},
    {"ring", map_of(kRing), "", "-", "copies around a circle"},
    {"spacing", any_of(kSpacingTypes), "m", "-",
     "from copy to copy: [x, y, z], or one number (a grid's three, a stack's z); needed by grid "
     "and stack"},
    {"jitter", number(0.0, kMostLength), "m", "0",
     "each coordinate of each copy moves by a random number in -jitter ... jitter, from the "
     "scene's `seed`"},
}};
constexpr std::array<std::string_view, 3> kRepeatOneOf = {"grid", "stack", "ring"};
constexpr Object kRepeat = {"repeat", "Makes many bodies of one entry, named name-1, name-2, ...",
                            kRepeatFields, kRepeatOneOf};

// ---- bodies
constexpr Type kInertiaRow = list_of(kInertiaNumber, 3, 3);
constexpr std::array<Type, 3> kInertiaTypes = {kInertiaNumber, kInertiaRow,
                                               list_of(kInertiaRow, 3, 3)};
constexpr std::array<Field, 17> kBodyFields = {{
    {"name", kName, "", "", "unique in the scene"},
    {"fixed", simple(Kind::kFlag), "", "false", "true: never moves; same as joint: fixed"},
    {"joint", any_of(kJointTypes), "", "free", "how it may move relative to the world"},
    {"motion", map_of(kMotion), "", "-", "moves in a prescribed way; not with `fixed` or `joint`"},
    {"material", kName, "", "default", "one of `materials`"},
    {"shapes", any_number_of(kShapeType), "", "[]",
     "its parts; a body without parts touches nothing"},
    {"mass", number(1e-12, 1e12), "kg", "-",
     "moving bodies have exactly one of `mass` and `density`"},
    {"density", number_above(0.0, 1e12), "kg/m^3", "-", "of all its shapes"},
    {"inertia", any_of(kInertiaTypes), "kg m^2", "-",
     "about the centre of mass, body axes: [ixx, iyy, izz] or 3x3 rows, in the plane also one "
     "number about the normal; default: uniform density"},
    {"center_of_mass", kPoint, "m", "-",
     "in the body's frame; only with `inertia`; default: uniform density"},
    {"position", kPoint, "m", "[0, 0, 0]", "of the body's origin in the world"},
    {"orientation", kOrientation, "", "[1, 0, 0, 0]", "of the body in the world"},
    {"velocity", kVelocity, "m/s", "[0, 0, 0]", "of the body's origin at time 0"},
    {"angular_velocity", kVelocity, "rad/s", "[0, 0, 0]", "at time 0, world axes"},
    {"forces", any_number_of(kForceType), "", "[]", "besides gravity"},
    {"colour", simple(Kind::kColour), "", "-",
     "for pictures: #rgb, #rrggbb or a CSS name; default: by material"},
    {"repeat", map_of(kRepeat), "", "-", "makes many of it"},
}};
constexpr Object kBody = {"body", "A rigid body.", kBodyFields};
constexpr Type kBodyType = map_of(kBody);

// ---- methods
constexpr std::array<std::string_view, 3> kFormulations = {"position", "velocity", "nonlinear"};
constexpr std::array<std::string_view, 1> kSolvers = {"lemke"};
constexpr std::array<std::string_view, 3> kRestitutions = {"none", "newton", "poisson"};
constexpr std::array<std::string_view, 2> kLevers = {"full", "printed"};
constexpr std::array<std::string_view, 2> kActiveSets = {"paper", "all"};
constexpr std::array<Field, 2> kFixedPointFields = {{
    {"iterations", integer(1, 100000), "", "50", "most solves in one step"},
    {"tolerance", number_between(1e-16, 1e-2), "m", "1e-13", "change of position that ends it"},
}};
constexpr Object kFixedPoint = {"fixed_point", "The iteration of the nonlinear formulation.",
                                kFixedPointFields};
constexpr std::array<Field, 11> kTimeSteppingFields = {{
    {"step", number(1e-12, 1e3), "s", "0.004166666666666667", "time step; default 1/240"},
    {"formulation", choice(kFormulations), "", "position",
     "position: gap >= 0 at the end of the step, linearised; velocity: normal velocity >= 0, then "
     "projection; nonlinear: gap >= 0 by fixed point"},
    {"solver", choice(kSolvers), "", "lemke", "of the complementarity problem"},
    {"directions", integer(3, 1e9), "", "8",
     "friction directions per contact in space, at most 1024; planar contacts have 2"},
    {"direction_phase", number(0.0, 1.0), "", "0",
     "turns the directions by this fraction of their spacing"},
    {"restitution", choice(kRestitutions), "", "none", "law of impact"},
    {"lever", choice(kLevers), "", "full",
     "printed: friction at the centre of a rounded tip, as the paper prints it"},
    {"active_set", choice(kActiveSets), "", "paper",
     "paper: contacts that are or would be violated; all: every one within the margin"},
    {"projection", simple(Kind::kFlag), "", "true",
     "velocity formulation: pushes overlaps out after the step"},
    {"fixed_point", map_of(kFixedPoint), "", "-", "nonlinear formulation"},
    {"tolerance", number_between(1e-15, 1e-2), "", "1e-8",
     "largest certified residual over its scale, per step"},
}};
constexpr Object kTimeStepping = {
    "time-stepping", "The time stepping of Stewart and Trinkle (2000).", kTimeSteppingFields};
constexpr std::array<Field, 1> kMethodFields = {{
    {"time-stepping", map_of(kTimeStepping), "", "-", "time stepping by complementarity"},
}};
constexpr std::array<std::string_view, 1> kMethodOneOf = {"time-stepping"};
constexpr Object kMethod = {"method", "The contact method: exactly one, with its options.",
                            kMethodFields, kMethodOneOf};

// ---- the scene
constexpr std::array<std::string_view, 3> kContactWords = {"none", "frames", "steps"};
constexpr std::array<Field, 2> kRecordFields = {{
    {"every", number_above(0.0, 1e9), "s", "0.01",
     "time between frames: the first step at or after each multiple"},
    {"contacts", choice(kContactWords), "", "frames",
     "which contacts are kept: none, those at frames, those of all steps"},
}};
constexpr Object kRecord = {"record", "What goes into the run file.", kRecordFields};
constexpr Type kAcceleration = number(-1e9, 1e9);
constexpr std::array<Field, 10> kSceneFields = {{
    {"tenpin", integer(1, 1), "", "", "version of the format"},
    {"name", simple(Kind::kTitle), "", "-", "title; default: none"},
    {"gravity", list_of(kAcceleration, 3, 3), "m/s^2", "[0, 0, -9.81]",
     "acceleration of free fall"},
    {"seed", simple(Kind::kSeed), "", "0", "of everything random in the scene"},
    {"materials", {.kind = Kind::kNamed, .item = &kMaterialType}, "", "{}", "materials by name"},
    {"pairs", any_number_of(kPairType), "", "[]", "exceptions from the mixing rule"},
    {"bodies", any_number_of(kBodyType), "", "[]", "the bodies"},
    {"method", map_of(kMethod), "", "-", "default: time-stepping with its defaults"},
    {"record", map_of(kRecord), "", "-", "what goes into the run file"},
    {"until", number_above(0.0, 1e9), "s", "", "time at which the run ends; write it last"},
}};
constexpr Object kScene = {"scene", "The file as a whole. SI units, z up.", kSceneFields};

constexpr std::array<const Object*, 24> kAllObjects = {
    &kScene, &kMaterial, &kFriction, &kPair,    &kBody,     &kJoint,        &kPlanar,     &kMotion,
    &kShape, &kSphere,   &kBox,      &kCapsule, &kCylinder, &kPlane,        &kPolyhedron, &kMesh,
    &kTurn,  &kForce,    &kRepeat,   &kRing,    &kMethod,   &kTimeStepping, &kFixedPoint, &kRecord};

}  // namespace

std::span<const Object* const> all_objects() {
  return kAllObjects;
}
const Object& scene_object() {
  return kScene;
}
const Object& body_object() {
  return kBody;
}

}  // namespace tenpin::scene
