#include "scene/import/mjcf_relations.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "math/rotation.h"

namespace tenpin::scene::mjcf {

namespace {

// Looks up a name given in an attribute; adds a problem if it is unknown.
template <typename T>
const T* look_up(const Element& element, std::string_view attribute,
                 const std::map<std::string, T>& named) {
  const std::string name = element.required_text(attribute);
  const auto found = named.find(name);
  if (found != named.end()) {
    return &found->second;
  }
  if (!name.empty()) {
    element.problem(attribute, "unknown name, got " + name + ", " + want_key(name, named));
  }
  return nullptr;
}

const Mount& mount_of(const Tree& tree, int link) {
  return tree.robot.mounts[static_cast<std::size_t>(link)];
}

// One end of a loop: a body of the scene and a pose on it.
struct End {
  int link = 0;
  Pose X_LE;
};

class EqualityReader {
 public:
  EqualityReader(const Settings& settings, const Defaults& defaults, const Tree& tree,
                 const std::map<std::string, Tendon>& tendons, Scene* scene)
      : settings_(settings), defaults_(defaults), tree_(tree), tendons_(tendons), scene_(*scene) {}

  void read(const Element& section) {
    for (const Element& plain : section.children()) {
      const std::string_view tag = plain.tag();
      if (tag != "connect" && tag != "weld" && tag != "joint" && tag != "tendon") {
        continue;
      }
      const Element element = resolve(plain);
      if (!settings_.physics.equality || !element.flag("active", true)) {
        element.note("<" + std::string(tag) + "> not used: it is not active");
        continue;
      }
      Loop loop;
      loop.name =
          make_scene_name(element.text("name", std::string(tag) + std::to_string(++count_)));
      loop.line = element.line();
      const bool good = tag == "connect" ? read_connect(element, &loop)
                        : tag == "weld"  ? read_weld(element, &loop)
                        : tag == "joint" ? read_coupling(element, &loop)
                                         : read_tendons(element, &loop);
      if (good) {
        scene_.loops.push_back(std::move(loop));
      }
    }
  }

 private:
  // The defaults of all equality elements are given under one tag.
  Element resolve(const Element& plain) const {
    constexpr std::array<std::string_view, 1> kTag = {"equality"};
    Element element = plain.mark_read();
    const int own_class = defaults_.class_of(plain, "class", Defaults::kMain);
    const std::vector<Element> chain = defaults_.chain(own_class, kTag);
    for (auto outer = chain.rbegin(); outer != chain.rend(); ++outer) {
      element.add_fallback(outer->index());
    }
    return element;
  }

  Pose reference_pose(int link) const { return tree_.X_WL[static_cast<std::size_t>(link)]; }

  void set_end(const End& end, int* body, Vec3* anchor) const {
    const Mount& mount = mount_of(tree_, end.link);
    *body = mount.body;
    *anchor = mount.X_BL * end.X_LE.p;
  }

  std::optional<End> site_end(const Element& element, std::string_view attribute) const {
    const Tree::SitePlace* site = look_up(element, attribute, tree_.site_named);
    if (site == nullptr) {
      return std::nullopt;
    }
    Element(&element.model(), site->element).mark_read();
    return End{site->link, site->X_LS};
  }

  std::optional<std::array<int, 2>> bodies(const Element& element) const {
    const int* first = look_up(element, "body1", tree_.link_named);
    const int* second =
        element.has("body2") ? look_up(element, "body2", tree_.link_named) : &kWorldLink;
    if (first == nullptr || second == nullptr) {
      return std::nullopt;
    }
    return std::array<int, 2>{*first, *second};
  }

  bool finish(const Element& element, const End& a, const End& b, Loop* loop) const {
    set_end(a, &loop->body_a, &loop->anchor_a);
    set_end(b, &loop->body_b, &loop->anchor_b);
    if (loop->body_a == loop->body_b) {
      element.problem("",
                      "joins a body to itself, got two ends on one rigid body, want two bodies");
      return false;
    }
    return true;
  }

