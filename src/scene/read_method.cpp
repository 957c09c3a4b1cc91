#include "scene/read_method.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "base/check.h"
#include "scene/method_keys.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

constexpr int kMostDirections = 1024;

template <typename Options, typename... Keys>
void take_keys(const Node& node, const std::tuple<Keys...>& keys, Options* options);

template <typename Options, typename Value>
void take_key(const Node& node, const OptionKey<Options, Value>& key, Options* options) {
  take(node, key.name, &(options->*key.member));
}

template <typename Options, typename Value, typename Enum, std::size_t n>
void take_key(const Node& node, const OptionWordKey<Options, Value, Enum, n>& key,
              Options* options) {
  take(node, key.name, key.words, &(options->*key.member));
}

template <typename Options, typename... Keys>
void take_key(const Node& node, const OptionGroupKey<Keys...>& key, Options* options) {
  if (const Node* group = node.find(key.name)) take_keys(*group, key.keys, options);
}

void take_key(const Node& node, const ContactKey& key, TimeSteppingOptions* options) {
  const Node* contact = node.find(key.name);
  if (contact == nullptr) return;
  options->springs = contact->is_scalar() && contact->text == "springs";
  if (!contact->is_scalar()) take(*contact, "compliance", &options->compliance);
}

template <typename Options, typename... Keys>
void take_keys(const Node& node, const std::tuple<Keys...>& keys, Options* options) {
  std::apply(
      [&](const auto&... key) {
        (take_key(node, key, options), ...);
      },
      keys);
}

void check_limits(const Node& node, const MethodOptions& method, ProblemList* problems) {
  const auto* options = std::get_if<TimeSteppingOptions>(&method);
  if (options == nullptr || options->directions.value_or(0) <= kMostDirections) return;
  problems->throw_limit(node.find("directions")->place, "method.time-stepping.directions",
                        "too many, got " + std::to_string(*options->directions) +
                            ", want at most " + std::to_string(kMostDirections) +
                            " (a fixed limit, no flag raises it)");
}

template <std::size_t... i>
MethodOptions find_default(std::string_view name, std::index_sequence<i...> /*alternatives*/) {
  MethodOptions method;
  const bool is_found = ((std::variant_alternative_t<i, MethodOptions>::kName == name &&
                          (method.emplace<i>(), true)) ||
                         ...);
  TENPIN_DEMAND(is_found);
  return method;
}

}  // namespace

MethodOptions default_method(std::string_view name) {
  return find_default(name, std::make_index_sequence<std::variant_size_v<MethodOptions>>());
}

MethodOptions read_method(const Node& method, ProblemList* problems) {
  MethodOptions read = default_method(method.keys.front().text);
  const Node& node = method.items.front();
  std::visit(
      [&](auto& options) {
        take_keys(node, keys_of(options), &options);
      },
      read);
  check_limits(node, read, problems);
  return read;
}

double step_of(const MethodOptions& method) {
  if (const auto* impulse = std::get_if<ImpulseOptions>(&method)) return impulse->interval;
  if (const auto* penalty = std::get_if<PenaltyOptions>(&method)) return penalty->step;
  const auto* time_stepping = std::get_if<TimeSteppingOptions>(&method);
  return time_stepping == nullptr ? 0.0 : time_stepping->step;
}

}  // namespace tenpin::scene
