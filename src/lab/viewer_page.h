// One self-contained HTML page that shows a run: docs/viewer.md.
#pragma once

#include <cstdint>
#include <string>

#include "record/run_reader.h"

namespace tenpin::lab {

// Limits of a page's contents. Beyond them, the page leaves something out and says so.
struct ViewerPageOptions {
  // beyond: only every second, third ... frame
  std::int64_t max_pose_bytes = std::int64_t{256} << 20;
  std::int64_t max_twist_bytes = std::int64_t{32} << 20;    // beyond: no velocities of bodies
  std::int64_t max_contact_bytes = std::int64_t{64} << 20;  // beyond: contacts of fewer frames
  std::int64_t max_curve_points = 20000;  // beyond: a point represents several steps
  std::string comparison = {};            // JSON for viewer/src/compare.ts; "" = one run alone
};

// Throws InputError if the run has no frame, or if this program was built without the viewer.
[[nodiscard]] std::string make_viewer_page(const record::RunReader& run,
                                           const ViewerPageOptions& options = {});

// The two texts that replace the placeholders of such a page (docs/viewer.md, "The page's format"),
// for a program that has the page itself. Throws InputError if the run has no frame.
struct ViewerContents {
  std::string header;  // JSON without a line end
  std::string arrays;  // base64
};
[[nodiscard]] ViewerContents make_viewer_contents(const record::RunReader& run,
                                                  const ViewerPageOptions& options = {});

// Makes the page without a run: it requests the data from its server (lab/viewer_stream.h).
[[nodiscard]] std::string make_streaming_page();

// Like make_viewer_page. Also throws RecordError if the file cannot be written; no file remains
// then.
void write_viewer_page(const record::RunReader& run, const std::string& path,
                       const ViewerPageOptions& options = {});

}  // namespace tenpin::lab
