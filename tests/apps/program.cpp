#include "apps/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

namespace tenpin::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string read_all(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

fs::path make_folder() {
  std::string name = testing::TempDir() + "tenpin_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return name;
}

}  // namespace

Place::Place() : folder_(make_folder()), streams_(make_folder()) {}

Place::~Place() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove_all(streams_, ignored);
}

std::string Place::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return name;
}

std::string Place::read(const std::string& name) const {
  return read_all(folder_ / name);
}

std::vector<std::string> Place::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

pid_t Place::spawn(std::vector<std::string> command) const {
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr int kFresh = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (streams_ / "out").c_str(), kFresh,
                                   0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (streams_ / "err").c_str(), kFresh,
                                   0600);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + command[0]);
  return pid;
}

Outcome Place::finish(pid_t pid, double limit) const {
  Outcome outcome;
  const auto begin = Clock::now();
  int status = 0;
  struct rusage usage = {};
  while (wait4(pid, &status, WNOHANG, &usage) == 0) {
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (outcome.seconds > limit * kPatience && !outcome.timed_out) {
      outcome.timed_out = true;
      kill(pid, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto to_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  outcome.cpu_seconds = to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = read_all(streams_ / "out");
  outcome.err = read_all(streams_ / "err");
  return outcome;
}

double Place::read_cpu_seconds(pid_t pid) {
  clockid_t clock = 0;
  timespec time = {};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0.0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

pid_t Place::start(const std::vector<std::string>& args) const {
  std::vector<std::string> command = {TENPIN_PROGRAM};
  command.insert(command.end(), args.begin(), args.end());
  return spawn(std::move(command));
}

void Place::wait_for(const std::string& name) const {
  constexpr int kMaxLooks = 3000;
  for (int look = 0; look < kMaxLooks && !std::filesystem::exists(path(name)); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Outcome Place::run(const std::vector<std::string>& args, double limit) const {
  return finish(start(args), limit);
}

Outcome Place::shell(const std::string& command, double limit) const {
  const std::string line = std::string("TENPIN='") + TENPIN_PROGRAM + "'; " + command;
  return finish(spawn({"/bin/bash", "-c", line}), limit);
}

}  // namespace tenpin::app
