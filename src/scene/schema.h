// Descriptions of the format for other programs and for people, generated from the tables that the
// reader uses.
#pragma once

#include <string>

#include "scene/format.h"

namespace tenpin::scene {

// JSON Schema, draft 2020-12: the content of docs/scene.schema.json.
[[nodiscard]] std::string make_json_schema();

// The Markdown table of one object, as in docs/scene-format.md.
[[nodiscard]] std::string make_markdown_table(const Object& object);

}  // namespace tenpin::scene
