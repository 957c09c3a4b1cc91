#include "record/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "record/row_checks.h"

namespace tenpin::record {

Table::Table(const TablePlace& place, OutputFile* file)
    : place_(place), file_(file), tree_(place.chunk, file) {
  file_->write_value(place_.index_address, tree_.root());
}

void Table::append_rows(std::span<const std::byte> rows, std::int64_t count) {
  TENPIN_DEMAND(rows.size() == place_.row_bytes * static_cast<std::uint64_t>(count));
  buffer_.insert(buffer_.end(), rows.begin(), rows.end());
  add_rows(rows, &hash_);
  num_buffered_ += static_cast<std::uint64_t>(count);
}

std::uint64_t Table::take_hash() {
  return std::exchange(hash_, Hash()).value();
}

void Table::write_rows() {
  const std::span<const std::byte> bytes = buffer_;
  const std::uint64_t end = num_written_ + num_buffered_;
  std::uint64_t row = num_written_;
  while (place_.row_bytes > 0 && row < end) {
    const std::uint64_t row_in_chunk = row % place_.chunk.rows;
    if (row_in_chunk == 0) {
      chunk_address_ = file_->allocate(place_.chunk.bytes);
      tree_.append(chunk_address_);
    }
    const std::uint64_t count = std::min(end - row, place_.chunk.rows - row_in_chunk);
    file_->write(chunk_address_ + row_in_chunk * place_.row_bytes,
                 bytes.subspan((row - num_written_) * place_.row_bytes, count * place_.row_bytes));
    row += count;
  }
  num_written_ = end;
  num_buffered_ = 0;
  buffer_.clear();
}

void Table::publish_rows() {
  file_->write_value(place_.extent_address, num_written_);
}

}  // namespace tenpin::record
