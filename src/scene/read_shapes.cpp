#include "scene/read_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "math/rotation.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/contained_file.h"
#include "scene/format.h"
#include "scene/import/mass_sum.h"
#include "scene/plain_message.h"
#include "scene/read_rotation.h"
#include "scene/values.h"
#include "shapes/convex_hull.h"
#include "shapes/decompose.h"
#include "shapes/height_field.h"
#include "shapes/mesh_file.h"
#include "shapes/surface_mesh.h"

namespace tenpin::scene {

namespace {

// A shape and its pose in the frame that `position` and `orientation` place.
struct Part {
  shapes::Shape shape;
  Pose X_PS = {};
  MeshFile file = {};
  std::vector<shapes::Shape> more = {};  // further pieces of the mesh
};

// A rotation from z to the named axis by a cyclic permutation of the axes, which is exact.
Mat3 axis_rotation(const Node& map) {
  Mat3 R = Mat3::Identity();
  const Node* axis = map.find("axis");
  if (axis != nullptr && axis->text == "x") {
    R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  } else if (axis != nullptr && axis->text == "y") {
    R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  }
  return R;
}

// A rotation from z to a unit vector. In the upper half this is the shortest rotation; in the lower
// half it is the rotation to the opposite vector after half a turn about x, so that the divisor is
// never small.
Mat3 rotation_of_z_to(const Vec3& normal) {
  if (normal.z() < 0.0) {
    return rotation_of_z_to(-normal) * Vec3(1, -1, -1).asDiagonal();
  }
  const Mat3 K = skew(Vec3::UnitZ().cross(normal));
  return Mat3::Identity() + K + K * K / (1.0 + normal.z());
}

bool has_extension(std::string_view path, std::string_view wanted) {
  const auto same = [](char a, char b) {
    return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b);
  };
  return path.size() >= wanted.size() &&
         std::equal(wanted.begin(), wanted.end(),
                    path.end() - static_cast<std::ptrdiff_t>(wanted.size()), [&](char w, char p) {
                      return same(p, w);
                    });
}

class ShapeReader {
 public:
  ShapeReader(MeshLibrary* library, ProblemList* problems)
      : library_(*library), problems_(*problems) {}

  std::optional<Part> read(const Node& entry, const std::string& path) {
    for (const std::string_view kind : shape_kinds()) {
      if (const Node* node = entry.find(kind)) {
        return read_kind(kind, *node, fmt::format("{}.{}", path, kind));
      }
    }
    return std::nullopt;
  }

  // A shape that is only drawn.
  std::optional<Visual> read_visual(const Node& entry, const std::string& path) {
    for (const std::string_view kind : {"plane", "bowl", "heights"}) {
      if (const Node* node = entry.find(kind)) {
        problems_.add(node->place, fmt::format("{}.{}", path, kind),
                      "not with visual: true, got a shape without end, want another one");
        return std::nullopt;
      }
    }
    Visual visual;
    if (const Node* colour = entry.find("colour")) visual.colour = colour->text;
    if (const Node* node = entry.find("mesh")) {
      for (const std::string_view key : {"parts", "static"}) {
        if (const Node* value = node->find(key)) {
          problems_.add(value->place, fmt::format("{}.mesh.{}", path, key),
                        "not with visual: true, got it, want the key removed");
        }
      }
      visual.mesh = read_surface(*node, path + ".mesh", &visual.file);
      return visual.mesh ? std::optional(visual) : std::nullopt;
    }
    const Node* node = entry.find("polyhedron");
    if (node != nullptr && node->find("faces") != nullptr) {
      visual.mesh = read_faces(*node, path + ".polyhedron.faces");
      return visual.mesh ? std::optional(visual) : std::nullopt;
    }
    const std::optional<Part> part = read(entry, path);
    if (!part) return std::nullopt;
    visual.placed = {part->shape, part->X_PS};
    return visual;
  }

 private:
  std::shared_ptr<const shapes::TriangleMesh> read_surface(const Node& node,
                                                           const std::string& path,
                                                           MeshFile* file) {
    const Node& name = *node.find("file");
    file->path = name.text;
    take(node, "scale", &file->scale);
    const auto added = library_.surfaces.try_emplace({file->path, file->scale});
    std::shared_ptr<const shapes::TriangleMesh>& surface = added.first->second;
    if (added.second) {
      read_file(*file, name.place, path + ".file", 1, [&](const shapes::TriangleMesh& mesh) {
        surface = std::make_shared<const shapes::TriangleMesh>(shapes::weld(mesh));
      });
    }
    return surface;
  }

