// The format for other programs and for people, from the table that the reader itself uses.
#pragma once

#include <string>

#include "scene/format.h"

namespace tenpin::scene {

// JSON Schema, draft 2020-12: docs/scene.schema.json is this text.
[[nodiscard]] std::string make_json_schema();

// The Markdown table of one object, as it stands in docs/scene-format.md.
[[nodiscard]] std::string make_markdown_table(const Object& object);

}  // namespace tenpin::scene
