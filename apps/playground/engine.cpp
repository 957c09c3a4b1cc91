// The engine, as a page calls it: arguments are UTF-8 text, answers are bytes that remain valid
// until the next call. No exception crosses this boundary: problems of a scene or a run are an
// answer {"problems": [{line, column, path, text}]}.
#include <emscripten/emscripten.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/simulation.h"
#include "lab/version.h"
#include "lab/viewer_page.h"
#include "lab/viewer_stream.h"
#include "methods/method.h"
#include "record/memory_run.h"
#include "record/run_reader.h"
#include "scene/build.h"
#include "scene/problem.h"
#include "scene/read.h"
#include "scene/schema.h"

namespace tenpin::playground {
namespace {

using Json = nlohmann::json;

// Chosen: a 32-bit address space contains the run, the model and the answers, and other pages need
// memory, too.
constexpr std::int64_t kMaxRunBytes = std::int64_t{1} << 30;

// Chosen: reading and drawing that many bodies takes about a second.
scene::ReadLimits make_limits() {
  return {
      .max_bytes = 1 << 20, .max_bodies = 20'000, .max_parts = 100'000, .max_steps = 100'000'000};
}

// The run of the page and the last answer. A worker has one of each, and C functions have no other
// place to store them.
struct Session {
  scene::Scene scene;
  std::shared_ptr<record::MemoryRun> recorded;
  std::unique_ptr<lab::SlicedSimulation> run;
  std::optional<lab::ViewerStream> stream;

  std::string reply;
  int reply_status = 200;  // of HTTP, for answers to the viewer
};

Session& session() {
  static Session the_session;
  return the_session;
}

void say(const Json& json) {
  session().reply = json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const scene::Problem& problem) {
  return {{"line", problem.line},
          {"column", problem.column},
          {"path", problem.path},
          {"text", problem.text}};
}

void say_problem(const std::string& text) {
  say({{"problems", {to_json(scene::Problem{.text = text})}}});
}

// Converts a message of a reading limit, "file:line:column: path: text (advice)". The advice names
// options of the program, which a page does not have.
scene::Problem read_limit(const std::string& message) {
  scene::Problem problem{.text = message};
  if (!message.starts_with("scene.yaml:")) return problem;  // a limit of the run
  int begin = 0;
  const int numbers =
      std::sscanf(message.c_str(), "scene.yaml:%d:%d: %n", &problem.line, &problem.column, &begin);
  if (numbers != 2) return problem;
  problem.text.erase(0, static_cast<std::size_t>(begin));
  const std::size_t path = problem.text.find(": ");
  if (path != std::string::npos) {
    problem.path = problem.text.substr(0, path);
    problem.text.erase(0, path + 2);
  }
  const std::size_t advice = problem.text.rfind(" (");
  if (advice != std::string::npos) problem.text.resize(advice);
  problem.text += " in a page; the program on your machine runs larger scenes";
  return problem;
}

// Calls work(), and answers with the problems if it throws.
template <typename Work>
void guard(const Work& work) {
  try {
    work();
  } catch (const scene::SceneError& error) {
    Json problems = Json::array();
    for (const scene::Problem& problem : error.problems()) problems.push_back(to_json(problem));
    say({{"problems", problems}});
  } catch (const LimitError& error) {
    say({{"problems", {to_json(read_limit(error.what()))}}});
  } catch (const std::bad_alloc&) {
    session().run.reset();
    session().stream.reset();
    session().recorded.reset();
    say_problem("the scene needs more memory than a page has; use the program on your machine");
  } catch (const std::exception& error) {
    say_problem(error.what());
  }
}

scene::Scene read(const char* text) {
  return scene::parse_scene(text, "scene.yaml", {}, make_limits());
}

Json to_json(const lab::Summary& s) {
  return {{"status", std::string(methods::to_string(s.status))},
          {"reachedEnd", s.status == methods::AdvanceStatus::kReachedEnd},
          {"message", s.message},
          {"t", s.t},
          {"steps", s.steps},
          {"frames", s.frames},
          {"passed", s.worst.passed},
          {"hash", fmt::format("{:016x}", s.state_hash)},
          {"wall", s.wall}};
}

void begin(const char* text, bool with_record) {
  Session& s = session();
  s.stream.reset();
  s.run.reset();
  s.recorded.reset();
  s.scene = read(text);
  lab::SimulationOptions options;
  if (with_record) {
    s.recorded = std::make_shared<record::MemoryRun>();
    s.recorded->max_bytes = kMaxRunBytes;
    options.run_memory = s.recorded;
  }
  s.run = std::make_unique<lab::SlicedSimulation>(s.scene, options);
  if (with_record) s.stream.emplace(s.recorded);
}

}  // namespace
}  // namespace tenpin::playground