  bool read_connect(const Element& element, Loop* loop) const {
    loop->kind = Loop::Kind::kBall;
    if (element.has("site1")) {
      const auto a = site_end(element, "site1");
      const auto b = site_end(element, "site2");
      return a && b && finish(element, *a, *b, loop);
    }
    const auto links = bodies(element);
    const auto anchor = element.vector("anchor", kPointRange);
    if (!element.has("anchor")) {
      element.problem("anchor", "missing, got nothing, want a point of body1");
    }
    if (!links || !anchor) {
      return false;
    }
    const End a = {(*links)[0], {.p = *anchor}};
    const End b = {(*links)[1],
                   reference_pose((*links)[1]).inverse() * reference_pose((*links)[0]) * a.X_LE};
    return finish(element, a, b, loop);
  }

  bool read_weld(const Element& element, Loop* loop) const {
    loop->kind = Loop::Kind::kWeld;
    End a;
    End b;
    if (element.has("site1")) {
      const auto site_a = site_end(element, "site1");
      const auto site_b = site_end(element, "site2");
      if (!site_a || !site_b) {
        return false;
      }
      a = *site_a;
      b = *site_b;
    } else {
      const auto links = bodies(element);
      if (!links) {
        return false;
      }
      const Pose X_AB = read_relative_pose(element, *links);
      b = {(*links)[1], {.p = element.vector("anchor", kPointRange).value_or(Vec3::Zero())}};
      a = {(*links)[0], X_AB * b.X_LE};
    }
    const Mat3 R_BaBb = (mount_of(tree_, a.link).X_BL * a.X_LE).R *
                        (mount_of(tree_, b.link).X_BL * b.X_LE).R.transpose();
    loop->orientation = to_quaternion(R_BaBb);
    return finish(element, a, b, loop);
  }

  // The pose of body2 in body1: as given, or as at the reference coordinates if its quaternion is
  // zero.
  Pose read_relative_pose(const Element& element, const std::array<int, 2>& links) const {
    if (const auto n = element.numbers("relpose", 7, 7, kAnyNumber)) {
      const Quat turn((*n)[3], (*n)[4], (*n)[5], (*n)[6]);
      if (turn.norm() > 0.0) {
        return {.R = to_matrix(turn), .p = Vec3((*n)[0], (*n)[1], (*n)[2])};
      }
    }
    return reference_pose(links[0]).inverse() * reference_pose(links[1]);
  }

  static void read_polynomial(const Element& element, std::array<double, 5>* polynomial) {
    if (const auto coefficients = element.numbers("polycoef", 1, 5, kAnyNumber)) {
      std::copy(coefficients->begin(), coefficients->end(), polynomial->begin());
    }
  }

  // Adds the joints of a tendon with their coefficients; false if it is not a fixed one.
  bool add_terms(const Element& element, std::string_view attribute, std::size_t which,
                 std::map<int, std::array<double, 2>>* terms) const {
    const auto tendon = tendons_.find(element.required_text(attribute));
    if (tendon == tendons_.end()) {
      element.note("<equality tendon> not used: only fixed tendons are modelled");
      return false;
    }
    for (const Tendon::Term& term : tendon->second.terms) {
      (*terms)[term.joint][which] += term.coefficient;
    }
    return true;
  }

