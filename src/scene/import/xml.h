// XML as robot models use it: elements, attributes and comments, each with its line and column.
// Stricter than the usual libraries: an attribute given twice, an unknown entity or text after the
// root is an error, and whatever could read another file or grow without bound (a document type,
// user-defined entities) is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scene/node.h"

namespace tenpin::scene {

struct XmlAttribute {
  std::string name;
  std::string value;
  Place place = {};   // of the name
  bool read = false;  // true if the importer has read it; unread ones are listed for the user
};

// An element. Elements refer to each other by index, so that no depth of nesting can exhaust the
// stack.
struct XmlElement {
  std::string tag;
  Place place = {};
  int file = 0;  // index into XmlDocument::files
  std::vector<XmlAttribute> attributes = {};
  int parent = -1, first_child = -1, last_child = -1, next = -1;
  bool read = false;
};

struct XmlDocument {
  std::vector<std::string> files;    // paths as the user would write them, for errors
  std::vector<XmlElement> elements;  // in the order of their start tags; roots have no parent

  // The folder of a file, relative to the folder of the first file, which is the same or above it.
  [[nodiscard]] std::string folder_of(int file) const;

  XmlElement& operator[](int index) { return elements[static_cast<std::size_t>(index)]; }
  const XmlElement& operator[](int index) const {
    return elements[static_cast<std::size_t>(index)];
  }
};

inline constexpr int kMaxXmlDepth = 10'000;
inline constexpr std::size_t kMaxXmlElements = 4'000'000;

// Parses a text and adds its elements to the document as a file of that name. Returns the index of
// its root. Throws SceneError with the first problem. Text between the tags is skipped, because it
// has no meaning in either format. The time is linear in the size of the text.
int parse_xml(std::string_view text, const std::string& file, XmlDocument* document);

}  // namespace tenpin::scene
