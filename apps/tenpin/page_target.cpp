#include "page_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "record/record_error.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// A user's other file is worth more than a page; so is a scene given twice by mistake.
bool is_empty_or_page(const std::string& path) {
  constexpr std::string_view kStart = "<!doctype html>";
  std::array<char, kStart.size()> start = {};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  if (start.front() == '\0') return fs::file_size(path) == 0;
  return strncasecmp(start.data(), kStart.data(), kStart.size()) == 0;
}

[[noreturn]] void refuse(const std::string& path) {
  throw record::RecordError(fmt::format("{}: cannot write there: {}", path, std::strerror(errno)));
}

// Permissions do not tell everything: the only proof that a file can be made is to make one.
void try_to_create(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) refuse(path);
  close(fd);
  unlink(path.c_str());
}

}  // namespace

void check_page_target(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return try_to_create(path);
  if (!fs::is_regular_file(status)) {
    throw record::RecordError(path + ": is not a regular file, want a page to write");
  }
  if (access(path.c_str(), W_OK) != 0) refuse(path);
  if (!is_empty_or_page(path)) {
    throw record::RecordError(path + ": exists and is no HTML page; not written over");
  }
}

}  // namespace tenpin::app
