#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "lab/study/check_study.h"
#include "lab/study/flow_text.h"
#include "lab/study/sobol.h"
#include "lab/study/study.h"
#include "lab/study/study_format.h"
#include "lab/version.h"
#include "math/trig.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/contained_file.h"
#include "scene/parse_yaml.h"
#include "scene/problem_list.h"
#include "scene/values.h"

namespace tenpin::lab {

namespace {

using scene::Node;
using scene::Override;
using scene::ProblemList;
using scene::Trail;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

// Reads the keys of a study one by one, so that a problem in one key does not hide others.
class StudyReader {
 public:
  StudyReader(const Node& root, ProblemList* problems) : root_(root), problems_(*problems) {}

  void read(Study* study) {
    if (root_.find("tenpin_study") != nullptr && clean("tenpin_study") == nullptr) {
      problems_.throw_if_any();  // a file of another version may differ in every key
    }
    check_keys(root_, study_object(), {}, &problems_);
    if (const Node* name = clean("name")) study->name = name->text;
    if (const Node* scene = clean("scene")) study->scene_file = scene->text;
    if (const Node* seed = clean("seed")) {
      study->seed = scene::parse_json_unsigned(seed->text).value();
    }
    if (const Node* trials = clean("trials")) study->samples = scene::to_integer(*trials);
    if (const Node* sampling = clean("sampling")) {
      study->sampling = sampling->text == "sobol"   ? Study::Sampling::kSobol
                        : sampling->text == "latin" ? Study::Sampling::kLatin
                                                    : Study::Sampling::kRandom;
    }
    if (const Node* flag = clean("sensitivity")) study->has_sensitivity = flag->text == "true";
    if (const Node* limit = clean("trial_limit")) study->trial_limit = scene::to_number(*limit);
    if (const Node* settings = root_.find("set")) {
      read_settings(*settings, {.key = "set"}, &study->settings);
    }
    read_variables(study);
    read_measures(study);
    read_stop_rule(study);
    check_ranges(*study);
    read_drawings(study);
    study->samples *= study->group_size();
  }

 private:
  const Node* clean(std::string_view key) { return clean(root_, study_object(), {}, key); }

  // Returns the value of a key if it is present and passes its check.
  const Node* clean(const Node& map, const scene::Object& object, const Trail& trail,
                    std::string_view key) {
    const Node* node = map.find(key);
    if (node == nullptr) return nullptr;
    const Trail below = {.up = trail.key.empty() ? nullptr : &trail, .key = key};
    return check(*node, *object.find(key), below, &problems_) ? node : nullptr;
  }

  void complain(const Node& at, const Trail& trail, const std::string& problem,
                const std::string& want) {
    problems_.add(at.place, trail.to_string(),
                  problem + ", got " + scene::describe(at) + ", want " + want);
  }

  bool demand_map(const Node& node, const Trail& trail, const std::string& want) {
    if (node.is_map() && !node.items.empty()) return true;
    complain(node, trail, "wrong type", want);
    return false;
  }

  void read_settings(const Node& node, const Trail& trail, std::vector<Override>* settings) {
    if (!demand_map(node, trail, "a map from paths in the scene to values")) return;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      settings->push_back({.path = node.keys[i].text, .value = to_flow_text(node.items[i])});
    }
  }

  // Names become columns of a table, in which upper and lower case are not distinguished.
  bool take_name(const scene::Key& key, const Trail& trail) {
    const Node name = {.kind = Node::Kind::kScalar, .quoted = true, .text = key.text};
    if (!check(name, scene::Type{.kind = scene::Type::Kind::kName}, trail, &problems_)) {
      return false;
    }
    if (names_.insert(lower_case(key.text)).second) return true;
    problems_.add(key.place, trail.to_string(),
                  "taken, got " + key.text + ", want a name that no other column of the table has");
    return false;
  }

