#include "scene/import/mjcf_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "scene/import/mjcf_geom.h"

namespace tenpin::scene::mjcf {

namespace {

// An element of the tree and the properties that it inherits from enclosing elements.
struct Item {
  Element element;
  int link = 0;
  Pose X_LF = {};  // pose in the link of the frame that contains it
  int default_class = 0;
  std::string suffix = {};  // appended to names in a <replicate>
};

// MJCF's order is xx, yy, zz, xy, xz, yz.
Mat3 to_inertia(const std::vector<double>& m) {
  Mat3 result;
  result << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  return result;
}

class TreeReader {
 public:
  TreeReader(const Element& root, const TreeContext& context)
      : root_(root), context_(context), settings_(context.settings) {}

  Tree read() {
    tree_.robot.links.push_back({.name = "world", .element = root_.index()});
    tree_.link_named["world"] = 0;
    per_link_.emplace_back();
    walk();
    find_statics();
    for (std::size_t i = 0; i < tree_.robot.links.size(); ++i) {
      read_geoms(static_cast<int>(i));
      settle_mass(static_cast<int>(i));
    }
    scale_total_mass();
    number_joints();
    return std::move(tree_);
  }

 private:
  struct PerLink {
    std::optional<MassProperties> inertial;
    std::vector<Item> geoms;
    std::vector<JointRecord> joints;
    bool is_static = false;
  };

  Link& link(int index) { return tree_.robot.links[static_cast<std::size_t>(index)]; }
  PerLink& extra(int index) { return per_link_[static_cast<std::size_t>(index)]; }

  // ---- first pass: bodies and joints, depth first in the order of the file
  void walk() {
    for (const Element& section : root_.children()) {
      if (section.tag() != "worldbody") {
        continue;
      }
      push_children(
          {.element = section.mark_read(),
           .default_class = context_.defaults.class_of(section, "childclass", Defaults::kMain)});
      while (!stack_.empty()) {
        const Item item = std::move(stack_.back());
        stack_.pop_back();
        visit(item);
      }
    }
  }

  void push_children(const Item& parent) {
    const std::size_t begin = stack_.size();
    for (const Element& child : parent.element.children()) {
      stack_.push_back({child, parent.link, parent.X_LF, parent.default_class, parent.suffix});
    }
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
  }

  void visit(const Item& item) {
    const std::string_view tag = item.element.tag();
    if (tag == "body") {
      visit_body(item);
    } else if (tag == "frame") {
      visit_frame(item);
    } else if (tag == "replicate") {
      visit_replicate(item);
    } else if (tag == "joint" || tag == "freejoint") {
      visit_joint(item);
    } else if (tag == "geom") {
      extra(item.link).geoms.push_back(item);
    } else if (tag == "inertial" &&
               settings_.inertia_from_geoms != Settings::InertiaFromGeoms::kAlways) {
      visit_inertial(item);
    } else if (tag == "site") {
      visit_site(item);
    }
  }

  void visit_body(const Item& item) {
    const Element& body = item.element.mark_read();
    const int index = static_cast<int>(tree_.robot.links.size());
    if (index > context_.max_bodies) {
      throw LimitError("too many bodies, got more than " + std::to_string(context_.max_bodies) +
                       " (raise it with --max-bodies)");
    }
    Link link;
    link.name = body.has("name") ? body.text("name") + item.suffix : "";
    if (!link.name.empty() && !tree_.link_named.emplace(link.name, index).second) {
      body.problem("name", "a second body of this name, got " + link.name + ", want another name");
    }
    link.name = link.name.empty() ? "body" + std::to_string(index) : link.name;
    link.parent = item.link;
    link.X_PL = item.X_LF * read_pose(body, settings_);
    link.lift = body.number("gravcomp", 0.0, kAnyNumber);
    link.element = body.index();
    tree_.robot.links.push_back(std::move(link));
    per_link_.emplace_back();
    push_children(
        {.element = body,
         .link = index,
         .default_class = context_.defaults.class_of(body, "childclass", item.default_class),
         .suffix = item.suffix});
  }

