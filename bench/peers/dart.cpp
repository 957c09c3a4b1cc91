// DART: velocity-level complementarity with boxed friction, by pivoting (Dantzig) or sweeps (pgs).
#include <cmath>

#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "engine.h"

namespace tenpin::peers {

namespace {

namespace dd = dart::dynamics;

dd::ShapePtr make_shape(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    return std::make_shared<dd::SphereShape>(sphere->radius);
  }
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    return std::make_shared<dd::BoxShape>(2.0 * box->half);
  }
  if (std::holds_alternative<shapes::Plane>(shape)) {
    return std::make_shared<dd::PlaneShape>(Vec3::UnitZ(), 0.0);
  }
  throw CannotDo("only spheres, boxes and planes are among the scenes");
}

Eigen::Isometry3d to_dart(const Pose& X) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

class Dart final : public Engine {
 public:
  explicit Dart(const PeerScene& scene) : is_pgs_(scene.option == "pgs") {
    world_->setTimeStep(scene.h);
    world_->setGravity(scene.gravity);
    std::shared_ptr<dart::constraint::BoxedLcpSolver> lcp;
    if (is_pgs_) {
      lcp = std::make_shared<dart::constraint::PgsBoxedLcpSolver>();
    } else {
      lcp = std::make_shared<dart::constraint::DantzigBoxedLcpSolver>();
    }
    world_->setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(lcp));
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::OdeCollisionDetector::create());
    for (const PeerBody& body : scene.bodies) add(body);
  }

  std::string version() const override { return DART_VERSION; }
  std::string settings() const override {
    return std::string("boxed LCP, ") + (is_pgs_ ? "projected Gauss-Seidel" : "Dantzig") +
           ", friction pyramid, ODE's collision detector";
  }
  void step() override { world_->step(); }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    for (const dd::BodyNode* body : mobile_) {
      const Eigen::Isometry3d& T = body->getWorldTransform();
      bodies->push_back({.p = T.translation(),
                         .v = body->getLinearVelocity(),
                         .R = T.linear(),
                         .w = body->getAngularVelocity()});
    }
  }

 private:
  void add(const PeerBody& body) {
    const auto skeleton = dd::Skeleton::create(body.name);
    dd::BodyNode* node = nullptr;
    if (body.kind == PeerBody::Kind::kMobile) {
      auto [joint, made] = skeleton->createJointAndBodyNodePair<dd::FreeJoint>();
      const Mat3& I = body.inertia;
      made->setInertia(dd::Inertia(body.mass, Vec3::Zero(), I));
      joint->setTransform(to_dart(body.X_WB));
      joint->setLinearVelocity(body.v);
      joint->setAngularVelocity(body.w);
      mobile_.push_back(made);
      node = made;
    } else if (body.kind == PeerBody::Kind::kTurning) {
      auto [joint, made] = skeleton->createJointAndBodyNodePair<dd::RevoluteJoint>();
      joint->setTransformFromParentBodyNode(to_dart(body.X_WB));
      joint->setAxis(body.X_WB.R.transpose() * body.w.normalized());
      joint->setVelocity(0, body.w.norm());
      // A flywheel that no contact can slow: contacts do not see joints that are driven.
      made->setInertia(dd::Inertia(1.0, Vec3::Zero(), 1e9 * Mat3::Identity()));
      node = made;
    } else {
      auto [joint, made] = skeleton->createJointAndBodyNodePair<dd::WeldJoint>();
      joint->setTransformFromParentBodyNode(to_dart(body.X_WB));
      skeleton->setMobile(false);
      node = made;
    }
    for (const shapes::PlacedShape& placed : body.shapes) {
      dd::ShapeNode* shape = node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(
          make_shape(placed.shape));
      shape->setRelativeTransform(to_dart(placed.X_BS));
      shape->getDynamicsAspect()->setFrictionCoeff(body.friction);
      // DART multiplies the coefficients of two bodies.
      shape->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(body.restitution));
    }
    world_->addSkeleton(skeleton);
  }

  bool is_pgs_ = false;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  std::vector<dd::BodyNode*> mobile_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  return std::make_unique<Dart>(scene);
}

}  // namespace tenpin::peers