  std::shared_ptr<const shapes::TriangleMesh> read_faces(const Node& node,
                                                         const std::string& path) {
    shapes::TriangleMesh mesh;
    for (const Node& point : node.find("points")->items) mesh.vertices.push_back(to_vector(point));
    const auto count = static_cast<double>(mesh.vertices.size());
    for (const Node& face : node.find("faces")->items) {
      std::array<int, 3> corners = {};
      for (std::size_t i = 0; i < 3; ++i) {
        const double corner = to_number(face.items[i]);
        if (corner >= count) {
          problems_.add(face.items[i].place, path,
                        fmt::format("no such point, got {}, want a number from 0 to {}", corner,
                                    count - 1.0));
          return nullptr;
        }
        corners[i] = static_cast<int>(corner);
      }
      mesh.triangles.push_back(corners);
    }
    return std::make_shared<const shapes::TriangleMesh>(std::move(mesh));
  }

  std::optional<Part> read_kind(std::string_view kind, const Node& node, const std::string& path) {
    if (kind == "sphere") {
      return Part{shapes::Sphere{.radius = to_number(*node.find("radius"))}};
    }
    if (kind == "box") {
      return read_box(node, path);
    }
    if (kind == "ellipsoid") {
      return Part{shapes::Ellipsoid{.semiaxes = to_vector(*node.find("semiaxes"))}};
    }
    if (kind == "capsule" || kind == "cylinder" || kind == "cone") {
      return read_rod(kind, node);
    }
    if (kind == "plane") {
      return read_plane(node, path);
    }
    if (kind == "bowl") {
      return Part{shapes::Bowl{.radius = to_number(*node.find("radius"))}};
    }
    if (kind == "polyhedron") {
      return read_polyhedron(node, path);
    }
    if (kind == "heights") {
      return read_heights(node, path);
    }
    return read_mesh(node, path);
  }

  std::optional<Part> read_heights(const Node& node, const std::string& path) {
    const Node& name = *node.find("file");
    HeightSurface wanted = {.path = name.text, .placement = {}, .surface = nullptr};
    shapes::HeightPlacement& placement = wanted.placement;
    take(node, "spacing", &placement.spacing);
    const auto take_pair = [&node](const char* key, Vec2* pair) {
      const Node* list = node.find(key);
      if (list != nullptr) *pair = {to_number(list->items[0]), to_number(list->items[1])};
    };
    take_pair("size", &placement.size);
    take_pair("range", &placement.range);
    const auto is_wanted = [&wanted](const HeightSurface& known) {
      return known.path == wanted.path && known.placement == wanted.placement;
    };
    auto known = std::find_if(library_.heights.begin(), library_.heights.end(), is_wanted);
    if (known == library_.heights.end()) {
      wanted.surface = load_heights(node, placement, path);
      known = library_.heights.insert(known, wanted);
    }
    if (!known->surface) return std::nullopt;
    const MeshFile file{.path = wanted.path, .heights = placement};
    return Part{shapes::TriangleSurface{known->surface}, {}, file};
  }

  std::shared_ptr<const shapes::SurfaceMesh> load_heights(const Node& node,
                                                          const shapes::HeightPlacement& placement,
                                                          const std::string& path) {
    const Node& name = *node.find("file");
    const Node* range = node.find("range");
    const bool is_picture = has_extension(name.text, ".png");
    if (is_picture != (range != nullptr)) {
      problems_.add(range != nullptr ? range->place : node.place, path + ".range",
                    is_picture ? "missing, got a picture, want the heights of black and white"
                               : "only with a PNG picture, got it, want the key removed");
      return nullptr;
    }
    if (!is_picture && !has_extension(name.text, ".csv")) {
      problems_.add(name.place, path + ".file",
                    "not a height field, got " + excerpt(name.text) + ", want a .csv or .png file");
      return nullptr;
    }
    std::string place = name.text + (is_picture ? ": " : ":");
    try {
      const std::string resolved = resolve_contained(library_.folder, name.text);
      const std::string bytes = read_regular_file(resolved, shapes::kMaxMeshFileBytes);
      shapes::HeightGrid grid =
          is_picture ? shapes::parse_grey_png(bytes) : shapes::parse_height_table(bytes);
      const Vec2& black_white = placement.range;
      for (double& height : grid.heights) {
        if (is_picture) height = black_white.x() + height * (black_white.y() - black_white.x());
      }
      return shapes::make_surface_mesh(shapes::make_height_mesh(grid, placement));
    } catch (const InputError& error) {
      const bool is_parsed = std::string_view(error.what()).find(name.text) == std::string::npos;
      problems_.add(name.place, path + ".file",
                    "bad height field, got " + (is_parsed ? place : "") + error.what() +
                        ", want a CSV file of heights or a grey PNG picture");
      return nullptr;
    }
  }

