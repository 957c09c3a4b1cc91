// Where a page goes, found out before hours of computing.
#pragma once

#include <string>

namespace tenpin::app {

// Throws RecordError when no page can be written there, or when what is there is no page.
void check_page_target(const std::string& path);

}  // namespace tenpin::app
