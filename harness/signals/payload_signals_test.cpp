// GH002, GH003, GH005 and GH006 must find mistakes that change no layout and that no other signal
// notices.
#include <array>
#include <bitset>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include <revctl/serialize.h>

#include "harness/testdata/minus.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

/// A mistake in the current code that the recording code did not have.
enum class Mistake {
  None,
  Stricter,  ///< rejects valid values
  /// rejects values in a helper function of the root's body, so that the error has no path
  Unlucky,
  ReaderRefuses,  ///< only the program's reader rejects values, not the tracer
  Counts,         ///< writing increments a member
  Keeps,          ///< reading appends to the existing content
  Rounds,         ///< reading changes values
  Asks,           ///< reading visits a field that writing omits
  Crosses,        ///< reading swaps two fields of the same size
  Overflows,      ///< an upgraded value is too large for current files
  EndsGladly,     ///< treats the end of input as the end of the object
  ReadsTheRest,   ///< reads the rest of the input as a string, without its length
};
Mistake mistake = Mistake::None;
bool Is(Mistake what) { return mistake == what; }

// The only value that triggers the mistake. A single golden contains it.
constexpr std::int32_t kVeteran = 777;

struct Item {
  std::int32_t level = 1, price = 0;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, level);
  const bool fast = requires { r.AtEnd(); };
  if (r.IsReading() && d.level == kVeteran &&
      (Is(Mistake::Stricter) || (fast && Is(Mistake::ReaderRefuses))))
    r.Fail("no such level");
  if (!Is(Mistake::Asks) || r.IsReading()) ADD(SR_INITIAL, price);
}
SERIALIZE_END

template <class Archive>
void RefuseVeterans(Archive& r, std::int32_t hp) {
  if (r.IsReading() && hp == kVeteran) r.Fail("no veterans");
}

struct Hero {
  std::int32_t hp = 10, mp = 4, luck = 3;
  std::vector<Item> items;
  std::string name;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  const bool crosses = Is(Mistake::Crosses) && r.IsReading();
  if (!crosses) ADD(SR_INITIAL, mp);
  if (Is(Mistake::Counts) && r.IsWriting()) const_cast<std::int32_t&>(d.luck) = Minus(d.luck, -1);
  ADD(SR_INITIAL, luck);
  if (Is(Mistake::Unlucky)) RefuseVeterans(r, d.hp);
  if (crosses) ADD(SR_INITIAL, mp);
  const std::vector<Item> before = d.items;
  ADD(SR_INITIAL, items);
  constexpr bool fast = requires { r.AtEnd(); };
  if constexpr (fast) {
    if (Is(Mistake::EndsGladly) && r.AtEnd()) return;
    if (Is(Mistake::ReadsTheRest)) {
      while (r.Ok() && !r.AtEnd()) {
        std::uint8_t byte = 0;
        Serialize(r, byte);
      }
      return;
    }
  }
  ADD(SR_INITIAL, name);
  if constexpr (requires { d.items.clear(); }) {
    if (r.IsReading() && Is(Mistake::Keeps))
      d.items.insert(d.items.end(), before.begin(), before.end());
    if (r.IsReading() && Is(Mistake::Rounds)) d.mp &= ~1;
    if (r.IsReading() && Is(Mistake::Overflows))
      d.mp = r.revision < SR_FOULS ? 1001 : std::min(d.mp, 1000);
  }
}
SERIALIZE_END

// Types whose values are quoted in records, although they have no count on the wire: bits, and
// enumerators named like special YAML words.
enum class Power : std::uint8_t { Off, On };
enum class Answer : std::uint16_t { No, Yes };
enum class Axis : std::uint8_t { X, Y };
enum class Nothing : std::uint32_t { Null, Some };
struct Quoted {
  Power power = Power::Off;
  Answer answer = Answer::No;
  Axis axis = Axis::X;
  Nothing nothing = Nothing::Null;
  std::array<Power, 3> row{};
  std::vector<Answer> list;
  std::bitset<8> bits;
  std::array<std::bitset<32>, 2> words{};
  char grade = 'A';
  char letters[4] = {};
  std::int32_t number = 0;
  std::string last;
};
SERIALIZE_TYPE(Quoted) {
  ADD(SR_INITIAL, power);
  ADD(SR_INITIAL, answer);
  ADD(SR_INITIAL, axis);
  ADD(SR_INITIAL, nothing);
  ADD(SR_INITIAL, row);
  ADD(SR_INITIAL, list);
  ADD(SR_INITIAL, bits);
  ADD(SR_INITIAL, words);
  ADD(SR_INITIAL, grade);
  ADD(SR_INITIAL, letters);
  ADD(SR_INITIAL, number);
  if constexpr (requires { r.AtEnd(); }) {
    if (Is(Mistake::ReadsTheRest)) {
      while (r.Ok() && !r.AtEnd()) {
        std::uint8_t byte = 0;
        Serialize(r, byte);
      }
      return;
    }
  }
  ADD(SR_INITIAL, last);
}
SERIALIZE_END

}  // namespace

