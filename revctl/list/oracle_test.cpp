#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "revctl/list/revision_list.h"

/// The compiler is the oracle: every fixture is compiled, with an assertion per entry that revctl found, and a switch that
/// the compiler refuses where revctl missed an enumerator.
namespace revctl::list {
namespace {

struct Fixture {
  std::string file, prefix, enum_name;
  std::size_t entries;  ///< so that a fixture cannot shrink unseen
};

const std::vector<Fixture> kFixtures{{"method.h", "SR_", "", 4},
                                     {"implicit.h", "TAG_MINOR_", "", 10},
                                     {"scoped_aliases.h", "", "ESaveVersion", 11},
                                     {"alias_middle.h", "", "Version", 8},
                                     {"version_coded.h", "kVersion_", "", 9},
                                     {"newest_first.h", "FORMAT_VERSION_", "", 6},
                                     {"numbers.h", "N_", "", 27},
                                     {"operators.h", "SR_", "", 26},
                                     {"comments.h", "SR_", "Revision", 7},
                                     {"one_line.h", "SR_", "", 3},
                                     {"packed.h", "SR_", "", 7},
                                     {"attributes.h", "SR_", "", 6},
                                     {"continued.h", "SR_", "", 4},
                                     {"conditions.h", "SR_", "", 7},
                                     {"nested.h", "SR_", "", 3},
                                     {"typedef_c.h", "SR_", "", 2},
                                     {"count_current.h", "", "Type", 5},
                                     {"minimal_last.h", "V_", "", 6},
                                     {"digraphs.h", "SR_", "", 3},
                                     {"crlf.h", "SR_", "", 3},
                                     {"bom_no_final_newline.h", "SR_", "", 3},
                                     {"empty_tail.h", "SR_", "", 3},
                                     {"comma_first.h", "SR_", "", 3},
                                     {"unicode_names.h", "SR_", "", 2}};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Literal(std::int64_t number) {
  if (number == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  return std::to_string(number) + "LL";
}

std::string Program(const std::filesystem::path& header, const RevisionList& list) {
  std::ostringstream out;
  out << "#include \"" << header.string() << "\"\n";
  std::string enum_type = list.qualified_enum;
  const std::string around = list.scope.empty() ? "::" : "::" + list.scope + "::";
  if (enum_type.empty()) enum_type = "decltype(" + around + list.entries.front().name + ")";
  const std::string scope = list.qualified_enum.empty() ? around : "::" + list.qualified_enum + "::";
  std::set<std::int64_t> numbers;
  out << "int Complete(" << enum_type << " e) {\n  switch (e) {\n";
  for (const Entry& entry : list.entries) {
    if (numbers.insert(entry.number).second) out << "    case " << scope << entry.name << ": return 1;\n";
  }
  out << "  }\n  return 0;\n}\n";
  for (const Entry& entry : list.entries) {
    out << "static_assert(static_cast<long long>(" << scope << entry.name << ") == " << Literal(entry.number) << ");\n";
  }
  return out.str();
}

}  // namespace

TEST_CASE("every fixture has the values that the compiler gives it", "[list][oracle]") {
  const std::filesystem::path testdata = REVCTL_LIST_TESTDATA;
  const std::filesystem::path scratch = std::filesystem::temp_directory_path() / ("revctl-oracle-" + std::to_string(::getpid()));
  std::filesystem::create_directories(scratch);
  for (const Fixture& fixture : kFixtures) {
    INFO(fixture.file);
    ListConfig config;
    config.prefix = fixture.prefix;
    config.enum_name = fixture.enum_name;
    const auto list = Parse(ReadFile(testdata / fixture.file), config, fixture.file);
    if (!list.ok()) FAIL_CHECK(list.error().message);
    if (!list.ok()) continue;
    CHECK(list->entries.size() == fixture.entries);
    const auto source = scratch / (fixture.file + ".cpp");
    std::ofstream(source) << Program(testdata / fixture.file, *list);
    const auto log = scratch / (fixture.file + ".log");
    const std::string command = std::string(REVCTL_CXX) + " -std=c++20 -fsyntax-only -Werror=switch '" + source.string() +
                                "' >'" + log.string() + "' 2>&1";
    if (std::system(command.c_str()) != 0) FAIL_CHECK(ReadFile(log));
  }
  std::filesystem::remove_all(scratch);
}

TEST_CASE("no fixture is forgotten", "[list][oracle]") {
  std::set<std::string> known;
  for (const Fixture& fixture : kFixtures) known.insert(fixture.file);
  for (const auto& file : std::filesystem::directory_iterator(REVCTL_LIST_TESTDATA)) {
    if (file.path().extension() == ".h") CHECK(known.contains(file.path().filename().string()));
  }
}

}  // namespace revctl::list
