// The property that all targets share: a reader accepts its input or throws one of the errors that
// the program reports with an exit code. Anything else ends the process, and libFuzzer keeps the
// input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/check.h"
#include "scene/problem.h"

// Declared by libFuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace tenpin::fuzz {

inline std::string_view to_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Calls work(). Returns false if it refused its input.
template <typename Work>
bool is_accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const scene::SceneError&) {
  } catch (const LimitError&) {
  } catch (const InputError&) {
  } catch (const NumericalError&) {
  }
  return false;
}

// Ends the process if a property of a result does not hold.
inline void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace tenpin::fuzz
