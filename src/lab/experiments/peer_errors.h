// Final positions of other engines in an experiment's scene, as measured by bench/peers.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment.h"
#include "lab/svg_plot.h"
#include "math/types.h"

namespace tenpin::lab::experiments {

struct PeerEnd {
  int rate = 0;  // 1/s
  Vec3 position = Vec3::Zero();
};

struct PeerEnds {
  std::string engine;
  std::string version;
  std::string reason;  // why some final positions are missing, if any
  std::vector<PeerEnd> ends;
};

// Reads peers.json of an experiment's folder, written by `bench/peers/run.py --orders`; returns
// nothing if there is none.
[[nodiscard]] std::vector<PeerEnds> read_peer_ends(const std::string& folder);

// Makes one curve per engine: the distance of its final position from `limit`, against the step.
[[nodiscard]] std::vector<Series> draw_peer_errors(const std::vector<PeerEnds>& peers,
                                                   const Vec3& limit);
[[nodiscard]] Table make_peer_table(const std::vector<PeerEnds>& peers, const Vec3& limit);

}  // namespace tenpin::lab::experiments
