#include "scene/import/mjcf_tendons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tenpin::scene::mjcf {

namespace {

// with a smaller slope, a tendon does not change with its joint
constexpr double kLeastSlope = 1e-12;

class TendonReader {
 public:
  TendonReader(const Element& root, const Settings& settings, const Defaults& defaults, Tree* tree)
      : settings_(settings), defaults_(defaults), tree_(*tree) {
    read_followers(root);
  }

  void read(const Element& section) {
    for (const Element& element : section.children()) {
      if (element.tag() == "fixed") {
        read_fixed(element);
      } else if (element.tag() == "spatial" && num_spatial_++ == 0) {
        element.note("spatial tendons are not modelled: neither they nor their actuators are used");
      }
    }
  }

  std::map<std::string, Tendon> take() { return std::move(tendons_); }

 private:
  // Reads the joints that an active linear equality couples to another joint:  q = constant + slope
  // q_other,  with both counted from the reference, as in scenes.
  void read_followers(const Element& root) {
    for (const Element& section : root.children()) {
      if (section.tag() != "equality" || !settings_.physics.equality) {
        continue;
      }
      for (const Element& e : section.children()) {
        if (e.tag() == "joint" && e.has("joint2")) {
          read_follower(e);
        }
      }
    }
  }

  void read_follower(const Element& plain) {
    const Element e = resolve(plain, "equality");
    const auto first = tree_.joint_named.find(e.text("joint1"));
    const auto second = tree_.joint_named.find(e.text("joint2"));
    std::array<double, 5> c = {0.0, 1.0, 0.0, 0.0, 0.0};
    if (const auto given = e.numbers("polycoef", 1, 5, kAnyNumber)) {
      std::copy(given->begin(), given->end(), c.begin());
    }
    const bool is_linear = c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0;
    if (first != tree_.joint_named.end() && second != tree_.joint_named.end() && is_linear &&
        e.flag("active", true)) {
      follows_.emplace(first->second, Lever{second->second, c[0], c[1]});
    }
  }

  // Expresses a joint's coordinate by that of the joint at the end of the chain of couplings.
  Lever find_leader(int joint) const {
    Lever lever = {.joint = joint, .constant = 0.0, .slope = 1.0};
    for (std::size_t i = 0; i < follows_.size(); ++i) {
      const auto next = follows_.find(lever.joint);
      if (next == follows_.end()) {
        break;
      }
      lever = {.joint = next->second.joint,
               .constant = lever.constant + lever.slope * next->second.constant,
               .slope = lever.slope * next->second.slope};
    }
    return lever;
  }

  Element resolve(const Element& plain, std::string_view tag) const {
    const std::array<std::string_view, 1> tags = {tag};
    Element element = plain;
    const int own_class = defaults_.class_of(plain, "class", Defaults::kMain);
    const std::vector<Element> chain = defaults_.chain(own_class, tags);
    for (auto outer = chain.rbegin(); outer != chain.rend(); ++outer) {
      element.add_fallback(outer->index());
    }
    return element;
  }

  void read_fixed(const Element& plain) {
    const Element element = resolve(plain.mark_read(), "tendon");
    element.find("group");
    Tendon tendon;
    for (const Element& e : plain.children()) {
      if (e.tag() == "joint") {
        read_term(e.mark_read(), &tendon);
      }
    }
    tendon.lever = find_lever(tendon);
    apply(element, tendon);
    if (plain.has("name")) {
      tendons_.emplace(plain.text("name"), std::move(tendon));
    }
  }

  void read_term(const Element& e, Tendon* tendon) {
    const std::string name = e.required_text("joint");
    const double coefficient = e.number("coef", 1.0, kAnyNumber);
    const auto found = tree_.joint_named.find(name);
    if (found == tree_.joint_named.end()) {
      static_cast<void>(
          e.repair("joint", "unknown joint, got " + name + ", " + want_key(name, tree_.joint_named),
                   "the tendon goes without it"));
      return;
    }
    const JointKind kind = joint(found->second).kind;
    if (kind != JointKind::kHinge && kind != JointKind::kSlider) {
      return e.problem("joint", "wrong joint, got a free or ball joint, want a hinge or slide");
    }
    tendon->terms.push_back({found->second, coefficient});
  }

