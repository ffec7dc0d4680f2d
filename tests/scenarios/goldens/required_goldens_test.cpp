// Tests which goldens a change must contain, and which goldens it must not modify.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("goldens: becoming executable is not an edit", "[goldens]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "recorded\n");
  team.Land("ann");
  namespace fs = std::filesystem;
  fs::permissions(team.sandbox.Path("ann/golden/SR_FOULS.yaml"), fs::perms::owner_all);
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).out, "RV019"));
  team.sandbox.CommitAll("ann", "executable");
  CHECK_FALSE(Has(team.Revctl("ann", {"check", "--head", "HEAD"}).out, "RV019"));
  // Replacing the record with a symbolic link counts as an edit.
  fs::remove(team.sandbox.Path("ann/golden/SR_FOULS.yaml"));
  fs::create_symlink("../src", team.sandbox.Path("ann/golden/SR_FOULS.yaml"));
  team.sandbox.CommitAll("ann", "link");
  CHECK(Has(team.Revctl("ann", {"check", "--head", "HEAD"}).out, "RV019"));
}

TEST_CASE("goldens: missing ones are restored from HEAD, not recorded again", "[goldens]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Write("ann/golden/SR_INITIAL.yaml", "version: 1\n");  // as if recorded by a harness
  CHECK(Has(team.Revctl("ann", {"check"}).out, "run your harness with `record`"));
  std::filesystem::remove(team.sandbox.Path("ann/golden/SR_INITIAL.yaml"));
  for (const char* file : {"SR_BOSS.yaml", "SR_BOSS.golden"})
    team.sandbox.Write("ann/golden/" + std::string(file), "x\n");
  team.sandbox.CommitAll("ann", "boss");
  const std::string before = team.sandbox.Snapshot("ann/golden");
  SECTION("the folder was removed") {
    std::filesystem::remove_all(team.sandbox.Path("ann/golden"));
  }
  SECTION("removed with git") { team.sandbox.Git("ann", {"rm", "-q", "golden/SR_BOSS.yaml"}); }
  const auto said = team.Revctl("ann", {"check"});
  INFO(said.out);
  CHECK(Has(said.out, "error[RV020]: the goldens of SR_BOSS are missing, but HEAD has them"));
  CHECK_FALSE(Has(said.out, "`record`"));
  const std::size_t begin = said.out.find("git restore");
  REQUIRE(begin != std::string::npos);
  const std::string command = said.out.substr(begin, said.out.find('\n', begin) - begin);
  REQUIRE(team.sandbox.Run("ann", {"sh", "-c", command}).status == 0);
  CHECK(team.sandbox.Snapshot("ann/golden") == before);
  CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
}

namespace {

/// Returns a record with one large golden, stored in a 12-byte file.
std::string WithLarge(const std::string& revision) {
  return "version: 1\nrevision: " + revision +
         "\nnumber: 6\nlineage: \"0000000000000000\"\nrecorded:\n  by: import\n  code: " +
         revision +
         "\n  compiler: \"g++\"\n  revctl: 0.1.0\n  seed: 1\ntypes: []\nenums: []\ncases: []\n"
         "large:\n  - type: World\n    name: \"boss fight\"\n    size: 3000000\n"
         "    hash: \"0123456789abcdef\"\n    stored: 12\n    sha256: \"" +
         std::string(64, 'a') + "\"\n    values:\n      title: \"x\"\nupgrades: []\n";
}

std::string Pointer(char digit, int size) {
  return "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, digit) +
         "\nsize " + std::to_string(size) + "\n";
}

}  // namespace

