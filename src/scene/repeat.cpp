#include "scene/repeat.h"

#include <utility>

#include "base/rng.h"
#include "base/text.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "scene/quaternion_product.h"
#include "scene/read_rotation.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

constexpr double kMostCoordinate = 1e7;  // m   same limit as for `position`

class Copier {
 public:
  Copier(const Body& body, const Node& repeat) : body_(body), repeat_(repeat) {}

  Body copy(std::int64_t index) const {
    Body result = body_;
    if (const Node* ring = repeat_.find("ring")) {
      turn(*ring, index, &result);
    } else if (repeat_.find("chain") == nullptr) {
      result.position += offset(index);
    }
    return result;
  }

 private:
  Vec3 offset(std::int64_t index) const {
    const Node& node = *repeat_.find("spacing");
    const Node* grid = repeat_.find("grid");
    if (grid == nullptr) {
      const Vec3 spacing = node.is_list() ? to_vector(node) : Vec3(0.0, 0.0, to_number(node));
      return spacing * static_cast<double>(index);
    }
    const Vec3 spacing = node.is_list() ? to_vector(node) : Vec3(Vec3::Constant(to_number(node)));
    const std::int64_t nx = to_integer(grid->items[0]);
    const std::int64_t ny = to_integer(grid->items[1]);
    const std::int64_t row = index / nx;
    const std::int64_t layer = row / ny;
    const Vec3 cell(static_cast<double>(index % nx), static_cast<double>(row % ny),
                    static_cast<double>(layer));
    return spacing.cwiseProduct(cell);
  }

  static void turn(const Node& ring, std::int64_t index, Body* body) {
    int axis = 2;
    if (const Node* word = ring.find("axis")) {
      axis = word->text == "x" ? 0 : word->text == "y" ? 1 : 2;
    }
    const double angle = 2.0 * kPi * static_cast<double>(index) /
                         static_cast<double>(to_integer(*ring.find("count")));
    const Quat q = exp_map(Vec3::Unit(axis) * angle);
    const Mat3 R = to_matrix(q);
    body->position += R * (Vec3::Unit((axis + 1) % 3) * to_number(*ring.find("radius")));
    body->orientation = product(q, body->orientation);
    body->velocity = R * body->velocity;
    body->angular_velocity = R * body->angular_velocity;
  }

  const Body& body_;
  const Node& repeat_;
};

// Moves the body randomly. A planar body stays in its plane.
void jitter(double most, std::uint64_t index, const RandomStream& random, Body* body) {
  Vec3 shift = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    shift[i] = random.uniform(3 * index + static_cast<std::uint64_t>(i), -most, most);
  }
  const PlanarJoint& plane = body->planar;
  body->position +=
      body->joint == JointKind::kPlanar ? Vec3(plane.x * shift.x() + plane.y * shift.y()) : shift;
}

bool check_spacing(const Node& repeat, const std::string& path, ProblemList* problems) {
  const Node* spacing = repeat.find("spacing");
  const bool in_row = repeat.find("grid") != nullptr || repeat.find("stack") != nullptr;
  if (in_row && spacing == nullptr) {
    problems->add(repeat.place, path + ".spacing",
                  "missing, got nothing, want the distance from copy to copy");
    return false;
  }
  if (repeat.find("chain") != nullptr && spacing != nullptr) {
    problems->add(spacing->place, path + ".spacing",
                  "not for a chain, got it, want the `position` of each link in the one before");
    return false;
  }
  return true;
}

}  // namespace

std::int64_t count_copies(const Node& repeat, std::int64_t most) {
  if (const Node* stack = repeat.find("stack")) {
    return to_integer(*stack);
  }
  if (const Node* chain = repeat.find("chain")) {
    return to_integer(*chain);
  }
  if (const Node* ring = repeat.find("ring")) {
    return to_integer(*ring->find("count"));
  }
  std::int64_t product = 1;
  for (const Node& count : repeat.find("grid")->items) {
    if (to_integer(count) > most / product) {
      return most + 1;
    }
    product *= to_integer(count);
  }
  return product;
}

void append_copies(const Body& body, const Node& repeat, const std::string& path,
                   const Randomness& randomness, std::vector<Body>* bodies, ProblemList* problems) {
  const bool chain = repeat.find("chain") != nullptr;
  if (!check_spacing(repeat, path, problems)) {
    return;
  }
  const Copier copier(body, repeat);
  const RandomStream random(randomness.seed, randomness.stream);
  double most = 0.0;
  take(repeat, "jitter", &most);
  const std::int64_t count = count_copies(repeat, std::int64_t{1} << 62);
  for (std::int64_t i = 0; i < count; ++i) {
    Body copy = copier.copy(i);
    copy.name = body.name + "-" + std::to_string(i + 1);
    if (most > 0.0) {
      jitter(most, static_cast<std::uint64_t>(i), random, &copy);
    }
    const double farthest = copy.position.cwiseAbs().maxCoeff();
    if (farthest > kMostCoordinate) {
      problems->add(repeat.place, path,
                    "copy " + std::to_string(i + 1) + " is out of range, got a coordinate of " +
                        to_text(farthest) + ", want at most 1e+07");
      return;
    }
    if (chain && i > 0) {
      copy.parent = static_cast<int>(bodies->size()) - 1;
    }
    bodies->push_back(std::move(copy));
  }
}

}  // namespace tenpin::scene
