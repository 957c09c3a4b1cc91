// Pictures and films of a run, taken of the viewer's page by a browser without a window.
#pragma once

#include "export.h"
#include "record/run_reader.h"

namespace tenpin::app {

// Throws RecordError when one of them cannot be written, or when the browser (or ffmpeg, for films)
// is not installed.
void check_picture_targets(const ExportOptions& options);

void export_pictures(const ExportOptions& options, const record::RunReader& run);

}  // namespace tenpin::app
