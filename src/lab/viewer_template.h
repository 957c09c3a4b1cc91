// The viewer's page with places for a run, as bundled from viewer/ when the program was built.
#pragma once

#include <span>
#include <string_view>

namespace tenpin::lab {

// In pieces, because compilers limit the length of a literal; empty when built without the viewer.
[[nodiscard]] std::span<const std::string_view> viewer_template();

}  // namespace tenpin::lab
