#include "scene/import/mjcf_settings.h"

#include <algorithm>

#include "base/text.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "scene/characters.h"

namespace tenpin::scene::mjcf {

namespace {

constexpr std::array<std::string_view, 5> kTurns = {"quat", "axisangle", "euler", "xyaxes",
                                                    "zaxis"};
constexpr double kLeastLength = 1e-12;

void read_compiler(const Element& compiler, Settings* s) {
  constexpr std::array<std::string_view, 2> kAngles = {"degree", "radian"};
  constexpr std::array<std::string_view, 3> kFromGeoms = {"false", "true", "auto"};
  using FromGeoms = Settings::InertiaFromGeoms;
  if (compiler.has("angle")) {
    s->angle_unit = compiler.word("angle", kAngles, "degree") == "radian" ? 1.0 : kPi / 180.0;
  }
  if (compiler.text("coordinate", "local") != "local") {
    compiler.problem("coordinate", "not supported, got \"" + excerpt(compiler.text("coordinate")) +
                                       "\", want local");
  }
  s->euler_sequence = compiler.text("eulerseq", s->euler_sequence);
  if (s->euler_sequence.size() != 3 ||
      s->euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    compiler.problem("eulerseq", "not a sequence of axes, got \"" + excerpt(s->euler_sequence) +
                                     "\", want three of xyzXYZ");
    s->euler_sequence = "xyz";
  }
  s->mesh_folder = compiler.text("meshdir", compiler.text("assetdir", s->mesh_folder));
  s->strip_path = compiler.flag("strippath", s->strip_path);
  s->auto_limits = compiler.flag("autolimits", s->auto_limits);
  s->exact_mesh_inertia = compiler.flag("exactmeshinertia", s->exact_mesh_inertia);
  s->balance_inertia = compiler.flag("balanceinertia", s->balance_inertia);
  s->least_mass = compiler.number("boundmass", s->least_mass, kNotNegative);
  s->least_inertia = compiler.number("boundinertia", s->least_inertia, kNotNegative);
  s->total_mass = compiler.number("settotalmass", s->total_mass, kAnyNumber);
  if (const auto groups = compiler.numbers("inertiagrouprange", 2, 2, {.low = 0, .high = 1000})) {
    s->inertia_groups = {static_cast<int>((*groups)[0]), static_cast<int>((*groups)[1])};
  }
  if (compiler.has("inertiafromgeom")) {
    const std::string word = compiler.word("inertiafromgeom", kFromGeoms, "auto");
    s->inertia_from_geoms = word == "auto"   ? FromGeoms::kWhereNoneIsGiven
                            : word == "true" ? FromGeoms::kAlways
                                             : FromGeoms::kNever;
  }
}

void read_flags(const Element& flags, Settings* s) {
  constexpr std::array<std::string_view, 2> kWords = {"enable", "disable"};
  const auto off = [&](std::string_view name) {
    return flags.word(name, kWords, "enable") == "disable";
  };
  const bool constraints_off = off("constraint");
  s->physics.contact = s->physics.contact && !off("contact") && !constraints_off;
  s->physics.limits = s->physics.limits && !off("limit") && !constraints_off;
  s->physics.friction_loss = s->physics.friction_loss && !off("frictionloss") && !constraints_off;
  s->physics.equality = s->physics.equality && !off("equality") && !constraints_off;
  s->physics.springs = s->physics.springs && !off("passive");
  s->physics.actuation = s->physics.actuation && !off("actuation");
  s->physics.filter_parent = s->physics.filter_parent && !off("filterparent");
  if (off("gravity")) {
    s->gravity.setZero();
  }
}

void read_option(const Element& option, Settings* s) {
  s->timestep = option.number("timestep", s->timestep, {.low = 1e-9, .high = 1.0});
  s->gravity = option.vector("gravity", {.low = -1e6, .high = 1e6}).value_or(s->gravity);
  if (const auto flags = option.child("flag")) {
    read_flags(*flags, s);
  }
}

Mat3 turn_about(int axis, double angle) {
  return to_matrix(exp_map(Vec3::Unit(axis) * angle));
}

Mat3 read_quaternion(const Element& element) {
  const auto q = element.numbers("quat", 4, 4, kAnyNumber);
  if (!q) {
    return Mat3::Identity();
  }
  const Quat quaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  if (quaternion.norm() < kLeastLength) {
    element.problem("quat", "not a rotation, got a quaternion of length " +
                                to_text(quaternion.norm()) + ", want one that is not zero");
    return Mat3::Identity();
  }
  return to_matrix(quaternion);
}

Mat3 read_axis_angle(const Element& element, const Settings& settings) {
  const auto a = element.numbers("axisangle", 4, 4, kAnyNumber);
  if (!a) {
    return Mat3::Identity();
  }
  const Vec3 axis((*a)[0], (*a)[1], (*a)[2]);
  if (axis.norm() < kLeastLength) {
    element.problem("axisangle", "not a direction, got an axis of length " + to_text(axis.norm()) +
                                     ", want a vector that is not zero");
    return Mat3::Identity();
  }
  return to_matrix(exp_map(axis / axis.norm() * ((*a)[3] * settings.angle_unit)));
}

// Lower-case letters rotate about the axes of the rotated frame, upper-case letters about the fixed
// axes.
Mat3 read_euler(const Element& element, const Settings& settings) {
  const Vec3 angles = element.vector("euler", kAnyNumber).value_or(Vec3::Zero());
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char axis = settings.euler_sequence[static_cast<std::size_t>(i)];
    const bool fixed = axis < 'a';
    const Mat3 turn = turn_about(fixed ? axis - 'X' : axis - 'x', angles[i] * settings.angle_unit);
    R = fixed ? turn * R : R * turn;
  }
  return R;
}

Mat3 read_axes(const Element& element) {
  const auto a = element.numbers("xyaxes", 6, 6, kAnyNumber);
  if (!a) {
    return Mat3::Identity();
  }
  const Vec3 x((*a)[0], (*a)[1], (*a)[2]);
  const Vec3 y((*a)[3], (*a)[4], (*a)[5]);
  if (x.cross(y).norm() < kLeastLength) {
    element.problem("xyaxes", "no plane, got parallel axes, want two directions");
    return Mat3::Identity();
  }
  Mat3 R;
  R.col(0) = x.normalized();
  R.col(1) = (y - R.col(0) * R.col(0).dot(y)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

Mat3 read_z_axis(const Element& element) {
  const Vec3 z = element.vector("zaxis", kAnyNumber).value_or(Vec3::UnitZ());
  if (z.norm() < kLeastLength) {
    element.problem("zaxis", "not a direction, got a zero vector, want a direction");
    return Mat3::Identity();
  }
  return turn_z_to(z);
}

}  // namespace

const Settings& Settings::at(const Element& element) const {
  const auto found = of_file.find(element.model().document[element.index()].file);
  return found == of_file.end() ? *this : *found->second;
}

Settings read_settings(const Element& root) {
  Settings settings;
  settings.angle_unit = kPi / 180.0;
  for (const Element& element : root.children()) {
    if (element.tag() == "compiler") {
      read_compiler(element.mark_read(), &settings);
    } else if (element.tag() == "option") {
      read_option(element.mark_read(), &settings);
    }
  }
  return settings;
}

Mat3 turn_z_to(const Vec3& direction) {
  const Vec3 z = direction / direction.norm();
  const Vec3 axis = Vec3::UnitZ().cross(z);
  const double sine = axis.norm();
  const Vec3 about = sine < kLeastLength ? Vec3::UnitX() : Vec3(axis / sine);
  return to_matrix(exp_map(about * arc_tangent(sine, z.z())));
}

Mat3 read_turn(const Element& element, const Settings& settings) {
  const auto source = element.first_with(kTurns);
  if (!source) {
    return Mat3::Identity();
  }
  const auto given = std::count_if(kTurns.begin(), kTurns.end(), [&](std::string_view name) {
    return source->has(name);
  });
  if (given > 1) {
    source->problem("", "several orientations, got " + std::to_string(given) + ", want one");
  }
  if (source->has("quat")) {
    return read_quaternion(*source);
  }
  if (source->has("axisangle")) {
    return read_axis_angle(*source, settings.at(*source));
  }
  if (source->has("euler")) {
    return read_euler(*source, settings.at(*source));
  }
  return source->has("xyaxes") ? read_axes(*source) : read_z_axis(*source);
}

Pose read_pose(const Element& element, const Settings& settings) {
  return {.R = read_turn(element, settings),
          .p = element.vector("pos", kPointRange).value_or(Vec3::Zero())};
}

}  // namespace tenpin::scene::mjcf
