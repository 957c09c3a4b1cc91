#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "record/record_error.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;
using record::RecordError;

constexpr int kPatience = 180'000;  // ms   for one answer, on a busy machine

// The descriptors that a browser with --remote-debugging-pipe reads and writes.
constexpr int kBrowserIn = 3;
constexpr int kBrowserOut = 4;

std::string decode_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<unsigned>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<unsigned>(c - 'a' + 26);
    } else if (c >= '0' && c <= '9') {
      value = static_cast<unsigned>(c - '0' + 52);
    } else if (c == '+' || c == '/') {
      value = c == '+' ? 62 : 63;
    } else {
      break;  // padding
    }
    bits = bits << 6 | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFFU);
  }
  return bytes;
}

// Converts a path to a file address; characters with a meaning in addresses are escaped.
std::string make_file_address(const std::string& file) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
  std::string address = "file://";
  for (const char c : fs::absolute(file).string()) {
    if (kPlain.find(c) != std::string_view::npos) {
      address += c;
    } else {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return address;
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw RecordError(fmt::format("the browser: no pipe: {}", std::strerror(errno)));
  }
  return ends;
}

// Called in the child process: moves the pipes to their descriptors, and hides output from the
// user's terminal.
[[noreturn]] void become_browser(const std::vector<std::string>& arguments, int in, int out) {
  // Duplicates them first, because one of them may have the other's number.
  const int safe_in = fcntl(in, F_DUPFD, 10);
  const int safe_out = fcntl(out, F_DUPFD, 10);
  dup2(safe_in, kBrowserIn);
  dup2(safe_out, kBrowserOut);
  close(safe_in);
  close(safe_out);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    std::string candidate = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return "";
}

std::string find_browser() {
  const char* chosen = std::getenv("TENPIN_CHROMIUM");
  if (chosen != nullptr && access(chosen, X_OK) == 0) return chosen;
  if (chosen == nullptr) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      std::string found = find_program(name);
      if (!found.empty()) return found;
    }
  }
  throw RecordError(
      "pictures need a browser, and there is none: install the package chromium, or set "
      "TENPIN_CHROMIUM to one");
}

Browser::Browser(int width, int height) {
  profile_ = (fs::temp_directory_path() / "tenpin-browser-XXXXXX").string();
  if (mkdtemp(profile_.data()) == nullptr) {
    throw RecordError(fmt::format("{}: {}", profile_, std::strerror(errno)));
  }
  start_process(width, height);
  const nlohmann::json target = call("Target.createTarget", {{"url", "about:blank"}});
  const nlohmann::json attached =
      call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
  session_ = attached.at("sessionId");
  call("Page.enable", nlohmann::json::object());
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

Browser::~Browser() {
  if (to_browser_ >= 0) close(to_browser_);
  if (from_browser_ >= 0) close(from_browser_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  // Its child processes may still be writing after it has ended.
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::error_code error;
    fs::remove_all(profile_, error);
    if (!fs::exists(profile_, error)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void Browser::start_process(int width, int height) {
  const std::vector<std::string> arguments = {find_browser(),
                                              "--headless=new",
                                              "--no-sandbox",
                                              "--use-angle=swiftshader",
                                              "--enable-unsafe-swiftshader",
                                              "--disable-background-networking",
                                              "--disable-component-update",
                                              "--disable-sync",
                                              "--no-first-run",
                                              "--mute-audio",
                                              "--remote-debugging-pipe",
                                              fmt::format("--window-size={},{}", width, height),
                                              "--user-data-dir=" + profile_};
  const std::array<int, 2> down = make_pipe();
  const std::array<int, 2> up = make_pipe();
  pid_ = fork();
  if (pid_ == 0) become_browser(arguments, down[0], up[1]);
  close(down[0]);
  close(up[1]);
  to_browser_ = down[1];
  from_browser_ = up[0];
  if (pid_ < 0) throw RecordError(fmt::format("the browser: {}", std::strerror(errno)));
}

void Browser::send(const nlohmann::json& message) {
  const std::string text = message.dump() + '\0';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = write(to_browser_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw RecordError("the browser has exited");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

nlohmann::json Browser::receive() {
  std::size_t end = buffer_.find('\0');
  while (end == std::string::npos) {
    pollfd stream = {.fd = from_browser_, .events = POLLIN, .revents = 0};
    const int ready = poll(&stream, 1, kPatience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) throw RecordError("the browser does not answer");
    std::array<char, 1 << 16> piece = {};
    const ssize_t count = read(from_browser_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw RecordError("the browser has exited");
    const std::size_t before = buffer_.size();
    buffer_.append(piece.data(), static_cast<std::size_t>(count));
    end = buffer_.find('\0', before);
  }
  nlohmann::json message =
      nlohmann::json::parse(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(end));
  buffer_.erase(0, end + 1);
  return message;
}

nlohmann::json Browser::call(const std::string& method, nlohmann::json parameters) {
  nlohmann::json message = {
      {"id", ++last_id_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  send(message);
  while (true) {
    nlohmann::json answer = receive();
    if (answer.value("id", 0) != last_id_) continue;  // an event
    if (answer.contains("error")) {
      throw RecordError(fmt::format("the browser refuses {}: {}", method, answer["error"].dump()));
    }
    return answer.at("result");
  }
}

void Browser::open(const std::string& file, const std::string& condition) {
  call("Page.navigate", {{"url", make_file_address(file)}});
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience);
  while (evaluate(condition) != true) {
    if (std::chrono::steady_clock::now() > give_up) {
      throw RecordError("the browser does not show the page");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

nlohmann::json Browser::evaluate(const std::string& expression) {
  const nlohmann::json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  if (answer.contains("exceptionDetails")) {
    throw RecordError("the page fails: " + answer["exceptionDetails"].dump());
  }
  return answer.at("result").value("value", nlohmann::json());
}

std::string Browser::take_picture() {
  const nlohmann::json answer = call("Page.captureScreenshot", {{"format", "png"}});
  return decode_base64(answer.at("data").get_ref<const std::string&>());
}

}  // namespace tenpin::app
