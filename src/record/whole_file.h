// Writes files atomically: they are either complete or do not exist.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::record {

// Writes to a temporary file beside the file and renames it once all bytes are on the disk, so that
// a full disk or a kill leaves the previous file intact. If it throws RecordError, the temporary
// file is removed.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace tenpin::record
