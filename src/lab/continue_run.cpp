#include "lab/continue_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "lab/version.h"
#include "record/run_header.h"
#include "scene/build.h"

namespace tenpin::lab {

namespace {

using record::HeaderBody;
using record::HeaderPart;
using record::RunHeader;

// -   a time given by a user matches that of a frame up to this rounding
constexpr double kRounding = 1e-9;

void check_changes(std::span<const scene::Override> changes) {
  for (const scene::Override& change : changes) {
    TENPIN_REQUIRE(
        change.path == "until" || change.path.starts_with("record."),
        fmt::format("--set: a continued run keeps its scene and its method, got {}, want "
                    "until or record",
                    change.path));
  }
}

std::int64_t find_frame(const record::RunReader& run, std::optional<double> at) {
  const std::vector<double> times = run.read_frame_times();
  TENPIN_REQUIRE(!times.empty(), fmt::format("{}: no frame to continue from", run.path()));
  if (!at) return static_cast<std::int64_t>(times.size()) - 1;
  const double latest = *at + kRounding * run.header().every;
  const auto after = std::upper_bound(times.begin(), times.end(), latest);
  TENPIN_REQUIRE(after != times.begin(),
                 fmt::format("--at: no frame so early, got {} s, want a time from {} s on", *at,
                             times.front()));
  return after - times.begin() - 1;
}

bool is_same(const HeaderBody& a, const HeaderBody& b) {
  return a.name == b.name && a.joint == b.joint && a.parent == b.parent && a.mass == b.mass &&
         a.inertia == b.inertia && a.p_OB == b.p_OB;
}

bool is_same(const HeaderPart& a, const HeaderPart& b) {
  return a.body == b.body && a.kind == b.kind && a.parameters == b.parameters &&
         a.rounding == b.rounding && a.p_OS == b.p_OS && a.R_OS == b.R_OS &&
         a.vertices == b.vertices && a.face_begin == b.face_begin &&
         a.face_vertices == b.face_vertices;
}

template <class Item>
bool are_same(const std::vector<Item>& a, const std::vector<Item>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Item& x, const Item& y) {
    return is_same(x, y);
  });
}

// Throws if the scene differs. Mesh files are read again, and defaults are chosen again: both must
// have the same result as before.
void check_same_scene(const std::string& path, const RunHeader& then, const RunHeader& now) {
  const bool is_same_model = then.nq == now.nq && then.nv == now.nv &&
                             are_same(then.bodies, now.bodies) && are_same(then.parts, now.parts);
  TENPIN_REQUIRE(is_same_model,
                 fmt::format("{}: cannot be continued, since bodies are not the same any more, got "
                             "other shapes or masses from {}, want those of the run",
                             path, then.scene_file));
  TENPIN_REQUIRE(
      then.method_options == now.method_options,
      fmt::format("{}: cannot be continued, since version {} chose other settings of the "
                  "method, got version {}",
                  path, then.tenpin_version, now.tenpin_version));
}

}  // namespace

Continuation read_continuation(const record::RunReader& run, std::optional<double> at,
                               std::span<const scene::Override> changes,
                               const scene::ReadLimits& limits) {
  check_changes(changes);
  const RunHeader& header = run.header();
  const std::int64_t frame = find_frame(run, at);
  Continuation result;
  result.scene = scene::parse_scene(header.scene_resolved, header.scene_file, changes, limits);
  result.scene.text = header.scene_text;
  const scene::Built built = scene::build(result.scene);
  check_same_scene(run.path(), header,
                   record::make_run_header(result.scene, built.model, kVersion));
  result.state = run.read_restart(frame);
  result.t_frame = run.read_frame(frame).t;
  TENPIN_REQUIRE(result.state.t < result.scene.until,
                 fmt::format("{}: the run has reached its end, got until = {} s, want --set "
                             "until=... beyond {} s, or --at an earlier time",
                             run.path(), result.scene.until, result.state.t));
  if (header.tenpin_version != kVersion) {
    result.note = fmt::format("version {} began this run, version {} continues it: bits may differ",
                              header.tenpin_version, kVersion);
  }
  return result;
}

}  // namespace tenpin::lab
