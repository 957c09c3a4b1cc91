// Checks that an output file can be written, before any work is done for it.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::app {

// Throws RecordError if nothing can be written there, or if an existing file does not begin with
// one of `starts` (in upper or lower case), so that other files of the user are not overwritten.
void check_target(const std::string& path, std::string_view kind,
                  std::initializer_list<std::string_view> starts);

}  // namespace tenpin::app
