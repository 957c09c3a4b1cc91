// The pictures of `tenpin impact --draw`.
#pragma once

#include <string>
#include <vector>

#include "impact_results.h"
#include "lab/experiment.h"

namespace tenpin::app {

struct CasePictures {
  std::string name;  // of the case
  struct Picture {
    std::string what;  // part of the file's name
    lab::Figure figure;
  };
  std::vector<Picture> pictures;
};

// Draws the pictures of a case. Returns none if it is not an impact, or has no end.
[[nodiscard]] CasePictures draw_case(const std::string& name, const PlanarCase& c,
                                     const PlanarResult& result);
[[nodiscard]] CasePictures draw_case(const std::string& name, const SpatialCase& c,
                                     const std::vector<SpatialResult>& results);

// Throws RecordError if nothing can be written there.
void check_draw_target(const std::string& target);

// Writes the pictures. A target that ends in .html becomes one page; any other target is a folder,
// created if necessary, for one SVG file per picture. Throws RecordError.
void write_pictures(const std::string& target, const std::vector<CasePictures>& all);

}  // namespace tenpin::app
