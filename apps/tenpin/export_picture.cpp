#include "export_picture.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "browser.h"
#include "check_target.h"
#include "lab/viewer_page.h"
#include "progress_line.h"
#include "record/record_error.h"
#include "record/whole_file.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;
using record::RecordError;

// Hides everything but the stage, which gets the size of the picture.
constexpr const char* kStageOnly = R"js(
  (() => {
    const style = document.createElement("style");
    style.textContent = "header, aside, .transport, .switches, #contact-legend, #gizmo, .scales { display: none !important; }"
      + " main { display: block !important; } .stage { position: fixed !important; inset: 0; height: auto !important; min-height: 0 !important; }";
    document.head.append(style);
    return true;
  })())js";

// Waits for two frames of the browser, because the first may still show the previous contents.
constexpr const char* kSettle =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

// A page in the folder for temporary files, removed with this object.
class TemporaryPage {
 public:
  explicit TemporaryPage(const record::RunReader& run)
      : path_((fs::temp_directory_path() / fmt::format("tenpin-page-{}.html", getpid())).string()) {
    record::write_whole_file(path_, lab::make_viewer_page(run));
  }
  ~TemporaryPage() { std::remove(path_.c_str()); }
  TemporaryPage(const TemporaryPage&) = delete;
  TemporaryPage& operator=(const TemporaryPage&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string take_picture_at(double t, Browser* browser) {
  browser->evaluate(fmt::format("window.tenpin.setTime({}); window.tenpin.renderWell()", t));
  browser->evaluate(kSettle);
  return browser->take_picture();
}

// A film made by ffmpeg from pictures. The file gets its final name only if all goes well.
class Film {
 public:
  Film(const std::string& path, const char* extension, const std::vector<std::string>& arguments)
      : path_(path), draft_(fmt::format("{}.{}.part.{}", path, getpid(), extension)) {
    std::string command = "exec " + quote(find_program("ffmpeg")) + " -v error -y -nostdin";
    for (const std::string& argument : arguments) command += " " + quote(argument);
    command += " " + quote(draft_);
    pipe_ = popen(command.c_str(), "w");
    if (pipe_ == nullptr) throw RecordError(fmt::format("ffmpeg: {}", std::strerror(errno)));
  }
  ~Film() {
    if (pipe_ != nullptr) pclose(pipe_);
    std::remove(draft_.c_str());
  }
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  void add(const std::string& picture) {
    if (std::fwrite(picture.data(), 1, picture.size(), pipe_) != picture.size()) {
      throw RecordError(path_ + ": ffmpeg accepts no more pictures");
    }
  }

  void finish() {
    const int status = pclose(pipe_);
    pipe_ = nullptr;
    if (status != 0) throw RecordError(path_ + ": ffmpeg failed");
    fs::rename(draft_, path_);
  }

 private:
  static std::string quote(const std::string& word) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }

  std::string path_;
  std::string draft_;
  std::FILE* pipe_ = nullptr;
};

std::vector<double> list_film_times(const ExportOptions& o, const record::RunReader& run) {
  const std::vector<double> frames = run.read_frame_times();
  std::vector<double> times;
  const double span = frames.back() - frames.front();
  const auto count = static_cast<std::int64_t>(std::floor(span / o.speed * o.rate + 1e-9));
  for (std::int64_t k = 0; k <= count; ++k) {
    times.push_back(frames.front() + static_cast<double>(k) * o.speed / o.rate);
  }
  return times;
}

void make_film(const ExportOptions& o, const record::RunReader& run, Browser* browser, Film* film) {
  const ProgressLine line;
  const std::vector<double> times = list_film_times(o, run);
  for (std::size_t k = 0; k < times.size(); ++k) {
    line.show(fmt::format("picture {} of {}", k + 1, times.size()));
    film->add(take_picture_at(times[k], browser));
  }
  film->finish();
}

}  // namespace

void check_picture_targets(const ExportOptions& o) {
  if (o.png.empty() && o.mp4.empty() && o.gif.empty()) return;
  if (!o.png.empty()) check_target(o.png, "PNG picture", {"\x89PNG"});
  if (!o.gif.empty()) check_target(o.gif, "GIF picture", {"GIF8"});
  // A film begins with the length of its header and "ftyp".
  if (!o.mp4.empty()) check_target(o.mp4, "MP4 film", {std::string_view("\0\0\0", 3)});
  static_cast<void>(find_browser());
  if ((!o.mp4.empty() || !o.gif.empty()) && find_program("ffmpeg").empty()) {
    throw RecordError("films need ffmpeg, and it is not on the PATH: install the package ffmpeg");
  }
}

void export_pictures(const ExportOptions& o, const record::RunReader& run) {
  if (o.png.empty() && o.mp4.empty() && o.gif.empty()) return;
  TENPIN_REQUIRE(run.num_frames() > 0, run.path() + ": has no frame to show");
  const std::vector<double> frames = run.read_frame_times();
  TENPIN_REQUIRE(o.time < 0.0 || (o.time >= frames.front() && o.time <= frames.back()),
                 fmt::format("--time: outside the run, got {}, want {} to {} s", o.time,
                             frames.front(), frames.back()));
  const TemporaryPage page(run);
  Browser browser(o.width, o.height);
  browser.open(page.path(), "window.tenpin !== undefined");
  browser.evaluate(kStageOnly);
  if (o.no_contacts) browser.evaluate("document.getElementById('switch-contacts').click()");
  browser.evaluate(kSettle);
  browser.evaluate("document.getElementById('frame-all').click()");
  const std::string rate = std::to_string(o.rate);
  if (!o.png.empty()) {
    record::write_whole_file(o.png,
                             take_picture_at(o.time < 0.0 ? frames.back() : o.time, &browser));
  }
  if (!o.mp4.empty()) {
    // Players require even sizes and this pixel format.
    Film film(o.mp4, "mp4",
              {"-f", "image2pipe", "-framerate", rate, "-i", "-", "-vf",
               "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p",
               "-movflags", "+faststart"});
    make_film(o, run, &browser, &film);
  }
  if (!o.gif.empty()) {
    Film film(o.gif, "gif",
              {"-f", "image2pipe", "-framerate", rate, "-i", "-", "-vf",
               "split[a][b];[a]palettegen[p];[b][p]paletteuse"});
    make_film(o, run, &browser, &film);
  }
}

}  // namespace tenpin::app
