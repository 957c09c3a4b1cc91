#include "record/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "record/h5.h"
#include "record/record_error.h"
#include "record/run_reader.h"

namespace tenpin::record {
namespace {

// A lock on the open file instead of the process: it ends with the descriptor, even after kill -9,
// and does not interfere with readers that use flock, as HDF5 does.
constexpr struct flock kWholeFile = {
    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0};

bool try_lock(int fd) {
  struct flock lock = kWholeFile;
  return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

bool same_file(int fd, const std::string& path) {
  struct stat by_fd = {};
  struct stat by_name = {};
  return fstat(fd, &by_fd) == 0 && stat(path.c_str(), &by_name) == 0 &&
         by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
}

// Describes the process that is writing the file, for the message only.
std::string describe_writer(const std::string& path) {
  try {
    return fmt::format("pid {}", RunReader(path).status().pid);
  } catch (const std::exception&) {
    return "another process";
  }
}

bool is_empty_or_hdf5(int fd) {
  std::array<char, kSignature.size()> start = {};
  const ssize_t count = pread(fd, start.data(), start.size(), 0);
  return count == 0 || std::string_view(start.data(), start.size()) == kSignature;
}

}  // namespace

bool is_being_written(int fd) {
  struct flock lock = kWholeFile;
  lock.l_type = F_RDLCK;
  return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  check_target();
  // Follows links to the actual file, which publish() will replace.
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::canonical(path_, ignored);
  if (!ignored) path_ = real;
  lock_existing();
  temporary_ = fmt::format("{}.{}.tmp", path_, getpid());
  fd_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    const int error = errno;
    temporary_.clear();
    if (existing_fd_ >= 0) close(existing_fd_);
    errno = error;
    fail("cannot create");
  }
  TENPIN_DEMAND(try_lock(fd_) || errno != EAGAIN);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (existing_fd_ >= 0) close(existing_fd_);
  if (fd_ >= 0) close(fd_);
}

void OutputFile::fail(const std::string& what) const {
  const int error = errno;
  throw RecordError(fmt::format("{}: {}: {}", path_, what, std::strerror(error)));
}

void OutputFile::check_target() {
  struct stat status = {};
  if (stat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("cannot write there");
    return;
  }
  if (S_ISDIR(status.st_mode)) throw RecordError(path_ + ": is a folder, want a file to write to");
  if (!S_ISREG(status.st_mode)) throw RecordError(path_ + ": is not a regular file");
}

// Locks the existing file, so that of two runs that start at the same time only one continues.
void OutputFile::lock_existing() {
  while (true) {
    const int fd = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return;
    if (fd < 0) fail("cannot write over the file that is there");
    if (!try_lock(fd)) {
      const int error = errno;
      close(fd);
      errno = error;
      if (error != EAGAIN && error != EACCES) fail("cannot lock");
      throw RecordError(fmt::format("{}: locked by {}, which is writing a run there", path_,
                                    describe_writer(path_)));
    }
    if (!same_file(fd, path_)) {  // the file was replaced between open and lock
      close(fd);
      continue;
    }
    existing_fd_ = fd;
    if (is_empty_or_hdf5(fd)) return;
    close(fd);
    existing_fd_ = -1;
    throw RecordError(path_ + ": exists and is no HDF5 file; not written over");
  }
}

// Renames the temporary file to its final name. Fails if a file of that name has appeared since the
// start; returns true on success.
bool OutputFile::take_name() {
  if (existing_fd_ >= 0) return rename(temporary_.c_str(), path_.c_str()) == 0;
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) {
    return true;
  }
  // The file system does not support that call.
  return errno == EINVAL && rename(temporary_.c_str(), path_.c_str()) == 0;
}

void OutputFile::publish() {
  if (!take_name()) fail("cannot create");
  temporary_.clear();
  if (existing_fd_ >= 0) close(existing_fd_);
  existing_fd_ = -1;
}

void OutputFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write");
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    if (count == 0) {
      errno = ENOSPC;
      fail("cannot write");
    }
  }
}

std::uint64_t OutputFile::allocate(std::uint64_t num_bytes) {
  const std::uint64_t begin = end_;
  const std::uint64_t end = begin + (num_bytes + 7) / 8 * 8;
  // Extends the file before the superblock says so: a file that is shorter than its superblock says
  // cannot be read.
  if (ftruncate(fd_, static_cast<off_t>(end)) != 0) fail("cannot extend");
  if (begin > 0) write_value(kEndOfFileAddress, end);
  end_ = end;
  return begin;
}

void OutputFile::sync() {
  // Some file systems and all pipes cannot sync, which is not an error.
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot bring to the disk");
  // If the folder was deleted during the run, the file is gone as well, although no write fails.
  if (!same_file(fd_, path_)) {
    errno = ENOENT;
    fail("was deleted or replaced while it was being written");
  }
}

}  // namespace tenpin::record
