// Checks that a page can be written, before hours of computing.
#pragma once

#include <string>

namespace tenpin::app {

// Throws RecordError if no page can be written there, or if an existing file is not a page.
void check_page_target(const std::string& path);

}  // namespace tenpin::app
