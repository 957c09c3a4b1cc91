// Determines where the files that a robot model refers to may be.
#pragma once

#include <string>

namespace tenpin::scene {

class ModelFolder {
 public:
  // `root` is the folder that must contain all files; "" = the model's own folder. Throws
  // InputError if the model is not below the root.
  ModelFolder(const std::string& model_file, const std::string& root);

  // Returns the absolute path of an existing regular file. A relative path starts at the model's
  // folder and may leave that folder, but not the root. Throws InputError.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  // Returns the path to pass to resolve() for a path that occurs in a file of the folder `beside`
  // (relative to the model's folder): relative to `beside`, if a file exists there and none exists
  // relative to the model's folder.
  [[nodiscard]] std::string locate(const std::string& path, const std::string& beside) const;

  // Resolves package://name/rest to `rest` below the folder `name` that contains the model, below a
  // folder of that name in the root, or below a root that the user gave. Resolves file://path to
  // `path`.
  [[nodiscard]] std::string resolve_address(const std::string& address) const;

  // The relative path by which a scene in the model's folder would refer to the file; "" if it is
  // not below that folder.
  [[nodiscard]] std::string relative(const std::string& absolute) const;

 private:
  std::string folder_;  // folder of the model, absolute
  std::string root_;    // absolute
};

}  // namespace tenpin::scene
