#include "lab/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/compare_motion.h"
#include "lab/surface_mesh.h"
#include "lab/version.h"

namespace tenpin::lab {

namespace {

using Json = nlohmann::json;
using record::HeaderPart;
using record::RunHeader;

// Constants of the glTF standard.
constexpr int kFloat = 5126;
constexpr int kUnsignedInt = 5125;
constexpr int kArrayBuffer = 34962;
constexpr int kElementArrayBuffer = 34963;

// Okabe and Ito's colours, as in the viewer.
constexpr std::array<std::string_view, 7> kPalette = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#d55e00", "#f0e442"};
constexpr std::string_view kFixedColour = "#8d949b";

// Collects arrays of numbers in one buffer, with a view and an accessor for each.
class Buffer {
 public:
  // Returns the index of the accessor.
  int add_floats(const std::vector<float>& values, std::string_view type, int target,
                 bool with_range) {
    const int width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    Json accessor = make_accessor(values.data(), sizeof(float) * values.size(), target);
    accessor["componentType"] = kFloat;
    accessor["count"] = values.size() / width;
    accessor["type"] = type;
    if (with_range) {
      accessor["min"] = calc_extreme(values, width, -1.0F);
      accessor["max"] = calc_extreme(values, width, 1.0F);
    }
    accessors.push_back(std::move(accessor));
    return static_cast<int>(accessors.size()) - 1;
  }

  int add_indices(const std::vector<std::uint32_t>& values) {
    Json accessor =
        make_accessor(values.data(), sizeof(std::uint32_t) * values.size(), kElementArrayBuffer);
    accessor["componentType"] = kUnsignedInt;
    accessor["count"] = values.size();
    accessor["type"] = "SCALAR";
    accessors.push_back(std::move(accessor));
    return static_cast<int>(accessors.size()) - 1;
  }

  std::string bytes;
  Json views = Json::array();
  Json accessors = Json::array();

 private:
  // All numbers have four bytes, so all arrays are aligned.
  Json make_accessor(const void* data, std::size_t size, int target) {
    Json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    views.push_back(std::move(view));
    bytes.append(static_cast<const char*>(data), size);
    return {{"bufferView", views.size() - 1}};
  }

  static std::vector<float> calc_extreme(const std::vector<float>& values, int width, float sign) {
    std::vector<float> extreme(values.begin(), values.begin() + width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      float& e = extreme[i % width];
      if (sign * values[i] > sign * e) e = values[i];
    }
    return extreme;
  }
};

std::vector<float> to_floats(const std::vector<Vec3>& points) {
  std::vector<float> values;
  for (const Vec3& p : points) {
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(p[i]));
  }
  return values;
}

Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// glTF uses the order x y z w.
Json to_json(const Quat& q) {
  const Quat unit = q.normalized();
  return {unit.x(), unit.y(), unit.z(), unit.w()};
}

// Linear light, 0 ... 1, of one sRGB component. The square deviates from the standard's curve by at
// most 0.04 and needs no power function.
double to_linear(int component) {
  const double s = component / 255.0;
  return s * s;
}

int parse_hex(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    value = 16 * value + (c <= '9' ? c - '0' : lower - 'a' + 10);
  }
  return value;
}

// Parses "#rgb", "#rrggbb" or one of CSS's sixteen basic names; returns nothing for other names.
std::optional<std::array<double, 3>> parse_colour(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kNames = {
      {{"black", "#000000"},
       {"silver", "#c0c0c0"},
       {"gray", "#808080"},
       {"grey", "#808080"},
       {"white", "#ffffff"},
       {"maroon", "#800000"},
       {"red", "#ff0000"},
       {"purple", "#800080"},
       {"green", "#008000"},
       {"lime", "#00ff00"},
       {"olive", "#808000"},
       {"yellow", "#ffff00"},
       {"navy", "#000080"},
       {"blue", "#0000ff"},
       {"teal", "#008080"},
       {"aqua", "#00ffff"},
       {"orange", "#ffa500"}}};
  for (const auto& [name, hex] : kNames) {
    if (text == name) text = hex;
  }
  if (!text.starts_with('#')) return std::nullopt;
  const std::size_t digits = text.size() == 4 ? 1 : 2;
  std::array<double, 3> rgb = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const int value = parse_hex(text.substr(1 + i * digits, digits));
    rgb[i] = to_linear(digits == 1 ? 17 * value : value);
  }
  return rgb;
}

bool is_still(const record::HeaderBody& body) {
  return body.joint == dynamics::JointType::kFixed && body.parent < 0;
}