  // Lengths are counted from the reference pose, as the coordinates of scenes are. With the
  // coefficients a of the first tendon and b of the second, a_x x + a_y y = polynomial(b_y y) is a
  // coupling of two joints.
  bool read_tendons(const Element& element, Loop* loop) const {
    std::map<int, std::array<double, 2>> terms;
    if (!add_terms(element, "tendon1", 0, &terms)) return false;
    if (element.has("tendon2") && !add_terms(element, "tendon2", 1, &terms)) return false;
    std::array<double, 5> c = {0.0, 1.0, 0.0, 0.0, 0.0};
    read_polynomial(element, &c);
    const bool is_linear = c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0;
    for (auto& [joint, ab] : terms) {
      if (is_linear) ab = {ab[0] - c[1] * ab[1], 0.0};
    }
    std::erase_if(terms, [](const auto& term) {
      return term.second == std::array<double, 2>{0.0, 0.0};
    });
    auto x = terms.begin();
    auto y = terms.size() == 2 ? std::next(x) : terms.end();
    if (y != terms.end() && x->second[1] != 0.0) std::swap(x, y);
    if (terms.empty() || terms.size() > 2 || x->second[0] == 0.0 || x->second[1] != 0.0) {
      element.note("<equality tendon> not used: it is no relation of one joint to another");
      return false;
    }
    loop->kind = Loop::Kind::kCoupling;
    loop->body_a = body_of(x->first);
    loop->body_b = y == terms.end() ? kWorld : body_of(y->first);
    const std::array<double, 2> ab = y == terms.end() ? std::array<double, 2>{} : y->second;
    double power = 1.0;
    for (std::size_t k = 0; k < c.size(); ++k, power *= ab[1]) {
      loop->polynomial[k] = c[k] * power / x->second[0];
    }
    loop->polynomial[1] -= ab[0] / x->second[0];
    return true;
  }

  bool read_coupling(const Element& element, Loop* loop) const {
    loop->kind = Loop::Kind::kCoupling;
    const auto a = coupled_body(element, "joint1");
    const auto b =
        element.has("joint2") ? coupled_body(element, "joint2") : std::optional<int>(kWorld);
    read_polynomial(element, &loop->polynomial);
    if (!a || !b) {
      return false;
    }
    if (*b == kWorld) {
      loop->polynomial = {loop->polynomial[0], 0.0, 0.0, 0.0, 0.0};
    }
    loop->body_a = *a;
    loop->body_b = *b;
    return true;
  }

  std::optional<int> coupled_body(const Element& element, std::string_view attribute) const {
    const int* joint = look_up(element, attribute, tree_.joint_named);
    if (joint == nullptr) {
      return std::nullopt;
    }
    const JointRecord& record = tree_.joints[static_cast<std::size_t>(*joint)];
    const JointKind kind = tree_.robot.links[static_cast<std::size_t>(record.link)]
                               .joints[static_cast<std::size_t>(record.number)]
                               .kind;
    if (kind != JointKind::kHinge && kind != JointKind::kSlider) {
      element.problem(attribute, "wrong joint, got a free or ball joint, want a hinge or slide");
      return std::nullopt;
    }
    return body_of(*joint);
  }

  // The body of the scene that a joint, an index into Tree::joints, moves.
  int body_of(int joint) const {
    const JointRecord& record = tree_.joints[static_cast<std::size_t>(joint)];
    return tree_.robot
        .joint_body[static_cast<std::size_t>(record.link)][static_cast<std::size_t>(record.number)];
  }

