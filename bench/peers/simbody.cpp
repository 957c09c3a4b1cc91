// Simbody: compliant contacts (Hertz, Hunt and Crossley) integrated with error control.
#include <Simbody.h>
#include <fmt/format.h>

#include "engine.h"

namespace tenpin::peers {

namespace {

constexpr double kStiffness = 1e7;         // Pa
constexpr double kDissipation = 1.0;       // s/m    where restitution is 0
constexpr double kTransitionSpeed = 1e-3;  // m/s    below it friction fades
constexpr double kAccuracy = 1e-4;         // -      of the integrator

SimTK::Vec3 to_simbody(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
SimTK::Transform to_simbody(const Pose& X) {
  SimTK::Mat33 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = X.R(i, j);
  }
  return {SimTK::Rotation(R), to_simbody(X.p)};
}
Vec3 from_simbody(const SimTK::Vec3& v) {
  return {v[0], v[1], v[2]};
}

// Its half space is x > 0.
Pose make_half_space(const Pose& X_BS) {
  Mat3 turn;
  turn << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // its -x axis is the plane's z
  return {X_BS.R * turn, X_BS.p};
}

class Simbody final : public Engine {
 public:
  explicit Simbody(const PeerScene& scene) : h_(scene.h) {
    const double dissipation = scene.restitution() > 0.0 ? 0.0 : kDissipation;
    material_ =
        SimTK::ContactMaterial(kStiffness, dissipation, scene.friction(), scene.friction(), 0.0);
    contact_.setTransitionVelocity(kTransitionSpeed);
    const SimTK::Force::UniformGravity gravity(forces_, matter_, to_simbody(scene.gravity));
    for (const PeerBody& body : scene.bodies) add(body);
    system_.realizeTopology();
    SimTK::State state = system_.getDefaultState();
    system_.realizeModel(state);
    for (std::size_t i = 0; i < mobile_.size(); ++i) {
      mobile_[i].setQToFitTransform(state, to_simbody(start_[i].X_WB));
      mobile_[i].setUToFitVelocity(
          state, SimTK::SpatialVec(to_simbody(start_[i].w), to_simbody(start_[i].v)));
    }
    integrator_.setAccuracy(kAccuracy);
    integrator_.setMaximumStepSize(h_);
    stepper_.initialize(state);
  }

  std::string version() const override { return "3.7"; }
  std::string settings() const override {
    return fmt::format(
        "Hunt-Crossley contacts, {:g} Pa, friction fades below {:g} m/s, Runge-Kutta-Merson to "
        "{:g}, steps of at most h",
        kStiffness, kTransitionSpeed, kAccuracy);
  }
  void step() override {
    ++steps_;
    try {
      stepper_.stepTo(static_cast<double>(steps_) * h_);
    } catch (const std::exception& error) {
      throw Failed(error.what());
    }
  }

  void read(std::vector<BodyState>* bodies) const override {
    const SimTK::State& state = integrator_.getState();
    system_.realize(state, SimTK::Stage::Velocity);
    bodies->clear();
    for (const SimTK::MobilizedBody::Free& body : mobile_) {
      const SimTK::Rotation& turn = body.getBodyRotation(state);
      Mat3 R;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R(i, j) = turn[i][j];
      }
      bodies->push_back({from_simbody(body.getBodyOriginLocation(state)),
                         from_simbody(body.getBodyOriginVelocity(state)), R,
                         from_simbody(body.getBodyAngularVelocity(state))});
    }
  }

 private:
  // There is no ball on brick and no brick on brick: what does not move is a half space.
  void add_surface(const shapes::PlacedShape& placed, bool is_mobile, SimTK::Body* body) {
    if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
      const SimTK::ContactGeometry::Sphere geometry(sphere->radius);
      body->addContactSurface(to_simbody(placed.X_BS), SimTK::ContactSurface(geometry, material_));
      return;
    }
    Pose X_BS = placed.X_BS;
    if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
      if (is_mobile) {
        num_bricks_ += 1;
        if (num_bricks_ > 1) throw CannotDo("has no contact between bricks");
        const SimTK::ContactGeometry::Brick geometry(to_simbody(box->half));
        body->addContactSurface(to_simbody(X_BS), SimTK::ContactSurface(geometry, material_));
        return;
      }
      X_BS.p += X_BS.R * Vec3(0.0, 0.0, box->half.z());  // its upper face
    } else if (!std::holds_alternative<shapes::Plane>(placed.shape)) {
      throw CannotDo("only spheres, boxes and planes are among the scenes");
    }
    body->addContactSurface(to_simbody(make_half_space(X_BS)),
                            SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material_));
  }

  void add(const PeerBody& body) {
    using Kind = PeerBody::Kind;
    if (body.kind == Kind::kFixed) {
      for (shapes::PlacedShape placed : body.shapes) {
        placed.X_BS = body.X_WB * placed.X_BS;
        add_surface(placed, false, &matter_.updGround().updBody());
      }
      return;
    }
    const Mat3& I = body.inertia;
    SimTK::Body::Rigid rigid(body.kind == Kind::kMobile
                                 ? SimTK::MassProperties(body.mass, SimTK::Vec3(0),
                                                         SimTK::Inertia(I(0, 0), I(1, 1), I(2, 2),
                                                                        I(0, 1), I(0, 2), I(1, 2)))
                                 : SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(1)));
    for (const shapes::PlacedShape& placed : body.shapes) {
      add_surface(placed, body.kind == Kind::kMobile, &rigid);
    }
    if (body.kind == Kind::kMobile) {
      mobile_.emplace_back(matter_.Ground(), SimTK::Transform(), rigid, SimTK::Transform());
      start_.push_back(body);
      return;
    }
    // Turns about z, as the platter does.
    SimTK::MobilizedBody::Pin pin(matter_.Ground(), to_simbody(body.X_WB), rigid,
                                  SimTK::Transform());
    SimTK::Motion::Steady(pin, body.w.z());
  }

  double h_ = 0.0;
  long steps_ = 0;
  int num_bricks_ = 0;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::ContactTrackerSubsystem tracker_{system_};
  SimTK::CompliantContactSubsystem contact_{system_, tracker_};
  SimTK::ContactMaterial material_;
  std::vector<SimTK::MobilizedBody::Free> mobile_;
  std::vector<PeerBody> start_;
  SimTK::RungeKuttaMersonIntegrator integrator_{system_};
  SimTK::TimeStepper stepper_{system_, integrator_};
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  if (scene.restitution() > 0.0 && scene.restitution() < 1.0) {
    throw CannotDo("restitution follows from dissipation and depends on the speed");
  }
  return std::make_unique<Simbody>(scene);
}

}  // namespace tenpin::peers
