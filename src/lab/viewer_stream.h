// Serves a run block by block to a page that requests it: for runs that are too large for a page,
// or are still being computed. See "The server" in docs/viewer.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lab/serve.h"
#include "lab/viewer_curves.h"
#include "record/memory_run.h"
#include "record/run_reader.h"

namespace tenpin::lab {

class ViewerStream {
 public:
  // With `writer`, only a run file written by that process is served; until it exists, the page is
  // told to wait. Without `writer`, throws the same exceptions as RunReader.
  explicit ViewerStream(std::string path, std::optional<std::int64_t> writer = std::nullopt);
  // Serves a run in memory, which may grow between two calls.
  explicit ViewerStream(std::shared_ptr<const record::MemoryRun> run);

  // Call when the writer has started the run again, in the same file; pages are notified.
  void restart();
  // Call when the writer is paused, with all its frames in the file, or continues; pages are
  // notified.
  void set_paused(bool is_paused) { is_paused_ = is_paused; }

  // Throws InputError if the query does not come from the page.
  [[nodiscard]] std::optional<HttpReply> answer(std::string_view name, std::string_view query);

 private:
  void refresh();
  std::unique_ptr<record::RunReader> open() const;
  std::optional<HttpReply> answer_now(std::string_view name, std::string_view query);
  bool is_growing() const;
  std::string make_run_piece();
  std::string make_frames_piece(std::string_view query) const;
  std::string make_track_piece(std::string_view query) const;
  std::string make_curves_piece() const;
  std::string make_news(std::string_view query) const;

  std::string path_;
  std::shared_ptr<const record::MemoryRun> memory_;  // null: the run is a file
  std::optional<std::int64_t> writer_;
  std::unique_ptr<record::RunReader> run_;  // null until the file exists
  std::chrono::steady_clock::time_point opened_;
  Curves curves_;
  std::int64_t num_restarts_ = 0;
  bool is_paused_ = false;
};

}  // namespace tenpin::lab
