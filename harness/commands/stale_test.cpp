// Two branches each pass the checks, and are then merged. Tests the reports of `revctl check` and
// the harness after the merge, with real repositories and a server that checks each push.
#include "harness/testing/meeting_test.h"

namespace revctl::harness::test {

TEST_CASE("stale: branches that share a type must be refreshed", "[harness][commands][stale]") {
  const Meeting team;
  std::string
      anns = "SR_ITEM",
      bobs = "SR_HERO",
      types = "SR_ITEM has landed since they were recorded and changes Item, which they contain";
  SECTION("the first landed revision changes an inner type") {}
  SECTION("the second landed revision changes an inner type") {
    std::swap(anns, bobs);
    types = "SR_HERO has landed since they were recorded and changes Hero, which they contain";
  }
  SECTION("the first adds a root type that contains a type changed by the second") {
    anns = "SR_STALL";
    bobs = "SR_ITEM";
    types =
        "SR_STALL has landed since they were recorded and has goldens that contain Item, which "
        "SR_ITEM changes";
  }
  const std::string said = "the goldens of " + bobs + " are stale: ";
  team.Meet(anns, bobs);
  CHECK_THAT(team.renumber_said, Catch::Contains("golden/" + bobs + ".yaml: error[RV028]: "));
  const std::string list = Bytes(team.folder.path() + "/bob/src/master_version_list.h");
  CHECK_THAT(list, Catch::Contains(anns + " = 3") && Catch::Contains(bobs));

  const Ran gate = team.Revctl("bob", "check");
  CHECK(gate.exit == 1);
  CHECK_THAT(gate.out, Catch::Contains("golden/" + bobs + ".yaml: error[RV028]: ") &&
                           Catch::Contains("record --refresh-pending"));
  CHECK(Count(gate.out, "error[") == 1);
  const Ran status = team.Revctl("bob", "status");
  CHECK_THAT(status.out, Catch::Contains("cannot land: " + said));
  const Ran refused = team.Push("bob");
  CHECK(refused.exit != 0);
  CHECK_THAT(refused.err, Catch::Contains("RV028"));

  // The harness must report the stale goldens once, without their consequences.
  const Ran check = team.Harness("bob", "check");
  INFO(check.out << check.err);
  CHECK(check.exit == 1);
  CHECK_THAT(check.out, Catch::Contains("golden/" + bobs + ".yaml: error[GH009]: ") &&
                            Catch::Contains("--refresh"));
  CHECK(Count(check.out, "error[") == 1);
  CHECK(Count(check.out, "note[") + Count(check.out, "warning[") == 0);
  // The harness must report upgrade code that the merge lost as a separate finding.
  const Ran lost = team.Harness("bob", "check", "LOST=1");
  INFO(lost.out << lost.err);
  CHECK(Count(lost.out, "error[") == 2);
  CHECK_THAT(lost.out, Catch::Contains("error[GH004]: Hero.luck"));
  // Without --refresh, `record` writes nothing.
  CHECK(team.Harness("bob", "record").exit == 1);
  // `record` must reject a refresh that would hide the loss.
  const std::string stale = Bytes(team.folder.path() + "/bob/golden/" + bobs + ".yaml");
  const Ran hiding = team.Harness("bob", "record --refresh-pending", "LOST=1");
  INFO(hiding.out << hiding.err);
  CHECK(hiding.exit == 1);
  CHECK_THAT(hiding.out, Catch::Contains("error[GH004]: Hero.luck"));
  CHECK_THAT(hiding.err, Catch::Contains("nothing was refreshed") &&
                             Catch::Contains("record --refresh " + bobs + "\n"));
  CHECK(Bytes(team.folder.path() + "/bob/golden/" + bobs + ".yaml") == stale);

  team.Record("bob", " --refresh-pending");
  team.Commit("bob", "refreshed");
  const Ran green = team.Harness("bob", "check");
  INFO(green.out << green.err);
  CHECK(green.exit == 0);
  CHECK(team.Revctl("bob", "check").exit == 0);
  CHECK_THAT(team.Revctl("bob", "status").out, Catch::Contains("can land"));
  CHECK(team.Push("bob").exit == 0);
  CHECK(team.Harness("bob", "check", "LOST=1").exit == 1);
}

TEST_CASE("stale: unrelated goldens stay, and the target passes", "[harness][commands][stale]") {
  const Meeting team;
  team.Meet("SR_ITEM", "SR_SONG");
  CHECK_THAT(team.renumber_said, !Catch::Contains("refresh"));
  const std::string list = Bytes(team.folder.path() + "/bob/src/master_version_list.h");
  CHECK_THAT(list, Catch::Contains("SR_SONG = 4"));
  const std::string record = Bytes(team.folder.path() + "/bob/golden/SR_SONG.yaml");
  CHECK_THAT(record, Catch::Contains("number: 3\n") && Catch::Contains("previous: SR_LUCK\n"));
  CHECK_THAT(team.Revctl("bob", "status").out, Catch::Contains("can land"));
  const Ran gate = team.Revctl("bob", "check");
  INFO(gate.out << gate.err);
  CHECK(gate.exit == 0);
  CHECK_THAT(gate.out, !Catch::Contains("RV028"));
  const auto green = [&] {
    const Ran check = team.Harness("bob", "check");
    INFO(check.out << check.err);
    return check.exit == 0 && check.out.empty();
  };
  CHECK(green());
  CHECK(team.Push("bob").exit == 0);
  CHECK(green());
  CHECK(Bytes(team.folder.path() + "/bob/golden/SR_SONG.yaml") == record);

  // The next record must contain only its own changes, and no changes caused by the moved number of
  // another revision.
  team.Work("bob", "SR_HERO", 5);
  const std::string next = Bytes(team.folder.path() + "/bob/golden/SR_HERO.yaml");
  CHECK_THAT(next, Catch::Contains("previous: SR_SONG\n") && Catch::Contains("type: Hero") &&
                       !Catch::Contains("type: Song"));
  CHECK(team.Push("bob").exit == 0);
}

TEST_CASE("renamed revision: check prints how to record its goldens", "[harness][commands]") {
  const Meeting team;
  team.Work("bob", "SR_HERO", 3);
  team.Shell("cd bob && sed -i s/SR_HERO/SR_SONG/ src/master_version_list.h");
  CHECK(team.Harness("bob", "record").exit != 0);
  const Ran gate = team.Revctl("bob", "check");
  INFO(gate.out << gate.err);
  const std::size_t at = gate.out.find("rm -f golden/SR_HERO.golden golden/SR_HERO.yaml");
  REQUIRE(at != std::string::npos);
  team.Shell("cd bob && " + gate.out.substr(at, gate.out.find(',', at) - at));
  team.Record("bob");
  team.Commit("bob", "renamed");
  CHECK(team.Harness("bob", "check").exit == 0);
  CHECK(team.Revctl("bob", "check").exit == 0);
}

TEST_CASE("stale: only goldens that landed stale may be replaced", "[harness][commands][stale]") {
  const Meeting team;
  team.Meet("SR_ITEM", "SR_HERO");
  // Without the server's check, the stale goldens land, and the target fails its own check.
  const auto hook = [&](const std::string& from, const std::string& to) {
    team.Shell("mv server/hooks/" + from + " server/hooks/" + to);
  };
  hook("pre-receive", "off");
  REQUIRE(team.Push("bob").exit == 0);
  hook("off", "pre-receive");
  CHECK(team.Harness("bob", "check").exit == 1);
  // SR_ITEM's record is not stale, so it must not be refreshed.
  const Ran refused = team.Harness("bob", "record --refresh SR_ITEM --refresh SR_HERO");
  CHECK(refused.exit == 1);
  CHECK_THAT(refused.err, Catch::Contains("SR_ITEM has landed"));

  team.Record("bob", " --refresh SR_HERO");
  team.Commit("bob", "recorded again");
  const Ran green = team.Harness("bob", "check");
  INFO(green.out << green.err);
  CHECK(green.exit == 0);
  const Ran gate = team.Revctl("bob", "check");
  INFO(gate.out << gate.err);
  CHECK(gate.exit == 0);
  CHECK_THAT(
      gate.out,
      Catch::Contains(
          "warning[RV019]: the goldens of SR_HERO are "
          "recorded again, which is allowed once, because they landed stale: SR_ITEM has landed "));
  CHECK(team.Push("bob").exit == 0);
  CHECK(team.Harness("bob", "record --refresh SR_HERO").exit == 1);
}

TEST_CASE("stale: refreshing a landed record replaces its additions",
          "[harness][commands][stale]") {
  const Meeting team;
  team.Work("ann", "SR_ITEM", 3);
  REQUIRE(team.Push("ann").exit == 0);
  team.Work("bob", "SR_HERO", 3);
  REQUIRE(team.Harness("bob", "record", "EXTRA=1").exit == 0);
  team.Commit("bob", "one more");
  team.Shell(
      "cd bob && git fetch -q && git merge -q -m merge origin/main && mv "
      "../server/hooks/pre-receive ../server/hooks/off");
  REQUIRE(team.Push("bob").exit == 0);
  team.Shell("mv server/hooks/off server/hooks/pre-receive");
  CHECK(team.Shell("ls bob/golden | grep -c '^SR_HERO+.*yaml'").out == "1\n");
  const Ran anew = team.Harness("bob", "record --refresh SR_HERO", "EXTRA=1");
  INFO(anew.out << anew.err);
  CHECK(anew.exit == 0);
  CHECK(team.Shell("ls bob/golden | grep -c '^SR_HERO+' || :").out == "0\n");
  team.Commit("bob", "recorded again");
  const Ran green = team.Harness("bob", "check", "EXTRA=1"), gate = team.Revctl("bob", "check");
  INFO(green.out << green.err << gate.out << gate.err);
  CHECK(green.exit == 0);
  CHECK(gate.exit == 0);
  CHECK(team.Push("bob").exit == 0);
}

TEST_CASE("stale: a refresh leaves unrelated later records", "[harness][commands][stale]") {
  const Meeting team;
  team.Work("ann", "SR_ITEM", 3);
  REQUIRE(team.Push("ann").exit == 0);
  team.Work("bob", "SR_HERO", 3);
  std::string on_top = "SR_SONG", refresh = " --refresh SR_HERO";
  SECTION("a record of another root type") {}
  SECTION("a record that is stale, too") {
    on_top = "SR_STALL";
    refresh += " --refresh SR_STALL";
  }
  team.Work("bob", on_top, 4);
  team.Shell(
      "cd bob && git fetch -q && git merge -q -m merge origin/main && mv "
      "../server/hooks/pre-receive ../server/hooks/off");
  REQUIRE(team.Push("bob").exit == 0);
  team.Shell("mv server/hooks/off server/hooks/pre-receive");
  const std::string path = team.folder.path() + "/bob/golden/" + on_top + ".yaml";
  const std::string before = Bytes(path);
  const Ran red = team.Harness("bob", "check");
  INFO(red.out << red.err);
  CHECK(red.exit == 1);
  team.Record("bob", refresh);
  CHECK((Bytes(path) == before) == (on_top == "SR_SONG"));
  team.Commit("bob", "recorded again");
  const Ran green = team.Harness("bob", "check"), gate = team.Revctl("bob", "check");
  INFO(green.out << green.err << gate.out << gate.err);
  CHECK(green.exit == 0);
  CHECK(gate.exit == 0);
  CHECK(Count(gate.out, "warning[RV019]") == (on_top == "SR_SONG" ? 1 : 2));
  CHECK(team.Push("bob").exit == 0);
}

}  // namespace revctl::harness::test
