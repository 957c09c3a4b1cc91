// A run's frames and contacts as arrays for the viewer's page.
#pragma once

#include <cstdint>

#include "lab/viewer_arrays.h"
#include "lab/viewer_page.h"
#include "record/run_reader.h"

namespace tenpin::lab {

struct FrameStrides {
  std::int64_t frames = 1;    // recorded frames per frame in the page
  std::int64_t contacts = 1;  // frames in the page per frame with contacts
};

// The run has at least one frame.
FrameStrides pack_frames(const record::RunReader& run, const ViewerPageOptions& options,
                         ArrayPacker* packer);

}  // namespace tenpin::lab
