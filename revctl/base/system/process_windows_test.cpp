// Tests running programs on Windows.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "revctl/base/system/process.h"
#include "revctl/base/testing/test_folder.h"

namespace base = revctl::base;
namespace fs = std::filesystem;

TEST_CASE("process: sh falls back to the shell in git's folder if PATH has none",
          "[base][process]") {
  const base::testing::Folder folder;
  const fs::path root(folder.path());
  base::ProcessOptions options;
  options.environment = {"PATH=" + (root / "cmd").generic_string()};
  const auto start = [&] {
    return base::Run({BASE_TEST_CHILD, "start", folder.path(), "", "sh"}, options);
  };
  fs::create_directories(root / "cmd");
  fs::copy_file(BASE_TEST_CHILD, root / "cmd/git.exe");
  auto run = start();
  REQUIRE(run.ok());
  CHECK(run->status == 1);
  CHECK(run->err.starts_with("sh cannot be started"));
  const char* const place = GENERATE("bin", "usr/bin");
  fs::create_directories(root / place);
  fs::copy_file(BASE_TEST_CHILD, root / place / "sh.exe");
  run = start();
  REQUIRE(run.ok());
  CHECK(run->status == 0);
  CHECK(run->out.starts_with(",,3,"));
}
