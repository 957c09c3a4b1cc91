// The building blocks of a written scene.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "math/types.h"

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

// {a: 1, b: 2}
class Map {
 public:
  Map& add(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + value;
    return *this;
  }
  Map& add(std::string_view key, double value) { return add(key, to_text(value)); }
  Map& add(std::string_view key, const Vec3& value) { return add(key, list(value)); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

}  // namespace tenpin::scene
