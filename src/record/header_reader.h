#pragma once

#include "record/h5_input.h"
#include "record/run_header.h"

namespace tenpin::record {

// Throws h5::Error when the header is not one, or does not fit together.
[[nodiscard]] RunHeader read_header(const H5Input& input);

}  // namespace tenpin::record
