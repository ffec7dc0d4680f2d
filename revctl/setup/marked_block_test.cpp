#include "revctl/setup/marked_block.h"

#include <catch2/catch.hpp>

using namespace revctl::commands;

TEST_CASE("marked block: add, replace and remove", "[uninstall]") {
  const std::string before = GENERATE("", "*.png binary\n", "a\nb\n");
  CHECK_FALSE(BlockIn(before).has_value());
  CHECK(WithoutBlock(before) == before);
  const std::string one = WithBlock(before, "one\n");
  CHECK(one.starts_with(before + "# revctl: begin"));
  CHECK(BlockIn(one) == "one\n");
  const std::string two = WithBlock(one + "after\n", "two\nthree\n");
  CHECK(BlockIn(two) == "two\nthree\n");
  CHECK(WithoutBlock(two) == before + "after\n");
}

TEST_CASE("marked block: is inserted at the given line", "[uninstall]") {
  const std::string hook = "#!/bin/sh\necho mine\n";
  const std::string with = WithBlock(hook, "ours\n", hook.find('\n') + 1);
  CHECK(with.starts_with("#!/bin/sh\n# revctl: begin"));
  CHECK(with.ends_with("ours\n# revctl: end\necho mine\n"));
  CHECK(WithoutBlock(with) == hook);
}

TEST_CASE("marked block: the text has no final newline", "[uninstall]") {
  CHECK(WithoutBlock(WithBlock("*.png binary", "ours\n")) == "*.png binary\n");
}

TEST_CASE("marked block: an incomplete block belongs to the user", "[uninstall]") {
  const std::string whole = WithBlock("", "ours\n");
  const std::string half = whole.substr(0, whole.rfind("# revctl: end"));
  CHECK_FALSE(BlockIn(half).has_value());
  CHECK(WithoutBlock(half) == half);
  CHECK(WithoutBlock(WithBlock(half, "again\n")) == half);
}
