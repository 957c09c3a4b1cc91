#include "lab/well_formed.h"

#include <cctype>
#include <set>
#include <vector>

namespace tenpin::lab {

namespace {

// A reader that stops at the first fault.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  std::string read() {
    while (fault_.empty() && at_ < text_.size()) {
      text_[at_] == '<' ? read_tag() : read_character();
    }
    if (fault_.empty() && !open_.empty()) fail("not closed: " + open_.back());
    if (fault_.empty() && num_roots_ != 1) fail("not one root");
    return fault_;
  }

 private:
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = "at " + std::to_string(at_) + ": " + what;
  }

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void read_character() {
    if (text_[at_] == '&') {
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
        if (take(entity)) return;
      }
      fail("bare ampersand");
    }
    const bool is_blank = text_[at_] == ' ' || text_[at_] == '\n';
    if (open_.empty() && !is_blank) fail("text outside of the root");
    ++at_;
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    if (at_ == begin) fail("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  void read_tag() {
    ++at_;
    if (take("/")) {
      const std::string name = read_name();
      if (open_.empty() || open_.back() != name) return fail("closes " + name);
      open_.pop_back();
      if (!take(">")) fail("closing tag goes on");
      return;
    }
    if (open_.empty()) ++num_roots_;
    const std::string name = read_name();
    read_attributes();
    if (take("/>")) return;
    open_.push_back(name);
    if (!take(">")) fail("tag does not end");
  }

  void read_attributes() {
    std::set<std::string> names;
    while (fault_.empty() && take(" ")) {
      if (!names.insert(read_name()).second) return fail("attribute twice");
      if (!take("=\"")) return fail("no value");
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) return fail("value does not end");
      if (text_.substr(at_, end - at_).find('<') != std::string_view::npos)
        return fail("< in value");
      at_ = end + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  int num_roots_ = 0;
  std::string fault_;
};

}  // namespace

std::string find_xml_fault(std::string_view text) {
  return XmlReader(text).read();
}

}  // namespace tenpin::lab
