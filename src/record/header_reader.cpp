#include "record/header_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tenpin::record {
namespace {

void demand(bool condition, const char* text) {
  if (!condition) throw h5::Error(text);
}

Vec3 vector_at(const std::vector<double>& values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

Mat3 matrix_at(const std::vector<double>& values, std::size_t i) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&values[9 * i]);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) {
    return x - x == 0.0;
  });
}

std::vector<double> read_reals(const H5Input& input, const std::string& name, const Shape& shape) {
  std::vector<double> values = input.read_array<double>(name, shape);
  if (!all_finite(values)) throw h5::Error(fmt::format("dataset '{}' is not finite", name));
  return values;
}

void check_format(const H5Input& input) {
  std::string format;
  try {
    format = input.read_text("format");
  } catch (const h5::Error&) {
    throw h5::Error("an HDF5 file, but not a run of Tenpin");
  }
  demand(format == "tenpin run", "an HDF5 file, but not a run of Tenpin");
  const auto version = input.read_number<std::int32_t>("format_version");
  if (version != kFormatVersion) {
    throw h5::Error(
        fmt::format("run file format {}, this program reads {}", version, kFormatVersion));
  }
}

void read_scene(const H5Input& input, RunHeader* header) {
  header->tenpin_version = input.read_text("tenpin_version");
  header->scene_name = input.read_text("scene/name");
  header->scene_file = input.read_text("scene/file");
  header->scene_text = input.read_text("scene/text");
  header->scene_resolved = input.read_text("scene/resolved");
  header->gravity = vector_at(read_reals(input, "scene/gravity", {3}), 0);
  header->until = input.read_number<double>("scene/until");
  header->every = input.read_number<double>("scene/every");
  header->seed = input.read_number<std::uint64_t>("scene/seed");
  header->contacts = static_cast<scene::Record::Contacts>(
      input.read_codes("scene/contacts", 1, h5::contacts_names()).at(0));
  header->start.overlaps =
      input.read_names("scene/start_overlaps", input.calc_num_rows("scene/start_overlaps"));
  header->start.energy_change = input.read_number<double>("scene/start_energy_change");
  header->method_name = input.read_text("method/name");
  header->method_options = input.read_text("method/options");
}

void read_materials(const H5Input& input, RunHeader* header) {
  const std::uint64_t count = input.calc_num_rows("materials/name");
  const auto names = input.read_names("materials/name", count);
  const auto friction = read_reals(input, "materials/friction", {count, 2});
  const auto restitution = read_reals(input, "materials/restitution", {count});
  for (std::size_t i = 0; i < count; ++i) {
    header->materials.push_back({names[i], friction[2 * i], friction[2 * i + 1], restitution[i]});
  }
}

void read_bodies(const H5Input& input, RunHeader* header) {
  const std::uint64_t count = input.calc_num_rows("bodies/name");
  const auto names = input.read_names("bodies/name", count);
  const auto colours = input.read_names("bodies/colour", count);
  const auto joints = input.read_codes("bodies/joint", count, h5::joint_names());
  const auto integers = [&](const char* name) {
    return input.read_array<std::int32_t>(name, {count});
  };
  const auto parents = integers("bodies/parent");
  const auto q_begin = integers("bodies/q_begin");
  const auto v_begin = integers("bodies/v_begin");
  const auto materials = integers("bodies/material");
  const auto mass = read_reals(input, "bodies/mass", {count});
  const auto inertia = read_reals(input, "bodies/inertia", {count, 3, 3});
  const auto center = read_reals(input, "bodies/center", {count, 3});
  const int num_materials = static_cast<int>(header->materials.size());
  for (std::size_t i = 0; i < count; ++i) {
    const HeaderBody body = {.name = names[i],
                             .colour = colours[i],
                             .joint = static_cast<dynamics::JointType>(joints[i]),
                             .parent = parents[i],
                             .q_begin = q_begin[i],
                             .v_begin = v_begin[i],
                             .material = materials[i],
                             .mass = mass[i],
                             .inertia = matrix_at(inertia, i),
                             .p_OB = vector_at(center, i)};
    demand(body.parent >= -1 && body.parent < static_cast<int>(i), "a body with no such parent");
    demand(body.material >= 0 && body.material < num_materials, "a body of no such material");
    demand(body.q_begin >= 0 && body.q_begin <= header->nq - dynamics::num_positions(body.joint) &&
               body.v_begin >= 0 &&
               body.v_begin <= header->nv - dynamics::num_velocities(body.joint),
           "a body whose coordinates are not in q and v");
    header->bodies.push_back(body);
  }
}

// Checks that the numbers ascend from 0 to `end`, as the beginnings of consecutive ranges do.
void check_begins(const std::vector<std::int64_t>& begins, std::uint64_t end) {
  demand(!begins.empty() && begins.front() == 0 && std::is_sorted(begins.begin(), begins.end()) &&
             static_cast<std::uint64_t>(begins.back()) == end &&
             end < static_cast<std::uint64_t>(std::numeric_limits<int>::max()),
         "meshes that do not fit together");
}

