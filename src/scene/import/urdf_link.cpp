#include "scene/import/urdf_link.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/text.h"
#include "math/frame.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "scene/plain_message.h"
#include "scene/read_mass.h"

namespace tenpin::scene::urdf {

namespace {

struct Solid {
  std::optional<shapes::Shape> shape;  // empty for meshes that are only drawn
  MeshFile file = {};
  std::shared_ptr<const shapes::TriangleMesh> surface = nullptr;  // of meshes that are drawn
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

// The purpose of a shape. A shape that is only drawn never causes a problem. kDrawnPart: the shape
// also becomes a part that touches nothing, if it can.
enum class Purpose { kContact, kDrawing, kDrawnPart };

// Leaves a mesh that cannot be used out of a lenient reading, unless it lies where nothing may be
// read.
void leave_out(const Element& mesh, const std::string& problem, Purpose purpose) {
  if (purpose != Purpose::kContact) {
    const bool is_unknown = problem.starts_with("mesh format not supported");
    return mesh.note(
        is_unknown ? "<visual> mesh neither OBJ nor STL" : "<visual> mesh that cannot be read",
        Effect::kAppearance);  // short, because models have dozens of them
  }
  if (problem.starts_with("outside")) {
    return mesh.problem("filename", problem);
  }
  static_cast<void>(mesh.repair("filename", problem, "the shape is left out"));
}

MeshFile refer_to(const std::string& path, const MeshPlacement& placement,
                  const LinkContext& context) {
  if (!placement.is_uniform_scale()) return {};
  return {.path = context.folder.relative(path), .scale = placement.scale.x()};
}

// The hull of a mesh, or nothing if the mesh bounds no solid.
std::optional<Solid> load_hull(const Element& mesh, const std::string& path,
                               const std::string& name, const MeshPlacement& placement,
                               const LinkContext& context, Purpose purpose) {
  const FlatMesh flat = mesh.model().lenient ? FlatMesh::kPlate : FlatMesh::kRefused;
  const SolidMesh& solid = context.meshes->load(path, name, placement, {.flat = flat});
  if (!solid.note.empty() && purpose == Purpose::kContact) {
    mesh.note("mesh " + name + ": " + solid.note);
  }
  Solid result{shapes::Polyhedron{solid.hull}};
  if (!solid.is_plate) result.file = refer_to(path, placement, context);
  return result;
}

// A mesh as it is, and its hull if it becomes a part and has a hull.
Solid load_drawing(const Element& mesh, const std::string& path, const std::string& name,
                   const MeshPlacement& placement, const LinkContext& context, Purpose purpose) {
  const auto surface = context.meshes->load_surface(path, name, placement);
  Solid result;
  if (purpose == Purpose::kDrawnPart) {
    try {
      result = *load_hull(mesh, path, name, placement, context, purpose);
    } catch (const InputError&) {
      // The mesh is drawn nevertheless.
    }
  }
  result.file = refer_to(path, placement, context);
  result.surface = surface;
  return result;
}

std::optional<Solid> read_mesh(const Element& mesh, const LinkContext& context, Purpose purpose) {
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
    const std::string path = context.folder.resolve_address(name);
    if (purpose == Purpose::kContact) {
      return load_hull(mesh, path, name, placement, context, purpose);
    }
    return load_drawing(mesh, path, name, placement, context, purpose);
  } catch (const InputError& error) {
    leave_out(mesh, plain_message(error), purpose);
    return std::nullopt;
  }
}

// Specific to Bullet: the half space below a plane through the origin.
Solid read_plane(const Element& plane, Pose* X_LS) {
  const Vec3 normal = plane.vector("normal", kAnyNumber).value_or(Vec3::UnitZ());
  if (normal.norm() < 1e-12) {
    plane.problem("normal", "not a direction, got a zero vector, want a direction");
  } else {
    X_LS->R = X_LS->R * frame_along(normal.normalized());
  }
  return {shapes::Plane{}};
}

// Reads the shape of a <collision>. Rotates X_LS if the shape has a direction of its own.
std::optional<Solid> read_geometry(const Element& collision, const LinkContext& context,
                                   Purpose purpose, Pose* X_LS) {
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
      return read_mesh(shape.mark_read(), context, purpose);
    }
    if (shape.tag() == "plane" && collision.model().lenient) {
      return read_plane(shape.mark_read(), X_LS);
    }
    if (purpose != Purpose::kContact) {
      return std::nullopt;
    }
    static_cast<void>(
        shape.mark_read().repair("",
                                 "unknown shape, got <" + std::string(shape.tag()) +
                                     ">, want <box>, <sphere>, <cylinder>, <capsule> or <mesh>",
                                 "it is left out"));
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
  if (d.minCoeff() < 0.0 && !element.model().lenient) {
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
  } else if (!inertial.model().lenient) {
    inertial.problem("inertia", "missing, got nothing, want <inertia>");
  }
  if (balance_inertia && result.mass > 0.0) {
    result.inertia = mend_inertia(result.inertia, 0.0, true);
  }
  return place_mass(result, read_origin(inertial));
}

constexpr double kWater = 1000.0;  // kg/m^3

// Inertia of the link's shapes at uniform density, or of a ball of water if it has none.
Mat3 guess_inertia(const Link& link) {
  std::vector<shapes::PlacedShape> solids;
  for (const RobotPart& part : link.parts) {
    const bool is_drawn_only = part.options.layer == 0 && part.options.touches == 0;
    if (!is_drawn_only && !std::holds_alternative<shapes::Plane>(part.placed.shape)) {
      solids.push_back(part.placed);
    }
  }
  if (solids.empty()) {
    const double radius = std::cbrt(link.mass.mass / (4.0 / 3.0 * kPi * kWater));
    return 0.4 * link.mass.mass * radius * radius * Mat3::Identity();
  }
  return shapes::with_mass(shapes::calc_mass_properties(solids, kWater), link.mass.mass).inertia;
}

// Replaces an impossible inertia: by a spherical one if it is positive, otherwise by that of the
// shapes.
void mend_mass(const Element& inertial, Link* link) {
  MassProperties& mass = link->mass;
  if (mass.mass == 0.0) {
    return;
  }
  const Vec3 moments = shapes::principal_axes(mass.inertia).moments;
  const std::string got = ", got principal moments " + to_text(moments.x()) + ", " +
                          to_text(moments.y()) + ", " + to_text(moments.z()) + " kg m^2: ";
  if (std::sqrt(std::max(moments.minCoeff(), 0.0) / mass.mass) < kLeastGyration) {
    mass.inertia = guess_inertia(*link);
    inertial.note("<inertia> of " + link->name + " is not positive" + got + "that of its " +
                  (link->parts.empty() ? "mass as a ball of water" : "collision shapes") +
                  " is used");
    return;
  }
  const Mat3 mended = mend_inertia(mass.inertia, 0.0, true);
  if (mended != mass.inertia) {
    mass.inertia = mended;
    inertial.note("<inertia> of " + link->name + " belongs to no rigid body" + got +
                  "their mean is used");
  }
}

// Adds a shape of a <visual>. If the link has no collision shapes, the shape also becomes a part.
void draw(const Element& visual, const LinkContext& context, const std::string& colour,
          Purpose purpose, Link* link) {
  std::vector<Problem>& problems = visual.model().problems;
  const std::size_t num_problems = problems.size();
  visual.mark_read().find("name");
  Pose X_LS = read_origin(visual);
  const auto solid = read_geometry(visual, context, purpose, &X_LS);
  if (problems.size() > num_problems) {
    visual.note("<visual> is not drawn: " + problems.back().text, Effect::kAppearance);
    problems.erase(problems.begin() + static_cast<std::ptrdiff_t>(num_problems), problems.end());
  } else if (solid) {
    if (solid->shape && purpose == Purpose::kDrawnPart) {
      link->parts.push_back({.name = "",
                             .placed = {*solid->shape, X_LS},
                             .file = solid->file,
                             .options = {.layer = 0, .touches = 0}});
    }
    const bool is_plane = solid->shape && std::holds_alternative<shapes::Plane>(*solid->shape);
    if (is_plane) return;
    link->visuals.push_back({.placed = {solid->shape.value_or(shapes::Sphere{}), X_LS},
                             .mesh = solid->surface,
                             .file = solid->file,
                             .colour = colour});
  }
}

// Reads the shapes of every <visual>, and the colour of the first one.
void read_visuals(const Element& element, const LinkContext& context, Link* link) {
  const Purpose purpose = element.has_child("collision") ? Purpose::kDrawing : Purpose::kDrawnPart;
  for (const Element& visual : element.children()) {
    if (visual.tag() != "visual") {
      continue;
    }
    const auto material = visual.child("material");
    const std::string colour = material ? read_colour(*material, context.colours) : "";
    if (link->colour.empty()) link->colour = colour;
    draw(visual, context, colour, purpose, link);
  }
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

std::string read_colour(const Element& material,
                        const std::map<std::string, std::string>& colours) {
  if (const auto colour = material.child("color")) {
    const auto rgba = colour->numbers("rgba", 3, 4, kAnyNumber);
    return rgba ? make_colour(*rgba) : "";
  }
  const auto found = colours.find(material.text("name"));
  return found == colours.end() ? "" : found->second;
}

Link read_link(const Element& element, const LinkContext& context) {
  Link link;
  link.name = element.required_text("name");
  link.element = element.index();
  std::optional<Element> inertial;
  for (const Element& child : element.children()) {
    if (child.tag() == "inertial") {
      inertial = child.mark_read();
      link.mass = read_inertial(child, context.balance_inertia);
    } else if (child.tag() == "collision") {
      child.mark_read().find("name");
      Pose X_LS = read_origin(child);
      if (const auto solid = read_geometry(child, context, Purpose::kContact, &X_LS)) {
        link.parts.push_back(
            {.name = "", .placed = {*solid->shape, X_LS}, .file = solid->file, .options = {}});
      }
    }
  }
  read_visuals(element, context, &link);
  if (inertial && element.model().lenient) {
    mend_mass(*inertial, &link);
  }
  return link;
}

}  // namespace tenpin::scene::urdf