template <>
struct revctl::NameOf<Hero> {
  static std::string Name() { return "Hero"; }
};

namespace revctl::harness::test {
namespace {

/// Makes a mistake active for the lifetime of the object.
class With {
 public:
  explicit With(Mistake what) { mistake = what; }
  With(const With&) = delete;
  ~With() { mistake = Mistake::None; }
};

void Veteran(void* object) {
  auto* hero = static_cast<Hero*>(object);
  *hero = {kVeteran, 7, 9, {{kVeteran}, {2}}, "ann"};
}

Program Game(std::size_t revisions = 1) {
  Program program(revisions);
  program.Type<Hero>();
  return program;
}

/// A store with goldens of the first revision, one of them from a hand-written sample that no
/// longer exists.
class Recorded : public Folder {
 public:
  Recorded() { Game().Sample("veteran", Veteran).Record(*this); }
};

void AllQuoted(void* object) {
  auto& quoted = *static_cast<Quoted*>(object);
  quoted.power = Power::On;
  quoted.axis = Axis::Y;
  quoted.list = {Answer::Yes, Answer::No};
  quoted.row[1] = Power::On;
  quoted.bits = 0b1100;
  quoted.letters[0] = 'a';
  quoted.number = 7;
  quoted.last = "end";
}

/// Checks that every error is about Hero and was reported by this rule. One of the errors must be
/// about `field`, contain `what`, and have a fix at the field's macro.
void OnlyFinds(const CheckResult& result, const std::string& rule, const std::string& field,
               const std::string& what, const std::string& visited = "") {
  INFO(rule << " " << field << "\n" << Text(result));
  CHECK_FALSE(Errors(result).empty());
  for (const std::string& error : Errors(result))
    CHECK_THAT(error, Catch::StartsWith(rule + " Hero."));
  const auto found =
      std::find_if(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
        return finding.field == field && finding.message.find(what) != std::string::npos;
      });
  REQUIRE(found != result.findings.end());
  CHECK(found->severity == Severity::Error);
  CHECK_FALSE(found->fix.empty());
  const std::string member = visited.empty() ? field.substr(field.rfind('.') + 1) : visited;
  CHECK_THAT(
      SourceLine(*found),
      Catch::Contains("ADD(SR_INITIAL, " + member.substr(0, member.find_first_of("[#")) + ");"));
}

}  // namespace

TEST_CASE("check: goldens that no longer load are GH002, with the field", "[harness][signals]") {
  const Recorded folder;
  REQUIRE(Game().Check(folder).findings.empty());
  const auto after = [&](Mistake what) {
    const With made(what);
    return Game().Check(folder);
  };
  OnlyFinds(after(Mistake::Stricter), "GH002", "items[0]", "does not load: items[0] at offset",
            "level");
  OnlyFinds(after(Mistake::Unlucky), "GH002", "", "does not load: at offset", "luck");
  OnlyFinds(after(Mistake::ReaderRefuses), "GH002", "items[0].level",
            "not by the program's reader: items[0].level: no");
}

TEST_CASE("check: unread bytes are GH002, with the last field read", "[harness][signals]") {
  const Recorded folder;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  revctl::golden::RevisionRecord record = store.Find("SR_INITIAL")->record;
  revctl::golden::PayloadPack payloads;
  for (revctl::golden::Case& item : record.cases) {
    auto bytes = *store.Find("SR_INITIAL")->payloads.Find(item.hash);
    if (item.name == "veteran") bytes.push_back(std::byte{1});
    item.hash = payloads.Add(bytes);
    item.size = bytes.size();
  }
  REQUIRE(revctl::golden::WriteRecord(folder.path(), record, payloads, true).ok());
  OnlyFinds(Game().Check(folder), "GH002", "name", "loads, but unread bytes remain");
}

