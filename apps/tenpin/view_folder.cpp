#include "view_folder.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "exit_codes.h"
#include "lab/index_page.h"
#include "lab/report.h"
#include "lab/serve.h"
#include "lab/viewer_page.h"
#include "page_target.h"
#include "print.h"
#include "record/record_error.h"
#include "record/run_reader.h"
#include "record/whole_file.h"
#include "signals.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// number of first bytes of a page from which its kind is read
constexpr std::size_t kBeginning = std::size_t{1} << 20;

std::string read_beginning(const fs::path& path, std::size_t most) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(most, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::string find_title(std::string_view page) {
  constexpr std::string_view kOpen = "<title>";
  const std::size_t begin = page.find(kOpen);
  const std::size_t end = page.find("</title>");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return "";
  return std::string(page.substr(begin + kOpen.size(), end - begin - kOpen.size()));
}

// The results in a folder, and the pages made from its runs.
class Folder {
 public:
  explicit Folder(const fs::path& folder) : folder_(folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const fs::path name = entry.path().filename();
      if (name.extension() == ".h5") runs_.insert(name.stem().string());
      if (name.extension() == ".html") pages_.insert(name.string());
    }
  }

  // `own` is the file name of the page itself, which is not listed.
  lab::ResultsIndex make_index(const std::string& own) const {
    lab::ResultsIndex index;
    index.title = fs::absolute(folder_ / ".").parent_path().filename().string();
    std::set<std::string> listed = {own};
    for (const std::string& name : runs_) {
      index.runs.push_back(index_run(name));
      for (const lab::IndexLink& link : index.runs.back().links) listed.insert(link.address);
    }
    for (const std::string& name : pages_) {
      if (listed.contains(name)) continue;
      const std::string beginning = read_beginning(folder_ / name, kBeginning);
      const std::string kind = lab::find_page_kind(beginning);
      if (kind.empty() || kind == "index") continue;
      const bool is_viewer = kind == "run" || kind == "comparison";
      index.pages.push_back(
          {.link = {name, name}, .kind = kind, .about = is_viewer ? "" : find_title(beginning)});
    }
    return index;
  }

  // Returns a page of the folder by its name; a run's page is made, other pages are read.
  std::optional<std::string> find_page(const std::string& name) const {
    constexpr std::string_view kReport = "-report.html";
    constexpr std::string_view kPage = ".html";
    const auto run_of = [&](std::string_view ending) {
      if (!name.ends_with(ending)) return runs_.end();
      return runs_.find(name.substr(0, name.size() - ending.size()));
    };
    if (const auto run = run_of(kReport); run != runs_.end()) {
      const record::RunReader reader(path_of(*run));
      return lab::make_report_page(reader, lab::make_report(reader));
    }
    if (const auto run = run_of(kPage); run != runs_.end()) {
      return lab::make_viewer_page(record::RunReader(path_of(*run)));
    }
    if (!pages_.contains(name)) return std::nullopt;
    return read_beginning(folder_ / name, fs::file_size(folder_ / name));
  }

  // Writes the pages of runs that have no page, or one that is older than the run.
  void write_pages(const lab::ResultsIndex& index) const {
    for (const lab::IndexedRun& run : index.runs) {
      for (const lab::IndexLink& link : run.links) {
        const fs::path page = folder_ / link.address;
        const bool is_there =
            fs::exists(page) && fs::last_write_time(page) >= fs::last_write_time(path_of(run.name));
        if (is_there) continue;
        check_page_target(page.string());
        record::write_whole_file(page.string(), *find_page(link.address));
      }
    }
  }

 private:
  std::string path_of(const std::string& run) const { return (folder_ / (run + ".h5")).string(); }

  lab::IndexedRun index_run(const std::string& name) const {
    const auto describe = [&name](const std::exception& error) {
      lab::IndexedRun run;
      run.name = name;
      run.problem = error.what();
      return run;
    };
    try {
      lab::IndexedRun run = lab::index_run(record::RunReader(path_of(name)), name);
      run.links = {{"view", name + ".html"}, {"report", name + "-report.html"}};
      return run;
    } catch (const InputError& error) {  // not a run file, or a damaged one
      return describe(error);
    } catch (const record::RecordError& error) {
      return describe(error);
    }
  }

  fs::path folder_;
  std::set<std::string> runs_;   // names without the extension .h5
  std::set<std::string> pages_;  // file names
};

int write_index(const ViewOptions& options) {
  const fs::path folder = options.run_file;
  const fs::path page = options.html;
  TENPIN_REQUIRE(fs::absolute(page).parent_path().lexically_normal() ==
                     fs::absolute(folder / ".").lexically_normal().parent_path(),
                 fmt::format("--html: the page of a folder links to the pages in it, got {}, want "
                             "{}",
                             options.html, (folder / "index.html").string()));
  check_page_target(options.html);
  const Folder results(folder);
  const lab::ResultsIndex index = results.make_index(page.filename().string());
  results.write_pages(index);
  record::write_whole_file(options.html, lab::make_index_page(index));
  print(stdout, "{}\n", options.html);
  return kDone;
}

int serve_index(const ViewOptions& options) {
  const fs::path folder = options.run_file;
  lab::LoopbackSocket socket(options.serve.port);
  const std::string secret = lab::make_secret();
  const std::string address = lab::make_page_address(socket.port(), secret);
  catch_signals();
  print(stdout, "{}\n", address);
  std::fflush(stdout);
  print(stderr, "Ctrl-C ends it.\n");
  if (options.serve.open) open_browser(address);
  lab::serve_loopback(
      std::move(socket), secret,
      [&folder](std::string_view name,
                std::string_view /*query*/) -> std::optional<lab::HttpReply> {
        const Folder results(folder);  // read for every request, so that new runs appear
        if (name.empty()) {
          return lab::HttpReply{.type = "text/html; charset=utf-8",
                                .body = lab::make_index_page(results.make_index(""))};
        }
        std::optional<std::string> page = results.find_page(std::string(name));
        if (!page) return std::nullopt;
        return lab::HttpReply{.type = "text/html; charset=utf-8", .body = std::move(*page)};
      },
      [] {
        return caught_signal() == 0;
      });
  return kDone;
}

}  // namespace

int run_view_folder(const ViewOptions& options) {
  return options.html.empty() ? serve_index(options) : write_index(options);
}

}  // namespace tenpin::app
