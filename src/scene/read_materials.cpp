#include "scene/read_materials.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/make_limit.h"
#include "scene/read_rotation.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

constexpr std::string_view kDefaultName = "default";

void check_friction(const Node& node, const Friction& friction, const std::string& path,
                    ProblemList* problems) {
  if (friction.across != friction.along && node.find("axis") == nullptr) {
    problems->add(node.place, path + ".axis",
                  "missing, got nothing, want the direction of `along`, as `across` differs");
  }
  if (node.find("static") != nullptr) {
    if (friction.stat < friction.along) {
      problems->add(node.place, path + ".static",
                    "below the sliding coefficient, got " + to_text(friction.stat) +
                        ", want at least " + to_text(friction.along));
    }
    if (friction.stribeck_speed <= 0.0) {
      problems->add(node.place, path + ".stribeck_speed",
                    "needed with static, got " + to_text(friction.stribeck_speed) + ", want > 0");
    }
  }
}

// Adds a problem for a limit surface that cannot exist.
void check_limit(const Node& node, const Friction& friction, const std::string& path,
                 ProblemList* problems) {
  for (const char* key : {"along", "across", "torsion", "static", "stribeck_speed"}) {
    const Node* other = node.find(key);
    if (other == nullptr) continue;
    problems->add(other->place, path + "." + key,
                  std::string("not with limit, got ") + excerpt(other->text) +
                      ", want it in the limit surface");
  }
  if (node.find("axis") == nullptr) {
    problems->add(node.place, path + ".axis",
                  "missing, got nothing, want the direction of `along`, as `limit` is given");
  }
  std::string problem;
  (void)make_limit_surface(*friction.limit, &problem);
  if (!problem.empty()) {
    const bool is_ellipsoid = friction.limit->kind == FrictionLimit::Kind::kEllipsoid;
    problems->add(
        node.find("limit")->place, path + ".limit",
        problem + (is_ellipsoid ? ", got dependent ones, want three independent ones"
                                : ", got " + std::to_string(friction.limit->points.size()) +
                                      " points, want points on all sides of zero"));
  }
}

FrictionLimit read_limit(const Node& node) {
  using LimitKind = FrictionLimit::Kind;
  FrictionLimit limit;
  const auto read = [&](const char* key, LimitKind kind) {
    const Node* points = node.find(key);
    if (points == nullptr) return;
    limit.kind = kind;
    for (std::size_t i = 0; i < points->items.size(); ++i) {
      const Node& item = points->items[i];
      if (item.is_scalar()) {
        limit.points.emplace_back(to_number(item) * Vec3::Unit(static_cast<Eigen::Index>(i)));
      } else if (kind == LimitKind::kPolygon) {
        limit.points.emplace_back(to_number(item.items[0]), to_number(item.items[1]), 0.0);
      } else {
        limit.points.push_back(to_vector(item));
      }
    }
  };
  read("polygon", LimitKind::kPolygon);
  read("polytope", LimitKind::kPolytope);
  read("ellipsoid", LimitKind::kEllipsoid);
  return limit;
}

Friction read_friction(const Node& node, const std::string& path, ProblemList* problems) {
  Friction friction;
  if (node.is_scalar()) {
    friction.along = friction.across = to_number(node);
    return friction;
  }
  take(node, "along", &friction.along);
  friction.across = friction.along;
  take(node, "across", &friction.across);
  if (const Node* axis = node.find("axis")) {
    friction.axis = read_direction(*axis, path + ".axis", problems);
  }
  take(node, "torsion", &friction.torsion);
  take(node, "rolling", &friction.rolling);
  take(node, "static", &friction.stat);
  take(node, "stribeck_speed", &friction.stribeck_speed);
  take(node, "viscous", &friction.viscous);
  if (const Node* limit = node.find("limit")) {
    friction.limit = read_limit(*limit);
    check_limit(node, friction, path, problems);
  } else {
    check_friction(node, friction, path, problems);
  }
  return friction;
}

Material read_material(const Key& name, const Node& node, ProblemList* problems) {
  Material material;
  material.name = name.text;
  if (const Node* friction = node.find("friction")) {
    material.friction = read_friction(*friction, "materials." + name.text + ".friction", problems);
  }
  take(node, "restitution", &material.restitution);
  take(node, "stiffness", &material.stiffness);
  return material;
}

void read_pairs(const Node& pairs, const MaterialIndex& index, Scene* scene,
                ProblemList* problems) {
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < pairs.items.size(); ++i) {
    const Node& node = pairs.items[i];
    const std::string path = "pairs[" + std::to_string(i) + "]";
    if (node.find("between") == nullptr) continue;  // it names bodies: see read_body_pairs
    const Node& names = *node.find("between");
    MaterialPair pair;
    pair.first = find_material(index, names.items[0], path + ".between[0]", problems);
    pair.second = find_material(index, names.items[1], path + ".between[1]", problems);
    take(node, "friction", &pair.friction);
    take(node, "restitution", &pair.restitution);
    if (!seen.insert(std::minmax(pair.first, pair.second)).second) {
      problems->add(names.place, path + ".between",
                    "duplicate pair, got " + excerpt(names.items[0].text) + " and " +
                        excerpt(names.items[1].text) + " again, want each pair once");
    }
    scene->pairs.push_back(pair);
  }
}

}  // namespace

MaterialIndex read_materials(const Node* materials, const Node* pairs, Scene* scene,
                             ProblemList* problems) {
  MaterialIndex index = {{std::string(kDefaultName), 0}};
  scene->materials = {Material{.name = std::string(kDefaultName), .friction = {}}};
  const auto is_clean = [&](const Node& node, std::string_view key) {
    return check(node, scene_object().find(key)->type, {.key = key}, problems);
  };
  const bool clean = materials == nullptr || is_clean(*materials, "materials");
  for (std::size_t i = 0; materials != nullptr && i < materials->keys.size(); ++i) {
    const Key& key = materials->keys[i];
    Material material = clean ? read_material(key, materials->items[i], problems)
                              : Material{.name = key.text, .friction = {}};
    if (material.name == kDefaultName) {
      scene->materials[0] = std::move(material);
    } else {
      index.emplace(material.name, static_cast<int>(scene->materials.size()));
      scene->materials.push_back(std::move(material));
    }
  }
  if (pairs != nullptr && is_clean(*pairs, "pairs")) {
    read_pairs(*pairs, index, scene, problems);
  }
  return index;
}

int find_material(const MaterialIndex& index, const Node& name, const std::string& path,
                  ProblemList* problems) {
  const auto found = index.find(name.text);
  if (found != index.end()) {
    return found->second;
  }
  std::vector<std::string_view> candidates;
  for (const auto& entry : index) {
    candidates.push_back(entry.first);
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.resize(std::min(candidates.size(), kMostCandidates));
  problems->add(
      name.place, path,
      "unknown material, got " + excerpt(name.text) + ", " + want_one_of(name.text, candidates));
  return 0;
}

}  // namespace tenpin::scene
