#include "scene/schema.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "scene/number.h"

namespace tenpin::scene {

namespace {

using Kind = Type::Kind;

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "\"";
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string result;
  for (const std::string& part : parts) {
    result += (result.empty() ? "" : std::string(between)) + part;
  }
  return result;
}

std::string json_list(std::span<const std::string_view> words) {
  std::vector<std::string> parts;
  for (const std::string_view word : words) {
    parts.push_back(json_text(word));
  }
  return "[" + join(parts, ", ") + "]";
}

std::string json_range(const Range& range) {
  return std::string(range.low_open ? "\"exclusiveMinimum\": " : "\"minimum\": ") +
         to_text(range.low) + (range.high_open ? ", \"exclusiveMaximum\": " : ", \"maximum\": ") +
         to_text(range.high);
}

// The members of the JSON schema for a number of that type, or for an expression in its place,
// without the braces.
std::string json_number(std::string_view type, const Range& range) {
  return std::string(R"("anyOf": [{"$ref": "#/$defs/expression"}, )") +
         (range.or_zero ? R"({"const": 0}, )" : "") + R"({"type": )" + json_text(type) + ", " +
         json_range(range) + "}]";
}

std::string json_type(const Type& type);

std::string json_list_type(const Type& type) {
  std::string result = R"("type": "array", "items": {)" + json_type(*type.item) + "}";
  if (type.least > 0) {
    result += ", \"minItems\": " + std::to_string(type.least);
  }
  if (type.most < std::numeric_limits<int>::max()) {
    result += ", \"maxItems\": " + std::to_string(type.most);
  }
  return result;
}

std::string json_any_type(const Type& type) {
  std::vector<std::string> parts;
  for (const Type& alternative : type.alternatives) {
    parts.push_back("{" + json_type(alternative) + "}");
  }
  return "\"anyOf\": [" + join(parts, ", ") + "]";
}

// The members of the JSON schema for a type, without the braces.
std::string json_type(const Type& type) {
  switch (type.kind) {
    case Kind::kNumber:
      return json_number("number", type.range);
    case Kind::kInteger:
      return json_number("integer", type.range);
    case Kind::kSeed:
      return R"("type": "integer", "minimum": 0, "maximum": 18446744073709551615)";
    case Kind::kFlag:
      return R"("type": "boolean")";
    case Kind::kTitle:
      return R"("type": "string", "maxLength": 256)";
    case Kind::kName:
      return R"("type": "string", "minLength": 1, "maxLength": 256, )"
             R"("pattern": "^(?!.*\\.\\.)[^/]+$")";
    case Kind::kPart:
      return R"("type": "string", "pattern": "^(?!.*\\.\\.)[^/]+(/[0-9]+)?$")";
    case Kind::kColour:
      return R"("type": "string", "pattern": "^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-z]{3,32})$")";
    case Kind::kFile:
      return R"("type": "string", "minLength": 1)";
    case Kind::kChoice:
      return "\"enum\": " + json_list(type.choices);
    case Kind::kList:
      return json_list_type(type);
    case Kind::kNamed:
      return R"("type": "object", "additionalProperties": {)" + json_type(*type.item) + "}";
    case Kind::kObject:
      return R"("$ref": "#/$defs/)" + std::string(type.object->name) + "\"";
    case Kind::kValue:
      return R"("not": {"type": "null"})";
    case Kind::kAny:
      return json_any_type(type);
  }
  return {};
}

// The default as JSON: words of the format become strings; everything else is JSON already.
std::string json_default(std::string_view text) {
  const bool is_json = text.front() == '[' || text.front() == '{' || text == "true" ||
                       text == "false" || is_json_number(text);
  return is_json ? std::string(text) : json_text(text);
}

std::string json_field(const Field& field) {
  const std::string unit = field.unit.empty() ? "" : " [" + std::string(field.unit) + "]";
  std::string result = "        " + json_text(field.key) + ": {" + json_type(field.type);
  if (!field.required() && field.fallback != "-") {
    result += ", \"default\": " + json_default(field.fallback);
  }
  return result + ", \"description\": " + json_text(std::string(field.meaning) + unit) + "}";
}

std::string json_one_of(const Object& object) {
  std::vector<std::string> parts;
  for (const std::string_view key : object.one_of) {
    parts.push_back("{\"required\": [" + json_text(key) + "]}");
  }
  return parts.empty() ? "" : ",\n      \"oneOf\": [" + join(parts, ", ") + "]";
}

std::string json_object(const Object& object) {
  std::vector<std::string> fields;
  std::vector<std::string_view> required;
  for (const Field& field : object.fields) {
    fields.push_back(json_field(field));
    if (field.required()) {
      required.push_back(field.key);
    }
  }
  std::string result = "    " + json_text(object.name) + ": {\n      \"type\": \"object\",\n";
  result += "      \"description\": " + json_text(object.meaning) + ",\n";
  result += "      \"additionalProperties\": false,\n";
  if (!required.empty()) {
    result += "      \"required\": " + json_list(required) + ",\n";
  }
  return result + "      \"properties\": {\n" + join(fields, ",\n") + "\n      }" +
         json_one_of(object) + "\n    }";
}

std::string markdown_default(const Field& field) {
  if (field.required()) {
    return "required";
  }
  return field.fallback == "-" ? "" : "`" + std::string(field.fallback) + "`";
}

// The type and range in a few words.
std::string markdown_type(const Type& type) {
  switch (type.kind) {
    case Kind::kNumber:
      return (type.range.or_zero ? "0, or number " : "number ") + describe(type.range);
    case Kind::kSeed:
      return "whole number >= 0, < 2^64";
    case Kind::kTitle:
      return "text";
    case Kind::kName:
      return "name";
    case Kind::kPart:
      return "name or name/number";
    case Kind::kColour:
      return "colour";
    case Kind::kFile:
      return "path";
    case Kind::kList:
      return type.least == type.most
                 ? "[" + std::to_string(type.least) + " x " + markdown_type(*type.item) + "]"
                 : "list of " + markdown_type(*type.item);
    case Kind::kNamed:
      return "map of names to " + markdown_type(*type.item);
    case Kind::kObject:
      return "[" + std::string(type.object->name) + "](#" + std::string(type.object->name) + ")";
    case Kind::kAny: {
      std::vector<std::string> parts;
      for (const Type& alternative : type.alternatives) {
        parts.push_back(markdown_type(alternative));
      }
      return join(parts, ", or ");
    }
    default:
      return describe(type);
  }
}

}  // namespace

std::string make_json_schema() {
  std::vector<std::string> objects = {
      R"(    "expression": {"type": "string", "pattern": "^\\$\\{[^}]*\\}$"})"};
  for (const Object* object : all_objects()) {
    objects.push_back(json_object(*object));
  }
  return "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
         "  \"title\": \"Tenpin scene, version 1\",\n  \"$ref\": \"#/$defs/scene\",\n"
         "  \"$defs\": {\n" +
         join(objects, ",\n") + "\n  }\n}\n";
}

std::string make_markdown_table(const Object& object) {
  std::string result =
      "| key | type and range | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const Field& field : object.fields) {
    result += "| `" + std::string(field.key) + "` | " + markdown_type(field.type) + " | " +
              std::string(field.unit) + " | " + markdown_default(field) + " | " +
              std::string(field.meaning) + " |\n";
  }
  return result;
}

}  // namespace tenpin::scene
