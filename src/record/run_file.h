// Run files on disk, the only storage that needs HDF5. docs/run-file.md describes their contents.
#pragma once

#include <memory>
#include <string>

#include "record/run_storage.h"

namespace tenpin::record {

// The file replaces an earlier run of that name at once, and can be read from then on.
[[nodiscard]] std::unique_ptr<RunOutput> make_run_file(const std::string& path,
                                                       const RunHeader& header);

// Throws InputError for a file that is not a valid run file, RecordError if the system does not let
// us read it. Sizes are checked against the file's size before memory is allocated for them.
[[nodiscard]] std::unique_ptr<RunInput> open_run_file(const std::string& path);

}  // namespace tenpin::record
