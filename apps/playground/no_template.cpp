// In the playground the viewer is part of the page, not of the engine, so the template is empty.
#include "lab/viewer_template.h"

std::span<const std::string_view> tenpin::lab::viewer_template() {
  return {};
}
