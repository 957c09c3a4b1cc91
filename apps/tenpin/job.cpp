#include "job.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/check.h"
#include "record/record_error.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtenpin_mpi.so";

std::optional<int> parse_whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> read_variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : parse_whole(text);
}

// The number of processes, as Open MPI, or MPICH or Slurm's PMI, reports it.
int count_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const auto size = read_variable(name)) return *size;
  }
  return 1;
}

// Loads the library: beside the program in a build folder, in lib/tenpin if the program is
// installed.
void* load_library() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& path : {folder / kLibrary, folder / "../lib/tenpin" / kLibrary,
                               folder / "../lib/x86_64-linux-gnu/tenpin" / kLibrary}) {
    if (!fs::exists(path)) continue;
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
    throw record::RecordError(fmt::format("{}: {}", path.string(), dlerror()));
  }
  throw record::RecordError(fmt::format(
      "started as one of {} processes of MPI, but built without it: install libopenmpi-dev and "
      "build again, or share the study by --shard i/n",
      count_processes()));
}

[[noreturn]] void refuse_shard(const std::string& text) {
  throw InputError("--shard: no part of a study, got " + text +
                   ", want i/n with 1 <= i <= n, or auto in a task of a Slurm array");
}

lab::Shard read_slurm_array() {
  const auto id = read_variable("SLURM_ARRAY_TASK_ID");
  const auto count = read_variable("SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) {
    throw InputError(
        "--shard: auto, but this is no task of a Slurm array (SLURM_ARRAY_TASK_ID and _COUNT are "
        "not set), want i/n");
  }
  const int first = read_variable("SLURM_ARRAY_TASK_MIN").value_or(1);
  const int step = std::max(1, read_variable("SLURM_ARRAY_TASK_STEP").value_or(1));
  return {.index = (*id - first) / step + 1, .count = *count};
}

}  // namespace

std::unique_ptr<lab::Messenger> join_job() {
  if (count_processes() <= 1) return nullptr;
  void* symbol = dlsym(load_library(), lab::kMakeMessenger);
  TENPIN_DEMAND(symbol != nullptr);
  return std::unique_ptr<lab::Messenger>(reinterpret_cast<lab::MakeMessenger>(symbol)());
}

int count_own_cores() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  int neighbours = 1;
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    if (const auto count = read_variable(name)) neighbours = std::max(neighbours, *count);
  }
  return std::max(1, cores / neighbours);
}

lab::Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  lab::Shard shard;
  if (text == "auto") {
    shard = read_slurm_array();
  } else {
    const std::size_t slash = text.find('/');
    const auto index = parse_whole(std::string_view(text).substr(0, slash));
    const auto count = slash == std::string::npos
                           ? std::nullopt
                           : parse_whole(std::string_view(text).substr(slash + 1));
    if (!index || !count) refuse_shard(text);
    shard = {.index = *index, .count = *count};
  }
  if (shard.index < 1 || shard.count < shard.index) refuse_shard(text);
  return shard;
}

}  // namespace tenpin::app
