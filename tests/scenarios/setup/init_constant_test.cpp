// Tests that `init` creates a list from a version constant, and that `uninstall` undoes this.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// Ann's clone of an emulator whose save version is a constant, which the commits have raised to
/// 45.
struct Emulator {
  Sandbox sandbox;
  GitDaemon daemon{sandbox, "srv"};
  static constexpr const char* kHeader = "ann/src/core/save_state_version.h";

  Emulator() {
    sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
    sandbox.Clone(daemon.Url("game.git"), "ann", "ann");
    sandbox.Git("ann", {"checkout", "-q", "-b", "main"});
    sandbox.Write("ann/src/core/types.h",
                  "#pragma once\nenum class CDROMMechaconVersion : u8 { VC0A, VC0B, VC1A, VC1B, "
                  "VD1, VC2, VC3, VC4, VC5, VC6, VC7, VC8, VC9 };\n");
    // The constant starts out in a different file.
    sandbox.Write("ann/src/core/types.h", sandbox.Read("ann/src/core/types.h") +
                                              "static constexpr u32 SAVE_STATE_VERSION = 41;\n");
    Commit("System: Begin");
    sandbox.Write("ann/src/core/types.h", Replaced("ann/src/core/types.h", "= 41", "= 42"));
    Commit("SPU: Save the pitch of voices (#12)");
    sandbox.Write(
        "ann/src/core/types.h",
        Replaced("ann/src/core/types.h", "static constexpr u32 SAVE_STATE_VERSION = 42;\n", ""));
    sandbox.Write(kHeader,
                  "#pragma once\n#include \"types.h\"\n\n"
                  "static constexpr u32 SAVE_STATE_MAGIC = 0x43435544;\n"
                  "static constexpr u32 SAVE_STATE_VERSION = 43;\n"
                  "static constexpr u32 SAVE_STATE_MINIMUM_VERSION = 42;\n"
                  "struct SAVE_STATE_HEADER {\n"
                  "  enum class CompressionType : u32 { None = 0, Deflate = 1, Zstandard = 2 };\n"
                  "  u32 magic, version;\n};\n");
    Commit("Bump save state version");
    sandbox.Write(kHeader, Replaced(kHeader, "VERSION = 43", "VERSION = 45"));
    Commit("CDROM: Fix the read-ahead \\");
    sandbox.Git("ann", {"push", "-q", "origin", "main"});
  }
  void Commit(const std::string& subject) const { sandbox.CommitAll("ann", subject); }
  std::string Replaced(const std::string& path, const std::string& old,
                       const std::string& now) const {
    std::string text = sandbox.Read(path);
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), now);
  }
  std::string Id(const std::string& what) const {
    return sandbox.Git("ann", {"rev-parse", what}).substr(0, 9);
  }
  std::string Ledger() const {
    return sandbox.Git("srv/game.git", {"for-each-ref", "--format=%(refname)", "refs/revctl"});
  }
};

}  // namespace