  static constexpr int kWorldLink = 0;
  const Settings& settings_;
  const Defaults& defaults_;
  const Tree& tree_;
  const std::map<std::string, Tendon>& tendons_;
  Scene& scene_;
  int count_ = 0;
};

void read_exclude(const Element& element, const Tree& tree, Scene* scene) {
  element.mark_read().find("name");
  const int* first = look_up(element, "body1", tree.link_named);
  const int* second = look_up(element, "body2", tree.link_named);
  if (first == nullptr || second == nullptr) {
    return;
  }
  const int a = mount_of(tree, *first).body;
  const int b = mount_of(tree, *second).body;
  // The shapes of one rigid body do not touch each other, and a world without geoms touches
  // nothing.
  if (a == b || a == kWorld || b == kWorld) {
    return;
  }
  for (const int link : {*first, *second}) {
    const Link& l = tree.robot.links[static_cast<std::size_t>(link)];
    const bool merged = l.joints.empty() && !l.parts.empty() && mount_of(tree, link).first_part > 0;
    if (merged) {
      element.note("<exclude> holds for the whole rigid body that " + l.name + " is part of");
    }
  }
  const bool is_known =
      std::any_of(scene->never_touch.begin(), scene->never_touch.end(), [&](const BodyPair& pair) {
        return std::minmax(pair.body_a, pair.body_b) == std::minmax(a, b);
      });
  if (!is_known) {
    scene->never_touch.push_back({.body_a = a, .body_b = b});
  }
}

void read_pair(const Element& element, const Tree& tree, Scene* scene) {
  element.mark_read().find("name");
  const Tree::GeomPlace* first = look_up(element, "geom1", tree.geom_named);
  const Tree::GeomPlace* second = look_up(element, "geom2", tree.geom_named);
  if (first == nullptr || second == nullptr) {
    return;
  }
  const Mount& a = mount_of(tree, first->link);
  const Mount& b = mount_of(tree, second->link);
  if (a.body != b.body) {
    scene->always_touch.push_back({.body_a = a.body,
                                   .part_a = a.first_part + first->part,
                                   .body_b = b.body,
                                   .part_b = b.first_part + second->part});
  }
}

void give_pair_surfaces(const Element& pair, Tree* tree, Surfaces* surfaces) {
  const auto friction = pair.numbers("friction", 1, 5, kFrictionRange);
  const auto condim = pair.integer("condim", {.low = 1, .high = 6});
  if (!friction && !condim) {
    return;
  }
  if ((friction && friction->size() > 1) || condim.value_or(3) > 3) {
    pair.note("<pair friction> beyond its first value, sliding along both directions, is not used");
  }
  std::array<int, 2> materials = {0, 0};
  double sliding = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto found = tree->geom_named.find(pair.text(i == 0 ? "geom1" : "geom2"));
    if (found == tree->geom_named.end()) {
      return;  // read_contact reports this
    }
    Tree::GeomPlace& place = found->second;
    if (place.surface.owner < 0) {
      place.surface.owner = pair.index() * 2 + static_cast<int>(i);
    }
    materials[i] = surfaces->index(place.surface);
    tree->robot.links[static_cast<std::size_t>(place.link)]
        .parts[static_cast<std::size_t>(place.part)]
        .options.material = materials[i];
    sliding = std::max(sliding, place.surface.sliding);
  }
  sliding = friction ? friction->front() : sliding;
  surfaces->set_pair(materials[0], materials[1], condim.value_or(3) == 1 ? 0.0 : sliding);
}

template <typename Use>
void for_each_in(const Element& root, std::string_view section, Use use) {
  for (const Element& element : root.children()) {
    if (element.tag() == section) {
      use(element.mark_read());
    }
  }
}

}  // namespace

void give_pairs_surfaces(const Element& root, const Defaults& defaults, Tree* tree,
                         Surfaces* surfaces) {
  for_each_in(root, "contact", [&](const Element& section) {
    for (const Element& pair : section.children()) {
      if (pair.tag() == "pair") {
        give_pair_surfaces(defaults.resolve(pair, Defaults::kMain), tree, surfaces);
      }
    }
  });
}

void read_equality(const Element& root, const Settings& settings, const Defaults& defaults,
                   const Tree& tree, const std::map<std::string, Tendon>& tendons, Scene* scene) {
  EqualityReader reader(settings, defaults, tree, tendons, scene);
  for_each_in(root, "equality", [&](const Element& section) {
    reader.read(section);
  });
}

void read_contact(const Element& root, const Settings& settings, const Tree& tree, Scene* scene) {
  for_each_in(root, "contact", [&](const Element& section) {
    for (const Element& element : section.children()) {
      if (element.tag() == "exclude") {
        read_exclude(element, tree, scene);
      } else if (element.tag() == "pair" && settings.physics.contact) {
        read_pair(element, tree, scene);
      }
    }
  });
}

}  // namespace tenpin::scene::mjcf