// Builds the document.
class Document {
 public:
  explicit Document(const record::RunReader& run)
      : run_(run),
        header_(run.header()),
        drawn_(record::list_drawn(header_)),
        start_(run.read_frame(0)) {}

  Json make() {
    read_motion();
    const double extent = calc_extent();
    Json roots = Json::array();
    for (int b = 0; b < header_.num_bodies(); ++b) roots.push_back(add_body(b, extent));
    add_animation();
    // The world's z becomes glTF's y.
    const double s = std::sqrt(0.5);
    nodes_.push_back({{"name", "world"}, {"rotation", {-s, 0.0, 0.0, s}}, {"children", roots}});
    return assemble();
  }

  const std::string& bytes() const { return buffer_.bytes; }

 private:
  // Reads the poses of all frames as floats; frames whose times are equal as floats are merged.
  void read_motion() {
    const std::size_t count = header_.bodies.size();
    translation_.resize(count);
    rotation_.resize(count);
    std::vector<Quat> last(count, Quat::Identity());
    for (std::int64_t k = 0; k < run_.num_frames(); ++k) {
      const record::RunFrame frame = run_.read_frame(k);
      const auto t = static_cast<float>(frame.t - start_.t);
      if (!times_.empty() && t <= times_.back()) continue;
      times_.push_back(t);
      for (std::size_t b = 0; b < count; ++b) {
        if (is_still(header_.bodies[b])) continue;
        const record::BodyMotion& body = frame.bodies[b];
        Quat q = body.orientation.normalized();
        if (q.dot(last[b]) < 0.0) q.coeffs() = -q.coeffs();
        last[b] = q;
        for (int i = 0; i < 3; ++i) {
          translation_[b].push_back(static_cast<float>(body.position[i]));
        }
        for (const double c : {q.x(), q.y(), q.z(), q.w()}) {
          rotation_[b].push_back(static_cast<float>(c));
        }
      }
    }
  }

  // m   Half the edge of the square that shows a plane: large enough for the bodies and their
  // paths.
  double calc_extent() const {
    const std::vector<double> radii = calc_body_radii(header_);
    double extent = 0.5;
    for (std::size_t b = 0; b < radii.size(); ++b) {
      if (radii[b] == 0.0) continue;
      extent = std::max(extent, start_.bodies[b].position.norm() + radii[b]);
      for (const float c : translation_[b]) {
        extent = std::max(extent, std::fabs(double{c}) + radii[b]);
      }
    }
    return 1.25 * extent;
  }

  int add_material(const record::HeaderBody& body, const std::string& part_colour) {
    std::string colour = part_colour.empty() ? body.colour : part_colour;
    if (!parse_colour(colour)) {
      colour = is_still(body) ? kFixedColour : kPalette[body.material % kPalette.size()];
    }
    const auto [entry, is_new] = material_of_.emplace(colour, static_cast<int>(materials_.size()));
    if (is_new) {
      const auto [r, g, b] = *parse_colour(colour);
      materials_.push_back({{"name", colour},
                            {"pbrMetallicRoughness",
                             {{"baseColorFactor", {r, g, b, 1.0}},
                              {"metallicFactor", 0.0},
                              {"roughnessFactor", 0.6}}}});
    }
    return entry->second;
  }

  // Adds the points of a shape; equal shapes share their points.
  const Json& add_geometry(const HeaderPart& part, double extent) {
    std::string key = fmt::format("{} {} {}", static_cast<int>(part.kind),
                                  fmt::join(part.parameters, " "), part.rounding);
    for (const Vec3& p : part.vertices) key += fmt::format(" {} {} {}", p.x(), p.y(), p.z());
    key += fmt::format(" {}", fmt::join(part.face_vertices, " "));
    const auto [entry, is_new] = geometry_of_.try_emplace(std::move(key));
    if (is_new) {
      const SurfaceMesh mesh = make_surface_mesh(part, extent);
      entry->second = {
          {"indices", buffer_.add_indices(mesh.triangles)},
          {"attributes",
           {{"POSITION", buffer_.add_floats(to_floats(mesh.positions), "VEC3", kArrayBuffer, true)},
            {"NORMAL", buffer_.add_floats(to_floats(mesh.normals), "VEC3", kArrayBuffer, false)}}}};
    }
    return entry->second;
  }

  int add_mesh(const HeaderPart& part, double extent) {
    Json primitive = add_geometry(part, extent);
    primitive["material"] = add_material(header_.bodies[part.body], part.colour);
    const auto [entry, is_new] =
        mesh_of_.emplace(primitive.dump(), static_cast<int>(meshes_.size()));
    if (is_new) meshes_.push_back({{"primitives", Json::array({std::move(primitive)})}});
    return entry->second;
  }

