#include "record/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "record/record_error.h"

namespace tenpin::record {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  // Some file systems cannot sync, which is no reason to refuse them.
  return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

void write_whole_file(const std::string& path, std::string_view bytes) {
  const std::string draft = fmt::format("{}.{}.part", path, getpid());
  const int fd = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool is_whole = fd >= 0 && write_all(fd, bytes);
  int error = errno;
  if (fd >= 0 && close(fd) != 0 && is_whole) {
    is_whole = false;
    error = errno;
  }
  if (is_whole && std::rename(draft.c_str(), path.c_str()) == 0) return;
  if (is_whole) error = errno;
  if (fd >= 0) unlink(draft.c_str());
  throw RecordError(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

}  // namespace tenpin::record
