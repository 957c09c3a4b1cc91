// Whether a text is well-formed XML, as far as our own pictures go.
#pragma once

#include <string>
#include <string_view>

namespace tenpin::lab {

// "" if it is; else what is wrong and where.
[[nodiscard]] std::string find_xml_fault(std::string_view text);

}  // namespace tenpin::lab
