#include "record/chunk_tree.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "record/record_error.h"

namespace tenpin::record {
namespace {

// HDF5 stores little-endian numbers. They are copied as they are in memory.
static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kHeaderBytes = 24;
constexpr std::uint64_t kUsedOffset = 6;
constexpr std::uint64_t kLeftOffset = 8;
constexpr std::uint64_t kRightOffset = 16;
constexpr std::uint64_t kUndefinedAddress = ~std::uint64_t{0};
constexpr std::uint64_t kNoChild = 0;  // stands for no child: no node and no chunk has this address

template <typename T>
void put(const T& value, std::byte* out) {
  std::memcpy(out, &value, sizeof value);
}

constexpr std::uint64_t power(std::uint64_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

}  // namespace

ChunkTree::ChunkTree(const ChunkShape& shape, OutputFile* file) : shape_(shape), file_(file) {
  scratch_.resize(kHeaderBytes + kFanout * 8 + (kFanout + 1) * key_bytes());
  std::uint64_t child = kNoChild;
  for (int level = 0; level < kHeight; ++level) {
    spine_[level] = make_node(level, 0, child);
    child = spine_[level].address;
  }
}

void ChunkTree::put_key(std::uint64_t chunk, std::byte* out) const {
  std::memset(out, 0, key_bytes());
  put(static_cast<std::uint32_t>(shape_.bytes), out);
  put(chunk * shape_.rows, out + 8);
}

// Writes a child and the key to its right, which is where the next child will begin, so that the
// key need not change when that child is added.
void ChunkTree::put_entry(int level, const Node& node, std::uint64_t child, std::byte* out) const {
  put(child, out);
  put_key(node.first_chunk + (node.used + 1) * power(kFanout, level), out + 8);
}

ChunkTree::Node ChunkTree::make_node(int level, std::uint64_t first_chunk, std::uint64_t child) {
  Node node = {.address = file_->allocate(scratch_.size()), .first_chunk = first_chunk};
  const std::uint64_t left = spine_[level].address;
  std::fill(scratch_.begin(), scratch_.end(), std::byte{0});
  std::memcpy(scratch_.data(), "TREE\1", 5);
  put(static_cast<std::uint8_t>(level), &scratch_[5]);
  put(left == 0 ? kUndefinedAddress : left, &scratch_[kLeftOffset]);
  put(kUndefinedAddress, &scratch_[kRightOffset]);
  put_key(first_chunk, &scratch_[kHeaderBytes]);
  if (child != kNoChild) {
    put_entry(level, node, child, &scratch_[kHeaderBytes + key_bytes()]);
    node.used = 1;
  }
  put(static_cast<std::uint16_t>(node.used), &scratch_[kUsedOffset]);
  file_->write(node.address, scratch_);
  return node;
}

void ChunkTree::append(std::uint64_t chunk_address) {
  attach(0, chunk_address);
  ++num_chunks_;
}

void ChunkTree::attach(int level, std::uint64_t child) {
  if (level == kHeight) throw RecordError(file_->path() + ": table too long for the format");
  Node& node = spine_[level];
  if (node.used == kFanout) {
    const Node next = make_node(level, num_chunks_, child);
    attach(level + 1, next.address);
    file_->write_value(node.address + kRightOffset, next.address);
    node = next;
    return;
  }
  const std::uint64_t entry_bytes = 8 + key_bytes();
  put_entry(level, node, child, scratch_.data());
  file_->write(node.address + kHeaderBytes + key_bytes() + node.used * entry_bytes,
               std::span(scratch_).first(entry_bytes));
  ++node.used;
  file_->write_value(node.address + kUsedOffset, static_cast<std::uint16_t>(node.used));
}

}  // namespace tenpin::record