struct StoredMeshes {
  std::vector<double> vertices;
  std::vector<std::int64_t> first_vertex, first_face, face_begin;
  std::vector<std::int32_t> face_vertices;
};

StoredMeshes read_meshes(const H5Input& input, const std::string& group,
                         const std::string& meshes_group, std::uint64_t num_parts) {
  const auto in = [](const std::string& folder, const char* name) {
    return folder + "/" + name;
  };
  StoredMeshes meshes;
  meshes.vertices = read_reals(input, in(meshes_group, "vertices"), {kAnySize, 3});
  meshes.first_vertex = input.read_array<std::int64_t>(in(group, "first_vertex"), {num_parts + 1});
  meshes.first_face = input.read_array<std::int64_t>(in(group, "first_face"), {num_parts + 1});
  meshes.face_begin = input.read_array<std::int64_t>(in(meshes_group, "face_begin"), {kAnySize});
  meshes.face_vertices =
      input.read_array<std::int32_t>(in(meshes_group, "face_vertices"), {kAnySize});
  check_begins(meshes.first_vertex, meshes.vertices.size() / 3);
  check_begins(meshes.face_begin, meshes.face_vertices.size());
  check_begins(meshes.first_face, meshes.face_begin.size() - 1);
  return meshes;
}

void take_mesh(const StoredMeshes& meshes, std::size_t i, HeaderPart* part) {
  for (auto v = meshes.first_vertex[i]; v < meshes.first_vertex[i + 1]; ++v) {
    part->vertices.push_back(vector_at(meshes.vertices, v));
  }
  if (part->kind != ShapeKind::kPolyhedron) return;
  const std::int64_t base = meshes.face_begin[meshes.first_face[i]];
  for (auto f = meshes.first_face[i]; f <= meshes.first_face[i + 1]; ++f) {
    part->face_begin.push_back(static_cast<int>(meshes.face_begin[f] - base));
  }
  const auto begin = meshes.face_vertices.begin() + base;
  part->face_vertices.assign(begin, begin + part->face_begin.back());
  const int num_vertices = static_cast<int>(part->vertices.size());
  for (const int v : part->face_vertices)
    demand(v >= 0 && v < num_vertices, "a face with no such vertex");
}

std::vector<HeaderPart> read_shapes(const H5Input& input, const std::string& group,
                                    const std::string& meshes_group, int num_bodies) {
  const auto in = [&group](const char* name) {
    return group + "/" + name;
  };
  const std::uint64_t count = input.calc_num_rows(in("body"));
  const auto bodies = input.read_array<std::int32_t>(in("body"), {count});
  const auto kinds = input.read_codes(in("kind"), count, h5::shape_names());
  const auto parameters = read_reals(input, in("parameters"), {count, 3});
  const auto rounding = read_reals(input, in("rounding"), {count});
  const auto position = read_reals(input, in("position"), {count, 3});
  const auto rotation = read_reals(input, in("rotation"), {count, 3, 3});
  const StoredMeshes meshes = read_meshes(input, group, meshes_group, count);
  std::vector<HeaderPart> parts;
  for (std::size_t i = 0; i < count; ++i) {
    demand(bodies[i] >= 0 && bodies[i] < num_bodies, "a part of no such body");
    HeaderPart part;
    part.body = bodies[i];
    part.kind = static_cast<ShapeKind>(kinds[i]);
    std::copy_n(&parameters[3 * i], 3, part.parameters.begin());
    part.rounding = rounding[i];
    part.p_OS = vector_at(position, i);
    part.R_OS = matrix_at(rotation, i);
    take_mesh(meshes, i, &part);
    parts.push_back(std::move(part));
  }
  return parts;
}

void read_parts(const H5Input& input, RunHeader* header) {
  header->parts = read_shapes(input, "parts", "meshes", header->num_bodies());
  const std::uint64_t num_parts = header->parts.size();
  const auto touches = input.read_array<std::int32_t>("parts/touches", {num_parts});
  for (std::size_t i = 0; i < num_parts; ++i) header->parts[i].touches = touches[i] != 0;
  std::vector<HeaderPart> visuals =
      read_shapes(input, "visuals", "visual_meshes", header->num_bodies());
  const auto colours = input.read_names("visuals/colour", visuals.size());
  for (std::size_t i = 0; i < visuals.size(); ++i) {
    visuals[i].touches = false;
    visuals[i].colour = colours[i];
    header->bodies[visuals[i].body].visuals.push_back(std::move(visuals[i]));
  }
}

}  // namespace

RunHeader read_header(const H5Input& input) {
  check_format(input);
  RunHeader header;
  read_scene(input, &header);
  header.nq = input.read_number<std::int32_t>("bodies/nq");
  header.nv = input.read_number<std::int32_t>("bodies/nv");
  demand(header.nq >= 0 && header.nv >= 0, "a negative number of coordinates");
  read_materials(input, &header);
  read_bodies(input, &header);
  read_parts(input, &header);
  header.loops = input.read_names("loops/name", input.calc_num_rows("loops/name"));
  header.events = input.read_names("events/name", input.calc_num_rows("events/name"));
  return header;
}

}  // namespace tenpin::record