  void visit_frame(const Item& item) {
    const Element& frame = item.element.mark_read();
    frame.find("name");
    Item inner = item;
    inner.X_LF = item.X_LF * read_pose(frame, settings_);
    inner.default_class = context_.defaults.class_of(frame, "childclass", item.default_class);
    push_children(inner);
  }

  // Each copy is displaced from the previous one.
  void visit_replicate(const Item& item) {
    const Element& element = item.element.mark_read();
    const auto count = element.integer("count", {.low = 1, .high = 1e6});
    if (!count) {
      return element.problem("count", "missing, got nothing, want a number of copies");
    }
    const Pose step = {.R = read_turn(element, settings_),
                       .p = element.vector("offset", kPointRange).value_or(Vec3::Zero())};
    const std::string separator = element.text("sep");
    const std::size_t width = std::to_string(*count - 1).size();
    std::vector<Item> copies;
    Item copy = item;
    for (std::int64_t i = 0; i < *count; ++i) {
      const std::string number = std::to_string(i);
      copy.suffix = item.suffix;
      copy.suffix.append(separator).append(width - number.size(), '0').append(number);
      copies.push_back(copy);
      copy.X_LF = copy.X_LF * step;
    }
    for (auto c = copies.rbegin(); c != copies.rend(); ++c) {
      push_children(*c);
    }
  }

  void visit_joint(const Item& item) {
    const bool on_world = item.link == 0;
    if (on_world) {
      return item.element.mark_read().problem(
          "",
          "a joint of the world, got <" + std::string(item.element.tag()) + ">, want it in a body");
    }
    const Element joint = context_.defaults.resolve(item.element, item.default_class);
    auto read = read_joint(joint, settings_, item.X_LF);
    if (!read) {
      return;
    }
    std::vector<RobotJoint>& joints = link(item.link).joints;
    const bool is_free = read->joint.kind == JointKind::kFree;
    if (is_free && (link(item.link).parent != 0 || !joints.empty())) {
      return joint.problem("",
                           "a free joint here, got one below another body or joint, want it "
                           "alone on a child of the world");
    }
    if (!joints.empty() && joints.front().kind == JointKind::kFree) {
      return joint.problem("", "a second joint, got one beside a free joint, want none");
    }
    if (!read->joint.name.empty()) {
      read->joint.name += item.suffix;
    }
    extra(item.link).joints.push_back(
        {.link = item.link,
         .number = static_cast<int>(joints.size()),
         .reference = read->reference,
         .spring_reference = read->reference + read->joint.properties.rest,
         .motor_limit = read->motor_limit,
         .element = joint.index()});
    joints.push_back(std::move(read->joint));
  }

  void visit_inertial(const Item& item) {
    const Element& inertial = item.element.mark_read();
    const Pose X_LI = item.X_LF * read_pose(inertial, settings_);
    MassProperties mass;
    if (!inertial.has("mass")) {
      return inertial.problem("mass", "missing, got nothing, want a mass");
    }
    mass.mass = inertial.number("mass", 0.0, kNotNegative);
    if (const auto full = inertial.numbers("fullinertia", 6, 6, kAnyNumber)) {
      mass.inertia = to_inertia(*full);
    } else if (const auto diagonal = inertial.vector("diaginertia", kAnyNumber)) {
      mass.inertia = diagonal->asDiagonal();
    }
    extra(item.link).inertial = place_mass(mass, X_LI);
  }

  void visit_site(const Item& item) {
    // Marked as read only if a loop needs it; otherwise it is listed among the unused elements.
    if (!item.element.has("name")) {
      return;
    }
    const Pose X_LS = item.X_LF * read_pose(item.element, settings_);
    tree_.site_named.emplace(item.element.text("name") + item.suffix,
                             Tree::SitePlace{item.link, X_LS, item.element.index()});
  }

