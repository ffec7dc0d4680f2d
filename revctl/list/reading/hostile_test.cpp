#include <ctime>
#include <functional>
#include <random>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/merging/merge.h"
#include "revctl/list/rules/rules.h"
#include "revctl/list/testing/test_lists.h"
#include "revctl/list/writing/body.h"
#include "revctl/list/writing/edit.h"

/// Tests untrusted lists: for arbitrary bytes, revctl must return a result or an error in bounded
/// time.
namespace revctl::list {
namespace {

using testing::Fixture;

std::string Repeated(std::string_view what, std::size_t times) {
  std::string out;
  out.reserve(what.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += what;
  return out;
}

/// Returns the CPU time of `work` in seconds, which is nearly independent of the load on the
/// machine.
double SecondsFor(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Calls every function that accepts arbitrary text as a list.
void UseAll(const std::string& text, const ListConfig& config) {
  const auto list = Parse(text, config, "list.h");
  if (!list) {
    CHECK_FALSE(list.error().message.empty());
    return;
  }
  CHECK(detail::Body::Split(*list).Render() == text);
  CheckedLists lists;
  lists.target = &*list;
  lists.merged = &*list;
  static_cast<void>(CheckRules(lists, config));
  static_cast<void>(Lineages(*list, 0));
  if (const auto longer = Append(*list, config, config.prefix + "FUZZ", 1 << 20, "a comment");
      longer.ok()) {
    const auto again = Parse(*longer, config, "list.h");
    REQUIRE(again.ok());
    REQUIRE(again->Find(config.prefix + "FUZZ") != nullptr);
    CHECK(again->Find(config.prefix + "FUZZ")->number == 1 << 20);
    for (const Entry* entry : list->Revisions())
      CHECK(again->Find(entry->name)->number == entry->number);
  }
  if (const Entry* latest = list->Latest()) {
    const auto moved = MoveToEnd(*list, config, {{latest->name, 1 << 21}});
    if (moved.ok()) CHECK(Parse(*moved, config, "list.h").ok());
  }
}

const std::vector<std::pair<std::string, ListConfig>>& Seeds() {
  const auto config = [](std::string prefix, std::string name = "") {
    ListConfig one;
    one.prefix = std::move(prefix);
    one.enum_name = std::move(name);
    return one;
  };
  static const std::vector<std::pair<std::string, ListConfig>> seeds{
      {Fixture("method.h"), config("SR_")},
      {Fixture("implicit.h"), config("TAG_MINOR_")},
      {Fixture("scoped_aliases.h"), config("", "ESaveVersion")},
      {Fixture("alias_middle.h"), config("", "Version")},
      {Fixture("version_coded.h"), config("kVersion_")},
      {Fixture("newest_first.h"), config("FORMAT_VERSION_")},
      {Fixture("operators.h"), config("SR_")},
      {Fixture("comments.h"), config("SR_", "Revision")},
      {Fixture("packed.h"), config("SR_")},
      {Fixture("attributes.h"), config("SR_")},
      {Fixture("continued.h"), config("SR_")},
      {Fixture("conditions.h"), config("SR_")},
      {Fixture("nested.h"), config("SR_")},
      {Fixture("crlf.h"), config("SR_")},
      {Fixture("comma_first.h"), config("SR_")},
      {Fixture("count_current.h"), config("", "Type")},
      {Fixture("bom_no_final_newline.h"), config("SR_")}};
  return seeds;
}

using testing::Many;

}  // namespace

TEST_CASE("hostile: large, deeply nested and unterminated lists", "[list][hostile]") {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"5 MB", Repeated("// a comment that is quite long\n", 165'000)},
      {"parentheses", "enum R { SR_A = " + Repeated("(", Many(1'000'000)) + "1"},
      {"minus signs", "enum R { SR_A = " + Repeated("- ", Many(300'000)) + "1 };"},
      {"conditionals", Repeated("#if 1\n", Many(300'000)) + "enum R { SR_A };"},
      {"ternaries", "enum R { SR_A = " + Repeated("1 ? 2 : ", Many(300'000)) + "1 };"},
      {"namespaces", Repeated("namespace a {", Many(200'000)) + "enum R { SR_A = 1 };"},
      {"open enums", Repeated("enum R { ", Many(300'000))},
      {"raw strings", Repeated("R\"(", Many(300'000))},
      {"comment openings", Repeated("/*", Many(300'000))},
      {"quotes", Repeated("'", Many(300'000))},
      {"backslashes", Repeated("\\ ", Many(300'000))},
      {"continuations", "enum R { SR_A = 1" + Repeated("\\\n", Many(300'000)) + "2 };"},
      {"macro doubling", "#define A0 1+1\n" +
                             [] {
                               std::string out;
                               for (int i = 1; i < 60; ++i)
                                 out += "#define A" + std::to_string(i) + " A" +
                                        std::to_string(i - 1) + "+A" + std::to_string(i - 1) + "\n";
                               return out;
                             }() +
                             "enum R { SR_A = A59 };"},
      {"macro chain",
       [] {
         std::string out = "#define A0 1\n";
         for (int i = 1; i < 50'000; ++i)
           out += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "\n";
         return out;
       }() +
           "enum R { SR_A = A49999 };"},
      {"macro arguments", "#define F(x) F2(x,x)\n#define F2(x,y) x+y\nenum R { SR_A = " +
                              Repeated("F(", 100) + "1" + Repeated(")", 100) + " };"},
      {"macro that calls itself", "#define F(x) F(x) + F(F(x))\nenum R { SR_A = F(F(F(1))) };"},
      {"many enums that look for a name",
       Repeated("enum { A = B };\n", Many(200'000)) + "enum R { SR_A = 1 };"},
      {"many constants", Repeated("const int x = y;\n", Many(200'000)) + "enum R { SR_A = 1 };"},
      {"one line of entries", "enum R { " + Repeated("SR_A, ", Many(200'000)) + "};"},
      {"many enums", Repeated("enum { X };\n", Many(200'000)) + "enum R { SR_A = 1 };"}};
  for (const auto& [title, text] : texts) {
    INFO(title);
    const double seconds =
        SecondsFor([&text = text] { static_cast<void>(Parse(text, ListConfig{}, "list.h").ok()); });
    // Linear code takes less than a second; the limit allows for sanitizers and busy machines.
    CHECK(seconds < 20);
  }
  const auto refused = Parse(texts[0].second, ListConfig{}, "list.h");
  REQUIRE_FALSE(refused.ok());
  CHECK(ErrorText(refused.error()) ==
        "list.h:1:1: the file has 5280000 bytes, but a version list may have at most 4194304");
}

TEST_CASE("hostile: a list of 20,000 revisions in every operation", "[list][hostile]") {
  std::string entries;
  for (std::size_t i = 0; i < Many(20'000); ++i)
    entries += "  SR_REVISION_" + std::to_string(i) + ", // ae: what it is for\n";
  const std::string base = "enum R {\n" + entries + "};\n";
  const std::string ours = "enum R {\n" + entries + "  SR_OURS,\n};\n",
                    theirs = "enum R {\n" + entries + "  SR_THEIRS,\n};\n";
  MergeInput input;
  input.base = base, input.ours = ours, input.theirs = theirs, input.path = "list.h";
  MergeContext context;
  context.landed_known = true;
  context.landed_text = theirs;
  double seconds = SecondsFor([&] {
    const auto merged = Merge(input, context, ListConfig{});
    REQUIRE(merged.ok());
    CHECK(merged->text == "enum R {\n" + entries + "  SR_THEIRS,\n  SR_OURS,\n};\n");
  });
  CHECK(seconds < 10);
  seconds = SecondsFor([&] { UseAll(base, ListConfig{}); });
  CHECK(seconds < 10);
}

TEST_CASE("hostile: 20,000 entries that clash, in every operation", "[list][hostile]") {
  const auto entries = [](const std::function<std::string(const std::string& i)>& one) {
    std::string out = "enum R {\nSR_FIRST,\n";
    for (std::size_t i = 0; i < Many(20'000); ++i) out += one(std::to_string(i));
    return out + "};\n";
  };
  const std::string base = "enum R {\nSR_FIRST,\n};\n";
  // For each of these lists, quadratic code would take minutes.
  for (const std::string& hostile :
       {entries([](const std::string&) { return std::string("SR_A = 7,\n"); }),
        entries([](const std::string& i) { return "SR_N" + i + " = 7,\n"; }),
        entries([](const std::string& i) { return "SR_N" + i + " = SR_FIRST - 1,\n"; }),
        entries([](const std::string& i) { return "SR_N" + i + " = 3" + i + ", // 1 2 3\n"; }),
        entries([](const std::string& i) { return "SX_N" + i + " = " + i + ",\n"; })}) {
    INFO(hostile.substr(0, 60));
    UseAll(hostile, ListConfig{});
    MergeInput input;
    input.base = base, input.ours = hostile, input.theirs = base, input.path = "list.h";
    MergeContext context;
    context.landed_known = true;
    context.landed_text = hostile;
    static_cast<void>(Merge(input, context, ListConfig{}).ok());
  }
}

TEST_CASE("hostile: random bytes", "[list][hostile]") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text = "enum R { SR_A = ";
    for (auto n = random() % 200; n > 0; --n) text += static_cast<char>(random() & 0xff);
    UseAll(text + "\n}; };", ListConfig{});
  }
}

TEST_CASE("hostile: fixtures with bytes, lines and tokens changed", "[list][hostile]") {
  std::mt19937 random(2);
  static constexpr std::string_view kBits[] = {"#if 1\n",
                                               "#if 0\n",
                                               "#endif\n",
                                               "#else\n",
                                               "{",
                                               "}",
                                               "(",
                                               ")",
                                               ",",
                                               "=",
                                               "//",
                                               "/*",
                                               "*/",
                                               "\\\n",
                                               "'",
                                               "\"",
                                               "R\"(",
                                               "\n",
                                               "\r\n",
                                               "SR_X",
                                               " = 5",
                                               "<<<<<<< a\n",
                                               "=======\n",
                                               ">>>>>>> b\n",
                                               "enum ",
                                               "#define SR_A 7\n",
                                               "::",
                                               "-",
                                               "99999999999999999999",
                                               "0x",
                                               "\xff",
                                               "\t"};
  const auto below = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n)(random);
  };
  for (const auto& [seed, config] : Seeds()) {
    for (int i = 0; i < 150; ++i) {
      std::string text = seed;
      for (std::size_t n = below(3) + 1; n > 0; --n) {
        const std::size_t at = below(text.size());
        switch (below(3)) {
          case 0:
            text.insert(at, kBits[below(std::size(kBits) - 1)]);
            break;
          case 1:
            text.erase(at, below(12));
            break;
          case 2:
            text.insert(at, text.substr(below(text.size()), below(60)));
            break;
          default:
            text = text.substr(0, at);
            break;
        }
      }
      INFO(text);
      UseAll(text, config);
      MergeContext context;
      context.text_merge = testing::LineMerge;
      MergeInput input;
      const std::string other = seed + "// changed\n";
      input.base = seed, input.ours = text, input.theirs = other, input.path = "list.h";
      const auto merged = Merge(input, context, config);
      if (merged.ok() && !merged->conflict) CHECK(Parse(merged->text, config, "list.h").ok());
      static_cast<void>(Resolve(text, "list.h", context, config).ok());
    }
  }
}

}  // namespace revctl::list
