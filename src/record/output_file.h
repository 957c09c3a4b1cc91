// The output file of a run: replaces an old file safely, is written in order, and reports every
// failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tenpin::record {

// Superblock version 0: the location of the end-of-file address.
inline constexpr std::uint64_t kEndOfFileAddress = 40;

// Starts as a temporary file beside `path` and takes its place in publish(), so that an earlier run
// of that name exists until the new one can be read. From then on the file is locked against other
// writers; reading is allowed. All methods throw RecordError.
class OutputFile {
 public:
  // Refuses folders, devices, files that are not HDF5, and files that another run is writing.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void publish();

  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  template <typename T>
  void write_value(std::uint64_t offset, const T& value) {
    write(offset, std::as_bytes(std::span(&value, 1)));
  }

  // Extends the file by that many zero bytes, aligned to 8, and updates the HDF5 superblock.
  // Returns the address of the new bytes.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t num_bytes);

  // Flushes to the disk, and makes sure that the file still has its name.
  void sync();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_target();
  void lock_existing();
  bool take_name();

  std::string path_;
  std::string temporary_;  // name of the file until publish(); empty afterwards
  int fd_ = -1;
  int existing_fd_ = -1;   // the file with that name before publish(), locked; -1 if there was none
  std::uint64_t end_ = 0;  // bytes allocated
};

// True if a writer has the file open.
[[nodiscard]] bool is_being_written(int fd);

}  // namespace tenpin::record
