#include "batch/batch_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "base/check.h"
#include "base/text.h"
#include "batch/shape_points.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "math/trig.h"
#include "methods/start_overlaps.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/default_stepping.h"

namespace tenpin::batch {

namespace {

Vector<double> to_vector(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Quaternion<double> to_quaternion(const Quat& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}

// Principal axes, ordered so that two equal moments are those about x and y.
Quat choose_axes(const dynamics::Body& body, Vec3* moments) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (body.moments[i] != body.moments[j]) continue;
    Mat3 R;
    R << Vec3::Unit(i), Vec3::Unit(j), Vec3::Unit(k);
    *moments = {body.moments[i], body.moments[j], body.moments[k]};
    return (body.q_BP * Quat(R)).normalized();
  }
  *moments = body.moments;
  return body.q_BP;
}

Part<double> make_part(const shapes::Shape& shape, const Pose& X) {
  Part<double> part = {};
  part.axes = to_quaternion(Quat(X.R).normalized());
  part.centre = to_vector(X.p);
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    part.kind = kRound;
    part.radius = sphere->radius;
    part.axes = {1.0, 0.0, 0.0, 0.0};
  } else if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) {
    part.kind = kRound;
    part.radius = capsule->radius;
    part.axis = to_vector(capsule->half_length * X.R.col(2));
  } else if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    part.kind = kBox;
    part.half = to_vector(box->half);
  } else if (const auto* cylinder = std::get_if<shapes::Cylinder>(&shape)) {
    part.kind = kCylinder;
    part.half = {cylinder->radius, cylinder->radius, cylinder->half_length};
  } else if (std::holds_alternative<shapes::Polyhedron>(shape)) {
    part.kind = kHull;  // its corners are in the frame of the body: Lists::add_hull()
    part.centre = {};
    part.axes = {1.0, 0.0, 0.0, 0.0};
  } else {
    TENPIN_DEMAND(std::holds_alternative<shapes::Plane>(shape));
    part.kind = kPlane;
    part.axis = to_vector(X.R.col(2));
  }
  return part;
}

bool are_alike(const Part<double>& a, const Part<double>& b) {
  const auto list = [](const Part<double>& p) {
    return std::array{double(p.kind),
                      double(p.is_aligned),
                      double(p.corners_begin),
                      double(p.num_corners),
                      double(p.facets_begin),
                      p.radius,
                      p.centre.x,
                      p.centre.y,
                      p.centre.z,
                      p.axis.x,
                      p.axis.y,
                      p.axis.z,
                      p.half.x,
                      p.half.y,
                      p.half.z,
                      p.axes.w,
                      p.axes.x,
                      p.axes.y,
                      p.axes.z};
  };
  return list(a) == list(b);
}

Vec3 to_vec3(const Vector<double>& v) {
  return {v.x, v.y, v.z};
}

// m   Half the smallest distance between a facet and the corner farthest behind it.
double calc_hull_half_thickness(const Model<double>& model, const Part<double>& part) {
  double thickness = std::numeric_limits<double>::infinity();
  for (Word f = 0; f < part.num_facets; ++f) {
    const Facet<double>& facet = model.facets[part.facets_begin + f];
    double deepest = 0.0;
    for (Word k = 0; k < part.num_corners; ++k) {
      const double height = dot(facet.normal, model.corners[part.corners_begin + k]);
      deepest = std::max(deepest, facet.offset - height);
    }
    thickness = std::min(thickness, deepest);
  }
  return 0.5 * thickness;
}

// m   Half the thickness of a part.
double calc_half_thickness(const Model<double>& model, const Part<double>& part) {
  if (part.kind == kHull) return calc_hull_half_thickness(model, part);
  if (part.kind == kBox || part.kind == kCylinder) {
    return std::min({part.half.x, part.half.y, part.half.z});
  }
  return part.kind == kRound ? part.radius : std::numeric_limits<double>::infinity();
}

