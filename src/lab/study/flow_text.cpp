#include "lab/study/flow_text.h"

#include <nlohmann/json.hpp>

namespace tenpin::lab {

namespace {

// Quotes text as in JSON, which is valid YAML.
std::string quote(const std::string& text) {
  return nlohmann::json(text).dump();
}

// True if a plain word needs quotes in flow style, because it contains characters with a special
// meaning there.
bool needs_quotes(const std::string& text) {
  return text.empty() || text.find_first_of(",[]{}:#\"'&*!|>%@`\n") != std::string::npos;
}

}  // namespace

std::string to_flow_text(const scene::Node& node) {
  switch (node.kind) {
    case scene::Node::Kind::kNull:
      return "null";
    case scene::Node::Kind::kScalar:
      return node.quoted || needs_quotes(node.text) ? quote(node.text) : node.text;
    case scene::Node::Kind::kList:
    case scene::Node::Kind::kMap:
      break;
  }
  std::string text = node.is_map() ? "{" : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) text += ", ";
    if (node.is_map()) text += quote(node.keys[i].text) + ": ";
    text += to_flow_text(node.items[i]);
  }
  return text + (node.is_map() ? "}" : "]");
}

}  // namespace tenpin::lab
