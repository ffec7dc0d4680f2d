// GH009 must report damaged, incomplete and lost records. Each revision was recorded by its own
// code.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <revctl/serialize.h>

#include "harness/testdata/minus.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4 };

}  // namespace

#define VARIANT at1
#define REVISIONS 1
#include "harness/testdata/score.inc"
#define VARIANT at2
#define REVISIONS 2
#include "harness/testdata/score.inc"
#define VARIANT at3
#define REVISIONS 3
#include "harness/testdata/score.inc"
#define VARIANT at4
#include "harness/testdata/score.inc"

namespace first {
struct Coin {
  std::int32_t value = 1;
};
SERIALIZE_TYPE(Coin) { ADD(SR_INITIAL, value); }
SERIALIZE_END
}  // namespace first
namespace second {
struct Coin {
  std::int32_t value = 1, weight = 2;
};
SERIALIZE_TYPE(Coin) {
  ADD(SR_INITIAL, value);
  ADD(SR_FOULS, weight);
}
SERIALIZE_END
}  // namespace second
template <>
struct revctl::NameOf<first::Coin> {
  static std::string Name() { return "Coin"; }
};
template <>
struct revctl::NameOf<second::Coin> {
  static std::string Name() { return "Coin"; }
};

namespace revctl::harness::test {
namespace {

const std::vector<std::string> kRevisions = {"SR_INITIAL", "SR_FOULS", "SR_PLAYERS", "SR_NO_FOULS"};

/// A store with goldens of four revisions, each recorded by its own code. The tests damage its
/// files.
class Recorded : public Folder {
 public:
  Recorded() {
    Program(1).Type<at1::Score>().Record(*this);
    Program(2).Type<at2::Score>().Record(*this);
    Program(3).Type<at3::Score>().Record(*this);
    Program(4).Type<at4::Score>().Record(*this);
  }
  std::string Path(const std::string& file) const { return path() + "/" + file; }
  void Remove(const std::string& file) const { REQUIRE(std::filesystem::remove(Path(file))); }
  void Replace(const std::string& file, const std::string& bytes) const {
    std::ofstream(Path(file), std::ios::binary) << bytes;
  }
  void Forget(const std::string& file, const std::string& line) const {
    std::string text = Bytes(Path(file));
    const auto at = text.find(line);
    REQUIRE(at != std::string::npos);
    Replace(file, text.erase(at, text.find('\n', at) + 1 - at));
  }
};

CheckResult Today(const Folder& folder) { return Program(4).Type<at4::Score>().Check(folder); }

/// Checks that the only error is a GH009 finding with the revision's name and the command that
/// restores its record.
void SaysThatItIsLost(const CheckResult& result, const std::string& revision) {
  INFO(revision << "\n" << Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH009 ."});
  const Finding finding = Find(result, "GH009", "", "");
  CHECK_THAT(finding.message, Catch::Contains("the goldens of " + revision + " are missing"));
  CHECK_THAT(FixText(finding.fix),
             Catch::StartsWith("restore ") && Catch::Contains(revision + ".*") &&
                 Catch::Contains(" from version control") && !Catch::Contains("git "));
}

}  // namespace

TEST_CASE("check: a damaged record is one error and is not compared", "[harness][signals]") {
  for (const std::string& revision : kRevisions) {
    const std::string text = revision + ".yaml", pack = revision + ".golden";
    const Recorded whole;
    const std::string half = Bytes(whole.Path(pack)).substr(0, 40);
    for (const auto& [file, bytes] : std::vector<std::pair<std::string, std::string>>{
             {pack, ""},
             {text, "version: 1\n- : [garbage"},
             {pack, half},
             {text, "version https://git-lfs.github.com/spec/v1\n"}}) {
      const Recorded folder;
      folder.Replace(file, bytes);
      if (bytes.empty()) folder.Remove(file);
      const CheckResult result = Today(folder);
      INFO(file << " " << bytes.substr(0, 20) << "\n" << Text(result));
      CHECK(Errors(result) == std::vector<std::string>{"GH009 ."});
      for (const Finding& finding : result.findings) {
        CHECK_FALSE(finding.fix.empty());
        if (findings::NameOf(finding.rule) == "GH009" && bytes.find("git-lfs") == std::string::npos)
          CHECK_THAT(FixText(finding.fix),
                     Catch::Contains(" from version control") && Catch::Contains(revision));
      }
    }
  }
}

TEST_CASE("check: reports payloads without a record or a listed revision", "[harness][signals]") {
  const Recorded folder;
  std::filesystem::copy_file(folder.Path(kRevisions.front() + ".golden"),
                             folder.Path("SR_GIVEN_UP.golden"));
  const CheckResult result = Today(folder);
  INFO(Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH009 ."});
  const Finding finding = Find(result, "GH009", "", "");
  CHECK(finding.file.ends_with("/SR_GIVEN_UP.golden"));
  CHECK_THAT(finding.message, Catch::Contains("SR_GIVEN_UP has payloads but no record"));
  CHECK_THAT(FixText(finding.fix),
             Catch::StartsWith("rm ") && Catch::Contains("SR_GIVEN_UP.golden"));
  REQUIRE(Run(folder, "git init -q .").exit == 0);
  CHECK_THAT(FixText(Find(Today(folder), "GH009", "", "").fix), Catch::StartsWith("git rm -f "));
}

TEST_CASE("check: reports a record whose text is lost, even the newest", "[harness][signals]") {
  for (const std::string& revision : kRevisions) {
    const Recorded folder;
    folder.Remove(revision + ".yaml");
    SaysThatItIsLost(Today(folder), revision);
  }
}

TEST_CASE("check: the printed command undoes `git rm` of a record", "[harness][signals]") {
  const Recorded folder;
  REQUIRE(Run(folder,
              "git init -q . && git add -A && git -c user.name=ada -c "
              "user.email=ada@studio.example commit -qm goldens && git rm -q 'SR_FOULS.*'")
              .exit == 0);
  const std::string fix = FixText(Find(Today(folder), "GH009", "", "").fix);
  const Ran back = Run(folder, fix.substr(0, fix.find('\n')));
  INFO(fix << "\n" << back.out << back.err);
  CHECK(back.exit == 0);
  CHECK(Run(folder, "git status --porcelain -- 'SR_*'").out.empty());
  CHECK(Today(folder).findings.empty());
  // The last command undoes a removal that was committed.
  REQUIRE(Run(folder,
              "git rm -q 'SR_FOULS.*' && git -c user.name=ada -c user.email=ada@studio.example "
              "commit -qm removed")
              .exit == 0);
  CHECK_FALSE(Today(folder).findings.empty());
  CHECK(Run(folder, fix.substr(fix.rfind('\n') + 1)).exit == 0);
  CHECK(Today(folder).findings.empty());
}

TEST_CASE("check: files left by a killed `record` are not a lost record", "[harness][signals]") {
  const Recorded folder;
  // The payload file is complete, but the .yaml file still has the temporary name used while
  // writing it.
  std::filesystem::rename(folder.Path("SR_NO_FOULS.yaml"),
                          folder.Path(".SR_NO_FOULS.yaml.tmp-123"));
  const CheckResult result = Today(folder);
  INFO(Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH007 ."});
  CHECK(Find(result, "GH007", "", "").fix == "save_harness record");
  Program(4).Type<at4::Score>().Record(folder);
  CHECK(Today(folder).findings.empty());
  CHECK_FALSE(std::filesystem::exists(folder.Path(".SR_NO_FOULS.yaml.tmp-123")));
}

TEST_CASE("check: the next record reveals a completely lost record", "[harness][signals]") {
  for (const std::string revision : {"SR_INITIAL", "SR_FOULS", "SR_PLAYERS"}) {
    const Recorded folder;
    folder.Remove(revision + ".yaml");
    folder.Remove(revision + ".golden");
    SaysThatItIsLost(Today(folder), revision);
  }
  // A lost record must be reported even if later records describe every type again and change no
  // upgrades of its goldens.
  const Folder folder;
  Program(1).Type<first::Coin>().Record(folder);
  Program(2).Type<second::Coin>().Record(folder);
  const auto of_two = [&] { return Program(2).Type<second::Coin>().Check(folder); };
  INFO(Text(of_two()));
  REQUIRE(of_two().findings.empty());
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  REQUIRE(store.Find("SR_FOULS")->record.previous == "SR_INITIAL");
  revctl::golden::RevisionRecord alone = store.Find("SR_FOULS")->record;
  alone.upgrades.clear();
  REQUIRE(revctl::golden::WriteRecord(folder.path(), alone, store.Find("SR_FOULS")->payloads, true)
              .ok());
  std::filesystem::remove(folder.path() + "/SR_INITIAL.yaml");
  std::filesystem::remove(folder.path() + "/SR_INITIAL.golden");
  SaysThatItIsLost(of_two(), "SR_INITIAL");
}

TEST_CASE("check: records without `previous` still reveal a lost record", "[harness][signals]") {
  const Recorded folder;
  for (const std::string revision : {"SR_FOULS", "SR_PLAYERS", "SR_NO_FOULS"})
    folder.Forget(revision + ".yaml", "previous: ");
  CHECK(Today(folder).findings.empty());
  // The loss is still visible, because later records contain upgrades of the lost record's goldens.
  folder.Remove("SR_INITIAL.yaml");
  folder.Remove("SR_INITIAL.golden");
  SaysThatItIsLost(Today(folder), "SR_INITIAL");
}

TEST_CASE("check: additions and approvals reveal a lost record", "[harness][signals]") {
  const auto without_newest = [](const Recorded& folder) {
    folder.Remove("SR_NO_FOULS.yaml");
    folder.Remove("SR_NO_FOULS.golden");
    return Today(folder);
  };
  // Nothing else refers to the newest record, so its revision looks as if it had never been
  // recorded.
  CHECK(Errors(without_newest(Recorded())) == std::vector<std::string>{"GH007 ."});

  const Recorded added;
  const revctl::golden::Store store = revctl::golden::Store::Open(added.path());
  revctl::golden::RevisionRecord addition = store.Find("SR_NO_FOULS")->record;
  addition.types.clear();
  addition.upgrades.clear();
  addition.provenance.command = "record";
  for (revctl::golden::Case& item : addition.cases) item.name += " more";
  REQUIRE(revctl::golden::WriteAddition(added.path(), addition, store.Find("SR_NO_FOULS")->payloads)
              .ok());
  SaysThatItIsLost(without_newest(added), "SR_NO_FOULS");

  const Recorded approved;
  revctl::golden::Approval approval;
  approval.kind = revctl::golden::Approval::Kind::Upgrade;
  approval.type = "Score";
  approval.after = "SR_NO_FOULS";
  approval.cases = {"SR_INITIAL/auto-1"};
  approval.changes = {{"p2Score", "no such value", "0"}};
  approval.reason = "meant";
  REQUIRE(revctl::golden::WriteApproval(approved.path(), approval).ok());
  SaysThatItIsLost(without_newest(approved), "SR_NO_FOULS");
}

TEST_CASE("check: an addition whose text is lost is one error", "[harness][signals]") {
  const Recorded folder;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  revctl::golden::RevisionRecord addition = store.Find("SR_FOULS")->record;
  addition.types.clear();
  addition.enums.clear();
  addition.upgrades.clear();
  addition.provenance.command = "import";
  for (revctl::golden::Case& item : addition.cases) item.name += " more";
  const auto written =
      revctl::golden::WriteAddition(folder.path(), addition, store.Find("SR_FOULS")->payloads);
  REQUIRE(written.ok());
  folder.Remove(*written);
  const CheckResult result = Today(folder);
  INFO(Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH009 ."});
  CHECK_THAT(Find(result, "GH009", "", "").message, Catch::Contains("although its payloads"));
}

namespace {

/// Empties the lists of types and enums in a record, as a badly resolved merge might do.
void Empty(const Recorded& folder, const std::string& revision, bool types, bool enums) {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  revctl::golden::RevisionRecord record = store.Find(revision)->record;
  if (types) record.types.clear();
  if (enums) record.enums.clear();
  REQUIRE(revctl::golden::WriteRecord(folder.path(), record, store.Find(revision)->payloads, true)
              .ok());
}

/// Checks that all errors are GH009, and that one of them is about `type` at `revision`.
void SaysUndescribed(const CheckResult& result, const std::string& type,
                     const std::string& revision) {
  INFO(type << " " << revision << "\n" << Text(result));
  for (const std::string& error : Errors(result)) CHECK_THAT(error, Catch::StartsWith("GH009 "));
  const Finding finding = Find(result, "GH009", type, "");
  CHECK(finding.revision == revision);
  CHECK(finding.file.ends_with("/" + revision + ".yaml"));
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains(" from version control") && Catch::Contains(revision + ".*"));
}

}  // namespace

TEST_CASE("check: reports goldens that their record does not describe", "[harness][signals]") {
  const Recorded first, enums, later;
  Empty(first, "SR_INITIAL", true, true);
  SaysUndescribed(Today(first), "Score", "SR_INITIAL");
  Empty(enums, "SR_PLAYERS", false, true);
  SaysUndescribed(Today(enums), "Color", "SR_PLAYERS");
  // Layouts inherited from earlier records replace the missing ones, so only the record's goldens
  // reveal the loss.
  Empty(later, "SR_NO_FOULS", true, true);
  CHECK(Find(Today(later), "GH009", "Score", "").revision == "SR_NO_FOULS");
}

TEST_CASE("check: reports a nested type that its record lost", "[harness][signals]") {
  const Recorded folder;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  revctl::golden::RevisionRecord record = store.Find("SR_PLAYERS")->record;
  std::erase_if(record.types, [](const auto& type) { return type.layout.type == "Player"; });
  REQUIRE(
      revctl::golden::WriteRecord(folder.path(), record, store.Find("SR_PLAYERS")->payloads, true)
          .ok());
  SaysUndescribed(Today(folder), "Player", "SR_PLAYERS");
}

}  // namespace revctl::harness::test
