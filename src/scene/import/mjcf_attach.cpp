#include "scene/import/mjcf_attach.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "scene/contained_file.h"
#include "scene/import/mjcf_text.h"
#include "scene/plain_message.h"

namespace tenpin::scene {

namespace {

// Attributes whose value is the name of a class, or of another element of the model.
constexpr std::array<std::string_view, 2> kClassAttributes = {"class", "childclass"};
constexpr std::array<std::string_view, 22> kNameAttributes = {
    "body",  "body1",  "body2",  "cranksite",     "geom",       "geom1",  "geom2",   "hfield",
    "joint", "joint1", "joint2", "material",      "mesh",       "name",   "refsite", "sidesite",
    "site",  "site1",  "site2",  "jointinparent", "slidersite", "texture"};
constexpr std::array<std::string_view, 3> kTendonAttributes = {"tendon", "tendon1", "tendon2"};
// Among these, `name` and references that only affect appearance are no reason to leave an element
// out.
constexpr std::array<std::string_view, 5> kOwnAttributes = {"hfield", "material", "mesh", "name",
                                                            "texture"};
// Tendons come before the actuators that act on them.
constexpr std::array<std::string_view, 5> kSections = {"asset", "contact", "tendon", "equality",
                                                       "actuator"};

template <typename Words>
bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Attacher {
 public:
  Attacher(const ModelFolder& folder, std::size_t max_bytes, ModelText* text)
      : folder_(folder), bytes_left_(max_bytes), text_(*text), document_(text->document) {}

  void attach_all(int root) {
    std::map<std::string, int> model_named;  // <model> elements
    std::vector<int> attachments;
    for_each_below(root, [&](int i) {
      if (document_[i].tag == "attach") {
        attachments.push_back(i);
      } else if (document_[i].tag == "model" && Element(&text_, i).has("name")) {
        model_named.emplace(Element(&text_, i).text("name"), i);
      }
    });
    std::map<std::string, int> root_of;  // root elements of models that have been read
    for (const int i : attachments) {
      const Element attach(&text_, i);
      const std::string name = attach.mark_read().required_text("model");
      const auto model = model_named.find(name);
      if (model == model_named.end()) {
        attach.problem("model", "unknown model, got " + name + ", " + want_key(name, model_named));
        continue;
      }
      if (!root_of.contains(name)) {
        root_of[name] = load(Element(&text_, model->second).mark_read());
      }
      if (root_of[name] >= 0) {
        instantiate(attach, root, root_of[name]);
      }
    }
  }

  std::vector<AttachedModel> take() { return std::move(models_); }

 private:
  template <typename Use>
  void for_each_below(int root, Use use) const {
    std::vector<int> open = {root};
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      use(i);
      std::vector<int> children;
      for (int child = document_[i].first_child; child >= 0; child = document_[child].next) {
        children.push_back(child);
      }
      open.insert(open.end(), children.rbegin(), children.rend());
    }
  }

  // Loads a model's file, including the files and models that it includes. Returns its root
  // element, or -1 after a problem.
  int load(const Element& model) {
    const std::string name = model.required_text("file");
    AttachedModel loaded = {.files_begin = document_.files.size()};
    try {
      const std::string shown =
          folder_.locate(name, document_.folder_of(document_[model.index()].file));
      const std::string path = folder_.resolve(shown);
      if (!open_.insert(path).second) {
        model.problem("file", "a model within itself, got " + name + ", want another one");
        return -1;
      }
      const std::string bytes = read_regular_file(path, bytes_left_);
      bytes_left_ -= bytes.size();
      const std::string& main = document_.files.front();
      loaded.root = parse_xml(bytes, main.substr(0, main.rfind('/') + 1) + shown, &document_);
      splice_includes(loaded.root, folder_, bytes_left_, &text_);
      attach_all(loaded.root);
      open_.erase(path);
    } catch (const InputError& error) {
      model.problem("file", plain_message(error));
      return -1;
    }
    loaded.files_end = document_.files.size();
    models_.push_back(loaded);
    return loaded.root;
  }

  // Puts the body in the place of the attachment, and all other parts at the end of the root.
  void instantiate(const Element& attach, int root, int model) {
    const std::string prefix = attach.text("prefix");
    const std::string name = attach.required_text("body");
    const int body = find_body(model, name);
    if (body < 0) {
      return attach.problem("body", "unknown body, got " + name + ", want one of the model's");
    }
    std::set<std::string> names = {"world"};
    for_each_below(body, [&](int i) {
      names.insert(Element(&text_, i).text("name"));
    });
    const std::string main_class = add_classes(root, model, prefix);
    copy_into(body, attach.index(), prefix);
    add_missing(attach.index(), "childclass", main_class);
    for (const std::string_view section : kSections) {
      copy_sections(section, {root, model, prefix, main_class}, &names);
    }
    mark_used(model);
  }

  int find_body(int model, const std::string& name) const {
    int found = -1;
    for_each_below(model, [&](int i) {
      const bool is_it = document_[i].tag == "body" && Element(&text_, i).text("name") == name;
      found = found < 0 && is_it ? i : found;
    });
    return found;
  }

