#include "record/run_header.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "methods/time_stepping/default_stepping.h"
#include "scene/words.h"
#include "scene/write_text.h"
#include "shapes/convex_mesh.h"
#include "shapes/surface_mesh.h"

namespace tenpin::record {
namespace {

// Includes what the scene left open, and why it was chosen.
std::string list_options(const methods::time_stepping::Stepping& stepping) {
  const scene::TimeSteppingOptions& options = stepping.options;
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  line("step", options.step);
  line("order", *options.order);
  line("order_reason", scene::quote(stepping.order_reason));
  line("passes", options.passes);
  if (*options.order == 1) {
    line("formulation", to_word(*options.formulation, scene::kFormulationWords));
  }
  line("solver", to_word(*options.solver, scene::kSolverWords));
  line("solver_reason", scene::quote(stepping.solver_reason));
  line("contact", options.compliance > 0.0 ? fmt::format("compliance {}", options.compliance)
                  : options.springs        ? "springs"
                                           : "rigid");
  line("restitution", to_word(*options.restitution, scene::kRestitutionWords));
  line("restitution_reason", scene::quote(stepping.restitution_reason));
  line("lever", to_word(options.lever, scene::kLeverWords));
  line("active_set", to_word(options.active_set, scene::kActiveSetWords));
  line("directions", *options.directions);
  line("direction_phase", options.direction_phase);
  line("projection", options.projection);
  line("fixed_point_iterations", options.fixed_point_iterations);
  line("fixed_point_tolerance", options.fixed_point_tolerance);
  line("tolerance", *options.tolerance);
  line("sleeping", options.sleeping);
  return text;
}

std::string list_options(const scene::ImpulseOptions& options) {
  return fmt::format(
      "interval: {}\nenvelope: {}\nlaw: {}\nmicrocollisions: {}\ncap: {}\ntolerance: {}\n",
      options.interval, options.envelope, to_word(options.law, scene::kImpulseLawWords),
      options.microcollisions, options.cap, options.tolerance);
}

std::string list_options(const scene::AnalyticOptions& options) {
  return fmt::format(
      "integrator: {}\nevents: {}\nforces: {}\nfriction: {}\ncollisions: {}\nlaw: {}\n"
      "max_step: {}\ntolerance: {}\nevent_tolerance: {}\nresidual: {}\n",
      to_word(options.integrator, scene::kIntegratorWords),
      to_word(options.events, scene::kEventsWords), to_word(options.forces, scene::kForcesWords),
      to_word(options.friction, scene::kAnalyticFrictionWords),
      to_word(options.collisions, scene::kCollisionsWords),
      options.law ? to_word(*options.law, scene::kAnalyticLawWords) : "by surface",
      options.max_step, options.tolerance, options.event_tolerance, options.residual);
}

std::string list_options(const scene::PenaltyOptions& options) {
  return fmt::format("step: {}\nstiffness: {}\ndamping: {}\n", options.step, options.stiffness,
                     options.damping);
}

std::string list_options(const dynamics::Model& model, const scene::MethodOptions& method) {
  if (method.name == "impulse") return list_options(method.impulse);
  if (method.name == "analytic") return list_options(method.analytic);
  if (method.name == "penalty") return list_options(method.penalty);
  return list_options(methods::time_stepping::choose_stepping(model, method.time_stepping));
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
  void operator()(const shapes::Plane& /*plane*/) const { set(ShapeKind::kPlane, {}); }
  void operator()(const shapes::Bowl& b) const { set(ShapeKind::kBowl, {b.radius}); }
  // Drawn as a polyhedron; it has the same faces.
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
  header.method_name = scene.method.name;
  header.method_options = list_options(model, scene.method);
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
