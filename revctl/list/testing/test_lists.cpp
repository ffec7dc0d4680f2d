#include "revctl/list/testing/test_lists.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>

namespace revctl::list::testing {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Literal(std::int64_t number) {
  if (number == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  return std::to_string(number) + "LL";
}

Dialect Of(std::string file, std::string prefix, std::string enum_name, std::size_t entries) {
  Dialect dialect;
  dialect.file = std::move(file);
  dialect.config.prefix = std::move(prefix);
  dialect.config.enum_name = std::move(enum_name);
  dialect.entries = entries;
  return dialect;
}

}  // namespace

std::string Fixture(const std::string& name) {
  return ReadFile(std::filesystem::path(REVCTL_LIST_TESTDATA) / name);
}

const std::vector<Dialect>& Dialects() {
  static const std::vector<Dialect> dialects{Of("method.h", "SR_", "", 4),
                                             Of("implicit.h", "TAG_MINOR_", "", 10),
                                             Of("scoped_aliases.h", "", "ESaveVersion", 11),
                                             Of("alias_middle.h", "", "Version", 8),
                                             Of("version_coded.h", "kVersion_", "", 9),
                                             Of("newest_first.h", "FORMAT_VERSION_", "", 6),
                                             Of("numbers.h", "N_", "", 27),
                                             Of("operators.h", "SR_", "", 26),
                                             Of("comments.h", "SR_", "Revision", 7),
                                             Of("one_line.h", "SR_", "", 3),
                                             Of("packed.h", "SR_", "", 7),
                                             Of("attributes.h", "SR_", "", 6),
                                             Of("continued.h", "SR_", "", 4),
                                             Of("conditions.h", "SR_", "", 7),
                                             Of("nested.h", "SR_", "", 3),
                                             Of("typedef_c.h", "SR_", "", 2),
                                             Of("count_current.h", "", "Type", 5),
                                             Of("minimal_last.h", "V_", "", 6),
                                             Of("crlf.h", "SR_", "", 3),
                                             Of("bom_no_final_newline.h", "SR_", "", 3),
                                             Of("empty_tail.h", "SR_", "", 3),
                                             Of("comma_first.h", "SR_", "", 3),
                                             Of("unicode_names.h", "SR_", "", 2),
                                             Of("group_comments.h", "SLV_", "", 12),
                                             Of("from_counter.h", "SV_", "", 6),
                                             Of("sections.h", "V_", "Kernel::Version", 6)};
  return dialects;
}

std::string Assertions(const RevisionList& list, const std::string& outer) {
  std::ostringstream out;
  std::string enum_type = outer + "::" + list.qualified_enum;
  const std::string around = outer + (list.scope.empty() ? "::" : "::" + list.scope + "::");
  if (list.qualified_enum.empty())
    enum_type = "decltype(" + around + list.entries.front().name + ")";
  const std::string scope = list.qualified_enum.empty() ? around : enum_type + "::";
  std::set<std::int64_t> numbers;
  out << "inline int Complete(" << enum_type << " e) {\n  switch (e) {\n";
  for (const Entry& entry : list.entries) {
    if (numbers.insert(entry.number).second)
      out << "    case " << scope << entry.name << ": return 1;\n";
  }
  out << "  }\n  return 0;\n}\n";
  for (const Entry& entry : list.entries) {
    out << "static_assert(static_cast<long long>(" << scope << entry.name
        << ") == " << Literal(entry.number) << ");\n";
  }
  return out.str();
}

bool HasCompiler() { return *REVCTL_CXX != '\0'; }

std::string CompilerSays(const std::string& program) {
  if (!HasCompiler()) return "";
  const std::filesystem::path scratch =
      std::filesystem::temp_directory_path() / ("revctl-oracle-" + std::to_string(::getpid()));
  std::filesystem::create_directories(scratch);
  std::ofstream(scratch / "program.cpp") << program;
  const std::string command =
      std::string(REVCTL_CXX) + " -std=c++20 -fsyntax-only -w -Werror=switch '" +
      (scratch / "program.cpp").string() + "' >'" + (scratch / "log").string() + "' 2>&1";
  std::string said;
  if (std::system(command.c_str()) != 0)
    said = "refused: " + ReadFile(scratch / "log").substr(0, 4000);
  std::filesystem::remove_all(scratch);
  return said;
}

}  // namespace revctl::list::testing
