// A study while it is computed, as a page that asks for news: `tenpin sweep --live`.
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

// The names that the page may request:
//   (nothing)   the page itself
//   progress    JSON: rows, rate, time left, share of each process
//   results     HTML: plots and tables of the rows so far
//   bye         the page is closed
// The sweep tells how far it is by show(), from its own thread; it never waits for a page.
class LiveStudy {
 public:
  enum class Stage { kRunning, kDone, kInterrupted };

  // The study must outlive it. Rows are read from the table's file, which another connection fills.
  LiveStudy(const Study& study, std::string table) : study_(study), table_(std::move(table)) {}

  void show(const SweepProgress& progress, Stage stage);

  // For the server's thread.
  [[nodiscard]] std::optional<HttpReply> answer(std::string_view name);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string make_page() const;
  [[nodiscard]] std::string make_news() const;
  [[nodiscard]] const std::string& update_results();

  const Study& study_;
  std::string table_;
  mutable std::mutex mutex_;  // of the next two
  SweepProgress progress_;
  Stage stage_ = Stage::kRunning;
  std::string results_;            // made from `num_rows_` rows
  std::int64_t num_rows_ = -1;     // none yet
  Clock::time_point next_update_;  // results are not made again before
};

}  // namespace tenpin::lab