  void read_variables(Study* study) {
    const Node* vary = root_.find("vary");
    const Trail trail = {.key = "vary"};
    if (vary == nullptr || !demand_map(*vary, trail, "a map from names to what varies")) return;
    for (std::size_t i = 0; i < vary->items.size(); ++i) {
      const Trail below = {.up = &trail, .key = vary->keys[i].text};
      if (take_name(vary->keys[i], below)) read_variable(vary->keys[i], vary->items[i], study);
    }
  }

  void read_variable(const scene::Key& key, const Node& node, Study* study) {
    const Trail up = {.key = "vary"};
    const Trail trail = {.up = &up, .key = key.text};
    if (!check_keys(node, variable_object(), trail, &problems_)) return;
    Variable variable = {.name = key.text, .place = node.place};
    const Node* path = clean(node, variable_object(), trail, "path");
    const bool has_cases = node.find("cases") != nullptr;
    if (has_cases == (node.find("path") != nullptr)) {
      return complain(node, trail, has_cases ? "contradiction" : "no path",
                      has_cases ? "cases without a path" : "a path in the scene");
    }
    if (path != nullptr) variable.path = path->text;
    const std::size_t before = problems_.size();
    if (has_cases) {
      read_cases(*node.find("cases"), trail, &variable);
    } else if (const Node* values = node.find("values")) {
      read_values(*values, trail, &variable);
    } else {
      read_range(node, trail, &variable);
    }
    if (problems_.size() == before) study->variables.push_back(std::move(variable));
  }

  void read_cases(const Node& cases, const Trail& up, Variable* variable) {
    const Trail trail = {.up = &up, .key = "cases"};
    if (!demand_map(cases, trail, "a map from names to settings")) return;
    for (std::size_t i = 0; i < cases.items.size(); ++i) {
      Level level = {.label = cases.keys[i].text};
      read_settings(cases.items[i], {.up = &trail, .key = cases.keys[i].text}, &level.settings);
      variable->levels.push_back(std::move(level));
    }
  }

  void read_values(const Node& values, const Trail& up, Variable* variable) {
    if (!values.is_list() || values.items.empty()) {
      return complain(values, {.up = &up, .key = "values"}, "wrong type", "a list of values");
    }
    for (const Node& value : values.items) {
      const bool is_number = value.is_scalar() && !value.quoted;
      variable->levels.push_back(
          {.label = value.is_scalar() ? value.text : to_flow_text(value),
           .number = is_number ? scene::parse_json_number(value.text) : std::nullopt,
           .settings = {{.path = variable->path, .value = to_flow_text(value)}}});
    }
  }

  void read_range(const Node& node, const Trail& trail, Variable* variable) {
    const Node* from = clean(node, variable_object(), trail, "from");
    const Node* to = clean(node, variable_object(), trail, "to");
    const Node* count = clean(node, variable_object(), trail, "count");
    if (from == nullptr || to == nullptr) {
      if (node.find("to") == nullptr) complain(node, trail, "no end of the range", "to");
      return;
    }
    variable->low = scene::to_number(*from);
    variable->high = scene::to_number(*to);
    if (!(variable->low < variable->high)) {
      return complain(*to, {.up = &trail, .key = "to"}, "empty range", "more than " + from->text);
    }
    const std::int64_t steps = count == nullptr ? 0 : scene::to_integer(*count);
    for (std::int64_t i = 0; i < steps; ++i) {
      const double u = static_cast<double>(i) / static_cast<double>(steps - 1);
      const double value = (1.0 - u) * variable->low + u * variable->high;
      variable->levels.push_back({.label = to_text(value),
                                  .number = value,
                                  .settings = {{.path = variable->path, .value = to_text(value)}}});
    }
  }

  void read_stop_rule(Study* study) {
    const Node* until = clean("until");
    if (until == nullptr) return;
    StopRule rule = {.measure = until->find("measure")->text};
    const Trail trail = {.key = "until"};
    scene::take(*until, "half_width", &rule.half_width);
    if (const Node* most = until->find("most")) rule.most = scene::to_integer(*most);
    if (!is_measure(*study, rule.measure)) {
      complain(*until->find("measure"), {.up = &trail, .key = "measure"}, "unknown name",
               "the name of a measure");
    }
    if (study->has_sensitivity || study->sampling == Study::Sampling::kLatin) {
      complain(*until, trail, "contradiction",
               "random or sobol samples without sensitivity: the others fix their number");
    }
    study->until = rule;
  }

