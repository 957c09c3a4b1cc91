// Keeps track of the open pages that show a run or a study while it is computed.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace tenpin::app {

// Each page sends requests with "page=<its number>", and "bye" when it is closed.
class Onlookers {
 public:
  using Clock = std::chrono::steady_clock;

  void note(std::string_view name, std::string_view query);

  // True if a page is open, or may still open this long after the end of the run or study.
  [[nodiscard]] bool is_anyone_there(Clock::duration since_end);

 private:
  std::map<std::string, Clock::time_point> last_seen_;
  Clock::time_point last_word_ = Clock::now();
  bool has_come_ = false;
};

}  // namespace tenpin::app
