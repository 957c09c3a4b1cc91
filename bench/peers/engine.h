// What an engine must do to be measured beside the others. Each program links main.cpp with the one
// file that implements this for its engine. Plain enough for C++17, which Simbody's headers need.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::scene {
struct Scene;
struct Built;
}  // namespace tenpin::scene

namespace tenpin::peers {

// The engine has no such shape, joint or law. Its text goes into the report.
struct CannotDo : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The engine gave up on the way.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PeerBody {
  enum class Kind { kMobile, kFixed, kTurning } kind = Kind::kMobile;
  std::string name;
  Pose X_WB;                    // at the centre of mass, at time 0
  Vec3 v = Vec3::Zero();        // m/s
  Vec3 w = Vec3::Zero();        // rad/s    world axes; kTurning: for ever, about the body's origin
  double mass = 0.0;            // kg       of mobile bodies
  Mat3 inertia = Mat3::Zero();  // kg m^2   about the centre of mass, body axes
  std::vector<shapes::PlacedShape> shapes;
  double friction = 0.0;     // -   Coulomb
  double restitution = 0.0;  // -
};

struct PeerScene {
  Vec3 gravity = Vec3::Zero();   // m/s^2
  double h = 0.0;                // s   step
  std::vector<PeerBody> bodies;  // all; one material, so that mixing rules do not matter
  std::string option;            // which of its solvers, "" for the one that it is best known for
  // Tenpin alone builds on these.
  const scene::Scene* scene = nullptr;
  const scene::Built* built = nullptr;

  double friction() const { return bodies.front().friction; }
  double restitution() const { return bodies.front().restitution; }
};

struct BodyState {
  Vec3 p = Vec3::Zero();      // m       centre of mass
  Vec3 v = Vec3::Zero();      // m/s
  Mat3 R = Mat3::Identity();  // -       R_WB
  Vec3 w = Vec3::Zero();      // rad/s   world axes
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string version() const = 0;
  // What a reader must know to repeat it: solver, iterations, contact model.
  [[nodiscard]] virtual std::string settings() const = 0;
  virtual void step() = 0;  // of h seconds; throws Failed
  // Of the mobile bodies, in the order of the scene.
  virtual void read(std::vector<BodyState>* bodies) const = 0;
  // What the engine says of itself, e.g. its worst residual.
  [[nodiscard]] virtual std::map<std::string, double> remarks() const { return {}; }
};

// Throws CannotDo.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const PeerScene& scene);

}  // namespace tenpin::peers
