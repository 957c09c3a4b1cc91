#include "lab/study/shared_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/stopwatch.h"
#include "lab/study/leases.h"
#include "lab/study/study_messages.h"
#include "lab/study/trial_pool.h"

namespace tenpin::lab {

namespace {

using MessageKind = StudyMessage::Kind;

// Times between checks for messages. A process that computes requests its next block long before it
// is idle, so it need not check often: with many processes on a core, checking costs more than it
// gains.
constexpr double kPollTime = 0.001;      // s   while idle
constexpr double kBusyPollTime = 0.003;  // s   while trials are running
constexpr double kReportTime = 0.05;     // s   between reports of progress

double choose_poll_time(const TrialPool& pool) {
  return pool.num_open() > 0 ? kBusyPollTime : kPollTime;
}

// What process 0 knows about one process, including itself.
struct Process {
  ProcessShare share;
  double joined = 0.0;      // s   time of its first message; < 0: none yet
  double last_heard = 0.0;  // s
  int threads = 1;
  bool has_left = false;
};

class Owner {
 public:
  Owner(const Study& study, const SweepOptions& options, const SharedOptions& shared,
        Messenger* messenger, TrialTable* table)
      : study_(study),
        options_(options),
        shared_(shared),
        messenger_(*messenger),
        table_(*table),
        leases_({}),
        pool_(study, options.threads),
        processes_(static_cast<std::size_t>(messenger->size())) {
    processes_[0].threads = options.threads;
    for (std::size_t i = 1; i < processes_.size(); ++i) processes_[i].joined = -1.0;
  }

  SweepProgress run() {
    while (report(/*now=*/true) && begin_round()) {
      while (!leases_.is_done()) {
        feed_own_pool();
        take_rows(0, pool_.collect(choose_poll_time(pool_)));
        read_messages();
        expire_leases();
        commit(/*all=*/false);
        if (!report(/*now=*/false)) break;
      }
      commit(/*all=*/true);
    }
    pool_.stop();
    commit(/*all=*/true);
    report(/*now=*/true);
    say_goodbye();
    note_shares();
    tell_all({.kind = MessageKind::kEnd, .has_losses = progress_.has_losses()});
    return progress_;
  }

 private:
  // Returns false if no trial is missing.
  bool begin_round() {
    SweepPlan plan = plan_sweep(study_, options_.shard, table_);
    progress_.total = plan.num_wanted;
    progress_.done = plan.num_wanted - std::ssize(plan.missing);
    const bool has_any = !plan.missing.empty();
    leases_ = Leases(std::move(plan.missing));
    return has_any;
  }

  void tell_all(const StudyMessage& message) {
    for (int i = 1; i < messenger_.size(); ++i) messenger_.send(i, pack(message));
  }

  // Tells all processes to end. A process that does not answer within the lease time counts as
  // lost, and is not waited for.
  void say_goodbye() {
    tell_all({.kind = MessageKind::kStop});
    const double end = clock_.wall() + shared_.lease_time;
    const auto is_waited_for = [](const Process& process) {
      return !process.has_left && !process.share.is_lost;
    };
    processes_[0].has_left = true;
    while (clock_.wall() < end &&
           std::any_of(processes_.begin(), processes_.end(), is_waited_for)) {
      std::this_thread::sleep_for(std::chrono::duration<double>(kPollTime));
      read_messages();
    }
    for (Process& process : processes_) process.share.is_lost = !process.has_left;
  }

  // The size of a block: about block_time of the process's work, and less when few trials are left,
  // so that all processes end together.
  std::size_t calc_block(const Process& process) const {
    const double time = clock_.wall() - std::max(0.0, process.joined);
    const double rate = time > 0.0 ? static_cast<double>(process.share.rows) / time : 0.0;  // 1/s
    const auto by_time = static_cast<std::size_t>(rate * shared_.block_time);
    const bool is_slow = process.share.rows > 0 && by_time < 1;
    const std::size_t least = process.share.rows == 0 || is_slow
                                  ? static_cast<std::size_t>(process.threads)
                                  : shared_.least_block;
    const std::size_t fair = leases_.num_waiting() / (2 * processes_.size()) + 1;
    return std::min(std::max(by_time, least), fair);
  }

