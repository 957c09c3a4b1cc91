#include "lab/variant.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "methods/method.h"

namespace tenpin::lab {

void check_method_name(std::string_view name) {
  std::vector<std::string_view> known;
  known.reserve(methods::all_methods().size());
  for (const methods::MethodEntry& entry : methods::all_methods()) known.push_back(entry.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const auto meant = nearest(name, std::span<const std::string_view>(known));
  throw InputError(fmt::format("no method '{}'{}, want one of {}", name,
                               meant ? "; did you mean '" + *meant + "'?" : "",
                               fmt::join(known, ", ")));
}

Variant parse_variant(std::string_view text) {
  Variant variant{.label = std::string(text)};
  std::size_t end = std::min(text.find(':'), text.size());
  variant.method = text.substr(0, end);
  check_method_name(variant.method);
  while (end < text.size()) {
    const std::string_view rest = text.substr(end + 1);
    const std::string_view setting = rest.substr(0, rest.find(':'));
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw InputError(fmt::format("'{}' of '{}' is no setting, want method:key=value:key=value",
                                   setting, text));
    }
    variant.settings.push_back(
        {std::string(setting.substr(0, equals)), std::string(setting.substr(equals + 1))});
    end += 1 + setting.size();
  }
  return variant;
}

std::vector<scene::Override> make_overrides(const Variant& variant,
                                            std::string_view method_of_scene) {
  std::vector<scene::Override> overrides;
  if (variant.method != method_of_scene) {
    overrides.push_back({.path = "method", .value = fmt::format("{{{}: {{}}}}", variant.method)});
  }
  for (const Variant::Setting& setting : variant.settings) {
    overrides.push_back(
        {.path = fmt::format("method.{}.{}", variant.method, setting.key), .value = setting.value});
  }
  return overrides;
}

}  // namespace tenpin::lab
