// Checks that an output file may be written before any work is done for it.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::app {

// Throws RecordError when nothing can be written there, or when what is there does not begin with
// one of `starts`, upper or lower case: a user's other file is worth more than what we write.
void check_target(const std::string& path, std::string_view kind,
                  std::initializer_list<std::string_view> starts);

}  // namespace tenpin::app
