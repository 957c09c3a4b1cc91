// Box3D: soft contacts and substeps. Built where CMake is pointed at a checked-out copy.
#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <cmath>

#include "engine.h"

namespace tenpin::peers {

namespace {

constexpr float kHalfFloor = 50.0F;  // m   Box3D has no planes: a box this wide and deep

b3Vec3 to_box3d(const Vec3& v) {
  return {float(v.x()), float(v.y()), float(v.z())};
}
b3Quat to_box3d(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  return {.v = {float(q.x()), float(q.y()), float(q.z())}, .s = float(q.w())};
}
Vec3 from_box3d(const b3Vec3& v) {
  return {v.x, v.y, v.z};
}

class Box3d final : public Engine {
 public:
  explicit Box3d(const PeerScene& scene)
      : h_(float(scene.h)), substeps_(scene.option.empty() ? 4 : std::stoi(scene.option)) {
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = to_box3d(scene.gravity);
    def.enableSleep = false;
    def.workerCount = 1;
    world_ = b3CreateWorld(&def);
    for (const PeerBody& body : scene.bodies) add(body);
  }
  ~Box3d() override { b3DestroyWorld(world_); }

  std::string version() const override {
    const b3Version v = b3GetVersion();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." +
           std::to_string(v.revision);
  }
  std::string settings() const override {
    return "soft contacts, " + std::to_string(substeps_) +
           " substeps, sleeping off, planes are boxes, single precision";
  }
  void step() override { b3World_Step(world_, h_, substeps_); }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    for (const b3BodyId body : mobile_) {
      const b3Quat q = b3Body_GetRotation(body);
      const b3Pos p = b3Body_GetWorldCenter(body);
      bodies->push_back(
          {.p = {p.x, p.y, p.z},
           .v = from_box3d(b3Body_GetLinearVelocity(body)),
           .R = Eigen::Quaterniond(q.s, q.v.x, q.v.y, q.v.z).normalized().toRotationMatrix(),
           .w = from_box3d(b3Body_GetAngularVelocity(body))});
    }
  }

 private:
  void add(const PeerBody& body) {
    b3BodyDef def = b3DefaultBodyDef();
    def.type = body.kind == PeerBody::Kind::kMobile    ? b3_dynamicBody
               : body.kind == PeerBody::Kind::kTurning ? b3_kinematicBody
                                                       : b3_staticBody;
    const b3Vec3 p = to_box3d(body.X_WB.p);
    def.position = {p.x, p.y, p.z};
    def.rotation = to_box3d(body.X_WB.R);
    def.linearVelocity = to_box3d(body.v);
    def.angularVelocity = to_box3d(body.w);
    def.enableSleep = false;
    const b3BodyId made = b3CreateBody(world_, &def);
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.baseMaterial.friction = float(body.friction);        // mixed by the root of the product
    shape.baseMaterial.restitution = float(body.restitution);  // and by the larger one
    shape.updateBodyMass = false;
    for (const shapes::PlacedShape& placed : body.shapes) add_shape(made, shape, placed);
    if (body.kind != PeerBody::Kind::kMobile) return;
    const Mat3& I = body.inertia;
    b3Body_SetMassData(made, {.mass = float(body.mass),
                              .center = {0.0F, 0.0F, 0.0F},
                              .inertia = {.cx = to_box3d(Vec3(I.col(0))),
                                          .cy = to_box3d(Vec3(I.col(1))),
                                          .cz = to_box3d(Vec3(I.col(2)))}});
    mobile_.push_back(made);
  }

  static void add_shape(b3BodyId body, const b3ShapeDef& def, const shapes::PlacedShape& placed) {
    const b3Transform X = {.p = to_box3d(placed.X_BS.p), .q = to_box3d(placed.X_BS.R)};
    if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
      const b3Sphere made = {.center = X.p, .radius = float(sphere->radius)};
      b3CreateSphereShape(body, &def, &made);
    } else if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
      const b3Vec3 half = to_box3d(box->half);
      const b3BoxHull hull = b3MakeTransformedBoxHull(half.x, half.y, half.z, X);
      b3CreateHullShape(body, &def, &hull.base);
    } else if (std::holds_alternative<shapes::Plane>(placed.shape)) {
      const Vec3 below = placed.X_BS.p - double(kHalfFloor) * placed.X_BS.R.col(2);
      const b3Transform centre = {.p = to_box3d(below), .q = X.q};
      const b3BoxHull hull = b3MakeTransformedBoxHull(kHalfFloor, kHalfFloor, kHalfFloor, centre);
      b3CreateHullShape(body, &def, &hull.base);
    } else {
      throw CannotDo("only spheres, boxes and planes are among the scenes");
    }
  }

  float h_;
  int substeps_;
  b3WorldId world_{};
  std::vector<b3BodyId> mobile_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  return std::make_unique<Box3d>(scene);
}

}  // namespace tenpin::peers
