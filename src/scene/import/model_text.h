// A robot model as a tree of elements whose attributes are read with checks. Records what was read,
// so that the rest can be listed as unused.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/types.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/import/xml.h"
#include "scene/problem.h"

namespace tenpin::scene {

// Ranges that the scene format permits as well.
inline constexpr Range kAnyNumber = {.low = -1e18, .high = 1e18};
inline constexpr Range kPointRange = {.low = -1e7, .high = 1e7};
inline constexpr Range kSizeRange = {.low = 1e-9, .high = 1e6};
inline constexpr Range kNotNegative = {.low = 0.0, .high = 1e18};
inline constexpr Range kFrictionRange = {.low = 0.0, .high = 1000.0};

// The subject of a note.
enum class Effect {
  kMotion,      // the motion of the scene differs from the model, or may differ
  kChoice,      // a choice of how the model is read
  kAppearance,  // no effect on the motion: appearance, sensors, settings of other programs
};

// Information for the user about the import.
struct Note {
  int file = 0;  // index into XmlDocument::files
  int line = 0;  // 0: the file as a whole
  std::string text;
  Effect effect = Effect::kMotion;
};

struct ModelText {
  XmlDocument document;
  std::vector<Problem> problems;
  std::vector<Note> notes;
  bool lenient = false;  // repairs errors that other readers accept, with a note

  // Throws SceneError if there are so many problems that further reading makes no sense.
  void add_problem(int element, const Place& place, std::string path, std::string text);
  void add_note(int element, std::string text, Effect effect = Effect::kMotion);
  // Throws SceneError with all problems, in the order of the files, if any were added.
  void throw_if_any();
};

class Children;

// An element together with its fallbacks: an attribute is read from the first of these that has it:
// the element itself, then its default classes.
class Element {
 public:
  Element(ModelText* text, int index) : text_(text), sources_{index} {}

  std::string_view tag() const { return node().tag; }
  int index() const { return sources_.front(); }
  int line() const { return node().place.line; }
  Children children() const;
  // The first child of that tag, marked as read.
  std::optional<Element> child(std::string_view tag) const;
  bool has_child(std::string_view tag) const;  // marks nothing as read
  // Marks the element as read: only its attributes that are not read are then listed as unused.
  const Element& mark_read() const;
  void add_fallback(int source) { sources_.push_back(source); }
  // The first source that has one of the attributes, or nothing.
  std::optional<Element> first_with(std::span<const std::string_view> names) const;

  // Each function marks the attribute as read, and adds a problem if its value is invalid.
  const std::string* find(std::string_view name) const;
  bool has(std::string_view name) const;  // marks nothing
  std::string text(std::string_view name, std::string_view fallback = "") const;
  std::string required_text(std::string_view name) const;
  std::string word(std::string_view name, std::span<const std::string_view> words,
                   std::string_view fallback) const;
  bool flag(std::string_view name, bool fallback) const;
  std::optional<double> number(std::string_view name, const Range& range) const;
  double number(std::string_view name, double fallback, const Range& range) const;
  std::optional<std::int64_t> integer(std::string_view name, const Range& range) const;
  std::optional<Vec3> vector(std::string_view name, const Range& range) const;
  // Reads `least` to `most` numbers; returns nothing if the attribute is missing or invalid.
  std::optional<std::vector<double>> numbers(std::string_view name, int least, int most,
                                             const Range& range) const;

  // Adds "path: problem, got X, want Y" at the attribute, or at the element if it has none.
  void problem(std::string_view attribute, const std::string& text) const;
  void note(const std::string& text, Effect effect = Effect::kMotion) const {
    text_->add_note(index(), text, effect);
  }
  // For a problem that a lenient reading repairs: adds a note that says what was wrong and what is
  // used instead, and returns true. A strict reading adds the problem and returns false.
  [[nodiscard]] bool repair(std::string_view attribute, const std::string& problem_text,
                            const std::string& instead) const;
  ModelText& model() const { return *text_; }

 private:
  XmlElement& node() const { return text_->document[sources_.front()]; }

  ModelText* text_;
  std::vector<int> sources_;
};

// Iterates over the children of an element, in the order of the file.
class Children {
 public:
  class Iterator {
   public:
    Iterator(ModelText* text, int index) : text_(text), index_(index) {}
    Element operator*() const { return {text_, index_}; }
    Iterator& operator++() {
      index_ = text_->document[index_].next;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    ModelText* text_;
    int index_;
  };

  Children(ModelText* text, int first) : text_(text), first_(first) {}
  Iterator begin() const { return {text_, first_}; }
  Iterator end() const { return {text_, -1}; }

 private:
  ModelText* text_;
  int first_;
};

// Returns "want x" for a name that is not a key of `named`, or a note that there are none.
template <typename Map>
std::string want_key(const std::string& name, const Map& named) {
  std::vector<std::string_view> names;
  names.reserve(named.size());
  for (const auto& [known, value] : named) {
    names.push_back(known);
  }
  return names.empty() ? "want none, the model has none" : want_one_of(name, names);
}

// Converts a list of numbers as tolerant readers do: commas separate, an extra dot at the end of a
// number is dropped, and $(optenv NAME default) is replaced by its default. Returns nothing if the
// text cannot be resolved.
[[nodiscard]] std::optional<std::string> mend_numbers(std::string_view text);

// Words between blanks.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);

}  // namespace tenpin::scene
