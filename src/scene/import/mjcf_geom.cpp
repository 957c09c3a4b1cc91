#include "scene/import/mjcf_geom.h"

#include <array>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "scene/plain_message.h"

namespace tenpin::scene::mjcf {

namespace {

constexpr std::array<std::string_view, 9> kGeomTypes = {
    "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};

// A solid in the geom's own frame, with its mass at unit density.
struct Solid {
  shapes::Shape shape;
  MassProperties mass = {};
  MeshFile file = {};
  std::shared_ptr<const shapes::TriangleMesh> surface = nullptr;  // of a mesh
};

Solid make_solid(const shapes::Shape& shape) {
  const shapes::PlacedShape placed = {shape, {}};
  return {shape, shapes::calc_mass_properties({&placed, 1}, 1.0)};
}

class GeomReader {
 public:
  GeomReader(const Element& geom, const GeomContext& context)
      : geom_(geom), context_(context), type_(geom.word("type", kGeomTypes, "sphere")) {
    if (geom.has("mesh") && type_ != "mesh") {
      geom_.note("<geom type> " + type_ +
                 " is to be fitted to a mesh; the hull of the mesh is used");
      type_ = "mesh";
    }
  }

  Geom read() {
    Geom result;
    result.group = static_cast<int>(geom_.integer("group", {.low = 0, .high = 1e6}).value_or(0));
    result.surface = read_surface();
    result.colour = context_.assets->colour(geom_);
    const PartOptions options = read_options();
    Pose X_FG = read_pose(geom_, context_.settings);
    if (const auto size = read_size(&X_FG)) {
      result.is_only_drawn = options.layer == 0 && options.touches == 0;
      if (const auto solid = read_solid(*size, result.is_only_drawn)) {
        finish(*solid, context_.X_LF * X_FG, options, &result);
      }
    }
    return result;
  }

 private:
  Surface read_surface() {
    Surface surface;
    const auto friction = geom_.numbers("friction", 1, 3, kFrictionRange);
    surface.sliding = friction ? friction->front() : 1.0;
    surface.condim = static_cast<int>(geom_.integer("condim", {.low = 1, .high = 6}).value_or(3));
    surface.priority =
        static_cast<int>(geom_.integer("priority", {.low = -1e9, .high = 1e9}).value_or(0));
    if (surface.condim >= 4) {
      surface.torsional = friction && friction->size() > 1 ? (*friction)[1] : 0.005;
    }
    if (surface.condim == 6) {
      surface.rolling = friction && friction->size() > 2 ? (*friction)[2] : 0.0001;
    }
    return surface;
  }

  PartOptions read_options() {
    const auto bits = [&](std::string_view name) {
      const auto value = geom_.integer(name, {.low = -2147483648.0, .high = 4294967295.0});
      return static_cast<std::uint32_t>(value.value_or(1));
    };
    PartOptions options = {.layer = bits("contype"), .touches = bits("conaffinity")};
    if (!context_.settings.physics.contact) {
      options.layer = options.touches = 0;
    }
    return options;
  }

  // How many numbers of `size` a type needs, without fromto and with it.
  struct SizeNeed {
    int all = 0, with_fromto = 0;
  };
  SizeNeed size_need() const {
    if (type_ == "sphere") return {1, 0};
    if (type_ == "capsule" || type_ == "cylinder") return {2, 1};
    if (type_ == "box" || type_ == "ellipsoid") return {3, 1};
    return {0, 0};
  }

  // Reads the sizes of the geom. If there is a fromto, it determines the last size and the pose.
  std::optional<std::vector<double>> read_size(Pose* X_FG) {
    const SizeNeed need = size_need();
    if (need.all == 0) {
      geom_.find("size");  // drawn extent of a plane
      return std::vector<double>();
    }
    const bool from_to = need.with_fromto > 0 && geom_.has("fromto");
    const int least = from_to ? need.with_fromto : need.all;
    if (!geom_.has("size")) {
      geom_.problem("size", "missing, got nothing, want " + std::to_string(least) + " numbers");
      return std::nullopt;
    }
    auto size = geom_.numbers("size", least, 6, kAnyNumber);
    if (!size) {
      return std::nullopt;
    }
    size->resize(static_cast<std::size_t>(least));
    if (from_to && !read_from_to(X_FG, &*size)) {
      return std::nullopt;
    }
    for (const double s : *size) {
      if (!kSizeRange.holds(s)) {
        geom_.problem("size", "out of range, got " + to_text(s) + ", want " + describe(kSizeRange));
        return std::nullopt;
      }
    }
    return size;
  }

  bool read_from_to(Pose* X_FG, std::vector<double>* size) {
    const auto ends = geom_.numbers("fromto", 6, 6, kPointRange);
    if (!ends) {
      return false;
    }
    const Vec3 from((*ends)[0], (*ends)[1], (*ends)[2]);
    const Vec3 to((*ends)[3], (*ends)[4], (*ends)[5]);
    const double length = (to - from).norm();
    if (length < kSizeRange.low) {
      geom_.problem("fromto", "no length, got " + to_text(length) + " m, want two points apart");
      return false;
    }
    *X_FG = {.R = turn_z_to(from - to), .p = 0.5 * (from + to)};
    if (type_ == "box" || type_ == "ellipsoid") {
      size->push_back(size->front());
    }
    size->push_back(0.5 * length);
    return true;
  }

  std::optional<Solid> read_solid(const std::vector<double>& size, bool only_drawn) {
    if (type_ == "sphere") return make_solid(shapes::Sphere{size[0]});
    if (type_ == "capsule") return make_solid(shapes::Capsule{size[0], size[1]});
    if (type_ == "cylinder") return make_solid(shapes::Cylinder{size[0], size[1]});
    if (type_ == "box") return make_solid(shapes::Box{Vec3(size[0], size[1], size[2])});
    if (type_ == "ellipsoid") return make_ellipsoid(Vec3(size[0], size[1], size[2]));
    if (type_ == "plane") return make_plane();
    if (type_ == "mesh") return load_mesh(only_drawn);
    geom_.problem("type", "not supported, got " + type_ +
                              ", want plane, sphere, capsule, ellipsoid, cylinder, box or mesh");
    return std::nullopt;
  }

  std::optional<Solid> make_plane() {
    if (!context_.is_static) {
      geom_.problem("type",
                    "a plane that moves, got a plane on a body with joints, want it on the "
                    "world or on a body without joints");
      return std::nullopt;
    }
    return Solid{shapes::Plane{}};
  }

  static Solid make_ellipsoid(const Vec3& semiaxes) {
    if (semiaxes.x() == semiaxes.y() && semiaxes.x() == semiaxes.z()) {
      return make_solid(shapes::Sphere{semiaxes.x()});
    }
    return make_solid(shapes::Ellipsoid{semiaxes});
  }

  std::optional<Solid> load_mesh(bool only_drawn) {
    try {
      const auto mesh = context_.assets->load_mesh(geom_);
      if (!mesh) {
        return std::nullopt;
      }
      if (!mesh->solid.note.empty() && !only_drawn) {
        geom_.note("mesh " + geom_.text("mesh") + ": " + mesh->solid.note);
      }
      return Solid{shapes::Polyhedron{mesh->solid.hull}, mesh->solid.mass, mesh->file,
                   mesh->solid.surface};
    } catch (const InputError& error) {
      // A flat decal without contacts and mass has no effect on the motion.
      if (only_drawn && (!context_.needs_mass || geom_.number("mass", kNotNegative) == 0.0)) {
        geom_.note("mesh " + geom_.text("mesh") + " is not drawn: " + plain_message(error),
                   Effect::kAppearance);
      } else {
        geom_.problem("mesh", plain_message(error));
      }
      return std::nullopt;
    }
  }

  void finish(const Solid& solid, const Pose& X_LG, const PartOptions& options, Geom* geom) {
    if (type_ != "plane") {
      const auto mass = geom_.number("mass", kNotNegative);
      const double density = geom_.number("density", 1000.0, kNotNegative);
      MassProperties properties = solid.mass;
      const double factor = mass ? *mass / solid.mass.mass : density;
      properties.mass *= factor;
      properties.inertia *= factor;
      geom->mass = place_mass(properties, X_LG);
    }
    geom->part = RobotPart{
        .name = "", .placed = {solid.shape, X_LG}, .file = solid.file, .options = options};
    if (type_ != "plane" && is_shown(*geom)) {
      geom->visual = Visual{.placed = {solid.shape, X_LG},
                            .mesh = solid.surface,
                            .file = solid.file,
                            .colour = geom->colour};
    }
  }

  // MuJoCo's viewer hides groups from 3 on, which most models use for collision shapes.
  bool is_shown(const Geom& geom) const {
    constexpr int kFirstHidden = 3;
    if (geom.group >= kFirstHidden) return false;
    if (!geom_.has("rgba") || geom.colour.empty()) return true;
    const auto rgba = geom_.numbers("rgba", 4, 4, kAnyNumber);
    return !rgba || (*rgba)[3] != 0.0;
  }

  const Element& geom_;
  const GeomContext& context_;
  std::string type_;
};

}  // namespace

Geom read_geom(const Element& geom, const GeomContext& context) {
  return GeomReader(geom, context).read();
}

}  // namespace tenpin::scene::mjcf
