// ODE: an exact pivoting solver (step) and projected sweeps (quick), both over friction pyramids.
#include <ode/ode.h>

#include "engine.h"

namespace tenpin::peers {

namespace {

constexpr int kMostPoints = 8;    // of one pair of shapes
constexpr int kQuickSweeps = 50;  // the default is 20
constexpr double kSoftness =
    1e-8;  // CFM; with the default of 1e-10 pivoting on a box slips now and then

class Ode final : public Engine {
 public:
  explicit Ode(const PeerScene& scene)
      : is_quick_(scene.option == "quick"),
        h_(scene.h),
        friction_(scene.friction()),
        restitution_(scene.restitution()) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    dWorldSetQuickStepNumIterations(world_, kQuickSweeps);
    dWorldSetCFM(world_, kSoftness);
    for (const PeerBody& body : scene.bodies) add(body);
  }
  ~Ode() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  std::string version() const override { return "0.16"; }
  std::string settings() const override {
    const std::string solver = is_quick_
                                   ? "dWorldQuickStep, " + std::to_string(kQuickSweeps) + " sweeps"
                                   : std::string("dWorldStep (pivoting)");
    return solver + ", friction pyramid from normal force, ERP 0.2, CFM 1e-8, double precision";
  }

  void step() override {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
      static_cast<Ode*>(self)->touch(a, b);
    });
    const int ok = is_quick_ ? dWorldQuickStep(world_, h_) : dWorldStep(world_, h_);
    dJointGroupEmpty(joints_);
    if (ok == 0) throw Failed("the step ran out of memory");
  }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    for (const dBodyID body : mobile_) {
      const dReal* R = dBodyGetRotation(body);
      BodyState read{.p = Vec3(dBodyGetPosition(body)),
                     .v = Vec3(dBodyGetLinearVel(body)),
                     .w = Vec3(dBodyGetAngularVel(body))};
      read.R << R[0], R[1], R[2], R[4], R[5], R[6], R[8], R[9], R[10];
      bodies->push_back(read);
    }
  }

 private:
  static void set_rotation(const Mat3& R, dMatrix3 out) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out[4 * i + j] = R(i, j);
      out[4 * i + 3] = 0.0;
    }
  }

  void touch(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a);
    const dBodyID body_b = dGeomGetBody(b);
    if (body_a == body_b) return;
    dContact contacts[kMostPoints];
    const int count = dCollide(a, b, kMostPoints, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dSurfaceParameters& surface = contacts[i].surface;
      surface = {};
      surface.mode = dContactApprox1;
      surface.mu = friction_;
      if (restitution_ > 0.0) {
        surface.mode |= dContactBounce;
        surface.bounce = restitution_;
        surface.bounce_vel = 0.0;
      }
      dJointAttach(dJointCreateContact(world_, joints_, &contacts[i]), body_a, body_b);
    }
  }

  void add(const PeerBody& body) {
    dBodyID made = nullptr;
    dMatrix3 R;
    if (body.kind != PeerBody::Kind::kFixed) {
      made = dBodyCreate(world_);
      dBodySetPosition(made, body.X_WB.p.x(), body.X_WB.p.y(), body.X_WB.p.z());
      set_rotation(body.X_WB.R, R);
      dBodySetRotation(made, R);
      dBodySetLinearVel(made, body.v.x(), body.v.y(), body.v.z());
      dBodySetAngularVel(made, body.w.x(), body.w.y(), body.w.z());
      dBodySetFiniteRotationMode(made, 1);
    }
    if (body.kind == PeerBody::Kind::kTurning) dBodySetKinematic(made);
    if (body.kind == PeerBody::Kind::kMobile) {
      const Mat3& I = body.inertia;
      dMass mass;
      dMassSetParameters(&mass, body.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2),
                         I(1, 2));
      dBodySetMass(made, &mass);
      mobile_.push_back(made);
    }
    for (const shapes::PlacedShape& placed : body.shapes) add_shape(placed, body.X_WB, made);
  }

  void add_shape(const shapes::PlacedShape& placed, const Pose& X_WB, dBodyID body) {
    const Pose X_WS = X_WB * placed.X_BS;
    if (std::holds_alternative<shapes::Plane>(placed.shape)) {
      const Vec3 n = X_WS.R.col(2);
      dCreatePlane(space_, n.x(), n.y(), n.z(), n.dot(X_WS.p));
      return;
    }
    dGeomID geom = nullptr;
    if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
      geom = dCreateSphere(space_, sphere->radius);
    } else if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
      geom = dCreateBox(space_, 2 * box->half.x(), 2 * box->half.y(), 2 * box->half.z());
    } else {
      throw CannotDo("only spheres, boxes and planes are among the scenes");
    }
    dMatrix3 R;
    if (body == nullptr) {
      dGeomSetPosition(geom, X_WS.p.x(), X_WS.p.y(), X_WS.p.z());
      set_rotation(X_WS.R, R);
      dGeomSetRotation(geom, R);
      return;
    }
    dGeomSetBody(geom, body);
    if (placed.X_BS.p.isZero() && placed.X_BS.R.isIdentity(1e-15)) return;
    dGeomSetOffsetPosition(geom, placed.X_BS.p.x(), placed.X_BS.p.y(), placed.X_BS.p.z());
    set_rotation(placed.X_BS.R, R);
    dGeomSetOffsetRotation(geom, R);
  }

  bool is_quick_ = false;
  double h_ = 0.0;
  double friction_ = 0.0;
  double restitution_ = 0.0;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> mobile_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  return std::make_unique<Ode>(scene);
}

}  // namespace tenpin::peers
