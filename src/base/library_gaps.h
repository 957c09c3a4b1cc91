// Parts of the C++20 library that the sources use and emscripten's libc++ 13 lacks. The wasm build
// includes this file before everything else (-include); other builds do not need it.
#pragma once

#ifdef __cplusplus
#include <version>

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_bit_cast)
_LIBCPP_BEGIN_NAMESPACE_STD
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
_LIBCPP_END_NAMESPACE_STD
#endif
#endif
