#include "scene/import/xml.h"

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <random>
#include <string>

#include "scene/problem.h"

namespace tenpin::scene {
namespace {

std::string problem_of(const std::string& text) {
  XmlDocument document;
  try {
    parse_xml(text, "f", &document);
  } catch (const SceneError& error) {
    EXPECT_EQ(error.problems().size(), 1u);
    return error.problems().front().to_string();
  }
  return "";
}

TEST(Xml, KeepsTagsAttributesAndPlaces) {
  XmlDocument document;
  const int root = parse_xml(
      "\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<!-- <x> & -->\n"
      "<a one='1 &lt;&#65;&#x42;&amp;'>text &wrong; <b\n  two = \"2\"/><![CDATA[<c>]]>\n <d></d "
      ">\n</a>\n",
      "file", &document);
  ASSERT_EQ(document.elements.size(), 3u);
  const XmlElement& a = document[root];
  EXPECT_EQ(a.tag, "a");
  EXPECT_EQ(a.place.line, 3);
  ASSERT_EQ(a.attributes.size(), 1u);
  EXPECT_EQ(a.attributes[0].value, "1 <AB&");
  EXPECT_EQ(a.attributes[0].place.column, 4);
  const XmlElement& b = document[a.first_child];
  EXPECT_EQ(b.tag, "b");
  EXPECT_EQ(b.attributes[0].place.line, 4);
  EXPECT_EQ(b.attributes[0].place.column, 3);
  EXPECT_EQ(document[b.next].tag, "d");
  EXPECT_EQ(document[b.next].place.line, 5);
  EXPECT_EQ(document[b.next].next, -1);
}

TEST(Xml, RefusesWithPlace) {
  EXPECT_EQ(problem_of(""), "f:1:1: empty, got no element, want <mujoco> or <robot>");
  EXPECT_EQ(problem_of("<a>\n <b></a>"), "f:2:7: wrong end tag, got </a>, want </b>");
  EXPECT_EQ(problem_of("<a><b/>"), "f:1:1: not closed, got the end of the file, want </a>");
  EXPECT_EQ(problem_of("<a/><b/>"), "f:1:5: a second root element, got <b>, want one root element");
  EXPECT_EQ(problem_of("<a/> x"),
            "f:1:6: text outside the root element, got 'x', want one root element");
  EXPECT_EQ(problem_of("<a x='1' x='2'/>"), "f:1:10: attribute given twice, got x, want it once");
  EXPECT_EQ(problem_of("<a x=1/>"), "f:1:6: value without quotes, got '1/>', want \"...\"");
  EXPECT_EQ(
      problem_of("<a x='&lol;'/>"),
      "f:1:7: entity not allowed, got '&lol;'/>', want &lt; &gt; &amp; &quot; &apos; or &#code;");
  EXPECT_EQ(
      problem_of("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"),
      "f:1:1: document type (DTD) not allowed, got '<!DOCTYPE a [<!ENTITY b ... (34 bytes)', want "
      "elements and comments only");
  EXPECT_EQ(problem_of("<a x='\x07'/>"),
            "f:1:6: not allowed, got control character U+0007, want printable UTF-8");
  EXPECT_EQ(problem_of("<a x='\xff'/>"),
            "f:1:6: not allowed, got not UTF-8, byte 0xFF, want printable UTF-8");
}

TEST(Xml, TakesDeepNestingUpToALimitWithoutTheStack) {
  std::string text;
  for (int i = 0; i < kMaxXmlDepth; ++i) text += "<a>";
  const std::string too_deep = text + "<a>";
  for (int i = 0; i < kMaxXmlDepth; ++i) text += "</a>";
  EXPECT_EQ(problem_of(text), "");
  EXPECT_NE(problem_of(too_deep).find("more than 10000 in each other"), std::string::npos);
}

// ---- against a widely used parser
void expect_same(const tinyxml2::XMLElement* theirs, const XmlDocument& document, int ours) {
  ASSERT_EQ(document[ours].tag, theirs->Name());
  std::size_t count = 0;
  for (const auto* a = theirs->FirstAttribute(); a != nullptr; a = a->Next(), ++count) {
    ASSERT_LT(count, document[ours].attributes.size());
    EXPECT_EQ(document[ours].attributes[count].name, a->Name());
    EXPECT_EQ(document[ours].attributes[count].value, a->Value());
  }
  EXPECT_EQ(count, document[ours].attributes.size());
  int child = document[ours].first_child;
  for (const auto* c = theirs->FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    ASSERT_GE(child, 0);
    expect_same(c, document, child);
    child = document[child].next;
  }
  EXPECT_EQ(child, -1);
}

// What we accept, tinyxml2 understands the same; damaged texts included.
TEST(Xml, AgreesWithTinyxml2OnWhatItAccepts) {
  const std::string base =
      "<?xml version=\"1.0\"?><!-- c --><m a=\"1 2\" b='x'><g s=\"&lt;5\"/><h><i "
      "j=\"\"/>t</h></m>\n";
  const std::string letters = "<>/=\"' &;ab\n!-?";
  std::mt19937 random(7);
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text = base;
    for (int edits = static_cast<int>(random() % 3); edits >= 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = letters[random() % letters.size()];
      } else {
        text.erase(at, 1);
      }
    }
    XmlDocument document;
    int root = -1;
    try {
      root = parse_xml(text, "f", &document);
    } catch (const SceneError&) {
      continue;
    }
    tinyxml2::XMLDocument theirs;
    ASSERT_EQ(theirs.Parse(text.c_str()), tinyxml2::XML_SUCCESS) << text;
    // Line ends in values become blanks here, as the standard says, and stay there.
    if (text.find('\n') + 1 == text.size()) expect_same(theirs.RootElement(), document, root);
    ++accepted;
  }
  EXPECT_GT(accepted, 2000);
}

}  // namespace
}  // namespace tenpin::scene
