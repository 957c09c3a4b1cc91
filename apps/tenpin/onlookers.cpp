#include "onlookers.h"

namespace tenpin::app {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstPageTime = 10s;  // to wait for a first page after the end of the run
constexpr auto kReloadTime = 3s;      // between a page's "bye" and its first request after a reload
constexpr auto kMostSilence = 90s;    // a page in the background sends a request once a minute
constexpr std::size_t kMostPages = 1000;

}  // namespace

void Onlookers::note(std::string_view name, std::string_view query) {
  last_word_ = Clock::now();
  const std::size_t at = query.find("page=");
  if (at == std::string_view::npos) return;
  const std::string page(query.substr(at, query.find('&', at) - at));
  if (name == "bye")
    last_seen_.erase(page);
  else if (last_seen_.size() < kMostPages)
    last_seen_[page] = last_word_;
  has_come_ = true;
}

bool Onlookers::is_anyone_there(Clock::duration since_end) {
  const auto now = Clock::now();
  std::erase_if(last_seen_, [&](const auto& page) {
    return now - page.second > kMostSilence;
  });
  if (!last_seen_.empty()) return true;
  return has_come_ ? now - last_word_ < kReloadTime : since_end < kFirstPageTime;
}

}  // namespace tenpin::app