TEST_CASE("init: turns a constant into a list of the commits that raised it", "[init][constant]") {
  Emulator emulator;
  const Sandbox& sandbox = emulator.sandbox;
  const std::string before = sandbox.Snapshot("ann");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"init"}, {"init", "src/core/save_state_version.h"}}) {
    const auto plan = sandbox.Revctl("ann", words);
    INFO(plan.out << plan.err);
    CHECK(plan.status == 2);
    CHECK(Has(plan.out,
              "writes a list for SAVE_STATE_VERSION = 45 (src/core/save_state_version.h:5) to "
              "src/core/master_version_list.h: enum SaveStateVersions, line 5, 4 revisions"));
    CHECK(Has(plan.out, "guessed:\n  the names come from commit subjects"));
    CHECK(Has(plan.out,
              "  no commit set SAVE_STATE_VERSION to 44, so these numbers have no entry\n"));
    CHECK(Has(plan.out,
              "  the oldest readable version is SR_SPU_PITCH_VOICES = 42, because your code has "
              "SAVE_STATE_MINIMUM_VERSION = 42\n"));
    CHECK(Has(plan.err, "nothing was written"));
    CHECK(sandbox.Snapshot("ann") == before);
    CHECK(emulator.Ledger().empty());
  }
  const auto done = sandbox.Revctl("ann", {"init", "--yes"});
  INFO(done.out << done.err);
  REQUIRE(done.status == 0);
  const std::string date = sandbox.Git("ann", {"log", "-1", "--format=%ad", "--date=format:%Y"});
  const std::string list = sandbox.Read("ann/src/core/master_version_list.h");
  INFO(list);
  CHECK(Has(list, "enum SaveStateVersions {\n  SR_SYSTEM_BEGIN = 41,  // System: Begin (" +
                      emulator.Id("HEAD~3") + ", " + date));
  CHECK(Has(list, "\n  SR_SPU_PITCH_VOICES,  // SPU: Save the pitch of voices (#12) (" +
                      emulator.Id("HEAD~2")));
  CHECK(Has(list, "\n  SR_VERSION_43,  // Bump save state version ("));
  CHECK(Has(list, "\n  SR_CDROM_READ_AHEAD = 45,  // CDROM: Fix the read-ahead ("));
  CHECK(Has(list, "\n  SR_LATEST = SR_CDROM_READ_AHEAD\n};\n"));
  CHECK(Has(sandbox.Read(Emulator::kHeader),
            "#pragma once\n#include \"master_version_list.h\"\n#include \"types.h\"\n"));
  CHECK(Has(sandbox.Read(Emulator::kHeader), "u32 SAVE_STATE_VERSION = SR_LATEST;\n"));
  CHECK(Has(sandbox.Read("ann/.revctl.yaml"), "oldest: SR_SPU_PITCH_VOICES"));

  // One commit contains the list, the edited constant and revctl's setup. Until that commit, the
  // user may rename entries.
  CHECK(sandbox.Revctl("ann", {"list"}).status == 0);
  sandbox.Write(
      "ann/src/core/master_version_list.h",
      emulator.Replaced("ann/src/core/master_version_list.h", "SR_VERSION_43", "SR_CORE"));
  sandbox.Git("ann", {"add", "."});
  const auto commit = sandbox.TryGit("ann", {"commit", "-m", "Keep revisions with revctl"});
  INFO(commit.out << commit.err);
  CHECK(commit.status == 0);
  CHECK_FALSE(Has(commit.err, "RV011"));
  const auto check = sandbox.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
  CHECK_FALSE(Has(check.out, "RV"));
  CHECK(sandbox.TryGit("ann", {"push", "-q", "origin", "main"}).status == 0);
  CHECK(sandbox.Revctl("ann", {"reserve", "SR_PAD"}).out == "SR_PAD = 46\n");
}

TEST_CASE("init: #define, enum, and constants that the preprocessor compares", "[init][constant]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/a/save.h", "#define SAVE_VERSION 7\n");
  sandbox.Write("r/b/save.h", "enum { SAVE_VERSION = 7 };\n");
  sandbox.Write("r/b/other.h", "enum class Compression { None, Deflate, Zstd };\n");
  sandbox.CommitAll("r", "Two programs");
  const auto two = sandbox.Revctl("r", {"init", "--yes"});
  INFO(two.err);
  CHECK(two.status == 2);
  CHECK(Has(two.err,
            "several constants look like the save version:\na/save.h:1 (SAVE_VERSION = 7): revctl "
            "init a/save.h --enum SAVE_VERSION\n"));
  const auto unlikely = sandbox.Revctl("r", {"init", "b/other.h", "--yes"});
  CHECK(unlikely.status == 2);
  CHECK(Has(unlikely.err, "enum Compression, line 1 does not look like a version list"));
  CHECK(Has(unlikely.err, "--enum Compression"));
  sandbox.Write("r/a/use.cpp", "#include \"save.h\"\n#if SAVE_VERSION > 6\n#endif\n");
  const auto compared = sandbox.Revctl("r", {"init", "a/save.h", "--yes"});
  CHECK(compared.status == 2);
  CHECK(Has(compared.err, "an #if uses it at a/use.cpp:2"));
  std::filesystem::remove(sandbox.Path("r/a/use.cpp"));
  REQUIRE(sandbox.Revctl("r", {"init", "a/save.h", "--yes"}).status == 0);
  CHECK(sandbox.Read("r/a/save.h") ==
        "#include \"master_version_list.h\"\n#define SAVE_VERSION SR_LATEST\n");
  CHECK(Has(sandbox.Read("r/a/master_version_list.h"), "  SR_TWO_PROGRAMS = 7,  // Two programs"));
}

