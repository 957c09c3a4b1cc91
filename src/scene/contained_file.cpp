#include "scene/contained_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/check.h"
#include "scene/characters.h"
#include "scene/problem.h"

namespace tenpin::scene {

namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  // Opens without waiting for the other end of a pipe.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::string& problem, const std::string& path,
                         const std::string& want) {
  throw InputError(problem + ", got " + excerpt(path, 200) + ", want " + want);
}

[[noreturn]] void refuse_outside(const std::string& path) {
  refuse("outside scene folder", path, "a relative path of a file beneath it");
}

// Refuses spellings that could mean another place on this or another system, before any file is
// accessed.
void check_spelling(const std::string& path) {
  const bool strange = path.find('\\') != std::string::npos ||
                       path.find(':') != std::string::npos || path.find('\0') != std::string::npos;
  const fs::path parts = path;
  const bool climbs = std::find(parts.begin(), parts.end(), "..") != parts.end();
  if (path.empty() || strange || climbs || parts.is_absolute()) {
    refuse_outside(path);
  }
}

// Throws according to errno: either the name is wrong, or the system currently cannot read any
// file.
[[noreturn]] void refuse_unreadable(const std::string& path) {
  const int error = errno;
  if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO) {
    throw std::system_error(error, std::generic_category(), path + ": cannot be read");
  }
  refuse(std::string("cannot be read: ") + std::strerror(error), path, "a readable file");
}

}  // namespace

bool is_beneath(const fs::path& path, const fs::path& folder) {
  const auto ends = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return ends.first == folder.end();
}

std::string too_large(const std::string& path, std::size_t bytes, std::size_t max_bytes) {
  return path + ": too large, got " + std::to_string(bytes) + " bytes, want at most " +
         std::to_string(max_bytes) + " (a fixed limit, no flag raises it)";
}

std::string read_regular_file(const std::string& path, std::size_t max_bytes) {
  const Descriptor descriptor(path);
  struct stat status = {};
  if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0) {
    refuse_unreadable(path);
  }
  if (!S_ISREG(status.st_mode)) {
    refuse("not a regular file", path, "a regular file");
  }
  if (static_cast<std::uintmax_t>(status.st_size) > max_bytes) {
    throw LimitError(too_large(path, static_cast<std::size_t>(status.st_size), max_bytes));
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(descriptor.number(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      refuse_unreadable(path);
    }
    if (count == 0) {
      break;
    }
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

std::string resolve_contained(const std::string& folder, const std::string& path) {
  check_spelling(path);
  std::error_code error;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  const fs::path file = fs::canonical(root / path, error);
  if (error) {
    refuse("cannot be read: " + error.message(), path, "a readable file");
  }
  if (!is_beneath(file, root)) {
    refuse_outside(path);
  }
  if (!fs::is_regular_file(file, error)) {
    refuse("not a regular file", path, "a regular file");
  }
  return file.string();
}

}  // namespace tenpin::scene
