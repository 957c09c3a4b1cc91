#include "lab/viewer_page.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/viewer_arrays.h"
#include "lab/viewer_curves.h"
#include "lab/viewer_frames.h"
#include "lab/viewer_template.h"

namespace tenpin::lab {
namespace {

using Json = nlohmann::json;

constexpr int kPageFormat = 1;
constexpr std::string_view kHeaderPlace = "<!--HEADER-->";
constexpr std::string_view kArraysPlace = "<!--ARRAYS-->";

Json to_json(const Vec3& v) {
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

Json make_polyhedron(const record::HeaderPart& part) {
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
      return {{"kind", "box"}, {"half", {x, y, z}}};
    case record::ShapeKind::kCapsule:
      return {{"kind", "capsule"}, {"radius", x}, {"halfLength", y}};
    case record::ShapeKind::kCylinder:
      return {{"kind", "cylinder"}, {"radius", x}, {"halfLength", y}};
    case record::ShapeKind::kPlane:
      return {{"kind", "plane"}};
    case record::ShapeKind::kPolyhedron:
      return make_polyhedron(part);
  }
  return nullptr;
}

// Equal shapes are stored once, however many bodies have them.
Json pack_parts(const std::vector<record::HeaderPart>& parts, ArrayPacker* packer) {
  Json shapes = Json::array();
  std::map<std::string, std::int32_t> known;
  std::vector<std::int32_t> bodies;
  std::vector<std::int32_t> shape_of;
  std::vector<float> poses;
  for (const record::HeaderPart& part : parts) {
    Json shape = make_shape(part);
    const auto [entry, is_new] = known.emplace(shape.dump(), std::int32_t(shapes.size()));
    if (is_new) shapes.push_back(std::move(shape));
    bodies.push_back(part.body);
    shape_of.push_back(entry->second);
    const Quat q(part.R_OS);
    for (const double value :
         {part.p_OS.x(), part.p_OS.y(), part.p_OS.z(), q.w(), q.x(), q.y(), q.z()})
      poses.push_back(static_cast<float>(value));
  }
  packer->add("part_body", bodies);
  packer->add("part_shape", shape_of);
  packer->add("part_pose", poses);
  return shapes;
}

Json make_bodies(const record::RunHeader& header) {
  Json bodies = Json::array();
  for (const record::HeaderBody& body : header.bodies) {
    bodies.push_back({{"name", body.name},
                      {"material", body.material},
                      {"colour", body.colour},
                      {"joint", joint_name(body.joint)},
                      {"mass", body.mass}});
  }
  return bodies;
}

Json make_verdict(const record::RunReader& run, const CurveSummary& summary) {
  Json failed = Json::array();
  for (const FailedStep& step : summary.failed) {
    failed.push_back({{"step", step.step},
                      {"t", step.t},
                      {"residual", step.residual},
                      {"penetration", step.penetration},
                      {"message", step.message}});
  }
  return {{"status", run.status().to_string()},
          {"message", run.status().message},
          {"complete", run.status().state == record::RunState::kFinished},
          {"steps", run.num_steps()},
          {"certified", summary.num_certified},
          {"failed", failed},
          {"worstResidual", summary.worst_residual},
          {"worstPenetration", summary.worst_penetration}};
}

Json make_header(const record::RunReader& run, const ViewerPageOptions& options,
                 ArrayPacker* packer) {
  const record::RunHeader& header = run.header();
  Json materials = Json::array();
  for (const record::HeaderMaterial& material : header.materials)
    materials.push_back(material.name);
  Json shapes = pack_parts(header.parts, packer);
  const FrameStrides strides = pack_frames(run, options, packer);
  const CurveSummary summary = pack_curves(run, options.max_curve_points, packer);
  Json columns = Json::array();
  for (const Curve& curve : summary.curves)
    columns.push_back({{"key", curve.key}, {"label", curve.label}, {"unit", curve.unit}});
  Json arrays = Json::array();
  for (const PackedArray& array : packer->arrays()) {
    arrays.push_back({{"name", array.name},
                      {"type", array.type},
                      {"length", array.length},
                      {"delta", array.delta}});
  }
  return {{"format", kPageFormat},
          {"scene", header.scene_name},
          {"method", header.method_name},
          {"gravity", to_json(header.gravity)},
          {"bodies", make_bodies(header)},
          {"materials", materials},
          {"shapes", shapes},
          {"verdict", make_verdict(run, summary)},
          {"stepColumns", columns},
          {"stepStride", summary.stride},
          {"frameStride", strides.frames},
          {"contactStride", strides.contacts},
          {"arrays", arrays}};
}

// Names come from files that anybody may have written: no `<` of theirs may reach the page's
// markup.
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

std::string join_template() {
  std::string page;
  for (const std::string_view piece : viewer_template()) page += piece;
  TENPIN_REQUIRE(!page.empty(), "this tenpin was built without the viewer (TENPIN_VIEWER=OFF)");
  return page;
}

}  // namespace

std::string make_viewer_page(const record::RunReader& run, const ViewerPageOptions& options) {
  const std::string page = join_template();
  TENPIN_REQUIRE(run.num_frames() > 0, run.path() + ": has no frame to show");
  const std::size_t header_at = page.find(kHeaderPlace);
  const std::size_t arrays_at = page.find(kArraysPlace);
  TENPIN_DEMAND(header_at < arrays_at && arrays_at != std::string::npos);

  ArrayPacker packer;
  const std::string header = to_script_text(make_header(run, options, &packer));
  const std::string arrays = packer.finish();
  const std::size_t after_header = header_at + kHeaderPlace.size();
  std::string result;
  result.reserve(page.size() + header.size() + arrays.size());
  result.append(page, 0, header_at).append(header);
  result.append(page, after_header, arrays_at - after_header).append(arrays);
  result.append(page, arrays_at + kArraysPlace.size());
  return result;
}

void write_viewer_page(const record::RunReader& run, const std::string& path,
                       const ViewerPageOptions& options) {
  const std::string page = make_viewer_page(run, options);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(page.data(), static_cast<std::streamsize>(page.size()));
  file.close();
  if (file) return;
  std::remove(path.c_str());
  throw record::RecordError(path + ": cannot write the page");
}

}  // namespace tenpin::lab
