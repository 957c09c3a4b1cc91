// Bodies by name, for everything that refers to them: parents, loops, exceptions from touching.
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

inline constexpr std::string_view kWorldName = "world";  // reserved: no body may have this name

// A name and its place in the file, to which an error message points.
struct NameUse {
  std::string_view name;
  Place place;
  std::string path;
};

class BodyIndex {
 public:
  // Collects the names of all entries of `bodies`, valid or not. So a reference to a body whose own
  // entry has errors is not reported as an error, too.
  explicit BodyIndex(const Node& list);

  // Adds a body of an included model, to which every entry may refer. Returns false if the name
  // exists already.
  bool insert_included(const std::string& name, int body);

  // Entries are read one by one; this call names the next one.
  void begin_entry(int number) { current_ = number; }
  // Returns false if a body of that name already exists.
  bool insert(const std::string& name, int body);
  // Call this after the last entry: from now on every name may be used.
  void end_entries() { current_ = static_cast<int>(entries_.size()); }

  // The body's index, or kWorld. If there is no such body, adds a problem and returns nothing; adds
  // no problem if the body is missing because its own entry is wrong.
  [[nodiscard]] std::optional<int> find(const NameUse& use, ProblemList* problems) const;

 private:
  struct Entry {
    std::string_view name;
    bool repeated = false;
    int num_bodies = 0;  // bodies made from the entry so far
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

// True if a force can move the body. A fixed or prescribed body moves only with its parent.
[[nodiscard]] bool is_movable(const Body& body, bool parent_is_movable);
[[nodiscard]] std::vector<bool> find_movable(const std::vector<Body>& bodies);

}  // namespace tenpin::scene
