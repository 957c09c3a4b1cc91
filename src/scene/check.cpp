#include "scene/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/number.h"

namespace tenpin::scene {

namespace {

using Kind = Type::Kind;

constexpr std::size_t kMostNameBytes = 256;
constexpr std::size_t kMostListed = 20;  // words that an error message suggests

// Computing an edit distance takes a time proportional to the product of both lengths. With these
// limits a thousand errors take about a second at most.
constexpr std::size_t kMostLetters = 64;  // longest word for which a suggestion is sought
// total length of the words with which it is compared
constexpr std::size_t kMostCandidateLetters = 3000;

// The number of candidates, from the first, whose total length stays within that limit.
std::size_t count_cheap(std::span<const std::string_view> candidates) {
  std::size_t letters = 0;
  std::size_t count = 0;
  while (count < candidates.size() && letters <= kMostCandidateLetters) {
    letters += candidates[count++].size();
  }
  return count;
}

bool is_one_line(std::string_view text) {
  return text.size() <= kMostNameBytes && text.find_first_of("\t\n") == std::string_view::npos;
}

bool is_name(std::string_view text) {
  return is_one_line(text) && !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         text.find('/') == std::string_view::npos && text.find("..") == std::string_view::npos;
}

bool is_part(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool numbered = slash != std::string_view::npos;
  return is_name(text.substr(0, slash)) &&
         (!numbered || parse_json_unsigned(text.substr(slash + 1)).has_value());
}

bool is_colour(std::string_view text) {
  const auto consists_of = [&](std::string_view part, std::string_view letters) {
    return part.find_first_not_of(letters) == std::string_view::npos;
  };
  if (text.starts_with('#')) {
    return (text.size() == 4 || text.size() == 7) &&
           consists_of(text.substr(1), "0123456789abcdefABCDEF");
  }
  return text.size() >= 3 && text.size() <= 32 && consists_of(text, "abcdefghijklmnopqrstuvwxyz");
}

// True if the text begins like a number. Where a word or a number may be given, a mistyped number
// is reported as a number.
bool begins_like_number(std::string_view text) {
  return text.find_first_of("+-.0123456789") == 0;
}

constexpr const char* kNoUnits =
    "not a number (with a unit, write an expression: ${100 mm}, ${5 deg}, ${20 ms})";

// True of a number with letters behind it, such as "100 mm", "5deg" or "1 s".
bool has_unit(std::string_view text) {
  const std::size_t letters =
      text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (letters == std::string_view::npos || letters + 1 == text.size()) return false;
  const std::size_t end = text.find_last_not_of(' ', letters);
  return end != std::string_view::npos && is_json_number(text.substr(0, end + 1));
}

// Is the node text, and not a number or flag without quotes or in the wrong place?
bool is_text(const Node& node) {
  return node.is_scalar() && (node.quoted || (!is_json_number(node.text) && node.text != "true" &&
                                              node.text != "false"));
}

bool holds_text(Kind kind, const Node& node) {
  switch (kind) {
    case Kind::kTitle:
      return is_one_line(node.text);
    case Kind::kName:
      return is_name(node.text);
    case Kind::kPart:
      return is_part(node.text);
    case Kind::kColour:
      return is_colour(node.text);
    default:
      return !node.text.empty();
  }
}

class Checker {
 public:
  explicit Checker(ProblemList* problems) : problems_(*problems) {}

  void check_keys(const Node& node, const Object& object, const Trail& trail) {
    if (!node.is_map()) {
      return add(node, trail, "wrong type", {.kind = Kind::kObject, .object = &object});
    }
    bool unknown = false;
    for (const Key& key : node.keys) {
      if (object.find(key.text) == nullptr) {
        add_unknown_key(key, object, {.up = &trail, .key = key.text});
        unknown = true;
      }
    }
    check_required(node, object, trail);
    check_one_of(node, object, trail, unknown);
  }

  void check(const Node& node, const Field& field, const Trail& trail) {
    const std::string_view outer = std::exchange(unit_, field.unit);
    check(node, field.type, trail);
    unit_ = outer;
  }

  void check(const Node& node, const Type& type, const Trail& trail) {
    switch (type.kind) {
      case Kind::kNumber:
        return check_number(node, type, trail);
      case Kind::kInteger:
        return check_integer(node, type, trail);
      case Kind::kSeed:
        return check_seed(node, type, trail);
      case Kind::kFlag:
        return check_flag(node, type, trail);
      case Kind::kTitle:
      case Kind::kName:
      case Kind::kPart:
      case Kind::kColour:
      case Kind::kFile:
        return check_text(node, type, trail);
      case Kind::kChoice:
        return check_choice(node, type, trail);
      case Kind::kList:
        return check_list(node, type, trail);
      case Kind::kNamed:
        return check_named(node, type, trail);
      case Kind::kObject:
        return check_object(node, type, trail);
      case Kind::kValue:
        return node.kind == Node::Kind::kNull ? add(node, trail, "missing", type) : void();
      case Kind::kAny:
        return check_any(node, type, trail);
    }
  }

