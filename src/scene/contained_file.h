// Reads scene files and the files that they refer to, which must be in the scene's folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tenpin::scene {

// Returns the absolute path of an existing file below `folder`, with symbolic links resolved.
// Throws InputError for paths that could lead elsewhere: absolute paths, "..", URLs, links out of
// the folder.
[[nodiscard]] std::string resolve_contained(const std::string& folder, const std::string& path);

// True if `path` is below `folder`. Pass both resolved, or both as written.
[[nodiscard]] bool is_beneath(const std::filesystem::path& path,
                              const std::filesystem::path& folder);

// Returns the bytes of a regular file in any folder. Throws InputError, or LimitError above
// max_bytes.
[[nodiscard]] std::string read_regular_file(const std::string& path, std::size_t max_bytes);

// The message of LimitError for a text of that many bytes.
[[nodiscard]] std::string too_large(const std::string& path, std::size_t bytes,
                                    std::size_t max_bytes);

}  // namespace tenpin::scene
