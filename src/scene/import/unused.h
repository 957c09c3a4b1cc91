// The notes of an import, in a form that remains readable when there are many.
#pragma once

#include <string>
#include <vector>

#include "scene/import/model_text.h"

namespace tenpin::scene {

// Lists what the importer did not read. If an element is unused as a whole, its attributes are not
// listed and its children are only counted.
[[nodiscard]] std::vector<Note> list_unused(const XmlDocument& document);

// Prints notes: first what changes the motion, then how the model was read. There is one line per
// file and text, in the order of their first places, with the numbers of all lines:
// "arm.xml:12: changes the motion: <geom margin> not used; also lines 15, 18-40".
// The last line covers everything that only affects appearance or sensors: "arm.xml: appearance
// only, not used: ...".
[[nodiscard]] std::vector<std::string> print_notes(const XmlDocument& document,
                                                   const std::vector<Note>& notes);

}  // namespace tenpin::scene
