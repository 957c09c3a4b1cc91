// Finds, in the bytes of a file that the HDF5 library made, the two numbers of a chunked dataset
// that change as it grows. See the "HDF5 File Format Specification", IV.A: version 1 object
// headers, messages Dataspace (version 1) and Data Layout (version 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tenpin::record {

struct GrowthFields {
  std::uint64_t extent_address = 0;  // of the first dimension's size, 8 bytes
  std::uint64_t index_address = 0;   // of the address of the chunk B-tree, 8 bytes
};

// Aborts if the header has another version, because the library was told to write this one.
[[nodiscard]] GrowthFields find_growth_fields(std::span<const std::byte> file,
                                              std::uint64_t header_address);

}  // namespace tenpin::record
