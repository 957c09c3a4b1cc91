// `tenpin export run.h5`: converts a run for other programs.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct ExportOptions {
  std::string run_file;
  bool list = false;                    // print the names of all quantities
  std::vector<std::string> quantities;  // for csv and hdf5; if empty, the bodies
  std::string csv, hdf5, gltf;          // files to write; "" = none; csv may be "-" for stdout
  std::string png, mp4, gif;
  double time = -1.0;  // s   of the picture; < 0: the last frame
  bool no_contacts = false;
  int width = 1280;    // px
  int height = 720;    // px
  double speed = 1.0;  // -   of a film: 0.5 shows everything twice as slowly as it was
  int rate = 30;       // 1/s pictures of a film
};

[[nodiscard]] int run_export(const ExportOptions& options);

}  // namespace tenpin::app
