#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "record/committed_tables.h"
#include "record/run_file.h"

namespace tenpin::record {
namespace {

std::span<const std::byte> bytes_of(const VecX& values) {
  return std::as_bytes(std::span(values.data(), static_cast<std::size_t>(values.size())));
}

// Writes a run file: one table per quantity of a frame, and one per kind of row.
class RunFileOutput final : public RunOutput {
 public:
  RunFileOutput(const std::string& path, const RunHeader& header) : tables_(path, header) {}

  const std::string& path() const override { return tables_.path(); }
  CommittedRow num_rows() const override { return tables_.num_rows(); }

  void append(const ContactRow& row) override { append_row(RunTable::kContacts, row); }
  void append(const ReactionRow& row) override { append_row(RunTable::kReactions, row); }
  void append(const MessageRow& row) override { append_row(RunTable::kMessages, row); }
  void append(const StepRow& row) override { append_row(RunTable::kSteps, row); }
  void append(const RestartRow& row) override { append_row(RunTable::kRestarts, row); }
  void append_words(std::span<const std::uint64_t> words) override {
    tables_.table(RunTable::kWords)
        .append_rows(std::as_bytes(words), static_cast<std::int64_t>(words.size()));
  }
  void append_frame(const FrameRow& row, const dynamics::State& state,
                    std::span<const BodyMotion> bodies) override;

  std::size_t num_buffered_bytes() const override { return tables_.buffered_bytes(); }
  void flush() override { tables_.commit(); }
  void close(const StatusRow& status) override { tables_.close(status); }

 private:
  template <typename Row>
  void append_row(RunTable table, const Row& row) {
    tables_.table(table).append_value(row);
  }

  CommittedTables tables_;
  std::vector<double> scratch_;  // one row of poses or velocities
};

void RunFileOutput::append_frame(const FrameRow& row, const dynamics::State& state,
                                 std::span<const BodyMotion> bodies) {
  append_row(RunTable::kFrameTime, row.t);
  append_row(RunTable::kFrameStep, row.step);
  append_row(RunTable::kFrameFirstContact, row.first_contact);
  append_row(RunTable::kFrameNumContacts, row.num_contacts);
  append_row(RunTable::kFrameFirstReaction, row.first_reaction);
  append_row(RunTable::kFrameNumReactions, row.num_reactions);
  tables_.table(RunTable::kFrameQ).append(bytes_of(state.q));
  tables_.table(RunTable::kFrameV).append(bytes_of(state.v));
  scratch_.clear();
  for (const BodyMotion& body : bodies) {
    const Vec3& p = body.position;
    const Quat& q = body.orientation;
    scratch_.insert(scratch_.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
  }
  tables_.table(RunTable::kFramePose).append(std::as_bytes(std::span(scratch_)));
  scratch_.clear();
  for (const BodyMotion& body : bodies) {
    const Vec3& v = body.velocity;
    const Vec3& w = body.angular_velocity;
    scratch_.insert(scratch_.end(), {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
  }
  tables_.table(RunTable::kFrameVelocity).append(std::as_bytes(std::span(scratch_)));
}

}  // namespace

std::unique_ptr<RunOutput> make_run_file(const std::string& path, const RunHeader& header) {
  return std::make_unique<RunFileOutput>(path, header);
}

}  // namespace tenpin::record
