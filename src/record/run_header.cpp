#include "record/run_header.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string_view>
#include <variant>

#include "methods/time_stepping/default_stepping.h"
#include "scene/words.h"
#include "scene/write_method.h"
#include "scene/write_text.h"
#include "shapes/convex_mesh.h"
#include "shapes/surface_mesh.h"

namespace tenpin::record {
namespace {

std::string print_options(const scene::MethodOptions& method) {
  std::string text;
  for (const scene::WrittenOption& option : scene::list_options(method)) {
    if (option.text.empty()) continue;
    const std::string_view separator = option.group.empty() ? "" : "_";
    text += fmt::format("{}{}{}: {}\n", option.group, separator, option.key, option.text);
  }
  return text;
}

// Prints all options, one per line, including those that the scene leaves open, with the reasons
// for their values.
std::string print_resolved(const dynamics::Model& model, const scene::MethodOptions& method) {
  if (const auto* analytic = std::get_if<scene::AnalyticOptions>(&method)) {
    return print_options(method) + (analytic->law ? "" : "law: by surface\n");
  }
  const auto* own = std::get_if<scene::TimeSteppingOptions>(&method);
  if (own == nullptr) return print_options(method);
  methods::time_stepping::Stepping stepping = methods::time_stepping::choose_stepping(model, *own);
  if (*stepping.options.order == 2) stepping.options.formulation.reset();  // it has only one
  return print_options(stepping.options) +
         fmt::format("order_reason: {}\nsolver_reason: {}\nrestitution_reason: {}\n",
                     scene::quote(stepping.order_reason), scene::quote(stepping.solver_reason),
                     scene::quote(stepping.restitution_reason));
}

// Kind and parameters of a shape, and its mesh if it has one.
struct ShapeWriter {
  HeaderPart* part;

