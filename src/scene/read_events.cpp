#include "scene/read_events.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scene/characters.h"
#include "scene/values.h"
#include "scene/write_text.h"

namespace tenpin::scene {

namespace {

using dynamics::Event;
using dynamics::Measure;
using dynamics::Setting;

// A quantity of one body, by the last word of its name.
struct BodyMeasure {
  std::string_view table;  // "bodies." or "joints."
  std::string_view field;
  Measure::Kind kind;
};
constexpr std::array kBodyMeasures = {
    BodyMeasure{"bodies.", "position", Measure::Kind::kPosition},
    BodyMeasure{"bodies.", "velocity", Measure::Kind::kVelocity},
    BodyMeasure{"bodies.", "angular_velocity", Measure::Kind::kAngularVelocity},
    BodyMeasure{"joints.", "position", Measure::Kind::kCoordinate},
    BodyMeasure{"joints.", "velocity", Measure::Kind::kRate},
};
constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

bool has_axis(const Body& body) {
  return body.joint == JointKind::kHinge || body.joint == JointKind::kSlider;
}

std::string name_measure(const Measure& measure, const Scene& scene) {
  const auto name = [&](int body) -> const std::string& {
    return scene.bodies[static_cast<std::size_t>(body)].name;
  };
  if (measure.kind == Measure::Kind::kTime) return "t";
  if (measure.kind == Measure::Kind::kDistance) {
    return "pairs." + name(measure.body_a) + "+" + name(measure.body_b) + ".distance";
  }
  for (const BodyMeasure& of : kBodyMeasures) {
    if (of.kind != measure.kind) continue;
    std::string text = std::string(of.table) + name(measure.body_a) + "." + std::string(of.field);
    if (of.table == "joints.") return text;
    return text + "." + std::string(kAxes[static_cast<std::size_t>(measure.component)]);
  }
  return {};
}

// The quantity of one body with that name.
std::optional<Measure> find_body_measure(std::string_view text, int body, const Scene& scene) {
  for (const BodyMeasure& of : kBodyMeasures) {
    const bool is_joint = of.table == "joints.";
    if (is_joint && !has_axis(scene.bodies[static_cast<std::size_t>(body)])) continue;
    for (int k = 0; k < (is_joint ? 1 : 3); ++k) {
      const Measure measure{.kind = of.kind, .body_a = body, .component = k};
      if (name_measure(measure, scene) == text) return measure;
    }
  }
  return std::nullopt;
}

// Finds a quantity by its name. Names of bodies may contain dots and plus signs, so the names of
// all quantities of the scene are made and compared.
std::optional<Measure> find_measure(std::string_view text, const Scene& scene) {
  if (text == "t") return Measure{};
  std::vector<int> named;  // bodies whose names occur in the text
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const std::string& name = scene.bodies[static_cast<std::size_t>(i)].name;
    if (text.find(name) != std::string_view::npos) named.push_back(i);
  }
  for (const int a : named) {
    if (const std::optional<Measure> measure = find_body_measure(text, a, scene)) return measure;
    for (const int b : named) {
      const Measure measure{.kind = Measure::Kind::kDistance, .body_a = a, .body_b = b};
      if (a != b && name_measure(measure, scene) == text) return measure;
    }
  }
  return std::nullopt;
}

class EventReader {
 public:
  EventReader(const BodyIndex& index, const MaterialIndex& materials, const Scene& scene,
              ProblemList* problems)
      : index_(index), materials_(materials), scene_(scene), problems_(*problems) {}

  Event read(const Node& entry, const std::string& path) {
    Event event;
    event.name = entry.find("name")->text;
    read_when(*entry.find("when"), path + ".when", &event);
    const Node& actions = *entry.find("do");
    const std::string here = path + ".do";
    if (actions.keys.empty()) {
      problems_.add(actions.place, here, "nothing to do, got no key, want release, set or stop");
    }
    each(actions.find("release"), here + ".release", [&](const Node& node, const std::string& at) {
      read_release(node, at, &event);
    });
    each(actions.find("set"), here + ".set", [&](const Node& node, const std::string& at) {
      read_setting(node, at, &event);
    });
    take(actions, "stop", &event.stops);
    return event;
  }

 private:
  // Reads one value, or a list of them.
  template <typename Read>
  static void each(const Node* node, const std::string& path, Read read) {
    if (node == nullptr) return;
    if (!node->is_list()) return read(*node, path);
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      read(node->items[i], path + "[" + std::to_string(i) + "]");
    }
  }

  std::optional<int> find_body(const Node& name, const std::string& path) {
    const std::optional<int> body =
        index_.find({.name = name.text, .place = name.place, .path = path}, &problems_);
    if (body != kWorld) return body;
    problems_.add(name.place, path, "nothing moves the world, got world, want a body");
    return std::nullopt;
  }

