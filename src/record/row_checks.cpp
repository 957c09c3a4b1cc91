#include "record/row_checks.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace tenpin::record {
namespace {

std::uint64_t calc_status_hash(const StatusRow& status) {
  StatusRow copy = status;
  copy.check = {};
  Hash hash;
  add_rows(std::as_bytes(std::span(&copy, 1)), &hash);
  return hash.value();
}

}  // namespace

TableFormat make_checks_format() {
  return {.name = "checks",
          .unit = nullptr,
          .fields = {},
          .type = h5::Handle(H5Tcopy(h5::number_type<std::uint64_t>()), H5Tclose),
          .row_shape = {kCheckWords}};
}

void add_rows(std::span<const std::byte> rows, Hash* hash) {
  TENPIN_DEMAND(rows.size() % sizeof(std::uint64_t) == 0);
  for (std::size_t i = 0; i < rows.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &rows[i], sizeof word);
    hash->add(word);
  }
}

std::uint64_t calc_own_hash(const CheckRow& row) {
  Hash hash;
  for (const std::int64_t count : row.num_rows) hash.add(count);
  for (const std::uint64_t value : row.hashes) hash.add(value);
  return hash.value();
}

void seal_status(StatusRow* status) {
  const std::uint64_t hash = calc_status_hash(*status);
  std::memcpy(status->check.data(), &hash, status->check.size());
}

bool is_status_intact(const StatusRow& status) {
  StatusRow sealed = status;
  seal_status(&sealed);
  return sealed.check == status.check;
}

RowChecks::Block RowChecks::block(RunTable table, std::size_t i) const {
  const std::size_t t = index_of(table);
  const std::int64_t first = i == 0 ? 0 : rows_[i - 1].num_rows[t];
  return {.first = first, .count = rows_[i].num_rows[t] - first, .hash = rows_[i].hashes[t]};
}

std::size_t RowChecks::find_block(RunTable table, std::int64_t row) const {
  const auto found = std::partition_point(rows_.begin(), rows_.end(), [&](const CheckRow& check) {
    return check.num_rows[index_of(table)] <= row;
  });
  return static_cast<std::size_t>(found - rows_.begin());
}

std::vector<CheckRow> read_check_rows(const H5Input& input, std::int64_t first,
                                      std::int64_t count) {
  const TableFormat format = make_checks_format();
  const auto bytes =
      input.read_row_bytes(format.name, format.type, format.row_shape,
                           static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count));
  std::vector<CheckRow> rows(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(rows.data(), bytes.data(), bytes.size());
  return rows;
}

std::uint64_t calc_block_hash(const H5Input& input, const TableFormat& format,
                              const RowChecks::Block& block) {
  Hash hash;
  add_rows(input.read_row_bytes(format.name, format.type, format.row_shape,
                                static_cast<std::uint64_t>(block.first),
                                static_cast<std::uint64_t>(block.count)),
           &hash);
  return hash.value();
}

bool is_valid_check(const CheckRow& row, const CheckRow& before) {
  return row.own == calc_own_hash(row) &&
         std::equal(row.num_rows.begin(), row.num_rows.end(), before.num_rows.begin(),
                    [](std::int64_t now, std::int64_t then) {
                      return now >= then;
                    });
}

}  // namespace tenpin::record
