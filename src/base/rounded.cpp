#include "base/rounded.h"

#include <fmt/format.h>

namespace tenpin {

std::string to_rounded(double amount) {
  return fmt::format("{:.3g}", amount);
}

std::string to_rounded_time(double t) {
  return fmt::format("{:.6g}", t);
}

}  // namespace tenpin