// Balls that contain a part in their hull.
struct Ball {
  Vec3 centre;
  double radius;
};
void append_balls(const Model<double>& model, const Part<double>& part, std::vector<Ball>* balls) {
  const Vec3 c = to_vec3(part.centre);
  if (part.kind == kHull) {
    for (Word k = 0; k < part.num_corners; ++k) {
      balls->push_back({to_vec3(model.corners[part.corners_begin + k]), 0.0});
    }
    return;
  }
  if (part.kind == kRound) {
    const Vec3 axis(part.axis.x, part.axis.y, part.axis.z);
    balls->push_back({c - axis, part.radius});
    balls->push_back({c + axis, part.radius});
    return;
  }
  const Quat q(part.axes.w, part.axes.x, part.axes.y, part.axes.z);
  for (int k = 0; part.kind == kCylinder && k < 2 * kRimMarks; ++k) {
    // 1 / cos(pi / 8): the corners of an octagon around the rim
    constexpr double kAround = 1.0823922002923939688;  // 1 / cos(pi / 8)
    const int corner = k / 2;
    const SinCos turn = sin_cos((corner + 0.5) * std::numbers::pi / 4.0);
    const double r = kAround * part.half.x;
    const double z = (k & 1) != 0 ? part.half.z : -part.half.z;
    balls->push_back({c + q * Vec3(r * turn.cos, r * turn.sin, z), 0.0});
  }
  if (part.kind == kCylinder) return;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner((k & 1) != 0 ? part.half.x : -part.half.x,
                      (k & 2) != 0 ? part.half.y : -part.half.y,
                      (k & 4) != 0 ? part.half.z : -part.half.z);
    balls->push_back({c + q * corner, 0.0});
  }
}

// Sets the bounds of a body: a sphere about the centre of mass, and the thinnest capsule whose axis
// is one of the axes through it.
void set_bounds(std::span<const Ball> balls, Body<double>* body) {
  constexpr double kRounding = 1e-5;  // of the size, so that bounds also hold in single precision
  for (const Ball& ball : balls) {
    body->radius = std::max(body->radius, ball.centre.norm() + ball.radius);
    body->arm = std::max(body->arm, ball.centre.norm());
  }
  body->radius *= 1.0 + kRounding;
  body->spine_radius = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const auto radial = [k](const Ball& ball) {
      return (ball.centre - ball.centre[k] * Vec3::Unit(k)).norm();
    };
    double radius = 0.0;
    for (const Ball& ball : balls) radius = std::max(radius, radial(ball) + ball.radius);
    if (radius >= body->spine_radius) continue;
    // The ends of the segment reach every ball: |z - end| <= sqrt((radius - r)^2 - d^2).
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Ball& ball : balls) {
      const double room = radius - ball.radius;
      const double s = std::sqrt(std::max(0.0, room * room - radial(ball) * radial(ball)));
      low = std::min(low, ball.centre[k] + s);
      high = std::max(high, ball.centre[k] - s);
    }
    body->spine_radius = radius;
    body->spine_centre = to_vector(0.5 * (low + high) * Vec3::Unit(k));
    body->spine_axis = to_vector(0.5 * std::max(0.0, high - low) * Vec3::Unit(k));
  }
  body->spine_radius *= 1.0 + kRounding;
}

// The number of tests of two parts: shape_points.h lists them.
int count_tests(const Part<double>& a, const Part<double>& b) {
  const auto is_long = [](const Part<double>& part) {
    return part.axis.x != 0.0 || part.axis.y != 0.0 || part.axis.z != 0.0;
  };
  if (a.kind == kRound && b.kind == kRound) return is_long(a) && is_long(b) ? 2 : 1;
  if (a.kind != kPlane) return is_long(a.kind == kRound ? a : b) ? 3 : 1;
  switch (b.kind) {
    case kBox:
      return 8;
    case kCylinder:
      return 2 + kRimMarks;
    case kHull:
      return static_cast<int>(b.num_corners);
    default:
      return is_long(b) ? 2 : 1;
  }
}

