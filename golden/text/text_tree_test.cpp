#include "golden/text/text_tree.h"

#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <random>

#include "golden/text/scalar_text.h"

using revctl::golden::ParseTextTree;
using revctl::golden::TextNode;

namespace {

/// True if yaml-cpp parsed the same tree. Every text that this parser accepts must mean the same to
/// other YAML readers.
bool Same(const TextNode& ours, const YAML::Node& theirs) {
  switch (ours.kind) {
    case TextNode::Kind::Scalar:
      if (theirs.IsNull()) return ours.scalar.empty() || ours.scalar == "~";
      return theirs.IsScalar() && theirs.Scalar() == ours.scalar &&
             (theirs.Tag() == "!") == ours.quoted;
    case TextNode::Kind::List:
      if (!theirs.IsSequence() || theirs.size() != ours.list.size()) return false;
      for (std::size_t i = 0; i < ours.list.size(); ++i) {
        if (!Same(ours.list[i], theirs[i])) return false;
      }
      return true;
    case TextNode::Kind::Map:
      if (!theirs.IsMap() || theirs.size() != ours.map.size()) return false;
      for (const auto& [key, value] : ours.map) {
        if (!theirs[key] || !Same(value, theirs[key])) return false;
      }
      return true;
  }
  return false;
}

}  // namespace

TEST_CASE("text tree: reads what YAML reads", "[golden][text]") {
  for (const char* text : {
           "a: 1\nb: two words\n",
           "# title\n\na:\n  b: 1 # why\n  c: \"x # y\"\nd: []\ne: {}\n",
           "list:\n  - 1\n  - two\n  - {x: 1, y: [a, b], \"z z\": \"q\"}\n  - k: 1\n    l: 2\n  - "
           "- 1\n    - 2\n",
           "players[0].name: \"\\u00e9\\n\\t\\\\\\\"\"\r\nb: ~\r\n",
           "a: -5\nb: 1.5e+30\nc: vector<Player>\nd: x:y\n",
           "a:\n  -\n    x: 1\n",
       }) {
    INFO(text);
    const auto tree = ParseTextTree(text, "t");
    REQUIRE(tree.ok());
    CHECK(Same(*tree, YAML::Load(text)));
  }
}

TEST_CASE("text tree: hostile input is an error with a line number", "[golden][text]") {
  struct Case {
    const char* text;
    int line;
    const char* says;
  };
  for (const Case& c : {Case{"a: &x 1\n", 1, "anchors"},
                        Case{"a: 1\nb: *x\n", 2, "aliases"},
                        Case{"a: !!str 1\n", 1, "tags"},
                        Case{"a: |\n  x\n", 1, "multi-line"},
                        Case{"a: 'x'\n", 1, "single quotes"},
                        Case{"a: 1\na: 2\n", 2, "twice"},
                        Case{"x: {a: 1, a: 2}\n", 1, "twice"},
                        Case{"---\na: 1\n", 1, "expected"},
                        Case{"a: 1\n\tb: 2\n", 2, "tab"},
                        Case{"a: 1\n   b: 2\n", 2, "indented"},
                        Case{"a:\n  - 1\n  b: 2\n", 3, "a map and a list"},
                        Case{"a: {x: 1\n", 1, "not closed"},
                        Case{"a: [1, 2\n", 1, "not closed"},
                        Case{"a: \"x\n", 1, "not closed"},
                        Case{"a: \"\\x41\"\n", 1, "escape"},
                        Case{"a: \"x\" y\n", 1, "after the value"},
                        Case{"a: 1\n<<<<<<< HEAD\nb: 2\n", 2, "conflict markers"},
                        Case{"just words\n", 1, "expected"},
                        Case{"a: \"\\u12\"\n", 1, "four digits"},
                        Case{"\xEF\xBB\xBF"
                             "a: 1\n",
                             1, "byte-order mark"},
                        Case{"\xEF\xBB\xBF# words\na: 1\n", 1, "byte-order mark"},
                        Case{"\xFF\xFE"
                             "a:",
                             1, "UTF-16"},
                        Case{"a: @b\n", 1, "invalid start of a value"}}) {
    INFO(c.text);
    const auto tree = ParseTextTree(c.text, "golden/SR_X.yaml");
    REQUIRE_FALSE(tree.ok());
    CHECK(tree.error().file == "golden/SR_X.yaml");
    CHECK(tree.error().line == c.line);
    CHECK_THAT(tree.error().message, Catch::Contains(c.says));
  }
}

TEST_CASE("text tree: depth is limited, and many keys are fast", "[golden][text]") {
  std::string deep = "a: ";
  deep.append(100000, '[');
  CHECK_FALSE(ParseTextTree(deep, "t").ok());
  std::string blocks;
  for (int i = 0; i < 1000; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  CHECK_FALSE(ParseTextTree(blocks, "t").ok());
  std::string wide;
  for (int i = 0; i < 100000; ++i) wide += "key" + std::to_string(i) + ": 1\n";
  CHECK(ParseTextTree(wide, "t").ok());
  CHECK_FALSE(ParseTextTree(wide + "key0: 2\n", "t").ok());
}

TEST_CASE("text tree: every text survives quoting, in block and flow style", "[golden][text]") {
  for (std::string text : {"",
                           "a",
                           "-",
                           "- x",
                           "~",
                           "null",
                           "yes",
                           "on",
                           "1",
                           "-1",
                           "1e9",
                           "a: b",
                           "a #b",
                           "#",
                           "{",
                           "]",
                           "x,y",
                           "vector<Player>",
                           "map<string,i32>",
                           "game::Score",
                           "---",
                           "\"",
                           "\\",
                           "\n\t\r\x01\x7f",
                           "ключ",
                           "--",
                           "players[0].name",
                           "a b",
                           "...",
                           "!",
                           "&a",
                           "*a",
                           "true",
                           "@"}) {
    INFO(text);
    const std::string whole = revctl::golden::KeyText(text + "k") + ": " +
                              revctl::golden::PlainOrQuoted(text) + "\nflow: {" +
                              revctl::golden::PlainOrQuoted(text + "k") + ": " +
                              revctl::golden::PlainOrQuoted(text) + "}\n" + "list: [" +
                              revctl::golden::PlainOrQuoted(text) + ", 1]\n";
    const auto tree = ParseTextTree(whole, "t");
    REQUIRE(tree.ok());
    CHECK(tree->map[0].key == text + "k");
    CHECK(tree->map[0].value.scalar == text);
    CHECK(tree->Find("flow")->map[0].value.scalar == text);
    CHECK(tree->Find("list")->list[0].scalar == text);
    const YAML::Node theirs = YAML::Load(whole);
    CHECK(theirs[text + "k"].Scalar() == text);
  }
}

TEST_CASE("text tree: garbage never crashes", "[golden][text]") {
  std::mt19937 random(7);
  const std::string letters = "a1:- \n{}[],\"\\#&*~\t'|>u0";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (auto length = random() % 60; length > 0; --length)
      text += letters[random() % letters.size()];
    const auto tree = ParseTextTree(text, "t");
    if (!tree.ok()) CHECK(tree.error().line >= 0);
  }
}
