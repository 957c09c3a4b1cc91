#include "simulation/public.h"
// The line above must come first.
#include <fmt/format.h>

#include "scene/problem.h"
#include "scene/read.h"
#include "scene/scene.h"
#include "simulation/scene_errors.h"

namespace tenpin {

namespace {

constexpr const char* kFile = "scene built in code";

std::string to_yaml_text(double x) {
  return fmt::format("{}", x);
}

std::string to_yaml_text(const Vec3& x) {
  return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z());
}

// The text quoted as in JSON, which is valid YAML.
std::string quote(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string to_map(const Fields& fields) {
  std::string result = "{";
  for (const auto& [key, value] : fields) {
    result += fmt::format("{}{}: {}", result.size() > 1 ? ", " : "", key, value);
  }
  return result + "}";
}

std::string to_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

Fields to_fields(const LoopEnds& ends) {
  return {{"bodies", to_list({quote(ends.body_a), quote(ends.body_b)})},
          {"anchors", to_list({to_yaml_text(ends.anchor_a), to_yaml_text(ends.anchor_b)})}};
}

std::string to_loop(const std::string& name, const char* kind, const Fields& fields) {
  return to_map({{"name", quote(name)}, {kind, to_map(fields)}});
}

void add(const char* key, const std::optional<double>& value, Fields* fields) {
  if (value) fields->emplace_back(key, to_yaml_text(*value));
}

void add(const char* key, const std::optional<Vec3>& value, Fields* fields) {
  if (value) fields->emplace_back(key, to_yaml_text(*value));
}

std::string to_map(const Motor& motor, bool is_hinge) {
  Fields fields;
  add(is_hinge ? "torque" : "force", motor.force, &fields);
  add("velocity", motor.velocity, &fields);
  add("position", motor.position, &fields);
  add("gain", motor.gain, &fields);
  add("stiffness", motor.stiffness, &fields);
  add("damping", motor.damping, &fields);
  add("limit", motor.limit, &fields);
  return to_map(fields);
}

}  // namespace

BodyBuilder& BodyBuilder::set(const std::string& key, const std::string& yaml) {
  fields_.emplace_back(key, yaml);
  return *this;
}

BodyBuilder& BodyBuilder::fixed() {
  return set("fixed", "true");
}

BodyBuilder& BodyBuilder::parent(const std::string& name) {
  return set("parent", quote(name));
}

BodyBuilder& BodyBuilder::material(const std::string& name) {
  return set("material", quote(name));
}

BodyBuilder& BodyBuilder::mass(double kg) {
  return set("mass", to_yaml_text(kg));
}

BodyBuilder& BodyBuilder::density(double kg_per_m3) {
  return set("density", to_yaml_text(kg_per_m3));
}

BodyBuilder& BodyBuilder::inertia(const Vec3& moments) {
  return set("inertia", to_yaml_text(moments));
}

BodyBuilder& BodyBuilder::center_of_mass(const Vec3& p) {
  return set("center_of_mass", to_yaml_text(p));
}

BodyBuilder& BodyBuilder::position(const Vec3& p) {
  return set("position", to_yaml_text(p));
}

BodyBuilder& BodyBuilder::orientation(const Quat& q) {
  return set("orientation", fmt::format("[{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z()));
}

BodyBuilder& BodyBuilder::velocity(const Vec3& linear, const Vec3& angular) {
  return set("velocity", to_yaml_text(linear)).set("angular_velocity", to_yaml_text(angular));
}

BodyBuilder& BodyBuilder::force(const Vec3& force, const Vec3& torque) {
  return set(
      "forces",
      "[" + to_map({{"force", to_yaml_text(force)}, {"torque", to_yaml_text(torque)}}) + "]");
}

BodyBuilder& BodyBuilder::motion(const Vec3& velocity, const Vec3& angular_velocity) {
  return set("motion", to_map({{"velocity", to_yaml_text(velocity)},
                               {"angular_velocity", to_yaml_text(angular_velocity)}}));
}

BodyBuilder& BodyBuilder::set_joint(const std::string& kind, const Joint& joint) {
  Fields fields;
  add("axis", joint.axis, &fields);
  add("anchor", joint.anchor, &fields);
  add("at", joint.at, &fields);
  add("rate", joint.rate, &fields);
  if (joint.limits) {
    fields.emplace_back("limits", fmt::format("[{}, {}]", (*joint.limits)[0], (*joint.limits)[1]));
  }
  add("stiffness", joint.stiffness, &fields);
  add("damping", joint.damping, &fields);
  add("friction", joint.friction, &fields);
  add("armature", joint.armature, &fields);
  if (joint.motor) fields.emplace_back("motor", to_map(*joint.motor, kind == "hinge"));
  return set("joint", to_map({{kind, to_map(fields)}}));
}

BodyBuilder& BodyBuilder::hinge(const Joint& joint) {
  return set_joint("hinge", joint);
}

BodyBuilder& BodyBuilder::slider(const Joint& joint) {
  return set_joint("slider", joint);
}

BodyBuilder& BodyBuilder::ball(const Joint& joint) {
  return set_joint("ball", joint);
}

BodyBuilder& BodyBuilder::planar(const Vec3& x, const Vec3& y) {
  return set("joint",
             to_map({{"planar", to_map({{"x", to_yaml_text(x)}, {"y", to_yaml_text(y)}})}}));
}

void BodyBuilder::add_shape(const std::string& kind, const std::string& yaml, const Vec3& at) {
  Fields fields = {{kind, yaml}};
  if (!at.isZero(0.0)) fields.emplace_back("position", to_yaml_text(at));
  shapes_.push_back(to_map(fields));
}

BodyBuilder& BodyBuilder::sphere(double radius, const Vec3& at) {
  add_shape("sphere", to_map({{"radius", to_yaml_text(radius)}}), at);
  return *this;
}

BodyBuilder& BodyBuilder::box(const Vec3& size, const Vec3& at, double radius) {
  Fields fields = {{"size", to_yaml_text(size)}};
  if (radius != 0.0) fields.emplace_back("radius", to_yaml_text(radius));
  add_shape("box", to_map(fields), at);
  return *this;
}

BodyBuilder& BodyBuilder::capsule(double radius, double length, const Vec3& at) {
  add_shape("capsule", to_map({{"radius", to_yaml_text(radius)}, {"length", to_yaml_text(length)}}),
            at);
  return *this;
}

BodyBuilder& BodyBuilder::cylinder(double radius, double length, const Vec3& at) {
  add_shape("cylinder",
            to_map({{"radius", to_yaml_text(radius)}, {"length", to_yaml_text(length)}}), at);
  return *this;
}

BodyBuilder& BodyBuilder::cone(double radius, double length, const Vec3& at) {
  add_shape("cone", to_map({{"radius", to_yaml_text(radius)}, {"length", to_yaml_text(length)}}),
            at);
  return *this;
}

BodyBuilder& BodyBuilder::ellipsoid(const Vec3& semiaxes, const Vec3& at) {
  add_shape("ellipsoid", to_map({{"semiaxes", to_yaml_text(semiaxes)}}), at);
  return *this;
}

BodyBuilder& BodyBuilder::plane(const Vec3& normal, const Vec3& at) {
  add_shape("plane", to_map({{"normal", to_yaml_text(normal)}}), at);
  return *this;
}

BodyBuilder& BodyBuilder::polyhedron(const std::vector<Vec3>& points) {
  std::vector<std::string> items;
  items.reserve(points.size());
  for (const Vec3& p : points) items.push_back(to_yaml_text(p));
  add_shape("polyhedron", to_map({{"points", to_list(items)}}), Vec3::Zero());
  return *this;
}

BodyBuilder& BodyBuilder::shape(const std::string& yaml) {
  shapes_.push_back(yaml);
  return *this;
}

SceneBuilder& SceneBuilder::set(const std::string& key, const std::string& yaml) {
  fields_.emplace_back(key, yaml);
  return *this;
}

SceneBuilder& SceneBuilder::name(const std::string& text) {
  return set("name", quote(text));
}

SceneBuilder& SceneBuilder::gravity(const Vec3& g) {
  return set("gravity", to_yaml_text(g));
}

SceneBuilder& SceneBuilder::until(double seconds) {
  until_ = seconds;
  return *this;
}

SceneBuilder& SceneBuilder::material(const std::string& name, double friction, double restitution) {
  materials_.push_back(
      fmt::format("{}: {{friction: {}, restitution: {}}}", quote(name), friction, restitution));
  return *this;
}

SceneBuilder& SceneBuilder::pair(const std::string& a, const std::string& b, double friction,
                                 double restitution) {
  pairs_.push_back(fmt::format("{{between: [{}, {}], friction: {}, restitution: {}}}", quote(a),
                               quote(b), friction, restitution));
  return *this;
}

SceneBuilder& SceneBuilder::method(const std::string& name, const Fields& settings) {
  return set("method", to_map({{name, to_map(settings)}}));
}

SceneBuilder& SceneBuilder::ball_loop(const std::string& name, const LoopEnds& ends) {
  loops_.push_back(to_loop(name, "ball", to_fields(ends)));
  return *this;
}

SceneBuilder& SceneBuilder::hinge_loop(const std::string& name, const LoopEnds& ends,
                                       const Vec3& axis_a, const Vec3& axis_b) {
  Fields fields = to_fields(ends);
  fields.emplace_back("axes", to_list({to_yaml_text(axis_a), to_yaml_text(axis_b)}));
  loops_.push_back(to_loop(name, "hinge", fields));
  return *this;
}

SceneBuilder& SceneBuilder::weld_loop(const std::string& name, const LoopEnds& ends) {
  loops_.push_back(to_loop(name, "weld", to_fields(ends)));
  return *this;
}

SceneBuilder& SceneBuilder::distance_loop(const std::string& name, const LoopEnds& ends,
                                          double length) {
  Fields fields = to_fields(ends);
  fields.emplace_back("length", to_yaml_text(length));
  loops_.push_back(to_loop(name, "distance", fields));
  return *this;
}

SceneBuilder& SceneBuilder::coupling(const std::string& name, const std::string& a,
                                     const std::string& b, const std::vector<double>& polynomial) {
  loops_.push_back(to_loop(name, "coupling",
                           {{"joints", to_list({quote(a), quote(b)})},
                            {"polynomial", fmt::format("[{}]", fmt::join(polynomial, ", "))}}));
  return *this;
}

BodyBuilder& SceneBuilder::body(const std::string& name) {
  bodies_.push_back(std::make_unique<BodyBuilder>());
  return bodies_.back()->set("name", quote(name));
}

std::string SceneBuilder::to_yaml() const {
  std::string text = "tenpin: 1\n";
  for (const auto& [key, value] : fields_) text += fmt::format("{}: {}\n", key, value);
  if (!materials_.empty()) {
    text += fmt::format("materials: {{{}}}\n", fmt::join(materials_, ", "));
  }
  if (!pairs_.empty()) text += "pairs: " + to_list(pairs_) + "\n";
  text += bodies_.empty() ? "" : "bodies:\n";
  for (const auto& body : bodies_) {
    Fields fields = body->fields_;
    if (!body->shapes_.empty()) fields.emplace_back("shapes", to_list(body->shapes_));
    text += "  - " + to_map(fields) + "\n";
  }
  if (!loops_.empty()) text += "loops: " + to_list(loops_) + "\n";
  return text + "until: " + to_yaml_text(until_) + "\n";
}

Scene SceneBuilder::build() const {
  return simulation::with_public_errors([this] {
    try {
      return Scene(std::make_shared<scene::Scene>(scene::parse_scene(to_yaml(), kFile)));
    } catch (const scene::SceneError& error) {
      // Removes lines and columns, because they belong to a text that the caller has not written.
      std::vector<scene::Problem> problems = error.problems();
      for (scene::Problem& problem : problems) problem.line = problem.column = 0;
      throw scene::SceneError(std::move(problems));
    }
  });
}

}  // namespace tenpin
