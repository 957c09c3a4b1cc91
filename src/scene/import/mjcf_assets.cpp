#include "scene/import/mjcf_assets.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/check.h"
#include "math/rotation.h"
#include "scene/import/robot.h"
#include "scene/plain_message.h"
#include "shapes/convex_hull.h"

namespace tenpin::scene::mjcf {

namespace {

namespace fs = std::filesystem;

// Thrown if the model's reference to the file is wrong, rather than the file's content.
class BadReference : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace

Assets::Assets(const Element& root, const Settings& settings, const Defaults& defaults,
               const ModelFolder& folder)
    : settings_(settings), folder_(folder) {
  for (const Element& section : root.children()) {
    if (section.tag() != "asset") {
      continue;
    }
    section.mark_read();
    for (const Element& asset : section.children()) {
      add(asset);
    }
  }
  for (auto& [name, mesh] : meshes_) {
    const bool was_read = root.model().document[mesh.index()].read;
    mesh = defaults.resolve(mesh, Defaults::kMain);
    root.model().document[mesh.index()].read = was_read;
  }
}

// Assets are marked as read when something uses them.
void Assets::add(const Element& asset) {
  if (asset.tag() == "material" && asset.has("name")) {
    materials_.emplace(asset.text("name"), asset);
  }
  if (asset.tag() != "mesh" || !(asset.has("name") || asset.has("file"))) {
    return;
  }
  const std::string name = asset.text("name", fs::path(asset.text("file")).stem().string());
  if (!meshes_.emplace(name, asset).second) {
    asset.problem("name", "a second mesh of this name, got " + name + ", want another name");
  }
}

std::optional<MeshGeom> Assets::load_mesh(const Element& geom) {
  const std::string name = geom.required_text("mesh");
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    geom.problem("mesh", "unknown mesh, got " + name + ", " + want_key(name, meshes_));
    return std::nullopt;
  }
  const Element& mesh = found->second;
  mesh.mark_read();
  try {
    return load(mesh, geom);
  } catch (const BadReference& error) {
    mesh.problem("file", plain_message(error));
    return std::nullopt;
  }
}

// Newer files set this for each mesh, older ones for all meshes, and a geom may be a shell of its
// mesh.
MeshInertia Assets::read_inertia(const Element& mesh, const Element& geom) const {
  constexpr std::array<std::string_view, 4> kWords = {"convex", "exact", "legacy", "shell"};
  const std::string word =
      mesh.word("inertia", kWords, settings_.at(mesh).exact_mesh_inertia ? "exact" : "legacy");
  if (geom.flag("shellinertia", false) || word == "shell") {
    return MeshInertia::kShell;
  }
  return word == "exact"    ? MeshInertia::kExact
         : word == "convex" ? MeshInertia::kConvex
                            : MeshInertia::kLegacy;
}

MeshGeom Assets::load(const Element& mesh, const Element& geom) {
  MeshPlacement placement;
  placement.scale = mesh.vector("scale", kPointRange).value_or(Vec3::Ones());
  placement.reference.p = mesh.vector("refpos", kPointRange).value_or(Vec3::Zero());
  if (mesh.has("refquat")) {
    const auto q = mesh.numbers("refquat", 4, 4, kAnyNumber);
    const Quat turn = q ? Quat((*q)[0], (*q)[1], (*q)[2], (*q)[3]) : Quat::Identity();
    if (turn.norm() < 1e-12) {
      throw BadReference("refquat is not a rotation, got a zero quaternion, want another");
    }
    placement.reference.R = to_matrix(turn);
  }
  if (!mesh.has("file")) {
    return load_inline(mesh, geom, placement);
  }
  const std::string file = mesh.text("file");
  const std::string path = resolve(mesh, file);
  MeshGeom result = {.solid =
                         store_.load(path, file, placement, {.inertia = read_inertia(mesh, geom)})};
  if (placement.is_uniform_scale()) {
    result.file = {.path = folder_.relative(path), .scale = placement.scale.x()};
  }
  return result;
}

std::string Assets::resolve(const Element& mesh, const std::string& file) const {
  const Settings& settings = settings_.at(mesh);
  const std::string name = settings.strip_path ? fs::path(file).filename().string() : file;
  // An absolute path stays absolute, and is refused.
  const std::string path = (fs::path(settings.mesh_folder) / name).string();
  const std::string* type = mesh.find("content_type");
  if (type != nullptr && *type != "model/stl" && *type != "model/obj") {
    throw BadReference("mesh format not supported, got " + *type + ", want OBJ or STL");
  }
  const XmlDocument& document = mesh.model().document;
  try {
    return folder_.resolve(folder_.locate(path, document.folder_of(document[mesh.index()].file)));
  } catch (const InputError& error) {
    throw BadReference(error.what());
  }
}

MeshGeom Assets::load_inline(const Element& mesh, const Element& geom,
                             const MeshPlacement& placement) {
  constexpr int kMost = 3'000'000;
  const auto numbers = mesh.numbers("vertex", 12, kMost, kPointRange);
  if (!numbers || numbers->size() % 3 != 0) {
    throw BadReference("mesh without file and vertices, got " +
                       std::to_string(numbers ? numbers->size() : 0) +
                       " numbers, want a file or 3 numbers for each of 4 or more vertices");
  }
  shapes::TriangleMesh triangles;
  for (std::size_t i = 0; i < numbers->size(); i += 3) {
    triangles.vertices.emplace_back((*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]);
  }
  const double last = static_cast<double>(triangles.vertices.size()) - 1.0;
  const auto faces = mesh.numbers("face", 3, kMost, {.low = 0.0, .high = last});
  const std::size_t num_faces = faces ? faces->size() / 3 : 0;
  for (std::size_t i = 0; i < num_faces; ++i) {
    triangles.triangles.push_back({static_cast<int>((*faces)[3 * i]),
                                   static_cast<int>((*faces)[3 * i + 1]),
                                   static_cast<int>((*faces)[3 * i + 2])});
  }
  if (num_faces > 0) {
    return {.solid =
                make_solid(std::move(triangles), placement, {.inertia = read_inertia(mesh, geom)})};
  }
  for (Vec3& v : triangles.vertices) {
    v = (placement.reference.R.transpose() * (v - placement.reference.p))
            .cwiseProduct(placement.scale);
  }
  const auto hull = shapes::make_convex_hull(triangles.vertices);
  const shapes::PlacedShape solid = {shapes::Polyhedron{hull}, {}};
  return {.solid = {.hull = hull, .mass = shapes::calc_mass_properties({&solid, 1}, 1.0)}};
}

std::string Assets::colour(const Element& geom) const {
  constexpr Range kShade = {.low = -1.0, .high = 1e6};
  if (geom.has("rgba") && !split_words(geom.text("rgba")).empty()) {
    const auto rgba = geom.numbers("rgba", 4, 4, kShade);
    return rgba ? make_colour(*rgba) : "";
  }
  const auto found =
      geom.has("material") ? materials_.find(geom.text("material")) : materials_.end();
  if (found == materials_.end() || !found->second.has("rgba")) {
    return "";
  }
  found->second.mark_read();
  const auto rgba = found->second.numbers("rgba", 4, 4, kShade);
  return rgba ? make_colour(*rgba) : "";
}

}  // namespace tenpin::scene::mjcf
