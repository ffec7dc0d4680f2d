// Tests moving the golden folder, in one landing or in two. Every landed file must arrive
// unchanged.
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/base/system/process.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team with thirty landed revisions and their goldens, on a protected server.
struct Moving : Team {
  static constexpr int kRevisions = 30;

  static std::string Config(const std::string& folder) {
    return "version: 1\nlists: [{path: src/master_version_list.h" +
           (folder.empty() ? "" : ", golden: " + folder) + "}]\nreservation: optional\n";
  }
  Moving() {
    std::string list = "enum Revision {\n";
    for (int i = 1; i <= kRevisions; ++i) {
      const std::string name = "SR_N" + std::to_string(i);
      list += "    " + name + "=" + std::to_string(i) + ",\n";
      sandbox.Write("ann/golden/" + name + ".yaml", "record of " + name + "\n");
      sandbox.Write("ann/golden/" + name + ".golden", "payloads of " + name + "\n");
    }
    sandbox.Write("ann/golden/approved/0123456789abcdef.yaml", "approved\n");
    sandbox.Write("ann/golden/README", "not guarded\n");
    sandbox.Write(std::string("ann/") + kList, list + "};\n");
    sandbox.Write("ann/.revctl.yaml", Config("golden"));
    Land("ann");
    GuardServer();
  }
  void Move() const {
    sandbox.Git("ann", {"mv", "golden", "saves"});
    sandbox.Write("ann/.revctl.yaml", Config("saves"));
  }
  int Errors(const revctl::base::ProcessResult& run) const {
    int count = 0;
    for (std::size_t at = run.out.find("error["); at != std::string::npos;
         at = run.out.find("error[", at + 1))
      ++count;
    return count;
  }
  std::string Push() const {
    sandbox.CommitAll("ann", "step");
    const auto pushed = sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    return pushed.status == 0 ? "" : pushed.err;
  }
};

}  // namespace

TEST_CASE("golden folder: the gate accepts a pure move", "[check][golden]") {
  Moving team;
  team.Move();
  const auto run = team.Revctl("ann", {"check"});
  INFO(run.out << run.err);
  CHECK(team.Errors(run) == 0);
  CHECK(team.Push().empty());
  // The new folder is protected as soon as the move has landed.
  team.sandbox.Write("ann/saves/SR_N3.yaml", "edited\n");
  CHECK(Has(team.Push(),
            "saves/SR_N3.yaml: error[RV019]: the golden of the landed SR_N3 was edited"));
}

TEST_CASE("golden folder: an edit during a move has one finding", "[check][golden]") {
  Moving team;
  team.Move();
  team.sandbox.Write("ann/saves/SR_N3.yaml", "edited\n");
  team.sandbox.Git("ann", {"rm", "-qf", "saves/SR_N4.golden", "saves/SR_N5.yaml"});
  team.sandbox.Write("ann/saves/approved/0123456789abcdef.yaml", "approved by me\n");
  const auto run = team.Revctl("ann", {"check"});
  INFO(run.out << run.err);
  CHECK(team.Errors(run) == 1);
  CHECK(Has(run.out,
            "saves: error[RV019]: the goldens move from golden to saves, but landed goldens are "
            "changed or missing there: SR_N3.yaml, approved/0123456789abcdef.yaml were edited; "
            "SR_N4.golden, SR_N5.yaml were removed\n"));
  const std::size_t at = run.out.find("fix: git checkout ");
  REQUIRE(at != std::string::npos);
  const std::string fix = run.out.substr(at + 5, run.out.find('\n', at) - at - 5);
  CHECK(team.sandbox.Run("ann", {"sh", "-c", fix}).status == 0);
  CHECK(team.Errors(team.Revctl("ann", {"check"})) == 0);
  CHECK(team.Push().empty());
}

TEST_CASE("golden folder: two landings cannot smuggle in an edited golden", "[server][golden]") {
  Moving team;
  const auto edit = [&] {
    team.sandbox.Write("ann/saves/SR_N3.yaml", "edited\n");
    team.sandbox.Git("ann", {"rm", "-qf", "--cached", "saves/SR_N4.golden"});
    std::filesystem::remove(team.sandbox.Path("ann/saves/SR_N4.golden"));
  };
  std::filesystem::copy(team.sandbox.Path("ann/golden"), team.sandbox.Path("ann/saves"),
                        std::filesystem::copy_options::recursive);
  team.sandbox.Git("ann", {"add", "saves"});
  edit();
  SECTION("copied and named in the config, then deleted") {
    team.sandbox.Write("ann/.revctl.yaml", Moving::Config("saves"));
    CHECK(Has(team.Push(), "SR_N3.yaml was edited; SR_N4.golden was removed"));
  }
  SECTION("copied, then named in the config") {
    CHECK(team.Push().empty());  // accepted, because no config names that folder yet
    team.sandbox.Git("ann", {"rm", "-qr", "golden"});
    team.sandbox.Write("ann/.revctl.yaml", Moving::Config("saves"));
    CHECK(Has(team.Push(), "SR_N3.yaml was edited; SR_N4.golden was removed"));
  }
  SECTION("removed from the config, then edited") {
    team.sandbox.Write("ann/.revctl.yaml", Moving::Config(""));
    CHECK(Has(team.Push(), "the goldens in golden would no longer be protected"));
  }
}

TEST_CASE("golden folder: a branch or a move that began before another move", "[check][golden]") {
  Moving team;
  team.sandbox.Git("bob", {"pull", "-q"});
  team.Move();
  SECTION("the target has moved the folder") {
    REQUIRE(team.Push().empty());
    team.sandbox.Write("bob/note", "behind\n");
    team.sandbox.CommitAll("bob", "note");
    CHECK(team.Errors(team.Revctl("bob", {"check", "--fetch"})) == 0);
    team.sandbox.Write("bob/golden/SR_N3.yaml", "edited\n");
    const auto run = team.Revctl("bob", {"check"});
    INFO(run.out << run.err);
    CHECK(team.Errors(run) == 1);
    CHECK(Has(run.out, "golden/SR_N3.yaml: error[RV019]"));
  }
  SECTION("more goldens have landed on the target") {
    team.sandbox.Write("bob/golden/SR_N3+0123456789abcdef.yaml", "imported\n");
    team.Land("bob");
    const auto run = team.Revctl("ann", {"check", "--fetch"});
    INFO(run.out << run.err);
    CHECK(team.Errors(run) == 1);
    CHECK(Has(run.out,
              "SR_N3+0123456789abcdef.yaml landed in the meantime, and would stay in golden"));
  }
}
