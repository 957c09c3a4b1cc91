// Scenes built in code, with the checks and the error texts of scene files.
#pragma once

#include <tenpin/scene.h>
#include <tenpin/types.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenpin {

// Drives a hinge or slider: exactly one of force (a torque for a hinge), velocity, position.
struct Motor {
  std::optional<double> force;      // N, N m
  std::optional<double> velocity;   // m/s, rad/s   needs gain
  std::optional<double> position;   // m, rad       needs stiffness
  std::optional<double> gain;       // N s/m, N m s/rad
  std::optional<double> stiffness;  // N/m, N m/rad
  std::optional<double> damping;    // N s/m, N m s/rad
  std::optional<double> limit;      // N, N m       not with force
};

// A hinge, slider or ball. Values that you leave out have the defaults of scene files.
struct Joint {
  std::optional<Vec3> axis;                     // -       of a hinge or slider, body frame
  std::optional<Vec3> anchor;                   // m       of a hinge or ball, body frame
  std::optional<double> at;                     // rad, m  at time 0
  std::optional<double> rate;                   // rad/s, m/s
  std::optional<std::array<double, 2>> limits;  // rad, m
  std::optional<double> stiffness;              // N m/rad, N/m
  std::optional<double> damping;                // N m s/rad, N s/m
  std::optional<double> friction;               // N m, N
  std::optional<double> armature;               // kg m^2, kg
  std::optional<Motor> motor;
};

// One body of a SceneBuilder; all functions return the body itself.
class BodyBuilder {
 public:
  BodyBuilder& fixed();
  BodyBuilder& parent(const std::string& name);
  BodyBuilder& material(const std::string& name);
  BodyBuilder& mass(double kg);
  BodyBuilder& density(double kg_per_m3);
  BodyBuilder& inertia(const Vec3& moments);  // kg m^2   about the centre of mass, body axes
  BodyBuilder& center_of_mass(const Vec3& p);
  BodyBuilder& position(const Vec3& p);  // m   in the parent's frame, or the world's
  BodyBuilder& orientation(const Quat& q);
  BodyBuilder& velocity(const Vec3& linear, const Vec3& angular = Vec3::Zero());
  BodyBuilder& force(const Vec3& force, const Vec3& torque = Vec3::Zero());
  BodyBuilder& motion(const Vec3& velocity, const Vec3& angular_velocity = Vec3::Zero());
  BodyBuilder& hinge(const Joint& joint);
  BodyBuilder& slider(const Joint& joint);
  BodyBuilder& ball(const Joint& joint);
  BodyBuilder& planar(const Vec3& x, const Vec3& y);

  // Shapes. `at` is their position in the body's frame.
  BodyBuilder& sphere(double radius, const Vec3& at = Vec3::Zero());
  // `radius` (m) rounds the edges and corners; `size` includes the rounding.
  BodyBuilder& box(const Vec3& size, const Vec3& at = Vec3::Zero(), double radius = 0.0);
  BodyBuilder& capsule(double radius, double length, const Vec3& at = Vec3::Zero());
  BodyBuilder& cylinder(double radius, double length, const Vec3& at = Vec3::Zero());
  // Base at the lower end of z, apex at the upper one; `at` is half way between them.
  BodyBuilder& cone(double radius, double length, const Vec3& at = Vec3::Zero());
  BodyBuilder& ellipsoid(const Vec3& semiaxes, const Vec3& at = Vec3::Zero());
  BodyBuilder& plane(const Vec3& normal, const Vec3& at = Vec3::Zero());
  BodyBuilder& polyhedron(const std::vector<Vec3>& points);
  // Any other entry of `shapes`, in YAML: shape("{bowl: {radius: 2}, material: ice}").
  BodyBuilder& shape(const std::string& yaml);

  // Any other key of docs/scene-format.md, with its value in YAML.
  BodyBuilder& set(const std::string& key, const std::string& yaml);

 private:
  friend class SceneBuilder;
  void add_shape(const std::string& kind, const std::string& yaml, const Vec3& at);
  BodyBuilder& set_joint(const std::string& kind, const Joint& joint);
  std::vector<std::pair<std::string, std::string>> fields_;  // key, value in YAML
  std::vector<std::string> shapes_;
};

// The two ends of a loop: a point on each of two bodies, in the body's frame. The body may be
// "world".
struct LoopEnds {
  std::string body_a, body_b;
  Vec3 anchor_a = Vec3::Zero();  // m
  Vec3 anchor_b = Vec3::Zero();  // m
};

// Collects the contents of a scene; build() checks all of them.
class SceneBuilder {
 public:
  SceneBuilder& name(const std::string& text);
  SceneBuilder& gravity(const Vec3& g);
  SceneBuilder& until(double seconds);
  SceneBuilder& material(const std::string& name, double friction, double restitution = 0.0);
  SceneBuilder& pair(const std::string& a, const std::string& b, double friction,
                     double restitution);
  // Sets the method. Settings have the keys of docs/scene-format.md: method("time-stepping",
  // {{"step", "0.001"}}).
  SceneBuilder& method(const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& settings = {});
  // Loops connect bodies in addition to the trees of joints.
  SceneBuilder& ball_loop(const std::string& name, const LoopEnds& ends);
  // The axes, in the bodies' frames, stay parallel.
  SceneBuilder& hinge_loop(const std::string& name, const LoopEnds& ends, const Vec3& axis_a,
                           const Vec3& axis_b);
  SceneBuilder& weld_loop(const std::string& name, const LoopEnds& ends);
  SceneBuilder& distance_loop(const std::string& name, const LoopEnds& ends, double length);
  // Joint `a` follows joint `b`: q_a = c0 + c1 q_b + ..., with at most five coefficients.
  SceneBuilder& coupling(const std::string& name, const std::string& a, const std::string& b,
                         const std::vector<double>& polynomial);
  // Any other key, with its value in YAML: set("touch", "{never: [[crank, rocker]]}").
  SceneBuilder& set(const std::string& key, const std::string& yaml);
  // Adds a body. The reference is valid as long as the builder exists.
  BodyBuilder& body(const std::string& name);

  [[nodiscard]] std::string to_yaml() const;
  [[nodiscard]] Scene build() const;  // throws SceneError with all problems

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
  std::vector<std::string> materials_, pairs_, loops_;
  std::vector<std::unique_ptr<BodyBuilder>> bodies_;
  double until_ = 1.0;  // s
};

}  // namespace tenpin
