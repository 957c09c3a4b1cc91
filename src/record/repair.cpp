#include "record/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "record/committed_tables.h"
#include "record/header_reader.h"
#include "record/record_error.h"
#include "record/row_checks.h"

namespace tenpin::record {
namespace {

namespace fs = std::filesystem;

// largest length of an incomplete chunk of several rows at the end of a file
constexpr std::uint64_t kPadding = 64 << 10;

// A copy that the HDF5 library can open, because the library refuses files that are shorter than
// their superblock says. Bytes beyond the cut read as zeros, or as addresses beyond the end.
class PaddedCopy {
 public:
  PaddedCopy(const std::string& from, std::string path) : path_(std::move(path)) {
    std::error_code error;
    fs::copy_file(from, path_, fs::copy_options::overwrite_existing, error);
    const std::uint64_t size = error ? 0 : fs::file_size(path_, error);
    if (!error) fs::resize_file(path_, size + kPadding, error);
    if (error) {
      fs::remove(path_, error);
      throw RecordError(fmt::format("{}: cannot copy {}", path_, from));
    }
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const std::uint64_t end = size + kPadding;
    file.seekp(kEndOfFileAddress);
    file.write(reinterpret_cast<const char*>(&end), sizeof end);
    if (!file.flush()) throw RecordError(path_ + ": cannot write");
  }
  ~PaddedCopy() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PaddedCopy(const PaddedCopy&) = delete;
  PaddedCopy& operator=(const PaddedCopy&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Reads the rows that the commit between two check rows added to a table.
std::vector<std::byte> read_block(const H5Input& input, const TableFormat& format,
                                  const RowChecks::Block& block) {
  auto bytes = input.read_row_bytes(format.name, format.type, format.row_shape,
                                    static_cast<std::uint64_t>(block.first),
                                    static_cast<std::uint64_t>(block.count));
  Hash hash;
  add_rows(bytes, &hash);
  if (hash.value() != block.hash) {
    throw h5::Error(fmt::format("rows {} to {} of '{}' have changed", block.first,
                                block.first + block.count - 1, format.name));
  }
  return bytes;
}

// Appends one block of all tables. If this fails, throws h5::Error and appends nothing.
void copy_block(const H5Input& input, std::span<const TableFormat> formats, const RowChecks& checks,
                CommittedTables* out) {
  const std::size_t last = checks.num_blocks() - 1;
  std::array<std::vector<std::byte>, kNumRunTables> blocks;
  for (std::size_t i = 0; i < kNumRunTables; ++i) {
    blocks[i] = read_block(input, formats[i], checks.block(static_cast<RunTable>(i), last));
  }
  for (std::size_t i = 0; i < kNumRunTables; ++i) {
    const auto table = static_cast<RunTable>(i);
    out->table(table).append_rows(blocks[i], checks.block(table, last).count);
  }
  out->commit();
}

StatusRow make_status(const H5Input& input, const RepairReport& report) {
  StatusRow status = {};
  try {
    status = input.read_row<StatusRow>("status", status_fields());
  } catch (const h5::Error&) {
    status = {};
  }
  if (is_status_intact(status) && report.is_whole()) return status;
  status = {};
  status.state = static_cast<std::uint8_t>(RunState::kInterrupted);
  const std::string text = fmt::format("repaired: {} of {} commits kept ({})", report.num_kept,
                                       report.num_blocks, report.reason);
  std::copy_n(text.begin(), std::min(text.size(), status.message.size()), status.message.begin());
  return status;
}

RepairReport copy_intact(const H5Input& input, const std::string& repaired) {
  const RunHeader header = read_header(input);
  const auto formats = make_table_formats(header);
  const TableFormat checks_format = make_checks_format();
  CommittedTables out(repaired, header);
  RepairReport report;
  report.num_blocks = static_cast<std::int64_t>(input.calc_num_rows(checks_format.name));
  std::vector<CheckRow> rows = {CheckRow{}};  // before the first commit
  for (std::int64_t i = 0; i < report.num_blocks; ++i) {
    try {
      const CheckRow row = read_check_rows(input, i, 1).at(0);
      if (!is_valid_check(row, rows.back())) {
        throw h5::Error(fmt::format("row {} of '{}' has changed", i, checks_format.name));
      }
      rows.push_back(row);
      copy_block(input, formats, RowChecks({rows.end() - 2, rows.end()}), &out);
    } catch (const h5::Error& error) {
      report.reason = error.what();
      break;
    }
    ++report.num_kept;
  }
  report.num_frames = out.table(RunTable::kFrameTime).num_rows();
  report.num_steps = out.table(RunTable::kSteps).num_rows();
  if (report.num_frames > 0) {
    const TableFormat& times = formats[index_of(RunTable::kFrameTime)];
    report.t_end = input
                       .read_rows<double>(times.name, times.type, times.row_shape,
                                          static_cast<std::uint64_t>(report.num_frames) - 1, 1)
                       .at(0);
  }
  out.close(make_status(input, report));
  return report;
}

}  // namespace

RepairReport repair_run(const std::string& damaged, const std::string& repaired) {
  std::error_code error;
  if (!fs::is_regular_file(damaged, error)) {
    throw InputError(damaged + ": is not a regular file, want a run file");
  }
  if (fs::equivalent(damaged, repaired, error)) {
    throw InputError(repaired + ": is the damaged file itself, want another name");
  }
  const h5::Silence silence;
  const PaddedCopy copy(damaged, repaired + ".padded");
  try {
    return copy_intact(H5Input(copy.path()), repaired);
  } catch (const h5::Error& failure) {
    throw InputError(fmt::format("{}: {}", damaged, failure.what()));
  } catch (const InputError& failure) {  // the message names the copy
    const std::string text = failure.what();
    throw InputError(damaged + text.substr(std::min(copy.path().size(), text.size())));
  }
}

}  // namespace tenpin::record
