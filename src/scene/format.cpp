#include "scene/format.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace tenpin::scene {

using Kind = Type::Kind;

const Field* Object::find(std::string_view key) const {
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& candidate) {
    return candidate.key == key;
  });
  return field == fields.end() ? nullptr : &*field;
}

bool is_default(std::string_view object, std::string_view key, std::string_view value) {
  for (const Object* candidate : all_objects()) {
    if (candidate->name != object) continue;
    const Field* field = candidate->find(key);
    return field != nullptr && !field->required() && field->fallback == value;
  }
  return false;
}

std::string describe(const Range& range) {
  if (range.low == range.high) {
    return to_text(range.low);
  }
  return (range.low_open ? "> " : ">= ") + to_text(range.low) + ", " +
         (range.high_open ? "< " : "<= ") + to_text(range.high);
}

namespace {

std::string join(std::span<const std::string_view> words) {
  std::string result;
  for (const std::string_view word : words) {
    result += (result.empty() ? "" : ", ") + std::string(word);
  }
  return result;
}

std::string describe_integer(const Range& range) {
  const auto low = std::to_string(static_cast<std::int64_t>(range.low));
  const auto high = std::to_string(static_cast<std::int64_t>(range.high));
  return low == high ? low : "a whole number >= " + low + ", <= " + high;
}

std::string describe_list(const Type& type) {
  const bool exact = type.least == type.most;
  const bool plain = type.item->kind == Kind::kNumber || type.item->kind == Kind::kInteger;
  const std::string count = exact ? std::to_string(type.least) + " " : "";
  if (exact && plain) {
    return "a list of " + count + "numbers";
  }
  if (exact && type.item->kind == Kind::kList) {
    return "a list of " + count + "rows";
  }
  return exact ? "a list of " + count + "items" : "a list";
}

std::string describe_any(std::span<const Type> types) {
  std::string result;
  for (const Type& type : types) {
    result += (result.empty() ? "" : ", or ") + describe(type);
  }
  return result;
}

std::string describe_object(const Object& object) {
  if (!object.one_of.empty()) {
    return (object.one_of.size() > 1 ? "a map with one of " : "a map with ") + join(object.one_of);
  }
  return "a map (" + std::string(object.name) + ")";
}

}  // namespace

std::string describe(const Type& type) {
  switch (type.kind) {
    case Kind::kNumber:
      return "a number " + describe(type.range);
    case Kind::kInteger:
      return describe_integer(type.range);
    case Kind::kSeed:
      return "a whole number >= 0, < 2^64";
    case Kind::kFlag:
      return "true or false";
    case Kind::kTitle:
      return "one line of printable text, at most 256 bytes";
    case Kind::kName:
      return "a name: 1 to 256 printable bytes without '/' and '..'";
    case Kind::kPart:
      return "the name of a body, or name/2 for its shape number 2";
    case Kind::kColour:
      return "#rgb, #rrggbb or a CSS colour name";
    case Kind::kFile:
      return "the path of a file below the scene's folder";
    case Kind::kChoice:
      return "one of " + join(type.choices);
    case Kind::kList:
      return describe_list(type);
    case Kind::kNamed:
      return "a map of names";
    case Kind::kObject:
      return describe_object(*type.object);
    case Kind::kValue:
      return "a value";
    case Kind::kAny:
      return describe_any(type.alternatives);
  }
  return {};
}

}  // namespace tenpin::scene
