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

TEST_CASE("a name that the file declares besides the enum is known where the compiler refuses it",
          "[list][oracle]") {
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
  CHECK(QuotedIncludes("#include \"a.h\"\n#if 0\n#include \"b.h\"\n#endif\n#ifdef X\n# include "
                       "\"c/d.h\" // e\n#endif\n#include <f.h>\n") ==
        std::vector<std::string>{"a.h", "c/d.h"});
  const auto list = Parse(
      "// a list\n#define SR_OUT 1\nint SR_B;\n" + plain.substr(0, 16) + " };\n", config, "list.h");
  REQUIRE(list.ok());
  CHECK(DeclaredBeside(*list, {"SR_OUT", "SR_B"}) ==
        std::map<std::string, int>{{"SR_OUT", 2}, {"SR_B", 3}});
}

}  // namespace revctl::list
