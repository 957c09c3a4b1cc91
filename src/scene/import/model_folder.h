// Where the files that a robot model refers to may be.
#pragma once

#include <string>

namespace tenpin::scene {

class ModelFolder {
 public:
  // `root` is the folder that all files must be in; "" = the model's own folder. Throws InputError
  // if the model is not below the root.
  ModelFolder(const std::string& model_file, const std::string& root);

  // The absolute path of an existing regular file. A relative path starts at the model's folder and
  // may leave it within the root. Throws InputError.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  // The path to give to resolve() for one that stands in a file of the folder `beside`, itself
  // relative to the model's folder: from there, if a file is there and none from the model's
  // folder.
  [[nodiscard]] std::string locate(const std::string& path, const std::string& beside) const;

  // package://name/rest is `rest` beneath the folder `name` that holds the model, beneath a folder
  // of that name in the root, or beneath a root that the user named. file://path is `path`.
  [[nodiscard]] std::string resolve_address(const std::string& address) const;

  // How a scene in the model's folder would refer to the file: its relative path; "" if it is not
  // below that folder.
  [[nodiscard]] std::string relative(const std::string& absolute) const;

 private:
  std::string folder_;  // of the model, absolute
  std::string root_;    // absolute
};

}  // namespace tenpin::scene
