// The building blocks of a written scene.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "math/types.h"
#include "scene/format.h"
#include "scene/scene.h"
#include "scene/words.h"

namespace tenpin::scene {

// All text is quoted as in JSON; names contain no control characters.
inline std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "\"";
}

inline std::string list(const Vec3& v) {
  return "[" + to_text(v.x()) + ", " + to_text(v.y()) + ", " + to_text(v.z()) + "]";
}

inline std::string list(const Quat& q) {
  return "[" + to_text(q.w()) + ", " + to_text(q.x()) + ", " + to_text(q.y()) + ", " +
         to_text(q.z()) + "]";
}

inline std::string list(const Mat3& A) {
  return "[" + list(Vec3(A.row(0))) + ", " + list(Vec3(A.row(1))) + ", " + list(Vec3(A.row(2))) +
         "]";
}

inline std::string pair(const std::string& a, const std::string& b) {
  return "[" + a + ", " + b + "]";
}

// A table over time, with all its points.
inline std::string write_table(const TimeTable& table) {
  std::string points;
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    points += (i == 0 ? "[" : ", [") + to_text(table.times[i]);
    for (int c = 0; c < table.columns; ++c) {
      points += ", " + to_text(table.values[i * static_cast<std::size_t>(table.columns) +
                                            static_cast<std::size_t>(c)]);
    }
    points += "]";
  }
  return "{points: [" + points +
         "], interpolation: " + std::string(to_word(table.interpolation, kTableWords)) + "}";
}

// A line with a key and its value; empty if the value is the default of that object's key.
inline std::string write_line(std::string_view indent, std::string_view object,
                              std::string_view key, const std::string& value) {
  return is_default(object, key, value)
             ? std::string()
             : std::string(indent) + std::string(key) + ": " + value + "\n";
}

// Writes maps such as {a: 1, b: 2}.
class Map {
 public:
  // Leaves out values that are the default of the object's key.
  explicit Map(std::string_view object) : object_(object) {}

  Map& add(std::string_view key, const std::string& value) {
    if (is_default(object_, key, value)) return *this;
    text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + value;
    return *this;
  }
  Map& add(std::string_view key, double value) { return add(key, to_text(value)); }
  Map& add(std::string_view key, const Vec3& value) { return add(key, list(value)); }
  // Writes the value, or the table that replaces it.
  template <typename Value>
  Map& add(std::string_view key, const Value& value, const TimeTable& table) {
    return table.empty() ? add(key, value) : add(key, write_table(table));
  }
  Map& add_table(std::string_view key, const TimeTable& table) {
    return table.empty() ? *this : add(key, write_table(table));
  }
  Map& add_during(const Span& span) {
    return span.is_always() ? *this : add("during", pair(to_text(span.begin), to_text(span.end)));
  }
  std::string text() const { return "{" + text_ + "}"; }
  bool empty() const { return text_.empty(); }

 private:
  std::string_view object_;
  std::string text_;
};

}  // namespace tenpin::scene
