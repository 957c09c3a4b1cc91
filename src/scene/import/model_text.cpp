#include "scene/import/model_text.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"

namespace tenpin::scene {

namespace {

constexpr std::size_t kMostProblems = 1000;

std::string in_quotes(std::string_view text) {
  return "\"" + excerpt(text) + "\"";
}

// An attribute, and the element at which it was found.
struct Found {
  int element = -1;
  XmlAttribute* attribute = nullptr;
};

// Finds the attribute in the first source that has it.
Found locate(XmlDocument* document, const std::vector<int>& sources, std::string_view name) {
  for (const int source : sources) {
    for (XmlAttribute& attribute : (*document)[source].attributes) {
      if (attribute.name == name) {
        return {source, &attribute};
      }
    }
  }
  return {};
}

// The path "parent[its name].element[its name].attribute", as in messages.
std::string path_of(const XmlDocument& document, int index, std::string_view attribute) {
  const auto name_of = [&](const XmlElement& element) {
    for (const XmlAttribute& a : element.attributes) {
      if (a.name == "name" && !a.value.empty()) {
        return element.tag + "[" + excerpt(a.value) + "]";
      }
    }
    return element.tag;
  };
  const int parent = document[index].parent;
  std::string result = parent >= 0 ? name_of(document[parent]) + "." : "";
  result += name_of(document[index]);
  return attribute.empty() ? result : result + "." + std::string(attribute);
}

std::string name_for_note(std::string_view tag, std::string_view attribute) {
  return "<" + std::string(tag) + (attribute.empty() ? "" : " ") + std::string(attribute) + ">";
}

}  // namespace

void ModelText::add_problem(int element, const Place& place, std::string path, std::string text) {
  const int file = document[element].file;
  problems.push_back({.file = document.files[static_cast<std::size_t>(file)],
                      .line = place.line,
                      .column = place.column,
                      .path = std::move(path),
                      .text = std::move(text)});
  if (problems.size() >= kMostProblems) {
    throw_if_any();
  }
}

void ModelText::add_note(int element, std::string text, Effect effect) {
  const XmlElement& e = document[element];
  notes.push_back(
      {.file = e.file, .line = e.place.line, .text = std::move(text), .effect = effect});
}

void ModelText::throw_if_any() {
  if (problems.empty()) {
    return;
  }
  const auto rank = [&](const Problem& p) {
    const auto file = std::find(document.files.begin(), document.files.end(), p.file);
    return std::tuple(file - document.files.begin(), p.line, p.column);
  };
  std::stable_sort(problems.begin(), problems.end(), [&](const Problem& a, const Problem& b) {
    return rank(a) < rank(b);
  });
  throw SceneError(std::move(problems));
}

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<std::string> mend_numbers(std::string_view text) {
  constexpr std::string_view kDefault = "$(optenv ";
  std::string result(text);
  if (text.starts_with(kDefault) && text.ends_with(')')) {
    const std::size_t name_end = std::min(text.find(' ', kDefault.size()), text.size() - 1);
    result = text.substr(name_end, text.size() - 1 - name_end);
  } else if (text.find("$(") != std::string_view::npos) {
    return std::nullopt;
  }
  std::replace(result.begin(), result.end(), ',', ' ');
  std::string mended;
  bool changed = result != text;
  for (std::string_view word : split_words(result)) {
    if (word.ends_with('.') && word.find('.') + 1 < word.size()) {
      word.remove_suffix(1);
      changed = true;
    }
    mended += (mended.empty() ? "" : " ") + std::string(word);
  }
  return changed ? mended : std::string(text);
}

Children Element::children() const {
  return {text_, node().first_child};
}

std::optional<Element> Element::child(std::string_view tag) const {
  for (const Element& element : children()) {
    if (element.tag() == tag) {
      return element.mark_read();
    }
  }
  return std::nullopt;
}

bool Element::has_child(std::string_view tag) const {
  for (const Element& element : children()) {
    if (element.tag() == tag) {
      return true;
    }
  }
  return false;
}

const Element& Element::mark_read() const {
  node().read = true;
  return *this;
}

std::optional<Element> Element::first_with(std::span<const std::string_view> names) const {
  for (const int source : sources_) {
    const Element alone(text_, source);
    if (std::any_of(names.begin(), names.end(), [&](std::string_view name) {
          return alone.has(name);
        })) {
      return alone;
    }
  }
  return std::nullopt;
}

bool Element::has(std::string_view name) const {
  return locate(&text_->document, sources_, name).attribute != nullptr;
}

const std::string* Element::find(std::string_view name) const {
  const Found found = locate(&text_->document, sources_, name);
  if (found.attribute == nullptr) {
    return nullptr;
  }
  // Attributes of default classes that this one overrides count as read, too.
  for (const int source : sources_) {
    for (XmlAttribute& attribute : text_->document[source].attributes) {
      attribute.read = attribute.read || attribute.name == name;
    }
  }
  return &found.attribute->value;
}

std::string Element::text(std::string_view name, std::string_view fallback) const {
  const std::string* value = find(name);
  return value != nullptr ? *value : std::string(fallback);
}

std::string Element::required_text(std::string_view name) const {
  const std::string* value = find(name);
  if (value == nullptr || value->empty()) {
    problem(name, "missing, got nothing, want a value");
    return {};
  }
  return *value;
}

std::string Element::word(std::string_view name, std::span<const std::string_view> words,
                          std::string_view fallback) const {
  const std::string* value = find(name);
  if (value == nullptr) {
    return std::string(fallback);
  }
  if (std::find(words.begin(), words.end(), *value) == words.end()) {
    problem(name, "unknown word, got " + in_quotes(*value) + ", " + want_one_of(*value, words));
    return std::string(fallback);
  }
  return *value;
}

bool Element::flag(std::string_view name, bool fallback) const {
  constexpr std::string_view kWords[] = {"true", "false"};
  return word(name, kWords, fallback ? "true" : "false") == "true";
}

std::optional<std::vector<double>> Element::numbers(std::string_view name, int least, int most,
                                                    const Range& range) const {
  const std::string* value = find(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  std::string text = *value;
  if (text_->lenient) {
    const auto mended = mend_numbers(text);
    if (!mended) {
      note(name_for_note(tag(), name) + " not used: cannot be resolved, got " + in_quotes(text));
      return std::nullopt;
    }
    if (*mended != text) {
      note(name_for_note(tag(), name) + " is read as " + *mended + ", got " + in_quotes(text));
      text = *mended;
    }
  }
  std::vector<double> result;
  for (const std::string_view word : split_words(text)) {
    const auto number = parse_double(word);
    if (!number || !std::isfinite(*number)) {
      problem(name, "not a number, got " + in_quotes(word) + ", want a finite number");
      return std::nullopt;
    }
    if (!range.holds(*number)) {
      problem(name, "out of range, got " + to_text(*number) + ", want " + describe(range));
      return std::nullopt;
    }
    result.push_back(*number);
  }
  const int count = static_cast<int>(result.size());
  if (text_->lenient && count > most) {
    note(name_for_note(tag(), name) + " used without its last " + std::to_string(count - most) +
         " numbers, got " + std::to_string(count) + ", want " + std::to_string(most));
    result.resize(static_cast<std::size_t>(most));
    return result;
  }
  if (count < least || count > most) {
    const std::string want = least == most ? std::to_string(least)
                                           : std::to_string(least) + " to " + std::to_string(most);
    problem(name, "wrong length, got " + std::to_string(count) + " numbers, want " + want);
    return std::nullopt;
  }
  return result;
}

std::optional<double> Element::number(std::string_view name, const Range& range) const {
  const auto values = numbers(name, 1, 1, range);
  return values ? std::optional(values->front()) : std::nullopt;
}

double Element::number(std::string_view name, double fallback, const Range& range) const {
  return number(name, range).value_or(fallback);
}

std::optional<std::int64_t> Element::integer(std::string_view name, const Range& range) const {
  const auto value = number(name, range);
  if (value && *value != std::floor(*value)) {
    problem(name, "not a whole number, got " + to_text(*value) + ", want a whole number");
    return std::nullopt;
  }
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::optional<Vec3> Element::vector(std::string_view name, const Range& range) const {
  const auto v = numbers(name, 3, 3, range);
  return v ? std::optional(Vec3((*v)[0], (*v)[1], (*v)[2])) : std::nullopt;
}

bool Element::repair(std::string_view attribute, const std::string& problem_text,
                     const std::string& instead) const {
  if (!text_->lenient) {
    problem(attribute, problem_text + " (--lenient: " + instead + ")");
    return false;
  }
  note(name_for_note(tag(), attribute) + " " + problem_text + ": " + instead);
  return true;
}

void Element::problem(std::string_view attribute, const std::string& text) const {
  const Found found = locate(&text_->document, sources_, attribute);
  if (found.attribute == nullptr) {
    return text_->add_problem(index(), node().place, path_of(text_->document, index(), attribute),
                              text);
  }
  // Reported at the default class if the value comes from there.
  text_->add_problem(found.element, found.attribute->place,
                     path_of(text_->document, found.element, attribute), text);
}

}  // namespace tenpin::scene
