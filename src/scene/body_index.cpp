#include "scene/body_index.h"

#include <cstddef>

#include "scene/characters.h"
#include "scene/check.h"

namespace tenpin::scene {

namespace {

// For example "arm" for "arm-12"; empty if the name does not end in such a number.
std::string_view without_number(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  const bool numbered = dash != std::string_view::npos && dash + 1 < name.size() &&
                        name.find_first_not_of("0123456789", dash + 1) == std::string_view::npos;
  return numbered ? name.substr(0, dash) : std::string_view();
}

}  // namespace

BodyIndex::BodyIndex(const Node& list) {
  for (const Node& node : list.items) {
    const Node* name = node.is_map() ? node.find("name") : nullptr;
    const std::string_view text = name != nullptr ? name->text : std::string_view();
    entry_of_name_.emplace(text, static_cast<int>(entries_.size()));
    entries_.push_back({.name = text, .repeated = node.find("repeat") != nullptr});
  }
}

bool BodyIndex::insert(const std::string& name, int body) {
  ++entries_[static_cast<std::size_t>(current_)].num_bodies;
  return bodies_.emplace(name, body).second;
}

bool BodyIndex::insert_included(const std::string& name, int body) {
  included_.push_back(name);
  return bodies_.emplace(name, body).second;
}

std::optional<int> BodyIndex::find(const NameUse& use, ProblemList* problems) const {
  if (use.name == kWorldName) {
    return kWorld;
  }
  const auto found = bodies_.find(std::string(use.name));
  if (found != bodies_.end()) {
    return found->second;
  }
  if (const std::string text = explain(use.name); !text.empty()) {
    problems->add(use.place, use.path, text);
  }
  return std::nullopt;
}

std::optional<int> BodyIndex::find_entry(std::string_view name) const {
  const auto found = entry_of_name_.find(name);
  return found == entry_of_name_.end() ? std::nullopt : std::optional(found->second);
}

// Explains why there is no such body; empty if the body's own entry is wrong.
std::string BodyIndex::explain(std::string_view name) const {
  if (const auto number = find_entry(name)) {
    return explain_entry(name, *number);
  }
  const std::string_view stem = without_number(name);
  if (const auto number = stem.empty() ? std::nullopt : find_entry(stem)) {
    if (entries_[static_cast<std::size_t>(*number)].repeated) {
      return explain_entry(name, *number);
    }
  }
  return "unknown body, got " + excerpt(name) + ", " + want_name(name);
}

std::string BodyIndex::explain_entry(std::string_view name, int number) const {
  const Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (number == current_) {
    return "the body itself, got " + excerpt(name) + ", want a body further up in the file";
  }
  if (number > current_) {
    return "comes later, got " + excerpt(name) + ", want a body further up in the file";
  }
  if (entry.num_bodies == 0) {
    return {};
  }
  const std::string first = excerpt(entry.name) + "-1";
  const std::string last = excerpt(entry.name) + "-" + std::to_string(entry.num_bodies);
  return (name == entry.name ? "a repeated body, got " : "no such copy, got ") + excerpt(name) +
         ", want one of its copies, " + first + " to " + last;
}

std::string BodyIndex::want_name(std::string_view name) const {
  std::vector<std::string> copies;
  copies.reserve(kMostCandidates);  // so that the views in `candidates` stay valid
  std::vector<std::string_view> candidates;
  for (int i = 0; i < current_ && candidates.size() + 1 < kMostCandidates; ++i) {
    const Entry& entry = entries_[static_cast<std::size_t>(i)];
    if (entry.repeated) {
      copies.push_back(std::string(entry.name) + "-1");
    }
    if (!entry.name.empty()) {
      candidates.push_back(entry.repeated ? std::string_view(copies.back()) : entry.name);
    }
  }
  for (std::size_t i = 0; i < included_.size() && candidates.size() + 1 < kMostCandidates; ++i) {
    candidates.push_back(included_[i]);
  }
  candidates.push_back(kWorldName);
  return want_one_of(name, candidates);
}

bool is_movable(const Body& body, bool parent_is_movable) {
  const bool follows = body.joint == JointKind::kFixed || body.joint == JointKind::kPrescribed;
  return !follows || parent_is_movable;
}

std::vector<bool> find_movable(const std::vector<Body>& bodies) {
  std::vector<bool> movable;
  movable.reserve(bodies.size());
  for (const Body& body : bodies) {
    const bool hangs = body.parent != kWorld;
    movable.push_back(is_movable(body, hangs && movable[static_cast<std::size_t>(body.parent)]));
  }
  return movable;
}

}  // namespace tenpin::scene
