// The default classes of an MJCF file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/import/model_text.h"

namespace tenpin::scene::mjcf {

class Defaults {
 public:
  static constexpr int kMain = 0;

  // Reads all <default> elements of the root.
  explicit Defaults(const Element& root);

  // The class named by an attribute of the element; `fallback` if there is no such attribute. If
  // the class does not exist, adds a problem and returns `fallback`.
  [[nodiscard]] int class_of(const Element& element, std::string_view attribute,
                             int fallback) const;

  // The element with the defaults of its class (or of `surrounding`, if it names none) and of the
  // enclosing classes. Its own attributes take precedence.
  [[nodiscard]] Element resolve(const Element& element, int surrounding) const;

  // The elements that hold the defaults of a class for one of the tags, outermost first.
  [[nodiscard]] std::vector<Element> chain(int index, std::span<const std::string_view> tags) const;

 private:
  struct Class {
    std::string name;
    int parent = -1;
    std::vector<Element> elements;
  };

  int open_class(const Element& element, int parent);

  std::vector<Class> classes_;
};

}  // namespace tenpin::scene::mjcf
