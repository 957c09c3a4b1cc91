#include "record/object_header.h"

#include <cstring>
#include <deque>
#include <utility>

#include "base/check.h"

namespace tenpin::record {
namespace {

constexpr std::uint16_t kDataspace = 0x0001;
constexpr std::uint16_t kDataLayout = 0x0008;
constexpr std::uint16_t kContinuation = 0x0010;
constexpr std::uint8_t kChunkedClass = 2;

template <typename T>
T get(std::span<const std::byte> file, std::uint64_t address) {
  TENPIN_DEMAND(address + sizeof(T) <= file.size());
  T value;
  std::memcpy(&value, &file[address], sizeof value);
  return value;
}

}  // namespace

GrowthFields find_growth_fields(std::span<const std::byte> file, std::uint64_t header_address) {
  TENPIN_DEMAND(get<std::uint8_t>(file, header_address) == 1);
  GrowthFields fields;
  // Address and size of the blocks of messages. The first block follows the 16 bytes of the prefix.
  std::deque<std::pair<std::uint64_t, std::uint64_t>> blocks;
  blocks.emplace_back(header_address + 16, get<std::uint32_t>(file, header_address + 8));
  for (; !blocks.empty(); blocks.pop_front()) {
    auto [address, size] = blocks.front();
    const std::uint64_t end = address + size;
    while (address + 8 <= end) {
      const auto type = get<std::uint16_t>(file, address);
      const std::uint64_t body = address + 8;
      if (type == kDataspace) {
        TENPIN_DEMAND(get<std::uint8_t>(file, body) == 1);
        fields.extent_address = body + 8;
      } else if (type == kDataLayout) {
        TENPIN_DEMAND(get<std::uint8_t>(file, body) == 3);
        TENPIN_DEMAND(get<std::uint8_t>(file, body + 1) == kChunkedClass);
        fields.index_address = body + 3;
      } else if (type == kContinuation) {
        blocks.emplace_back(get<std::uint64_t>(file, body), get<std::uint64_t>(file, body + 8));
      }
      address = body + get<std::uint16_t>(file, address + 2);
    }
  }
  // Aligned, so that a page boundary cannot divide a write of it.
  TENPIN_DEMAND(fields.extent_address % 8 == 0 && fields.extent_address > 0);
  TENPIN_DEMAND(fields.index_address > 0);
  return fields;
}

}  // namespace tenpin::record
