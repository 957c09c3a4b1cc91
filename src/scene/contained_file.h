// Scene files, and the files that they name, which must be in the scene's folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tenpin::scene {

// The absolute path of an existing file beneath `folder`, symbolic links resolved. Throws
// InputError for everything that leads elsewhere: absolute paths, "..", addresses, links out of the
// folder.
[[nodiscard]] std::string resolve_contained(const std::string& folder, const std::string& path);

// Both paths resolved, or as they are written.
[[nodiscard]] bool is_beneath(const std::filesystem::path& path,
                              const std::filesystem::path& folder);

// The bytes of a regular file wherever it is. Throws InputError; LimitError above max_bytes.
[[nodiscard]] std::string read_regular_file(const std::string& path, std::size_t max_bytes);

// What LimitError says about a text of so many bytes.
[[nodiscard]] std::string too_large(const std::string& path, std::size_t bytes,
                                    std::size_t max_bytes);

}  // namespace tenpin::scene