  void read_when(const Node& node, const std::string& path, Event* event) {
    const Node* above = node.find("above");
    const Node* below = node.find("below");
    if (const Node* pair = node.find("contact")) {
      const std::optional<int> a = find_body(pair->items[0], path + ".contact[0]");
      const std::optional<int> b = find_body(pair->items[1], path + ".contact[1]");
      if (a && b) event->body_a = *a, event->body_b = *b;
      for (const Node* bound : {above, below}) {
        if (bound != nullptr) {
          problems_.add(bound->place, path, "a bound without a quantity, got it, want it removed");
        }
      }
      return;
    }
    const Node& quantity = *node.find("quantity");
    if ((above == nullptr) == (below == nullptr)) {
      problems_.add(node.place, path,
                    std::string("a quantity needs one bound, got ") +
                        (above == nullptr ? "none" : "both") + ", want above or below");
      return;
    }
    event->when = above != nullptr ? Event::When::kAbove : Event::When::kBelow;
    event->bound = to_number(above != nullptr ? *above : *below);
    if (const std::optional<Measure> measure = find_measure(quantity.text, scene_)) {
      event->measure = *measure;
    } else {
      problems_.add(quantity.place, path + ".quantity",
                    "unknown quantity, got " + excerpt(quantity.text) +
                        ", want t, bodies.NAME.position.z (velocity, angular_velocity), "
                        "joints.NAME.position (velocity) or pairs.A+B.distance");
    }
  }

  void read_release(const Node& node, const std::string& path, Event* event) {
    for (std::size_t k = 0; k < scene_.loops.size(); ++k) {
      if (scene_.loops[k].name == node.text) {
        return event->released_loops.push_back(static_cast<int>(k));
      }
    }
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
      const Body& body = scene_.bodies[k];
      if (body.name != node.text) continue;
      if (body.properties.motor.kind == Motor::Kind::kNone) {
        return problems_.add(node.place, path,
                             "nothing to release, got a body without a motor, " +
                                 excerpt(node.text) + ", want a loop or a body with a motor");
      }
      return event->released_motors.push_back(static_cast<int>(k));
    }
    problems_.add(
        node.place, path,
        "unknown name, got " + excerpt(node.text) + ", want a loop or a body with a motor");
  }

  // Checks that the keys belong to the same kind of setting.
  void check_partners(const Node& node, const std::string& path) {
    struct Partner {
      std::string_view key, of;
    };
    constexpr std::array kPartners = {
        Partner{"target", "motor"},
        Partner{"velocity", "motion"},
        Partner{"angular_velocity", "motion"},
        Partner{"force", "push"},
        Partner{"torque", "push"},
        Partner{"friction", "between"},
        Partner{"restitution", "between"},
    };
    for (const Partner& partner : kPartners) {
      const Node* value = node.find(partner.key);
      if (value == nullptr || node.find(partner.of) != nullptr) continue;
      problems_.add(value->place, path + "." + std::string(partner.key),
                    "only with " + std::string(partner.of) + ", got it, want the key removed");
    }
    for (const std::string_view key : {"motor", "between"}) {
      const std::string_view needed = key == "motor" ? "target" : "friction";
      if (node.find(key) == nullptr || node.find(needed) != nullptr) continue;
      problems_.add(node.place, path + "." + std::string(needed),
                    "needed with " + std::string(key) + ", got nothing, want a number");
    }
  }

  void read_setting(const Node& node, const std::string& path, Event* event) {
    Setting setting;
    check_partners(node, path);
    if (node.find("gravity") != nullptr) {
      take(node, "gravity", &setting.vector);
    } else if (const Node* motor = node.find("motor")) {
      setting.kind = Setting::Kind::kTarget;
      take(node, "target", &setting.target);
      const std::optional<int> body = find_body(*motor, path + ".motor");
      if (!body) return;
      setting.body = *body;
      if (at(*body).properties.motor.kind == Motor::Kind::kNone) {
        problems_.add(motor->place, path + ".motor",
                      "no motor, got " + excerpt(motor->text) + ", want a body with a motor");
      }
    } else if (const Node* motion = node.find("motion")) {
      setting.kind = Setting::Kind::kMotion;
      take(node, "velocity", &setting.vector);
      take(node, "angular_velocity", &setting.rotation);
      const std::optional<int> body = find_body(*motion, path + ".motion");
      if (!body) return;
      setting.body = *body;
      if (at(*body).joint != JointKind::kPrescribed) {
        problems_.add(
            motion->place, path + ".motion",
            "no prescribed motion, got " + excerpt(motion->text) + ", want a body with motion");
      }
    } else if (const Node* push = node.find("push")) {
      setting.kind = Setting::Kind::kForce;
      take(node, "force", &setting.vector);
      take(node, "torque", &setting.rotation);
      const std::optional<int> body = find_body(*push, path + ".push");
      if (!body) return;
      setting.body = *body;
      if (at(*body).mass == 0.0) {
        problems_.add(push->place, path + ".push",
                      "no force moves it, got " + excerpt(push->text) + ", want a body with mass");
      }
    } else {
      const Node& between = *node.find("between");
      setting.kind = Setting::Kind::kSurface;
      take(node, "friction", &setting.friction);
      take(node, "restitution", &setting.restitution);
      setting.material_a =
          find_material(materials_, between.items[0], path + ".between[0]", &problems_);
      setting.material_b =
          find_material(materials_, between.items[1], path + ".between[1]", &problems_);
    }
    event->settings.push_back(setting);
  }

  const Body& at(int body) const { return scene_.bodies[static_cast<std::size_t>(body)]; }

  const BodyIndex& index_;
  const MaterialIndex& materials_;
  const Scene& scene_;
  ProblemList& problems_;
};

