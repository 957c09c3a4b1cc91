// Shapes and their placement, in the tables of the scene format.
#pragma once

#include <array>
#include <string_view>

#include "scene/format_types.h"
#include "scene/format_values.h"

namespace tenpin::scene::tables {

// ---- orientation
constexpr Type kMatrixRow = list_of(kUnitComponent, 3, 3);
constexpr Type kMatrix = list_of(kMatrixRow, 3, 3);
constexpr std::array<Field, 4> kTurnFields = {{
    {"axis", kDirection, "", "-", "direction of the axis, any length; with `degrees` or `radians`"},
    {"degrees", kAngle, "deg", "-", "angle of rotation about `axis`"},
    {"radians", kAngle, "rad", "-", "angle of rotation about `axis`"},
    {"matrix", kMatrix, "", "-", "rotation matrix by rows: orthonormal to 1e-6, determinant +1"},
}};
constexpr std::array<std::string_view, 3> kTurnOneOf = {"degrees", "radians", "matrix"};
constexpr Object kTurn = {"orientation",
                          "A rotation by axis and angle or by a matrix; the list "
                          "[w, x, y, z] is a unit quaternion instead, of length 1 to 1e-6.",
                          kTurnFields, kTurnOneOf};
constexpr std::array<Type, 2> kOrientationTypes = {list_of(kUnitComponent, 4, 4), map_of(kTurn)};
constexpr Type kOrientation = any_of(kOrientationTypes);

// ---- shapes
constexpr std::array<std::string_view, 3> kAxisWords = {"x", "y", "z"};
constexpr std::array<Field, 1> kSphereFields = {{
    {"radius", kSize, "m", "", "radius"},
}};
constexpr Object kSphere = {"sphere", "About the origin.", kSphereFields};
constexpr std::array<Field, 3> kBoxFields = {{
    {"size", kSizes, "m", "-", "edge lengths; or `half`"},
    {"half", kSizes, "m", "-", "half the edge lengths; or `size`"},
    {"radius", number(0.0, 1e6), "m", "0",
     "of round edges and corners, within the size; at most 0.99 of the shortest half edge"},
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
constexpr std::array<Field, 3> kConeFields = {{
    {"radius", kSize, "m", "", "radius of the base"},
    {"length", kSize, "m", "", "from the base to the apex"},
    {"axis", choice(kAxisWords), "", "z", "the body axis along which its apex points"},
}};
constexpr Object kCone = {"cone", "The origin is half way between base and apex.", kConeFields};
constexpr std::array<Field, 2> kPlaneFields = {{
    {"normal", kDirection, "", "[0, 0, 1]", "direction out of the solid, any length"},
    {"offset", kCoordinate, "m", "0", "the surface is at normal . x = offset, in the body's frame"},
}};
constexpr Object kPlane = {"plane", "A half space, only on bodies that no contact can move.",
                           kPlaneFields};
constexpr std::array<Field, 1> kBowlFields = {{
    {"radius", kSize, "m", "", "radius of the hollow"},
}};
constexpr Object kBowl = {
    "bowl",
    "The inside of a sphere about the origin: everything farther away is solid. Only on bodies "
    "that no contact can move. Pictures show its lower half, from inside.",
    kBowlFields};
constexpr std::array<Field, 1> kEllipsoidFields = {{
    {"semiaxes", kSizes, "m", "", "half its extents along x, y and z"},
}};
constexpr Object kEllipsoid = {"ellipsoid", "About the origin, axes along those of the frame.",
                               kEllipsoidFields};
constexpr Type kCorner = integer(0, 999999.0);
constexpr Type kTriangle = list_of(kCorner, 3, 3);
constexpr std::array<Field, 2> kPolyhedronFields = {{
    {"points",
     {.kind = Kind::kList, .item = &kPoint, .least = 4, .most = 1000000},
     "m",
     "",
     "the solid is their convex hull"},
    {"faces", any_number_of(kTriangle), "", "-",
     "with visual: true, triangles by the numbers of their points, the first being 0, "
     "counter-clockwise seen from outside; default: the hull"},
}};
constexpr Object kPolyhedron = {"polyhedron", "The convex hull of points.", kPolyhedronFields};
constexpr std::array<Field, 4> kMeshFields = {{
    {"file", simple(Kind::kFile), "", "", "OBJ or STL file in or below the scene's folder"},
    {"scale", number(1e-6, 1e6), "", "1", "metres per unit of the file"},
    {"parts", integer(1, 1000), "", "1",
     "most convex pieces that stand for the mesh; 1: its convex hull"},
    {"static", simple(Kind::kFlag), "", "false",
     "true: the triangles themselves, on bodies that no contact can move; not with `parts`"},
}};
constexpr Object kMesh = {
    "mesh", "The convex hull of a mesh file, convex pieces of it, or its triangles.", kMeshFields};
constexpr std::array<Field, 4> kHeightsFields = {{
    {"file", simple(Kind::kFile), "", "",
     "CSV file of heights in metres, or a grey PNG picture, in or below the scene's folder"},
    {"spacing", number(1e-9, 1e6), "m", "-", "from one height to the next; or `size`"},
    {"size", list_of(kSize, 2, 2), "m", "-",
     "[x, y] of the whole field, from the first height to the last; or `spacing`"},
    {"range", list_of(kCoordinate, 2, 2), "m", "-",
     "heights of black and white, required for a PNG picture and only there"},
}};
constexpr std::array<std::string_view, 2> kHeightsOneOf = {"spacing", "size"};
constexpr Object kHeights = {"heights",
                             "A height field about the origin, only on bodies that no contact can "
                             "move: the first row is at the far end of y.",
                             kHeightsFields, kHeightsOneOf};
constexpr Type kBits = integer(0, 4294967295.0);
constexpr std::array<Field, 21> kShapeFields = {{
    {"sphere", map_of(kSphere), "", "-", "a ball"},
    {"box", map_of(kBox), "", "-", "a block, sharp or with round edges"},
    {"capsule", map_of(kCapsule), "", "-", "a rod with round ends"},
    {"cylinder", map_of(kCylinder), "", "-", "a rod or disc with flat ends"},
    {"cone", map_of(kCone), "", "-", "a flat base and an apex"},
    {"ellipsoid", map_of(kEllipsoid), "", "-", "a stretched ball"},
    {"plane", map_of(kPlane), "", "-", "a half space"},
    {"bowl", map_of(kBowl), "", "-", "the inside of a sphere"},
    {"polyhedron", map_of(kPolyhedron), "", "-", "the convex hull of points"},
    {"mesh", map_of(kMesh), "", "-",
     "a mesh file: its convex hull, convex pieces, or its triangles"},
    {"heights", map_of(kHeights), "", "-", "ground from a table or picture of heights"},
    {"group", kName, "", "-", "all shapes of one of `groups`"},
    {"position", kPoint, "m", "[0, 0, 0]", "of the shape's origin, in the body's frame"},
    {"orientation", kOrientation, "", "[1, 0, 0, 0]", "of the shape, in the body's frame"},
    {"material", kName, "", "-", "one of `materials`; default: that of the body"},
    {"layer", kBits, "", "1", "the layers that the part is in, as a sum of powers of two"},
    {"touches", kBits, "", "1", "the layers that it touches, as a sum of powers of two"},
    {"collides", simple(Kind::kFlag), "", "true",
     "false: visible and with mass, but without contacts; same as layer 0 and touches 0"},
    {"surface_velocity", kVelocity, "m/s", "[0, 0, 0]",
     "of its surface relative to the body, such as that of a belt, in the body's axes; only the "
     "part along the surface counts"},
    {"visual", simple(Kind::kFlag), "", "false",
     "true: only drawn, without contacts and mass; a mesh is drawn as it is, not as its hull. "
     "Pictures show these shapes of a body instead of the others"},
    {"colour", simple(Kind::kColour), "", "-", "with visual: true; default: that of the body"},
}};
constexpr std::array<std::string_view, 12> kShapeOneOf = {
    "sphere", "box",  "capsule",    "cylinder", "cone",    "ellipsoid",
    "plane",  "bowl", "polyhedron", "mesh",     "heights", "group"};
constexpr Object kShape = {"shape",
                           "One part of a body: exactly one kind, and its pose. Mass and inertia "
                           "are computed as if parts did not overlap.",
                           kShapeFields, kShapeOneOf};
constexpr Type kShapeType = map_of(kShape);
constexpr Type kShapeList = any_number_of(kShapeType);

}  // namespace tenpin::scene::tables
