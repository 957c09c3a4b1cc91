#include "scene/import/model_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/check.h"
#include "scene/characters.h"
#include "scene/contained_file.h"

namespace tenpin::scene {

namespace {

namespace fs = std::filesystem;

fs::path canonical_folder(const fs::path& folder, const std::string& shown) {
  std::error_code error;
  fs::path result = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  TENPIN_REQUIRE(!error && fs::is_directory(result, error),
                 "cannot be read, got " + excerpt(shown, 200) + ", want a folder");
  return result;
}

}  // namespace

ModelFolder::ModelFolder(const std::string& model_file, const std::string& root) {
  const fs::path folder = canonical_folder(fs::path(model_file).parent_path(), model_file);
  folder_ = folder.string();
  root_ = root.empty() ? folder_ : canonical_folder(root, root).string();
  TENPIN_REQUIRE(is_beneath(folder, root_), "--root: the model is not beneath it, got " + root +
                                                ", want a folder above " +
                                                excerpt(model_file, 200));
}

std::string ModelFolder::resolve(const std::string& path) const {
  const fs::path joined = (fs::path(folder_) / path).lexically_normal();
  const bool is_address = path.find("://") != std::string::npos;
  if (is_address || fs::path(path).is_absolute() || !is_beneath(joined, root_)) {
    throw InputError("outside the model's folder, got " + excerpt(path, 200) +
                     ", want a relative path beneath it (--root DIR allows a wider folder)");
  }
  return resolve_contained(root_, joined.lexically_relative(root_).string());
}

std::string ModelFolder::locate(const std::string& path, const std::string& beside) const {
  const auto can_resolve = [&](const std::string& candidate) {
    try {
      return !resolve(candidate).empty();
    } catch (const InputError&) {
      return false;
    }
  };
  if (beside.empty() || fs::path(path).is_absolute() || can_resolve(path)) {
    return path;
  }
  const std::string from_there = (fs::path(beside) / path).lexically_normal().string();
  return can_resolve(from_there) ? from_there : path;
}

std::string ModelFolder::resolve_address(const std::string& address) const {
  constexpr std::string_view kPackage = "package://";
  constexpr std::string_view kFile = "file://";
  if (!address.starts_with(kPackage)) {
    return resolve(address.starts_with(kFile) ? address.substr(kFile.size()) : address);
  }
  const std::string path = address.substr(kPackage.size());
  const std::size_t slash = std::min(path.find('/'), path.size());
  const std::string name = path.substr(0, slash);
  const std::string rest = path.substr(std::min(slash + 1, path.size()));
  // Finds the package that contains the model: the model's folder or one above it.
  for (fs::path folder = folder_; folder.has_relative_path(); folder = folder.parent_path()) {
    if (folder.filename() == name) {
      return resolve_contained(folder.string(), rest);
    }
  }
  std::error_code error;
  if (!name.empty() && name != ".." && fs::is_directory(fs::path(root_) / name, error)) {
    return resolve_contained(root_, path);
  }
  if (root_ != folder_ && fs::exists(fs::path(root_) / rest, error)) {
    return resolve_contained(root_, rest);
  }
  throw InputError("unknown package, got " + excerpt(address, 200) +
                   ", want a folder of that name around the model, or in --root DIR");
}

std::string ModelFolder::relative(const std::string& absolute) const {
  return is_beneath(absolute, folder_) ? fs::path(absolute).lexically_relative(folder_).string()
                                       : "";
}

}  // namespace tenpin::scene
