// A checksum of the header that is verified before the HDF5 library reads the file, because damaged
// object headers can crash the library. It covers every byte of the header except the few numbers
// that change later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tenpin::record {

struct Seal {
  struct Hole {
    std::uint64_t begin = 0, end = 0;  // bytes that are not covered
  };
  // The superblock's end of file, two numbers per table, committed, status, and the seal.
  static constexpr std::size_t kNumHoles = 1 + 2 * 17 + 3;

  std::array<std::uint64_t, 2> magic = {};
  std::uint64_t num_bytes = 0;  // of the header, from the start of the file
  std::uint64_t hash = 0;
  std::array<Hole, kNumHoles> holes;  // ascending
};

inline constexpr std::size_t kSealWords = sizeof(Seal) / sizeof(std::uint64_t);

// Makes the seal of a header whose variable parts, including the seal itself, are `holes`.
[[nodiscard]] Seal make_seal(std::span<const std::byte> header,
                             const std::array<Seal::Hole, Seal::kNumHoles>& holes);

// Throws InputError if the header of the file has changed since it was written. `path` is used in
// the message.
void check_seal(int fd, std::uint64_t file_bytes, const std::string& path);

}  // namespace tenpin::record
