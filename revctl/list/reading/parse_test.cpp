#include "revctl/list/merging/merge.h"
#include "revctl/list/reading/source.h"
#include "revctl/list/testing/test_lists.h"
#include "revctl/list/writing/edit.h"

namespace revctl::list {
namespace {

using testing::Fixture;
using testing::Parsed;
using testing::Summary;

std::string ErrorOf(std::string_view text, const ListConfig& config = {}) {
  const auto list = Parse(text, config, "src/list.h");
  return list.ok() ? "no error: " + Summary(*list) : ErrorText(list.error());
}

}  // namespace

TEST_CASE("kinds: revisions, aliases, sentinels", "[list][parse]") {
  ListConfig config;
  config.prefix = "";
  config.enum_name = "ESaveVersion";
  CHECK(Summary(Fixture("scoped_aliases.h"), config) ==
        "NONE=0 MINIMAL=831 TEXT_BOX=831 RELEASE_143=832 BLACK_MARKET=833 QUESTS=834 "
        "[RELEASE_150=834] HEROES=835 TIMERS=840 "
        "AFTER_TIMERS=841 [CURRENT=841]");
  config.aliases = {"NONE", "RELEASE_*", "M?NIMAL"};
  CHECK(Summary(Fixture("scoped_aliases.h"), config) ==
        "[NONE=0] [MINIMAL=831] TEXT_BOX=831 [RELEASE_143=832] BLACK_MARKET=833 QUESTS=834 "
        "[RELEASE_150=834] HEROES=835 TIMERS=840 "
        "AFTER_TIMERS=841 [CURRENT=841]");
  config.aliases = {};
  config.enum_name = "Type";
  CHECK(Summary(Fixture("count_current.h"), config) ==
        "BeforeCustomVersionWasAdded=0 AddedMeshes=1 StreamedTextures=2 (VersionPlusOne=3) "
        "[LatestVersion=2]");
  config.enum_name = "Version";
  CHECK(Summary(Fixture("minimal_last.h"), config) ==
        "V_BASE=100 V_NEXT=101 V_MORE=102 (MAX=103) [CURRENT=102] [MINIMAL=101]");
  CHECK(Summary("enum R { SR_A, OTHER = 7, SR_B = 9, NUM };") ==
        "SR_A=0 [OTHER=7] SR_B=9 [NUM=10]");
}

TEST_CASE("places: line, comment and an entry's lines", "[list][parse]") {
  ListConfig config;
  config.enum_name = "Revision";
  const RevisionList list = Parsed(Fixture("comments.h"), config);
  const auto lines = [&list](std::string_view name) {
    const Entry* entry = list.Find(name);
    REQUIRE(entry != nullptr);
    return list.text.substr(entry->lines.begin, entry->lines.end - entry->lines.begin);
  };
  CHECK(list.Find("SR_A")->line == 13);
  CHECK(list.Find("SR_A")->comment == "it's { here }");
  CHECK(lines("SR_A") == "  /* own line = 1, */\n  SR_A = 1, // it's { here }\n");
  CHECK(lines("SR_C") ==
        "  /*\n   * Several lines, with a comma, an = and a }\n   */\n  SR_C,//no blanks\n");
  CHECK(lines("SR_D") ==
        "  // SR_GONE = 4,\n  SR_D,          /// doc, first line\n                 /// and its "
        "second\n");
  CHECK(list.Find("SR_B")->initializer == "2");
  CHECK(list.Find("SR_E")->comment == "doc");
  CHECK(lines("SR_F") == "  /* 6: */ SR_F = 6,\n");
  const RevisionList bom = Parsed(Fixture("bom_no_final_newline.h"));
  CHECK(bom.enum_line == 1);
}

TEST_CASE("constructs that compilers read differently are errors", "[list][parse]") {
  ListConfig config;
  config.enum_name = "R";
  const std::pair<std::string, std::string> cases[] = {
      {"enum R {\n  SR_A = 1, // a\r  PAD_ = 6,\n  SR_B\n};", "2:17: a carriage return"},
      {"enum R { SR_A = 1,\r\n SR_B, // \\\r\r\n SR_C };", "2:12: a carriage return"},
      {"enum R { SR_A = 1 };\rint x;", "1:21: a carriage return"},
      {"#define M 51\n#pragma push_macro(\"M\")\n#undef M\n#define M 101\n"
       "#pragma pop_macro(\"M\")\nenum R { SR_A = M };",
       "6:17: M is a macro"},
      {"#define M 51\n_Pragma(\"push_macro(\\\"M\\\")\")\nenum R { SR_A = M };",
       "2:1: this pragma changes macros"},
      {"#define P _Pragma(\"pop_macro(\\\"M\\\")\")\nP enum R { SR_A = 1 };",
       "2:1: this pragma changes macros"},
      {"#if __cplusplus > 201703L\n#define M 1\n#else\n#define M 2\n#endif\nenum R { SR_A = M };",
       "6:17: M is a macro"},
      {"enum R { SR_A = __cplusplus };", "1:17: __cplusplus is not defined"},
      {"enum R { SR_A\xc2\xa0= 5 };", "1:14: a Unicode space"},
      {"enum R { SR_A, // ?\?/\n SR_X,\n SR_B };", "1:19: a trigraph"},
      {"#define SR_\\u00e9 5\nenum R { SR_A };", "1:12: revctl does not support universal"},
      {"#nonsense\nenum R { SR_A };", "1:1: unknown directive #nonsense"},
      {"enum R { SR_A,\n#ifdef X\n#include \"x.inc\"\n#endif\n SR_B };",
       "3:1: revctl cannot read entries"},
      {"enum R { SR_A,\n#ifdef X\n# include \"x.pending.inc\"\n#endif\n SR_B };",
       "3:1: revctl cannot read entries"},
      {"enum R { SR_A,\n#ifdef X\n#include_next \"x.pending.inc\"\n#endif\n SR_B };",
       "3:1: revctl cannot read entries"},
      {"enum R { SR_A,\n#ifdef X\n#in\\\nclude \"x.pending.inc\"\n#endif\n SR_B };",
       "3:1: revctl cannot read entries"},
      {"#ifndef __GNUC__\n#define __GNUC__ 5\n#endif\nenum R { SR_A = __GNUC__ };",
       "4:17: __GNUC__ is a macro"},
      {"#ifndef __GNUC__\n#define __GNUC__ 5\n#define M 4\n#else\n#define M 9\n#endif\n"
       "enum R { SR_A = M };",
       "7:17: M is a macro"},
      {"#if !defined(_WIN32)\n#define _WIN32 2\n#endif\nenum R { SR_A = _WIN32 };",
       "4:17: _WIN32 is a macro"},
      {"#ifndef NDEBUG\n#define NDEBUG 2\n#endif\nenum R {\n#if NDEBUG == 2\nSR_A\n#endif\n};",
       "5:1: list entries depend on this condition"},
      {"enum R\n#ifdef X\n: unsigned\n#endif\n{ SR_A };",
       "2:1: list entries depend on this condition"},
      {"#ifdef X\n#define SR_B SR_Q\n#endif\nenum R { SR_A, SR_B };", "4:16: SR_B is a macro"},
      {"constexpr int k = 5;\nstruct B { enum { k = 6 }; };\nstruct S : B { enum R { SR_A = k }; "
       "};",
       "3:32: k is declared more than once"},
      {"constexpr int k = 5;\nnamespace n {\n#ifdef X\nconstexpr int k = 6;\n#endif\n"
       "enum R { SR_A = k };\n}",
       "6:17: k is also declared inside an #if"}};
  for (const auto& [text, wanted] : cases) {
    INFO(text);
    const std::string error = ErrorOf(text, config);
    CHECK(error.substr(0, 11 + wanted.size()) == "src/list.h:" + wanted);
  }
  // These lists are not errors, because all compilers read them in the same way.
  for (const char* text :
       {"enum R { SR_A = 1, // a\r\r\n SR_B };", "/* a\rb */ enum R { SR_A = 1, SR_B };",
        "#ifdef __cplusplus\nenum R { SR_A = 1,\n#endif\n#if __cplusplus >= 201103L\nSR_B "
        "};\n#endif\n",
        "#pragma GCC diagnostic push\nenum R { SR_A = 1, SR_B\f};",
        "#ifndef __LIST_H__\n#define __LIST_H__\nenum R { SR_A = 1, SR_B };\n#endif // guard\n",
        "#ifndef FIRST\n#define FIRST 1\n#endif\nenum R { SR_A = FIRST, SR_B };"}) {
    INFO(text);
    CHECK(Summary(text, config) == "SR_A=1 SR_B=2");
  }
}

TEST_CASE("anything that cannot be decided from the file alone is an error", "[list][parse]") {
  CHECK(ErrorOf("enum R {\n  SR_A = OTHER,\n};") ==
        "src/list.h:2:10: OTHER is not defined in this file");
  CHECK(ErrorOf("enum R {\n  SR_A = f(3),\n};") ==
        "src/list.h:2:10: f is not defined in this file; revctl evaluates only macros and types "
        "from the same file");
  CHECK(ErrorOf("enum R {\n  SR_A = 1,\n#ifdef BETA\n  SR_B = 2,\n#endif\n};") ==
        "src/list.h:3:1: list entries depend on this condition, but it uses a name that this file "
        "does not define");
  CHECK(ErrorOf("enum R {\n  SR_A = 1,\n#if BETA > 3\n#else\n  SR_B = 2,\n#endif\n};")
            .find("src/list.h:4:1: list entries depend on this condition") == 0);
  // An undecided macro in the enum's head could split it into two enums.
  for (const char* word : {"enum", "R", "int"}) {
    CHECK(ErrorOf(std::string("#ifdef X\n#define ") + word +
                  " R { SR_A = 9 }; enum class\n#endif\nenum R : int { SR_A = 1 };")
              .find(std::string(word) + " is a macro whose definition depends on") !=
          std::string::npos);
  }
  CHECK(ErrorOf("#ifdef X\n#define FOO enum Q { SR_A = 9 };\n#else\n#define FOO\n#endif\n"
                "FOO enum R { SR_A = 1 };")
            .find("FOO is a macro whose definition depends on") != std::string::npos);
  // An undecided macro whose definitions cannot begin or end a declaration is harmless.
  CHECK(ErrorOf("#ifdef _WIN32\n#define API __declspec(dllexport)\n#else\n#define API\n#endif\n"
                "enum class API R : int { SR_A = 1 };") == "no error: SR_A=1");
  // A macro with an entry's name is an error even after the list, because it changes all later
  // code.
  for (const char* more : {"#define SR_A 9\n", "#ifdef X\n#define SR_A 9\n#endif\n"}) {
    CHECK(ErrorOf(std::string("enum R { SR_A = 1 };\n") + more)
              .ends_with(
                  ":1: SR_A is also a macro, so code that uses the name gets the macro's value"));
  }
  for (const char* more : {"#define SR_A SR_A\n", "#define SR_A(x) 9\n",
                           "#define SR_A 9\n#undef SR_A\n", "#if 0\n#define SR_A 9\n#endif\n"})
    CHECK(ErrorOf(std::string("enum R { SR_A = 1 };\n") + more) == "no error: SR_A=1");
  CHECK(ErrorOf("#ifdef X\n#define N 3\n#endif\nenum R { SR_A = N };") ==
        "src/list.h:4:17: N is a macro whose definition depends on a name that this file does not "
        "define");
  CHECK(ErrorOf("enum R {\n#include \"entries.inc\"\n};", [] {
          ListConfig c;
          c.enum_name = "R";
          return c;
        }()) == "src/list.h:2:1: revctl cannot read entries from another file");
  CHECK(ErrorOf("#define E SR_A\nenum R { E, SR_B };") ==
        "src/list.h:2:10: a macro generates this entry, so revctl cannot edit it");
  for (const std::string macro : {"E(n) SR_##n", "E(n, ...) n", "E(n) #n"}) {
    INFO(macro);
    CHECK(ErrorOf("#define " + macro + "\nenum R { SR_A = E(1), SR_B };") ==
          "src/list.h:2:17: E is a macro with `#`, `##` or `...`, which revctl cannot expand");
    // A macro with `#`, `##` or `...` is allowed outside the enum, for example to make a table of
    // names.
    CHECK(ErrorOf("#define " + macro + "\nenum R { SR_A, SR_B };\nint names[] = {E(1)};")
              .find("no error") == 0);
  }
  for (const std::string digraph : {"<%", "%>", "<:", ":>", "%:", "<:::", "<::>"}) {
    CHECK(ErrorOf("enum R {\n  SR_A " + digraph) ==
          "src/list.h:2:8: revctl does not support the digraph " + digraph.substr(0, 2));
  }
  CHECK(ErrorOf("struct S : T<::B> {};\nenum R { SR_A };").find("no error") == 0);
  CHECK(ErrorOf("enum R { SR_A = sizeof(int) };")
            .find("src/list.h:1:17: sizeof is not defined in this file") == 0);
  CHECK(ErrorOf("enum R { SR_A UNKNOWN_MACRO = 3 };")
            .find("src/list.h:1:15: unexpected 'UNKNOWN_MACRO' after SR_A: a ',' is missing, or a "
                  "macro is defined in another file") == 0);
  CHECK(ErrorOf("enum R { SR_A = 1.5 };").find("src/list.h:1:17: 1.5: not an integer") == 0);
  CHECK(ErrorOf("enum R { SR_A = \"x\" };").find("src/list.h:1:17:") == 0);
  CHECK(ErrorOf("enum R { SR_A = 1 / 0 };") == "src/list.h:1:19: division by zero");
  CHECK(ErrorOf("enum R { SR_A = 2147483647 + 1 };") ==
        "src/list.h:1:28: the result does not fit in its type");
  CHECK(ErrorOf("enum R { SR_A = 1 << 32 };") ==
        "src/list.h:1:19: the shift count is out of range for the type");
  CHECK(ErrorOf("enum R { SR_A = 18446744073709551615u };") ==
        "src/list.h:1:10: SR_A is 18446744073709551615, but revctl supports only signed 64-bit "
        "numbers, up to 9223372036854775807");
  CHECK(ErrorOf("enum R { SR_A = 99999999999999999999 };") ==
        "src/list.h:1:17: 99999999999999999999: this number does not fit in 64 bits");
  CHECK(ErrorOf("enum R : long { SR_A = 9223372036854775807, SR_B };")
            .find("src/list.h:1:45: SR_B is 9223372036854775808") == 0);
  CHECK(ErrorOf("enum R { SR_A = 1'000'000_x };").find("src/list.h:1:17:") == 0);
}

TEST_CASE("bytes that are not UTF-8 are allowed in comments, but not in names", "[list][parse]") {
  // The text is Latin-1, as in older sources, with non-UTF-8 bytes in comments, in strings and
  // around the enum.
  const std::string latin =
      "// gro\xdf\nconst char* kWho = \"Jos\xe9\";\nenum R {\n  SR_A = 1, /* na\xefve */\n  SR_B = "
      "2, // caf\xe9\n};\n";
  const RevisionList list = testing::Parsed(latin);
  CHECK(Summary(list) == "SR_A=1 SR_B=2");
  CHECK(testing::CompilerSays(latin + testing::Assertions(list, "")).empty());
  CHECK(testing::LineDiff(latin, *Append(list, {}, "SR_C", 3,
                                         "jb: \xfc"
                                         "ber")) ==
        "+  SR_C = 3, // jb: \xfc"
        "ber\n");
  CHECK(testing::LineDiff(latin, *MoveToEnd(list, {}, {{"SR_B", 7}})) ==
        "-  SR_B = 2, // caf\xe9\n+  SR_B = 7, // caf\xe9\n");
  MergeInput input;
  const std::string ours = *Append(list, {}, "SR_O", 3, "\xf6"),
                    theirs = *Append(list, {}, "SR_T", 3, "\xe4");
  input.base = latin;
  input.ours = ours;
  input.theirs = theirs;
  input.path = "list.h";
  MergeContext context;
  context.landed_known = true;
  context.landed_text = theirs;
  const auto merged = Merge(input, context, {});
  REQUIRE(merged.ok());
  CHECK(testing::LineDiff(latin, merged->text) == "+  SR_T = 3, // \xe4\n+  SR_O = 4, // \xf6\n");
  // Names may contain UTF-8. A byte in a name that is not valid UTF-8 is an error at that byte's
  // position.
  CHECK(testing::Summary("enum R { SR_\xc3\xbc = 1 };") == "SR_\xc3\xbc=1");
  CHECK(ErrorOf("enum R {\n  SR_A = 1,\n  SR_B\xe9 = 2,\n};") ==
        "src/list.h:3:7: this name contains a byte that is not UTF-8, which compilers reject "
        "outside of comments");
  CHECK(testing::CompilerSays("enum R {\n  SR_B\xe9 = 2,\n};").empty() != testing::HasCompiler());
  CHECK(ErrorOf(std::string("\xff\xfe"
                            "e\0n\0u\0m\0",
                            10))
            .find("src/list.h:1:4: the file has a NUL byte here, so it is UTF-16 or binary, not "
                  "text") == 0);
}

TEST_CASE("a file without the expected enum is an error that describes the enum", "[list][parse]") {
  CHECK(ErrorOf("int main() {}") ==
        "src/list.h:1:1: this file has no enum whose entries begin with SR_");
  CHECK(ErrorOf("\n enum A { X }; enum class B { Y };") ==
        "src/list.h:1:1: this file has no enum whose entries begin with SR_; it has A (line 2), B "
        "(line 2)");
  CHECK(ErrorOf("enum A { SR_X };\nenum B { SR_Y };") ==
        "src/list.h:2:1: there are two enums whose entries begin with SR_: A (line 1) and B (line "
        "2)");
  CHECK(ErrorOf("enum A { SR_X = 1, SR_Y") == "src/list.h:1:8: this brace is never closed");
  CHECK(ErrorOf("// a list\nenum A\n{\n  SR_X = 1,\n  SR_Y\n\nstruct S { int a; };\n") ==
        "src/list.h:3:1: this brace is never closed");
  ListConfig named;
  named.enum_name = "A";
  CHECK(ErrorOf("enum A { SR_X = 1, SR_Y", named) == "src/list.h:1:8: this brace is never closed");
  CHECK(ErrorOf("enum A { SR_X = , SR_Y };") == "src/list.h:1:15: expected a number after '='");
  CHECK(ErrorOf("enum A { SR_X = 1 SR_Y };") == "src/list.h:1:19: unexpected 'SR_Y'");
  CHECK(ErrorOf("enum A { SR_X,, SR_Y };") ==
        "src/list.h:1:15: expected the name of an entry, found ','");
  CHECK(ErrorOf("enum A {\n<<<<<<< ours\n SR_X,\n=======\n SR_Y,\n>>>>>>> theirs\n};", named)
            .find("src/list.h:2:1: expected the name of an entry, found '<<'") == 0);
  CHECK(ErrorOf("/* no end\nenum A { SR_X };") == "src/list.h:1:1: unterminated comment");
  CHECK(ErrorOf("#if 1\nenum A { SR_X };") == "src/list.h:1:1: this conditional has no #endif");
  CHECK(ErrorOf("enum A { SR_X };\n#endif") == "src/list.h:2:1: #endif without #if");
  CHECK(ErrorOf("#error no\nenum A { SR_X };") ==
        "src/list.h:1:1: this file stops compilation with an #error");
  CHECK(ErrorOf(std::string("enum A { SR_X\0 };", 17))
            .find("src/list.h:1:14: the file has a NUL byte here, so it is UTF-16 or binary, not "
                  "text") == 0);
}

TEST_CASE("an enum is found by its partly qualified name", "[list][parse]") {
  const std::string text =
      "namespace a { enum class V { X = 1 }; } namespace b { struct S { enum V { Y = 2 }; }; }";
  ListConfig config;
  config.prefix = "";
  config.enum_name = "S::V";
  const RevisionList list = Parsed(text, config);
  CHECK(list.qualified_enum == "b::S::V");
  CHECK(list.scope == "b::S");
  CHECK(list.in_class);
  config.enum_name = "a::V";
  CHECK(Parsed(text, config).scoped);
  config.enum_name = "V";
  CHECK(ErrorOf(text, config).find("two enums called V") != std::string::npos);
}

TEST_CASE("a value outside the enum's type is parsed, so that a rule can report it",
          "[list][parse]") {
  const RevisionList list = Parsed("enum R : unsigned char { SR_A = 255, SR_B, SR_C = -1 };");
  CHECK(Summary(list) == "SR_A=255 SR_B=256 SR_C=-1");
  CHECK(list.underlying_bits == 8);
  CHECK_FALSE(list.underlying_signed);
}

}  // namespace revctl::list