// Fills the model's lists, with each entry only once.
class Lists {
 public:
  Lists(const scene::Scene& scene, const dynamics::Model& source, Model<double>* model)
      : scene_(scene), source_(source), finder_(source), model_(model) {}

  int add_part(const Part<double>& part) {
    for (int i = 0; i < num_parts_; ++i) {
      if (are_alike(model_->parts[i], part)) return i;
    }
    require(num_parts_ < kMaxParts, "shapes", kMaxParts);
    model_->parts[num_parts_] = part;
    return num_parts_++;
  }

  // Adds the corners and facets of a mesh, placed by X, to the model, and sets their indices in the
  // part. Equal meshes are stored once.
  void add_hull(const shapes::ConvexMesh& mesh, const Pose& X, Part<double>* part) {
    std::vector<Vector<double>> corners;
    for (const Vec3& vertex : mesh.vertices) corners.push_back(to_vector(X * vertex));
    std::vector<unsigned char> bytes(corners.size() * sizeof corners[0]);
    std::memcpy(bytes.data(), corners.data(), bytes.size());
    const Hull next = {num_corners_, num_facets_};
    const auto [at, is_new] = hulls_.try_emplace(std::move(bytes), next);
    part->corners_begin = static_cast<Word>(at->second.corners);
    part->facets_begin = static_cast<Word>(at->second.facets);
    part->num_corners = static_cast<Word>(corners.size());
    part->num_facets = 0;
    for (int f = 0; f < mesh.num_faces(); ++f) {
      part->num_facets += static_cast<Word>(mesh.face(f).size() - 2);
    }
    if (!is_new) return;
    require(num_corners_ + mesh.num_vertices() <= kMaxCorners, "corners of meshes", kMaxCorners);
    require(num_facets_ + static_cast<int>(part->num_facets) <= kMaxFacets, "triangles of meshes",
            kMaxFacets);
    std::copy(corners.begin(), corners.end(), model_->corners + num_corners_);
    num_corners_ += mesh.num_vertices();
    for (int f = 0; f < mesh.num_faces(); ++f) {
      const std::span<const int> face = mesh.face(f);
      const Vec3 normal = X.R * mesh.normals[f];
      const double offset = normal.dot(X * mesh.vertices[face[0]]);
      for (std::size_t k = 2; k < face.size(); ++k) {
        model_->facets[num_facets_++] = {
            to_vector(normal),
            offset,
            {static_cast<unsigned char>(face[0]), static_cast<unsigned char>(face[k - 1]),
             static_cast<unsigned char>(face[k])}};
      }
    }
  }

  // The parts of two bodies are given by their indices in the source and in the model.
  struct BodyParts {
    int name = 0;  // loose body, or kFixedFlag + fixed part
    std::vector<std::pair<int, int>> parts;
  };
  void add_pair(const BodyParts& a, const BodyParts& b) {
    std::vector<Test> tests;
    for (const auto& [source_a, part_a] : a.parts) {
      for (const auto& [source_b, part_b] : b.parts) {
        if (!finder_.may_touch(source_a, source_b)) continue;
        const int surface =
            add_surface(source_.parts[source_a].material, source_.parts[source_b].material);
        const int count = count_tests(model_->parts[part_a], model_->parts[part_b]);
        for (int which = 0; which < count; ++which) {
          tests.push_back({static_cast<unsigned char>(part_a), static_cast<unsigned char>(part_b),
                           static_cast<unsigned char>(which), static_cast<unsigned char>(surface)});
        }
      }
    }
    if (tests.empty()) return;
    require(model_->num_pairs < kMaxPairs, "pairs of bodies that may touch", kMaxPairs);
    model_->pairs[model_->num_pairs++] = {static_cast<unsigned char>(a.name),
                                          static_cast<unsigned char>(b.name), add_tests(tests),
                                          static_cast<unsigned short>(tests.size())};
  }

