#include "record/header_image.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "record/h5_types.h"
#include "record/object_header.h"
#include "record/output_file.h"
#include "record/row_checks.h"
#include "record/seal.h"

namespace tenpin::record {
namespace {

using Dims = std::vector<hsize_t>;

// Approximate bytes per chunk: large enough for fast reading, small enough not to inflate short
// runs.
constexpr std::uint64_t kChunkBytes = 64 << 10;
constexpr std::uint64_t kMaxChunkRows = 1024;

// A file in memory that becomes HeaderImage::bytes.
class ImageBuilder {
 public:
  ImageBuilder() {
    const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    h5::check(H5Pset_fapl_core(access, kChunkBytes, false));
    h5::check(H5Pset_alignment(access, 1, 8));
    file_ = h5::Handle(H5Fcreate("run", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  }

  void make_group(const char* path) {
    h5::Handle(H5Gcreate2(file_, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }

  template <typename T>
  h5::Handle write_array(const char* path, const Dims& dims, const std::vector<T>& values,
                         const char* unit = nullptr) {
    return write(path, dims, h5::number_type<T>(), values.data(), unit);
  }

  template <typename T>
  void write_number(const char* path, const T& value, const char* unit = nullptr) {
    write(path, {}, h5::number_type<T>(), &value, unit);
  }

  void write_codes(const char* path, const std::vector<std::uint8_t>& codes,
                   std::span<const std::string_view> names) {
    write(path, {codes.size()}, h5::make_enum_type(names), codes.data(), nullptr);
  }

  void write_text(const char* path, const std::string& text) {
    // A string type has at least one byte; zero-padded, this still means "".
    write(path, {}, h5::make_text_type(std::max<std::size_t>(text.size(), 1)), text.c_str(),
          nullptr);
  }

  void write_names(const char* path, const std::vector<std::string>& names) {
    std::size_t length = 1;
    for (const std::string& name : names) length = std::max(length, name.size());
    std::string padded;
    for (const std::string& name : names) padded += name + std::string(length - name.size(), '\0');
    write(path, {names.size()}, h5::make_text_type(length), padded.data(), nullptr);
  }

  // One row whose address does not change.
  template <typename Row>
  h5::Handle write_row(const char* path, std::span<const Field> fields, const Row& row) {
    return write(path, {}, h5::make_row_type(fields, sizeof(Row)), &row, nullptr);
  }

  // Makes a table without rows. Its address is known once the image is complete: see place().
  h5::Handle make_table(const TableFormat& format) {
    Dims dims = {0};
    Dims max_dims = {H5S_UNLIMITED};
    Dims chunk = {calc_chunk_rows(H5Tget_size(format.type), format.row_shape)};
    for (const std::uint64_t n : format.row_shape) {
      dims.push_back(n);
      max_dims.push_back(n == 0 ? H5S_UNLIMITED : n);
      chunk.push_back(std::max<hsize_t>(n, 1));
    }
    const int rank = static_cast<int>(dims.size());
    const h5::Handle space(H5Screate_simple(rank, dims.data(), max_dims.data()), H5Sclose);
    const h5::Handle creation = make_creation();
    h5::check(H5Pset_chunk(creation, rank, chunk.data()));
    h5::Handle set = create(format.name, format.type, space, creation);
    if (format.unit != nullptr) write_unit(set, format.unit);
    if (!format.fields.empty()) write_units(set, format.fields);
    return set;
  }

  std::vector<std::byte> calc_bytes() {
    h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    const ssize_t size = h5::check(H5Fget_file_image(file_, nullptr, 0));
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    h5::check(H5Fget_file_image(file_, bytes.data(), bytes.size()));
    return bytes;
  }

  static TablePlace place(const h5::Handle& set, std::span<const std::byte> image) {
    H5O_info_t about = {};
    h5::check(H5Oget_info2(set, &about, H5O_INFO_BASIC));
    const GrowthFields fields = find_growth_fields(image, about.addr);
    const h5::Handle space(H5Dget_space(set), H5Sclose);
    const h5::Handle type(H5Dget_type(set), H5Tclose);
    const h5::Handle creation(H5Dget_create_plist(set), H5Pclose);
    const int rank = h5::check(H5Sget_simple_extent_ndims(space));
    Dims dims(rank);
    Dims chunk(rank);
    h5::check(H5Sget_simple_extent_dims(space, dims.data(), nullptr));
    h5::check(H5Pget_chunk(creation, rank, chunk.data()));
    const std::uint64_t row_bytes = std::accumulate(
        dims.begin() + 1, dims.end(), std::uint64_t{H5Tget_size(type)}, std::multiplies<>());
    return {.chunk = {.rank = rank, .rows = chunk[0], .bytes = chunk[0] * row_bytes},
            .row_bytes = row_bytes,
            .extent_address = fields.extent_address,
            .index_address = fields.index_address};
  }

  static std::uint64_t address(const h5::Handle& set) {
    const haddr_t offset = H5Dget_offset(set);
    TENPIN_DEMAND(offset != HADDR_UNDEF && offset % 8 == 0);
    return offset;
  }

  hid_t file() const { return file_; }

 private:
  static std::uint64_t calc_chunk_rows(std::size_t element_bytes,
                                       const std::vector<std::uint64_t>& row_shape) {
    const std::uint64_t row_bytes = std::accumulate(
        row_shape.begin(), row_shape.end(), std::uint64_t{element_bytes}, std::multiplies<>());
    return std::clamp<std::uint64_t>(kChunkBytes / std::max<std::uint64_t>(row_bytes, 1), 1,
                                     kMaxChunkRows);
  }

  // Does not store creation times, so that the same run gives the same bytes.
  static h5::Handle make_creation() {
    h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    h5::check(H5Pset_obj_track_times(creation, false));
    return creation;
  }

  h5::Handle create(const char* path, hid_t type, hid_t space, hid_t creation) {
    return {H5Dcreate2(file_, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose};
  }

  h5::Handle write(const char* path, const Dims& dims, hid_t type, const void* values,
                   const char* unit) {
    const h5::Handle space(
        dims.empty() ? H5Screate(H5S_SCALAR)
                     : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
        H5Sclose);
    const h5::Handle creation = make_creation();
    h5::check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
    h5::Handle set = create(path, type, space, creation);
    if (h5::check(H5Sget_simple_extent_npoints(space)) > 0) {
      h5::check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    }
    if (unit != nullptr) write_unit(set, unit);
    return set;
  }

  static void write_attribute(hid_t set, const char* name, hid_t type, hid_t space,
                              const void* value) {
    const h5::Handle attribute(H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    h5::check(H5Awrite(attribute, type, value));
  }

  static void write_unit(hid_t set, const std::string& unit) {
    const h5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    write_attribute(set, "unit", h5::make_text_type(unit.size()), space, unit.data());
  }

  // One unit per field, in the order of the fields.
  static void write_units(hid_t set, std::span<const Field> fields) {
    constexpr std::size_t kUnitBytes = 8;
    std::string padded;
    for (const Field& field : fields) {
      padded += std::string(field.unit) + std::string(kUnitBytes - field.unit.size(), '\0');
    }
    const hsize_t count = fields.size();
    const h5::Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    write_attribute(set, "units", h5::make_text_type(kUnitBytes), space, padded.data());
  }

  h5::Handle file_;
};

// Writes one column of a list of structs.
template <typename Items, typename Get>
auto column(const Items& items, Get get) {
  std::vector<std::decay_t<decltype(get(items.front()))>> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(get(item));
  return values;
}

// Writes the row-major numbers of each item's vector or matrix, concatenated.
template <typename Items, typename Get>
std::vector<double> flat(const Items& items, Get get) {
  std::vector<double> values;
  for (const auto& item : items) {
    const auto& m = get(item);
    for (int i = 0; i < m.rows(); ++i) {
      for (int j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
    }
  }
  return values;
}

void write_about(const RunHeader& header, ImageBuilder* image) {
  image->write_text("format", "tenpin run");
  image->write_number<std::int32_t>("format_version", kFormatVersion);
  image->write_text("tenpin_version", header.tenpin_version);
  image->make_group("scene");
  image->write_text("scene/name", header.scene_name);
  image->write_text("scene/file", header.scene_file);
  image->write_text("scene/text", header.scene_text);
  image->write_text("scene/resolved", header.scene_resolved);
  image->write_array<double>("scene/gravity", {3},
                             {header.gravity.x(), header.gravity.y(), header.gravity.z()}, "m/s^2");
  image->write_number("scene/until", header.until, "s");
  image->write_number("scene/every", header.every, "s");
  image->write_number("scene/seed", header.seed);
  image->write_codes("scene/contacts", {static_cast<std::uint8_t>(header.contacts)},
                     h5::contacts_names());
  image->write_names("scene/start_overlaps", header.start.overlaps);
  image->write_number("scene/start_energy_change", header.start.energy_change, "J");
  image->make_group("method");
  image->write_text("method/name", header.method_name);
  image->write_text("method/options", header.method_options);
}

void write_bodies(const RunHeader& header, ImageBuilder* image) {
  const auto& bodies = header.bodies;
  const hsize_t count = bodies.size();
  using Body = HeaderBody;
  const auto integers = [&](const char* path, int Body::*member) {
    image->write_array<std::int32_t>(path, {count}, column(bodies, [&](const Body& b) {
                                       return b.*member;
                                     }));
  };
  image->make_group("bodies");
  image->write_number<std::int32_t>("bodies/nq", header.nq);
  image->write_number<std::int32_t>("bodies/nv", header.nv);
  image->write_names("bodies/name", column(bodies, [](const Body& b) {
                       return b.name;
                     }));
  image->write_names("bodies/colour", column(bodies, [](const Body& b) {
                       return b.colour;
                     }));
  image->write_codes("bodies/joint",
                     column(bodies,
                            [](const Body& b) {
                              return static_cast<std::uint8_t>(b.joint);
                            }),
                     h5::joint_names());
  integers("bodies/parent", &Body::parent);
  integers("bodies/q_begin", &Body::q_begin);
  integers("bodies/v_begin", &Body::v_begin);
  integers("bodies/material", &Body::material);
  image->write_array("bodies/mass", {count},
                     column(bodies,
                            [](const Body& b) {
                              return b.mass;
                            }),
                     "kg");
  image->write_array("bodies/inertia", {count, 3, 3},
                     flat(bodies,
                          [](const Body& b) {
                            return b.inertia;
                          }),
                     "kg m^2");
  image->write_array("bodies/center", {count, 3},
                     flat(bodies,
                          [](const Body& b) {
                            return b.p_OB;
                          }),
                     "m");
}

void write_loops(const RunHeader& header, ImageBuilder* image) {
  image->make_group("loops");
  image->write_names("loops/name", header.loops);
  image->make_group("events");
  image->write_names("events/name", header.events);
}

void write_materials(const RunHeader& header, ImageBuilder* image) {
  const auto& materials = header.materials;
  using Material = HeaderMaterial;
  image->make_group("materials");
  image->write_names("materials/name", column(materials, [](const Material& m) {
                       return m.name;
                     }));
  image->write_array("materials/friction", {materials.size(), 2},
                     flat(materials, [](const Material& m) {
                       return Vec2(m.mu_along, m.mu_across);
                     }));
  image->write_array("materials/restitution", {materials.size()},
                     column(materials, [](const Material& m) {
                       return m.restitution;
                     }));
}

// The meshes of all parts, concatenated.
struct Meshes {
  std::vector<double> vertices;
  std::vector<std::int64_t> first_vertex = {0};  // per part, with one more entry for the end
  std::vector<std::int64_t> first_face = {0};    // per part, with one more entry for the end
  std::vector<std::int64_t> face_begin = {0};    // per face, with one more entry for the end
  std::vector<std::int32_t> face_vertices;       // relative to the part
};

Meshes gather_meshes(const std::vector<HeaderPart>& parts) {
  Meshes meshes;
  for (const HeaderPart& part : parts) {
    for (const Vec3& v : part.vertices)
      meshes.vertices.insert(meshes.vertices.end(), v.begin(), v.end());
    const std::int64_t base = meshes.face_begin.back();
    for (std::size_t f = 1; f < part.face_begin.size(); ++f) {
      meshes.face_begin.push_back(base + part.face_begin[f]);
    }
    meshes.face_vertices.insert(meshes.face_vertices.end(), part.face_vertices.begin(),
                                part.face_vertices.end());
    meshes.first_vertex.push_back(static_cast<std::int64_t>(meshes.vertices.size() / 3));
    meshes.first_face.push_back(static_cast<std::int64_t>(meshes.face_begin.size()) - 1);
  }
  return meshes;
}

// Writes the shapes of a list to one group, and their meshes to another.
void write_shapes(const std::vector<HeaderPart>& parts, const std::string& group,
                  const std::string& meshes_group, ImageBuilder* image) {
  const hsize_t count = parts.size();
  using Part = HeaderPart;
  const auto in = [&group](const char* name) {
    return group + "/" + name;
  };
  image->make_group(group.c_str());
  image->write_array<std::int32_t>(in("body").c_str(), {count}, column(parts, [](const Part& p) {
                                     return p.body;
                                   }));
  image->write_codes(in("kind").c_str(),
                     column(parts,
                            [](const Part& p) {
                              return static_cast<std::uint8_t>(p.kind);
                            }),
                     h5::shape_names());
  image->write_array(in("parameters").c_str(), {count, 3},
                     flat(parts,
                          [](const Part& p) {
                            return Vec3(p.parameters[0], p.parameters[1], p.parameters[2]);
                          }),
                     "m");
  image->write_array(in("rounding").c_str(), {count},
                     column(parts,
                            [](const Part& p) {
                              return p.rounding;
                            }),
                     "m");
  image->write_array(in("position").c_str(), {count, 3},
                     flat(parts,
                          [](const Part& p) {
                            return p.p_OS;
                          }),
                     "m");
  image->write_array(in("rotation").c_str(), {count, 3, 3}, flat(parts, [](const Part& p) {
                       return p.R_OS;
                     }));
  const Meshes meshes = gather_meshes(parts);
  image->write_array(in("first_vertex").c_str(), {meshes.first_vertex.size()}, meshes.first_vertex);
  image->write_array(in("first_face").c_str(), {meshes.first_face.size()}, meshes.first_face);
  const auto in_meshes = [&meshes_group](const char* name) {
    return meshes_group + "/" + name;
  };
  image->make_group(meshes_group.c_str());
  image->write_array(in_meshes("vertices").c_str(), {meshes.vertices.size() / 3, 3},
                     meshes.vertices, "m");
  image->write_array(in_meshes("face_begin").c_str(), {meshes.face_begin.size()},
                     meshes.face_begin);
  image->write_array(in_meshes("face_vertices").c_str(), {meshes.face_vertices.size()},
                     meshes.face_vertices);
}

void write_parts(const RunHeader& header, ImageBuilder* image) {
  using Part = HeaderPart;
  write_shapes(header.parts, "parts", "meshes", image);
  image->write_array<std::int32_t>("parts/touches", {header.parts.size()},
                                   column(header.parts, [](const Part& p) {
                                     return std::int32_t{p.touches};
                                   }));
  std::vector<HeaderPart> visuals;
  for (const HeaderBody& body : header.bodies) {
    visuals.insert(visuals.end(), body.visuals.begin(), body.visuals.end());
  }
  write_shapes(visuals, "visuals", "visual_meshes", image);
  image->write_names("visuals/colour", column(visuals, [](const Part& p) {
                       return p.colour;
                     }));
}

void make_tables(const RunHeader& header, ImageBuilder* builder, HeaderImage* image) {
  builder->make_group("frames");
  struct Entry {
    TablePlace* place;
    h5::Handle set;
  };
  std::vector<Entry> entries;
  const auto formats = make_table_formats(header);
  for (std::size_t i = 0; i < kNumRunTables; ++i) {
    entries.push_back({&image->tables[i], builder->make_table(formats[i])});
  }
  entries.push_back({&image->checks, builder->make_table(make_checks_format())});
  image->bytes = builder->calc_bytes();
  for (Entry& entry : entries) *entry.place = ImageBuilder::place(entry.set, image->bytes);
}

// Computes the seal last, from the finished bytes.
void put_seal(std::uint64_t address, HeaderImage* image) {
  std::array<Seal::Hole, Seal::kNumHoles> holes;
  std::size_t count = 0;
  const auto add = [&](std::uint64_t begin, std::uint64_t size) {
    holes.at(count++) = {begin, begin + size};
  };
  add(kEndOfFileAddress, 8);
  const auto add_table = [&](const TablePlace& place) {
    add(place.extent_address, 8);
    add(place.index_address, 8);
  };
  for (const TablePlace& place : image->tables) add_table(place);
  add_table(image->checks);
  add(image->committed_address, sizeof(CommittedRow));
  add(image->status_address, sizeof(StatusRow));
  add(address, sizeof(Seal));
  TENPIN_DEMAND(count == holes.size());
  const Seal seal = make_seal(image->bytes, holes);
  std::memcpy(&image->bytes[address], &seal, sizeof seal);
}

}  // namespace

HeaderImage make_header_image(const RunHeader& header) {
  const h5::Silence silence;
  ImageBuilder builder;
  HeaderImage image;
  // The seal is created first, so that a reader finds it at the beginning of the file.
  const h5::Handle seal =
      builder.write_array("seal", {kSealWords}, std::vector<std::uint64_t>(kSealWords));
  write_about(header, &builder);
  write_bodies(header, &builder);
  write_loops(header, &builder);
  write_materials(header, &builder);
  write_parts(header, &builder);
  StatusRow status = {};
  status.pid = getpid();
  seal_status(&status);
  const h5::Handle committed = builder.write_row("committed", committed_fields(), CommittedRow{});
  const h5::Handle running = builder.write_row("status", status_fields(), status);
  image.committed_address = ImageBuilder::address(committed);
  image.status_address = ImageBuilder::address(running);
  make_tables(header, &builder, &image);
  put_seal(ImageBuilder::address(seal), &image);
  return image;
}

}  // namespace tenpin::record