  std::optional<Part> read_box(const Node& node, const std::string& path) {
    // -   Chosen: a core this much thinner than the box still has faces and edges of its own.
    constexpr double kRoundest = 0.99;
    shapes::Box box;
    take(node, "size", &box.half);
    box.half *= 0.5;
    take(node, "half", &box.half);
    take(node, "radius", &box.radius);
    const double most = kRoundest * box.half.minCoeff();
    if (box.radius <= most) return Part{box};
    problems_.add(node.find("radius")->place, path + ".radius",
                  fmt::format("too round, got {}, want at most {} (0.99 of the shortest half edge)",
                              box.radius, most));
    return std::nullopt;
  }

  static Part read_rod(std::string_view kind, const Node& node) {
    const double radius = to_number(*node.find("radius"));
    const double half_length = 0.5 * to_number(*node.find("length"));
    const Pose X_PS = {.R = axis_rotation(node)};
    if (kind == "capsule") {
      return Part{shapes::Capsule{.radius = radius, .half_length = half_length}, X_PS};
    }
    if (kind == "cone") {
      return Part{shapes::Cone{.radius = radius, .half_length = half_length}, X_PS};
    }
    return Part{shapes::Cylinder{.radius = radius, .half_length = half_length}, X_PS};
  }

  Part read_plane(const Node& node, const std::string& path) {
    Vec3 normal = Vec3::UnitZ();
    if (const Node* direction = node.find("normal")) {
      normal = read_direction(*direction, path + ".normal", &problems_);
    }
    double offset = 0.0;
    take(node, "offset", &offset);
    return Part{shapes::Plane{}, {.R = rotation_of_z_to(normal), .p = normal * offset}};
  }

  std::optional<Part> read_polyhedron(const Node& node, const std::string& path) {
    if (const Node* faces = node.find("faces")) {
      problems_.add(faces->place, path + ".faces",
                    "only with visual: true, got it, want the key removed");
    }
    const Node& points = *node.find("points");
    std::vector<Vec3> corners;
    corners.reserve(points.items.size());
    for (const Node& point : points.items) {
      corners.push_back(to_vector(point));
    }
    auto mesh = make_hull(corners, points.place, path + ".points");
    return mesh ? std::optional(Part{shapes::Polyhedron{mesh}}) : std::nullopt;
  }

  std::optional<Part> read_mesh(const Node& node, const std::string& path) {
    const Node& name = *node.find("file");
    MeshFile file{.path = name.text};
    take(node, "scale", &file.scale);
    if (const Node* parts = node.find("parts")) file.parts = static_cast<int>(to_integer(*parts));
    bool is_static = false;
    take(node, "static", &is_static);
    if (is_static && node.find("parts") != nullptr) {
      problems_.add(node.find("parts")->place, path + ".parts",
                    "not with static: true, got it, want one of the two keys removed");
      return std::nullopt;
    }
    LoadedMesh& loaded = library_.meshes[{file.path, file.scale, is_static ? 0 : file.parts}];
    if (loaded.hulls.empty() && !loaded.surface) {
      loaded = load(file, is_static, name.place, path + ".file");
    }
    if (!loaded.note.empty() && !std::exchange(loaded.is_noted, true)) {
      library_.notes.push_back({.line = name.place.line,
                                .column = name.place.column,
                                .path = path + ".file",
                                .text = file.path + ": " + loaded.note});
    }
    if (loaded.surface) return Part{shapes::TriangleSurface{loaded.surface}, {}, file};
    if (loaded.hulls.empty()) return std::nullopt;
    Part part = {shapes::Polyhedron{loaded.hulls.front()}, {}, file};
    for (std::size_t i = 1; i < loaded.hulls.size(); ++i) {
      part.more.emplace_back(shapes::Polyhedron{loaded.hulls[i]});
    }
    return part;
  }

