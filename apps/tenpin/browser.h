// A browser without a window, controlled through two pipes by the Chrome DevTools protocol.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tenpin::app {

// The path of the program with that name, or "" if it is not on the PATH.
[[nodiscard]] std::string find_program(const std::string& name);

// Returns $TENPIN_CHROMIUM, or the first of the names of Chromium and Chrome on the PATH. Throws
// RecordError if there is none.
[[nodiscard]] std::string find_browser();

class Browser {
 public:
  // Starts the browser with a temporary profile, which is removed with this object. Throws
  // RecordError, as all functions below do.
  Browser(int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens a file and waits until `condition`, a JavaScript expression, is true.
  void open(const std::string& file, const std::string& condition);
  nlohmann::json evaluate(const std::string& expression);
  // Returns the bytes of a PNG file of the visible page.
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
  std::string buffer_;  // received but not read yet
  std::string session_;
  int last_id_ = 0;
};

}  // namespace tenpin::app
