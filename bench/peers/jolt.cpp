// Jolt: sequential impulses. Built where CMake is pointed at a checked-out copy.
#include <Jolt/Jolt.h>
// Jolt.h comes before all other headers of Jolt.
#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/PlaneShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/StaticCompoundShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "engine.h"

namespace tenpin::peers {

namespace {

constexpr JPH::ObjectLayer kStill = 0;
constexpr JPH::ObjectLayer kMoving = 1;
constexpr float kHalfPlane = 100.0F;  // m

JPH::Vec3 to_jolt(const Vec3& v) {
  return {float(v.x()), float(v.y()), float(v.z())};
}
JPH::Quat to_jolt(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  return JPH::Quat(float(q.x()), float(q.y()), float(q.z()), float(q.w())).Normalized();
}
Vec3 from_jolt(JPH::Vec3Arg v) {
  return {v.GetX(), v.GetY(), v.GetZ()};
}

class Layers final : public JPH::BroadPhaseLayerInterface {
 public:
  JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
  JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override {
    return JPH::BroadPhaseLayer(static_cast<JPH::BroadPhaseLayer::Type>(layer));
  }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
  const char* GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override {
    return "layer";
  }
#endif
};

class LayerFilter final : public JPH::ObjectVsBroadPhaseLayerFilter {
 public:
  bool ShouldCollide(JPH::ObjectLayer one, JPH::BroadPhaseLayer other) const override {
    return one == kMoving || other == JPH::BroadPhaseLayer(kMoving);
  }
};

class PairFilter final : public JPH::ObjectLayerPairFilter {
 public:
  bool ShouldCollide(JPH::ObjectLayer one, JPH::ObjectLayer other) const override {
    return one == kMoving || other == kMoving;
  }
};

// State that Jolt keeps for the whole process.
void register_once() {
  static const bool kIsDone = [] {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    return true;
  }();
  (void)kIsDone;
}

JPH::ShapeRefC make_shape(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    return new JPH::SphereShape(float(sphere->radius));
  }
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    // The default rounding of edges would be wider than the thinnest boxes.
    const float rounding = 0.05F * float(box->half.minCoeff());
    return new JPH::BoxShape(to_jolt(box->half), rounding);
  }
  if (std::holds_alternative<shapes::Plane>(shape)) {
    return new JPH::PlaneShape(JPH::Plane(JPH::Vec3(0, 0, 1), 0.0F), nullptr, kHalfPlane);
  }
  throw CannotDo("only spheres, boxes and planes are among the scenes");
}

class Jolt final : public Engine {
 public:
  explicit Jolt(const PeerScene& scene)
      : h_(float(scene.h)), iterations_(scene.option.empty() ? 10 : std::stoi(scene.option)) {
    const auto count = static_cast<JPH::uint>(scene.bodies.size());
    jobs_.Init(JPH::cMaxPhysicsJobs);
    system_.Init(count + 64, 0, 64 * count + 1024, 32 * count + 1024, layers_, layer_filter_,
                 pair_filter_);
    system_.SetGravity(to_jolt(scene.gravity));
    JPH::PhysicsSettings settings = system_.GetPhysicsSettings();
    settings.mNumVelocitySteps = static_cast<JPH::uint>(iterations_);
    settings.mAllowSleeping = false;
    system_.SetPhysicsSettings(settings);
    system_.SetCombineFriction(
        [](const JPH::Body& a, const JPH::SubShapeID&, const JPH::Body&, const JPH::SubShapeID&) {
          return a.GetFriction();  // one material per scene
        });
    for (const PeerBody& body : scene.bodies) add(body);
    system_.OptimizeBroadPhase();
  }

  std::string version() const override {
    return std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
           std::to_string(JPH_VERSION_PATCH);
  }
  std::string settings() const override {
    return "sequential impulse, " + std::to_string(iterations_) +
           " velocity and 2 position steps, warm start, sleeping off, single precision";
  }
  void step() override {
    const JPH::EPhysicsUpdateError error = system_.Update(h_, 1, &memory_, &jobs_);
    if (error != JPH::EPhysicsUpdateError::None) throw Failed("a buffer of Jolt is full");
  }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    const JPH::BodyInterface& interface = system_.GetBodyInterfaceNoLock();
    for (const JPH::BodyID id : mobile_) {
      const JPH::Quat q = interface.GetRotation(id);
      bodies->push_back({.p = from_jolt(JPH::Vec3(interface.GetCenterOfMassPosition(id))),
                         .v = from_jolt(interface.GetLinearVelocity(id)),
                         .R = Eigen::Quaterniond(q.GetW(), q.GetX(), q.GetY(), q.GetZ())
                                  .normalized()
                                  .toRotationMatrix(),
                         .w = from_jolt(interface.GetAngularVelocity(id))});
    }
  }

 private:
  void add(const PeerBody& body) {
    const bool is_mobile = body.kind == PeerBody::Kind::kMobile;
    JPH::ShapeRefC shape;
    if (body.shapes.size() == 1 && body.shapes[0].X_BS.p.isZero() &&
        body.shapes[0].X_BS.R.isIdentity(1e-15)) {
      shape = make_shape(body.shapes[0].shape);
    } else {
      JPH::StaticCompoundShapeSettings compound;
      compound.SetEmbedded();
      for (const shapes::PlacedShape& placed : body.shapes) {
        compound.AddShape(to_jolt(placed.X_BS.p), to_jolt(placed.X_BS.R),
                          make_shape(placed.shape).GetPtr());
      }
      shape = compound.Create().Get();
    }
    const JPH::EMotionType motion = is_mobile ? JPH::EMotionType::Dynamic
                                    : body.kind == PeerBody::Kind::kTurning
                                        ? JPH::EMotionType::Kinematic
                                        : JPH::EMotionType::Static;
    const bool is_static = motion == JPH::EMotionType::Static;
    JPH::BodyCreationSettings settings(shape, JPH::RVec3(to_jolt(body.X_WB.p)),
                                       to_jolt(body.X_WB.R), motion, is_static ? kStill : kMoving);
    settings.mLinearVelocity = to_jolt(body.v);
    settings.mAngularVelocity = to_jolt(body.w);
    settings.mFriction = float(body.friction);
    settings.mRestitution = float(body.restitution);
    settings.mLinearDamping = settings.mAngularDamping = 0.0F;
    settings.mAllowSleeping = false;
    settings.mMaxAngularVelocity = 1000.0F;
    if (is_mobile) {
      settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = float(body.mass);
      JPH::Mat44 inertia = JPH::Mat44::sIdentity();
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
          inertia(JPH::uint(i), JPH::uint(k)) = float(body.inertia(i, k));
        }
      }
      settings.mMassPropertiesOverride.mInertia = inertia;
    }
    const JPH::BodyID id = system_.GetBodyInterfaceNoLock().CreateAndAddBody(
        settings, is_static ? JPH::EActivation::DontActivate : JPH::EActivation::Activate);
    if (is_mobile) mobile_.push_back(id);
  }

  float h_;
  int iterations_;
  Layers layers_;
  LayerFilter layer_filter_;
  PairFilter pair_filter_;
  JPH::TempAllocatorMalloc memory_;
  JPH::JobSystemSingleThreaded jobs_;
  JPH::PhysicsSystem system_;
  std::vector<JPH::BodyID> mobile_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  register_once();
  return std::make_unique<Jolt>(scene);
}

}  // namespace tenpin::peers
