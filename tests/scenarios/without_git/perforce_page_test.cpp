// Runs the scripts from docs/guide/perforce.md. A folder stands in for the server, and `p4` and
// `svnlook` are scripts that read it.
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/scenarios/without_git/depot.h"

using namespace revctl::testing;

namespace {

/// Returns the only block on the page that contains `part`.
std::string BlockOfPage(const std::string& part) {
  std::ifstream page(std::string(REVCTL_SOURCES) + "/docs/guide/perforce.md");
  REQUIRE(page);
  std::string found, block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      if (inside && block.find(part) != std::string::npos) {
        CHECK(found.empty());
        found = block;
      }
      inside = !inside;
      block.clear();
    } else if (inside) {
      block += line + "\n";
    }
  }
  INFO(part);
  REQUIRE_FALSE(found.empty());
  return found;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// A server whose files are in folders: `head/` contains the latest version of the depot, and `7/`
/// the files of change or transaction 7.
struct Server : Depot {
  Server() {
    Script("p4",
           "echo \"p4 $*\" >>\"@/p4.log\"\n"
           "[ \"$1\" != opened ] || echo something\n"
           "[ \"$1\" = print ] || exit 0\n"
           "path=${5#//game/main/} from=head\n"
           "case $path in *@=*) from=${path##*@=} path=${path%@=*} ;; esac\n"
           "[ ! -f \"@/$from/$path\" ] || cat \"@/$from/$path\" >\"$4\"\n");
    Script("svnlook",
           "from=head\nshift\n[ \"$1\" != -t ] || { from=$2; shift 2; }\n"
           "cat \"@/$from/${2#trunk/}\"\n");
    Script("p4merge", "echo \"p4merge $*\"\n");
    Script("check_list", BlockOfPage("Perforce trigger"));
    Script("revctl-p4merge", BlockOfPage("Merge tool for p4 resolve"));
    Script("robot", BlockOfPage("Gives pending revisions their numbers"));
    Script("pre-commit", BlockOfPage("SVN pre-commit hook"));
    sandbox.Write("head/.revctl.yaml", BlockOfPage("master_version_list.h, golden: golden}]"));
    Submit("head", {});
  }
  void Script(const std::string& name, const std::string& text) const {
    sandbox.WriteExecutable("bin/" + name, (text.starts_with("#!") ? "" : "#!/bin/sh\n") +
                                               Replaced(text, "@/", sandbox.root() + "/"));
  }
  void Submit(const std::string& change, const Entries& more) const {
    Entries all = {{"SR_INITIAL", 1}, {"SR_FOULS", 2}, {"SR_ARENA", 3}};
    all.insert(all.end(), more.begin(), more.end());
    sandbox.Write(change + "/" + kList, List(all));
  }
};

}  // namespace

TEST_CASE("perforce page: the trigger", "[pages][without_git]") {
  const Server server;
  server.Submit("7", {{"SR_BOSS", 4}});
  const auto fine = server.Shell("check_list 7");
  INFO(fine.out << fine.err);
  CHECK(fine.status == 0);
  server.sandbox.Write(
      std::string("7/") + Depot::kList,
      Depot::List({{"SR_INITIAL", 1}, {"SR_FOULS", 2}, {"SR_BOSS", 3}, {"SR_ARENA", 3}}));
  const auto taken = server.Shell("check_list 7");
  CHECK(taken.status == 1);
  CHECK(taken.out == BlockOfPage("error[RV001]"));
  // The trigger rejects a change that deletes the list, and accepts the first change, which adds
  // it.
  std::filesystem::remove(server.sandbox.Path(std::string("7/") + Depot::kList));
  CHECK(Has(server.Shell("check_list 7").out, "error[RV016]"));
  server.Submit("7", {});
  std::filesystem::remove(server.sandbox.Path(std::string("head/") + Depot::kList));
  CHECK(server.Shell("check_list 7").status == 0);
  // The script has deleted its temporary folder.
  CHECK(server.Shell("ls /tmp/tmp.*/before.h").status != 0);
}

TEST_CASE("perforce page: P4MERGE", "[pages][without_git]") {
  const Server server;
  server.sandbox.Write("ws/base", Depot::List({{"SR_INITIAL", 1}}));
  server.sandbox.Write("ws/theirs", Depot::List({{"SR_INITIAL", 1}, {"SR_ARENA", 2}}));
  server.sandbox.Write(std::string("ws/") + Depot::kList,
                       Depot::List({{"SR_INITIAL", 1}, {"SR_BOSS", 2}}));
  const auto merged =
      server.Shell("revctl-p4merge base theirs " + std::string(Depot::kList) + " merged");
  INFO(merged.err);
  CHECK(merged.status == 0);
  CHECK(server.sandbox.Read("ws/merged") ==
        Depot::List({{"SR_INITIAL", 1}, {"SR_ARENA", 2}, {"SR_BOSS", 3}}));
  CHECK(server.Shell("revctl-p4merge base theirs src/level.cpp merged").out ==
        "p4merge base theirs src/level.cpp merged\n");
}

TEST_CASE("perforce page: the robot", "[pages][without_git]") {
  const Server server;
  const std::string pending = "ws/src/master_version_list.pending/";
  server.sandbox.Write("ws/.revctl.yaml",
                       Replaced(BlockOfPage("numbers: at-landing"), ", golden: golden", ""));
  server.sandbox.Write(std::string("ws/") + Depot::kList,
                       Depot::List({{"SR_INITIAL", 1}},
                                   "#if __has_include(\"master_version_list."
                                   "pending.inc\")\n#include \"master_version_"
                                   "list.pending.inc\"\n#endif\n"));
  server.sandbox.Write(pending + "SR_BOSS.yaml", BlockOfPage("the boss has phases"));
  server.sandbox.Write(pending + "SR_ARENA.yaml", "{}\n");
  CHECK(server.Revctl({"sync", "--in", "."}).status == 0);
  CHECK(Has(server.sandbox.Read("ws/src/master_version_list.pending.inc"),
            "SR_ARENA = SR_INITIAL + 1,\nSR_BOSS,\n"));
  const auto folded = server.Shell("robot");
  INFO(folded.err);
  CHECK(folded.status == 0);
  CHECK(folded.out == "SR_ARENA = 2\nSR_BOSS = 3\n");
  CHECK(Has(server.sandbox.Read(std::string("ws/") + Depot::kList),
            "    SR_BOSS = 3, // the boss has phases\n"));
  const std::string log = server.sandbox.Read("p4.log");
  CHECK(Has(log, "p4 edit src/master_version_list.h\n"));
  CHECK(Has(log, "p4 reconcile -d src/master_version_list.pending/...\n"));
  CHECK(Has(log, "p4 submit -d Numbers for pending revisions\n"));
}

TEST_CASE("perforce page: the SVN hook", "[pages][without_git]") {
  const Server server;
  server.Submit("7", {{"SR_BOSS", 4}});
  CHECK(server.Shell("pre-commit REPO 7").status == 0);
  server.Submit("7", {{"SR_BOSS", 2}});
  const auto taken = server.Shell("pre-commit REPO 7");
  CHECK(taken.status == 1);
  CHECK(Has(taken.err, "error[RV001]: SR_BOSS takes 2"));
}