  // Returns the index of the node.
  int add_body(int b, double extent) {
    const record::BodyMotion& start = start_.bodies[b];
    Json children = Json::array();
    // They are grouped by body.
    for (; next_part_ < drawn_.size() && drawn_[next_part_]->body == b; ++next_part_) {
      const HeaderPart& part = *drawn_[next_part_];
      children.push_back(nodes_.size());
      nodes_.push_back({{"mesh", add_mesh(part, extent)},
                        {"translation", to_json(part.p_OS)},
                        {"rotation", to_json(Quat(part.R_OS))}});
    }
    Json node = {{"name", header_.bodies[b].name},
                 {"translation", to_json(start.position)},
                 {"rotation", to_json(start.orientation)}};
    if (!children.empty()) node["children"] = std::move(children);
    nodes_.push_back(std::move(node));
    node_of_body_.push_back(static_cast<int>(nodes_.size()) - 1);
    return node_of_body_.back();
  }

  void add_animation() {
    if (times_.size() < 2) return;
    const int input = buffer_.add_floats(times_, "SCALAR", 0, true);
    const auto add_channel = [&](int body, const char* path, int output) {
      channels_.push_back({{"sampler", samplers_.size()},
                           {"target", {{"node", node_of_body_[body]}, {"path", path}}}});
      samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    for (int b = 0; b < header_.num_bodies(); ++b) {
      if (translation_[b].empty()) continue;
      add_channel(b, "translation", buffer_.add_floats(translation_[b], "VEC3", 0, false));
      add_channel(b, "rotation", buffer_.add_floats(rotation_[b], "VEC4", 0, false));
    }
  }

  Json assemble() {
    Json json = {{"asset", {{"version", "2.0"}, {"generator", std::string("tenpin ") + kVersion}}},
                 {"scene", 0}};
    const Json scene = {{"name", header_.scene_name}, {"nodes", Json::array({nodes_.size() - 1})}};
    json["scenes"] = Json::array({scene});
    json["nodes"] = std::move(nodes_);
    const auto add = [&json](const char* name, Json* list) {
      if (!list->empty()) json[name] = std::move(*list);
    };
    add("meshes", &meshes_);
    add("materials", &materials_);
    add("bufferViews", &buffer_.views);
    add("accessors", &buffer_.accessors);
    const Json buffer = {{"byteLength", buffer_.bytes.size()}};
    if (!buffer_.bytes.empty()) json["buffers"] = Json::array({buffer});
    if (channels_.empty()) return json;
    const Json animation = {{"name", "run"}, {"channels", channels_}, {"samplers", samplers_}};
    json["animations"] = Json::array({animation});
    return json;
  }

  const record::RunReader& run_;
  const RunHeader& header_;
  std::vector<const HeaderPart*> drawn_;
  record::RunFrame start_;
  Buffer buffer_;
  std::size_t next_part_ = 0;
  std::vector<float> times_;                                // s
  std::vector<std::vector<float>> translation_, rotation_;  // of each body
  std::map<std::string, Json> geometry_of_;
  std::map<std::string, int> mesh_of_, material_of_;
  std::vector<int> node_of_body_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array();
  Json channels_ = Json::array(), samplers_ = Json::array();
};

void append_word(std::size_t value, std::string* out) {
  const auto word = static_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) *out += static_cast<char>(word >> shift & 0xFFU);
}

}  // namespace

std::string make_glb(const record::RunReader& run) {
  TENPIN_REQUIRE(run.num_frames() > 0, run.path() + ": has no frame to export");
  Document document(run);
  std::string json = document.make().dump(-1, ' ', false, Json::error_handler_t::replace);
  json.append((4 - json.size() % 4) % 4, ' ');
  const std::string& bytes = document.bytes();
  // The file consists of a header, then a chunk of JSON and a chunk of numbers.
  const std::size_t size = 12 + 8 + json.size() + (bytes.empty() ? 0 : 8 + bytes.size());
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw LimitError(
        fmt::format("{}: a glTF file of {} bytes, want at most 4 GiB: record fewer "
                    "frames (record.every)",
                    run.path(), size));
  }
  std::string glb = "glTF";
  append_word(2, &glb);
  append_word(size, &glb);
  append_word(json.size(), &glb);
  glb += "JSON" + json;
  if (bytes.empty()) return glb;
  append_word(bytes.size(), &glb);
  glb += std::string("BIN\0", 4) + bytes;
  return glb;
}

}  // namespace tenpin::lab
