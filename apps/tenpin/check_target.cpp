#include "check_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "record/record_error.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestStart = 32;

std::string read_start(const std::string& path) {
  std::string start(kLongestStart, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start;
}

[[noreturn]] void refuse_path(const std::string& path) {
  throw record::RecordError(fmt::format("{}: cannot write there: {}", path, std::strerror(errno)));
}

// Creates and removes a file. Permissions alone do not show if this is possible.
void try_to_make(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) refuse_path(path);
  close(fd);
  unlink(path.c_str());
}

}  // namespace

void check_target(const std::string& path, std::string_view kind,
                  std::initializer_list<std::string_view> starts) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return try_to_make(path);
  if (!fs::is_regular_file(status)) {
    throw record::RecordError(fmt::format("{}: is not a regular file, want {}", path, kind));
  }
  if (access(path.c_str(), W_OK) != 0) refuse_path(path);
  const std::string found = read_start(path);
  const bool is_ours = std::any_of(starts.begin(), starts.end(), [&](std::string_view start) {
    return strncasecmp(found.c_str(), start.data(), start.size()) == 0;
  });
  if (!found.empty() && !is_ours) {
    throw record::RecordError(
        fmt::format("{}: exists and is not a {}; not overwritten", path, kind));
  }
}

}  // namespace tenpin::app
