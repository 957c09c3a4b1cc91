// One way to run a scene, as a user writes it: `time-stepping:formulation=velocity:step=0.001`.
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

  std::string label;   // the text it was read from
  std::string method;  // as in a scene file
  std::vector<Setting> settings;
};

// `method[:key=value]...`. Throws InputError for other texts and for methods that do not exist.
[[nodiscard]] Variant parse_variant(std::string_view text);

// What makes the scene run that way. Settings that the scene itself gives to the same method stay;
// another method starts from its defaults.
[[nodiscard]] std::vector<scene::Override> make_overrides(const Variant& variant,
                                                          std::string_view method_of_scene);

}  // namespace tenpin::lab
