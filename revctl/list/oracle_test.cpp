#include <filesystem>
#include <set>

#include "revctl/list/names_beside.h"
#include "revctl/list/test_lists.h"

/// The compiler is the oracle: every fixture is compiled, with an assertion per entry that revctl
/// found, and a switch that the compiler refuses where revctl missed an enumerator.
namespace revctl::list {

using testing::Dialect;

TEST_CASE("every fixture has the values that the compiler gives it", "[list][oracle]") {
  for (const Dialect& dialect : testing::Dialects()) {
    INFO(dialect.file);
    const auto list = Parse(testing::Fixture(dialect.file), dialect.config, dialect.file);
    if (!list.ok()) FAIL_CHECK(list.error().message);
    if (!list.ok()) continue;
    CHECK(list->entries.size() == dialect.entries);
    CHECK(testing::CompilerSays("#include \"" REVCTL_LIST_TESTDATA "/" + dialect.file + "\"\n" +
                                testing::Assertions(*list, ""))
              .empty());
  }
}

TEST_CASE("no fixture is forgotten", "[list][oracle]") {
  std::set<std::string> known;
  for (const Dialect& dialect : testing::Dialects()) known.insert(dialect.file);
  for (const auto& file : std::filesystem::directory_iterator(REVCTL_LIST_TESTDATA)) {
    if (file.path().extension() == ".h") CHECK(known.contains(file.path().filename().string()));
  }
}

TEST_CASE("a name beside the enum is known where compilers refuse it", "[list][oracle]") {
  const std::string plain = "enum Save { SR_A@ };\n";
  const std::string texts[] = {
      plain,
      "constexpr int SR_OUT = 1;\n" + plain,
      plain + "int SR_OUT();\n",
      plain + "int SR_OUT;\n",
      "extern \"C\" { extern int SR_OUT; }\n" + plain,
      "enum Other { OLD, SR_OUT };\n" + plain,
      "enum class Other { SR_OUT };\n" + plain,
      "typedef int SR_OUT;\n" + plain,
      "using SR_OUT = int;\n" + plain,
      "namespace SR_OUT {}\n" + plain,
      "struct SR_OUT {};\n" + plain,
      "#define SR_OUT 1\n" + plain,
      "#define SR_OUT 1\n#undef SR_OUT\n" + plain,
      "#if 0\nint SR_OUT;\n#endif\n" + plain,
      "inline int f(int SR_OUT) { int x = SR_OUT; return x; }\n" + plain,
      "inline int f() { int SR_OUT = 1; return SR_OUT; }\n" + plain,
      "struct S { int SR_OUT = 1; enum { B }; };\n" + plain,
      "namespace other { constexpr int SR_OUT = 1; }\n" + plain,
      "namespace game { constexpr int SR_OUT = 1; }\nnamespace game {\n" + plain + "}\n",
      "constexpr int SR_OUT = 1;\nnamespace game {\n" + plain + "}\n",
      "struct Game {\n" + plain + "static int SR_OUT() { return 1; }\n};\n",
      "int a[] = {1, 2}, SR_OUT = 3;\n" + plain,
      "int SR_OUT = 1;\nenum class Save : int { SR_A@ };\n",
      "#define SR_OUT 1\nenum class Save { SR_A@ };\n",
      "constexpr int F(int a, int b) { return a + b; }\n" + plain +
          "enum Other { OLD = F(SR_A, SR_OUT) };\nconstexpr int kOut = SR_OUT, kTwo[SR_OUT + 1] = "
          "{};\n",
      plain + "static_assert(SR_A == 0 && \"SR_OUT\");\n",
      "#ifdef FOO\nconstexpr int SR_OUT = 1;\n#endif\n" + plain,
      "#ifndef FOO\nstruct S {};\n#else\n#if FOO > 0\nint SR_OUT();\n#endif\n#endif\n" + plain,
      "enum Other {\nOLD,\n#ifdef FOO\nSR_OUT,\n#endif\nLAST };\n" + plain,
      plain + "#ifdef FOO\ninline int f() { return SR_OUT; }\n#endif\n",
      "#ifdef FOO\nnamespace other { constexpr int SR_OUT = 1; }\n#endif\n" + plain,
      "#if defined FOO\nstruct Game { int SR_OUT; };\n#endif\n" + plain,
      "#ifdef FOO\n#define SR_OUT 7\n#endif\nenum class Save { SR_A@ };\n"};
  ListConfig config;
  config.enum_name = "Save";
  for (std::string text : texts) {
    INFO(text);
    const std::size_t at = text.find('@');
    std::string more = text;
    const auto list = Parse(text.erase(at, 1), config, "list.h");
    REQUIRE(list.ok());
    more.replace(at, 1, ", SR_OUT");
    // Some build may define what the file leaves open.
    const bool refused =
        !testing::CompilerSays(more).empty() ||
        (more.find("FOO") != more.npos && !testing::CompilerSays("#define FOO 1\n" + more).empty());
    CHECK(DeclaredBeside(*list, {"SR_OUT", "SR_NONE"}).size() == (refused ? 1U : 0U));
  }
  CHECK(
      IncludedFiles("#include \"a.h\"\n#if 0\n#include \"b.h\"\n#endif\n#ifdef X\n# include "
                    "\"c/d.h\" // e\n#endif\n#include <f/g.h>\n#define H \"i.h\"\n#include H\n") ==
      std::vector<Include>{{"a.h", true}, {"c/d.h", true}, {"f/g.h"}, {"i.h", true}});
  CHECK(IncludedFiles("#define H <a.h>\n#define G H\n#include G\n#include_next <b.h>\n#import "
                      "\"c.h\"\n") == std::vector<Include>{{"a.h"}, {"b.h"}, {"c.h", true}});
  // What stands there where the compiler includes it is not followed, and known to be so.
  for (const char* text :
       {"#define H \"a.h\"\n#include H\n#undef H\n#define H \"b.h\"\n",
        "#ifdef X\n#define H \"a.h\"\n#endif\n#include H\n", "#include H\n",
        "#define H(x) #x\n#include H(a.h)\n", "#include /**/ \"a.h\"\n", "#include <>\n"}) {
    INFO(text);
    CHECK(IncludedFiles(text) == std::vector<Include>{{}});
  }
  CHECK(IncludedFiles("#include \"a.h\"\nenum R {};\n#include \"b.h\"\n", 16) ==
        std::vector<Include>{{"a.h", true}});
  const auto list = Parse(
      "// a list\n#define SR_OUT 1\nint SR_B;\n" + plain.substr(0, 16) + " };\n", config, "list.h");
  REQUIRE(list.ok());
  CHECK(DeclaredBeside(*list, {"SR_OUT", "SR_B"}) ==
        std::map<std::string, int>{{"SR_OUT", 2}, {"SR_B", 3}});
}

/// In front of a list that includes them: the compiler has other numbers than revctl, or none, or
/// some build has.
TEST_CASE("a header that redefines entries is known as in compilers", "[list][oracle]") {
  const std::string text =
      "#define M 5\nconstexpr int kBase = 3;\nnamespace n {\n"
      "enum Save { SR_A, SR_B = M, SR_C = kBase + 20, MAX, SR_D };\n}\n";
  ListConfig config;
  config.enum_name = "Save";
  const auto list = Parse(text, config, "list.h");
  REQUIRE(list.ok());
  const WordsOfEntries words = EntryWords(*list);
  std::string assertions;
  for (const Entry& entry : list->entries)
    assertions += "static_assert(n::" + entry.name + " == " + std::to_string(entry.number) + ");\n";
  const std::pair<const char*, const char*> headers[] = {
      {"#define SR_B SR_X, SR_B\n", "SR_B"},
      {"#define SR_A SR_A = 7\n", "SR_A"},
      {"#ifdef FOO\n#define SR_D SR_D = 90\n#endif\n", "SR_D"},
      {"namespace n { constexpr int kBase = 9; }\n", "kBase"},
      {"namespace n { enum Other { kBase = 9 }; }\n", "kBase"},
      {"#ifdef FOO\nnamespace n { constexpr int kBase = 9; }\n#endif\n", "kBase"},
      {"#define kBase 9 +\n", "kBase"},
      {"#define Save Save { SR_A = 9 }; enum Old\n", "Save"},
      // Nothing to the compiler either.
      {"#define MAX(a, b) ((a) > (b) ? (a) : (b))\n", ""},
      {"#define SR_A SR_A\n", ""},
      {"#define Save Saves\n", ""},
      {"#if 0\n#define SR_A SR_A = 7\n#endif\n", ""},
      {"#define SR_A 9\n#undef SR_A\n#undef SR_B\n", ""},
      {"// #define SR_A SR_A = 7\ninline int F(int base) { return base + 1; }\n", ""}};
  for (const auto& [header, wanted] : headers) {
    INFO(header);
    const auto changed = ReadHeader(header, *list, {}, words).changed;
    CHECK((changed.empty() ? "" : changed.begin()->first) == wanted);
    const std::string all = header + text + assertions;
    CHECK((!testing::CompilerSays(all).empty() ||
           !testing::CompilerSays("#define FOO 1\n" + all).empty()) == !changed.empty());
  }
  // What takes the list's own macro away, in front of which the list may include it.
  for (const char* header : {"#undef M\n", "#undef M\n#define M 9\n", "#pragma pop_macro(\"M\")\n"})
    CHECK(ReadHeader(header, *list, {}, words).changed.count("M") == 1);
}

}  // namespace revctl::list