 private:
  void require(bool fits, const char* what, int most) const {
    if (fits) return;
    throw scene::SceneError({{.file = scene_.file,
                              .path = "bodies",
                              .text = "too many different " + std::string(what) +
                                      " for a batch, want at most " + std::to_string(most)}});
  }

  int add_surface(int material_a, int material_b) {
    const dynamics::Surface& s = source_.surface(material_a, material_b);
    const auto [at, is_new] = surfaces_.try_emplace({s.mu_along, s.restitution}, num_surfaces_);
    if (!is_new) return at->second;
    require(num_surfaces_ < kMaxSurfaces, "frictions and restitutions", kMaxSurfaces);
    model_->surfaces[num_surfaces_] = {s.mu_along, s.restitution};
    return num_surfaces_++;
  }

  unsigned short add_tests(const std::vector<Test>& tests) {
    std::vector<unsigned char> bytes(tests.size() * sizeof(Test));
    std::memcpy(bytes.data(), tests.data(), bytes.size());
    const auto [at, is_new] = lists_.try_emplace(std::move(bytes), num_tests_);
    if (is_new) {
      require(num_tests_ + static_cast<int>(tests.size()) <= kMaxTests, "pairs of shapes",
              kMaxTests);
      std::copy(tests.begin(), tests.end(), model_->tests + num_tests_);
      num_tests_ += static_cast<int>(tests.size());
    }
    return static_cast<unsigned short>(at->second);
  }

  const scene::Scene& scene_;
  const dynamics::Model& source_;
  contact::ContactFinder finder_;
  Model<double>* model_;
  struct Hull {
    int corners = 0, facets = 0;  // the first of each
  };
  int num_parts_ = 0, num_tests_ = 0, num_surfaces_ = 0, num_corners_ = 0, num_facets_ = 0;
  std::map<std::vector<unsigned char>, Hull> hulls_;  // by the bytes of the corners
  std::map<std::pair<double, double>, int> surfaces_;
  std::map<std::vector<unsigned char>, int> lists_;
};

void set_body(const dynamics::Body& source, const Quat& axes, const Vec3& moments,
              Body<double>* body) {
  body->mass = source.mass;
  body->inverse_mass = 1.0 / source.mass;
  body->moments = to_vector(moments);
  body->inverse_moments = to_vector(moments.cwiseInverse());
  body->half_rates = to_vector(0.5 * moments.cwiseInverse());
  body->is_top = moments[0] == moments[1] ? 1.0 : 0.0;
  body->origin = to_vector(axes.conjugate() * source.p_BO);
}

void set_method(const scene::Scene& scene, const dynamics::Model& source, Model<double>* model) {
  const auto& own = std::get<scene::TimeSteppingOptions>(scene.method);
  const auto stepping = methods::time_stepping::choose_stepping(source, own).options;
  const double h = stepping.step;
  const double e = stepping.compliance;
  model->max_sweeps = kMaxSweeps;
  model->has_restitution =
      stepping.restitution == scene::TimeSteppingOptions::Restitution::kNewton ? 1 : 0;
  model->h = h;
  model->inverse_h = 1.0 / h;
  model->gravity = to_vector(source.gravity);
  model->fall_speed = source.gravity.norm() * h;
  model->compliance = e;
  model->compliance_share = e / (1.0 + e);
  model->mobility_share = 1.0 / (3.0 * (1.0 + e));
  model->tolerance = *stepping.tolerance;
  model->start_overlap = methods::kLeastOverlap;
  model->least_speed = methods::time_stepping::calc_least_speed(h);
}

}  // namespace

Vec3 choose_origin(const scene::Built& built) {
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  Vec3 sum = Vec3::Zero();
  double count = 0.0;
  for (int i = 0; i < built.model.num_bodies(); ++i) {
    if (!built.model.bodies[i].is_mobile()) continue;
    sum += X_WB[i].p;
    count += 1.0;
  }
  return count > 0.0 ? Vec3(sum / count) : sum;
}

