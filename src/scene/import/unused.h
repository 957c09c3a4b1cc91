// The notes of an import, in a form that stays readable when there are many.
#pragma once

#include <string>
#include <vector>

#include "scene/import/model_text.h"

namespace tenpin::scene {

// Lists what the importer did not read. For an element that is unused as a whole, its attributes
// are not listed and its children are only counted.
[[nodiscard]] std::vector<Note> list_unused(const XmlDocument& document);

// First what changes the motion, then how the model was read: one line per file and text, in the
// order of their first places, with all lines of each:
// "arm.xml:12: changes the motion: <geom margin> not used; also lines 15, 18-40".
// At last one line for all that is only seen or measured: "arm.xml: appearance only, not used:
// ...".
[[nodiscard]] std::vector<std::string> print_notes(const XmlDocument& document,
                                                   const std::vector<Note>& notes);

}  // namespace tenpin::scene
