// Run files on disk. No other kind of storage needs HDF5. docs/run-file.md describes the contents.
#pragma once

#include <memory>
#include <string>

#include "record/run_storage.h"

namespace tenpin::record {

// Creates a run file. It immediately replaces an earlier run of that name, and can be read from
// then on.
[[nodiscard]] std::unique_ptr<RunOutput> make_run_file(const std::string& path,
                                                       const RunHeader& header);

// Opens a run file. Throws InputError if it is not a valid run file, RecordError if the system
// denies reading. Sizes are checked against the file's size before memory is allocated for them.
[[nodiscard]] std::unique_ptr<RunInput> open_run_file(const std::string& path);

}  // namespace tenpin::record
