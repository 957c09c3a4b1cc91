#pragma once

#include <memory>
#include <utility>

namespace tenpin {

struct SnapshotContents;

// Everything that changes in a simulation: its state, its method's memory, its controls. Copies are
// cheap. A simulation restored from a snapshot continues bit for bit.
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