using namespace tenpin::playground;  // of this file's functions below

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* tenpin_reply() {
  return session().reply.data();
}
EMSCRIPTEN_KEEPALIVE int tenpin_reply_size() {
  return static_cast<int>(session().reply.size());
}
EMSCRIPTEN_KEEPALIVE int tenpin_reply_status() {
  return session().reply_status;
}

EMSCRIPTEN_KEEPALIVE void tenpin_version() {
  session().reply = tenpin::lab::kVersion;
}

// Answers with the JSON Schema of scenes, for completion.
EMSCRIPTEN_KEEPALIVE void tenpin_schema() {
  session().reply = tenpin::scene::make_json_schema();
}

// Answers {"problems": []} for a scene that can run.
EMSCRIPTEN_KEEPALIVE void tenpin_check(const char* text) {
  guard([&] {
    static_cast<void>(tenpin::scene::build(read(text)));
    say({{"problems", Json::array()}});
  });
}

// Starts a run that tenpin_advance() continues. Answers {"until", "name"} or problems.
EMSCRIPTEN_KEEPALIVE void tenpin_begin(const char* text) {
  guard([&] {
    begin(text, true);
    say({{"until", session().scene.until}, {"name", session().scene.name}});
  });
}

// Continues the run for about that many seconds. Answers {"more": true, "t"}, the summary at the
// end, or problems.
EMSCRIPTEN_KEEPALIVE void tenpin_advance(double seconds) {
  guard([&] {
    Session& s = session();
    TENPIN_REQUIRE(s.run != nullptr, "no run was begun");
    if (s.run->advance(seconds)) {
      say({{"more", true}, {"t", s.run->state().t}});
      return;
    }
    Json json = to_json(s.run->summary());
    json["more"] = false;
    say(json);
  });
}

// Ends the run; what was computed can still be viewed.
EMSCRIPTEN_KEEPALIVE void tenpin_stop() {
  guard([&] {
    session().run.reset();
    say(Json::object());
  });
}

// Runs a whole scene at once, without recording it. Answers the summary, or problems.
EMSCRIPTEN_KEEPALIVE void tenpin_run(const char* text) {
  guard([&] {
    begin(text, false);
    while (session().run->advance(std::numeric_limits<double>::infinity())) {
    }
    say(to_json(session().run->summary()));
  });
}

// Answers the viewer in the same way as the program's server (docs/viewer.md, "The server").
EMSCRIPTEN_KEEPALIVE void tenpin_answer(const char* name, const char* query) {
  Session& s = session();
  s.reply.clear();
  s.reply_status = 404;
  if (!s.stream) return;
  try {
    auto answer = s.stream->answer(name, query);
    if (!answer) return;
    s.reply_status = static_cast<int>(answer->status);
    s.reply = std::move(answer->body);
  } catch (const std::exception& error) {
    s.reply_status = 400;
    s.reply = error.what();
  }
}

// Answers the header and the arrays of the run's page, with a line feed between them, for the page
// to insert into the viewer. Empty before the first frame.
EMSCRIPTEN_KEEPALIVE void tenpin_page() {
  guard([&] {
    Session& s = session();
    s.reply.clear();
    if (s.recorded == nullptr) return;
    const auto [header, arrays] =
        tenpin::lab::make_viewer_contents(tenpin::record::RunReader(s.recorded));
    s.reply = header + "\n" + arrays;
  });
}

}  // extern "C"
