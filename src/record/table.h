// One growing dataset of a run file. Receives rows of bytes and writes chunks of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "record/chunk_tree.h"
#include "record/output_file.h"

namespace tenpin::record {

// The location of a table in the header.
struct TablePlace {
  ChunkShape chunk;
  std::uint64_t row_bytes = 0;       // 0 for a table without columns
  std::uint64_t extent_address = 0;  // of the number of rows, in the file
  std::uint64_t index_address = 0;   // of the address of its index
};

class Table {
 public:
  // Creates the index of the dataset; call before the file is published.
  Table(const TablePlace& place, OutputFile* file);

  // Appends one row, or several, to the buffer in memory.
  void append(std::span<const std::byte> row) { append_rows(row, 1); }
  void append_rows(std::span<const std::byte> rows, std::int64_t count);
  template <typename T>
  void append_value(const T& row) {
    append(std::as_bytes(std::span(&row, 1)));
  }

  // Writes the buffer to the file, but not yet as part of the dataset.
  void write_rows();
  // Makes the written rows part of the dataset.
  void publish_rows();

  std::int64_t num_rows() const { return static_cast<std::int64_t>(num_written_ + num_buffered_); }
  std::size_t buffered_bytes() const { return buffer_.size(); }
  std::uint64_t num_buffered() const { return num_buffered_; }

  // The hash of the rows appended since the last call.
  [[nodiscard]] std::uint64_t take_hash();

 private:
  TablePlace place_;
  OutputFile* file_;
  ChunkTree tree_;
  std::vector<std::byte> buffer_;
  Hash hash_;                        // hash of the rows that no check row covers yet
  std::uint64_t num_buffered_ = 0;   // number of rows in the buffer
  std::uint64_t num_written_ = 0;    // number of rows in the file
  std::uint64_t chunk_address_ = 0;  // of the chunk that is being filled
};

}  // namespace tenpin::record
