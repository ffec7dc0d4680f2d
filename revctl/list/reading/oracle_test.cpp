#include <filesystem>
#include <set>

#include "revctl/list/testing/test_lists.h"

/// Compiles every fixture together with an assertion for each entry that revctl found, and with a
/// switch that does not compile if revctl missed an enumerator.
namespace revctl::list {

using testing::Dialect;

TEST_CASE("revctl and the compiler agree on the values of every fixture", "[list][oracle]") {
  for (const Dialect& dialect : testing::Dialects()) {
    INFO(dialect.file);
    const auto list = Parse(testing::Fixture(dialect.file), dialect.config, dialect.file);
    if (!list.ok()) FAIL_CHECK(ErrorText(list.error()));
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

}  // namespace revctl::list
