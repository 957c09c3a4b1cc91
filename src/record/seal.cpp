#include "record/seal.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/check.h"

namespace tenpin::record {
namespace {

constexpr std::array<std::uint64_t, 2> kMagic = {0x9D1F7A64B3C25E08, 0x54454E50494E0A1A};

// The seal is near the beginning of the file.
constexpr std::uint64_t kSearchBytes = 64 << 10;

// FNV-1a over everything except the holes.
std::uint64_t calc_hash(std::span<const std::byte> header,
                        const std::array<Seal::Hole, Seal::kNumHoles>& holes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  std::uint64_t begin = 0;
  const auto add = [&](std::uint64_t end) {
    for (; begin < end; ++begin) {
      hash = (hash ^ std::to_integer<std::uint64_t>(header[begin])) * 0x100000001b3;
    }
  };
  for (const Seal::Hole& hole : holes) {
    add(hole.begin);
    begin = hole.end;
  }
  add(header.size());
  return hash;
}

bool are_valid(const Seal& seal) {
  std::uint64_t end = 0;
  for (const Seal::Hole& hole : seal.holes) {
    if (hole.begin < end || hole.end < hole.begin) return false;
    end = hole.end;
  }
  return end <= seal.num_bytes;
}

std::vector<std::byte> read_start(int fd, std::uint64_t num_bytes) {
  std::vector<std::byte> bytes(num_bytes);
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t n =
        pread(fd, bytes.data() + count, bytes.size() - count, static_cast<off_t>(count));
    if (n <= 0) break;
    count += static_cast<std::size_t>(n);
  }
  bytes.resize(count);
  return bytes;
}

}  // namespace

Seal make_seal(std::span<const std::byte> header,
               const std::array<Seal::Hole, Seal::kNumHoles>& holes) {
  Seal seal = {.magic = kMagic, .num_bytes = header.size(), .holes = holes};
  std::sort(seal.holes.begin(), seal.holes.end(), [](const Seal::Hole& a, const Seal::Hole& b) {
    return a.begin < b.begin;
  });
  TENPIN_DEMAND(are_valid(seal));
  seal.hash = calc_hash(header, seal.holes);
  return seal;
}

void check_seal(int fd, std::uint64_t file_bytes, const std::string& path) {
  const auto start = read_start(fd, std::min(file_bytes, kSearchBytes));
  const void* found = memmem(start.data(), start.size(), kMagic.data(), sizeof kMagic);
  if (found == nullptr)
    throw InputError(path + ": an HDF5 file, but not a run of Tenpin, or damaged");
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(found) - start.data());
  Seal seal;
  if (offset + sizeof seal > start.size()) throw InputError(path + ": truncated run file");
  std::memcpy(&seal, found, sizeof seal);
  if (!are_valid(seal)) throw InputError(path + ": damaged run file: its seal is broken");
  if (seal.num_bytes > file_bytes) throw InputError(path + ": truncated run file");
  const auto header = read_start(fd, seal.num_bytes);
  if (header.size() != seal.num_bytes || calc_hash(header, seal.holes) != seal.hash) {
    throw InputError(path + ": damaged run file: the header is not as it was written");
  }
}

}  // namespace tenpin::record
