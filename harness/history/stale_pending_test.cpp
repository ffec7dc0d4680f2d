// Two pending branches have upgrade code for the same old revision, so both record an addition to
// it. When the second branch lands, its addition must be refreshed together with its record.
#include <catch2/catch.hpp>
#include <filesystem>

#include <revctl/serialize.h>

#include "harness/history/stale_pending.h"
#include "harness/recording/record_additions.h"
#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"
#include "revctl/base/file.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_ANN = 3, SR_BOB = 4 };
}  // namespace

namespace initial {
struct Camp {
  std::int32_t hp = 0, an = 0, bo = 0;
};
SERIALIZE_TYPE(Camp) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, an);
  ADD(SR_INITIAL, bo);
}
SERIALIZE_END
}  // namespace initial
namespace anns {
struct Camp {
  std::int32_t hp = 0, an = 0, bo = 0;
};
SERIALIZE_TYPE(Camp) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, an);
  ADD(SR_INITIAL, bo);
  if (r.IsReading() && r.revision < SR_ANN) d.an = r.revision < SR_FOULS ? 1 : 2;
}
SERIALIZE_END
}  // namespace anns
namespace bobs {
enum Rev { SR_BOB = 3 };
struct Camp {
  std::int32_t hp = 0, an = 0, bo = 0;
};
SERIALIZE_TYPE(Camp) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, an);
  ADD(SR_INITIAL, bo);
  if (r.IsReading() && r.revision < SR_BOB) d.bo = r.revision < SR_FOULS ? 3 : 4;
}
SERIALIZE_END
}  // namespace bobs
namespace merged {
struct Camp {
  std::int32_t hp = 0, an = 0, bo = 0;
};
SERIALIZE_TYPE(Camp) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, an);
  ADD(SR_INITIAL, bo);
  if (r.IsReading() && r.revision < SR_ANN) d.an = r.revision < SR_FOULS ? 1 : 2;
  if (r.IsReading() && r.revision < SR_BOB) {
    d.bo = r.revision < SR_FOULS ? 3 : 4;
  }
}
SERIALIZE_END
}  // namespace merged

NAMED(initial::Camp, "Camp");
NAMED(anns::Camp, "Camp");
NAMED(bobs::Camp, "Camp");
NAMED(merged::Camp, "Camp");

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

Program With(std::vector<revctl::ListEntry> entries) {
  Program program(2);
  program.entries.insert(program.entries.end(), entries.begin(), entries.end());
  return program;
}

/// Records the pending revision and the addition to SR_FOULS that its code requires. Returns the
/// addition's name.
std::string RecordBranch(const Program& program, const Folder& folder) {
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const Recording recording = RecordInherited(program.registry, history, 1, {"Camp"}, {});
  REQUIRE_FALSE(recording.record.cases.empty());
  const auto written =
      revctl::golden::WriteAddition(folder.path(), recording.record, recording.payloads);
  REQUIRE(written.ok());
  CHECK_FALSE(program.Check(folder).errors);
  return *written;
}

std::vector<std::string> Copies(const Program& program, const Folder& folder,
                                const std::vector<std::string>& revisions) {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  return FindInheritedCopies(History(list, store), revisions, Landed(folder.path()));
}

const revctl::ListEntry kAnn{"SR_ANN", 3, 0x33};

}  // namespace

TEST_CASE("inherited copies: refreshed with the record of the branch",
          "[harness][landed][upgrade]") {
  const Folder folder, bob;
  Program(1).Type<initial::Camp>().Record(folder);
  Program(2).Type<initial::Camp>().Record(folder);
  REQUIRE(revctl::base::CopyOver(folder.path(), bob.path()).ok());
  const std::string anns = RecordBranch(With({kAnn}).Type<anns::Camp>(), folder);
  const std::string bobs = RecordBranch(With({{"SR_BOB", 3, 0x44}}).Type<bobs::Camp>(), bob);
  REQUIRE(revctl::base::CopyOver(bob.path(), folder.path()).ok());

  const Program today = With({kAnn, {"SR_BOB", 4, 0x44}}).Type<merged::Camp>();
  CHECK(Copies(today, folder, {"SR_BOB"}) == std::vector<std::string>{bobs});
  CHECK(Copies(today, folder, {"SR_ANN"}) == std::vector<std::string>{anns});
  CHECK(Copies(today, folder, {"SR_FOULS"}).empty());

  const CheckResult both = today.Check(folder);
  REQUIRE(both.findings.size() == 1);
  CHECK(findings::NameOf(both.findings[0].rule) == "GH009");
  CHECK(both.findings[0].fix == "save_harness record --refresh SR_BOB");
  // Removing Bob's record is not enough, because his code also produced the addition.
  for (const char* file : {"/SR_BOB.yaml", "/SR_BOB.golden"}) fs::remove(folder.path() + file);
  CHECK(Find(today.Check(folder), "GH004", "Camp", "an").revision == "SR_FOULS");
  REQUIRE(revctl::golden::RemoveAddition(folder.path(), bobs).ok());
  // Removing an addition that does not exist must succeed.
  REQUIRE(revctl::golden::RemoveAddition(folder.path(), bobs).ok());
  const CheckResult pending = today.Check(folder);
  INFO(Text(pending));
  // SR_BOB has no goldens now.
  CHECK(Errors(pending) == std::vector<std::string>{"GH007 ."});
  CHECK(pending.untested.empty());  // Ann's goldens already cover the files of SR_FOULS
  today.Record(folder);
  CHECK(today.Check(folder).findings.empty());
  CHECK_FALSE(revctl::golden::RemoveAddition(folder.path(), "SR_FOULS.yaml").ok());
  CHECK_FALSE(revctl::golden::RemoveAddition(folder.path(), "../" + anns).ok());
}

TEST_CASE("inherited copies: exclude additions with other goldens", "[harness][landed][upgrade]") {
  const Folder folder;
  Program(1).Type<initial::Camp>().Record(folder);
  Program(2).Type<initial::Camp>().Record(folder);
  const Program anns = With({kAnn}).Type<anns::Camp>();
  anns.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = anns.List();
  Recording recording = RecordInherited(anns.registry, History(list, store), 1, {"Camp"}, {});
  revctl::golden::Case& item = recording.record.cases.front();

  SECTION("by its name, as an imported file has one") { item.name = "cache"; }
  SECTION("by its payload") {
    recording.record.cases.resize(1);  // each payload in a pack needs a case in the record
    recording.payloads = {};
    item.hash = recording.payloads.Add(std::vector<std::byte>(item.size, std::byte{7}));
  }
  REQUIRE(revctl::golden::WriteAddition(folder.path(), recording.record, recording.payloads).ok());
  REQUIRE(revctl::golden::Store::Open(folder.path()).problems().empty());
  CHECK(Copies(anns, folder, {"SR_ANN"}).empty());
}

}  // namespace revctl::harness::test
