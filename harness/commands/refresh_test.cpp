// record --refresh-pending must record a branch's goldens again at their new place in the list, and
// keep their values.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <set>

#include <revctl/serialize.h>

#include "harness/commands/command.h"
#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1 };
}  // namespace

// A branch adds luck and removes it again, with upgrade code. ann's branch lands first.
namespace initial {
struct Hero {
  std::uint32_t hp = 1;
};
SERIALIZE_TYPE(Hero) { ADD(SR_INITIAL, hp); }
SERIALIZE_END
struct Item {
  std::uint32_t price = 1;
};
SERIALIZE_TYPE(Item) { ADD(SR_INITIAL, price); }
SERIALIZE_END
}  // namespace initial
namespace luck {
enum Rev { SR_LUCK = 2 };
struct Hero {
  std::uint32_t hp = 1;
  std::uint16_t luck = 5;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_LUCK, luck);
}
SERIALIZE_END
}  // namespace luck
namespace no_luck {
enum Rev { SR_LUCK = 2, SR_NO_LUCK = 3 };
struct Hero {
  std::uint32_t hp = 1;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  REM(SR_LUCK, SR_NO_LUCK, std::uint16_t, luck, 5);
  if (r.IsReading() && r.revision >= SR_LUCK && r.revision < SR_NO_LUCK) d.hp += luck;
}
SERIALIZE_END
}  // namespace no_luck
namespace ann {
enum Rev { SR_ANN = 2 };
struct Hero {
  std::uint32_t hp = 1;
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, name);
}
SERIALIZE_END
}  // namespace ann
namespace merged {
enum Rev { SR_ANN = 2, SR_LUCK = 3, SR_NO_LUCK = 4 };
struct Hero {
  std::uint32_t hp = 1;
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, name);
  REM(SR_LUCK, SR_NO_LUCK, std::uint16_t, luck, 5);
  if (r.IsReading() && r.revision >= SR_LUCK && r.revision < SR_NO_LUCK) d.hp += luck;
}
SERIALIZE_END
}  // namespace merged
// The merged code with a different name for the REM's local variable.
namespace merged_local {
enum Rev { SR_ANN = 2, SR_LUCK = 3, SR_NO_LUCK = 4 };
struct Hero {
  std::uint32_t hp = 1;
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, name);
  REM(SR_LUCK, SR_NO_LUCK, std::uint16_t, fortune, 5);
  if (r.IsReading() && r.revision >= SR_LUCK && r.revision < SR_NO_LUCK) d.hp += fortune;
}
SERIALIZE_END
}  // namespace merged_local
namespace mutant {
enum Rev { SR_ANN = 2, SR_LUCK = 3, SR_NO_LUCK = 4 };
struct Hero {
  std::uint32_t hp = 1;
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, name);
  REM(SR_LUCK, SR_NO_LUCK, std::uint16_t, luck, 5);
  if (r.IsReading() && r.revision >= SR_LUCK && r.revision < SR_NO_LUCK) d.hp += 5;
}
SERIALIZE_END
}  // namespace mutant
namespace ann {
struct Item {
  std::uint32_t price = 1, weight = 2;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, price);
  ADD(SR_ANN, weight);
}
SERIALIZE_END
}  // namespace ann
// luck::Hero after the merge, which puts SR_LUCK after SR_ANN.
namespace moved {
enum Rev { SR_LUCK = 3 };
struct Hero {
  std::uint32_t hp = 1;
  std::uint16_t luck = 5;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_LUCK, luck);
}
SERIALIZE_END
}  // namespace moved
// ann's revision, which lands first, removes hp.
namespace ann_removes {
enum Rev { SR_ANN = 2 };
struct Hero {
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  REM(SR_INITIAL, SR_ANN, std::uint32_t, hp, 1);
  ADD(SR_ANN, name);
}
SERIALIZE_END
}  // namespace ann_removes
namespace merged_without {
enum Rev { SR_ANN = 2, SR_LUCK = 3 };
struct Hero {
  std::string name;
  std::int8_t luck = 5;
};
SERIALIZE_TYPE(Hero) {
  REM(SR_INITIAL, SR_ANN, std::uint32_t, hp, 1);
  ADD(SR_ANN, name);
  ADD(SR_LUCK, luck);
}
SERIALIZE_END
}  // namespace merged_without

NAMED(initial::Hero, "Hero");
NAMED(initial::Item, "Item");
NAMED(luck::Hero, "Hero");
NAMED(no_luck::Hero, "Hero");
NAMED(ann::Hero, "Hero");
NAMED(ann::Item, "Item");
NAMED(moved::Hero, "Hero");
NAMED(merged::Hero, "Hero");
NAMED(merged_local::Hero, "Hero");
NAMED(mutant::Hero, "Hero");
NAMED(ann_removes::Hero, "Hero");
NAMED(merged_without::Hero, "Hero");

