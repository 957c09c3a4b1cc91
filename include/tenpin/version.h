#pragma once

namespace tenpin {

inline constexpr const char* kVersionText = "0.1.0";  // as in CMakeLists.txt

}  // namespace tenpin
