#include "scene/parameters.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/expression.h"
#include "scene/number.h"

namespace tenpin::scene {

namespace {

constexpr std::string_view kOpen = "${";
constexpr double kMostWhole = 9007199254740992.0;  // 2^53: smaller whole numbers are exact

// The number as JSON; whole numbers without a fraction or exponent, so that they count as integers.
std::string print_number(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < kMostWhole;
  if (whole && value != 0.0) return std::to_string(static_cast<std::int64_t>(value));
  return to_text(value);
}

class ExpressionWalker {
 public:
  explicit ExpressionWalker(ProblemList* problems) : problems_(*problems) {}

  void read_parameters(Node* map) {
    const Trail trail = {.key = "parameters"};
    if (!map->is_map()) return;  // the check of the scene reports this
    for (std::size_t i = 0; i < map->keys.size(); ++i) {
      const Key& key = map->keys[i];
      const Trail here = {.up = &trail, .key = key.text};
      if (!is_parameter_name(key.text)) {
        problems_.add(key.place, here.to_string(),
                      "not a parameter's name, got " + excerpt(key.text) +
                          ", want letters, digits and _, and no function");
      } else if (key.place.override) {
        problems_.add(
            key.place, here.to_string(),
            "unknown parameter, got " + excerpt(key.text) + ", " + want_known(key.text, *map));
      } else if (const auto value = read_value(&map->items[i], here)) {
        parameters_.emplace(key.text, Parameter{.value = *value});
      } else {
        parameters_.emplace(key.text, Parameter{.value = 1.0, .used = true});
      }
    }
  }

  void replace(Node* node, const Trail& trail) {
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      const bool in_map = node->is_map();
      replace(&node->items[i],
              {.up = &trail,
               .key = in_map ? std::string_view(node->keys[i].text) : std::string_view(),
               .index = in_map ? -1 : static_cast<int>(i)});
    }
    const std::size_t open = node->is_scalar() ? node->text.find(kOpen) : std::string::npos;
    if (open == std::string::npos) return;
    if (open > 0 || node->text.find('}') != node->text.size() - 1) {
      problems_.add(node->place, trail.to_string(),
                    "an expression stands alone, got " + excerpt(node->text) +
                        ", want ${...} and nothing else");
      return;
    }
    evaluate_into(node, 2, trail);
  }

  std::vector<Key> unused(const Node* map) const {
    std::vector<Key> result;
    if (map == nullptr) return result;
    for (const Key& key : map->keys) {
      const auto found = parameters_.find(key.text);
      if (found != parameters_.end() && !found->second.used) result.push_back(key);
    }
    return result;
  }

 private:
  // Returns nothing if a problem was added, or if the check of the scene will add one.
  std::optional<double> read_value(Node* node, const Trail& trail) {
    if (!node->is_scalar()) return std::nullopt;
    if (const auto number = node->quoted ? std::nullopt : parse_json_number(node->text)) {
      return number;
    }
    const bool braced = node->text.starts_with(kOpen) && node->text.ends_with('}');
    return evaluate_into(node, braced ? 2 : 0, trail);
  }

  // Evaluates the text of a node. `margin` is 2 if the text is enclosed in ${ and }.
  std::optional<double> evaluate_into(Node* node, std::size_t margin, const Trail& trail) {
    const std::size_t length = node->text.size() - (margin > 0 ? margin + 1 : 0);
    const ExpressionValue found =
        evaluate(std::string_view(node->text).substr(margin, length), &parameters_);
    const bool good = found.problem.empty();
    if (!good) {
      Place place = node->place;
      place.column += found.offset + static_cast<int>(margin) + (node->quoted ? 1 : 0);
      problems_.add(place, trail.to_string(), found.problem);
    }
    node->text = good ? print_number(found.value) : "1";
    node->quoted = false;
    return good ? std::optional(found.value) : std::nullopt;
  }

  static std::string want_known(std::string_view name, const Node& map) {
    std::vector<std::string_view> names;
    for (const Key& key : map.keys) {
      if (!key.place.override) names.push_back(key.text);
    }
    return names.empty() ? "want none, the scene has no parameters" : want_one_of(name, names);
  }

  ProblemList& problems_;
  Parameters parameters_;
};

}  // namespace

std::vector<Key> evaluate_expressions(Node* root, ProblemList* problems) {
  ExpressionWalker walker(problems);
  Node* parameters = root->find("parameters");
  if (parameters != nullptr) walker.read_parameters(parameters);
  for (std::size_t i = 0; i < root->items.size(); ++i) {
    const bool done = root->is_map() && &root->items[i] == parameters;
    if (!done && root->is_map()) walker.replace(&root->items[i], {.key = root->keys[i].text});
  }
  return walker.unused(parameters);
}

}  // namespace tenpin::scene
