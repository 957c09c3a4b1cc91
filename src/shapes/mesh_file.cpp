#include "shapes/mesh_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/check.h"

namespace tenpin::shapes {
namespace {

class Descriptor {
 public:
  // Opens without blocking, because opening a pipe without a writer would wait forever.
  explicit Descriptor(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_with_errno(const char* what) {
  throw InputError(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

std::string read_bytes(const std::string& path) {
  const Descriptor file(path);
  struct stat status = {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) {
    fail_with_errno("cannot open");
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError("not a regular file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > kMaxMeshFileBytes) {
    throw InputError(fmt::format("{} bytes, the limit is {}", size, kMaxMeshFileBytes));
  }
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = read(file.number(), &bytes[done], size - done);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      fail_with_errno(got < 0 ? "cannot read" : "became shorter while it was read");
    }
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string lower_extension(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string extension =
      dot == std::string::npos || path[dot] == '/' ? std::string() : path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  return extension;
}

using Parse = TriangleMesh (*)(std::string_view, std::size_t);

}  // namespace

TriangleMesh read_mesh_file(const std::string& path, std::size_t least) {
  const char* separator = ": ";
  try {
    const std::string extension = lower_extension(path);
    if (extension != ".obj" && extension != ".stl") {
      throw InputError(
          fmt::format("mesh format '{}' is not supported, want .obj or .stl", extension));
    }
    const std::string bytes = read_bytes(path);
    const bool text = extension == ".obj" || is_text_stl(bytes);
    const Parse parse = extension == ".obj" ? parse_obj : text ? parse_text_stl : parse_binary_stl;
    separator = text ? ":" : ": ";
    return parse(bytes, least);
  } catch (const InputError& error) {
    throw InputError(path + separator + error.what());
  }
}

}  // namespace tenpin::shapes
