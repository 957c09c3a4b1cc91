#include "record/run_writer.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <ctime>

#include "base/check.h"
#include "record/header_image.h"
#include "record/output_file.h"
#include "record/table.h"

namespace tenpin::record {
namespace {

using Contacts = scene::Record::Contacts;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double calc_cpu_time() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::span<const std::byte> bytes_of(const VecX& values) {
  return std::as_bytes(std::span(values.data(), static_cast<std::size_t>(values.size())));
}

// Copies as many whole UTF-8 characters as fit; the rest of the row is already zero.
template <std::size_t n>
void put_text(std::string_view text, std::array<char, n>* out) {
  std::size_t size = std::min(text.size(), n);
  const auto continues = [&](std::size_t i) {
    return (text[i] & 0xC0) == 0x80;
  };
  while (size < text.size() && size > 0 && continues(size)) --size;
  std::copy_n(text.begin(), size, out->begin());
}

}  // namespace

struct RunWriter::Tables {
  explicit Tables(const std::string& path, const HeaderImage& image)
      : file(path),
        begin(write_image(image, &file)),
        frame_t(image.frame_t, &file),
        frame_step(image.frame_step, &file),
        frame_first_contact(image.frame_first_contact, &file),
        frame_num_contacts(image.frame_num_contacts, &file),
        frame_first_reaction(image.frame_first_reaction, &file),
        frame_num_reactions(image.frame_num_reactions, &file),
        frame_q(image.frame_q, &file),
        frame_v(image.frame_v, &file),
        frame_pose(image.frame_pose, &file),
        frame_velocity(image.frame_velocity, &file),
        restarts(image.restarts, &file),
        words(image.words, &file),
        steps(image.steps, &file),
        contacts(image.contacts, &file),
        reactions(image.reactions, &file),
        messages(image.messages, &file),
        committed_address(image.committed_address),
        status_address(image.status_address) {
    file.publish();
  }

  static std::uint64_t write_image(const HeaderImage& image, OutputFile* file) {
    const std::uint64_t address = file->allocate(image.bytes.size());
    file->write(address, image.bytes);
    return address;
  }

  std::array<Table*, 16> all() {
    return {&contacts,
            &reactions,
            &words,
            &messages,
            &steps,
            &frame_t,
            &frame_step,
            &frame_first_contact,
            &frame_num_contacts,
            &frame_first_reaction,
            &frame_num_reactions,
            &frame_q,
            &frame_v,
            &frame_pose,
            &frame_velocity,
            &restarts};
  }

  CommittedRow calc_committed() const {
    return {.contacts = contacts.num_rows(),
            .reactions = reactions.num_rows(),
            .words = words.num_rows(),
            .messages = messages.num_rows(),
            .steps = steps.num_rows(),
            .frames = frame_t.num_rows()};
  }

