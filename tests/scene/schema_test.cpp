// The published schema and the tables of the documentation are what the reader's own table says.
// TENPIN_UPDATE=1 in the environment rewrites both files instead of comparing.
#include "scene/schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "scene/scene_text.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

const std::string kDocs = TENPIN_SOURCE_DIR "/docs/";

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void expect_published(const std::string& file, const std::string& text) {
  if (std::getenv("TENPIN_UPDATE") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
  }
  EXPECT_EQ(read_text(file), text) << file << " is out of date: run this test with TENPIN_UPDATE=1";
}

TEST(Schema, IsPublished) {
  expect_published(kDocs + "scene.schema.json", make_json_schema());
}

// Each table stands between "<!-- table: name -->" and "<!-- end -->".
TEST(Schema, DocumentationHasEveryTable) {
  std::string text = read_text(kDocs + "scene-format.md");
  for (const Object* object : all_objects()) {
    const std::string mark = "<!-- table: " + std::string(object->name) + " -->\n";
    const std::size_t begin = text.find(mark);
    ASSERT_NE(begin, std::string::npos) << object->name;
    const std::size_t end = text.find("<!-- end -->", begin);
    ASSERT_NE(end, std::string::npos) << object->name;
    const std::size_t start = begin + mark.size();
    text.replace(start, end - start, make_markdown_table(*object));
  }
  expect_published(kDocs + "scene-format.md", text);
}

// Another implementation of YAML and of JSON Schema accepts the examples and finds mistakes.
TEST(Schema, OtherProgramsAgree) {
  const std::string script = TENPIN_SOURCE_DIR "/tests/scene/check_schema.py";
  EXPECT_EQ(std::system(("/usr/bin/python3 " + script + " " TENPIN_SOURCE_DIR).c_str()), 0);
}

TEST(Format, KeysAreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const Object* object : all_objects()) {
    EXPECT_TRUE(names.insert(object->name).second) << object->name;
    std::set<std::string_view> keys;
    for (const Field& field : object->fields) {
      EXPECT_TRUE(keys.insert(field.key).second) << field.key;
      EXPECT_FALSE(field.meaning.empty()) << field.key;
    }
    for (const std::string_view key : object->one_of) {
      EXPECT_TRUE(keys.contains(key)) << key;
    }
  }
}

// {key: default, ...} of all keys of an object that have a default.
std::string defaults_of(const std::string& name) {
  std::string result;
  for (const Object* object : all_objects()) {
    for (const Field& field : object->fields) {
      if (object->name == name && !field.required() && field.fallback != "-") {
        result += (result.empty() ? "" : ", ") + std::string(field.key) + ": " +
                  std::string(field.fallback);
      }
    }
  }
  return "{" + result + "}";
}

// Writing a default out must change nothing.
void expect_same(const std::string& without, const std::string& with) {
  EXPECT_EQ(write_scene(parse(scene_text(without))), write_scene(parse(scene_text(with)))) << with;
}

TEST(Format, DeclaredDefaultsAreTheRealOnes) {
  expect_same("", "method: {time-stepping: " + defaults_of("time-stepping") + "}\n");
  expect_same("", "method: {time-stepping: {fixed_point: " + defaults_of("fixed_point") + "}}\n");
  expect_same("", "record: " + defaults_of("record") + "\n");
  expect_same("materials: {a: {}}\n", "materials: {a: " + defaults_of("material") + "}\n");
  expect_same("materials: {a: {}}\n",
              "materials: {a: {friction: " + defaults_of("friction") + "}}\n");
  const auto body = [](const std::string& keys) {
    return "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]" + keys + "}]\n";
  };
  const std::string body_defaults = defaults_of("body");
  expect_same(body(""), body(", " + body_defaults.substr(1, body_defaults.size() - 2)));
  expect_same(body(", forces: [{}]"), body(", forces: [" + defaults_of("force") + "]"));
  expect_same(body(", joint: {planar: {}}"),
              body(", joint: {planar: " + defaults_of("planar") + "}"));
  const auto fixed = [](const std::string& keys) {
    return "bodies: [{name: a, " + keys + "}]\n";
  };
  expect_same(fixed("motion: {}"), fixed("motion: " + defaults_of("motion")));
  expect_same(fixed("fixed: true, shapes: [{plane: {}}]"),
              fixed("fixed: true, shapes: [{plane: " + defaults_of("plane") + "}]"));
  const std::string shape_defaults = defaults_of("shape");
  expect_same(fixed("fixed: true, shapes: [{sphere: {radius: 1}}]"),
              fixed("fixed: true, shapes: [{sphere: {radius: 1}, " +
                    shape_defaults.substr(1, shape_defaults.size() - 2) + "}]"));
  const auto joint = [](const std::string& kind, const std::string& needed,
                        const std::string& defaults) {
    const std::string more = defaults.size() > 2 ? ", " + defaults.substr(1) : "}";
    return "bodies: [{name: a, mass: 1, inertia: [1, 1, 1], joint: {" + kind + ": {" + needed +
           more + "}}]\n";
  };
  for (const std::string kind : {"hinge", "slider"}) {
    expect_same(joint(kind, "axis: [1, 0, 0]", ""),
                joint(kind, "axis: [1, 0, 0]", defaults_of(kind)));
    const std::string motor = "axis: [1, 0, 0], motor: {velocity: 1, gain: 2";
    expect_same(joint(kind, motor + "}", ""),
                joint(kind, motor + ", " + defaults_of(kind + "_motor").substr(1), ""));
  }
  expect_same(joint("ball", "limit: 1", ""), joint("ball", "limit: 1", defaults_of("ball")));
  const std::string two_hinges =
      "bodies: [{name: a, mass: 1, inertia: 1, joint: {hinge: {axis: [1, 0, 0]}}, repeat: {chain: "
      "2}}]\nloops: [{name: l, coupling: {joints: [a-1, a-2]";
  const std::string coupling_defaults = defaults_of("coupling");
  expect_same(two_hinges + "}}]\n", two_hinges + ", " + coupling_defaults.substr(1) + "}]\n");
  expect_same("", "touch: " + defaults_of("touch") + "\n");
  const std::string scene_defaults = defaults_of("scene");
  EXPECT_EQ(write_scene(parse(scene_text(""))),
            write_scene(parse("{tenpin: 1, until: 1, " + scene_defaults.substr(1))));
}

}  // namespace
}  // namespace tenpin::scene
