#pragma once

namespace tenpin::lab {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace tenpin::lab
