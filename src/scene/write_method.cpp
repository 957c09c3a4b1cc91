#include "scene/write_method.h"

#include <cstddef>
#include <optional>
#include <tuple>
#include <variant>

#include "scene/method_keys.h"
#include "scene/write_text.h"

namespace tenpin::scene {

namespace {

std::string print(double value) {
  return to_text(value);
}
std::string print(int value) {
  return std::to_string(value);
}
std::string print(bool value) {
  return value ? "true" : "false";
}
template <typename Value>
std::string print(const std::optional<Value>& value) {
  return value ? print(*value) : std::string();
}

template <typename Enum, std::size_t n>
std::string print_word(Enum value, const Word<Enum> (&words)[n]) {
  return std::string(to_word(value, words));
}
template <typename Enum, std::size_t n>
std::string print_word(const std::optional<Enum>& value, const Word<Enum> (&words)[n]) {
  return value ? print_word(*value, words) : std::string();
}

using List = std::vector<WrittenOption>;

template <typename Options, typename Value>
void add(const Options& options, const OptionKey<Options, Value>& key, std::string_view group,
         List* list) {
  list->push_back({group, key.name, print(options.*key.member)});
}

template <typename Options, typename Value, typename Enum, std::size_t n>
void add(const Options& options, const OptionWordKey<Options, Value, Enum, n>& key,
         std::string_view group, List* list) {
  list->push_back({group, key.name, print_word(options.*key.member, key.words)});
}

void add(const TimeSteppingOptions& options, const ContactKey& key, std::string_view group,
         List* list) {
  std::string text = options.springs ? "springs" : "rigid";
  if (options.compliance > 0.0) {
    text = Map("contact_model").add("compliance", options.compliance).text();
  }
  list->push_back({group, key.name, text});
}

template <typename Options, typename... Keys>
void add(const Options& options, const OptionGroupKey<Keys...>& key, std::string_view /*group*/,
         List* list) {
  std::apply(
      [&](const auto&... inner) {
        (add(options, inner, key.name, list), ...);
      },
      key.keys);
}

}  // namespace

std::vector<WrittenOption> list_options(const MethodOptions& method) {
  List list;
  const auto add_all = [&list](const auto& options) {
    std::apply(
        [&](const auto&... key) {
          (add(options, key, "", &list), ...);
        },
        keys_of(options));
  };
  std::visit(add_all, method);
  return list;
}

std::string write_method(const MethodOptions& method) {
  const std::string name(name_of(method));
  const List list = list_options(method);
  Map map(name);
  for (std::size_t i = 0; i < list.size();) {
    const std::string_view group = list[i].group;
    Map inner(group);
    for (; i < list.size() && list[i].group == group; ++i) {
      if (!list[i].text.empty()) (group.empty() ? map : inner).add(list[i].key, list[i].text);
    }
    if (!inner.empty()) map.add(group, inner.text());
  }
  return name + ": " + map.text();
}

}  // namespace tenpin::scene
