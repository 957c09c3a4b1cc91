// MuJoCo: soft contacts as a convex problem over elliptic cones, solved by Newton's method.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>

#include "engine.h"

namespace tenpin::peers {

namespace {

std::string numbers(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}
std::string placement(const Pose& X) {
  const Quat q(X.R);
  return fmt::format("pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\"", numbers(X.p), q.w(),
                     q.x(), q.y(), q.z());
}

std::string make_geom(const shapes::PlacedShape& placed, const Pose& X) {
  std::string kind;
  if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
    kind = fmt::format("type=\"sphere\" size=\"{:.17g}\"", sphere->radius);
  } else if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
    kind = fmt::format("type=\"box\" size=\"{}\"", numbers(box->half));
  } else if (std::holds_alternative<shapes::Plane>(placed.shape)) {
    kind = "type=\"plane\" size=\"0 0 1\"";
  } else {
    throw CannotDo("only spheres, boxes and planes are among the scenes");
  }
  return fmt::format("<geom {} {}/>\n", kind, placement(X * placed.X_BS));
}

std::string make_body(const PeerBody& body) {
  if (body.kind == PeerBody::Kind::kFixed) {
    std::string geoms;
    for (const shapes::PlacedShape& placed : body.shapes) geoms += make_geom(placed, body.X_WB);
    return geoms;
  }
  std::string text = fmt::format("<body {}>\n", placement(body.X_WB));
  if (body.kind == PeerBody::Kind::kMobile) {
    const Mat3& I = body.inertia;
    text += fmt::format(
        "<freejoint/><inertial pos=\"0 0 0\" mass=\"{:.17g}\" fullinertia=\"{} {:.17g} {:.17g} "
        "{:.17g}\"/>\n",
        body.mass, numbers(I.diagonal()), I(0, 1), I(0, 2), I(1, 2));
  }
  // A flywheel that no contact can slow.
  if (body.kind == PeerBody::Kind::kTurning) {
    text += fmt::format(
        "<joint type=\"hinge\" axis=\"{}\"/><inertial pos=\"0 0 0\" mass=\"1\" "
        "diaginertia=\"1e9 1e9 1e9\"/>\n",
        numbers(body.X_WB.R.transpose() * body.w.normalized()));
  }
  for (const shapes::PlacedShape& placed : body.shapes) text += make_geom(placed, {});
  return text + "</body>\n";
}

// Room for contacts must be named in advance.
std::size_t count_contacts(const PeerScene& scene) {
  std::size_t count = 100;
  for (const PeerBody& body : scene.bodies) {
    for (const shapes::PlacedShape& placed : body.shapes) {
      count += std::holds_alternative<shapes::Box>(placed.shape) ? 12 : 5;
    }
  }
  return count;
}

std::string make_model(const PeerScene& scene) {
  const std::size_t contacts = count_contacts(scene);
  const double memory = 8.0 * 9.0 * static_cast<double>(contacts) * static_cast<double>(contacts);
  constexpr double kMostMemory = 3e9;
  if (memory > kMostMemory) {
    throw CannotDo(fmt::format("its dense buffers would take {:.0f} GB", 1e-9 * memory));
  }
  std::string text = fmt::format(
      "<mujoco><option timestep=\"{:.17g}\" gravity=\"{}\" cone=\"elliptic\" solver=\"Newton\" "
      "iterations=\"100\" tolerance=\"1e-10\" impratio=\"100\" integrator=\"{}\" "
      "jacobian=\"auto\"/>\n<size nconmax=\"{}\" njmax=\"{}\"/>\n",
      scene.h, numbers(scene.gravity), scene.option == "rk4" ? "RK4" : "Euler", contacts,
      3 * contacts);
  text += fmt::format(
      "<default><geom condim=\"{}\" friction=\"{:.17g} 0 0\" solref=\"{:.17g} 1\" "
      "solimp=\"0.99 0.999 0.001\"/></default>\n<worldbody>\n",
      scene.friction() > 0.0 ? 3 : 1, scene.friction(), 2.0 * scene.h);
  for (const PeerBody& body : scene.bodies) text += make_body(body);
  return text + "</worldbody></mujoco>\n";
}

mjModel* load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size())) != 0) {
    throw Failed("the model text does not fit into the engine's file system");
  }
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof(error));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw Failed(error);
  return model;
}

class Mujoco final : public Engine {
 public:
  explicit Mujoco(const PeerScene& scene) : scene_(scene), model_(load(make_model(scene))) {
    data_ = mj_makeData(model_);
    int v = 0;
    for (const PeerBody& body : scene.bodies) {
      if (body.kind == PeerBody::Kind::kFixed) continue;
      if (body.kind == PeerBody::Kind::kTurning) {
        data_->qvel[v++] = body.w.norm();
        continue;
      }
      const Vec3 w = body.X_WB.R.transpose() * body.w;  // in body axes
      for (int k = 0; k < 3; ++k) data_->qvel[v++] = body.v[k];
      for (int k = 0; k < 3; ++k) data_->qvel[v++] = w[k];
    }
  }
  ~Mujoco() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  std::string version() const override { return mj_versionString(); }
  std::string settings() const override {
    return fmt::format(
        "Newton to 1e-10, elliptic cones, impratio 100, solref 2h, solimp .99 .999, {}",
        scene_.option == "rk4" ? "Runge-Kutta 4" : "Euler");
  }
  void step() override {
    mj_step(model_, data_);
    if (data_->warning[mjWARN_CONTACTFULL].number + data_->warning[mjWARN_CNSTRFULL].number > 0) {
      throw Failed("buffers full: contacts are dropped");
    }
    if (data_->warning[mjWARN_BADQACC].number > 0)
      throw Failed("unstable: the engine reset itself");
  }

  void read(std::vector<BodyState>* bodies) const override {
    bodies->clear();
    int q = 0;
    int v = 0;
    for (const PeerBody& body : scene_.bodies) {
      if (body.kind == PeerBody::Kind::kFixed) continue;
      if (body.kind == PeerBody::Kind::kTurning) {
        ++q;
        ++v;
        continue;
      }
      const double* at = data_->qpos + q;
      const double* rate = data_->qvel + v;
      const Mat3 R = Quat(at[3], at[4], at[5], at[6]).normalized().toRotationMatrix();
      bodies->push_back({.p = Vec3(at), .v = Vec3(rate), .R = R, .w = R * Vec3(rate + 3)});
      q += 7;
      v += 6;
    }
  }

 private:
  const PeerScene& scene_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  if (scene.restitution() > 0.0) throw CannotDo("has no coefficient of restitution");
  return std::make_unique<Mujoco>(scene);
}

}  // namespace tenpin::peers