 private:
  void add(const Node& node, const Trail& trail, const std::string& problem, const Type& type) {
    const bool has_unit = type.kind == Kind::kNumber && !unit_.empty();
    problems_.add(node.place, trail.to_string(),
                  problem + ", got " + tenpin::scene::describe(node) + ", want " + describe(type) +
                      (has_unit ? " " + std::string(unit_) : ""));
  }

  void check_number(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_scalar() || node.quoted) {
      return add(node, trail, "wrong type", type);
    }
    if (node.text == "infinite") {
      return add(node, trail, "infinite friction is not supported", type);
    }
    if (!is_json_number(node.text)) {
      return add(node, trail, has_unit(node.text) ? kNoUnits : "not a number", type);
    }
    const std::optional<double> value = parse_json_number(node.text);
    if (!value || !type.range.holds(*value)) {
      add(node, trail, "out of range", type);
    }
  }

  void check_integer(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_scalar() || node.quoted || !is_json_number(node.text)) {
      return add(node, trail, "wrong type", type);
    }
    if (node.text.find_first_of(".eE") != std::string::npos) {
      return add(node, trail, "not whole", type);
    }
    const std::optional<std::int64_t> value = parse_json_integer(node.text);
    if (!value || !type.range.holds(static_cast<double>(*value))) {
      add(node, trail, "out of range", type);
    }
  }

  void check_seed(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_scalar() || node.quoted || !parse_json_unsigned(node.text)) {
      add(node, trail, "not a seed", type);
    }
  }

  void check_flag(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_scalar() || node.quoted || (node.text != "true" && node.text != "false")) {
      add(node, trail, "wrong type", type);
    }
  }

  void check_text(const Node& node, const Type& type, const Trail& trail) {
    if (!is_text(node)) {
      add(node, trail, "wrong type (quote it if it is meant as text)", type);
    } else if (!holds_text(type.kind, node)) {
      add(node, trail, "not allowed", type);
    }
  }

  void check_choice(const Node& node, const Type& type, const Trail& trail) {
    if (!is_text(node)) {
      return add(node, trail, "wrong type", type);
    }
    if (std::find(type.choices.begin(), type.choices.end(), node.text) == type.choices.end()) {
      problems_.add(
          node.place, trail.to_string(),
          "unknown value, got " + excerpt(node.text) + ", " + want_one_of(node.text, type.choices));
    }
  }

  void check_list(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_list()) {
      return add(node, trail, "wrong type", type);
    }
    const auto count = static_cast<std::int64_t>(node.items.size());
    if (count < type.least || count > type.most) {
      const std::string want =
          type.least == type.most ? describe(type)
                                  : std::to_string(type.least) + " to " + std::to_string(type.most);
      return problems_.add(node.place, trail.to_string(),
                           "wrong length, got " + std::to_string(count) + " entries, want " + want);
    }
    for (int i = 0; i < static_cast<int>(count); ++i) {
      check(node.items[static_cast<std::size_t>(i)], *type.item, {.up = &trail, .index = i});
    }
  }

  void check_named(const Node& node, const Type& type, const Trail& trail) {
    if (!node.is_map()) {
      return add(node, trail, "wrong type", type);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Key& key = node.keys[i];
      const bool any_key = type.item->kind == Kind::kValue;  // A path of the format, not a name.
      if (!any_key && !is_name(key.text)) {
        problems_.add(key.place, trail.to_string(),
                      "not allowed, got " + excerpt(key.text) + ", want " +
                          describe(Type{.kind = Kind::kName}));
      }
      check(node.items[i], *type.item, {.up = &trail, .key = key.text});
    }
  }

  void check_object(const Node& node, const Type& type, const Trail& trail) {
    check_keys(node, *type.object, trail);
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      if (const Field* field = type.object->find(node.keys[i].text)) {
        check(node.items[i], *field, {.up = &trail, .key = node.keys[i].text});
      }
    }
  }

  void add_unknown_key(const Key& key, const Object& object, const Trail& trail) {
    std::vector<std::string_view> candidates;
    for (const Field& field : object.fields) {
      candidates.push_back(field.key);
    }
    problems_.add(
        key.place, trail.to_string(),
        "unknown key, got " + excerpt(key.text) + ", " + want_one_of(key.text, candidates));
  }

  void check_required(const Node& node, const Object& object, const Trail& trail) {
    for (const Field& field : object.fields) {
      if (field.required() && node.find(field.key) == nullptr) {
        const Trail missing = {.up = &trail, .key = field.key};
        problems_.add(node.place, missing.to_string(),
                      "missing, got nothing, want " + describe(field.type));
      }
    }
  }

  void check_one_of(const Node& node, const Object& object, const Trail& trail, bool unknown) {
    std::string found;
    int count = 0;
    for (const std::string_view key : object.one_of) {
      if (node.find(key) != nullptr) {
        found += (count++ == 0 ? "" : " and ") + std::string(key);
      }
    }
    // An unknown key is probably the missing key, mistyped.
    const bool missing = count == 0 && !object.one_of.empty() && !unknown;
    if (missing || count > 1) {
      problems_.add(node.place, trail.to_string(),
                    std::string(count == 0 ? "missing" : "contradiction") + ", got " +
                        (count == 0 ? "none" : found) + ", " + want_one_of("", object.one_of));
    }
  }

  // Reports errors relative to the alternative that the node resembles, if there is one.
  void check_any(const Node& node, const Type& type, const Trail& trail) {
    const auto alike = std::find_if(type.alternatives.begin(), type.alternatives.end(),
                                    [&](const Type& candidate) {
                                      return looks_like(node, candidate);
                                    });
    if (alike == type.alternatives.end()) {
      return add(node, trail, "wrong type", type);
    }
    const Object* object = find_object_with_key(node, type);
    if (object != nullptr) return add_bare_key(node, *object, trail);
    check(node, *alike, trail);
  }

  // For `joint: hinge`: finds the joint's object, whose key `hinge` needs a map as its value.
  static const Object* find_object_with_key(const Node& node, const Type& type) {
    for (const Type& candidate : type.alternatives) {
      if (candidate.kind == Kind::kChoice && node.is_scalar() &&
          std::find(candidate.choices.begin(), candidate.choices.end(), node.text) !=
              candidate.choices.end()) {
        return nullptr;
      }
    }
    for (const Type& candidate : type.alternatives) {
      const bool has = node.is_scalar() && candidate.kind == Kind::kObject &&
                       candidate.object->find(node.text) != nullptr;
      if (has) return candidate.object;
    }
    return nullptr;
  }

  // Adds a problem that shows how to write the key with its required fields.
  void add_bare_key(const Node& node, const Object& object, const Trail& trail) {
    const Type& type = object.find(node.text)->type;
    std::string value = "...";
    if (type.kind == Kind::kObject) {
      value = "{";
      for (const Field& field : type.object->fields) {
        if (!field.required()) continue;
        value += (value.size() == 1 ? "" : ", ") + std::string(field.key) + ": ...";
      }
      value += "}";
    }
    problems_.add(
        node.place, trail.to_string(),
        "needs details, got " + excerpt(node.text) + ", want {" + node.text + ": " + value + "}");
  }

  static bool looks_like(const Node& node, const Type& type) {
    if (type.kind == Kind::kList) {
      const bool rows = node.is_list() && !node.items.empty() && node.items[0].is_list();
      return node.is_list() && rows == (type.item->kind == Kind::kList);
    }
    if (type.kind == Kind::kChoice) {
      return node.is_scalar() && !begins_like_number(node.text);
    }
    return type.kind == Kind::kObject ? node.is_map() : node.is_scalar();
  }

  ProblemList& problems_;
  std::string_view unit_;  // of the numbers in the current field
};

}  // namespace

