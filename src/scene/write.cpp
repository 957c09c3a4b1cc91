#include "scene/write.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "base/text.h"
#include "scene/read_events.h"
#include "scene/words.h"
#include "scene/write_mechanism.h"
#include "scene/write_method.h"
#include "scene/write_text.h"
#include "shapes/convex_mesh.h"

namespace tenpin::scene {

namespace {

std::string write_limit(const FrictionLimit& limit) {
  using LimitKind = FrictionLimit::Kind;
  std::string points;
  for (const Vec3& p : limit.points) {
    const bool is_flat = limit.kind == LimitKind::kPolygon;
    points += points.empty() ? "" : ", ";
    points += is_flat ? pair(to_text(p.x()), to_text(p.y())) : list(p);
  }
  const char* key = limit.kind == LimitKind::kPolygon    ? "polygon"
                    : limit.kind == LimitKind::kPolytope ? "polytope"
                                                         : "ellipsoid";
  return Map("limit").add(key, "[" + points + "]").text();
}

std::string write_friction(const Friction& friction) {
  Map map("friction");
  if (friction.limit) {
    map.add("limit", write_limit(*friction.limit)).add("axis", friction.axis);
    return map.add("rolling", friction.rolling).add("viscous", friction.viscous).text();
  }
  map.add("along", friction.along);
  if (std::bit_cast<std::uint64_t>(friction.across) !=
      std::bit_cast<std::uint64_t>(friction.along)) {
    map.add("across", friction.across);
  }
  if (friction.axis != Vec3::Zero()) {
    map.add("axis", friction.axis);
  }
  map.add("torsion", friction.torsion).add("rolling", friction.rolling);
  if (friction.stat != 0.0) {
    map.add("static", friction.stat);
  }
  map.add("stribeck_speed", friction.stribeck_speed).add("viscous", friction.viscous);
  return map.text() == Map("friction").add("along", friction.along).text() ? to_text(friction.along)
                                                                           : map.text();
}

std::string write_materials(const Scene& scene) {
  std::string materials;
  for (const Material& material : scene.materials) {
    Map map("material");
    map.add("friction", write_friction(material.friction));
    map.add("restitution", material.restitution);
    if (material.stiffness > 0.0) map.add("stiffness", material.stiffness);
    if (map.empty() && &material == scene.materials.data()) continue;  // it exists in every scene
    materials += "  " + quote(material.name) + ": " + map.text() + "\n";
  }
  std::string result = materials.empty() ? "" : "materials:\n" + materials;
  result += scene.pairs.empty() ? "" : "pairs:\n";
  for (const MaterialPair& pair : scene.pairs) {
    const auto name = [&](int index) {
      return quote(scene.materials[static_cast<std::size_t>(index)].name);
    };
    Map map("pair");
    map.add("between", "[" + name(pair.first) + ", " + name(pair.second) + "]");
    map.add("friction", pair.friction).add("restitution", pair.restitution);
    result += "  - " + map.text() + "\n";
  }
  return result;
}

struct WriteShape {
  const MeshFile& file;

  Map write_file() const {
    return Map("mesh").add("file", quote(file.path)).add("scale", file.scale);
  }

  std::string write_heights(const shapes::HeightPlacement& placement) const {
    Map map("heights");
    map.add("file", quote(file.path));
    if (placement.spacing > 0.0) map.add("spacing", placement.spacing);
    const auto add_pair = [&map](const char* key, const Vec2& value) {
      if (!value.isZero(0.0)) map.add(key, pair(to_text(value.x()), to_text(value.y())));
    };
    add_pair("size", placement.size);
    add_pair("range", placement.range);
    return "heights: " + map.text();
  }