  void feed_own_pool() {
    const std::size_t block = calc_block(processes_[0]);
    if (2 * pool_.num_open() <= block) pool_.add(leases_.lease(0, block));
  }

  void take_rows(int from, std::vector<TrialRow> rows) {
    for (TrialRow& row : rows) {
      if (!leases_.settle(row.trial)) continue;
      ++processes_[from].share.rows;
      fresh_.push_back(std::move(row));
    }
  }

  void read_messages() {
    int from = 0;
    std::string bytes;
    while (messenger_.receive(&from, &bytes)) read_message(from, unpack(bytes));
  }

  void read_message(int from, StudyMessage message) {
    Process& process = processes_[from];
    process.last_heard = clock_.wall();
    process.share.is_lost = false;
    if (message.kind == MessageKind::kLeft) {
      process.has_left = true;
      return;
    }
    if (message.kind == MessageKind::kReady) {
      TENPIN_REQUIRE(message.fingerprint == study_.fingerprint,
                     fmt::format("process {}: reads another study, scene or version, got {:016x}, "
                                 "want {:016x}",
                                 from, message.fingerprint, study_.fingerprint));
      process.joined = clock_.wall();
      process.threads = message.threads;
    }
    TENPIN_REQUIRE(message.failure.empty(), fmt::format("process {}: {}", from, message.failure));
    take_rows(from, std::move(message.rows));
    const double time = (clock_.wall() - process.joined) * process.threads;
    if (time > 0.0) process.share.busy = message.busy_time / time;
    StudyMessage answer = {.kind = message.wants_more ? MessageKind::kBlock : MessageKind::kAlive};
    if (message.wants_more) answer.trials = leases_.lease(from, calc_block(process));
    messenger_.send(from, pack(answer));
  }

  void expire_leases() {
    for (std::size_t i = 1; i < processes_.size(); ++i) {
      Process& process = processes_[i];
      const bool is_silent = clock_.wall() - process.last_heard > shared_.lease_time;
      if (process.joined < 0.0 || process.share.is_lost || !is_silent) continue;
      process.share.is_lost = true;
      leases_.release(static_cast<int>(i));
    }
  }

  void commit(bool all) {
    if (fresh_.empty() || (!all && clock_.wall() < next_commit_)) return;
    table_.add(fresh_);
    progress_.done += std::ssize(fresh_);
    progress_.fresh += std::ssize(fresh_);
    fresh_.clear();
    next_commit_ = clock_.wall() + kCommitInterval;
  }

  void note_shares() {
    progress_.processes.clear();
    for (const Process& process : processes_) progress_.processes.push_back(process.share);
  }

  // Reports at most as often as a person can read, unless `now` is true.
  bool report(bool now) {
    progress_.wall = clock_.wall();
    if (!now && progress_.wall < next_report_) return true;
    next_report_ = progress_.wall + kReportTime;
    if (progress_.wall > 0.0) {
      processes_[0].share.busy = pool_.busy_time() / (progress_.wall * processes_[0].threads);
    }
    note_shares();
    return !options_.on_progress || options_.on_progress(progress_);
  }

  const Study& study_;
  const SweepOptions& options_;
  const SharedOptions& shared_;
  Messenger& messenger_;
  TrialTable& table_;
  Leases leases_;
  TrialPool pool_;
  std::vector<Process> processes_;
  std::vector<TrialRow> fresh_;  // rows that are not committed yet
  SweepProgress progress_;
  double next_commit_ = 0.0;  // s
  double next_report_ = 0.0;  // s
  Stopwatch clock_;
};

// The other side: requests blocks before it has run out of work, and sends rows as they become
// available.
class Worker {
 public:
  Worker(const Study& study, int threads, const SharedOptions& shared, Messenger* messenger)
      : shared_(shared), messenger_(*messenger), pool_(study, threads) {
    send({.kind = MessageKind::kReady,
          .fingerprint = study.fingerprint,
          .threads = threads,
          .wants_more = true});
    asks_ = true;
  }