  OutputFile file;
  std::uint64_t
      begin;  // of the image: 0; a member so that the image is written before the tables are made
  Table frame_t, frame_step, frame_first_contact, frame_num_contacts;
  Table frame_first_reaction, frame_num_reactions;
  Table frame_q, frame_v, frame_pose, frame_velocity;
  Table restarts, words;
  Table steps, contacts, reactions, messages;
  std::uint64_t committed_address;
  std::uint64_t status_address;
  std::vector<double> scratch;  // one row of poses or velocities
};

RunWriter::RunWriter(const std::string& path, const RunHeader& header, const FlushPolicy& policy)
    : tables_(std::make_unique<Tables>(path, make_header_image(header))),
      contacts_policy_(header.contacts),
      policy_(policy),
      nq_(header.nq),
      nv_(header.nv),
      num_bodies_(header.num_bodies()),
      started_(Clock::now()),
      flushed_(started_) {}

RunWriter::~RunWriter() {
  if (closed_) return;
  try {
    close(RunState::kInterrupted, "the program stopped early");
  } catch (const RecordError&) {
    // Errors cannot be reported from here; committed rows stay readable.
    closed_ = true;
  }
}

const std::string& RunWriter::path() const {
  return tables_->file.path();
}
std::int64_t RunWriter::num_frames() const {
  return tables_->frame_t.num_rows();
}
std::int64_t RunWriter::num_steps() const {
  return tables_->steps.num_rows();
}
std::int64_t RunWriter::num_contacts() const {
  return tables_->contacts.num_rows();
}

void RunWriter::append_impulses(const StepImpulses& impulses, std::int64_t step) {
  for (const contact::ContactRecord& contact : impulses.contacts) {
    tables_->contacts.append_value(to_row(contact, step, impulses.duration));
  }
  for (ReactionRow row : impulses.reactions) {
    row.step = step;
    tables_->reactions.append_value(row);
  }
}

void RunWriter::append_step(const methods::StepReport& report, const StepImpulses& impulses) {
  StepRow row = to_row(report);
  row.duration = impulses.duration;
  row.first_contact = num_contacts();
  row.first_reaction = tables_->reactions.num_rows();
  if (contacts_policy_ == Contacts::kSteps) {
    row.num_recorded = static_cast<std::int32_t>(impulses.contacts.size());
    row.num_reactions = static_cast<std::int32_t>(impulses.reactions.size());
    append_impulses(impulses, report.step);
  }
  tables_->steps.append_value(row);
  last_step_ = row;
  if (!report.message.empty()) {
    MessageRow message = {};
    message.step = report.step;
    put_text(report.message, &message.text);
    tables_->messages.append_value(message);
  }
  flush_if_due();
}

void RunWriter::append_frame(const dynamics::State& state, std::span<const BodyMotion> bodies,
                             const StepImpulses& impulses, const dynamics::State* restart) {
  TENPIN_DEMAND(state.q.size() == nq_ && state.v.size() == nv_);
  TENPIN_DEMAND(static_cast<int>(bodies.size()) == num_bodies_);
  Tables& tables = *tables_;
  std::int64_t first_contact = num_contacts();
  std::int64_t num_recorded = 0;
  std::int64_t first_reaction = tables.reactions.num_rows();
  std::int64_t num_reactions = 0;
  const std::int64_t step = num_steps() == 0 ? state.step : last_step_.step;
  if (contacts_policy_ == Contacts::kFrames) {
    append_impulses(impulses, step);
    num_recorded = static_cast<std::int64_t>(impulses.contacts.size());
    num_reactions = static_cast<std::int64_t>(impulses.reactions.size());
  } else if (contacts_policy_ == Contacts::kSteps) {
    first_contact = last_step_.first_contact;
    num_recorded = last_step_.num_recorded;
    first_reaction = last_step_.first_reaction;
    num_reactions = last_step_.num_reactions;
  }
  tables.frame_t.append_value(state.t);
  tables.frame_step.append_value(step);
  tables.frame_first_contact.append_value(first_contact);
  tables.frame_num_contacts.append_value(num_recorded);
  tables.frame_first_reaction.append_value(first_reaction);
  tables.frame_num_reactions.append_value(num_reactions);
  tables.frame_q.append(bytes_of(state.q));
  tables.frame_v.append(bytes_of(state.v));
  std::vector<double>& row = tables.scratch;
  row.clear();
  for (const BodyMotion& body : bodies) {
    const Vec3& p = body.position;
    const Quat& q = body.orientation;
    row.insert(row.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
  }
  tables.frame_pose.append(std::as_bytes(std::span(row)));
  row.clear();
  for (const BodyMotion& body : bodies) {
    const Vec3& v = body.velocity;
    const Vec3& w = body.angular_velocity;
    row.insert(row.end(), {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
  }
  tables.frame_velocity.append(std::as_bytes(std::span(row)));
  append_restart(restart == nullptr ? state : *restart, state.t);
  flush_if_due();
}

// The method's memory. Coordinates come first where they are not those of the frame. Frames with
// the same words share them: bodies at rest repeat theirs.
void RunWriter::append_restart(const dynamics::State& restart, double t_frame) {
  std::vector<std::uint64_t> words;
  if (restart.t != t_frame) {
    for (const VecX* x : {&restart.q, &restart.v}) {
      for (const double value : *x) words.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  words.insert(words.end(), restart.memory.begin(), restart.memory.end());
  Tables& tables = *tables_;
  if (words != words_) {
    for (const std::uint64_t word : words) tables.words.append_value(word);
    words_ = std::move(words);
  }
  const auto count = static_cast<std::int64_t>(words_.size());
  tables.restarts.append_value(RestartRow{.t = restart.t,
                                          .step = restart.step,
                                          .first_word = tables.words.num_rows() - count,
                                          .num_words = count});
}

void RunWriter::flush_if_due() {
  std::size_t num_bytes = 0;
  for (const Table* table : tables_->all()) num_bytes += table->buffered_bytes();
  if (num_bytes >= policy_.max_bytes || seconds_since(flushed_) >= policy_.max_seconds) flush();
}

void RunWriter::flush() {
  TENPIN_DEMAND(!failed_ && !closed_);
  failed_ = true;  // unless all of the following succeeds
  for (Table* table : tables_->all()) table->write_rows();
  for (Table* table : tables_->all()) table->publish_rows();
  tables_->file.write_value(tables_->committed_address, tables_->calc_committed());
  failed_ = false;
  flushed_ = Clock::now();
}

void RunWriter::close(RunState state, std::string_view message) {
  TENPIN_DEMAND(!closed_);
  if (!failed_) flush();
  closed_ = true;
  write_status(state, message);
  tables_->file.sync();
}

// Writes the state last and separately, because it confirms the rest.
void RunWriter::write_status(RunState state, std::string_view message) {
  StatusRow row = {};
  row.wall_time = seconds_since(started_);
  row.cpu_time = calc_cpu_time();
  row.pid = getpid();
  put_text(message, &row.message);
  tables_->file.write_value(tables_->status_address, row);
  tables_->file.write_value(tables_->status_address + offsetof(StatusRow, state),
                            static_cast<std::uint8_t>(state));
}

}  // namespace tenpin::record
