// The frames and contacts of a run as arrays for the viewer's page.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lab/viewer_arrays.h"
#include "record/run_reader.h"

namespace tenpin::lab {

// Sizes before compression, in bytes.
inline constexpr std::int64_t kPoseBytes = 20;     // per moving body and frame
inline constexpr std::int64_t kTwistBytes = 24;    // of a twist
inline constexpr std::int64_t kContactBytes = 73;  // per contact

// The frames first, first + stride, ... below end.
struct FrameRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t stride = 1;
};

struct FrameChoice {
  bool with_twists = true;
  std::int64_t max_contact_bytes = std::numeric_limits<std::int64_t>::max();
};

// Finds the bodies that have a pose of their own in every frame.
[[nodiscard]] std::vector<std::int32_t> find_movers(const record::RunHeader& header);

// Packs the list of moving bodies and the poses of all bodies in the first frame.
void pack_start(const record::RunReader& run, ArrayPacker* packer);

// Packs frames. Returns the number of these frames per frame with contacts.
std::int64_t pack_frames(const record::RunReader& run, const FrameRange& range,
                         const FrameChoice& choice, ArrayPacker* packer);

// Packs one body through the run: time, position, quaternion and twist.
void pack_track(const record::RunReader& run, int body, const FrameRange& range,
                ArrayPacker* packer);

}  // namespace tenpin::lab
