#include "scene/override.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/number.h"
#include "scene/parse_yaml.h"
#include "scene/problem.h"

namespace tenpin::scene {

namespace {

constexpr const char* kFile = "--set";

void shift_columns(int columns, Node* node) {
  const auto shift = [&](Place* place) {
    place->override = true;
    place->column += place->line == 1 ? columns : 0;
  };
  shift(&node->place);
  for (Key& key : node->keys) {
    shift(&key.place);
  }
  for (Node& item : node->items) {
    shift_columns(columns, &item);
  }
}

// Follows the path step by step from the root.
class PathWalker {
 public:
  PathWalker(const Override& override, int max_depth)
      : path_(override.path), rest_(override.path), max_depth_(max_depth) {}

  // Finds the node that the path names, and creates it if it does not exist.
  Node* walk(Node* root) {
    if (rest_.empty()) {
      refuse("empty path", "nothing", "a path such as method.time-stepping.step");
    }
    Node* node = root;
    for (int depth = 0; !rest_.empty(); ++depth) {
      if (depth >= max_depth_) {
        refuse("path too deep", path_, "at most " + std::to_string(max_depth_) + " steps");
      }
      node = step(node);
    }
    return node;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, std::string_view got,
                           const std::string& want) const {
    throw SceneError({{.file = kFile,
                       .line = 1,
                       .column = column(),
                       .path = excerpt(path_, 200),
                       .text = problem + ", got " + excerpt(got) + ", want " + want}});
  }

  int column() const { return static_cast<int>(path_.size() - rest_.size()) + 1; }

  Node* step(Node* node) {
    if (node->kind == Node::Kind::kNull) {
      node->kind = Node::Kind::kMap;
    }
    if (node->is_map()) {
      return step_into_map(node);
    }
    if (node->is_list()) {
      return step_into_list(node);
    }
    refuse("path goes through a plain value", node->text, "a path that ends there");
  }

  Node* step_into_map(Node* map) {
    std::size_t best = 0;
    Node* found = nullptr;
    for (std::size_t i = 0; i < map->keys.size(); ++i) {
      const std::string& key = map->keys[i].text;
      if (key.size() > best && starts_with_word(key)) {
        best = key.size();
        found = &map->items[i];
      }
    }
    const Place place = {.line = 1, .column = column(), .override = true};
    if (found != nullptr) {
      take(best);
      return found;
    }
    const std::string_view word = take(rest_.find_first_of(".["));
    if (word.empty()) {
      refuse("empty step in the path", path_, "a key");
    }
    map->keys.push_back({std::string(word), place});
    map->items.push_back({.place = place});
    return &map->items.back();
  }

  // "; did you mean 'ball'?", or nothing.
  static std::string suggest_name(const Node& list, std::string_view got) {
    std::vector<std::string> names;
    for (const Node& item : list.items) {
      const Node* name = item.find("name");
      if (name != nullptr && !name->text.empty()) names.push_back(name->text);
    }
    const auto meant = nearest(got, std::span<const std::string>(names));
    return meant ? "; did you mean '" + *meant + "'?" : "";
  }

  Node* step_into_list(Node* list) {
    for (Node& item : list->items) {
      const Node* name = item.find("name");
      if (name != nullptr && !name->text.empty() && starts_with_word(name->text)) {
        take(name->text.size());
        return &item;
      }
    }
    std::string_view word = rest_.substr(0, rest_.find('.'));
    if (word.starts_with('[')) {
      word = rest_.substr(0, rest_.find(']') == std::string_view::npos ? 0 : rest_.find(']') + 1);
    }
    const std::string_view digits = word.starts_with('[') ? word.substr(1, word.size() - 2) : word;
    const auto index = parse_json_unsigned(digits);
    if (!index || *index >= list->items.size()) {
      const std::string_view got = rest_.substr(0, rest_.find('.'));
      refuse("no such item", got,
             "a name, or a number below " + std::to_string(list->items.size()) +
                 suggest_name(*list, got));
    }
    take(word.size());
    return &list->items[*index];
  }

  // True if the path continues with this word. Names may contain dots, so the path is compared with
  // the existing names.
  bool starts_with_word(std::string_view word) const {
    return rest_.starts_with(word) &&
           (rest_.size() == word.size() || rest_[word.size()] == '.' || rest_[word.size()] == '[');
  }

  // Removes a word and the following dot from the rest of the path.
  std::string_view take(std::size_t length) {
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(word.size());
    if (rest_.size() > 1 && rest_.front() == '.') {
      rest_.remove_prefix(1);
    } else if (!rest_.empty() && rest_.front() != '[') {
      refuse("not a path", path_, "keys with dots between them");
    }
    return word;
  }

  std::string_view path_;
  std::string_view rest_;
  int max_depth_;
};

Node parse_value(const Override& override, int max_depth) {
  const int columns = static_cast<int>(override.path.size()) + 1;
  // Plain numbers, as in the trials of a study, skip the YAML parser, which would dominate the
  // time.
  if (is_json_number(override.value) && override.value.size() <= YamlLimits().max_word) {
    return {.kind = Node::Kind::kScalar,
            .place = {.line = 1, .column = columns + 1, .override = true},
            .text = override.value};
  }
  try {
    Node value =
        parse_yaml(override.value, kFile, {.max_depth = max_depth, .demand_last_line_end = false});
    shift_columns(columns, &value);
    return value;
  } catch (const SceneError& error) {
    Problem problem = error.problems().front();
    problem.path = excerpt(override.path, 200);
    problem.column += problem.line == 1 ? columns : 0;
    throw SceneError({problem});
  }
}

}  // namespace

void apply_overrides(std::span<const Override> overrides, int max_depth, Node* root) {
  for (const Override& override : overrides) {
    Node value = parse_value(override, max_depth);
    *PathWalker(override, max_depth).walk(root) = std::move(value);
  }
}

}  // namespace tenpin::scene
