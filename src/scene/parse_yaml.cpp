#include "scene/parse_yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scene/characters.h"
#include "scene/problem.h"

namespace tenpin::scene {

namespace {

// A problem of the text, without the name of its file.
struct SyntaxProblem {
  Place place;
  std::string text;
};

[[noreturn]] void refuse(const Place& place, std::string text) {
  throw SyntaxProblem{place, std::move(text)};
}

// Aliases are refused: a few lines of them can expand to more text than fits into memory.
[[noreturn]] void refuse_alias(const Place& place, const std::string& got) {
  refuse(place, "aliases are not allowed, got " + got + ", want the value itself");
}

Place place_of_offset(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<int>(offset - line_start)};
}

Place place_of_mark(const YAML::Mark& mark) {
  return {.line = std::max(mark.line, 0) + 1, .column = std::max(mark.column, 0) + 1};
}

// The characters that replace `${...}` in the text for the parser, one for each character. YAML
// would take it for the start of a map inside brackets; no scene may contain these characters.
constexpr char kHiddenStart = '\x01';
constexpr char kHiddenRest = '\x02';

struct HiddenText {
  std::size_t offset = 0;
  std::string text;
};

std::vector<HiddenText> hide_expressions(std::string* text) {
  std::vector<HiddenText> hidden;
  std::size_t open = text->find("${");
  while (open != std::string::npos) {
    const std::size_t end = text->find_first_of("}\n", open);
    if (end == std::string::npos) break;
    if ((*text)[end] == '}') {
      const std::size_t length = end + 1 - open;
      hidden.push_back({.offset = open, .text = text->substr(open, length)});
      text->replace(open, length, length, kHiddenRest);
      (*text)[open] = kHiddenStart;
    }
    open = text->find("${", end);
  }
  return hidden;
}

// The text of a scalar that begins at `offset`, with hidden expressions restored.
std::string show_expressions(const std::string& value, std::size_t offset,
                             const std::vector<HiddenText>& hidden) {
  std::size_t at = value.find(kHiddenStart);
  if (at == std::string::npos) return value;
  auto next = std::lower_bound(hidden.begin(), hidden.end(), offset,
                               [](const HiddenText& h, std::size_t o) {
                                 return h.offset < o;
                               });
  std::string result = value;
  for (; at != std::string::npos && next != hidden.end(); ++next) {
    result.replace(at, next->text.size(), next->text);
    at = result.find(kHiddenStart, at);
  }
  return result;
}

// Builds the tree from the parser's events. An event throws if the nesting is too deep, which
// bounds the parser's own recursion.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::vector<HiddenText>& hidden, int max_depth)
      : text_(text), hidden_(hidden), max_depth_(max_depth) {}

  Node take_root() { return std::move(root_); }
  bool has_root() const { return has_root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_root_) {
      refuse(place_of_mark(mark), "text after the end of the scene, got more, want one document");
    }
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse_alias(place_of_mark(mark), "&" + excerpt(name));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    refuse_alias(place_of_mark(mark), "one");
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    count_event(mark);
    add({.kind = Node::Kind::kNull, .place = place_of_mark(mark)});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& parsed) override {
    refuse_anchor(mark, anchor);
    count_event(mark);
    const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
    const std::string value = show_expressions(parsed, offset, hidden_);
    const bool untagged = tag == "?" || tag == "!" || tag.empty();
    if (!untagged || (offset < text_.size() && text_[offset] == '!')) {
      refuse_tag(mark, tag);
    }
    if (const auto bad = find_bad_character(value)) {
      refuse(place_of_mark(mark), bad->what + " by an escape, got \"" + excerpt(value) +
                                      "\", want printable characters");
    }
    add({.kind = Node::Kind::kScalar,
         .quoted = tag == "!",
         .place = place_of_mark(mark),
         .text = value});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, Node::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, Node::Kind::kMap);
  }
  void OnMapEnd() override {
    demand_unique_keys(open_.back());
    close();
  }

 private:
  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) {
      refuse_alias(place_of_mark(mark), "an anchor");
    }
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    refuse(place_of_mark(mark),
           "tags are not allowed, got " + excerpt(tag) + ", want the plain value");
  }

  // Some invalid texts make the parser report an endless sequence of empty values.
  void count_event(const YAML::Mark& mark) {
    if (++num_events_ > 2 * text_.size() + 16) {
      refuse(place_of_mark(mark), "not YAML, got nonsense, want a map of keys and values");
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Kind kind) {
    refuse_anchor(mark, anchor);
    count_event(mark);
    if (!tag.empty() && tag != "?") {
      refuse_tag(mark, tag);
    }
    if (static_cast<int>(open_.size()) >= max_depth_) {
      refuse(
          place_of_mark(mark),
          fmt::format("nested too deep, got more than {0} levels, want at most {0}", max_depth_));
    }
    if (wants_key()) {
      refuse(place_of_mark(mark),
             "not a key, got a list or map (is a bracket left open?), want a word");
    }
    open_.push_back({.kind = kind, .place = place_of_mark(mark)});
  }

  void close() {
    Node node = std::move(open_.back());
    open_.pop_back();
    add(std::move(node));
  }

  bool wants_key() const {
    return !open_.empty() && open_.back().is_map() &&
           open_.back().keys.size() == open_.back().items.size();
  }

  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      has_root_ = true;
    } else if (!wants_key()) {
      open_.back().items.push_back(std::move(node));
    } else if (node.is_scalar()) {
      open_.back().keys.push_back({std::move(node.text), node.place});
    } else {
      refuse(node.place, "not a key, got nothing, want a word");
    }
  }

  static void demand_unique_keys(const Node& map) {
    std::unordered_set<std::string_view> seen;
    for (const Key& key : map.keys) {
      if (!seen.insert(key.text).second) {
        refuse(key.place, "duplicate key, got " + excerpt(key.text) + " again, want it once");
      }
    }
  }

  std::string_view text_;
  const std::vector<HiddenText>& hidden_;
  int max_depth_;
  std::size_t num_events_ = 0;
  std::vector<Node> open_;  // lists and maps that are not complete yet
  Node root_;
  bool has_root_ = false;
};