  std::string operator()(const shapes::Sphere& sphere) const {
    return "sphere: " + Map("sphere").add("radius", sphere.radius).text();
  }
  std::string operator()(const shapes::Box& box) const {
    Map map("box");
    map.add("half", box.half);
    if (box.radius > 0.0) map.add("radius", box.radius);
    return "box: " + map.text();
  }
  std::string operator()(const shapes::Ellipsoid& ellipsoid) const {
    return "ellipsoid: " + Map("ellipsoid").add("semiaxes", ellipsoid.semiaxes).text();
  }
  std::string operator()(const shapes::Capsule& rod) const {
    return "capsule: " +
           Map("capsule").add("radius", rod.radius).add("length", 2.0 * rod.half_length).text();
  }
  std::string operator()(const shapes::Cylinder& rod) const {
    return "cylinder: " +
           Map("cylinder").add("radius", rod.radius).add("length", 2.0 * rod.half_length).text();
  }
  std::string operator()(const shapes::Cone& cone) const {
    return "cone: " +
           Map("cone").add("radius", cone.radius).add("length", 2.0 * cone.half_length).text();
  }
  std::string operator()(const shapes::Plane& /*plane*/) const { return "plane: {}"; }
  std::string operator()(const shapes::Bowl& bowl) const {
    return "bowl: " + Map("bowl").add("radius", bowl.radius).text();
  }
  std::string operator()(const shapes::TriangleSurface& /*surface*/) const {
    if (file.heights) return write_heights(*file.heights);
    return "mesh: " + write_file().add("static", std::string("true")).text();
  }
  std::string operator()(const shapes::Polyhedron& polyhedron) const {
    if (!file.path.empty()) {
      return "mesh: " + write_file().add("parts", std::to_string(file.parts)).text();
    }
    std::string points;
    for (const Vec3& vertex : polyhedron.mesh->vertices) {
      points += (points.empty() ? "\n          " : ",\n          ") + list(vertex);
    }
    return "polyhedron: " + Map("polyhedron").add("points", "[" + points + "]").text();
  }
};

std::string write_options(const PartOptions& options, const Scene& scene) {
  constexpr std::string_view kIndent = "        ";
  std::string result;
  if (options.material >= 0) {
    const std::string& name = scene.materials[static_cast<std::size_t>(options.material)].name;
    result += "        material: " + quote(name) + "\n";
  }
  result += write_line(kIndent, "shape", "surface_velocity", list(options.surface_velocity));
  if (options.layer == 0 && options.touches == 0) return result + "        collides: false\n";
  return result + write_line(kIndent, "shape", "layer", std::to_string(options.layer)) +
         write_line(kIndent, "shape", "touches", std::to_string(options.touches));
}

std::string write_surface(const shapes::TriangleMesh& mesh, const MeshFile& file) {
  if (!file.path.empty()) {
    return "mesh: " + Map("mesh").add("file", quote(file.path)).add("scale", file.scale).text();
  }
  std::string points;
  for (const Vec3& vertex : mesh.vertices) {
    points += (points.empty() ? "\n          " : ",\n          ") + list(vertex);
  }
  // A list of points must have at least four; points that belong to no face are not drawn.
  for (std::size_t i = mesh.vertices.size(); i < 4; ++i) {
    points += ",\n          " + list(mesh.vertices.back());
  }
  std::string faces;
  for (const auto& [a, b, c] : mesh.triangles) {
    faces += (faces.empty() ? "\n          [" : ",\n          [") + std::to_string(a) + ", " +
             std::to_string(b) + ", " + std::to_string(c) + "]";
  }
  return "polyhedron: " +
         Map("polyhedron").add("points", "[" + points + "]").add("faces", "[" + faces + "]").text();
}

std::string write_placement(const Pose& X_BS) {
  const std::string R = list(X_BS.R);
  const bool is_turned = R != list(Mat3(Mat3::Identity()));
  return write_line("        ", "shape", "position", list(X_BS.p)) +
         (is_turned ? "        orientation: {matrix: " + R + "}\n" : std::string());
}

std::string write_visuals(const Body& body) {
  std::string result;
  for (const Visual& visual : body.visuals) {
    result += "      - " +
              (visual.mesh ? write_surface(*visual.mesh, visual.file)
                           : std::visit(WriteShape{visual.file}, visual.placed.shape)) +
              "\n";
    result += write_placement(visual.placed.X_BS);
    result += "        visual: true\n";
    if (!visual.colour.empty()) result += "        colour: " + quote(visual.colour) + "\n";
  }
  return result;
}

std::string write_shapes(const Body& body, const Scene& scene) {
  const bool is_empty = body.parts.empty() && body.visuals.empty();
  std::string result = is_empty ? "" : "    shapes:\n";
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const shapes::PlacedShape& part = body.parts[i];
    if (body.part_files[i].piece > 0) continue;  // written with the first piece
    result += "      - " + std::visit(WriteShape{body.part_files[i]}, part.shape) + "\n";
    result += write_placement(part.X_BS);
    result += write_options(body.part_options[i], scene);
  }
  return result + write_visuals(body);
}

std::string write_inertia(const Body& body) {
  if (body.mass == 0.0) {
    return "    mass: 0\n";
  }
  return "    mass: " + to_text(body.mass) + "\n    center_of_mass: " + list(body.center) +
         "\n    inertia: " + list(body.inertia) + "\n";
}

std::string write_forces(const Body& body) {
  std::string result = body.forces.empty() ? "" : "    forces:\n";
  for (const Force& force : body.forces) {
    result += "      - " +
              Map("force")
                  .add("force", force.force, force.force_table)
                  .add("torque", force.torque, force.torque_table)
                  .add("viscous", force.viscous)
                  .add("viscous_spin", force.viscous_spin)
                  .add("drag", force.drag)
                  .add_during(force.during)
                  .text() +
              "\n";
  }
  return result;
}

std::string write_body(const Body& body, const Scene& scene) {
  const std::string& material = scene.materials[static_cast<std::size_t>(body.material)].name;
  std::string result = "  - name: " + quote(body.name) + "\n";
  if (body.parent != kWorld) {
    result +=
        "    parent: " + quote(scene.bodies[static_cast<std::size_t>(body.parent)].name) + "\n";
    if (body.touches_parent) result += "    touches_parent: true\n";
  }
  if (body.joint != JointKind::kFree) result += "    " + write_joint(body) + "\n";
  if (!is_default("body", "material", material))
    result += "    material: " + quote(material) + "\n";
  // Written even if they are the defaults, because studies and --set change single components of
  // them.
  result += "    position: " + list(body.position) + "\n";
  result += write_line("    ", "body", "orientation", list(body.orientation));
  const bool held = body.joint == JointKind::kFixed || body.joint == JointKind::kPrescribed;
  if (!held || body.parent != kWorld) {
    result += write_inertia(body) + write_forces(body);
  }
  const bool loose = body.joint == JointKind::kFree || body.joint == JointKind::kPlanar;
  if (loose && body.parent == kWorld) {
    result += "    velocity: " + list(body.velocity) + "\n";
    result += "    angular_velocity: " + list(body.angular_velocity) + "\n";
  }
  if (!body.colour.empty()) {
    result += "    colour: " + quote(body.colour) + "\n";
  }
  return result + write_shapes(body, scene);
}

}  // namespace

std::string write_scene(const Scene& scene) {
  std::string result = "tenpin: 1\n";
  if (!scene.name.empty()) {
    result += "name: " + quote(scene.name) + "\n";
  }
  result += "gravity: " + list(scene.gravity) + "\n";
  result += write_line("", "scene", "seed", std::to_string(scene.seed));
  result += write_materials(scene);
  result += scene.bodies.empty() ? "" : "bodies:\n";
  for (const Body& body : scene.bodies) {
    result += write_body(body, scene);
  }
  result += write_loops(scene) + write_touch(scene) + write_events(scene);
  result += "method: {" + write_method(scene.method) + "}\n";
  const Map start =
      Map("start").add("overlaps", std::string(to_word(scene.start.overlaps, kOverlapsWords)));
  if (!start.empty()) result += "start: " + start.text() + "\n";
  Map record("record");
  record.add("every", scene.record.every);
  record.add("contacts", std::string(to_word(scene.record.contacts, kContactsWords)));
  if (!record.empty()) result += "record: " + record.text() + "\n";
  return result + "until: " + to_text(scene.until) + "\n";
}

}  // namespace tenpin::scene
