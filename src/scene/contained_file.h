// Scene files and the files that they refer to, which must be in the scene's folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tenpin::scene {

// The absolute path of an existing file below `folder`, with symbolic links resolved. Throws
// InputError for everything that leads elsewhere: absolute paths, "..", addresses, links out of the
// folder.
[[nodiscard]] std::string resolve_contained(const std::string& folder, const std::string& path);

// Is `path` below `folder`? Pass both resolved, or both as written.
[[nodiscard]] bool is_beneath(const std::filesystem::path& path,
                              const std::filesystem::path& folder);

// The bytes of a regular file at any place. Throws InputError; LimitError above max_bytes.
[[nodiscard]] std::string read_regular_file(const std::string& path, std::size_t max_bytes);

// The message of LimitError for a text of that many bytes.
[[nodiscard]] std::string too_large(const std::string& path, std::size_t bytes,
                                    std::size_t max_bytes);

}  // namespace tenpin::scene