void refuse_other_encodings(std::string_view text) {
  const std::string_view start = text.substr(0, 2);
  const bool has_mark = start == "\xFF\xFE" || start == "\xFE\xFF";
  const bool has_zero = start.size() == 2 && (start[0] == '\0') != (start[1] == '\0');
  if (has_mark || has_zero) {
    refuse({}, "wrong encoding, got UTF-16 or UTF-32, want UTF-8");
  }
}

// Removes a byte order mark and converts line ends to line feeds.
std::string normalise(std::string_view text) {
  refuse_other_encodings(text);
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') {
      result += text[i];
    }
  }
  return result;
}

constexpr std::string_view kWordEnds = "\n ,[]{}";

// Refuses very long scalars: the parser needs a second for every few megabytes of one, and no scene
// needs them.
void refuse_long_runs(std::string_view text, const YamlLimits& limits) {
  std::size_t line = 0;
  std::size_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    line = c == '\n' ? 0 : line + 1;
    word = kWordEnds.find(c) != std::string_view::npos ? 0 : word + 1;
    if (line > limits.max_line) {
      refuse(
          place_of_offset(text, i - limits.max_line),
          fmt::format("line too long, got more than {0} bytes, want at most {0}", limits.max_line));
    }
    if (word > limits.max_word) {
      refuse(
          place_of_offset(text, i - limits.max_word),
          fmt::format("word too long, got more than {0} bytes, want at most {0}", limits.max_word));
    }
  }
}

// The first character that is neither space nor comment; npos if there is none.
std::size_t find_content(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
      ++i;
    } else {
      return i;
    }
  }
  return std::string_view::npos;
}

void check_text(std::string_view text, const YamlLimits& limits) {
  if (const auto bad = find_bad_character(text)) {
    refuse(place_of_offset(text, bad->offset), bad->what + ", got it, want printable UTF-8");
  }
  refuse_long_runs(text, limits);
  const std::size_t content = find_content(text);
  if (content == std::string_view::npos) {
    refuse({}, "empty, got no content, want a scene");
  }
  if (text[content] == '%') {
    refuse(place_of_offset(text, content), "directives are not allowed, got %, want a key");
  }
  // The end of a bracketed document is visible; any other document could be truncated unnoticed.
  const bool shows_end = text[content] == '{' || text[content] == '[';
  if (limits.demand_last_line_end && !shows_end && text.back() != '\n') {
    refuse(
        place_of_offset(text, text.size()),
        "last line is not ended, got the end of the file, want a line end: is the file cut off?");
  }
}

// YAML does not allow tabs before the first word of a line, but its parsers do not say so.
void refuse_tab(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first != std::string_view::npos && text[first] == '\t') {
      refuse({.line = line, .column = static_cast<int>(first) + 1},
             "a tab in the indentation, got a tab, want blanks");
    }
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line;
  }
}

Node build_tree(std::string text, const YamlLimits& limits) {
  const std::vector<HiddenText> hidden = hide_expressions(&text);
  std::istringstream stream{text};
  TreeBuilder builder(text, hidden, limits.max_depth);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    parser.HandleNextDocument(builder);  // OnDocumentStart refuses a second document.
  } catch (const YAML::Exception& error) {
    if (error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR)) {
      refuse_alias(place_of_mark(error.mark), "one");
    }
    refuse_tab(text);
    refuse(place_of_mark(error.mark), "not YAML, got " + error.msg + ", want YAML");
  }
  if (!builder.has_root()) {
    refuse({}, "empty, got no content, want a scene");
  }
  return builder.take_root();
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file, const YamlLimits& limits) {
  try {
    std::string normal = normalise(text);
    check_text(normal, limits);
    return build_tree(std::move(normal), limits);
  } catch (SyntaxProblem& problem) {
    throw SceneError({{.file = file,
                       .line = problem.place.line,
                       .column = problem.place.column,
                       .path = "",
                       .text = std::move(problem.text)}});
  }
}

}  // namespace tenpin::scene
