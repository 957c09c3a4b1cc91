#include "scene/import/urdf_link.h"

#include <optional>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "math/rotation.h"
#include "scene/plain_message.h"

namespace tenpin::scene::urdf {

namespace {

struct Solid {
  shapes::Shape shape;
  MeshFile file = {};
};

std::optional<double> required_size(const Element& element, std::string_view name) {
  const auto value = element.number(name, kSizeRange);
  if (!element.has(name)) {
    element.problem(name, "missing, got nothing, want " + describe(kSizeRange));
  }
  return value;
}

std::optional<Solid> read_rod(const Element& rod) {
  const auto radius = required_size(rod, "radius");
  const auto length = required_size(rod, "length");
  if (!radius || !length) {
    return std::nullopt;
  }
  if (rod.tag() == "capsule") {
    return Solid{shapes::Capsule{.radius = *radius, .half_length = 0.5 * *length}};
  }
  return Solid{shapes::Cylinder{.radius = *radius, .half_length = 0.5 * *length}};
}

std::optional<Solid> read_box(const Element& box) {
  const auto size = box.vector("size", kSizeRange);
  if (!box.has("size")) {
    box.problem("size", "missing, got nothing, want 3 numbers");
  }
  return size ? std::optional(Solid{shapes::Box{.half = 0.5 * *size}}) : std::nullopt;
}

std::optional<Solid> read_mesh(const Element& mesh, const ModelFolder& folder, MeshStore* meshes) {
  const std::string name = mesh.required_text("filename");
  MeshPlacement placement;
  if (const auto scale = mesh.numbers("scale", 1, 3, kPointRange)) {
    placement.scale = scale->size() == 3 ? Vec3((*scale)[0], (*scale)[1], (*scale)[2])
                                         : Vec3::Constant(scale->front());
  }
  if (name.empty()) {
    return std::nullopt;
  }
  try {
    const std::string path = folder.resolve_address(name);
    const SolidMesh& solid = meshes->load(path, name, placement);
    if (!solid.note.empty()) {
      mesh.note("mesh " + name + ": " + solid.note);
    }
    Solid result{shapes::Polyhedron{solid.hull}};
    if (placement.is_uniform_scale()) {
      result.file = {.path = folder.relative(path), .scale = placement.scale.x()};
    }
    return result;
  } catch (const InputError& error) {
    mesh.problem("filename", plain_message(error));
    return std::nullopt;
  }
}

std::optional<Solid> read_geometry(const Element& collision, const ModelFolder& folder,
                                   MeshStore* meshes) {
  const auto geometry = collision.child("geometry");
  if (!geometry) {
    collision.problem("geometry", "missing, got nothing, want <geometry>");
    return std::nullopt;
  }
  for (const Element& shape : geometry->children()) {
    if (shape.tag() == "box") {
      return read_box(shape.mark_read());
    }
    if (shape.tag() == "sphere") {
      const auto radius = required_size(shape.mark_read(), "radius");
      return radius ? std::optional(Solid{shapes::Sphere{*radius}}) : std::nullopt;
    }
    if (shape.tag() == "cylinder" || shape.tag() == "capsule") {
      return read_rod(shape.mark_read());
    }
    if (shape.tag() == "mesh") {
      return read_mesh(shape.mark_read(), folder, meshes);
    }
    shape.mark_read().problem("", "unknown shape, got <" + std::string(shape.tag()) +
                                      ">, want <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
    return std::nullopt;
  }
  geometry->problem("", "empty, got no shape, want one");
  return std::nullopt;
}

void read_inertia(const Element& element, MassProperties* mass) {
  const auto moment = [&](std::string_view name) {
    if (!element.has(name)) {
      element.problem(name, "missing, got nothing, want a number");
    }
    return element.number(name, 0.0, kAnyNumber);
  };
  const Vec3 d(moment("ixx"), moment("iyy"), moment("izz"));
  const double xy = element.number("ixy", 0.0, kAnyNumber);
  const double xz = element.number("ixz", 0.0, kAnyNumber);
  const double yz = element.number("iyz", 0.0, kAnyNumber);
  if (d.minCoeff() < 0.0) {
    element.problem("", "negative moment, got " + to_text(d.minCoeff()) + ", want a number >= 0");
  }
  mass->inertia << d.x(), xy, xz, xy, d.y(), yz, xz, yz, d.z();
}

MassProperties read_inertial(const Element& inertial, bool balance_inertia) {
  MassProperties result;
  if (const auto mass = inertial.child("mass")) {
    if (!mass->has("value")) {
      mass->problem("value", "missing, got nothing, want a mass");
    }
    result.mass = mass->number("value", 0.0, kNotNegative);
  } else {
    inertial.problem("mass", "missing, got nothing, want <mass>");
  }
  if (const auto inertia = inertial.child("inertia")) {
    read_inertia(*inertia, &result);
  } else {
    inertial.problem("inertia", "missing, got nothing, want <inertia>");
  }
  if (balance_inertia && result.mass > 0.0) {
    result.inertia = mend_inertia(result.inertia, 0.0, true);
  }
  return place_mass(result, read_origin(inertial));
}

}  // namespace

// Rotations about the fixed axes: roll about x, then pitch about y, then yaw about z.
Pose read_origin(const Element& element) {
  const auto origin = element.child("origin");
  if (!origin) {
    return {};
  }
  Pose X;
  X.p = origin->vector("xyz", kPointRange).value_or(Vec3::Zero());
  const Vec3 rpy = origin->vector("rpy", kAnyNumber).value_or(Vec3::Zero());
  for (int axis = 0; axis < 3; ++axis) {
    if (rpy[axis] != 0.0) {
      X.R = to_matrix(exp_map(Vec3::Unit(axis) * rpy[axis])) * X.R;
    }
  }
  return X;
}

Link read_link(const Element& element, const ModelFolder& folder, bool balance_inertia,
               MeshStore* meshes) {
  Link link;
  link.name = element.required_text("name");
  link.element = element.index();
  for (const Element& child : element.children()) {
    if (child.tag() == "inertial") {
      link.mass = read_inertial(child.mark_read(), balance_inertia);
    } else if (child.tag() == "collision") {
      child.mark_read().find("name");
      const Pose X_LS = read_origin(child);
      if (const auto solid = read_geometry(child, folder, meshes)) {
        link.parts.push_back(
            {.name = "", .placed = {solid->shape, X_LS}, .file = solid->file, .options = {}});
      }
    }
  }
  return link;
}

}  // namespace tenpin::scene::urdf