  LoadedMesh load(const MeshFile& file, bool is_static, const Place& place,
                  const std::string& path) {
    LoadedMesh loaded;
    const std::size_t least = is_static ? 1 : shapes::kLeastTriangles;
    read_file(file, place, path, least, [&](const shapes::TriangleMesh& mesh) {
      loaded = is_static        ? LoadedMesh{.surface = shapes::make_surface_mesh(mesh)}
               : file.parts > 1 ? make_pieces(mesh, file.parts)
                                : make_one(mesh);
    });
    return loaded;
  }

  // Passes a mesh with at least this many triangles on, in metres, or adds a problem.
  template <typename Use>
  void read_file(const MeshFile& file, const Place& place, const std::string& path,
                 std::size_t least, const Use& use) {
    std::string resolved;
    try {
      resolved = resolve_contained(library_.folder, file.path);
      shapes::TriangleMesh mesh = shapes::read_mesh_file(resolved, least);
      for (Vec3& vertex : mesh.vertices) {
        vertex *= file.scale;
      }
      use(mesh);
    } catch (const InputError& error) {
      // Before the path is resolved, an error concerns the path; afterwards it concerns the file's
      // content.
      const std::string text = plain_message(error, resolved);
      problems_.add(place, path,
                    resolved.empty() ? text
                                     : "bad mesh, got " + file.path + text +
                                           (least == 1 ? ", want an OBJ or STL file of triangles"
                                                       : ", want an OBJ or STL file of a solid"));
    }
  }

  static LoadedMesh make_one(const shapes::TriangleMesh& mesh) {
    const shapes::MeshHull hull = shapes::make_mesh_hull(mesh);
    return {.hulls = {hull.mesh}, .note = hull.note};
  }

  static LoadedMesh make_pieces(const shapes::TriangleMesh& mesh, int parts) {
    const shapes::TriangleMesh welded = shapes::weld(mesh);
    const shapes::Closedness closedness = shapes::check_closed(welded);
    if (!closedness.closed()) {
      throw InputError(": cannot be cut into pieces, it is " + closedness.problem());
    }
    const shapes::Decomposition pieces = shapes::decompose(welded, parts);
    return {.hulls = pieces.pieces,
            .mass = calc_mesh_mass(welded),
            .note = fmt::format("{} convex pieces used; they add {:.3g} % to the volume {:.6g} m^3",
                                pieces.pieces.size(), 100.0 * pieces.added / pieces.volume,
                                pieces.volume)};
  }

  std::shared_ptr<const shapes::ConvexMesh> make_hull(const std::vector<Vec3>& corners,
                                                      const Place& place, const std::string& path) {
    try {
      return shapes::make_convex_hull(corners);
    } catch (const InputError& error) {
      problems_.add(place, path,
                    "no solid, got " + plain_message(error, "convex hull: ") +
                        ", want points that span a volume");
      return nullptr;
    }
  }

  MeshLibrary& library_;
  ProblemList& problems_;
};

// The product of two poses. Skips a product with the identity, which would only lose the sign of
// zeros.
Pose place_part(const Pose& X_BP, const Pose& X_PS) {
  const bool untouched = X_PS.R == Mat3::Identity() && X_PS.p == Vec3::Zero();
  return untouched ? X_BP : X_BP * X_PS;
}

PartOptions read_options(const Node& entry, const std::string& path, const MaterialIndex& materials,
                         ProblemList* problems) {
  PartOptions options;
  if (const Node* material = entry.find("material")) {
    options.material = find_material(materials, *material, path + ".material", problems);
  }
  take(entry, "surface_velocity", &options.surface_velocity);
  take(entry, "layer", &options.layer);
  take(entry, "touches", &options.touches);
  bool collides = true;
  take(entry, "collides", &collides);
  if (collides) {
    return options;
  }
  for (const std::string_view key : {"layer", "touches"}) {
    if (const Node* node = entry.find(key)) {
      problems->add(node->place, path + "." + std::string(key),
                    "not with collides: false, got it, want one of the two keys removed");
    }
  }
  options.layer = options.touches = 0;
  return options;
}

// Refuses keys for contact and mass at a shape that is only drawn, and keys for drawing at other
// shapes.
void refuse_keys(const Node& entry, const std::string& path, bool is_visual,
                 ProblemList* problems) {
  constexpr std::array<std::string_view, 5> kOfParts = {"material", "layer", "touches", "collides",
                                                        "surface_velocity"};
  constexpr std::array<std::string_view, 1> kOfVisuals = {"colour"};
  const auto refuse = [&](std::span<const std::string_view> keys, const char* problem) {
    for (const std::string_view key : keys) {
      if (const Node* node = entry.find(key)) {
        problems->add(node->place, path + "." + std::string(key), problem);
      }
    }
  };
  if (is_visual) {
    refuse(kOfParts, "not with visual: true, got it, want one of the two keys removed");
  } else {
    refuse(kOfVisuals, "only with visual: true, got it, want it at the body");
  }
}

// Reads one list after another into a body: the body's list, and those of its groups.
class ShapeListReader {
 public:
  ShapeListReader(const ShapeContext& context, Body* body, ProblemList* problems)
      : context_(context), body_(*body), problems_(*problems), reader_(context.library, problems) {}

