#include "scene/import/urdf.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "base/check.h"
#include "scene/import/urdf_joint.h"
#include "scene/import/urdf_link.h"

namespace tenpin::scene::urdf {

namespace {

class ModelReader {
 public:
  ModelReader(const ModelFolder& folder, const ImportOptions& options, const ReadLimits& limits,
              ModelText* text, Scene* scene)
      : folder_(folder), options_(options), limits_(limits), text_(*text), scene_(*scene) {}

  void read(const Element& root) {
    scene_.name = root.mark_read().text("name", "URDF model");
    scene_.materials.push_back({.name = "default"});
    read_parts(root);
    text_.throw_if_any();
    connect();
    text_.throw_if_any();
    const int base = find_root(root);
    text_.throw_if_any();
    order(base);
    text_.throw_if_any();
    if (text_.lenient) {
      fix_massless();
    }
    check_planes();
    text_.throw_if_any();
    add_bodies(&text_, &robot_, &scene_);
    add_mimics();
  }

 private:
  void read_parts(const Element& root) {
    for (const Element& element : root.children()) {
      if (element.tag() == "material" && element.has_child("color")) {
        colours_[element.mark_read().text("name")] = read_colour(element, {});
      }
    }
    for (const Element& element : root.children()) {
      if (element.tag() == "link") {
        add_link(element.mark_read());
      } else if (element.tag() == "joint") {
        add_joint(element.mark_read());
      } else if (element.tag().starts_with("xacro:")) {
        element.mark_read().problem("", "a macro, got <" + std::string(element.tag()) +
                                            ">, want plain URDF: run xacro first");
      }
    }
    if (links_.empty()) {
      root.problem("", "no links, got none, want at least one <link>");
    }
  }

  void add_link(const Element& element) {
    if (static_cast<std::int64_t>(links_.size()) >= limits_.max_bodies) {
      throw LimitError("too many links, got more than " + std::to_string(limits_.max_bodies) +
                       " (raise it with --max-bodies)");
    }
    Link link = read_link(element, {folder_, options_.balance_inertia, &meshes_, colours_});
    const int index = static_cast<int>(links_.size());
    if (!link.name.empty() && !link_named_.emplace(link.name, index).second) {
      element.problem("name",
                      "a second link of this name, got " + link.name + ", want another name");
    }
    links_.push_back(std::move(link));
  }

  void add_joint(const Element& element) {
    Joint joint = read_joint(element);
    const int index = static_cast<int>(joints_.size());
    if (!joint.name.empty() && !joint_named_.emplace(joint.name, index).second) {
      element.problem("name",
                      "a second joint of this name, got " + joint.name + ", want another name");
    }
    joints_.push_back(std::move(joint));
  }

  Element element_of(const Joint& joint) { return {&text_, joint.element}; }

  int find_link(const Joint& joint, const std::string& name, std::string_view end) {
    const auto found = link_named_.find(name);
    if (found != link_named_.end()) {
      return found->second;
    }
    element_of(joint).problem(end,
                              "unknown link, got " + name + ", " + want_key(name, link_named_));
    return -1;
  }

  // Attaches every link to the joint of which it is the child.
  void connect() {
    joint_of_.assign(links_.size(), -1);
    children_.resize(links_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const int parent = find_link(joints_[j], joints_[j].parent, "parent");
      const int child = find_link(joints_[j], joints_[j].child, "child");
      if (parent < 0 || child < 0) {
        continue;
      }
      int& above = joint_of_[static_cast<std::size_t>(child)];
      if (parent == child) {
        element_of(joints_[j])
            .problem("", "joins a link to itself, got " + joints_[j].child + ", want two links");
      } else if (above >= 0) {
        element_of(joints_[j])
            .problem("child", "a second parent, got one more joint to " + joints_[j].child +
                                  ", want one (" + joints_[static_cast<std::size_t>(above)].name +
                                  ")");
      } else {
        above = static_cast<int>(j);
        children_[static_cast<std::size_t>(parent)].push_back(child);
      }
    }
  }

  int find_root(const Element& model) {
    std::vector<int> roots;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (joint_of_[i] < 0) {
        roots.push_back(static_cast<int>(i));
      }
    }
    if (roots.empty()) {
      model.problem("", "a cycle of joints, got a parent for every link, want one root link");
      return -1;
    }
    for (std::size_t i = 1; i < roots.size(); ++i) {
      const Link& other = links_[static_cast<std::size_t>(roots[i])];
      Element(&text_, other.element)
          .problem("", "a second root, got " + other.name + " without parent beside " +
                           links_[static_cast<std::size_t>(roots[0])].name +
                           ", want one root link");
    }
    return roots.front();
  }

