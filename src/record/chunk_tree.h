// The index of a growing HDF5 dataset, readable after a kill between any two writes.
//
// The library's flush rewrites index nodes, object headers and the superblock in an unspecified
// order; a kill during the flush can leave rows that cannot be read (docs/run-file.md). Here every
// change is one of two kinds: bytes that nothing points to yet, or a single aligned number that
// makes them part of the file.
//
// The nodes are version 1 B-trees of the "HDF5 File Format Specification", III.A.1:
//   node: "TREE", type, level, entries used (2), left sibling (8), right sibling (8),
//         key, child, key, child, ..., key
//   key:  chunk bytes (4), filter mask (4), offset of the chunk's first element (8 per dimension),
//         offset within an element (8)
// A dataset that grows in its first dimension only, in chunks of full width, always appends at the
// right edge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/output_file.h"

namespace tenpin::record {

struct ChunkShape {
  int rank = 1;             // of the dataset
  std::uint64_t rows = 1;   // per chunk
  std::uint64_t bytes = 0;  // per chunk
};

class ChunkTree {
 public:
  // Created with its full height, 64^4 chunks, so that the root never moves.
  ChunkTree(const ChunkShape& shape, OutputFile* file);

  std::uint64_t root() const { return spine_[kHeight - 1].address; }

  // Appends the chunk at that address. Throws RecordError if the tree is full.
  void append(std::uint64_t chunk_address);

 private:
  static constexpr int kHeight = 4;
  static constexpr std::uint64_t kFanout = 64;  // 2K, for the K = 32 of superblock version 0

  // The rightmost node of a level.
  struct Node {
    std::uint64_t address = 0;
    std::uint64_t first_chunk = 0;
    std::uint64_t used = 0;
  };

  std::uint64_t key_bytes() const { return 8 + 8 * (static_cast<std::uint64_t>(shape_.rank) + 1); }
  void put_key(std::uint64_t chunk, std::byte* out) const;
  void put_entry(int level, const Node& node, std::uint64_t child, std::byte* out) const;
  [[nodiscard]] Node make_node(int level, std::uint64_t first_chunk, std::uint64_t child);
  void attach(int level, std::uint64_t child);

  ChunkShape shape_;
  OutputFile* file_;
  std::array<Node, kHeight> spine_;  // [0] is the leaf
  std::uint64_t num_chunks_ = 0;
  std::vector<std::byte> scratch_;  // one node
};

}  // namespace tenpin::record
