// A page that shows a study while it is computed, and requests updates: `tenpin sweep --live`.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "lab/serve.h"
#include "lab/study/study.h"
#include "lab/study/sweep.h"

namespace tenpin::lab {

// Answers requests of the page. The page may request these names:
//   (nothing)   the page itself
//   progress    JSON: rows, rate, time left, share of each process
//   results     HTML: plots and tables of the rows so far
//   bye         the page is closed
// The sweep calls show() from its own thread to report its progress; it never waits for a page.
class LiveStudy {
 public:
  enum class Stage { kRunning, kDone, kInterrupted };

  // The study must outlive it. Rows are read from the table's file, which another connection
  // writes.
  LiveStudy(const Study& study, std::string table) : study_(study), table_(std::move(table)) {}

  void show(const SweepProgress& progress, Stage stage);

  // Called on the server's thread.
  [[nodiscard]] std::optional<HttpReply> answer(std::string_view name);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string make_page() const;
  [[nodiscard]] std::string make_news() const;
  [[nodiscard]] const std::string& update_results();

  const Study& study_;
  std::string table_;
  mutable std::mutex mutex_;  // protects the next two members
  SweepProgress progress_;
  Stage stage_ = Stage::kRunning;
  std::string results_;            // made from `num_rows_` rows
  std::int64_t num_rows_ = -1;     // -1: none yet
  Clock::time_point next_update_;  // earliest time at which results are made again
};

}  // namespace tenpin::lab
