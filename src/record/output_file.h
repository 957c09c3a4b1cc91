// The file a run goes to: taken over safely, written in order, every failure named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tenpin::record {

// Superblock version 0: where the address of the file's end is.
inline constexpr std::uint64_t kEndOfFileAddress = 40;

// Starts as a nameless neighbour of `path` and takes its place by publish(), so that a good run of
// that name lives until the new one can be read. From then on the file is locked against other
// writers (readers are welcome). All methods throw RecordError.
class OutputFile {
 public:
  // Refuses folders, devices, files that are no HDF5, files that another run is writing.
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

  // Makes the file longer by that much, zeros, at a multiple of 8, and tells the HDF5 superblock.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t num_bytes);

  // Down to the disk.
  void sync();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_target();
  void lock_existing();
  bool take_name();

  std::string path_;
  std::string temporary_;  // its name until publish(); empty afterwards
  int fd_ = -1;
  int existing_fd_ = -1;   // the file of that name before publish(), locked; -1 if none
  std::uint64_t end_ = 0;  // bytes allocated
};

// Whether a writer holds the file open.
[[nodiscard]] bool is_being_written(int fd);

}  // namespace tenpin::record