TEST_CASE("goldens: a large golden is a file or a Git LFS pointer to it", "[goldens][large]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Write("ann/golden/SR_BOSS.yaml", WithLarge("SR_BOSS"));
  const std::string file = "golden/SR_BOSS.large/boss-fight+0123456789abcdef.payload";
  const auto check = [&] {
    const std::string work_tree = team.Revctl("ann", {"check"}).out;
    team.sandbox.CommitAll("ann", "boss");
    const std::string commit = team.Revctl("ann", {"check", "--head", "HEAD"}).out;
    CHECK(Has(work_tree, "RV020") == Has(commit, "RV020"));
    return work_tree;
  };
  CHECK(Has(check(), file + ": error[RV020]: the goldens of SR_BOSS are broken: is missing; it "
                            "should contain the payload of the golden boss fight"));
  const auto with = [&](const std::string& bytes) {
    team.sandbox.Write("ann/" + file, bytes);
    return check();
  };
  CHECK_FALSE(Has(with("twelve bytes"), "RV020"));
  CHECK(Has(with("thirteen byte"), "has 13 bytes, but the record says 12"));
  CHECK(Has(with(std::string(5000, 'x')), "has 5000 bytes, but the record says 12"));
  CHECK(Has(with(Pointer('b', 12)),
            "a Git LFS pointer, but not to the payload of the golden boss fight"));
  CHECK(Has(with(Pointer('a', 13)), "a Git LFS pointer, but not to the payload"));
  CHECK_FALSE(Has(with(Pointer('a', 12)), "RV020"));
}

TEST_CASE("goldens: attributes must not change a large golden", "[goldens][large]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "recorded\n");
  const std::string folder = "golden/SR_FOULS.large/",
                    file = folder + "boss-fight+0123456789abcdef.payload";
  team.sandbox.Write("ann/" + file, "landed");
  team.Land("ann");
  const auto check = [&](const std::string& where, const std::string& attributes) {
    team.sandbox.Write("ann/" + where + ".gitattributes", attributes);
    std::string said = team.Revctl("ann", {"check"}).out;
    return Has(said, "so the checked-out file may differ from the commit") ? said : "";
  };
  for (const char* attack :
       {"*.payload text\n", "*.payload eol=crlf\n", "* text=auto\n", "* text\n",
        "*.large/* filter=x\n", "*.payload working-tree-encoding=UTF-16\n", "*.payload ident\n"}) {
    INFO(attack);
    CHECK(Has(check("golden/", attack), file + ": error[RV019]: .gitattributes sets "));
  }
  for (const char* sound : {"*.payload binary\n", "* text=auto\n*.payload -text\n", "*.yaml text\n",
                            "* text eol=lf\n", "*.payload filter=lfs diff=lfs merge=lfs -text\n"}) {
    INFO(sound);
    CHECK(check("golden/", sound).empty());
  }
  // The printed fix works, even if the attributes are in the file's own folder.
  for (const std::string& where : {std::string("golden/"), folder}) {
    const std::string said = check(where, "* text eol=crlf");
    const std::size_t at = said.find("fix: printf");
    REQUIRE(at != said.npos);
    const std::string fix = said.substr(at + 5, said.find('\n', at) - at - 5);
    CHECK(Has(fix, where + ".gitattributes"));
    REQUIRE(team.sandbox.Run("ann", {"sh", "-c", fix}).status == 0);
    CHECK_FALSE(Has(team.Revctl("ann", {"check"}).out,
                    "so the checked-out file may differ from the commit"));
  }
}

TEST_CASE("goldens: a landed large golden must not change", "[goldens][large]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "recorded\n");
  const std::string file = "golden/SR_FOULS.large/boss-fight+0123456789abcdef.payload";
  team.sandbox.Write("ann/" + file, "landed");
  team.Land("ann");
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).out, "RV019"));
  // The pointer has landed, and the work tree contains the file itself, as checked out by Git LFS.
  const std::string sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  team.sandbox.Write(
      "ann/golden/SR_FOULS.large/abc+0123456789abcdef.payload",
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + sha256 + "\nsize 3\n");
  team.Land("ann");
  team.sandbox.Write("ann/golden/SR_FOULS.large/abc+0123456789abcdef.payload", "abc");
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).out, "RV019"));
  team.sandbox.Write("ann/golden/SR_FOULS.large/abc+0123456789abcdef.payload", "abd");
  CHECK(Has(team.Revctl("ann", {"check"}).out, "error[RV019]"));
  team.sandbox.Write("ann/golden/SR_FOULS.large/abc+0123456789abcdef.payload", "abc");
  team.sandbox.Write("ann/" + file, "edited");
  CHECK(Has(team.Revctl("ann", {"check"}).out,
            file + ": error[RV019]: the golden of the landed SR_FOULS was edited"));
  team.sandbox.Git("ann", {"rm", "-q", "-f", file});
  CHECK(Has(team.Revctl("ann", {"check"}).out,
            file + ": error[RV019]: the golden of the landed SR_FOULS was removed"));
}

