#include "scene/read_mass.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/import/mass_sum.h"
#include "scene/plain_message.h"
#include "scene/read_joint.h"
#include "scene/values.h"
#include "shapes/mass_properties.h"

namespace tenpin::scene {

namespace {

class MassReader {
 public:
  MassReader(const Node& entry, const std::string& path, const MeshLibrary& library, Body* body,
             ProblemList* problems)
      : entry_(entry), path_(path), library_(library), body_(*body), problems_(*problems) {}

  void read() {
    const Node* mass = entry_.find("mass");
    const Node* density = entry_.find("density");
    const Node* inertia = entry_.find("inertia");
    if (mass == nullptr && density == nullptr && may_lack_mass()) {
      return;
    }
    if ((mass == nullptr) == (density == nullptr)) {
      return add(entry_, "mass", "a moving body needs one of mass and density",
                 mass == nullptr ? "none" : "both", "exactly one");
    }
    if (mass != nullptr && to_number(*mass) == 0.0) {
      return check_massless(*mass);
    }
    if (body_.parts.empty() && (mass == nullptr || inertia == nullptr)) {
      return add(entry_, "shapes", "a moving body without shapes has no volume",
                 "no shapes and no mass with inertia", "shapes, or both mass and inertia");
    }
    if (inertia == nullptr && entry_.find("center_of_mass") != nullptr) {
      return add(entry_, "inertia", "needed with center_of_mass", "nothing",
                 "the inertia about that centre");
    }
    take_uniform(mass, density);
    take_given(inertia);
  }

 private:
  // True if the body needs no mass: a body that moves with its parent only adds its mass, if any,
  // to the parent's.
  bool may_lack_mass() const {
    return (body_.joint == JointKind::kFixed || body_.joint == JointKind::kPrescribed) &&
           entry_.find("inertia") == nullptr && entry_.find("center_of_mass") == nullptr;
  }

  // Checks a massless body. That its mechanism can move is checked when it is assembled.
  void check_massless(const Node& mass) {
    const bool loose = body_.joint == JointKind::kFree || body_.joint == JointKind::kPlanar;
    if (loose && !names_parent(entry_)) {
      return add(mass, "mass", "a loose body cannot be massless", "0", "at least 1e-12 kg");
    }
    for (const std::string_view key : {"inertia", "center_of_mass"}) {
      if (const Node* node = entry_.find(key)) {
        add(*node, key, "not for a massless body", "it", "the key removed");
      }
    }
  }

  void add(const Node& node, std::string_view key, const std::string& problem,
           const std::string& got, const std::string& want) {
    problems_.add(node.place, path_ + "." + std::string(key),
                  problem + ", got " + got + ", want " + want);
  }

  void take_uniform(const Node* mass, const Node* density) {
    shapes::MassProperties uniform{.mass = mass != nullptr ? to_number(*mass) : 0.0};
    if (!body_.parts.empty()) {
      uniform = calc_uniform(density != nullptr ? to_number(*density) : 1.0);
      uniform = mass != nullptr ? shapes::with_mass(uniform, to_number(*mass)) : uniform;
    }
    body_.mass = uniform.mass;
    body_.center = uniform.center;
    body_.inertia = uniform.inertia;
    const Range range = body_object().find("mass")->type.range;
    if (!range.holds(body_.mass)) {
      add(*density, "density", "mass out of range", to_text(body_.mass) + " kg", describe(range));
    }
  }

  MassProperties calc_uniform(double density) const {
    const auto is_piece = [](const MeshFile& file) {
      return file.parts > 1;
    };
    if (std::none_of(body_.part_files.begin(), body_.part_files.end(), is_piece)) {
      return shapes::calc_mass_properties(body_.parts, density);
    }
    MassProperties sum;
    for (std::size_t i = 0; i < body_.parts.size(); ++i) {
      const MeshFile& file = body_.part_files[i];
      if (!is_piece(file)) {
        sum = add_mass(sum, shapes::calc_mass_properties({&body_.parts[i], 1}, density));
      } else if (file.piece == 0) {
        const MassProperties& whole = library_.meshes.at({file.path, file.scale, file.parts}).mass;
        sum = add_mass(
            sum, place_mass(shapes::with_mass(whole, density * whole.mass), body_.parts[i].X_BS));
      }
    }
    return sum;
  }

  void take_given(const Node* inertia) {
    if (inertia == nullptr) {
      return;
    }
    const bool one_axis = body_.joint == JointKind::kPlanar || body_.joint == JointKind::kHinge;
    if (inertia->is_scalar() && !one_axis) {
      return add(*inertia, "inertia", "one number is enough in the plane and on a hinge only",
                 describe(*inertia), "[ixx, iyy, izz] or 3 rows");
    }
    body_.inertia = to_inertia(*inertia);
    take(entry_, "center_of_mass", &body_.center);
    check_inertia(*inertia);
  }

  // Converts an inertia. Where only the moment about the normal of the plane or about the hinge
  // matters, one number stands for the same moment about every axis, whatever the orientation of
  // the body.
  static Mat3 to_inertia(const Node& node) {
    if (node.is_scalar()) {
      return Vec3::Constant(to_number(node)).asDiagonal();
    }
    return node.items[0].is_list() ? to_rows(node) : Mat3(to_vector(node).asDiagonal());
  }

  void check_inertia(const Node& node) {
    try {
      shapes::validate_inertia(body_.mass, body_.inertia);
    } catch (const InputError& error) {
      return add(node, "inertia", "not the inertia of a rigid body",
                 plain_message(error, "inertia: "),
                 "symmetric, positive, no principal moment above the sum of the others");
    }
    const double least = shapes::principal_axes(body_.inertia).moments.minCoeff();
    const double gyration = std::sqrt(least / body_.mass);
    if (gyration < kLeastGyration) {
      add(node, "inertia", "too small for the mass",
          "a radius of gyration of " + to_text(gyration) + " m", "at least 1e-10 m");
    }
  }

  const Node& entry_;
  const std::string& path_;
  const MeshLibrary& library_;
  Body& body_;
  ProblemList& problems_;
};

}  // namespace

void read_mass(const Node& entry, const std::string& path, const MeshLibrary& library, Body* body,
               ProblemList* problems) {
  MassReader(entry, path, library, body, problems).read();
}

}  // namespace tenpin::scene