namespace revctl::harness::test {
namespace {

const revctl::ListEntry kLuck2{"SR_LUCK", 2, 0x22}, kNoLuck3{"SR_NO_LUCK", 3, 0x33};
const revctl::ListEntry kAnn{"SR_ANN", 2, 0x44}, kLuck3{"SR_LUCK", 3, 0x55},
    kNoLuck4{"SR_NO_LUCK", 4, 0x66};

Program With(std::vector<revctl::ListEntry> entries) {
  Program program(1);
  program.entries.insert(program.entries.end(), entries.begin(), entries.end());
  return program;
}

/// Redirects this process's stderr to a file while the object exists.
class Stderr {
 public:
  explicit Stderr(const std::string& file) : file_(file) {
    std::fflush(stderr);
    const int to = ::open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(to, 2);
    ::close(to);
  }
  std::string Take() {
    std::fflush(stderr);
    ::dup2(saved_, 2);
    return Bytes(file_);
  }
  ~Stderr() {
    ::dup2(saved_, 2);
    ::close(saved_);
  }

 private:
  std::string file_;
  int saved_ = ::dup(2);
};

/// A team's repository. One branch recorded two revisions before a revision of another branch
/// landed.
struct Team {
  Folder folder;
  std::string golden = folder.path() + "/golden";