  void read(const Node& shapes, const std::string& path, const Pose* X_BG) {
    for (std::size_t i = 0; i < shapes.items.size(); ++i) {
      const Node& entry = shapes.items[i];
      const std::string here = path + "[" + std::to_string(i) + "]";
      Pose X_BP;
      take(entry, "position", &X_BP.p);
      if (const Node* orientation = entry.find("orientation")) {
        X_BP.R = read_rotation(*orientation, here + ".orientation", &problems_);
      }
      if (X_BG != nullptr) X_BP = *X_BG * X_BP;
      if (const Node* name = entry.find("group")) {
        read_group(*name, entry, here, X_BG != nullptr ? nullptr : &X_BP);
      } else {
        read_shape(entry, here, X_BP);
      }
    }
  }

 private:
  void read_shape(const Node& entry, const std::string& path, const Pose& X_BP) {
    bool is_visual = false;
    take(entry, "visual", &is_visual);
    refuse_keys(entry, path, is_visual, &problems_);
    if (is_visual) {
      if (auto visual = reader_.read_visual(entry, path)) {
        visual->placed.X_BS = place_part(X_BP, visual->placed.X_BS);
        body_.visuals.push_back(std::move(*visual));
      }
      return;
    }
    if (const auto part = reader_.read(entry, path)) {
      const PartOptions options = read_options(entry, path, context_.materials, &problems_);
      const auto add = [&](const shapes::Shape& shape, int piece) {
        body_.parts.push_back({shape, place_part(X_BP, part->X_PS)});
        body_.part_files.push_back(part->file);
        body_.part_files.back().piece = piece;
        body_.part_options.push_back(options);
      };
      add(part->shape, 0);
      for (const shapes::Shape& shape : part->more) add(shape, body_.part_files.back().piece + 1);
    }
  }

  // Reads a group. `X_BG` is null inside another group.
  void read_group(const Node& name, const Node& entry, const std::string& path, const Pose* X_BG) {
    if (X_BG == nullptr) {
      problems_.add(name.place, path + ".group",
                    "a group in a group, got " + excerpt(name.text) + ", want its shapes");
      return;
    }
    for (const std::string_view key :
         {"material", "layer", "touches", "collides", "surface_velocity", "visual", "colour"}) {
      if (const Node* node = entry.find(key)) {
        problems_.add(node->place, path + "." + std::string(key),
                      "not with a group, got it, want it at the group's shapes");
      }
    }
    const Node* group = context_.groups != nullptr ? context_.groups->find(name.text) : nullptr;
    if (group == nullptr) {
      std::vector<std::string_view> names;
      if (context_.groups != nullptr) {
        for (const Key& key : context_.groups->keys) names.push_back(key.text);
      }
      problems_.add(name.place, path + ".group",
                    "unknown group, got " + excerpt(name.text) + ", " +
                        (names.empty() ? "want a name of `groups`, which the scene does not have"
                                       : want_one_of(name.text, names)));
      return;
    }
    read(*group, "groups." + name.text, X_BG);
  }

  const ShapeContext& context_;
  Body& body_;
  ProblemList& problems_;
  ShapeReader reader_;
};

}  // namespace

std::int64_t count_shapes(const Node& shapes, const Node* groups) {
  std::int64_t count = 0;
  for (const Node& entry : shapes.items) {
    const Node* name = entry.find("group");
    const Node* group = name != nullptr && groups != nullptr ? groups->find(name->text) : nullptr;
    count += group != nullptr ? static_cast<std::int64_t>(group->items.size()) : 1;
  }
  return count;
}

void read_shapes(const Node& shapes, const std::string& path, const ShapeContext& context,
                 Body* body, ProblemList* problems) {
  ShapeListReader(context, body, problems).read(shapes, path, nullptr);
}

}  // namespace tenpin::scene