  std::optional<Lever> find_lever(const Tendon& tendon) const {
    Lever sum = {.joint = -1, .constant = 0.0, .slope = 0.0};
    for (const Tendon::Term& term : tendon.terms) {
      const Lever lever = find_leader(term.joint);
      if (sum.joint >= 0 && lever.joint != sum.joint) {
        return std::nullopt;
      }
      sum.joint = lever.joint;
      sum.constant += term.coefficient * (record(term.joint).reference + lever.constant);
      sum.slope += term.coefficient * lever.slope;
    }
    return sum.joint >= 0 && std::abs(sum.slope) > kLeastSlope ? std::optional(sum) : std::nullopt;
  }

  // Applies springs, dampers, dry friction and limits of the tendon to the joint that moves it.
  void apply(const Element& element, const Tendon& tendon) {
    const double stiffness =
        settings_.physics.springs ? element.number("stiffness", 0.0, kNotNegative) : 0.0;
    const double damping =
        settings_.physics.springs ? element.number("damping", 0.0, kNotNegative) : 0.0;
    const double friction =
        settings_.physics.friction_loss ? element.number("frictionloss", 0.0, kNotNegative) : 0.0;
    const auto range = element.numbers("range", 2, 2, kAnyNumber);
    const bool limited =
        is_limited(element, "limited", "range", settings_.at(element).auto_limits) &&
        settings_.physics.limits && range;
    if (stiffness == 0.0 && damping == 0.0 && friction == 0.0 && !limited) {
      return;
    }
    if (!tendon.lever) {
      return element.note(
          "limits, springs and friction of <fixed> not used: its joints move independently of each "
          "other");
    }
    const auto& [index, constant, slope] = *tendon.lever;
    JointProperties& p = joint(index).properties;
    p.damping += damping * slope * slope;
    p.friction += friction * std::abs(slope);
    add_spring(stiffness * slope * slope, (spring_length(element, tendon) - constant) / slope, &p);
    if (limited) {
      const double a = ((*range)[0] - constant) / slope;
      const double b = ((*range)[1] - constant) / slope;
      p.lower = std::max(p.lower, std::min(a, b));
      p.upper = std::min(p.upper, std::max(a, b));
      if (!(p.lower < p.upper)) {
        element.problem("range",
                        "leaves its joint no room, got limits that exclude each other, "
                        "want a range");
      }
    }
  }

  static void add_spring(double stiffness, double rest, JointProperties* p) {
    if (stiffness > 0.0) {
      const double sum = p->stiffness + stiffness;
      p->rest = (p->stiffness * p->rest + stiffness * rest) / sum;
      p->stiffness = sum;
    }
  }

  // The length at which the spring rests; if it is not given, the length at which the springs of
  // its joints rest.
  double spring_length(const Element& element, const Tendon& tendon) {
    if (const auto given = element.numbers("springlength", 1, 2, kAnyNumber)) {
      if (given->size() > 1 && (*given)[1] != (*given)[0]) {
        element.note("<fixed springlength> used without the range in which it is slack");
      }
      if (given->front() >= 0.0) {
        return given->front();
      }
    }
    double length = 0.0;
    for (const Tendon::Term& term : tendon.terms) {
      length += term.coefficient * record(term.joint).spring_reference;
    }
    return length;
  }

  const JointRecord& record(int index) const {
    return tree_.joints[static_cast<std::size_t>(index)];
  }
  RobotJoint& joint(int index) { return tree_.joint(record(index)); }

  const Settings& settings_;
  const Defaults& defaults_;
  Tree& tree_;
  std::map<int, Lever> follows_;  // by joint; the lever's own joint is the next one
  std::map<std::string, Tendon> tendons_;
  int num_spatial_ = 0;
};

}  // namespace

std::map<std::string, Tendon> read_tendons(const Element& root, const Settings& settings,
                                           const Defaults& defaults, Tree* tree) {
  TendonReader reader(root, settings, defaults, tree);
  for (const Element& section : root.children()) {
    if (section.tag() == "tendon") {
      reader.read(section.mark_read());
    }
  }
  return reader.take();
}

}  // namespace tenpin::scene::mjcf
