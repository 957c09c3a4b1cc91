#pragma once

#include <memory>
#include <utility>

namespace tenpin {

struct SnapshotContents;

// Everything of a simulation that changes: state, what its method remembers, controls. Copies are
// cheap; a simulation that is restored from one continues bit for bit.
class Snapshot {
 public:
  explicit Snapshot(std::shared_ptr<const SnapshotContents> contents)
      : contents_(std::move(contents)) {}
  const SnapshotContents& contents() const { return *contents_; }
  [[nodiscard]] double time() const;  // s

 private:
  std::shared_ptr<const SnapshotContents> contents_;
};

}  // namespace tenpin
