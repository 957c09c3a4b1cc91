// Bodies by name, for all who refer to them: parents, loops, pairs that touch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

inline constexpr std::string_view kWorldName = "world";  // no body may be called so

// Where a name stands: what an error about it points to.
struct NameUse {
  std::string_view name;
  Place place;
  std::string path;
};

class BodyIndex {
 public:
  // Notes the names of all entries of `bodies`, right or wrong, so that nobody who names a body
  // with problems of its own is blamed.
  explicit BodyIndex(const Node& list);

  // A body of an included model, which every entry may name. False if there is one of that name.
  bool insert_included(const std::string& name, int body);

  // The entries are read one by one: this one is next.
  void begin_entry(int number) { current_ = number; }
  // False if there is a body of that name already.
  bool insert(const std::string& name, int body);
  // No entry is left: from now on every name may be used.
  void end_entries() { current_ = static_cast<int>(entries_.size()); }

  // The body, or kWorld; otherwise nothing and a problem. Nothing and no problem for a body that
  // is not there because its own entry is wrong.
  [[nodiscard]] std::optional<int> find(const NameUse& use, ProblemList* problems) const;

 private:
  struct Entry {
    std::string_view name;
    bool repeated = false;
    int num_bodies = 0;  // made of it so far
  };

  std::string explain(std::string_view name) const;
  std::string explain_entry(std::string_view name, int number) const;
  std::string want_name(std::string_view name) const;
  std::optional<int> find_entry(std::string_view name) const;

  int current_ = 0;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, int> entry_of_name_;
  std::unordered_map<std::string, int> bodies_;
  std::vector<std::string> included_;  // names of the models' bodies
};

// Which bodies some force can move: a fixed or driven body only by its parent.
[[nodiscard]] bool is_movable(const Body& body, bool parent_is_movable);
[[nodiscard]] std::vector<bool> find_movable(const std::vector<Body>& bodies);

}  // namespace tenpin::scene
