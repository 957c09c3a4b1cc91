#include "lab/study/live_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/html_page.h"
#include "lab/study/study_page.h"
#include "lab/study/trial_table.h"
#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

// Drawing takes at most a tenth of one core's time, for tables of any size.
constexpr int kRestFactor = 9;
constexpr std::size_t kShownRows = 12;

constexpr std::string_view kLiveStyle = R"(<style>
.bar{height:.7rem;border:1px solid var(--line);border-radius:4px;overflow:hidden}
.bar i{display:block;height:100%;width:0;background:var(--good)}
#line{margin:.5rem 0;font-variant-numeric:tabular-nums}
#ranks{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.3rem 1rem;padding:0;
margin:.8rem 0;list-style:none;font-size:.85rem;font-variant-numeric:tabular-nums}
#ranks .bar{height:.4rem}
</style>
)";

constexpr std::string_view kLiveScript = R"(<script>
"use strict";
const page = Math.floor(Math.random() * 2 ** 48);
const find = (id) => document.getElementById(id);
const ask = (name) => fetch(`${name}?page=${page}`, { keepalive: name === "bye" });
let shown = -1, results = null, stage = "running";
window.tenpin = { get stage() { return stage; } };

function say(text, isBad) {
  find("line").textContent = text;
  find("line").className = isBad ? "bad" : "";
}
function span(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function describe(news) {
  const rows = `${news.rows} of ${news.trials} trials`;
  if (news.stage === "done") return `${rows}, done in ${span(news.seconds)}`;
  if (news.stage === "interrupted") return `${rows}, interrupted; the same command goes on from here`;
  const left = news.seconds_left === null ? "" : `, ${span(news.seconds_left)} left`;
  return `${rows}, ${news.rate.toPrecision(3)} per second${left}`;
}
function element(tag, parent, text) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
function showRanks(processes) {
  const list = find("ranks");
  list.replaceChildren();
  processes.forEach((share, i) => {
    const item = element("li", list);
    const busy = Math.round(100 * share.busy);
    element("span", item, `rank ${i}: ${share.rows} rows, ${share.lost ? "lost" : `busy ${busy} %`}`)
      .className = share.lost ? "bad" : "";
    const bar = element("div", item);
    bar.className = "bar";
    element("i", bar).style.width = `${share.lost ? 0 : Math.min(100, busy)}%`;
  });
}
async function look() {
  try {
    const news = await (await ask("progress")).json();
    stage = news.stage;
    say(describe(news), false);
    find("bar").style.width = `${news.trials > 0 ? (100 * news.rows) / news.trials : 100}%`;
    showRanks(news.processes);
    if (stage !== "running" && shown === news.rows) {
      setTimeout(look, 5000);
      return;
    }
    const answer = await ask("results");
    const html = await answer.text();
    if (answer.ok && html !== results) find("results").innerHTML = results = html;
    shown = stage === "running" ? -1 : news.rows;
  } catch {
    if (stage === "running") say("The program has ended: the page shows its last news.", true);
    return;
  }
  setTimeout(look, 1000);
}
window.addEventListener("pagehide", () => void ask("bye").catch(() => {}));
void look();
</script>
)";

std::string_view to_word(LiveStudy::Stage stage) {
  switch (stage) {
    case LiveStudy::Stage::kRunning:
      return "running";
    case LiveStudy::Stage::kDone:
      return "done";
    case LiveStudy::Stage::kInterrupted:
      return "interrupted";
  }
  return "";
}

std::string print_cell(const Cell& cell) {
  return cell.number ? fmt::format("{:.6g}", *cell.number) : cell.text;
}

// Prints the rows with the highest numbers, which are usually the newest.
std::string print_last_rows(const Study& study, std::span<const TrialRow> rows) {
  HtmlTable table;
  table.columns.push_back({"trial", true});
  for (const Variable& variable : study.variables) table.columns.push_back({variable.name, true});
  for (const Measure& measure : study.measures) table.columns.push_back({measure.name, true});
  table.columns.push_back({"status", false});
  for (const TrialRow& row : rows.last(std::min(rows.size(), kShownRows))) {
    std::vector<std::string> cells = {fmt::format("{}", row.trial)};
    for (const Cell& cell : row.cells) cells.push_back(print_cell(cell));
    cells.push_back(row.status);
    table.rows.push_back(std::move(cells));
  }
  return "<h2>Last rows of the table</h2>\n" + print_html_table(table);
}

}  // namespace

void LiveStudy::show(const SweepProgress& progress, Stage stage) {
  const std::scoped_lock lock(mutex_);
  progress_ = progress;
  stage_ = stage;
}

std::optional<HttpReply> LiveStudy::answer(std::string_view name) {
  constexpr std::string_view kHtml = "text/html; charset=utf-8";
  if (name.empty()) return HttpReply{.type = kHtml, .body = make_page()};
  if (name == "progress") return HttpReply{.type = "application/json", .body = make_news()};
  if (name == "results") return HttpReply{.type = kHtml, .body = update_results()};
  if (name == "bye") return HttpReply{.type = "text/plain; charset=utf-8"};
  return std::nullopt;
}

std::string LiveStudy::make_page() const {
  std::string page = open_html_page(study_.name, "study");
  page += kLiveStyle;
  page += fmt::format(
      "<h1>{}</h1>\n<div class=\"bar\"><i id=\"bar\"></i></div>\n<p id=\"line\">Waiting for the "
      "first rows.</p>\n<ul id=\"ranks\"></ul>\n<div id=\"results\"></div>\n<h2>Study</h2>\n"
      "<pre>{}</pre>\n",
      escape_xml(study_.name), escape_xml(study_.text));
  page += kLiveScript;
  return page + close_html_page();
}

std::string LiveStudy::make_news() const {
  const std::scoped_lock lock(mutex_);
  const double left = progress_.time_left();
  nlohmann::ordered_json processes = nlohmann::ordered_json::array();
  for (const ProcessShare& share : progress_.processes) {
    processes.push_back({{"rows", share.rows}, {"busy", share.busy}, {"lost", share.is_lost}});
  }
  const nlohmann::ordered_json news = {
      {"stage", to_word(stage_)},
      {"rows", progress_.done},
      {"trials", progress_.total},
      {"seconds", progress_.wall},
      {"rate", progress_.rate()},
      {"seconds_left", std::isfinite(left) ? nlohmann::ordered_json(left) : nullptr},
      {"processes", processes}};
  return news.dump();
}

const std::string& LiveStudy::update_results() {
  std::int64_t num_rows = 0;
  {
    const std::scoped_lock lock(mutex_);
    num_rows = progress_.done;
    // The final results are shown immediately.
    if (stage_ == Stage::kRunning && Clock::now() < next_update_) return results_;
  }
  if (num_rows == num_rows_) return results_;
  const auto begin = Clock::now();
  std::vector<TrialRow> rows = read_all_rows(table_);
  std::erase_if(rows, [this](const TrialRow& row) {
    return row.trial >= study_.num_trials();
  });
  results_ = make_study_results(study_, rows) + print_last_rows(study_, rows);
  num_rows_ = num_rows;
  next_update_ = Clock::now() + kRestFactor * (Clock::now() - begin);
  return results_;
}

}  // namespace tenpin::lab
