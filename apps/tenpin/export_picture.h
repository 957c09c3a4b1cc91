// Pictures and films of a run, which a browser without a window takes of the viewer's page.
#pragma once

#include "export.h"
#include "record/run_reader.h"

namespace tenpin::app {

// Throws RecordError if one of the files cannot be written, or if the browser (or ffmpeg, for
// films) is not installed.
void check_picture_targets(const ExportOptions& options);

void export_pictures(const ExportOptions& options, const record::RunReader& run);

}  // namespace tenpin::app
