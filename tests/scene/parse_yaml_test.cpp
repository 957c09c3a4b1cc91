#include "scene/parse_yaml.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <string>

#include "scene/characters.h"
#include "scene/problem.h"
#include "support/speed.h"

namespace tenpin::scene {
namespace {

using namespace std::string_literals;

// The first problem of a text, without the file; "" if there is none.
std::string problem_of(const std::string& text) {
  try {
    static_cast<void>(parse_yaml(text, "f"));
    return "";
  } catch (const SceneError& error) {
    return error.problems().at(0).to_string().substr(2);
  }
}

std::string repeat(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

TEST(ParseYaml, KeepsPlacesAndQuotes) {
  const Node root = parse_yaml("a: 1\nb: [x, \"2\"]\n", "f");
  ASSERT_TRUE(root.is_map());
  EXPECT_EQ(root.keys[1].place.line, 2);
  EXPECT_EQ(root.keys[1].place.column, 1);
  const Node& list = *root.find("b");
  EXPECT_EQ(list.place.column, 4);
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_TRUE(list.items[1].quoted);
  EXPECT_EQ(list.items[1].text, "2");
  EXPECT_EQ(list.items[1].place.column, 8);
}

TEST(ParseYaml, ByteOrderMarkAndWindowsLineEndsChangeNothing) {
  const Node root = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: 2\r\n",
      "f");
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("b")->place.line, 2);
  EXPECT_EQ(root.find("b")->place.column, 4);
}

TEST(ParseYaml, RefusesOtherEncodings) {
  EXPECT_EQ(problem_of("\xFF\xFE"
                       "a\0:\0"s),
            "1:1: wrong encoding, got UTF-16 or UTF-32, want UTF-8");
  EXPECT_EQ(problem_of("\xFE\xFF\0a"s), "1:1: wrong encoding, got UTF-16 or UTF-32, want UTF-8");
  EXPECT_EQ(problem_of("a\0:\0 \0001\0"s), "1:1: wrong encoding, got UTF-16 or UTF-32, want UTF-8");
}

TEST(ParseYaml, RefusesBytesThatNobodySees) {
  EXPECT_EQ(problem_of(""), "1:1: empty, got no content, want a scene");
  EXPECT_EQ(problem_of(" \n# x\n"), "1:1: empty, got no content, want a scene");
  EXPECT_EQ(problem_of(std::string(1 << 20, '\0')),
            "1:1: control character U+0000, got it, want printable UTF-8");
  EXPECT_EQ(problem_of("a: x\xFF\xFE\n"),
            "1:5: not UTF-8, byte 0xFF, got it, want printable UTF-8");
  EXPECT_EQ(problem_of("a: 1\nb: \xE2\x80\xAE x\n"),
            "2:4: line separator or direction mark U+202E, got it, want printable UTF-8");
  EXPECT_EQ(problem_of("a: \xC0\x80\n"), "1:4: not UTF-8, byte 0xC0, got it, want printable UTF-8");
  EXPECT_EQ(problem_of("a: \xED\xA0\x80\n"),
            "1:4: not UTF-8, byte 0xED, got it, want printable UTF-8");
  EXPECT_EQ(problem_of("a: 1\rb: 2\n"),
            "1:5: control character U+000D, got it, want printable UTF-8");
  EXPECT_EQ(
      problem_of("a: \"x\\u0000\"\n"),
      "1:4: control character U+0000 by an escape, got \"x\\u0000\", want printable characters");
  EXPECT_EQ(problem_of("name: Stra\xC3\x9F"
                       "e \xF0\x9F\x8E\xB3\n"),
            "");
}

// The parser recurses with the depth of the text; the depth limit must hold it on any stack.
TEST(ParseYaml, DeepNestingNeedsNoDeepStack) {
  const auto parse_all = [](void*) -> void* {
    for (const std::string& opener : {"["s, "{a: "s, "- "s, "? "s, "{\"a\":"s, "[a,"s, "[[a: "s}) {
      const std::string problem = problem_of("a: 1\nb: " + repeat(opener, 100000) + "\n");
      EXPECT_NE(problem, "") << opener;
      EXPECT_NE(problem_of(repeat(opener, 100000) + "\n"), "") << opener;
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, parse_all, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(problem_of(repeat("[", 64) + repeat("]", 64)), "");
  EXPECT_NE(problem_of(repeat("[", 65) + repeat("]", 65)), "");
}

TEST(ParseYaml, BombsAreRefusedAtOnce) {
  const double start = test::processor_time();
  EXPECT_NE(problem_of("name: " + std::string(10 << 20, 'x') + "\n"), "");
  EXPECT_NE(problem_of("name: " + repeat("word ", 2 << 20) + "\n"), "");
  EXPECT_NE(problem_of(repeat("[", 10 << 20)), "");
  EXPECT_NE(problem_of("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"), "");
  EXPECT_NE(problem_of(repeat(",", 4000)), "");
  EXPECT_NE(problem_of("{" + repeat(",", 4000)), "");
  EXPECT_LT(
      test::processor_time() - start,
      5.0 * test::find_slowness());  // s   far above what it takes, far below a walk of the bomb
}

TEST(ParseYaml, ReadingTakesLinearTime) {
  const auto measure = [](int count) {
    const std::string text = "a:\n" + repeat("  - {b: [1, 2, 3], c: d}\n", count);
    const double start = test::processor_time();
    EXPECT_EQ(parse_yaml(text, "f").find("a")->items.size(), static_cast<std::size_t>(count));
    return test::processor_time() - start;
  };
  const double small = std::min({measure(1000), measure(1000), measure(1000)});
  // Sixteen times the text; quadratic time would be a factor of 256.
  EXPECT_LT(measure(16000), 100.0 * small);
}

TEST(ParseYaml, ABracketedDocumentNeedsNoLastLineEnd) {
  EXPECT_EQ(problem_of("{\"a\": 1}"), "");
  EXPECT_EQ(problem_of("--- {a: 1}\n...\n"), "");
  EXPECT_NE(problem_of("a: 1"), "");
  EXPECT_NE(problem_of("a: {b: 1}"), "");
}

TEST(Characters, ExcerptsAreShortPrintableAndWhole) {
  EXPECT_EQ(excerpt("a\nb\x01"), "a\\u000Ab\\u0001");
  EXPECT_EQ(excerpt("\xFF"), "\\xFF");
  EXPECT_EQ(excerpt(std::string(100, 'x'), 4), "xxxx... (100 bytes)");
  EXPECT_EQ(excerpt("xxx\xC3\x9F", 4), "xxx... (5 bytes)");
}

}  // namespace
}  // namespace tenpin::scene
