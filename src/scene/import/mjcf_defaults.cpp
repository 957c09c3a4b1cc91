#include "scene/import/mjcf_defaults.h"

#include <algorithm>
#include <utility>

#include "scene/check.h"

namespace tenpin::scene::mjcf {

Defaults::Defaults(const Element& root) {
  classes_.push_back({.name = "main"});
  std::vector<std::pair<Element, int>> open;  // <default> elements and their classes
  for (const Element& element : root.children()) {
    if (element.tag() == "default") {
      element.mark_read();
      // The outermost class is the main class, whatever its name.
      classes_.front().name = element.text("class", classes_.front().name);
      open.emplace_back(element, kMain);
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto [element, index] = open[i];
    for (const Element& child : element.children()) {
      if (child.tag() == "default") {
        open.emplace_back(child, open_class(child.mark_read(), index));
      } else {
        classes_[static_cast<std::size_t>(index)].elements.push_back(child);
      }
    }
  }
}

int Defaults::open_class(const Element& element, int parent) {
  const std::string name = element.required_text("class");
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].name == name && classes_[i].parent == parent) {
      return static_cast<int>(i);
    }
  }
  classes_.push_back({.name = name, .parent = parent});
  return static_cast<int>(classes_.size()) - 1;
}

int Defaults::class_of(const Element& element, std::string_view attribute, int fallback) const {
  const std::string* name = element.find(attribute);
  if (name == nullptr) {
    return fallback;
  }
  const auto found = std::find_if(classes_.begin(), classes_.end(), [&](const Class& c) {
    return c.name == *name;
  });
  if (found == classes_.end()) {
    std::vector<std::string_view> names;
    for (const Class& c : classes_) {
      names.push_back(c.name);
    }
    element.problem(attribute,
                    "unknown default class, got " + *name + ", " + want_one_of(*name, names));
    return fallback;
  }
  return static_cast<int>(found - classes_.begin());
}

Element Defaults::resolve(const Element& element, int surrounding) const {
  Element result = element.mark_read();
  for (int i = class_of(element, "class", surrounding); i >= 0;
       i = classes_[static_cast<std::size_t>(i)].parent) {
    const std::vector<Element>& own = classes_[static_cast<std::size_t>(i)].elements;
    for (auto candidate = own.rbegin(); candidate != own.rend(); ++candidate) {
      if (candidate->tag() == element.tag()) {
        result.add_fallback(candidate->mark_read().index());
      }
    }
  }
  return result;
}

std::vector<Element> Defaults::chain(int index, std::span<const std::string_view> tags) const {
  std::vector<Element> result;
  for (int i = index; i >= 0; i = classes_[static_cast<std::size_t>(i)].parent) {
    const std::vector<Element>& own = classes_[static_cast<std::size_t>(i)].elements;
    for (auto candidate = own.rbegin(); candidate != own.rend(); ++candidate) {
      if (std::find(tags.begin(), tags.end(), candidate->tag()) != tags.end()) {
        result.push_back(candidate->mark_read());
      }
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace tenpin::scene::mjcf