  void operator()(const shapes::Sphere& s) const { set(ShapeKind::kSphere, {s.radius}); }
  void operator()(const shapes::Box& b) const {
    set(ShapeKind::kBox, {b.half.x(), b.half.y(), b.half.z()});
    part->rounding = b.radius;
  }
  void operator()(const shapes::Ellipsoid& e) const {
    set(ShapeKind::kEllipsoid, {e.semiaxes.x(), e.semiaxes.y(), e.semiaxes.z()});
  }
  void operator()(const shapes::Capsule& c) const {
    set(ShapeKind::kCapsule, {c.radius, c.half_length});
  }
  void operator()(const shapes::Cylinder& c) const {
    set(ShapeKind::kCylinder, {c.radius, c.half_length});
  }
  void operator()(const shapes::Cone& c) const { set(ShapeKind::kCone, {c.radius, c.half_length}); }
  void operator()(const shapes::Plane& /*plane*/) const { set(ShapeKind::kPlane, {}); }
  void operator()(const shapes::Bowl& b) const { set(ShapeKind::kBowl, {b.radius}); }
  // Drawn as a polyhedron, which has the same faces.
  void operator()(const shapes::TriangleSurface& s) const {
    set(ShapeKind::kPolyhedron, {});
    part->vertices = s.mesh->vertices;
    part->face_begin.push_back(0);
    for (const auto& triangle : s.mesh->triangles) {
      part->face_vertices.insert(part->face_vertices.end(), triangle.begin(), triangle.end());
      part->face_begin.push_back(static_cast<int>(part->face_vertices.size()));
    }
  }
  void operator()(const shapes::Polyhedron& p) const {
    set(ShapeKind::kPolyhedron, {});
    part->vertices = p.mesh->vertices;
    part->face_begin = p.mesh->face_begin;
    part->face_vertices = p.mesh->face_vertices;
  }
  void set(ShapeKind kind, const std::array<double, 3>& parameters) const {
    part->kind = kind;
    part->parameters = parameters;
  }
};

HeaderPart make_part(const dynamics::Part& part, const dynamics::Body& body) {
  HeaderPart result;
  result.body = part.body;
  result.p_OS = part.placed.X_BS.p - body.p_BO;
  result.R_OS = part.placed.X_BS.R;
  result.touches = part.layer != 0 || part.touches != 0;
  std::visit(ShapeWriter{&result}, part.placed.shape);
  return result;
}

HeaderPart make_visual(const scene::Visual& visual, int body) {
  HeaderPart result;
  result.body = body;
  result.p_OS = visual.placed.X_BS.p;
  result.R_OS = visual.placed.X_BS.R;
  result.touches = false;
  result.colour = visual.colour;
  if (!visual.mesh) {
    std::visit(ShapeWriter{&result}, visual.placed.shape);
    return result;
  }
  result.kind = ShapeKind::kPolyhedron;
  result.vertices = visual.mesh->vertices;
  result.face_begin.push_back(0);
  for (const auto& triangle : visual.mesh->triangles) {
    result.face_vertices.insert(result.face_vertices.end(), triangle.begin(), triangle.end());
    result.face_begin.push_back(static_cast<int>(result.face_vertices.size()));
  }
  return result;
}

using SceneBodies = std::map<std::string, const scene::Body*>;  // by name

HeaderBody make_body(const dynamics::Body& body, int index, const SceneBodies& scene_bodies) {
  HeaderBody result = {.name = body.name,
                       .joint = body.joint.type,
                       .parent = body.joint.parent,
                       .q_begin = body.joint.q_begin,
                       .v_begin = body.joint.v_begin,
                       .material = body.material,
                       .mass = body.mass,
                       .inertia = body.inertia,
                       .p_OB = -body.p_BO};
  const auto found = scene_bodies.find(body.name);
  if (found == scene_bodies.end()) return result;
  result.colour = found->second->colour;
  for (const scene::Visual& visual : found->second->visuals) {
    result.visuals.push_back(make_visual(visual, index));
  }
  return result;
}

}  // namespace

std::string find_method_option(const RunHeader& header, std::string_view key) {
  std::istringstream lines(header.method_options);
  const std::string start = fmt::format("{}: ", key);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

std::vector<const HeaderPart*> list_drawn(const RunHeader& header) {
  std::vector<const HeaderPart*> drawn;
  std::size_t next = 0;
  for (int i = 0; i < header.num_bodies(); ++i) {
    const std::vector<HeaderPart>& visuals = header.bodies[i].visuals;
    for (const HeaderPart& visual : visuals) drawn.push_back(&visual);
    for (; next < header.parts.size() && header.parts[next].body == i; ++next) {
      if (visuals.empty()) drawn.push_back(&header.parts[next]);
    }
  }
  return drawn;
}

std::vector<HeaderBody> make_header_bodies(const scene::Scene& scene,
                                           const dynamics::Model& model) {
  SceneBodies scene_bodies;
  for (const scene::Body& body : scene.bodies) scene_bodies.emplace(body.name, &body);
  std::vector<HeaderBody> bodies;
  bodies.reserve(model.bodies.size());
  for (const dynamics::Body& body : model.bodies) {
    bodies.push_back(make_body(body, static_cast<int>(bodies.size()), scene_bodies));
  }
  return bodies;
}

RunHeader make_run_header(const scene::Scene& scene, const dynamics::Model& model,
                          const std::string& tenpin_version) {
  RunHeader header;
  header.tenpin_version = tenpin_version;
  header.scene_name = scene.name;
  header.scene_file = scene.file;
  header.scene_text = scene.text;
  header.method_name = name_of(scene.method);
  header.method_options = print_resolved(model, scene.method);
  header.seed = scene.seed;
  header.gravity = model.gravity;
  header.until = scene.until;
  header.every = scene.record.every;
  header.contacts = scene.record.contacts;
  header.nq = model.nq;
  header.nv = model.nv;
  header.bodies = make_header_bodies(scene, model);
  for (const dynamics::Material& m : model.materials) {
    header.materials.push_back({m.name, m.mu_along, m.mu_across, m.restitution});
  }
  for (const dynamics::Loop& loop : model.loops) header.loops.push_back(loop.name);
  for (const dynamics::Event& event : model.events) header.events.push_back(event.name);
  for (const dynamics::Part& part : model.parts) {
    header.parts.push_back(make_part(part, model.bodies[part.body]));
  }
  for (const auto& [a, b] : model.always_touch) {
    header.parts[a].touches = header.parts[b].touches = true;
  }
  return header;
}

}  // namespace tenpin::record