  void check_ranges(const Study& study) {
    const int ranges = study.num_ranges();
    const Node* trials = root_.find("trials");
    if (ranges == 0 && study.samples > 1) {
      complain(*trials, {.key = "trials"}, "nothing is sampled",
               "a range without `count`, or no `trials`");
    } else if (ranges > 0 && trials == nullptr) {
      complain(root_, {.key = "trials"}, "missing", "how many samples of the ranges");
    }
    const int most = kMaxSobolDimensions / (study.has_sensitivity ? 2 : 1);
    if (study.sampling == Study::Sampling::kSobol && ranges > most) {
      complain(*root_.find("sampling"), {.key = "sampling"}, "too many ranges",
               "at most " + std::to_string(most) + " of them, or random");
    }
    if (study.has_sensitivity && ranges == 0) {
      complain(*root_.find("sensitivity"), {.key = "sensitivity"}, "nothing is sampled",
               "a range without `count`");
    }
    if (study.until && ranges == 0) {
      complain(*root_.find("until"), {.key = "until"}, "nothing is sampled",
               "a range without `count`");
    }
    std::int64_t count = study.samples * study.group_size();
    for (const Variable& variable : study.variables) {
      if (!variable.is_range()) count *= static_cast<std::int64_t>(variable.levels.size());
      if (count <= kMaxTrials) continue;
      problems_.throw_limit(root_.place, "vary",
                            "too many trials, got more than " + std::to_string(kMaxTrials) +
                                ", want at most that (several studies can share the work)");
    }
  }

  void read_measures(Study* study) {
    const Node* measures = root_.find("measures");
    const Trail trail = {.key = "measures"};
    if (measures == nullptr) return;
    if (!demand_map(*measures, trail, "a map from names to measures")) return;
    for (std::size_t i = 0; i < measures->items.size(); ++i) {
      const Trail below = {.up = &trail, .key = measures->keys[i].text};
      const scene::Type type = {.kind = scene::Type::Kind::kObject, .object = &measure_object()};
      if (!take_name(measures->keys[i], below)) continue;
      if (!check(measures->items[i], type, below, &problems_)) continue;
      read_measure(measures->keys[i], measures->items[i], below, study);
    }
  }

  void read_measure(const scene::Key& key, const Node& node, const Trail& trail, Study* study) {
    static constexpr std::pair<std::string_view, Measure::Kind> kKinds[] = {
        {"fallen", Measure::Kind::kFallen},   {"final", Measure::Kind::kFinal},
        {"largest", Measure::Kind::kLargest}, {"smallest", Measure::Kind::kSmallest},
        {"sum", Measure::Kind::kSum},         {"first", Measure::Kind::kFirst},
        {"digest", Measure::Kind::kDigest},
    };
    const Node& what = node.items.front();
    Measure m = {.name = key.text, .place = what.place};
    for (const auto& [word, kind] : kKinds) {
      if (node.keys.front().text == word) m.kind = kind;
    }
    const auto take_text = [&](std::string_view field, std::string* text) {
      if (const Node* found = what.find(field)) *text = found->text;
    };
    const auto take_number = [&](std::string_view field, std::optional<double>* number) {
      if (const Node* found = what.find(field)) *number = scene::to_number(*found);
    };
    if (what.is_scalar()) (m.kind == Measure::Kind::kDigest ? m.bodies : m.quantity) = what.text;
    take_text("bodies", &m.bodies);
    take_text("quantity", &m.quantity);
    take_text("value", &m.value);
    take_number("above", &m.above);
    take_number("below", &m.below);
    take_number("tilt", &m.tilt);
    if (m.tilt) *m.tilt *= kPi / 180.0;
    if (m.kind == Measure::Kind::kFallen && !m.tilt && !m.below) {
      return complain(what, trail, "no way to be down", "tilt, below or both");
    }
    study->measures.push_back(std::move(m));
  }