  // Fills the robot from the root outwards, depth first.
  void order(int root) {
    place_of_.assign(links_.size(), -1);
    std::vector<int> open = {root};
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      Link link = links_[static_cast<std::size_t>(i)];
      place_of_[static_cast<std::size_t>(i)] = static_cast<int>(robot_.links.size());
      if (i == root) {
        hang_root(&link);
      } else {
        const Joint& joint =
            joints_[static_cast<std::size_t>(joint_of_[static_cast<std::size_t>(i)])];
        link.parent = place_of_[static_cast<std::size_t>(link_named_.at(joint.parent))];
        link.X_PL = joint.X_PC;
        link.joints = joint.joints;
      }
      robot_.links.push_back(std::move(link));
      const auto& children = children_[static_cast<std::size_t>(i)];
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (place_of_[i] < 0) {
        Element(&text_, links_[i].element)
            .problem("", "a cycle of joints, got " + links_[i].name +
                             " that is its own ancestor, want a tree");
      }
    }
  }

  void hang_root(Link* link) {
    const bool fixed =
        options_.base == Base::kFixed ||
        (options_.base == Base::kAsModelSays && (link->name == "world" || link->mass.mass == 0.0));
    if (fixed) {
      text_.add_note(link->element,
                     "root link " + link->name + " is fixed to the world (--base free lets it go)",
                     Effect::kChoice);
      return;
    }
    link->joints.push_back({.name = "", .kind = JointKind::kFree, .properties = {}});
    text_.add_note(link->element,
                   "root link " + link->name + " floats free (--base fixed holds it)",
                   Effect::kChoice);
  }

  // Fixes joints that move no mass, because they have no motion of their own: the links beyond them
  // are fixed to the parent.
  void fix_massless() {
    // kg   mass of the link and of all links beyond it
    std::vector<double> carried(robot_.links.size(), 0.0);
    for (std::size_t i = robot_.links.size(); i-- > 0;) {
      Link& link = robot_.links[i];
      carried[i] += link.mass.mass;
      if (link.parent != kWorld) {
        carried[static_cast<std::size_t>(link.parent)] += carried[i];
      }
      if (carried[i] == 0.0 && !link.joints.empty()) {
        text_.add_note(link.element,
                       "link " + link.name + " moves without mass: fixed to its parent");
        link.joints.clear();
      }
    }
  }

  void check_planes() {
    std::vector<bool> moves;
    for (const Link& link : robot_.links) {
      moves.push_back(!link.joints.empty() ||
                      (link.parent != kWorld && moves[static_cast<std::size_t>(link.parent)]));
      const bool has_plane =
          std::any_of(link.parts.begin(), link.parts.end(), [](const RobotPart& part) {
            return std::holds_alternative<shapes::Plane>(part.placed.shape);
          });
      if (moves.back() && has_plane) {
        Element(&text_, link.element)
            .problem("", "a plane that moves, got <plane> on " + link.name +
                             ", want it on a link that does not move");
      }
    }
  }

  // The body that a joint moves, if the joint has one coordinate.
  std::optional<int> body_of(const Joint& joint) const {
    const auto link =
        static_cast<std::size_t>(place_of_[static_cast<std::size_t>(link_named_.at(joint.child))]);
    const std::vector<RobotJoint>& joints = robot_.links[link].joints;
    const bool is_scalar = joints.size() == 1 && (joints.front().kind == JointKind::kHinge ||
                                                  joints.front().kind == JointKind::kSlider);
    return is_scalar ? std::optional(robot_.joint_body[link].front()) : std::nullopt;
  }

  void add_mimics() {
    for (const Joint& joint : joints_) {
      if (!joint.mimic) {
        continue;
      }
      const auto found = joint_named_.find(joint.mimic->joint);
      if (found == joint_named_.end()) {
        element_of(joint).problem("mimic", "unknown joint, got " + joint.mimic->joint + ", " +
                                               want_key(joint.mimic->joint, joint_named_));
        continue;
      }
      const auto follower = body_of(joint);
      const auto leader = body_of(joints_[static_cast<std::size_t>(found->second)]);
      if (!follower || !leader || follower == leader) {
        element_of(joint).note("<mimic> not used: a joint without a coordinate of its own");
        continue;
      }
      Loop loop;
      loop.kind = Loop::Kind::kCoupling;
      loop.name = make_scene_name(joint.name);
      loop.body_a = *follower;
      loop.body_b = *leader;
      loop.polynomial = {joint.mimic->offset, joint.mimic->multiplier, 0.0, 0.0, 0.0};
      loop.line = element_of(joint).line();
      scene_.loops.push_back(std::move(loop));
    }
  }

  const ModelFolder& folder_;
  const ImportOptions& options_;
  const ReadLimits& limits_;
  ModelText& text_;
  Scene& scene_;
  MeshStore meshes_;
  std::map<std::string, std::string> colours_;  // of the robot's materials
  std::vector<Link> links_;                     // in the order of the file
  std::vector<Joint> joints_;
  std::map<std::string, int> link_named_, joint_named_;
  std::vector<int> joint_of_;               // per link: the joint above it; -1: root
  std::vector<std::vector<int>> children_;  // per link
  std::vector<int> place_of_;               // per link: its index in the robot
  Robot robot_;
};

}  // namespace

void read_model(int root, const ModelFolder& folder, const ImportOptions& options,
                const ReadLimits& limits, ModelText* text, Scene* scene) {
  ModelReader(folder, options, limits, text, scene).read(Element(text, root));
}

}  // namespace tenpin::scene::urdf