TEST_CASE("init: one commit can add a list and adopt it, in an existing file", "[init]") {
  Emulator emulator;
  const Sandbox& sandbox = emulator.sandbox;
  sandbox.Write(
      Emulator::kHeader,
      "#pragma once\nenum SaveStateVersion : unsigned { SSV_ONE = 44, SSV_TWO, SSV_LATEST "
      "= SSV_TWO };\n");
  const auto asked = sandbox.Revctl("ann", {"init", "src/core/save_state_version.h"});
  CHECK(asked.status == 2);
  CHECK(Has(asked.out, "adopts src/core/save_state_version.h: enum SaveStateVersion"));
  CHECK(Has(asked.err, "the plan was not confirmed"));
  CHECK(emulator.Ledger().empty());
  REQUIRE(sandbox.Revctl("ann", {"init", "src/core/save_state_version.h", "--yes"}).status == 0);
  sandbox.Git("ann", {"add", "."});
  const auto commit = sandbox.TryGit("ann", {"commit", "-m", "Keep revisions with revctl"});
  INFO(commit.out << commit.err);
  CHECK(commit.status == 0);
  CHECK_FALSE(Has(commit.out + commit.err, "RV"));
  CHECK(Has(sandbox.Revctl("ann", {"list"}).out, "45  SSV_TWO"));
  const auto check = sandbox.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
  CHECK_FALSE(Has(check.out, "RV"));
  CHECK(sandbox.TryGit("ann", {"push", "-q", "origin", "main"}).status == 0);
}

TEST_CASE("uninstall: undoes an init that nothing depends on", "[init][uninstall]") {
  Emulator emulator;
  const Sandbox& sandbox = emulator.sandbox;
  const std::string before = sandbox.Snapshot("ann");
  REQUIRE(sandbox.Revctl("ann", {"init", "--yes"}).status == 0);
  CHECK(emulator.Ledger() == "refs/revctl/ledger");
  const auto asks = sandbox.Revctl("ann", {"uninstall"});
  INFO(asks.out << asks.err);
  CHECK(asks.status == 0);
  CHECK(Has(asks.err, "removes src/core/master_version_list.h\n"));
  CHECK(Has(asks.err, "restores src/core/save_state_version.h\n"));
  CHECK(Has(asks.err, "deletes the ledger refs/revctl/ledger on origin\n"));
  CHECK(Has(asks.err, "to remove them: revctl uninstall --yes"));
  CHECK(emulator.Ledger() == "refs/revctl/ledger");
  const auto undone = sandbox.Revctl("ann", {"uninstall", "--yes"});
  INFO(undone.out << undone.err);
  REQUIRE(undone.status == 0);
  CHECK(sandbox.Snapshot("ann") == before);
  CHECK(sandbox.Git("ann", {"status", "--porcelain"}).empty());
  CHECK(emulator.Ledger().empty());
  CHECK(sandbox.Git("ann", {"for-each-ref", "refs/revctl"}).empty());
  // Rerunning `init` is allowed. After a reservation, `uninstall` keeps the files that `init`
  // created.
  REQUIRE(sandbox.Revctl("ann", {"init", "--yes"}).status == 0);
  REQUIRE(sandbox.Revctl("ann", {"reserve", "SR_PAD"}).status == 0);
  const auto late = sandbox.Revctl("ann", {"uninstall", "--yes"});
  CHECK(late.status == 0);
  CHECK(
      Has(late.err,
          "kept the files that revctl init wrote: revisions have been reserved since revctl init"));
  CHECK(sandbox.Exists("ann/.revctl.yaml"));
  CHECK(emulator.Ledger() == "refs/revctl/ledger");
}