  // ---- copies
  int append(const std::string& tag, int parent, const XmlElement& like) {
    const int index = static_cast<int>(document_.elements.size());
    document_.elements.push_back(
        {.tag = tag, .place = like.place, .file = like.file, .parent = parent});
    XmlElement& above = document_[parent];
    (above.first_child < 0 ? above.first_child : document_[above.last_child].next) = index;
    above.last_child = index;
    return index;
  }

  static void rename(const std::string& prefix, XmlElement* element) {
    for (XmlAttribute& a : element->attributes) {
      const bool is_name = holds(kNameAttributes, a.name) || holds(kClassAttributes, a.name) ||
                           holds(kTendonAttributes, a.name);
      if (is_name && a.value != "world") {
        a.value = prefix + a.value;
      }
    }
  }

  // Copies the source into the target, with the prefix before all names. The target keeps its place
  // in the tree.
  void copy_into(int source, int target, const std::string& prefix) {
    std::vector<std::pair<int, int>> open = {{source, target}};
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto [from, to] = open[at];
      XmlElement& copy = document_[to];
      copy.tag = document_[from].tag;
      copy.place = document_[from].place;
      copy.file = document_[from].file;
      copy.attributes = document_[from].attributes;
      copy.read = false;
      rename(prefix, &copy);
      for (int child = document_[from].first_child; child >= 0; child = document_[child].next) {
        open.emplace_back(child, append(document_[child].tag, to, document_[child]));
      }
    }
  }

  void add_missing(int element, const std::string& attribute, const std::string& value) {
    if (!Element(&text_, element).has(attribute)) {
      document_[element].attributes.push_back(
          {.name = attribute, .value = value, .place = document_[element].place});
    }
  }

  // Adds the model's default classes as children of the root's main class. Returns the name of the
  // model's main class.
  std::string add_classes(int root, int model, const std::string& prefix) {
    std::string name = "main";
    for (const Element& section : Element(&text_, model).children()) {
      if (section.tag() == "default") {
        name = section.text("class", name);
      }
    }
    const int container = append("default", root, document_[model]);
    const int main = append("default", container, document_[model]);
    add_missing(main, "class", prefix + name);
    for (int child = document_[model].first_child; child >= 0; child = document_[child].next) {
      if (document_[child].tag == "default") {
        const int copy = append("default", container, document_[child]);
        copy_into(child, copy, prefix);
        add_missing(copy, "class", prefix + name);
      }
    }
    return prefix + name;
  }

  struct Instance {
    int root = 0, model = 0;
    const std::string& prefix;
    const std::string& main_class;
  };

  // Copies the elements whose references all exist. Adds the names of tendons to `names`.
  void copy_sections(std::string_view tag, const Instance& instance, std::set<std::string>* names) {
    for (int section = document_[instance.model].first_child; section >= 0;
         section = document_[section].next) {
      if (document_[section].tag != tag) {
        continue;
      }
      const int copied = append(std::string(tag), instance.root, document_[section]);
      for (int child = document_[section].first_child; child >= 0; child = document_[child].next) {
        if (!refers_to(child, *names)) {
          continue;
        }
        if (tag == "tendon") {
          names->insert("tendon " + Element(&text_, child).text("name"));
        }
        const int copy = append(document_[child].tag, copied, document_[child]);
        copy_into(child, copy, instance.prefix);
        add_missing(copy, "class", instance.main_class);
      }
    }
  }

  bool refers_to(int element, const std::set<std::string>& names) const {
    bool result = true;
    for_each_below(element, [&](int i) {
      for (const XmlAttribute& a : document_[i].attributes) {
        if (holds(kTendonAttributes, a.name)) {
          result = result && names.contains("tendon " + a.value);
        } else if (holds(kNameAttributes, a.name) && !holds(kOwnAttributes, a.name)) {
          result = result && names.contains(a.value);
        }
      }
    });
    return result;
  }

  // Marks the original elements as used if they were copied: unused elements are reported in the
  // copies.
  void mark_used(int model) {
    document_[model].read = true;
    for (int section = document_[model].first_child; section >= 0;
         section = document_[section].next) {
      const std::string& tag = document_[section].tag;
      if (holds(kSections, tag) || tag == "default" || tag == "worldbody") {
        for_each_below(section, [&](int i) {
          mark_whole(&document_[i]);
        });
      }
    }
  }

  static void mark_whole(XmlElement* element) {
    element->read = true;
    for (XmlAttribute& a : element->attributes) {
      a.read = true;
    }
  }

  const ModelFolder& folder_;
  std::size_t bytes_left_;
  ModelText& text_;
  XmlDocument& document_;
  std::set<std::string> open_;  // files of the models that enclose the current one
  std::vector<AttachedModel> models_;
};

}  // namespace

std::vector<AttachedModel> attach_models(int root, const ModelFolder& folder, std::size_t max_bytes,
                                         ModelText* text) {
  Attacher attacher(folder, max_bytes, text);
  attacher.attach_all(root);
  text->throw_if_any();
  return attacher.take();
}

}  // namespace tenpin::scene