TEST_CASE("goldens: a renamed revision's old goldens must be removed", "[goldens]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  for (const char* file : {"SR_BOSS.yaml", "SR_BOSS.golden"})
    team.sandbox.Write("ann/golden/" + std::string(file), "x\n");
  if (GENERATE(false, true)) team.sandbox.CommitAll("ann", "boss");
  std::string list = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     list.replace(list.find("SR_BOSS"), 7, "SR_CHIEF"));
  const std::string fix =
      "fix: rm -f golden/SR_BOSS.golden golden/SR_BOSS.yaml, run your harness with `record`, and "
      "commit golden\n";
  const auto has = [&](const std::vector<std::string>& arguments) {
    const auto said = team.Revctl("ann", arguments);
    INFO(said.out << said.err);
    CHECK(Has(said.out, fix));
  };
  has({"check"});
  team.sandbox.CommitAll("ann", "renamed");
  has({"check", "--head", "HEAD"});
}

TEST_CASE("goldens: a `goldens` command without a golden folder is reported", "[goldens]") {
  Team team;
  const std::string land = "land: {goldens: sh record}\n",
                    wrong = "`land` has a `goldens` command, but no list has a `golden` folder";
  team.sandbox.Write("ann/.revctl.yaml", Team::kConfig + land);
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "missing  goldens: " + wrong));
  CHECK(Has(team.Revctl("ann", {"check"}).err, wrong));
  team.sandbox.Write(
      "ann/.revctl.yaml",
      "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n" + land);
  CHECK_FALSE(Has(team.Revctl("ann", {"doctor"}).out, "goldens: "));
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).err, wrong));
}

TEST_CASE("check: goldens are required once a harness has recorded any", "[check]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(Check(team, "ann").empty());
  // Once any golden has been recorded, even for a different revision, goldens are required.
  team.sandbox.Write("ann/golden/SR_FOULS.yaml",
                     "version: 1\nrevision: SR_FOULS\nnumber: 2\nlineage: \"0123456789abcdef\"\n"
                     "previous: SR_INITIAL\nrecorded: {by: record, code: SR_FOULS, compiler: g++, "
                     "revctl: 0.1.0, seed: 1}\ntypes: []\nenums: []\ncases: []\nupgrades: []\n");
  CHECK(Check(team, "ann") == "RV020");
}

TEST_CASE("check: landed goldens must stay, and pending revisions need goldens", "[check]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "as recorded\n");
  team.sandbox.Write("ann/golden/SR_FOULS.golden", std::string("\0\1\2", 3));
  team.Land("ann");
  CHECK(Check(team, "ann").empty());
  SECTION("edited") {
    team.sandbox.Write("ann/golden/SR_FOULS.yaml", "as I like it\n");
    CHECK(Check(team, "ann") == "RV019");
    CHECK(team.Revctl("ann", {"check"}).out.find("golden/SR_FOULS.yaml: error[RV019]") !=
          std::string::npos);
  }
  SECTION("removed") {
    team.sandbox.Git("ann", {"rm", "-q", "golden/SR_FOULS.golden"});
    CHECK(Check(team, "ann") == "RV019");
  }
  SECTION("a pending revision without goldens, then with them") {
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    CHECK(Check(team, "ann") == "RV020");
    team.sandbox.Write("ann/golden/SR_BOSS.yaml",
                       "version: 1\nrevision: SR_BOSS\nnumber: 3\nlineage: \"0123456789abcdef\"\n"
                       "previous: SR_FOULS\nrecorded: {by: record, code: SR_BOSS, compiler: g++, "
                       "revctl: 0.1.0, seed: 1}\ntypes: []\nenums: []\ncases: []\nupgrades: []\n");
    CHECK(Check(team, "ann").empty());
  }
  SECTION("behind a target that has more goldens") {
    team.sandbox.Git("bob", {"pull", "-q"});
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    team.sandbox.Write("ann/golden/SR_BOSS.yaml", "recorded\n");
    team.sandbox.Write("ann/golden/SR_FOULS+0123456789abcdef.yaml", "imported\n");
    team.Land("ann");
    CHECK(Check(team, "bob", {"--fetch"}).empty());
    team.sandbox.Write("bob/golden/SR_FOULS.yaml", "edited\n");
    CHECK(Check(team, "bob") == "RV019");
  }
}