namespace {

// Makes a part of a body, placed in its principal frame, or in the world's frame if the body does
// not move.
Part<double> make_body_part(const dynamics::Body& body, const shapes::Shape& shape, const Pose& X,
                            Lists* lists) {
  Part<double> part = make_part(shape, X);
  part.is_aligned = !body.is_mobile() && X.R == Mat3::Identity() ? 1 : 0;
  if (const auto* hull = std::get_if<shapes::Polyhedron>(&shape)) {
    lists->add_hull(*hull->mesh, X, &part);
    part.is_aligned = body.is_mobile() ? 0 : 1;
  }
  return part;
}

void add_pairs(const std::vector<Lists::BodyParts>& fixed,
               const std::vector<Lists::BodyParts>& loose, Lists* lists) {
  for (const Lists::BodyParts& b : loose) {
    for (const Lists::BodyParts& f : fixed) lists->add_pair(f, b);
  }
  for (std::size_t a = 0; a < loose.size(); ++a) {
    for (std::size_t b = a + 1; b < loose.size(); ++b) lists->add_pair(loose[a], loose[b]);
  }
}

}  // namespace

BatchScene make_batch_scene(const scene::Scene& scene, const scene::Built& built,
                            const Vec3& origin) {
  const dynamics::Model& source = built.model;
  std::vector<scene::Problem> obstacles = find_obstacles(scene, source);
  if (!obstacles.empty()) throw scene::SceneError(std::move(obstacles));
  BatchScene batch;
  std::memset(&batch.model, 0, sizeof batch.model);
  Model<double>* model = &batch.model;
  batch.origin = origin;
  set_method(scene, source, model);
  batch.num_steps = std::llround(scene.until / model->h);

  std::vector<Pose> X_WB;
  update_poses(source, built.state.q, 0.0, &X_WB);
  Lists lists(scene, source, model);
  std::vector<Lists::BodyParts> loose, fixed;
  double thinnest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < source.num_bodies(); ++i) {
    const dynamics::Body& body = source.bodies[i];
    std::vector<Ball> balls;
    Lists::BodyParts parts;
    double thickest = 0.0;
    Vec3 moments;
    const Quat axes = choose_axes(body, &moments);
    const Pose X_PB = {.R = axes.conjugate().toRotationMatrix(), .p = Vec3::Zero()};
    const Pose X_OB = {.R = X_WB[i].R, .p = X_WB[i].p - origin};
    for (int k = body.parts_begin; k < body.parts_end; ++k) {
      const shapes::PlacedShape& placed = source.parts[k].placed;
      const Pose X = (body.is_mobile() ? X_PB : X_OB) * placed.X_BS;
      const Part<double> part = make_body_part(body, placed.shape, X, &lists);
      const int index = lists.add_part(part);
      if (body.is_mobile()) {
        parts.parts.emplace_back(k, index);
        append_balls(*model, part, &balls);
        thickest = std::max(thickest, calc_half_thickness(*model, part));
      } else {
        model->fixed_parts[model->num_fixed] = static_cast<Word>(index);
        fixed.push_back({kFixedFlag + model->num_fixed++, {{k, index}}});
        batch.fixed.push_back(i);
        thinnest = std::min(thinnest, calc_half_thickness(*model, part));
      }
    }
    if (!body.is_mobile()) continue;
    parts.name = model->num_bodies;
    Body<double>* out = &model->bodies[model->num_bodies++];
    set_body(body, axes, moments, out);
    set_bounds(balls, out);
    if (!balls.empty()) thinnest = std::min(thinnest, thickest);
    loose.push_back(std::move(parts));
    batch.loose.push_back({i, axes});
  }
  // In a step, no body may move more than half the smallest thickness, because it could pass
  // through another.
  model->max_speed = thinnest / model->h;
  model->max_overlap = 0.5 * thinnest;
  add_pairs(fixed, loose, &lists);
  return batch;
}

