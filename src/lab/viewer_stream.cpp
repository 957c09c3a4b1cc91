#include "lab/viewer_stream.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/viewer_arrays.h"
#include "lab/viewer_frames.h"
#include "lab/viewer_header.h"
#include "lab/viewer_page.h"
#include "methods/method.h"

namespace tenpin::lab {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kCurvePoints = 8000;
constexpr std::int64_t kBlockBytes = std::int64_t{2}
                                     << 20;     // approximate bytes of frames in one block
constexpr std::int64_t kMostBlockFrames = 256;  // in one block
constexpr std::int64_t kTrackBytes = std::int64_t{256} << 20;  // read from the file for one track
constexpr int kMostTries = 3;
constexpr auto kReopenInterval = std::chrono::milliseconds(40);
constexpr std::string_view kBinary = "application/octet-stream";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain; charset=utf-8";

// Reads a number from the query "name=value&name=value".
std::int64_t read_number(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) != name) continue;
    const std::string_view digits = pair.substr(std::min(equals + 1, pair.size()));
    std::int64_t value = -1;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    TENPIN_REQUIRE(error == std::errc() && stop == digits.data() + digits.size() && value >= 0,
                   "a number of the query is none");
    return value;
  }
  throw InputError("the query lacks " + std::string(name));
}

// A piece consists of the length of the JSON (four bytes, lowest first), the JSON, and the packed
// arrays.
std::string make_piece(Json json, ArrayPacker* packer) {
  json["arrays"] = list_arrays(*packer);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string piece;
  for (int b = 0; b < 4; ++b) piece += static_cast<char>(text.size() >> (8 * b) & 0xff);
  return piece + text + packer->finish();
}

// The number of frames per block, so that blocks are neither too small nor too large.
std::int64_t calc_block_frames(const record::RunReader& run) {
  const auto num_movers = static_cast<std::int64_t>(find_movers(run.header()).size());
  const std::int64_t num_contacts =
      run.num_contacts() / std::max<std::int64_t>(1, run.num_frames());
  const std::int64_t frame_bytes =
      num_movers * (kPoseBytes + kTwistBytes) + num_contacts * kContactBytes;
  return std::clamp<std::int64_t>(kBlockBytes / (frame_bytes + 1), 1, kMostBlockFrames);
}

// The stride of a track, for which whole frames are read although only one body is needed.
std::int64_t calc_track_stride(const record::RunReader& run) {
  const record::RunHeader& header = run.header();
  const std::int64_t numbers = header.nq + header.nv + std::int64_t{13} * header.num_bodies();
  return 1 + run.num_frames() * numbers * 8 / kTrackBytes;
}

}  // namespace

ViewerStream::ViewerStream(std::string path, std::optional<std::int64_t> writer)
    : path_(std::move(path)), writer_(writer), curves_(kCurvePoints) {
  refresh();
}

ViewerStream::ViewerStream(std::shared_ptr<const record::MemoryRun> run)
    : memory_(std::move(run)), curves_(kCurvePoints) {
  refresh();
}

std::unique_ptr<record::RunReader> ViewerStream::open() const {
  return memory_ != nullptr ? std::make_unique<record::RunReader>(memory_)
                            : std::make_unique<record::RunReader>(path_);
}

void ViewerStream::restart() {
  run_.reset();
  curves_ = Curves(kCurvePoints);
  ++num_restarts_;
}

// True if the run is still being written. A running file without a writer was left behind by a
// killed run. In its first moments a file may look like that, because its writer has not locked it
// yet; but if the writer is known, the page waits for it.
bool ViewerStream::is_growing() const {
  const record::RunStatus& status = run_->status();
  return status.state == record::RunState::kRunning &&
         (status.being_written || writer_.has_value());
}

// Opens a growing file again to see its progress. It is closed first, because otherwise the library
// would show its cached state.
void ViewerStream::refresh() {
  if (run_ != nullptr && (!is_growing() || Clock::now() < opened_ + kReopenInterval)) return;
  const bool was_there = run_ != nullptr;
  run_.reset();
  opened_ = Clock::now();
  try {
    auto run = open();
    if (!writer_ || run->status().pid == *writer_) run_ = std::move(run);
  } catch (const std::exception&) {
    // otherwise it does not exist yet, or is temporarily unavailable
    if (!writer_ && !was_there) throw;
  }
}

