// Tests record-history in a real repository. The build commands copy prebuilt programs.
#include <stdlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/commands/command.h"
#include "harness/testdata/minus.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4 };
}  // namespace
#define VARIANT after_history
#include "harness/testdata/score.inc"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

/// A team that adopted the harness at its fourth revision, with paths that contain a blank and a
/// quote.
class LateAdopter {
 public:
  LateAdopter() {
    ::unsetenv("CI");
    Git("init -q .");
    Write(".revctl.yaml",
          "version: 1\nlists:\n  - path: \"src 1/li'st.h\"\n    prefix: SR_\n"
          "    golden: golden\n");
    Write(".git/hooks/post-checkout", "#!/bin/sh\ntouch '" + folder.path() + "/hooked'\n");
    fs::permissions(folder.path() + "/.git/hooks/post-checkout", fs::perms::owner_all);
    std::string list;
    for (const char* name : {"SR_INITIAL = 1", "SR_FOULS", "SR_PLAYERS", "SR_NO_FOULS"}) {
      list += std::string("  ") + name + ",  // more than SR_NOTHING\n";
      Write("src 1/li'st.h", "enum Rev {\n" + list + "};\n");
      Git("add . ':!builds'");
      Git("commit -qm add");
    }
    program.Type<after_history::Score>();
    session.registry = program.registry;
    list_ = program.List();
    session.list = &list_;
    session.program = "save_harness";
    session.golden = folder.path() + "/golden";
    session.source_root = folder.path();
    session.quiet = true;
    arguments.program = "build/save harness";
    // The first commit does not build, and the second commit builds the harness of a different
    // revision.
    arguments.build = "echo built >>'" + folder.path() +
                      "/builds'; mkdir build && grep -q SR_FOULS src*/* && cp " + Adopter("r3") +
                      " 'build/save harness'";
    Record();
  }

  Exit Run(bool go_on = false) {
    arguments.go_on = go_on;
    return RunRecordHistory(session, arguments);
  }
  bool Has(const std::string& revision) const {
    return golden::Store::Open(session.golden).Has(revision);
  }
  std::size_t Builds() const {
    const std::string text = Bytes(folder.path() + "/builds");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  std::string Out(const std::string& command) const {
    return harness::test::Run(folder, command).out;
  }
  CheckResult Check() const {
    return harness::Check(session.registry, list_, golden::Store::Open(session.golden),
                          OptionsOf(session));
  }

  const Folder folder;
  Session session;
  RecordHistoryArguments arguments;
  Program program{4};

 private:
  void Git(const std::string& words) const {
    const Ran ran = harness::test::Run(folder, kGit + words);
    INFO(ran.err);
    REQUIRE(ran.exit == 0);
  }
  void Write(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(folder.path()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void Record() const {
    RecordArguments record;
    REQUIRE(RunRecord(session, record) == Exit::Fine);
  }

  revctl::ListTable list_;
};

}  // namespace

TEST_CASE("record-history: records each revision with its own commit",
          "[harness][commands][history]") {
  LateAdopter team;
  CHECK(team.Run() == Exit::Findings);
  CHECK(team.Builds() == 3);
  CHECK_FALSE(team.Has("SR_INITIAL"));
  CHECK_FALSE(team.Has("SR_FOULS"));
  REQUIRE(team.Has("SR_PLAYERS"));
  const golden::Store store = golden::Store::Open(team.session.golden);
  const golden::RevisionRecord& record = store.Find("SR_PLAYERS")->record;
  CHECK(record.provenance.code == "SR_PLAYERS");
  CHECK(record.provenance.command == "record-history");
  CHECK(record.number == 3);
  CHECK(record.lineage == 0x33);
  CHECK(!record.cases.empty());
  const CheckResult result = team.Check();
  INFO(Text(result));
  CHECK_FALSE(result.errors);

  CHECK_FALSE(fs::exists(team.folder.path() + "/hooked"));
  CHECK(team.Out("git worktree list | wc -l") == "1\n");
  CHECK(team.Out("git status --porcelain --untracked-files=no").empty());
  CHECK_FALSE(fs::exists(team.folder.path() + "/build"));
}

TEST_CASE("record-history: --continue rebuilds only failed revisions",
          "[harness][commands][history]") {
  LateAdopter team;
  CHECK(team.Run() == Exit::Findings);
  team.Out("rm golden/SR_PLAYERS.*");
  CHECK(team.Run(/*go_on=*/true) == Exit::Findings);
  CHECK(team.Has("SR_PLAYERS"));
  CHECK(team.Builds() == 5);  // failed builds are repeated
  CHECK(team.Run(/*go_on=*/false) == Exit::Findings);
  CHECK(team.Builds() == 7);  // revisions with goldens are not rebuilt
}

TEST_CASE("record-history: replaces backfilled goldens", "[harness][commands][history]") {
  LateAdopter team;
  RecordArguments backfill;
  backfill.backfill = true;
  REQUIRE(RunRecord(team.session, backfill) == Exit::Fine);
  CHECK(team.Run() == Exit::Findings);
  const golden::Store store = golden::Store::Open(team.session.golden);
  CHECK(store.Find("SR_PLAYERS")->record.provenance.command == "record --backfill");
  const auto& records = store.records();
  CHECK(std::any_of(records.begin(), records.end(), [](const golden::StoredRecord& stored) {
    return stored.addition && stored.record.revision == "SR_PLAYERS" &&
           stored.record.provenance.command == "record-history";
  }));
  const CheckResult result = team.Check();
  INFO(Text(result));
  CHECK_FALSE(result.errors);
}

TEST_CASE("record-history: rejects a commit with another list path",
          "[harness][commands][history]") {
  LateAdopter team;
  for (revctl::ListEntry& entry : team.program.entries) {
    if (entry.name == "SR_PLAYERS") entry.lineage = 0x99;
  }
  const revctl::ListTable list = team.program.List();
  team.session.list = &list;
  CHECK(team.Run() == Exit::Findings);
  CHECK_FALSE(team.Has("SR_PLAYERS"));
}

TEST_CASE("record-history: fails without a repository and in CI", "[harness][commands][history]") {
  LateAdopter team;
  ::setenv("CI", "1", 1);
  CHECK(team.Run() == Exit::Usage);
  ::unsetenv("CI");
  const Folder elsewhere;
  team.session.source_root = elsewhere.path();
  CHECK(team.Run() == Exit::Environment);
  CHECK(team.Builds() == 0);
}

}  // namespace revctl::harness::test
