// One way to run a scene, as the user writes it: `time-stepping:formulation=velocity:step=0.001`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/read.h"

namespace tenpin::lab {

struct Variant {
  struct Setting {
    std::string key;  // below method.<name>, e.g. fixed_point.iterations
    std::string value;
  };

  std::string label;   // the text from which it was read
  std::string method;  // as in a scene file
  std::vector<Setting> settings;
};

// Throws InputError for the name of an unknown method.
void check_method_name(std::string_view name);

// `method[:key=value]...`. Throws InputError for other texts and for unknown methods.
[[nodiscard]] Variant parse_variant(std::string_view text);

// The overrides that make the scene run in that way. Settings that the scene gives for the same
// method are kept; another method starts with its defaults.
[[nodiscard]] std::vector<scene::Override> make_overrides(const Variant& variant,
                                                          std::string_view method_of_scene);

}  // namespace tenpin::lab
