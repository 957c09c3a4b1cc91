// Numbers in messages to people: rounded, unlike to_text().
#pragma once

#include <string>

namespace tenpin {

// Three significant digits, for amounts that were measured: "3.13e-06", "0.2".
[[nodiscard]] std::string to_rounded(double amount);

// Six significant digits, for the time of an event: "0.3" for 0.30000000000000004.
[[nodiscard]] std::string to_rounded_time(double t);

}  // namespace tenpin
