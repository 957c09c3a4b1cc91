#include "lab/viewer_header.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {
namespace {

using Json = nlohmann::json;

constexpr int kPageFormat = 4;

Json to_list(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

std::string_view joint_name(dynamics::JointType type) {
  switch (type) {
    case dynamics::JointType::kFree:
      return "free";
    case dynamics::JointType::kPlanar:
      return "planar";
    case dynamics::JointType::kFixed:
      return "fixed";
    case dynamics::JointType::kPrescribed:
      return "prescribed";
    case dynamics::JointType::kHinge:
      return "hinge";
    case dynamics::JointType::kSlider:
      return "slider";
    case dynamics::JointType::kBall:
      return "ball";
  }
  return "";
}

Json list_polyhedron(const record::HeaderPart& part) {
  Json vertices = Json::array();
  for (const Vec3& p : part.vertices)
    for (int i = 0; i < 3; ++i) vertices.push_back(p[i]);
  Json triangles = Json::array();
  for (std::size_t f = 0; f + 1 < part.face_begin.size(); ++f) {
    const int begin = part.face_begin[f];
    for (int k = begin + 2; k < part.face_begin[f + 1]; ++k)
      for (const int corner : {begin, k - 1, k}) triangles.push_back(part.face_vertices[corner]);
  }
  return {{"kind", "polyhedron"}, {"vertices", vertices}, {"triangles", triangles}};
}

Json make_shape(const record::HeaderPart& part) {
  const auto& [x, y, z] = part.parameters;
  switch (part.kind) {
    case record::ShapeKind::kSphere:
      return {{"kind", "sphere"}, {"radius", x}};
    case record::ShapeKind::kBox:
      if (part.rounding > 0.0) {
        return {{"kind", "box"}, {"half", {x, y, z}}, {"radius", part.rounding}};
      }
      return {{"kind", "box"}, {"half", {x, y, z}}};
    case record::ShapeKind::kCapsule:
      return {{"kind", "capsule"}, {"radius", x}, {"halfLength", y}};
    case record::ShapeKind::kCylinder:
      return {{"kind", "cylinder"}, {"radius", x}, {"halfLength", y}};
    case record::ShapeKind::kCone:
      return {{"kind", "cone"}, {"radius", x}, {"halfLength", y}};
    case record::ShapeKind::kPlane:
      return {{"kind", "plane"}};
    case record::ShapeKind::kBowl:
      return {{"kind", "bowl"}, {"radius", x}};
    case record::ShapeKind::kEllipsoid:
      return {{"kind", "ellipsoid"}, {"semiaxes", {x, y, z}}};
    case record::ShapeKind::kPolyhedron:
      return list_polyhedron(part);
  }
  return nullptr;
}

// How the page treats a shape: a part that is drawn itself; a part that visual shapes replace,
// which a switch of the page shows; or a visual shape.
enum class Role : std::uint8_t { kPart, kCollision, kVisual };

struct ShownPart {
  const record::HeaderPart* part;
  Role role;
};

std::vector<ShownPart> list_parts(const record::RunHeader& header) {
  const auto has_visuals = [&header](const record::HeaderPart& part) {
    return !header.bodies[part.body].visuals.empty();
  };
  std::vector<ShownPart> shown;
  for (const record::HeaderPart* part : record::list_drawn(header)) {
    shown.push_back({part, has_visuals(*part) ? Role::kVisual : Role::kPart});
  }
  for (const record::HeaderPart& part : header.parts) {
    if (has_visuals(part) && part.touches) shown.push_back({&part, Role::kCollision});
  }
  return shown;
}

// Packs shapes. Equal shapes are stored once, however many bodies use them.
Json pack_parts(const std::vector<ShownPart>& parts, ArrayPacker* packer) {
  Json shapes = Json::array();
  std::map<std::string, std::int32_t> known;
  std::vector<std::int32_t> bodies;
  std::vector<std::int32_t> shape_of;
  std::vector<float> poses;
  std::vector<std::uint8_t> roles;
  for (const auto& [shown, role] : parts) {
    const record::HeaderPart& part = *shown;
    Json shape = make_shape(part);
    const auto [entry, is_new] = known.emplace(shape.dump(), std::int32_t(shapes.size()));
    if (is_new) shapes.push_back(std::move(shape));
    bodies.push_back(part.body);
    roles.push_back(static_cast<std::uint8_t>(role));
    shape_of.push_back(entry->second);
    const Quat q(part.R_OS);
    for (const double value :
         {part.p_OS.x(), part.p_OS.y(), part.p_OS.z(), q.w(), q.x(), q.y(), q.z()})
      poses.push_back(static_cast<float>(value));
  }
  packer->add("part_body", bodies);
  packer->add("part_shape", shape_of);
  packer->add("part_pose", poses);
  packer->add("part_role", roles);
  return shapes;
}

// Lists the colours of the parts; "" for a part with the colour of its body.
Json list_part_colours(const std::vector<ShownPart>& parts) {
  Json colours = Json::array();
  for (const ShownPart& shown : parts) colours.push_back(shown.part->colour);
  return colours;
}

Json make_bodies(const record::RunHeader& header) {
  Json bodies = Json::array();
  for (const record::HeaderBody& body : header.bodies) {
    bodies.push_back({{"name", body.name},
                      {"material", body.material},
                      {"colour", body.colour},
                      {"joint", joint_name(body.joint)},
                      {"parent", body.parent},
                      {"mass", body.mass}});
  }
  return bodies;
}

}  // namespace

Json make_viewer_header(const record::RunHeader& header, ArrayPacker* packer) {
  Json materials = Json::array();
  Json friction = Json::array();
  for (const record::HeaderMaterial& material : header.materials) {
    materials.push_back(material.name);
    friction.push_back(material.mu_along);
  }
  const std::vector<ShownPart> parts = list_parts(header);
  return {{"format", kPageFormat},
          {"scene", header.scene_name},
          {"method", header.method_name},
          {"gravity", to_list(header.gravity)},
          {"until", header.until},
          {"bodies", make_bodies(header)},
          {"materials", materials},
          {"friction", friction},
          {"shapes", pack_parts(parts, packer)},
          {"partColours", list_part_colours(parts)},
          {"loops", header.loops},
          {"startOverlaps", header.start.overlaps}};
}

Json make_viewer_verdict(const record::RunStatus& status, const CurveSummary& summary) {
  Json failed = Json::array();
  for (const FailedStep& step : summary.failed) {
    failed.push_back({{"step", step.step},
                      {"t", step.t},
                      {"residual", step.residual},
                      {"penetration", step.penetration},
                      {"message", step.message}});
  }
  return {{"status", status.to_string()},
          {"message", status.message},
          {"complete", status.state == record::RunState::kFinished},
          {"steps", summary.num_steps},
          {"certified", summary.num_certified},
          {"failed", failed},
          {"worstResidual", summary.worst_residual},
          {"worstPenetration", summary.worst_penetration}};
}

Json list_curves(const Curves& curves) {
  Json columns = Json::array();
  for (const Curves::Column& column : curves.columns())
    columns.push_back({{"key", column.key}, {"label", column.label}, {"unit", column.unit}});
  return columns;
}

Json list_arrays(const ArrayPacker& packer) {
  Json arrays = Json::array();
  for (const PackedArray& array : packer.arrays()) {
    arrays.push_back({{"name", array.name},
                      {"type", array.type},
                      {"length", array.length},
                      {"delta", array.delta}});
  }
  return arrays;
}

std::string to_script_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace tenpin::lab
