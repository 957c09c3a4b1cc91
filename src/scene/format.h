// The scene format as data: every key with its type, range, unit, default and meaning. The checker,
// the JSON Schema and the tables of docs/scene-format.md are all generated from this description.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tenpin::scene {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   // low itself is excluded
  bool high_open = false;  // high itself is excluded
  bool or_zero = false;    // 0 is included as a special case

  bool holds(double x) const {
    return (or_zero && x == 0.0) ||
           ((low_open ? x > low : x >= low) && (high_open ? x < high : x <= high));
  }
};

struct Object;

struct Type {
  enum class Kind {
    kNumber,
    kInteger,
    kSeed,    // 0 ... 2^64 - 1
    kFlag,    // true or false
    kTitle,   // printable text in one line
    kName,    // a title that can be used in a path: not empty, no '/', no '..'
    kPart,    // the name of a body, or name/2 for its shape number 2
    kColour,  // #rgb, #rrggbb or a CSS name
    kFile,    // a path below the scene's folder
    kChoice,  // one of `choices`
    kList,    // of `item`, `least` to `most` of them
    kNamed,   // a map from user-chosen names to `item`
    kObject,  // a map with the keys of `object`
    kValue,   // any YAML value; checked elsewhere
    kAny,     // one of `alternatives`, which differ in the kind of node or in length
  };

  Kind kind = Kind::kNumber;
  Range range = {};
  std::span<const std::string_view> choices = {};
  const Type* item = nullptr;
  int least = 0;
  int most = std::numeric_limits<int>::max();
  const Object* object = nullptr;
  std::span<const Type> alternatives = {};
};

struct Field {
  std::string_view key;
  Type type;
  std::string_view unit;      // "" for numbers without a unit and for other types
  std::string_view fallback;  // the default as it would be typed; "" = required; "-" = see meaning
  std::string_view meaning;

  bool required() const { return fallback.empty(); }
};

struct Object {
  std::string_view name;  // as in the documentation
  std::string_view meaning;
  std::span<const Field> fields;
  std::span<const std::string_view> one_of = {};  // exactly one of these keys must be present

  const Field* find(std::string_view key) const;
};

// Every object, the scene itself first, in the order of the documentation.
[[nodiscard]] std::span<const Object* const> all_objects();
[[nodiscard]] const Object& scene_object();
[[nodiscard]] const Object& body_object();
[[nodiscard]] const Object& model_object();
[[nodiscard]] const Object& loop_object();
[[nodiscard]] std::span<const std::string_view> shape_kinds();

// True if this is the default of a key of the named object.
[[nodiscard]] bool is_default(std::string_view object, std::string_view key,
                              std::string_view value);

// Says what the user should have written: "a number > 0, <= 1000000", "one of free, fixed or a
// map".
[[nodiscard]] std::string describe(const Type& type);
[[nodiscard]] std::string describe(const Range& range);

}  // namespace tenpin::scene