template <class Real, int kContacts>
Stored<Real, kContacts> make_world(const BatchScene& scene, const dynamics::State& state) {
  Stored<Real, kContacts> world;
  std::memset(&world, 0, sizeof world);
  for (auto& q : world.q) q[0] = Real(1);
  for (std::size_t i = 0; i < scene.loose.size(); ++i) {
    const Eigen::Index q = 7 * static_cast<Eigen::Index>(i), v = 6 * static_cast<Eigen::Index>(i);
    const Quat q_WB(state.q[q + 3], state.q[q + 4], state.q[q + 5], state.q[q + 6]);
    const Quat q_WP = q_WB * scene.loose[i].principal;
    for (int k = 0; k < 3; ++k) {
      world.x[i][k] = static_cast<Real>(state.q[q + k] - scene.origin[k]);
    }
    const double turn[4] = {q_WP.w(), q_WP.x(), q_WP.y(), q_WP.z()};
    for (int k = 0; k < 4; ++k) world.q[i][k] = static_cast<Real>(turn[k]);
    for (int k = 0; k < 6; ++k) world.v[i][k] = static_cast<Real>(state.v[v + k]);
  }
  return world;
}

template <class Real, int kContacts>
void read_state(const BatchScene& scene, const Stored<Real, kContacts>& world,
                dynamics::State* state) {
  state->step = world.steps;
  state->t = static_cast<double>(world.steps) * scene.model.h;
  state->q.resize(7 * std::ssize(scene.loose));
  state->v.resize(6 * std::ssize(scene.loose));
  state->memory.clear();
  for (std::size_t i = 0; i < scene.loose.size(); ++i) {
    const Eigen::Index q = 7 * static_cast<Eigen::Index>(i), v = 6 * static_cast<Eigen::Index>(i);
    const auto& turn = world.q[i];
    const Quat q_WB =
        (Quat(turn[0], turn[1], turn[2], turn[3]) * scene.loose[i].principal.conjugate())
            .normalized();
    for (int k = 0; k < 3; ++k) state->q[q + k] = world.x[i][k] + scene.origin[k];
    state->q[q + 3] = q_WB.w();
    state->q[q + 4] = q_WB.x();
    state->q[q + 5] = q_WB.y();
    state->q[q + 6] = q_WB.z();
    for (int k = 0; k < 6; ++k) state->v[v + k] = world.v[i][k];
  }
}

template Stored<double, kRoom> make_world(const BatchScene&, const dynamics::State&);
template Stored<float, kRoom> make_world(const BatchScene&, const dynamics::State&);
template Stored<double, kMoreRoom> make_world(const BatchScene&, const dynamics::State&);
template Stored<float, kMoreRoom> make_world(const BatchScene&, const dynamics::State&);
template void read_state(const BatchScene&, const Stored<double, kRoom>&, dynamics::State*);
template void read_state(const BatchScene&, const Stored<float, kRoom>&, dynamics::State*);
template void read_state(const BatchScene&, const Stored<double, kMoreRoom>&, dynamics::State*);
template void read_state(const BatchScene&, const Stored<float, kMoreRoom>&, dynamics::State*);

std::string describe_flags(Word flags, Word steps) {
  if (flags == 0) return "";
  std::string text;
  const auto add = [&](Word flag, const char* name) {
    if ((flags & flag) == 0) return;
    if (!text.empty()) text += ", ";
    text += name;
  };
  add(kOverflow, "too many contacts");
  add(kNotCertified, "not certified");
  add(kTooFast, "too fast");
  add(kSunk, "sunk");
  add(kStartsOverlapping, "overlaps at the start");
  return text + " at step " + std::to_string(steps + 1);
}

}  // namespace tenpin::batch