  // ---- second pass: everything that depends on which bodies move
  void find_statics() {
    for (std::size_t i = 0; i < per_link_.size(); ++i) {
      const Link& l = tree_.robot.links[i];
      const bool parent_is_static = l.parent == kWorld || extra(l.parent).is_static;
      per_link_[i].is_static = l.joints.empty() && parent_is_static;
      tree_.robot.links[i].touches_parent = parent_is_static || !settings_.physics.filter_parent;
      tree_.X_WL.push_back(
          l.parent == kWorld ? l.X_PL : tree_.X_WL[static_cast<std::size_t>(l.parent)] * l.X_PL);
    }
  }

  void read_geoms(int index) {
    PerLink& of_link = extra(index);
    MassProperties sum;
    std::vector<Visual> visuals;
    bool has_drawing = false;  // a visible geom that touches nothing
    for (const Item& item : of_link.geoms) {
      const Element geom = context_.defaults.resolve(item.element, item.default_class);
      const GeomContext context = {.settings = settings_,
                                   .assets = context_.assets,
                                   .X_LF = item.X_LF,
                                   .is_static = of_link.is_static,
                                   .needs_mass = !of_link.is_static && !of_link.inertial};
      Geom read = read_geom(geom, context);
      if (read.group >= settings_.inertia_groups[0] && read.group <= settings_.inertia_groups[1]) {
        sum = add_mass(sum, read.mass);
      }
      if (read.visual) {
        visuals.push_back(*read.visual);
        has_drawing = has_drawing || read.is_only_drawn;
      }
      if (read.part) {
        add_part(index, geom, item, std::move(read));
      }
    }
    // Without visible geoms of its own, a link shows the geoms that touch.
    if (has_drawing) link(index).visuals = std::move(visuals);
    link(index).mass =
        settings_.inertia_from_geoms == Settings::InertiaFromGeoms::kNever ? MassProperties{} : sum;
  }

  void add_part(int index, const Element& geom, const Item& item, Geom&& read) {
    Link& of = link(index);
    read.part->options.material = context_.surfaces->index(read.surface);
    of.colour = of.colour.empty() ? read.colour : of.colour;
    if (geom.has("name")) {
      read.part->name = geom.text("name") + item.suffix;
      const Tree::GeomPlace place = {index, static_cast<int>(of.parts.size()), read.surface};
      if (!tree_.geom_named.emplace(read.part->name, place).second) {
        geom.problem("name",
                     "a second geom of this name, got " + read.part->name + ", want another name");
      }
    }
    of.parts.push_back(std::move(*read.part));
  }

  void settle_mass(int index) {
    if (index == 0) {
      return;
    }
    MassProperties& mass = link(index).mass;
    mass = extra(index).inertial.value_or(mass);
    mass.mass = std::max(mass.mass, settings_.least_mass);
    if (mass.mass > 0.0 && (settings_.least_inertia > 0.0 || settings_.balance_inertia)) {
      mass.inertia = mend_inertia(mass.inertia, settings_.least_inertia, settings_.balance_inertia);
    }
  }

  void scale_total_mass() {
    double total = 0.0;
    for (const Link& l : tree_.robot.links) {
      total += l.mass.mass;
    }
    if (settings_.total_mass <= 0.0 || total == 0.0) {
      return;
    }
    for (Link& l : tree_.robot.links) {
      l.mass.mass *= settings_.total_mass / total;
      l.mass.inertia *= settings_.total_mass / total;
    }
  }

  void number_joints() {
    for (const PerLink& of_link : per_link_) {
      for (const JointRecord& record : of_link.joints) {
        const std::string& name = tree_.joint(record).name;
        const int index = static_cast<int>(tree_.joints.size());
        if (!name.empty() && !tree_.joint_named.emplace(name, index).second) {
          Element(&root_.model(), record.element)
              .problem("name", "a second joint of this name, got " + name + ", want another name");
        }
        tree_.joints.push_back(record);
      }
    }
  }

  const Element& root_;
  const TreeContext& context_;
  const Settings& settings_;
  Tree tree_;
  std::vector<PerLink> per_link_;
  std::vector<Item> stack_;
};

}  // namespace

Tree read_tree(const Element& root, const TreeContext& context) {
  return TreeReader(root, context).read();
}

}  // namespace tenpin::scene::mjcf
