#include "scene/import/mjcf_text.h"

#include <map>
#include <vector>

#include "base/check.h"
#include "scene/contained_file.h"
#include "scene/plain_message.h"

namespace tenpin::scene {

namespace {

class Splicer {
 public:
  Splicer(const ModelFolder& folder, std::size_t max_bytes, ModelText* text)
      : folder_(folder), bytes_left_(max_bytes), text_(*text) {}

  void splice(int root) {
    // Files that are present already, including the root's file, have no includer.
    includer_of_.assign(text_.document.files.size(), -1);
    const std::size_t folder = text_.document.files.front().rfind('/') + 1;
    for (const std::string& path : text_.document.files) {
      shown_.push_back(path.substr(folder));
    }
    // Included elements are appended to the list, so that this loop visits them, too.
    for (int i = root; i < static_cast<int>(text_.document.elements.size()); ++i) {
      if (text_.document[i].tag == "include") {
        include(Element(&text_, i).mark_read());
      }
    }
  }

  void set_main_path(const std::string& absolute) { file_of_path_[absolute] = 0; }

 private:
  void include(const Element& element) {
    const std::string name = element.required_text("file");
    if (name.empty()) {
      return;
    }
    const int includer = text_.document[element.index()].file;
    try {
      const std::string shown = folder_.locate(name, text_.document.folder_of(includer));
      const std::string path = folder_.resolve(shown);
      const auto [known, is_new] =
          file_of_path_.emplace(path, static_cast<int>(includer_of_.size()));
      if (!is_new) {
        return element.problem("file", "included twice, got " + chain(includer) + " -> " + name +
                                           ", want every file once");
      }
      const std::string bytes = read_regular_file(path, bytes_left_);
      bytes_left_ -= bytes.size();
      includer_of_.push_back(includer);
      shown_.push_back(shown);
      replace(element, parse_xml(bytes, shown_path(shown), &text_.document));
    } catch (const InputError& error) {
      element.problem("file", plain_message(error));
    }
  }

  // The main file's folder as the user wrote it, followed by the path from there.
  std::string shown_path(const std::string& name) const {
    const std::string& main = text_.document.files.front();
    return main.substr(0, main.rfind('/') + 1) + name;
  }

  // The chain of includes that leads to a file, for example "main.xml -> a.xml -> b.xml".
  std::string chain(int file) const {
    std::vector<int> files;
    for (int up = file; up >= 0; up = includer_of_[static_cast<std::size_t>(up)]) {
      files.push_back(up);
    }
    std::string result;
    for (auto at = files.rbegin(); at != files.rend(); ++at) {
      result += at == files.rbegin() ? "" : " -> ";
      result += shown_[static_cast<std::size_t>(*at)];
    }
    return result;
  }

  void replace(const Element& include, int root) {
    XmlDocument& document = text_.document;
    XmlElement& top = document[root];
    if (top.tag != "mujoco" && top.tag != "mujocoinclude") {
      return Element(&text_, root)
          .problem("", "wrong root element, got <" + top.tag + ">, want <mujoco>");
    }
    Element(&text_, root).mark_read().find("model");
    XmlElement& parent = document[document[include.index()].parent];
    const int next = document[include.index()].next;
    const int first = top.first_child < 0 ? next : top.first_child;
    if (parent.first_child == include.index()) {
      parent.first_child = first;
    } else {
      int before = parent.first_child;
      while (document[before].next != include.index()) {
        before = document[before].next;
      }
      document[before].next = first;
      if (parent.last_child == include.index()) {
        parent.last_child = before;
      }
    }
    if (top.first_child < 0) {
      return;
    }
    for (int child = top.first_child; child >= 0; child = document[child].next) {
      document[child].parent = document[include.index()].parent;
    }
    document[top.last_child].next = next;
    if (next < 0) {
      parent.last_child = top.last_child;
    }
  }

  const ModelFolder& folder_;
  std::size_t bytes_left_;
  ModelText& text_;
  std::map<std::string, int> file_of_path_;
  std::vector<int> includer_of_;    // per file; -1 for the main one
  std::vector<std::string> shown_;  // per file, the name in the include
};

}  // namespace

void splice_includes(int root, const ModelFolder& folder, std::size_t max_bytes, ModelText* text) {
  Splicer splicer(folder, max_bytes, text);
  const std::string& main = text->document.files.front();
  try {
    splicer.set_main_path(folder.resolve(main.substr(main.rfind('/') + 1)));
  } catch (const InputError&) {
    // A text without a file name cannot include itself.
  }
  splicer.splice(root);
  text->throw_if_any();
}

}  // namespace tenpin::scene