  SweepEnd run(const std::function<bool()>& go_on) {
    while (go_on()) {
      if (const auto end = read_messages()) return *end;
      if (has_stopped_) {
        std::this_thread::sleep_for(std::chrono::duration<double>(kPollTime));
      } else {
        send_rows();
      }
      if (clock_.wall() - last_heard_ > shared_.patience) return SweepEnd::kOwnerIsLost;
    }
    return SweepEnd::kStopped;
  }

 private:
  void send(const StudyMessage& message) {
    messenger_.send(0, pack(message));
    last_sent_ = clock_.wall();
  }

  // Reads messages. Returns how the sweep ends once process 0 has announced it.
  std::optional<SweepEnd> read_messages() {
    int from = 0;
    std::string bytes;
    while (messenger_.receive(&from, &bytes)) {
      const StudyMessage message = unpack(bytes);
      last_heard_ = clock_.wall();
      if (message.kind == MessageKind::kEnd) {
        return message.has_losses ? SweepEnd::kDoneWithLosses : SweepEnd::kDone;
      }
      if (message.kind == MessageKind::kStop) {
        pool_.stop();
        has_stopped_ = true;
        send({.kind = MessageKind::kLeft});
      }
      if (message.kind != MessageKind::kBlock) continue;
      asks_ = false;
      pool_.add(message.trials);
      block_ = message.trials.size();
      // There is no trial to lease now, but a lease may expire later.
      if (message.trials.empty()) next_ask_ = clock_.wall() + shared_.signal_every;
    }
    return std::nullopt;
  }

  void send_rows() {
    StudyMessage message;
    try {
      for (TrialRow& row : pool_.collect(choose_poll_time(pool_))) rows_.push_back(std::move(row));
    } catch (const std::exception& error) {
      message.failure = error.what();
    }
    const double silence = clock_.wall() - last_sent_;
    const bool is_idle = pool_.num_open() == 0;
    message.wants_more = !asks_ && 2 * pool_.num_open() <= block_ && clock_.wall() >= next_ask_;
    const bool has_news = !rows_.empty() && (silence > kCommitInterval || is_idle);
    const bool is_due = silence > shared_.signal_every;
    if (!message.wants_more && !has_news && !is_due && message.failure.empty()) return;
    asks_ = asks_ || message.wants_more;
    message.busy_time = pool_.busy_time();
    message.rows = std::exchange(rows_, {});
    send(message);
  }

  const SharedOptions& shared_;
  Messenger& messenger_;
  TrialPool pool_;
  std::vector<TrialRow> rows_;  // rows that are not sent yet
  std::size_t block_ = 0;       // size of the last block
  bool asks_ = false;           // true if a request has no answer yet
  bool has_stopped_ = false;    // true if it has stopped and waits for the end
  double next_ask_ = 0.0;       // s
  double last_sent_ = 0.0;      // s
  double last_heard_ = 0.0;     // s
  Stopwatch clock_;
};

}  // namespace

SweepProgress own_shared_sweep(const Study& study, const SweepOptions& options,
                               const SharedOptions& shared, Messenger* messenger,
                               TrialTable* table) {
  return Owner(study, options, shared, messenger, table).run();
}

SweepEnd serve_shared_sweep(const Study& study, int threads, const SharedOptions& shared,
                            Messenger* messenger, const std::function<bool()>& go_on) {
  return Worker(study, threads, shared, messenger).run(go_on);
}

}  // namespace tenpin::lab