std::string Trail::to_string() const {
  std::string before = up == nullptr ? "" : up->to_string();
  if (index >= 0) {
    return before + "[" + std::to_string(index) + "]";
  }
  return before.empty() ? excerpt(key) : before + "." + excerpt(key);
}

bool check(const Node& node, const Type& type, const Trail& trail, ProblemList* problems) {
  const std::size_t before = problems->size();
  Checker(problems).check(node, type, trail);
  return problems->size() == before;
}

bool check(const Node& node, const Field& field, const Trail& trail, ProblemList* problems) {
  const std::size_t before = problems->size();
  Checker(problems).check(node, field, trail);
  return problems->size() == before;
}

bool check_keys(const Node& node, const Object& object, const Trail& trail, ProblemList* problems) {
  const std::size_t before = problems->size();
  Checker(problems).check_keys(node, object, trail);
  return problems->size() == before;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return node.quoted ? "\"" + excerpt(node.text) + "\"" : excerpt(node.text);
    case Node::Kind::kList:
      return "a list of " + std::to_string(node.items.size());
    case Node::Kind::kMap:
      return "a map";
  }
  return {};
}

std::string want_one_of(std::string_view word, std::span<const std::string_view> candidates) {
  // Words of one letter are similar to each other by accident.
  if (word.size() > 1 && word.size() <= kMostLetters) {
    if (const auto meant = nearest(word, candidates.first(count_cheap(candidates)))) {
      return "want " + *meant;
    }
  }
  std::string all;
  for (const std::string_view candidate :
       candidates.first(std::min(kMostListed, candidates.size()))) {
    all += (all.empty() ? "" : ", ") + std::string(candidate);
  }
  return (candidates.size() == 1 ? "want " : "want one of ") + all +
         (candidates.size() > kMostListed ? ", ..." : "");
}

}  // namespace tenpin::scene
