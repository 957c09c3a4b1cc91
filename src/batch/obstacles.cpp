// Reasons why a scene cannot run in a batch.
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "batch/batch_scene.h"
#include "contact/finder.h"
#include "methods/time_stepping/default_stepping.h"
#include "scene/parse_yaml.h"

namespace tenpin::batch {

namespace {

using scene::Problem;
using Options = scene::TimeSteppingOptions;

constexpr double kNeedle = 1e3;  // ratio of moments; beyond it free_rotation.h loses digits

// Collects problems, with their places in the file.
class Obstacles {
 public:
  explicit Obstacles(const scene::Scene& scene) : scene_(scene) {
    try {
      root_ = scene::parse_yaml(scene.text, scene.file);
    } catch (const scene::SceneError&) {  // not YAML: a model in another format has no such places
      root_ = {};
    }
  }

  void add(std::span<const std::string> path, const std::string& text) {
    Problem problem = {.file = scene_.file, .text = text};
    const scene::Node* node = &root_;
    for (const std::string& key : path) {
      problem.path += (problem.path.empty() ? "" : ".") + key;
      const scene::Node* next = node == nullptr ? nullptr : find(*node, key);
      node = next;
      if (node == nullptr) continue;
      problem.line = node->place.line;
      problem.column = node->place.column;
    }
    problems.push_back(std::move(problem));
  }
  void add_body(int body, const std::string& text) {
    const std::string& name = scene_.bodies[static_cast<std::size_t>(body)].name;
    const std::string path[] = {"bodies", name};
    add(path, "a batch cannot do " + text);
  }
  void add_method(const std::string& key, const std::string& text) {
    const std::string path[] = {"method", std::string(name_of(scene_.method)), key};
    add(path, text);
  }

  std::vector<Problem> problems;

 private:
  // The value of a map's key, or the item of a list with that name.
  static const scene::Node* find(const scene::Node& node, const std::string& key) {
    if (!node.is_list()) return node.find(key);
    for (const scene::Node& item : node.items) {
      const scene::Node* name = item.find("name");
      if (name != nullptr && name->text == key) return &item;
    }
    return nullptr;
  }

