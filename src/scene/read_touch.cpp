#include "scene/read_touch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "scene/characters.h"
#include "scene/number.h"

namespace tenpin::scene {

namespace {

// Parts [begin, end) of a body.
struct Parts {
  int body = 0;
  int begin = 0, end = 0;
};

class TouchReader {
 public:
  TouchReader(const BodyIndex& index, std::int64_t most, Scene* scene, ProblemList* problems)
      : index_(index),
        most_(most),
        complete_(problems->empty()),
        scene_(*scene),
        problems_(*problems) {}

  void read_never(const Node& pair, const std::string& path) {
    const std::optional<int> a = find_body(pair.items[0], pair.items[0].text, path + "[0]");
    const std::optional<int> b = find_body(pair.items[1], pair.items[1].text, path + "[1]");
    if (!a || !b || !differ(*a, *b, pair, path)) {
      return;
    }
    if (!never_.insert(std::minmax(*a, *b)).second) {
      return add_duplicate(pair, path);
    }
    scene_.never_touch.push_back({.body_a = *a, .body_b = *b});
  }

  void read_always(const Node& pair, const std::string& path) {
    const std::optional<Parts> a = find_parts(pair.items[0], path + "[0]");
    const std::optional<Parts> b = find_parts(pair.items[1], path + "[1]");
    if (!a || !b || !differ(a->body, b->body, pair, path)) {
      return;
    }
    const auto count = static_cast<std::int64_t>(a->end - a->begin) * (b->end - b->begin);
    if (static_cast<std::int64_t>(scene_.always_touch.size()) + count > most_) {
      problems_.throw_limit(pair.place, path,
                            "too many pairs of parts, got more than " + std::to_string(most_) +
                                ", want at most " + std::to_string(most_) +
                                " (a fixed limit, no flag raises it)");
    }
    bool told = false;
    for (int i = a->begin; i < a->end; ++i) {
      for (int j = b->begin; j < b->end; ++j) {
        const bool known =
            !insert({.body_a = a->body, .part_a = i, .body_b = b->body, .part_b = j});
        if (known && !std::exchange(told, true)) {
          add_duplicate(pair, path);
        }
      }
    }
  }

 private:
  std::optional<int> find_body(const Node& node, std::string_view name, const std::string& path) {
    const std::optional<int> body =
        index_.find({.name = name, .place = node.place, .path = path}, &problems_);
    if (body == kWorld) {
      problems_.add(node.place, path, "the world has no shapes, got it, want a body");
      return std::nullopt;
    }
    return body;
  }

  std::optional<Parts> find_parts(const Node& node, const std::string& path) {
    const std::string_view text = node.text;
    const std::size_t slash = text.find('/');
    const std::optional<int> body = find_body(node, text.substr(0, slash), path);
    if (!body || !complete_) {
      return std::nullopt;
    }
    const std::size_t count = scene_.bodies[static_cast<std::size_t>(*body)].parts.size();
    if (slash == std::string_view::npos) {
      return count > 0 ? Parts{*body, 0, static_cast<int>(count)} : refuse_parts(node, path, 0);
    }
    const auto number = parse_json_unsigned(text.substr(slash + 1));
    if (!number || *number >= count) {
      return refuse_parts(node, path, count);
    }
    return Parts{*body, static_cast<int>(*number), static_cast<int>(*number) + 1};
  }

  std::optional<Parts> refuse_parts(const Node& node, const std::string& path, std::size_t count) {
    problems_.add(
        node.place, path,
        "no such shape, got " + excerpt(node.text) + ", want " +
            (count == 0 ? "a body with shapes" : "a number below " + std::to_string(count)));
    return std::nullopt;
  }

  bool differ(int a, int b, const Node& pair, const std::string& path) {
    if (a == b) {
      problems_.add(pair.place, path, "a body and itself, got one body twice, want two bodies");
    }
    return a != b;
  }

  bool insert(const PartPair& pair) {
    const std::pair<int, int> a = {pair.body_a, pair.part_a};
    const std::pair<int, int> b = {pair.body_b, pair.part_b};
    const bool is_new = always_.insert(std::minmax(a, b)).second;
    if (is_new) {
      scene_.always_touch.push_back(pair);
    }
    return is_new;
  }

  void add_duplicate(const Node& pair, const std::string& path) {
    problems_.add(pair.place, path,
                  "duplicate pair, got " + excerpt(pair.items[0].text) + " and " +
                      excerpt(pair.items[1].text) + " again, want each pair once");
  }

  const BodyIndex& index_;
  std::int64_t most_;
  bool complete_;  // no shape is missing because of an error
  Scene& scene_;
  ProblemList& problems_;
  std::set<std::pair<int, int>> never_;
  std::set<std::pair<std::pair<int, int>, std::pair<int, int>>> always_;
};

}  // namespace

void read_touch(const Node& touch, const BodyIndex& index, std::int64_t most, Scene* scene,
                ProblemList* problems) {
  TouchReader reader(index, most, scene, problems);
  const auto for_each = [&](const std::string& key, auto read) {
    const Node* pairs = touch.find(key);
    for (std::size_t i = 0; pairs != nullptr && i < pairs->items.size(); ++i) {
      read(pairs->items[i], "touch." + key + "[" + std::to_string(i) + "]");
    }
  };
  for_each("never", [&](const Node& pair, const std::string& path) {
    reader.read_never(pair, path);
  });
  for_each("always", [&](const Node& pair, const std::string& path) {
    reader.read_always(pair, path);
  });
}

}  // namespace tenpin::scene
