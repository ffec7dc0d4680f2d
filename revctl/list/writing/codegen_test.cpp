#include "revctl/list/writing/codegen.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "revctl/list/testing/test_lists.h"

/// Compiles and runs the generated header together with its list, and checks names, numbers,
/// lineages and LATEST.
namespace revctl::list {
namespace {

using testing::Parsed;

struct Case {
  std::string title, list, prefix, enum_name, latest, enum_type;
};

const std::vector<Case> kCases{
    {"plain", "enum Revision { SR_A = -2, SR_B, SR_SAME = -1, SR_C = 7, SR_REL = SR_B };", "SR_",
     "", "SR_LATEST", "Revision"},
    {"anonymous", "enum { SR_A = 1, SR_B = 9 };", "SR_", "", "SR_LATEST", "decltype(SR_A)"},
    {"scoped",
     "#include <cstdint>\nnamespace game::save { enum class Revision : std::uint16_t { One = 1, "
     "Two, Three }; }",
     "", "Revision", "game::save::LATEST", "game::save::Revision"},
    {"anonymous in a namespace", "namespace n { enum { SR_A = 1, SR_B = 9 }; }", "SR_", "",
     "n::SR_LATEST", "decltype(n::SR_A)"},
    {"has its own latest", "enum Revision { SR_A = 1, SR_B = 2, SR_LATEST = SR_B };", "SR_", "",
     "SR_LATEST", "Revision"},
    {"has a constant for it", "enum Revision { SR_A = 1, SR_END };\n#define SR_LATEST SR_A", "SR_",
     "", "SR_LATEST", "Revision"},
    {"in a class", "struct S { enum Revision { SR_A = 1, SR_B = 2 }; };", "SR_", "", "S::SR_B",
     "S::Revision"},
    {"the widest numbers",
     "enum Revision : long long { SR_A = -9223372036854775807 - 1, SR_B = 9223372036854775807 };",
     "SR_", "", "SR_LATEST", "Revision"}};

std::string Check(const std::string& condition) {
  return "  if (!(" + condition + ")) return __LINE__ % 200 + 1;\n";
}

std::string Literal(std::int64_t number) {
  return number == INT64_MIN ? "INT64_MIN" : "INT64_C(" + std::to_string(number) + ")";
}

}  // namespace

TEST_CASE("codegen: the table compiles and matches the list", "[list][codegen]") {
  const auto scratch =
      std::filesystem::temp_directory_path() / ("revctl-codegen-" + std::to_string(::getpid()));
  std::filesystem::create_directories(scratch);
  for (const Case& one : kCases) {
    INFO(one.title);
    ListConfig config;
    config.prefix = one.prefix;
    config.enum_name = one.enum_name;
    config.sentinel = "SR_END";
    const RevisionList list = Parsed(one.list, config);
    const auto lineages = Lineages(list, 0);
    const auto table = GenerateTable(list, config, lineages, "list.h");
    REQUIRE(table.ok());
    CHECK(*table == *GenerateTable(list, config, lineages, "list.h"));
    std::ofstream(scratch / "list.h") << one.list << "\n";
    std::ofstream(scratch / "table.h") << *table;
    std::string main =
        "#include \"table.h\"\n#include \"table.h\"\nint main() {\n  using L = revctl::ListOf<" +
        one.enum_type + ">;\n";
    main += Check("L::table.entries.size() == " + std::to_string(lineages.size()));
    for (std::size_t i = 0; i < lineages.size(); ++i) {
      const std::string entry = "L::table.entries[" + std::to_string(i) + "]";
      main += Check(entry + ".name == \"" + lineages[i].name + "\"");
      main += Check(entry + ".number == " + Literal(lineages[i].number));
      main += Check(entry + ".lineage == 0x" + LineageText(lineages[i].hash) + "u");
    }
    main +=
        Check("static_cast<long long>(" + one.latest + ") == " + Literal(lineages.back().number));
    main += Check("revctl::DefaultList() == &L::table");
    main += Check("L::table.oldest == " + Literal(lineages.front().number));
    std::ofstream(scratch / "main.cpp") << main << "  return 0;\n}\n";
    const std::string program = (scratch / "program").string();
    const std::string build = std::string(REVCTL_CXX) + " -std=c++20 -Wall -Wextra -Werror -I'" +
                              REVCTL_INCLUDE + "' '" + (scratch / "main.cpp").string() + "' -o '" +
                              program + "'";
    REQUIRE(std::system(build.c_str()) == 0);
    CHECK(std::system(("'" + program + "'").c_str()) == 0);
  }
  // If the list and the table have different numbers, for example because an include file is out of
  // date, compilation fails.
  ListConfig config;
  const RevisionList list = Parsed("enum Revision { SR_A = 1, SR_B = 2, SR_C = 4 };", config);
  std::ofstream(scratch / "table.h") << *GenerateTable(list, config, Lineages(list, 0), "list.h");
  for (const char* numbers : {"SR_A = 1, SR_B = 2, SR_C = 4", "SR_A = 1, SR_B = 3, SR_C = 4",
                              "SR_A = 1, SR_B = 2, SR_C", "SR_A = 1, SR_C = 4"}) {
    INFO(numbers);
    std::ofstream(scratch / "list.h") << "enum Revision { " << numbers << " };\n";
    const std::string build = std::string(REVCTL_CXX) + " -std=c++20 -fsyntax-only -x c++ -I'" +
                              REVCTL_INCLUDE + "' '" + (scratch / "table.h").string() +
                              "' >/dev/null 2>&1";
    CHECK((std::system(build.c_str()) == 0) ==
          (std::string(numbers).find("2, SR_C = 4") != std::string::npos));
  }
  // If the list's numbers depend on a build option, the compiler's error mentions both possible
  // causes: an outdated table and a build option.
  std::ofstream(scratch / "list.h") << "enum Revision {\n  SR_A = 1,\n  SR_B = 2,\n#ifdef DEMO\n"
                                       "  SR_C = 5,\n#else\n  SR_C = 4,\n#endif\n};\n";
  const std::string words = (scratch / "words").string();
  const std::string demo = std::string(REVCTL_CXX) + " -std=c++20 -fsyntax-only -DDEMO -x c++ -I'" +
                           REVCTL_INCLUDE + "' '" + (scratch / "table.h").string() + "' 2>'" +
                           words + "'";
  CHECK(std::system(demo.c_str()) != 0);
  std::ifstream said(words);
  const std::string text((std::istreambuf_iterator<char>(said)), std::istreambuf_iterator<char>());
  INFO(text);
  CHECK(text.find("SR_C has a different number in this build") != std::string::npos);
  CHECK(text.find("the table is out of date (run revctl sync and build again)") !=
        std::string::npos);
  CHECK(text.find("a build option (-D)") != std::string::npos);
  std::filesystem::remove_all(scratch);
}

TEST_CASE("codegen: lists and paths for which no table can be generated", "[list][codegen]") {
  ListConfig config;
  const RevisionList empty = Parsed("enum Revision {};");
  CHECK_FALSE(GenerateTable(empty, config, Lineages(empty, 0), "list.h").ok());
  const RevisionList list = Parsed("enum Revision { SR_A };");
  CHECK_FALSE(GenerateTable(list, config, Lineages(list, 0), "a\"\n#include \"b").ok());
  config.oldest = "SR_NONE";
  CHECK_FALSE(GenerateTable(list, config, Lineages(list, 0), "list.h").ok());
}

}  // namespace revctl::list
