// Writes files atomically: they are either complete or absent.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::record {

// Writes to a draft next to the file and renames it once all bytes are on the disk, so that a full
// disk or a kill leaves the previous file intact. Throws RecordError and leaves no draft.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace tenpin::record
