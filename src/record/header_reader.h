#pragma once

#include "record/h5_input.h"
#include "record/run_header.h"

namespace tenpin::record {

// Throws h5::Error if the input is not a header, or if its parts are inconsistent.
[[nodiscard]] RunHeader read_header(const H5Input& input);

}  // namespace tenpin::record