TEST_CASE("check: values read differently are GH003, with the field", "[harness][signals]") {
  const Recorded folder;
  const std::string path = folder.path() + "/SR_INITIAL.yaml";
  std::string text = Bytes(path);
  const auto at = text.find("hp: 777");
  REQUIRE(at != std::string::npos);
  std::ofstream(path, std::ios::binary) << text.replace(at, 7, "hp: 778");
  OnlyFinds(Game().Check(folder), "GH003", "hp", "Hero.hp was 778, but is now read as 777");
}

namespace {
struct Troop {
  std::vector<Item> items;
};
SERIALIZE_TYPE(Troop) {
  ADD(SR_INITIAL, items);
  // Compares with the revision, so that goldens are also read at this revision. The code that
  // recorded the goldens did not compare with it.
  if (Is(Mistake::Overflows) && r.revision >= SR_FOULS && d.items.size() > 100) r.Fail("too many");
}
SERIALIZE_END
struct Later {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Later) { ADD(SR_FOULS, hp); }
SERIALIZE_END
}  // namespace

TEST_CASE("check: one misreading is one finding for all elements", "[harness][signals]") {
  const Folder folder;
  const auto troop = [](std::size_t count) {
    return Program(count)
        .Type<Troop>()
        .Sample("one",
                [](void* d) {
                  static_cast<Troop*>(d)->items = {{777, 1}};
                })
        .Sample("two", [](void* d) {
          static_cast<Troop*>(d)->items = {{1, 1}, {778, 1}};
        });
  };
  troop(1).Record(folder);
  const Program program = troop(2).Type<Later>(2);
  program.Record(folder);
  const std::string path = folder.path() + "/SR_INITIAL.yaml";
  std::string text = Bytes(path);
  for (const std::string was : {"items[0].level: 777", "items[1].level: 778"}) {
    const auto at = text.find(was);
    REQUIRE(at != std::string::npos);
    text[at + was.size() - 1] = '9';
  }
  std::ofstream(path, std::ios::binary) << text;
  const With made(Mistake::Overflows);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  const auto misread = [](const Finding& finding) {
    return findings::NameOf(finding.rule) == "GH003";
  };
  CHECK(std::count_if(result.findings.begin(), result.findings.end(), misread) == 1);
  const auto found = std::find_if(result.findings.begin(), result.findings.end(), misread);
  REQUIRE(found != result.findings.end());
  CHECK_THAT(found->message,
             Catch::Contains("Troop.items[0].level was 779, but is now read as 777"));
  CHECK(result.at[static_cast<std::size_t>(found - result.findings.begin())] ==
        std::vector<std::string>{"SR_INITIAL", "SR_FOULS"});
}

TEST_CASE("check: a broken round trip is GH005, with the field", "[harness][signals]") {
  const auto from_the_first_day = [](Mistake what) {
    const With made(what);
    const Folder folder;
    Game().Sample("veteran", Veteran).Record(folder);
    return Game().Sample("veteran", Veteran).Check(folder);
  };
  OnlyFinds(from_the_first_day(Mistake::Counts), "GH005", "luck",
            "writing twice produces different bytes");
  OnlyFinds(from_the_first_day(Mistake::Keeps), "GH005", "items#count",
            "reading into an object that already has a value");
  OnlyFinds(from_the_first_day(Mistake::Rounds), "GH005", "mp",
            "writing, reading and writing again");
}

TEST_CASE("check: fields that are read in a different order than written are GH001",
          "[harness][signals]") {
  const Folder folder;
  const With made(Mistake::Crosses);
  Game().Record(folder);
  const CheckResult result = Game().Check(folder);
  INFO(Text(result));
  const Finding crossed = Find(result, "GH001", "Hero", "mp");
  CHECK_THAT(
      crossed.message,
      Catch::Contains("visit different fields: writing visits `mp`, but reading visits `luck`"));
  CHECK_THAT(SourceLine(crossed), Catch::Contains("ADD(SR_INITIAL, mp);"));
}

