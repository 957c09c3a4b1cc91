#include "record/child_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>
#include <string_view>
#include <utility>

#include "record/record_error.h"

namespace tenpin::record {
namespace {

// The first byte that the child sends.
enum class Answer : char { kValue, kInputError, kLimitError, kRecordError, kNoMemory };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

void lower_limit(int resource, std::uint64_t most) {
  struct rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur <= most) return;
  limit.rlim_cur = most;
  setrlimit(resource, &limit);
}

std::uint64_t read_address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t read_cpu_seconds() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

void apply(const ChildLimits& limits) {
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_CPU, read_cpu_seconds() + limits.cpu_seconds);
  if (!kIsSanitized) lower_limit(RLIMIT_AS, read_address_space() + limits.memory_bytes);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGXCPU})
    std::signal(signal, SIG_DFL);
}

std::pair<Answer, std::string> answer(const std::function<std::string()>& work) {
  try {
    return {Answer::kValue, work()};
  } catch (const InputError& error) {
    return {Answer::kInputError, error.what()};
  } catch (const LimitError& error) {
    return {Answer::kLimitError, error.what()};
  } catch (const RecordError& error) {
    return {Answer::kRecordError, error.what()};
  } catch (const std::bad_alloc&) {
    return {Answer::kNoMemory, ""};
  }
}

bool send(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

[[noreturn]] void be_child(int fd, const std::function<std::string()>& work,
                           const ChildLimits& limits) {
  apply(limits);
  const auto [kind, text] = answer(work);
  const bool is_sent = send(fd, {reinterpret_cast<const char*>(&kind), 1}) && send(fd, text);
  _exit(is_sent ? 0 : 1);
}

std::string receive(int fd) {
  std::string bytes;
  std::array<char, 1 << 16> part = {};
  while (true) {
    const ssize_t count = read(fd, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(part.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

[[noreturn]] void throw_for(const std::string& file, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    throw LimitError(fmt::format("{}: took too long to read, got no end, want a sound file", file));
  throw InputError(fmt::format(
      "{}: /: damaged, got a file that the HDF5 library fails on ({}), want a sound file", file,
      signal != 0 ? fmt::format("signal {}", signal) : "no answer"));
}

}  // namespace

std::string read_in_child(const std::string& file, const std::function<std::string()>& work,
                          const ChildLimits& limits) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw RecordError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  std::fflush(nullptr);  // otherwise the child could print what is in the buffer
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw RecordError(fmt::format("{}: no process to read it: {}", file, std::strerror(error)));
  }
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], work, limits);
  }
  close(ends[1]);
  std::string bytes = receive(ends[0]);
  close(ends[0]);
  const int status = wait_for(child);
  if (bytes.empty() || status != 0) throw_for(file, status);
  const auto kind = static_cast<Answer>(bytes.front());
  bytes.erase(0, 1);
  switch (kind) {
    case Answer::kValue:
      return bytes;
    case Answer::kLimitError:
      throw LimitError(bytes);
    case Answer::kRecordError:
      throw RecordError(bytes);
    case Answer::kNoMemory:
      throw LimitError(file + ": needs too much memory to read, want a smaller file");
    case Answer::kInputError:
      break;
  }
  throw InputError(bytes);
}

}  // namespace tenpin::record
