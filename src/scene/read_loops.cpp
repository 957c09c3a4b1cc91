#include "scene/read_loops.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/format.h"
#include "scene/read_rotation.h"
#include "scene/values.h"
#include "scene/words.h"

namespace tenpin::scene {

namespace {

class LoopReader {
 public:
  LoopReader(const BodyIndex& index, const std::vector<Body>& bodies, ProblemList* problems)
      : index_(index), bodies_(bodies), movable_(find_movable(bodies)), problems_(*problems) {}

  Loop read(const Node& entry, const std::string& path) {
    Loop loop;
    loop.name = entry.find("name")->text;
    loop.line = entry.place.line;
    for (const Word<Loop::Kind>& word : kLoopWords) {
      if (const Node* node = entry.find(word.text)) {
        loop.kind = word.value;
        const std::string here = path + "." + std::string(word.text);
        if (loop.kind == Loop::Kind::kCoupling) {
          read_coupling(*node, here, &loop);
        } else {
          read_geometry(*node, here, &loop);
        }
      }
    }
    return loop;
  }

 private:
  // Checks that the two bodies exist and differ; one may be the world.
  bool read_ends(const Node& names, const std::string& path, Loop* loop) {
    const auto find = [&](std::size_t i) {
      const Node& name = names.items[i];
      return index_.find(
          {.name = name.text, .place = name.place, .path = path + "[" + std::to_string(i) + "]"},
          &problems_);
    };
    const std::optional<int> a = find(0);
    const std::optional<int> b = find(1);
    if (!a || !b) {
      return false;
    }
    loop->body_a = *a;
    loop->body_b = *b;
    if (*a == *b) {
      problems_.add(names.place, path,
                    "holds a body to itself, got " + excerpt(names.items[0].text) +
                        " twice, want two bodies");
    }
    return *a != *b;
  }

  void read_geometry(const Node& node, const std::string& path, Loop* loop) {
    const Node& names = *node.find("bodies");
    if (read_ends(names, path + ".bodies", loop) && !moves(loop->body_a) && !moves(loop->body_b)) {
      problems_.add(names.place, path + ".bodies",
                    "nothing there can give way, got two bodies that no force moves, want at least "
                    "one that can move");
    }
    const Node& anchors = *node.find("anchors");
    loop->anchor_a = to_vector(anchors.items[0]);
    loop->anchor_b = to_vector(anchors.items[1]);
    if (const Node* axes = node.find("axes")) {
      loop->axis_a = read_direction(axes->items[0], path + ".axes[0]", &problems_);
      loop->axis_b = read_direction(axes->items[1], path + ".axes[1]", &problems_);
    }
    if (const Node* orientation = node.find("orientation")) {
      loop->orientation = read_quaternion(*orientation, path + ".orientation", &problems_);
    }
    if (const Node* length = node.find("length")) {
      loop->length = to_number(*length);
    }
  }

  void read_coupling(const Node& node, const std::string& path, Loop* loop) {
    if (const Node* polynomial = node.find("polynomial")) {
      loop->polynomial = {};
      std::transform(polynomial->items.begin(), polynomial->items.end(), loop->polynomial.begin(),
                     to_number);
    }
    const Node& names = *node.find("joints");
    if (!read_ends(names, path + ".joints", loop)) {
      return;
    }
    demand_axis(loop->body_a, names.items[0], path + ".joints[0]");
    if (loop->body_b != kWorld) {
      demand_axis(loop->body_b, names.items[1], path + ".joints[1]");
    } else if (std::any_of(loop->polynomial.begin() + 1, loop->polynomial.end(), [](double c) {
                 return c != 0.0;
               })) {
      problems_.add(node.place, path + ".polynomial",
                    "the world has no coordinate, got a polynomial of it, want the constant alone");
    }
  }

  void demand_axis(int body, const Node& name, const std::string& path) {
    if (body == kWorld) {
      return problems_.add(name.place, path, "no joint, got world, want a body");
    }
    const JointKind kind = bodies_[static_cast<std::size_t>(body)].joint;
    if (kind != JointKind::kHinge && kind != JointKind::kSlider) {
      problems_.add(name.place, path,
                    "no hinge or slider, got a body with another joint, " + excerpt(name.text) +
                        ", want a body with one of them");
    }
  }

  bool moves(int body) const { return body != kWorld && movable_[static_cast<std::size_t>(body)]; }

  const BodyIndex& index_;
  const std::vector<Body>& bodies_;
  std::vector<bool> movable_;
  ProblemList& problems_;
};

}  // namespace

void read_loops(const Node& list, const BodyIndex& index, Scene* scene, ProblemList* problems) {
  const Type type = {.kind = Type::Kind::kObject, .object = &loop_object()};
  const Trail root = {.key = "loops"};
  LoopReader reader(index, scene->bodies, problems);
  std::unordered_set<std::string> names;
  for (int i = 0; i < static_cast<int>(list.items.size()); ++i) {
    const Node& entry = list.items[static_cast<std::size_t>(i)];
    const Trail trail = {.up = &root, .index = i};
    if (!check(entry, type, trail, problems)) {
      continue;
    }
    const std::string path = trail.to_string();
    scene->loops.push_back(reader.read(entry, path));
    if (!names.insert(scene->loops.back().name).second) {
      problems->add(
          entry.find("name")->place, path + ".name",
          "duplicate name, got " + excerpt(scene->loops.back().name) + " again, want a new one");
    }
  }
}

}  // namespace tenpin::scene
