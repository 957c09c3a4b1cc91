// The header of a run file: everything needed to draw the run and to repeat it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/model.h"
#include "math/types.h"
#include "scene/scene.h"

namespace tenpin::record {

inline constexpr int kFormatVersion = 5;

enum class ShapeKind : std::uint8_t {
  kSphere,
  kBox,
  kCapsule,
  kCylinder,
  kPlane,
  kPolyhedron,
  kBowl,
  kEllipsoid,
  kCone
};

// A shape of a body: a part, or one that is only drawn. Frames: O is the body's origin in the
// scene, B has the same axes at its centre of mass.
struct HeaderPart {
  int body = 0;
  ShapeKind kind = ShapeKind::kSphere;
  // m   sphere, bowl: radius; box: half edges; capsule, cylinder and cone: radius, half
  // length; ellipsoid: semiaxes; else none
  std::array<double, 3> parameters = {};
  double rounding = 0.0;     // m   of a box's edges and corners, within its half edges
  Vec3 p_OS = Vec3::Zero();  // m
  Mat3 R_OS = Mat3::Identity();
  // For polyhedra: face f owns face_vertices[face_begin[f] .. face_begin[f+1]), counter-clockwise.
  std::vector<Vec3> vertices;  // m   in S
  std::vector<int> face_begin;
  std::vector<int> face_vertices;
  bool touches = true;  // false if no contact can involve it, as for shapes that are only drawn
  std::string colour;   // CSS colour of a shape that is only drawn; "" = the body's
};

struct HeaderBody {
  std::string name;
  std::string colour;  // CSS colour; "" = chosen by material
  dynamics::JointType joint = dynamics::JointType::kFree;
  int parent = -1;  // body; -1 = the world
  int q_begin = 0;  // first of its coordinates in a frame's q
  int v_begin = 0;  // first of its velocities in a frame's v
  int material = 0;
  double mass = 0.0;                     // kg
  Mat3 inertia = Mat3::Zero();           // kg m^2   about the centre of mass, body axes
  Vec3 p_OB = Vec3::Zero();              // m        centre of mass from the body's origin
  std::vector<HeaderPart> visuals = {};  // only drawn, instead of its parts
};

struct HeaderMaterial {
  std::string name;
  double mu_along = 0.0;
  double mu_across = 0.0;
  double restitution = 0.0;
};

// What was done before time 0.
struct HeaderStart {
  std::vector<std::string> overlaps;  // overlaps and how they were treated, one line each
  double energy_change = 0.0;         // J   due to moving bodies apart
};

struct RunHeader {
  std::string tenpin_version;
  std::string scene_name;
  std::string scene_file;
  std::string scene_text;
  // the scene with all changes and defaults written out; "" = not known
  std::string scene_resolved;
  std::string method_name;
  std::string method_options;  // YAML
  std::uint64_t seed = 0;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  double until = 0.0;           // s
  double every = 0.0;           // s   between frames
  scene::Record::Contacts contacts = scene::Record::Contacts::kFrames;
  HeaderStart start;
  int nq = 0;
  int nv = 0;
  std::vector<HeaderBody> bodies;
  std::vector<HeaderMaterial> materials;
  std::vector<HeaderPart> parts;    // grouped by body
  std::vector<std::string> loops;   // names
  std::vector<std::string> events;  // names

  int num_bodies() const { return static_cast<int>(bodies.size()); }
};

// The option as written in `method_options`, one line; "" if it is not there.
[[nodiscard]] std::string find_method_option(const RunHeader& header, std::string_view key);

// The shapes that pictures show, grouped by body: the visuals of each body, or its parts if it has
// no visuals.
[[nodiscard]] std::vector<const HeaderPart*> list_drawn(const RunHeader& header);

// The bodies of the model, in its order.
[[nodiscard]] std::vector<HeaderBody> make_header_bodies(const scene::Scene& scene,
                                                         const dynamics::Model& model);

[[nodiscard]] RunHeader make_run_header(const scene::Scene& scene, const dynamics::Model& model,
                                        const std::string& tenpin_version);

}  // namespace tenpin::record
