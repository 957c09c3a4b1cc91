// Files that are either whole or not there.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::record {

// Writes to a draft beside the file and renames it once all bytes are on the disk, so that a full
// disk or a kill leaves whatever was there before. Throws RecordError, and leaves no draft.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace tenpin::record
