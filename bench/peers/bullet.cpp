// Bullet: sequential impulses. Built twice, with single (Debian's default) and double precision.
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "engine.h"

namespace tenpin::peers {

namespace {

constexpr int kIterations = 50;  // five times the default, which is too few for stacks

btVector3 to_bullet(const Vec3& v) {
  return {btScalar(v.x()), btScalar(v.y()), btScalar(v.z())};
}
btTransform to_bullet(const Pose& X) {
  const Mat3& R = X.R;
  const btMatrix3x3 basis(btScalar(R(0, 0)), btScalar(R(0, 1)), btScalar(R(0, 2)),
                          btScalar(R(1, 0)), btScalar(R(1, 1)), btScalar(R(1, 2)),
                          btScalar(R(2, 0)), btScalar(R(2, 1)), btScalar(R(2, 2)));
  return btTransform(basis, to_bullet(X.p));
}
Vec3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

std::unique_ptr<btCollisionShape> make_shape(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    return std::make_unique<btSphereShape>(btScalar(sphere->radius));
  }
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    return std::make_unique<btBoxShape>(to_bullet(box->half));
  }
  if (std::holds_alternative<shapes::Plane>(shape)) {
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
  }
  throw CannotDo("only spheres, boxes and planes are among the scenes");
}

class Bullet final : public Engine {
 public:
  explicit Bullet(const PeerScene& scene) : h_(btScalar(scene.h)) {
    world_.setGravity(to_bullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = kIterations;
    for (const PeerBody& body : scene.bodies) add(body);
  }
  ~Bullet() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  std::string version() const override {
    const std::string digits = std::to_string(btGetVersion());
    return digits.substr(0, 1) + "." + digits.substr(1);
  }
  std::string settings() const override {
    return "sequential impulse, " + std::to_string(kIterations) +
           " iterations, warm start, split impulse, sleeping off, " +
           (sizeof(btScalar) == 8 ? "double" : "single") + " precision";
  }
  void step() override {
    // A kinematic body's velocity is what its placement has changed by.
    for (btRigidBody* body : turning_) {
      btTransform X = body->getWorldTransform();
      const btVector3 w = body->getAngularVelocity();
      X.setRotation(btQuaternion(w.normalized(), w.length() * h_) * X.getRotation());
      body->setWorldTransform(X);
    }
    world_.stepSimulation(h_, 0, h_);
  }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    for (const btRigidBody* body : mobile_) {
      const btTransform& X = body->getWorldTransform();
      Mat3 R;
      for (int i = 0; i < 3; ++i) R.row(i) = from_bullet(X.getBasis().getRow(i)).transpose();
      bodies->push_back({.p = from_bullet(X.getOrigin()),
                         .v = from_bullet(body->getLinearVelocity()),
                         .R = R,
                         .w = from_bullet(body->getAngularVelocity())});
    }
  }

 private:
  void add(const PeerBody& body) {
    const bool is_mobile = body.kind == PeerBody::Kind::kMobile;
    const bool is_plain = body.shapes.size() == 1 && body.shapes[0].X_BS.p.isZero() &&
                          body.shapes[0].X_BS.R.isIdentity(1e-15);
    btCollisionShape* shape = nullptr;
    if (is_plain) {
      shapes_.push_back(make_shape(body.shapes[0].shape));
      shape = shapes_.back().get();
    } else {
      auto compound = std::make_unique<btCompoundShape>();
      for (const shapes::PlacedShape& placed : body.shapes) {
        shapes_.push_back(make_shape(placed.shape));
        compound->addChildShape(to_bullet(placed.X_BS), shapes_.back().get());
      }
      shape = compound.get();
      shapes_.push_back(std::move(compound));
    }
    const btScalar mass = is_mobile ? btScalar(body.mass) : btScalar(0);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape,
                                                  to_bullet(Vec3(body.inertia.diagonal())));
    info.m_startWorldTransform = to_bullet(body.X_WB);
    // Bullet multiplies the coefficients of two bodies.
    info.m_friction = btScalar(std::sqrt(body.friction));
    info.m_restitution = btScalar(std::sqrt(body.restitution));
    auto made = std::make_unique<btRigidBody>(info);
    made->setActivationState(DISABLE_DEACTIVATION);
    made->setDamping(0, 0);
    if (body.kind == PeerBody::Kind::kTurning) {
      made->setCollisionFlags(made->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
      turning_.push_back(made.get());
    }
    made->setLinearVelocity(to_bullet(body.v));
    made->setAngularVelocity(to_bullet(body.w));
    if (is_mobile) mobile_.push_back(made.get());
    world_.addRigidBody(made.get());
    bodies_.push_back(std::move(made));
  }

  btScalar h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> mobile_, turning_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  return std::make_unique<Bullet>(scene);
}

}  // namespace tenpin::peers
