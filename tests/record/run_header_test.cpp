// The settings of the method that a run file tells.
#include "record/run_header.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scene/build.h"
#include "scene/format.h"
#include "scene/read.h"

namespace tenpin::record {
namespace {

RunHeader make_header(const std::string& method) {
  const scene::Scene scene = scene::parse_scene(
      "tenpin: 1\nname: s\nbodies: [{name: ball, mass: 1, shapes: [{sphere: "
      "{radius: 0.1}}]}]\nmethod: {" +
          method + "}\nuntil: 1\n",
      "s.yaml");
  return make_run_header(scene, scene::build(scene).model, "0");
}

// As `method/options` writes them: keys of a map inside of a method follow its own key.
std::vector<std::string> list_keys(const scene::Object& object, const std::string& prefix = "") {
  std::vector<std::string> keys;
  for (const scene::Field& field : object.fields) {
    const std::string key = prefix + std::string(field.key);
    if (field.type.kind != scene::Type::Kind::kObject) {
      keys.push_back(key);
      continue;
    }
    const std::vector<std::string> inner = list_keys(*field.type.object, key + "_");
    keys.insert(keys.end(), inner.begin(), inner.end());
  }
  return keys;
}

// The tables of the scene format say which settings there are, so one that is added there and
// forgotten here fails.
TEST(RunHeader, OptionsHoldEverySettingOfEveryMethod) {
  const auto& objects = scene::all_objects();
  const auto method = std::find_if(objects.begin(), objects.end(), [](const scene::Object* o) {
    return o->name == "method";
  });
  ASSERT_NE(method, objects.end());
  ASSERT_EQ((*method)->fields.size(), 4U);
  for (const scene::Field& field : (*method)->fields) {
    const std::string name(field.key);
    // A formulation belongs to order 1.
    const std::string order = name == "time-stepping" ? "order: 1" : "";
    const RunHeader header = make_header(name + ": {" + order + "}");
    EXPECT_EQ(header.method_name, name);
    const std::vector<std::string> keys = list_keys(*field.type.object);
    EXPECT_GE(keys.size(), 3U);
    for (const std::string& key : keys) {
      EXPECT_NE(find_method_option(header, key), "") << name << ": " << key;
    }
  }
}

TEST(RunHeader, OptionsAreThoseOfTheScene) {
  const RunHeader soft = make_header(
      "time-stepping: {order: 1, sleeping: true, contact: {compliance: 0.03}, passes: 3}");
  EXPECT_EQ(find_method_option(soft, "sleeping"), "true");
  EXPECT_EQ(find_method_option(soft, "contact"), "{compliance: 0.03}");
  EXPECT_EQ(find_method_option(soft, "passes"), "3");
  const RunHeader exact = make_header("analytic: {integrator: adams, forces: lp, friction: none}");
  EXPECT_EQ(find_method_option(exact, "integrator"), "adams");
  EXPECT_EQ(find_method_option(exact, "forces"), "lp");
  EXPECT_EQ(find_method_option(exact, "friction"), "none");
}

}  // namespace
}  // namespace tenpin::record