  void read_drawings(Study* study) {
    const Node* draw = clean("draw");
    if (draw == nullptr) return;
    const Trail up = {.key = "draw"};
    for (std::size_t i = 0; i < draw->items.size(); ++i) {
      const Node& node = draw->items[i];
      const Trail trail = {.up = &up, .index = static_cast<int>(i)};
      StudyDrawing drawing = {.x = node.find("x")->text, .y = node.find("y")->text};
      if (const Node* by = node.find("by")) drawing.by = by->text;
      scene::take(node, "window", &drawing.window);
      const auto demand = [&](std::string_view key, bool is_good, const std::string& want) {
        if (node.find(key) == nullptr || is_good) return;
        complain(*node.find(key), {.up = &trail, .key = key}, "unknown name", want);
      };
      demand("x", is_variable(*study, drawing.x, false) || is_measure(*study, drawing.x),
             "the name of a variable or a measure");
      demand("y", is_measure(*study, drawing.y), "the name of a measure");
      demand("by", is_variable(*study, drawing.by, true),
             "the name of a variable with values or cases");
      study->drawings.push_back(drawing);
    }
  }

  static bool is_variable(const Study& study, const std::string& name, bool with_levels) {
    return std::any_of(study.variables.begin(), study.variables.end(), [&](const Variable& v) {
      return v.name == name && !(with_levels && v.is_range());
    });
  }
  static bool is_measure(const Study& study, const std::string& name) {
    return std::any_of(study.measures.begin(), study.measures.end(), [&](const Measure& m) {
      return m.name == name;
    });
  }

  static constexpr std::int64_t kMaxTrials = 1'000'000'000;

  const Node& root_;
  ProblemList& problems_;
  std::set<std::string> names_ = {"trial", "status", "message"};
};

// A hash of everything that a row depends on. More samples, other drawings or another title change
// no row.
std::uint64_t calc_fingerprint(const Node& root, const Study& study, std::uint64_t scene) {
  Hash hash;
  hash.add(std::string_view(kVersion));
  hash.add(std::string_view(study.scene_text));
  hash.add(scene);
  hash.add(study.seed);
  hash.add(static_cast<int>(study.sampling));
  // These settings make different samples from the same random numbers.
  if (study.has_sensitivity) hash.add(std::string_view("sensitivity"));
  if (study.sampling == Study::Sampling::kLatin) hash.add(study.samples);
  for (const std::string_view key : {"set", "vary", "measures"}) {
    const Node* node = root.find(key);
    hash.add(std::string_view(node == nullptr ? "" : to_flow_text(*node)));
  }
  return hash.value();
}

// Refuses a scene outside the study's folder, so that the folder can be copied to another machine.
void refuse_scene_elsewhere(const Node& root, const Study& study, ProblemList* problems) {
  const auto folder = std::filesystem::path(study.file).parent_path();
  std::error_code ignored;
  const auto home = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, ignored);
  const auto scene = std::filesystem::weakly_canonical(study.scene_file, ignored);
  if (scene::is_beneath(scene, home)) return;
  const Node& name = *root.find("scene");
  problems->add(name.place, "scene",
                "outside of the study's folder, got " + scene::excerpt(name.text, 200) +
                    ", want a file beneath it");
}

}  // namespace

Study read_study(const std::string& file) {
  Study study;
  study.file = file;
  study.text = scene::read_scene_text(file, {});
  const Node root = scene::parse_yaml(study.text, file);
  ProblemList problems(file);
  StudyReader(root, &problems).read(&study);
  problems.throw_if_any();
  study.scene_file = (std::filesystem::path(file).parent_path() / study.scene_file).string();
  refuse_scene_elsewhere(root, study, &problems);
  problems.throw_if_any();
  study.scene_text = scene::read_scene_text(study.scene_file, {});
  if (study.name.empty()) study.name = std::filesystem::path(file).stem().string();
  const std::uint64_t scene = check_against_scene(study, &problems);
  problems.throw_if_any();
  study.fingerprint = calc_fingerprint(root, study, scene);
  return study;
}

}  // namespace tenpin::lab
