#include "scene/read_body_pairs.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scene/characters.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

class BodyPairReader {
 public:
  BodyPairReader(Scene* scene, ProblemList* problems)
      : scene_(*scene),
        problems_(*problems),
        is_complete_(problems->empty()),
        sides_(scene->bodies.size()) {
    for (int i = 0; i < num_materials(); ++i) origin_.push_back(i);
  }

  void read(const Node& node, const std::string& path) {
    const Node& names = *node.find("bodies");
    for (int side = 0; side < 2; ++side) {
      const Node& name = names.items[static_cast<std::size_t>(side)];
      bool is_used = false;
      for (std::size_t b = 0; b < sides_.size(); ++b) {
        if (!matches(name.text, scene_.bodies[b].name)) continue;
        sides_[b].push_back(2 * static_cast<int>(entries_.size()) + side);
        is_used = true;
      }
      if (!is_used && is_complete_) {
        problems_.add(name.place, path + ".bodies[" + std::to_string(side) + "]",
                      "no such body, got " + excerpt(name.text) +
                          ", want a name or a pattern such as wheel* that bodies have");
      }
    }
    MaterialPair pair;
    take(node, "friction", &pair.friction);
    take(node, "restitution", &pair.restitution);
    entries_.push_back(pair);
  }

  void apply() {
    divide_materials();
    std::map<std::pair<int, int>, MaterialPair> pairs;
    for (const MaterialPair& pair : scene_.pairs) {
      for (const auto& [a, b] : versions(pair.first, pair.second)) {
        pairs[{a, b}] = {a, b, pair.friction, pair.restitution};
      }
    }
    for (int e = 0; e < static_cast<int>(entries_.size()); ++e) {
      for (const auto& [a, b] : sides_of(e)) {
        pairs[{a, b}] = {a, b, entries_[static_cast<std::size_t>(e)].friction,
                         entries_[static_cast<std::size_t>(e)].restitution};
      }
    }
    for (const auto& [key, pair] : pairs) scene_.pairs.push_back(pair);
    for (dynamics::Event& event : scene_.events) extend(&event);
  }

 private:
  using Indices = std::vector<std::pair<int, int>>;

  int num_materials() const { return static_cast<int>(scene_.materials.size()); }

  // Makes one new material for each old one and each set of sides on which its bodies are.
  void divide_materials() {
    std::map<std::pair<int, std::vector<int>>, int> known;
    for (std::size_t b = 0; b < sides_.size(); ++b) {
      if (sides_[b].empty()) continue;
      Body& body = scene_.bodies[b];
      for (PartOptions& options : body.part_options) {
        const int old = options.material >= 0 ? options.material : body.material;
        const auto [entry, is_new] = known.try_emplace({old, sides_[b]}, num_materials());
        if (is_new) add_version(old, sides_[b]);
        options.material = entry->second;
      }
    }
  }

  void add_version(int old, const std::vector<int>& sides) {
    Material material = scene_.materials[static_cast<std::size_t>(old)];
    const std::string name = material.name;
    const auto is_taken = [&](const Material& other) {
      return other.name == material.name;
    };
    for (int copy = 1;
         copy == 1 || std::any_of(scene_.materials.begin(), scene_.materials.end(), is_taken);
         ++copy) {
      material.name = name + "~" + std::to_string(copy);
    }
    scene_.materials.push_back(std::move(material));
    origin_.push_back(old);
    version_sides_[num_materials() - 1] = sides;
  }

  // Pairs of a version of one material and a version of the other, at least one of them new.
  Indices versions(int first, int second) const {
    Indices result;
    for (int a = 0; a < num_materials(); ++a) {
      for (int b = 0; b < num_materials(); ++b) {
        const bool is_pair = origin_[static_cast<std::size_t>(a)] == first &&
                             origin_[static_cast<std::size_t>(b)] == second;
        if (is_pair && (a != first || b != second)) result.push_back(std::minmax({a, b}));
      }
    }
    return result;
  }

  // Pairs of new materials on the two sides of an entry.
  Indices sides_of(int entry) const {
    const auto is_on = [&](const std::vector<int>& sides, int side) {
      return std::find(sides.begin(), sides.end(), 2 * entry + side) != sides.end();
    };
    Indices result;
    for (const auto& [a, sides_a] : version_sides_) {
      for (const auto& [b, sides_b] : version_sides_) {
        if (is_on(sides_a, 0) && is_on(sides_b, 1)) result.push_back(std::minmax({a, b}));
      }
    }
    return result;
  }

  // Settings of an event for two materials also apply to their versions, except where an entry
  // decides.
  void extend(dynamics::Event* event) {
    std::vector<std::pair<int, int>> decided;
    for (int e = 0; e < static_cast<int>(entries_.size()); ++e) {
      const Indices pairs = sides_of(e);
      decided.insert(decided.end(), pairs.begin(), pairs.end());
    }
    const std::vector<dynamics::Setting> settings = std::exchange(event->settings, {});
    for (dynamics::Setting setting : settings) {
      event->settings.push_back(setting);
      if (setting.kind != dynamics::Setting::Kind::kSurface) continue;
      for (const auto& pair : versions(setting.material_a, setting.material_b)) {
        if (std::find(decided.begin(), decided.end(), pair) != decided.end()) continue;
        std::tie(setting.material_a, setting.material_b) = pair;
        event->settings.push_back(setting);
      }
    }
  }

  Scene& scene_;
  ProblemList& problems_;
  bool is_complete_;                     // no body is missing because of an error
  std::vector<std::vector<int>> sides_;  // of each body: 2 * entry + side, ascending
  std::vector<MaterialPair> entries_;    // friction and restitution of the entries
  // of each material: itself, or the material it was copied from
  std::vector<int> origin_;
  std::map<int, std::vector<int>> version_sides_;  // of each new material, in the form of sides_
};

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  // The text that the last star stands for grows until the rest matches.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void read_body_pairs(const Node& pairs, Scene* scene, ProblemList* problems) {
  BodyPairReader reader(scene, problems);
  bool is_any = false;
  for (std::size_t i = 0; i < pairs.items.size(); ++i) {
    if (pairs.items[i].find("bodies") == nullptr) continue;
    reader.read(pairs.items[i], "pairs[" + std::to_string(i) + "]");
    is_any = true;
  }
  if (is_any) reader.apply();
}

}  // namespace tenpin::scene