  const scene::Scene& scene_;
  scene::Node root_;
};

void check_method(const scene::Scene& scene, const dynamics::Model& model, Obstacles* out) {
  if (!std::holds_alternative<Options>(scene.method)) {
    const std::string path[] = {"method"};
    out->add(path, "a batch cannot do this method, got " + std::string(name_of(scene.method)) +
                       ", want time-stepping");
    return;
  }
  const auto& named = std::get<Options>(scene.method);
  const Options options = methods::time_stepping::choose_stepping(model, named).options;
  if (*options.order != 1) {
    out->add_method("order", "a batch cannot do order 2, want order: 1");
  }
  if (*options.order == 1 && *options.solver != Options::Solver::kCone) {
    out->add_method("solver", "a batch cannot do the polyhedral cone, want solver: cone");
  }
  if (!(options.compliance > 0.0) || options.springs) {
    out->add_method("contact", std::string("a batch cannot do ") +
                                   (options.springs ? "springs" : "rigid contacts") +
                                   ", want contact: {compliance: 0.03} or the like");
  }
  if (*options.order == 1 && *options.formulation != Options::Formulation::kPosition) {
    out->add_method("formulation", "a batch cannot do this formulation, want position");
  }
  if (*options.restitution == Options::Restitution::kPoisson) {
    out->add_method("restitution", "a batch cannot do poisson, want none or newton");
  }
  if (options.lever == Options::Lever::kPrinted) {
    out->add_method("lever", "a batch cannot do printed, want full");
  }
  if (options.sleeping) out->add_method("sleeping", "a batch cannot do sleeping, want false");
  if (!scene.events.empty()) {
    const std::string path[] = {"events"};
    out->add(path, "a batch cannot do events, want a scene without");
  }
  const double steps = scene.until / options.step;
  if (!(std::fabs(steps - std::round(steps)) <= 1e-9 * steps)) {
    const std::string path[] = {"until"};
    out->add(path, "a batch takes whole steps, got " + to_text(steps) +
                       " of them, want a multiple of " + to_text(options.step) + " s");
  }
}

std::string name_shape(const shapes::Shape& shape) {
  if (const auto* hull = std::get_if<shapes::Polyhedron>(&shape)) {
    const int corners = hull->mesh->num_vertices();
    if (corners > kMaxOwnCorners) {
      return "meshes with " + std::to_string(corners) + " vertices, more than " +
             std::to_string(kMaxOwnCorners);
    }
  }
  if (std::holds_alternative<shapes::Bowl>(shape)) return "bowls";
  if (std::holds_alternative<shapes::Ellipsoid>(shape)) return "ellipsoids";
  if (std::holds_alternative<shapes::Cone>(shape)) return "cones";
  if (std::holds_alternative<shapes::TriangleSurface>(shape)) return "triangle surfaces";
  const auto* box = std::get_if<shapes::Box>(&shape);
  if (box != nullptr && box->radius > 0.0) return "boxes with round edges";
  return "";
}

void check_body(const scene::Scene& scene, const dynamics::Model& model, int i, Obstacles* out) {
  const dynamics::Body& body = model.bodies[static_cast<std::size_t>(i)];
  const scene::Body& said = scene.bodies[static_cast<std::size_t>(i)];
  switch (said.joint) {
    case scene::JointKind::kFree:
      break;
    case scene::JointKind::kFixed:
      if (!stands_still(model, i)) out->add_body(i, "bodies that are fixed to moving ones");
      break;
    case scene::JointKind::kPrescribed:
      out->add_body(i, "prescribed motions");
      break;
    default:
      out->add_body(i, "joints");
      break;
  }
  if (!body.applied.is_zero()) {
    out->add_body(i, "forces on bodies");
  }
  if (body.is_mobile() && body.moments.maxCoeff() > kNeedle * body.moments.minCoeff()) {
    out->add_body(i, "needles, whose moments of inertia differ by more than a thousand");
  }
  for (int k = body.parts_begin; k < body.parts_end; ++k) {
    const std::string name = name_shape(model.parts[static_cast<std::size_t>(k)].placed.shape);
    if (!model.parts[static_cast<std::size_t>(k)].surface_velocity.isZero(0.0)) {
      out->add_body(i, "surface velocities");
    }
    if (name.empty()) continue;
    out->add_body(i, name + ", want spheres, capsules, sharp boxes, cylinders and small meshes");
    break;
  }
}

// For example "boxes"; "" for a shape that may meet all others.
std::string name_solid(const shapes::Shape& shape) {
  if (std::holds_alternative<shapes::Box>(shape)) return "boxes";
  if (std::holds_alternative<shapes::Cylinder>(shape)) return "cylinders";
  if (std::holds_alternative<shapes::Polyhedron>(shape)) return "meshes";
  return "";
}

// Reports solids with faces that may meet, by the first two bodies that have such shapes.
void check_solids(const dynamics::Model& model, Obstacles* out) {
  const contact::ContactFinder finder(model);
  std::vector<std::string> names;
  for (const dynamics::Part& part : model.parts) names.push_back(name_solid(part.placed.shape));
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; !names[i].empty() && j < names.size(); ++j) {
      if (names[j].empty() || !finder.may_touch(static_cast<int>(i), static_cast<int>(j))) continue;
      const int a = model.parts[i].body, b = model.parts[j].body;
      out->add_body(model.bodies[static_cast<std::size_t>(b)].is_mobile() ? b : a,
                    names[i] + " that meet " + names[j] + " (" +
                        model.bodies[static_cast<std::size_t>(a)].name + " and " +
                        model.bodies[static_cast<std::size_t>(b)].name +
                        "), want spheres, capsules or a plane on one side");
      return;
    }
  }
}

// Names the kind of friction that a batch does not support; null if it supports this friction.
const char* find_unsupported(const scene::Friction& f) {
  if (f.limit) return "limit surfaces of friction";
  if (f.along != f.across) return "friction that differs along and across";
  if (f.torsion > 0.0) return "friction of spin";
  if (f.rolling > 0.0) return "rolling friction";
  if (f.viscous > 0.0) return "viscous friction";
  return f.stribeck_speed > 0.0 ? "static friction" : nullptr;
}

void check_materials(const scene::Scene& scene, Obstacles* out) {
  for (const scene::Material& material : scene.materials) {
    const char* what = find_unsupported(material.friction);
    if (what == nullptr) continue;
    const std::string path[] = {"materials", material.name, "friction"};
    out->add(path, std::string("a batch cannot do ") + what);
  }
}

}  // namespace

std::vector<Problem> find_obstacles(const scene::Scene& scene, const dynamics::Model& model) {
  Obstacles out(scene);
  check_method(scene, model, &out);
  if (!model.loops.empty()) {
    const std::string path[] = {"loops"};
    out.add(path, "a batch cannot do loops");
  }
  int num_loose = 0;
  int num_fixed = 0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[static_cast<std::size_t>(i)];
    check_body(scene, model, i, &out);
    (body.is_mobile() ? num_loose : num_fixed) +=
        body.is_mobile() ? 1 : body.parts_end - body.parts_begin;
  }
  const std::string path[] = {"bodies"};
  if (num_loose > kMaxBodies) {
    out.add(path, "too many loose bodies for a batch, got " + std::to_string(num_loose) +
                      ", want at most " + std::to_string(kMaxBodies));
  }
  if (num_fixed > kMaxFixed) {
    out.add(path, "too many fixed shapes for a batch, got " + std::to_string(num_fixed) +
                      ", want at most " + std::to_string(kMaxFixed));
  }
  check_solids(model, &out);
  check_materials(scene, &out);
  return std::move(out.problems);
}

}  // namespace tenpin::batch