// The open view of a growing file may be older than the requested part; it is then refreshed.
std::optional<HttpReply> ViewerStream::answer(std::string_view name, std::string_view query) {
  if (name.empty())
    return HttpReply{.type = "text/html; charset=utf-8", .body = make_streaming_page()};
  if (name == "bye") return HttpReply{.type = kText};
  for (int tries = 0;; ++tries) {
    if (run_ == nullptr || name == "run" || name == "news") refresh();
    if (run_ == nullptr || run_->num_frames() == 0)
      return HttpReply{.status = 202, .type = kText, .body = "the run has not begun"};
    const bool was_growing = is_growing();
    try {
      return answer_now(name, query);
    } catch (const InputError&) {
      if (!was_growing || tries == kMostTries) throw;
      run_.reset();
    }
  }
}

std::optional<HttpReply> ViewerStream::answer_now(std::string_view name, std::string_view query) {
  if (name == "run") return HttpReply{.type = kBinary, .body = make_run_piece()};
  if (name == "frames") return HttpReply{.type = kBinary, .body = make_frames_piece(query)};
  if (name == "track") return HttpReply{.type = kBinary, .body = make_track_piece(query)};
  if (name == "curves") return HttpReply{.type = kBinary, .body = make_curves_piece()};
  if (name == "news") {
    curves_.read_on(*run_);
    return HttpReply{.type = kJson, .body = make_news(query)};
  }
  return std::nullopt;
}

std::string ViewerStream::make_run_piece() {
  ArrayPacker packer(PackFor::kLoopback);
  Json json = make_viewer_header(run_->header(), &packer);
  pack_start(*run_, &packer);
  packer.add("frame_time", run_->read_frame_times());
  curves_.read_on(*run_);
  curves_.pack(&packer);
  json["frameStride"] = 1;
  json["contactStride"] = 1;
  json["blockFrames"] = calc_block_frames(*run_);
  json["trackStride"] = calc_track_stride(*run_);
  json["growing"] = is_growing();
  json["restarts"] = num_restarts_;
  json["canControl"] = writer_.has_value();
  json["methods"] = Json::array();
  for (const methods::MethodEntry& method : methods::all_methods())
    json["methods"].push_back(method.name);
  json["stepColumns"] = list_curves(curves_);
  json["stepStride"] = curves_.stride();
  json["verdict"] = make_viewer_verdict(run_->status(), curves_.summary());
  return make_piece(std::move(json), &packer);
}

std::string ViewerStream::make_frames_piece(std::string_view query) const {
  FrameRange range;
  range.first = read_number(query, "first");
  range.stride = std::max<std::int64_t>(1, read_number(query, "stride"));
  const std::int64_t count = std::min(read_number(query, "count"), kMostBlockFrames);
  TENPIN_REQUIRE(range.first < run_->num_frames() && range.stride <= run_->num_frames(),
                 "the run has no such frame");
  range.end = std::min(run_->num_frames(), range.first + count * range.stride);
  ArrayPacker packer(PackFor::kLoopback);
  pack_frames(*run_, range, {}, &packer);
  return make_piece({{"first", range.first}, {"stride", range.stride}}, &packer);
}

std::string ViewerStream::make_track_piece(std::string_view query) const {
  const std::int64_t body = read_number(query, "body");
  TENPIN_REQUIRE(body < run_->header().num_bodies(), "the run has no such body");
  const FrameRange range{.first = read_number(query, "first"),
                         .end = run_->num_frames(),
                         .stride = read_number(query, "stride")};
  TENPIN_REQUIRE(range.stride > 0 && range.stride <= run_->num_frames(), "no such stride");
  ArrayPacker packer(PackFor::kLoopback);
  pack_track(*run_, static_cast<int>(body), range, &packer);
  return make_piece({{"body", body}}, &packer);
}

std::string ViewerStream::make_curves_piece() const {
  ArrayPacker packer(PackFor::kLoopback);
  curves_.pack(&packer);
  return make_piece({{"stepStride", curves_.stride()}}, &packer);
}

// Reports the progress of the run, and the times of the frames that the page does not have yet.
std::string ViewerStream::make_news(std::string_view query) const {
  const std::vector<double> times = run_->read_frame_times();
  const auto known = static_cast<std::size_t>(read_number(query, "frames"));
  // A page that does not know of a restart yet may have more frames than there are.
  TENPIN_REQUIRE(known <= times.size() || num_restarts_ > 0,
                 "the run has fewer frames than the page");
  const auto new_times = times.begin() + static_cast<std::ptrdiff_t>(std::min(known, times.size()));
  const Json json = {{"growing", is_growing()},
                     {"restarts", num_restarts_},
                     {"paused", is_paused_},
                     {"times", std::vector<double>(new_times, times.end())},
                     {"verdict", make_viewer_verdict(run_->status(), curves_.summary())}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tenpin::lab