  void Record(const Program& program) const {
    const revctl::ListTable list = program.List();
    Session session = Of(program, list);
    REQUIRE(Refresh(session, {}) == Exit::Fine);
  }
  Session Of(const Program& program, const revctl::ListTable& list) const {
    Session session;
    session.registry = program.registry;
    session.list = &list;
    session.program = "save_harness";
    session.golden = golden;
    session.quiet = true;
    return session;
  }
  /// Runs `record` and stores its stderr in `said`.
  Exit Refresh(const Session& session, RecordArguments arguments,
               std::string* said = nullptr) const {
    arguments.allow_ci = true;
    Stderr talk(folder.path() + "/talk");
    const Exit exit = RunRecord(session, arguments);
    const std::string text = talk.Take();
    if (said != nullptr) *said = text;
    INFO(text);
    CHECK((said != nullptr || exit == Exit::Fine));
    return exit;
  }
  Exit RefreshPending(const Program& program, std::string* said = nullptr) const {
    const revctl::ListTable list = program.List();
    RecordArguments arguments;
    arguments.refresh_pending = true;
    return Refresh(Of(program, list), arguments, said);
  }
  void Land() const {
    const Ran landed =
        Run(folder, kGit + "init -q . && " + kGit + "add golden && " + kGit +
                        "commit -qm all && git update-ref refs/remotes/origin/main HEAD");
    INFO(landed.err);
    REQUIRE(landed.exit == 0);
  }
  void Aside(const std::string& names) const {
    REQUIRE(Run(folder, "mkdir -p aside && mv " + names + " aside").exit == 0);
  }
  void Back() const { REQUIRE(Run(folder, "mv aside/* golden").exit == 0); }
  const revctl::golden::RevisionRecord& Stored(const std::string& revision) {
    store = revctl::golden::Store::Open(golden);
    REQUIRE(store.Find(revision) != nullptr);
    return store.Find(revision)->record;
  }
  CheckResult Check(const Program& program) const {
    CheckOptions options;
    options.program = "save_harness";
    return revctl::harness::Check(program.registry, program.List(),
                                  revctl::golden::Store::Open(golden), options);
  }
  revctl::golden::Store store = revctl::golden::Store::Open("");
};

/// Returns the values at a path in a record's goldens, by the goldens' names.
std::map<std::string, std::string> ValuesAt(const revctl::golden::RevisionRecord& record,
                                            const std::string& path) {
  std::map<std::string, std::string> values;
  for (const revctl::golden::Case& item : record.cases) {
    for (const revctl::golden::Leaf& leaf : item.values) {
      if (leaf.path == path) values[item.name] = leaf.text;
    }
  }
  return values;
}

std::size_t Upgraded(const revctl::golden::RevisionRecord& record, const std::string& of) {
  std::size_t count = 0;
  for (const revctl::golden::Upgrade& upgrade : record.upgrades) {
    for (const std::string& id : upgrade.cases) count += id.starts_with(of + "/");
  }
  return count;
}

/// Records SR_LUCK and SR_NO_LUCK before SR_ANN lands.
void TwoBranches(const Team& team) {
  team.Record(With({}).Type<initial::Hero>());
  team.Record(With({kLuck2}).Type<luck::Hero>());
  team.Record(With({kLuck2, kNoLuck3}).Type<no_luck::Hero>());
  team.Aside("golden/SR_LUCK.* golden/SR_NO_LUCK.*");
  team.Record(With({kAnn}).Type<ann::Hero>());
  team.Land();
  team.Back();
}

}  // namespace

TEST_CASE("record --refresh-pending: goldens keep all their values",
          "[harness][commands][refresh]") {
  Team team;
  TwoBranches(team);
  const auto luck = ValuesAt(team.Stored("SR_LUCK"), "luck"),
             hp = ValuesAt(team.Stored("SR_LUCK"), "hp");
  const std::size_t upgraded = Upgraded(team.Stored("SR_NO_LUCK"), "SR_LUCK");
  REQUIRE(luck.size() >= 4);
  REQUIRE(upgraded == luck.size());
  const Program merged = With({kAnn, kLuck3, kNoLuck4}).Type<merged::Hero>();
  CHECK(team.Check(merged).errors);
  REQUIRE(team.RefreshPending(merged) == Exit::Fine);

  const revctl::golden::RevisionRecord& record = team.Stored("SR_LUCK");
  CHECK(record.number == 3);
  CHECK(record.previous == "SR_ANN");
  const auto luck_now = ValuesAt(record, "luck"), hp_now = ValuesAt(record, "hp");
  for (const auto& [name, value] : luck) CHECK(luck_now.at(name) == value);
  for (const auto& [name, value] : hp) CHECK(hp_now.at(name) == value);
  // The record must have made-up values for ann's new field in the kept goldens, and additional
  // samples.
  const auto names = ValuesAt(record, "name");
  CHECK(names.at("auto-1").size() > 2);
  CHECK(names.size() > luck.size());
  CHECK(Upgraded(team.Stored("SR_NO_LUCK"), "SR_LUCK") == upgraded);
  const CheckResult fine = team.Check(merged);
  INFO(Text(fine));
  CHECK_FALSE(fine.errors);
  CHECK_THAT(Text(fine), !Catch::Contains("written by the current code"));

  const CheckResult caught = team.Check(With({kAnn, kLuck3, kNoLuck4}).Type<mutant::Hero>());
  CHECK(Find(caught, "GH004", "Hero", "hp").severity == Severity::Error);

  const std::string before = Bytes(team.golden + "/SR_LUCK.yaml");
  REQUIRE(team.RefreshPending(merged) == Exit::Fine);
  CHECK(Bytes(team.golden + "/SR_LUCK.yaml") == before);
}

TEST_CASE("record --refresh-pending: keeps values of a renamed local",
          "[harness][commands][refresh]") {
  Team team;
  TwoBranches(team);
  const auto luck = ValuesAt(team.Stored("SR_LUCK"), "luck");
  REQUIRE(luck.size() >= 4);
  const Program merged = With({kAnn, kLuck3, kNoLuck4}).Type<merged_local::Hero>();
  std::string said;
  REQUIRE(team.RefreshPending(merged, &said) == Exit::Fine);
  CHECK_THAT(said, !Catch::Contains("not kept"));
  const auto luck_now = ValuesAt(team.Stored("SR_LUCK"), "fortune");
  for (const auto& [name, value] : luck) CHECK(luck_now.at(name) == value);
  const CheckResult fine = team.Check(merged);
  INFO(Text(fine));
  CHECK_FALSE(fine.errors);
}

TEST_CASE("record: several revisions at once keep removed fields", "[harness][commands][refresh]") {
  Team team;
  team.Record(With({}).Type<initial::Hero>());
  const Program both = With({kLuck2, kNoLuck3}).Type<no_luck::Hero>();
  team.Record(both);
  // `luck` is only a local variable now, so the visit makes up its values.
  std::set<std::string> values;
  for (const auto& [name, value] : ValuesAt(team.Stored("SR_LUCK"), "luck")) values.insert(value);
  CHECK(values.size() > 2);
  const CheckResult fine = team.Check(both);
  INFO(Text(fine));
  CHECK_FALSE(fine.errors);
  CHECK_THAT(Text(fine), !Catch::Contains("written by the current code"));
}

TEST_CASE("record --refresh-pending: merges additions into the record",
          "[harness][commands][refresh]") {
  Team team;
  team.Record(With({}).Type<initial::Hero>());
  team.Record(With({kLuck2}).Type<luck::Hero>());
  const auto rich = [](void* hero) { static_cast<luck::Hero*>(hero)->luck = 777; };
  team.Record(With({kLuck2}).Type<luck::Hero>().Sample("rich", rich));
  REQUIRE(Listing(team.folder).size() == 6);  // includes SR_LUCK+HASH, an addition
  team.Record(With({kLuck2, kNoLuck3}).Type<no_luck::Hero>());
  const std::size_t upgraded = Upgraded(team.Stored("SR_NO_LUCK"), "SR_LUCK");
  const Ran moved = Run(team.folder, "mkdir aside && mv golden/SR_*LUCK* aside");
  REQUIRE(moved.exit == 0);
  team.Record(With({kAnn}).Type<ann::Hero>());
  team.Land();
  team.Back();
  const Program merged = With({kAnn, kLuck3, kNoLuck4}).Type<merged::Hero>();
  REQUIRE(team.RefreshPending(merged) == Exit::Fine);
  CHECK(ValuesAt(team.Stored("SR_LUCK"), "luck").at("rich") == "777");
  CHECK(Upgraded(team.Stored("SR_NO_LUCK"), "SR_LUCK") >= upgraded);
  for (const std::string& name : Listing(team.folder)) CHECK(name.find("LUCK+") == name.npos);
  CHECK_FALSE(team.Check(merged).errors);
}

TEST_CASE("record --refresh-pending: keeps goldens of unrelated types",
          "[harness][commands][refresh]") {
  Team team;
  team.Record(With({}).Type<initial::Hero>().Type<initial::Item>());
  team.Record(With({kLuck2}).Type<luck::Hero>().Type<initial::Item>());
  team.Aside("golden/SR_LUCK.*");
  team.Record(With({kAnn}).Type<initial::Hero>().Type<ann::Item>());
  team.Land();
  team.Back();
  const std::string before = Bytes(team.golden + "/SR_LUCK.yaml");
  const Program merged = With({kAnn, kLuck3}).Type<moved::Hero>().Type<ann::Item>();
  CHECK_FALSE(team.Check(merged).errors);
  REQUIRE(team.RefreshPending(merged) == Exit::Fine);
  CHECK(Bytes(team.golden + "/SR_LUCK.yaml") == before);
}

TEST_CASE("record --refresh-pending: reports values that no longer fit",
          "[harness][commands][refresh]") {
  Team team;
  team.Record(With({}).Type<initial::Hero>());
  team.Record(With({kLuck2}).Type<luck::Hero>());
  team.Aside("golden/SR_LUCK.*");
  team.Record(With({kAnn}).Type<ann_removes::Hero>());
  team.Land();
  team.Back();
  std::string said;
  const Program merged = With({kAnn, kLuck3}).Type<merged_without::Hero>();
  REQUIRE(team.RefreshPending(merged, &said) == Exit::Fine);
  CHECK_THAT(said, Catch::Contains("SR_LUCK: Hero.hp: these values were not kept, because the "
                                   "current code does not visit the field: auto-1 had ") &&
                       Catch::Contains("Hero.luck: these values were not kept, because the current "
                                       "code reads them differently: auto-1 had "));
  CHECK_FALSE(team.Check(merged).errors);
}

TEST_CASE("record --refresh-pending: fails rather than lose values",
          "[harness][commands][refresh]") {
  Team team;
  std::string said;
  TwoBranches(team);
  const Program late = With({kLuck2, {"SR_ANN", 3, 0x44}, kNoLuck4}).Type<merged::Hero>();
  CHECK(team.RefreshPending(late, &said) == Exit::Findings);
  CHECK_THAT(said, Catch::Contains("SR_ANN has landed, but comes after SR_LUCK") &&
                       Catch::Contains("fix: revctl fix"));
  const Program merged = With({kAnn, kLuck3, kNoLuck4}).Type<merged::Hero>();
  REQUIRE(Run(team.folder,
              "cp golden/SR_LUCK.yaml aside && sed -i '3i <<<<<<< HEAD' "
              "golden/SR_LUCK.yaml")
              .exit == 0);
  CHECK(team.RefreshPending(merged, &said) == Exit::Findings);
  CHECK_THAT(said, Catch::Contains("so the values of its goldens cannot be kept") &&
                       Catch::Contains("fix: git checkout -- "));
  team.Back();
  REQUIRE(Run(team.folder, "git update-ref -d refs/remotes/origin/main").exit == 0);
  CHECK(team.RefreshPending(merged, &said) == Exit::Environment);
  CHECK_THAT(said, Catch::Contains(
                       "there is no branch origin/main, so the landed revisions are unknown") &&
                       Catch::Contains("fix: git fetch origin"));
}

}  // namespace revctl::harness::test
