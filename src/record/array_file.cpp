#include "record/array_file.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "record/h5_types.h"
#include "record/whole_file.h"

namespace tenpin::record {
namespace {

constexpr std::size_t kMemoryIncrement = std::size_t{1} << 20;  // bytes by which the image grows

}  // namespace

// The library builds the file in memory and never writes to the disk itself, because after a failed
// write it can neither close its file nor exit without crashing.
struct ArrayFile::Impl {
  explicit Impl(std::string file) : path(std::move(file)) {
    const h5::Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    h5::check(H5Pset_fapl_core(in_memory, kMemoryIncrement, /*backing_store=*/false));
    handle = h5::Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, in_memory), H5Fclose);
    make_groups = h5::Handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    h5::check(H5Pset_create_intermediate_group(make_groups, 1));
  }

  template <typename Act>
  void guarded(Act act) const {
    const h5::Silence silence;
    try {
      act();
    } catch (const h5::Error& error) {
      throw RecordError(fmt::format("{}: {}", path, error.what()));
    }
  }

  template <typename T>
  void write(const std::string& name, std::span<const T> values, Shape shape) const {
    if (shape.empty()) shape = {values.size()};
    std::uint64_t product = 1;
    for (const std::uint64_t extent : shape) product *= extent;
    TENPIN_DEMAND(product == values.size());
    guarded([&] {
      const std::vector<hsize_t> extents(shape.begin(), shape.end());
      const h5::Handle space(
          H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
      const hid_t type = h5::number_type<T>();
      const h5::Handle set(
          H5Dcreate2(handle, name.c_str(), type, space, make_groups, H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose);
      // The library converts if this machine stores numbers differently from the file.
      h5::check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    });
  }

  std::string path;
  h5::Handle handle;
  h5::Handle make_groups;
};

ArrayFile::ArrayFile(const std::string& path) {
  const h5::Silence silence;
  try {
    impl_ = std::make_unique<Impl>(path);
  } catch (const h5::Error& error) {
    throw RecordError(fmt::format("{}: {}", path, error.what()));
  }
}

ArrayFile::~ArrayFile() = default;

void ArrayFile::write(const std::string& name, std::span<const double> values, const Shape& shape) {
  impl_->write(name, values, shape);
}

void ArrayFile::write(const std::string& name, std::span<const std::int32_t> values,
                      const Shape& shape) {
  impl_->write(name, values, shape);
}

void ArrayFile::write(const std::string& name, std::span<const std::int64_t> values,
                      const Shape& shape) {
  impl_->write(name, values, shape);
}

void ArrayFile::set_attribute(const std::string& name, const char* key, std::string_view text) {
  impl_->guarded([&] {
    const std::string value = text.empty() ? " " : std::string(text);
    const h5::Handle type = h5::make_text_type(value.size());
    const h5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const h5::Handle attribute(H5Acreate_by_name(impl_->handle, name.c_str(), key, type, space,
                                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    h5::check(H5Awrite(attribute, type, value.data()));
  });
}

void ArrayFile::finish() {
  std::string image;
  impl_->guarded([&] {
    h5::check(H5Fflush(impl_->handle, H5F_SCOPE_GLOBAL));
    image.resize(h5::check(H5Fget_file_image(impl_->handle, nullptr, 0)));
    h5::check(H5Fget_file_image(impl_->handle, image.data(), image.size()));
  });
  write_whole_file(impl_->path, image);
}

}  // namespace tenpin::record