std::string write_when(const Event& event, const Scene& scene) {
  const auto name = [&](int body) {
    return quote(scene.bodies[static_cast<std::size_t>(body)].name);
  };
  if (event.when == Event::When::kContact) {
    return Map("when").add("contact", pair(name(event.body_a), name(event.body_b))).text();
  }
  return Map("when")
      .add("quantity", quote(name_measure(event.measure, scene)))
      .add(event.when == Event::When::kAbove ? "above" : "below", event.bound)
      .text();
}

std::string write_setting(const Setting& setting, const Scene& scene) {
  const auto name = [&](int body) {
    return quote(scene.bodies[static_cast<std::size_t>(body)].name);
  };
  const auto material = [&](int index) {
    return quote(scene.materials[static_cast<std::size_t>(index)].name);
  };
  switch (setting.kind) {
    case Setting::Kind::kGravity:
      return Map("setting").add("gravity", setting.vector).text();
    case Setting::Kind::kTarget:
      return Map("setting").add("motor", name(setting.body)).add("target", setting.target).text();
    case Setting::Kind::kMotion:
      return Map("setting")
          .add("motion", name(setting.body))
          .add("velocity", setting.vector)
          .add("angular_velocity", setting.rotation)
          .text();
    case Setting::Kind::kForce:
      return Map("setting")
          .add("push", name(setting.body))
          .add("force", setting.vector)
          .add("torque", setting.rotation)
          .text();
    case Setting::Kind::kSurface:
      return Map("setting")
          .add("between", pair(material(setting.material_a), material(setting.material_b)))
          .add("friction", setting.friction)
          .add("restitution", setting.restitution)
          .text();
  }
  return {};
}

std::string write_do(const Event& event, const Scene& scene) {
  std::string names;
  for (const int loop : event.released_loops) {
    names += (names.empty() ? "" : ", ") + quote(scene.loops[static_cast<std::size_t>(loop)].name);
  }
  for (const int body : event.released_motors) {
    names += (names.empty() ? "" : ", ") + quote(scene.bodies[static_cast<std::size_t>(body)].name);
  }
  std::string settings;
  for (const Setting& setting : event.settings) {
    settings += (settings.empty() ? "" : ", ") + write_setting(setting, scene);
  }
  Map map("do");
  if (!names.empty()) map.add("release", "[" + names + "]");
  if (!settings.empty()) map.add("set", "[" + settings + "]");
  if (event.stops) map.add("stop", std::string("true"));
  return map.text();
}

}  // namespace

void read_events(const Node& list, const BodyIndex& index, const MaterialIndex& materials,
                 Scene* scene, ProblemList* problems) {
  EventReader reader(index, materials, *scene, problems);
  std::unordered_set<std::string> names;
  for (const Event& event : scene->events) names.insert(event.name);  // of included models
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node& entry = list.items[i];
    const std::string path = "events[" + std::to_string(i) + "]";
    Event event = reader.read(entry, path);
    if (!names.insert(event.name).second) {
      problems->add(entry.find("name")->place, path + ".name",
                    "duplicate name, got " + excerpt(event.name) + " again, want a new one");
    }
    scene->events.push_back(std::move(event));
  }
}

std::string write_events(const Scene& scene) {
  std::string result = scene.events.empty() ? "" : "events:\n";
  for (const Event& event : scene.events) {
    result += "  - {name: " + quote(event.name) + ", when: " + write_when(event, scene) +
              ", do: " + write_do(event, scene) + "}\n";
  }
  return result;
}

}  // namespace tenpin::scene
