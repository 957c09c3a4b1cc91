// A browser without a window, spoken to through two pipes by the Chrome DevTools protocol.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tenpin::app {

// The program on the PATH of that name, or "".
[[nodiscard]] std::string find_program(const std::string& name);

// $TENPIN_CHROMIUM, or the first of Chromium's and Chrome's names on the PATH; throws RecordError
// when there is none.
[[nodiscard]] std::string find_browser();

class Browser {
 public:
  // Starts it with a profile of its own, which goes away with the object. Throws RecordError, as
  // everything below does.
  Browser(int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens a file and waits until `condition`, a JavaScript expression, is true.
  void open(const std::string& file, const std::string& condition);
  nlohmann::json evaluate(const std::string& expression);
  // The bytes of a PNG file of what is seen.
  std::string take_picture();

 private:
  nlohmann::json call(const std::string& method, nlohmann::json parameters);
  void send(const nlohmann::json& message);
  nlohmann::json receive();
  void start_process(int width, int height);

  std::string profile_;
  pid_t pid_ = -1;
  int to_browser_ = -1;
  int from_browser_ = -1;
  std::string buffer_;  // received and not yet read
  std::string session_;
  int last_id_ = 0;
};

}  // namespace tenpin::app
