#include "scene/import/xml.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "scene/characters.h"
#include "scene/problem.h"

namespace tenpin::scene {

namespace {

constexpr std::size_t kMostAttributes = 1000;
constexpr std::string_view kBlank = " \t\r\n";

bool is_blank(char c) {
  return kBlank.find(c) != std::string_view::npos;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// The bytes of a character in UTF-8; nothing for characters that no file may contain.
std::optional<std::string> encode_utf8(std::int64_t code) {
  std::string bytes;
  const auto tail = [&](std::int64_t bits) {
    bytes += static_cast<char>(0x80 | (bits & 0x3f));
  };
  if (code < 0x80) {
    bytes += static_cast<char>(code);
  } else if (code < 0x800) {
    bytes += static_cast<char>(0xc0 | (code >> 6));
    tail(code);
  } else if (code < 0x10000) {
    bytes += static_cast<char>(0xe0 | (code >> 12));
    tail(code >> 6);
    tail(code);
  } else {
    bytes += static_cast<char>(0xf0 | (code >> 18));
    tail(code >> 12);
    tail(code >> 6);
    tail(code);
  }
  const bool allowed = code > 0 && code <= 0x10ffff && !find_bad_character(bytes);
  return allowed ? std::optional(bytes) : std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, std::string file, XmlDocument* document)
      : text_(text), file_name_(std::move(file)), document_(*document) {}

  int parse() {
    document_.files.push_back(file_name_);
    skip("\xef\xbb\xbf");
    while (at_ < text_.size()) {
      parse_one();
    }
    if (open_ >= 0) {
      const XmlElement& element = document_[open_];
      fail(element.place, "not closed, got the end of the file", "</" + element.tag + ">");
    }
    if (root_ < 0) {
      fail(here(), "empty, got no element", "<mujoco> or <robot>");
    }
    return root_;
  }

 private:
  // ---- places and problems
  Place here() const { return place_of(at_); }

  // Offsets only grow, so lines are counted once.
  Place place_of(std::size_t offset) const {
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] == '\n') {
        ++line_;
        line_begin_ = counted_ + 1;
      }
    }
    return {.line = line_, .column = static_cast<int>(offset - line_begin_) + 1};
  }

  [[noreturn]] void fail(const Place& place, const std::string& problem,
                         const std::string& want) const {
    throw SceneError({{.file = file_name_,
                       .line = place.line,
                       .column = place.column,
                       .text = problem + ", want " + want}});
  }

  // The text at this place, for messages.
  std::string got() const {
    if (at_ >= text_.size()) {
      return "the end of the file";
    }
    const std::string_view rest = text_.substr(at_, 40);
    return "'" + excerpt(rest.substr(0, rest.find('\n')), 24) + "'";
  }

  // Comments and text are ignored and may contain anything.
  void check_characters(const std::string& word, const Place& place) const {
    if (const auto bad = find_bad_character(word)) {
      fail(place, "not allowed, got " + bad->what, "printable UTF-8");
    }
  }

  // ---- small tokens
  bool skip(std::string_view word) {
    const bool is_there = text_.substr(at_).starts_with(word);
    at_ += is_there ? word.size() : 0;
    return is_there;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size()); }

  void skip_past(std::string_view end, const std::string& what) {
    const Place begin = here();
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) {
      fail(begin, what + " not closed, got the end of the file", "'" + std::string(end) + "'");
    }
    at_ = found + end.size();
  }

  std::string parse_name(const std::string& what) {
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      while (at_ < text_.size() && is_name_character(text_[at_])) {
        ++at_;
      }
    }
    if (at_ == begin) {
      fail(here(), "no " + what + ", got " + got(), "a " + what);
    }
    std::string name(text_.substr(begin, at_ - begin));
    check_characters(name, place_of(begin));
    return name;
  }

  // ---- the grammar
  void parse_one() {
    if (text_[at_] != '<') {
      skip_text();
    } else if (skip("<!--")) {
      skip_past("-->", "comment");
    } else if (text_.substr(at_).starts_with("<![CDATA[") && open_ >= 0) {
      skip_past("]]>", "CDATA section");
    } else if (text_.substr(at_).starts_with("<!")) {
      fail(here(), "document type (DTD) not allowed, got " + got(), "elements and comments only");
    } else if (skip("<?")) {
      skip_past("?>", "processing instruction");
    } else if (skip("</")) {
      parse_end_tag();
    } else {
      parse_start_tag();
    }
  }

  void skip_text() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    if (open_ < 0) {
      skip_blanks();
      if (at_ < end) {
        fail(here(), "text outside the root element, got " + got(), "one root element");
      }
    }
    at_ = end;
  }

  void parse_end_tag() {
    const Place place = here();
    const std::string tag = parse_name("tag name");
    if (open_ < 0 || document_[open_].tag != tag) {
      fail(place, "wrong end tag, got </" + excerpt(tag) + ">",
           open_ < 0 ? "no end tag" : "</" + document_[open_].tag + ">");
    }
    skip_blanks();
    if (!skip(">")) {
      fail(here(), "end tag not closed, got " + got(), "'>'");
    }
    close();
  }

  void close() {
    open_ = document_[open_].parent;
    --depth_;
  }

  void parse_start_tag() {
    XmlElement element;
    element.place = here();
    ++at_;
    element.tag = parse_name("tag name");
    element.file = static_cast<int>(document_.files.size()) - 1;
    bool is_closed = false;
    while (true) {
      const std::size_t before = at_;
      skip_blanks();
      is_closed = skip("/>");
      if (is_closed || skip(">")) {
        break;
      }
      if (at_ == before) {
        fail(here(), "no blank before an attribute, got " + got(), "a blank, '>' or '/>'");
      }
      parse_attribute(&element);
    }
    append(std::move(element));
    if (is_closed) {
      close();
    }
  }

  void append(XmlElement&& element) {
    const int index = static_cast<int>(document_.elements.size());
    if (open_ < 0 && root_ >= 0) {
      fail(element.place, "a second root element, got <" + element.tag + ">", "one root element");
    }
    if (++depth_ > kMaxXmlDepth || document_.elements.size() >= kMaxXmlElements) {
      fail(element.place,
           "too many elements, got more than " +
               (depth_ > kMaxXmlDepth ? std::to_string(kMaxXmlDepth) + " in each other"
                                      : std::to_string(kMaxXmlElements)),
           "fewer");
    }
    element.parent = open_;
    document_.elements.push_back(std::move(element));
    if (open_ < 0) {
      root_ = index;
    } else {
      XmlElement& parent = document_[open_];
      (parent.first_child < 0 ? parent.first_child : document_[parent.last_child].next) = index;
      parent.last_child = index;
    }
    open_ = index;
  }

  void parse_attribute(XmlElement* element) {
    XmlAttribute attribute;
    attribute.place = here();
    attribute.name = parse_name("attribute name");
    if (element->attributes.size() >= kMostAttributes) {
      fail(attribute.place, "too many attributes, got more than 1000", "fewer");
    }
    for (const XmlAttribute& other : element->attributes) {
      if (other.name == attribute.name) {
        fail(attribute.place, "attribute given twice, got " + excerpt(attribute.name), "it once");
      }
    }
    skip_blanks();
    if (!skip("=")) {
      fail(here(), "attribute without value, got " + got(), "'='");
    }
    skip_blanks();
    attribute.value = parse_value();
    element->attributes.push_back(std::move(attribute));
  }

  std::string parse_value() {
    const Place begin = here();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') {
      fail(begin, "value without quotes, got " + got(), "\"...\"");
    }
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != quote;) {
      const char c = text_[at_];
      if (c == '<') {
        fail(here(), "'<' in a value, got " + got(), "&lt; or the closing quote before it");
      }
      if (c == '&') {
        value += parse_reference();
        continue;
      }
      value += is_blank(c) ? ' ' : c;
      ++at_;
    }
    if (at_ >= text_.size()) {
      fail(begin, "value not closed, got the end of the file", std::string("'") + quote + "'");
    }
    check_characters(value, begin);
    ++at_;
    return value;
  }

  std::string parse_reference() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEntities = {
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}}};
    for (const auto& [name, meaning] : kEntities) {
      if (skip(name)) {
        return std::string(meaning);
      }
    }
    const std::size_t end = text_.find(';', at_);
    if (text_.substr(at_).starts_with("&#") && end != std::string_view::npos && end - at_ < 12) {
      if (const auto bytes = decode(text_.substr(at_ + 2, end - at_ - 2))) {
        at_ = end + 1;
        return *bytes;
      }
    }
    fail(here(), "entity not allowed, got " + got(), "&lt; &gt; &amp; &quot; &apos; or &#code;");
  }

  // Decodes the digits of a character reference, "65" or "x41".
  static std::optional<std::string> decode(std::string_view digits) {
    const bool is_hex = digits.starts_with('x');
    digits.remove_prefix(is_hex ? 1 : 0);
    std::int64_t code = 0;
    for (const char c : digits) {
      const std::size_t value = std::string_view("0123456789abcdef").find(c | (c > '9' ? 0x20 : 0));
      if (value >= (is_hex ? 16U : 10U)) {
        return std::nullopt;
      }
      code = code * (is_hex ? 16 : 10) + static_cast<std::int64_t>(value);
    }
    return digits.empty() || code > 0x10ffff ? std::nullopt : encode_utf8(code);
  }

  std::string_view text_;
  std::string file_name_;
  XmlDocument& document_;
  std::size_t at_ = 0;
  int root_ = -1;
  int open_ = -1;  // the innermost element that is not closed yet
  int depth_ = 0;
  mutable std::size_t counted_ = 0;
  mutable std::size_t line_begin_ = 0;
  mutable int line_ = 1;
};

}  // namespace

std::string XmlDocument::folder_of(int file) const {
  const std::string& path = files[static_cast<std::size_t>(file)];
  const std::size_t begin = files.front().rfind('/') + 1;  // 0 if there is none
  const std::size_t end = path.rfind('/') + 1;
  return path.substr(begin, end - begin);
}

int parse_xml(std::string_view text, const std::string& file, XmlDocument* document) {
  return Parser(text, file, document).parse();
}

}  // namespace tenpin::scene