TEST_CASE("check: names a field that only reading visits", "[harness][signals]") {
  const Recorded folder;
  const With made(Mistake::Asks);
  const CheckResult result = Game().Check(folder);
  INFO(Text(result));
  // The findings about all elements and samples must be merged into one, at the macro.
  std::vector<Finding> told;
  for (const Finding& finding : result.findings) {
    if (finding.message.find("visit different fields") != std::string::npos)
      told.push_back(finding);
  }
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0].field, Catch::StartsWith("items[") && Catch::EndsWith("].price"));
  CHECK_THAT(SourceLine(told[0]), Catch::Contains("ADD(SR_INITIAL, price);"));
}

TEST_CASE("check: an upgraded golden that cannot be saved and read back is GH005",
          "[harness][signals]") {
  const Recorded folder;
  const With made(Mistake::Overflows);
  Game(2).Record(folder);
  const CheckResult result = Game(2).Check(folder);
  OnlyFinds(result, "GH005", "mp", "loaded and saved at SR_FOULS reads back differently");
}

TEST_CASE("check: truncated or lying input that loads is GH006", "[harness][signals]") {
  const Recorded folder;
  const auto after = [&](Mistake what) {
    const With made(what);
    return Game().Check(folder);
  };
  OnlyFinds(after(Mistake::EndsGladly), "GH006", "name", " bytes still loads");
  const CheckResult lying = after(Mistake::ReadsTheRest);
  INFO(Text(lying));
  CHECK(Errors(lying) ==
        std::vector<std::string>{"GH005 Hero.name", "GH006 Hero.name", "GH006 Hero.name"});
  CHECK_THAT(Text(lying), Catch::Contains("a count of 4294967295 is accepted"));
  CHECK_THAT(
      Find(lying, "GH005", "Hero", "name").message,
      Catch::Contains("the program's reader and the tracer read different values from a golden"));
}

TEST_CASE("check: only real counts are replaced with huge counts", "[harness][signals]") {
  const Folder folder;
  const auto quoted = [] { return Program(1).Type<Quoted>().Sample("all", AllQuoted); };
  quoted().Record(folder);
  const std::string text = Bytes(folder.path() + "/SR_INITIAL.yaml");
  for (const char* line :
       {"power: \"On\"", "answer: \"No\"", "axis: \"Y\"", "nothing: \"Null\"", "row[0]: \"Off\"",
        "list[0]: \"Yes\"", "bits: \"00001100\"", "words[1]: \"0000"}) {
    INFO(line << "\n" << text);
    CHECK(text.find(line) != std::string::npos);
  }
  const CheckResult sound = quoted().Check(folder);
  INFO(Text(sound));
  CHECK(sound.findings.empty());
  // Strings and vectors, the remaining fields, must still be checked.
  const With made(Mistake::ReadsTheRest);
  const CheckResult lying = quoted().Check(folder);
  INFO(Text(lying));
  std::set<std::string> lies;
  for (const Finding& finding : lying.findings) {
    if (finding.message.find("a count of 4294967295 is accepted") != std::string::npos)
      lies.insert(finding.field);
  }
  CHECK(lies == std::set<std::string>{"last"});
}

TEST_CASE("check: a format that accepts future files is GH006", "[harness][signals]") {
  const auto errors = [](std::int64_t latest) {
    Program program = Game();
    RootType& root = program.registry.types[0];
    root.format = {.has_latest = true, .latest = latest, .magic = 0x31415926};
    root.format_file = "formats.cpp";
    root.format_line = 12;
    const Recorded folder;
    return program.Check(folder);
  };
  const CheckResult open = errors(1000);
  INFO(Text(open));
  REQUIRE(Errors(open) == std::vector<std::string>{"GH006 Hero."});
  const Finding finding = Find(open, "GH006", "Hero", "");
  CHECK_THAT(finding.message,
             Catch::Contains(
                 "Hero: a file from the future is accepted or is rejected for the wrong reason"));
  CHECK(finding.file == "formats.cpp");
  CHECK(finding.line == 12);
  CHECK_THAT(FixText(finding.fix), Catch::Contains("`has_latest`"));
  CHECK(Errors(errors(1)).empty());
}

}  // namespace revctl::harness::test
