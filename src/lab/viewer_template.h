// The viewer's page with placeholders for a run, as bundled from viewer/ at build time.
#pragma once

#include <span>
#include <string_view>

namespace tenpin::lab {

// Returns the page in parts, because compilers limit the length of a literal; empty if the program
// was built without the viewer.
[[nodiscard]] std::span<const std::string_view> viewer_template();

}  // namespace tenpin::lab
