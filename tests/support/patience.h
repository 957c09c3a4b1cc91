// Limits on time that hold with sanitizers, too.
#pragma once

namespace tenpin::test {

// How much slower everything is under a sanitizer, for limits on time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kPatience = 20.0;
#else
inline constexpr double kPatience = 1.0;
#endif

}  // namespace tenpin::test
