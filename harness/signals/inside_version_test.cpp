// Tests the streams of a program that writes the version of its files at the beginning of each
// payload.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "golden/stale_records.h"
#include "golden/store.h"
#include "harness/check/check.h"
#include "harness/history/history.h"
#include "harness/history/stale_pending.h"
#include "harness/testing/test_program.h"
#include "harness/testing/test_stream.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };

/// If true, the streams support only the latest version, and compare it with the version in the
/// payload. If false, they ignore the version passed to them.
bool strict = true;

/// The version that the program writes, and which changes its code contains.
struct Code {
  int latest = 1;
  bool mode = false,
       light = false;  ///< true if the code contains the change of SR_PLAYERS or SR_NEXT
  int mode_since = SR_PLAYERS;
  bool sum = false;  ///< true if each payload ends with a checksum
  bool other_padding = false;
  std::uint32_t key = 0;  ///< applied to a value both when it is read and when it is written
} code;

struct Timer {
  std::uint32_t counter = 0;
  std::uint16_t mode = 7;
  std::uint32_t target = 0;
};
SERIALIZE_TYPE(Timer) {
  ADD(SR_INITIAL, counter);
  if (code.mode) {
    ADD(SR_PLAYERS, mode);
  } else {
    SERIALIZE_IGNORE(mode);
  }
  ADD(SR_INITIAL, target);
}
SERIALIZE_END

struct Pad {
  std::uint32_t buttons = 0;
  std::uint8_t light = 1;
};
SERIALIZE_TYPE(Pad) {
  ADD(SR_INITIAL, buttons);
  if (code.light) {
    ADD(SR_NEXT, light);
  } else {
    SERIALIZE_IGNORE(light);
  }
}
SERIALIZE_END

struct Machine {
  std::uint32_t cycles = 0;
  std::array<std::uint8_t, 300'000> memory{};
};
SERIALIZE_TYPE(Machine) {
  ADD(SR_INITIAL, cycles);
  ADD(SR_INITIAL, memory);
}
SERIALIZE_END

/// Uses the same functions to read and to write. A payload begins with four letters and the
/// version. The writer always writes the newest version.
class State : public revctl::harness::test::TestStream {
 public:
  explicit State(std::vector<std::byte> file = {})
      : TestStream(code.latest, file, /*loads=*/!file.empty()) {
    std::uint32_t magic = 0x45544153;
    Do(magic);
    auto number = static_cast<std::uint32_t>(code.latest);
    Do(number);
    SetVersion(number);
  }
  template <class T>
  void DoEx(T& x, std::int64_t since, T otherwise) {
    if (loads() && version() < since) x = otherwise;
    else Do(x);
  }
  void End() {
    std::uint8_t padding = code.other_padding ? 9 : 0;
    Do(padding);
    std::uint8_t sum = 0;
    for (std::size_t i = 0; i < at(); ++i) sum += std::to_integer<std::uint8_t>(bytes()[i]);
    if (code.sum) Do(sum);
  }
};

void DoState(State& state, Timer& timer) {
  state.Do(timer.counter);
  if (code.mode)
    state.DoEx(timer.mode, static_cast<std::uint32_t>(code.mode_since), std::uint16_t{7});
  state.Do(timer.target);
}
void DoState(State& state, Pad& pad) {
  state.Do(pad.buttons);
  if (code.light) state.DoEx(pad.light, SR_NEXT, std::uint8_t{1});
}
void DoState(State& state, Machine& machine) {
  std::uint32_t cycles = machine.cycles ^ code.key;
  state.Do(cycles);
  machine.cycles = cycles ^ code.key;
  state.Do(machine.memory);
}

struct Streams {
  using Outcome = revctl::harness::BinaryOutcome;
  template <class T>
  static Outcome Write(std::int64_t version, T& object, std::vector<std::byte>& bytes) {
    if (strict && version != code.latest) return {.ok = false, .reason = "not written any more"};
    State state;
    DoState(state, object);
    state.End();
    bytes = state.bytes();
    return {};
  }
  template <class T>
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, T& object) {
    if (bytes.empty()) return {.ok = false, .at_end = true, .offset = 0, .reason = "empty"};
    State state({bytes.begin(), bytes.end()});
    if (strict && state.version() != version)
      return {.ok = false, .at_end = false, .offset = 4, .reason = "the version of another file"};
    DoState(state, object);
    state.End();
    return state.ReadOutcome("no state");
  }
};

}  // namespace

namespace revctl::harness::test {
namespace {

template <class T>
void AddType(Program& program) {
  RootType root;
  root.entry = revctl::harness::detail::EntryBy<T, Streams, revctl::harness::Opaque>(
      1, "SR_INITIAL", "state.cpp", 7);
  root.name = root.entry.type().name();
  TraceByStreams(root.entry);
  program.registry.types.push_back(std::move(root));
}

/// Returns a program whose list contains these versions.
Program With(const std::set<int>& versions) {
  code = {};
  code.latest = *versions.rbegin();
  code.mode = versions.contains(SR_PLAYERS);
  code.light = versions.contains(SR_NEXT);
  Program program(5);
  std::erase_if(program.entries, [&](const revctl::ListEntry& entry) {
    return !versions.contains(static_cast<int>(entry.number));
  });
  AddType<Pad>(program);
  AddType<Timer>(program);
  return program;
}
Program At(int version) {
  std::set<int> versions;
  for (int i = 1; i <= version; ++i) versions.insert(i);
  return With(versions);
}

std::vector<std::string> TypesIn(const Folder& folder, const std::string& revision) {
  const golden::Store store = golden::Store::Open(folder.path());
  const golden::StoredRecord* record = store.Find(revision);
  REQUIRE(record != nullptr);
  std::set<std::string> types;
  for (const golden::Case& item : record->record.cases) types.insert(item.type);
  for (const golden::RecordedType& type : record->record.types) types.insert(type.layout.type);
  return {types.begin(), types.end()};
}

void CheckClean(const Program& program, const Folder& folder) {
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
}

/// Copies a record and its payloads from one store to another.
void Take(const Folder& from, const std::string& revision, const Folder& to) {
  for (const char* ending : {".yaml", ".golden"})
    std::filesystem::copy(from.path() + "/" + revision + ending,
                          to.path() + "/" + revision + ending);
}

std::vector<std::string> StaleTexts(const Program& program, const Folder& folder,
                                    const std::string& pending) {
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  std::vector<golden::ListedRecord> listed;
  golden::RecordGraph graph;
  for (const revctl::ListEntry& entry : list.entries) {
    const golden::RevisionRecord& record = store.Find(entry.name)->record;
    graph.Add(listed.size(), golden::TypesOf(record));
    listed.push_back({record.revision, record.revision == pending, true, record.previous, {}});
  }
  const golden::RecordOrder order(listed);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!listed[i].pending) continue;
    const auto shared = graph.Compare(i, order.MadeWithout(i));
    if (!shared.types.empty()) texts.push_back(golden::StaleText(order, i, shared));
  }
  return texts;
}

}  // namespace

TEST_CASE("inside version: a revision records only types that change more than the version",
          "[harness][opaque][inside_version]") {
  strict = GENERATE(true, false);
  const Folder folder;
  At(1).Record(folder);
  CHECK(TypesIn(folder, "SR_INITIAL") == std::vector<std::string>{"Pad", "Timer"});
  CheckClean(At(1), folder);
  // Until the new version is recorded, the only error must be that its goldens are missing.
  CHECK(Errors(At(2).Check(folder)) == std::vector<std::string>{"GH007 ."});
  At(2).Record(folder);
  CHECK(TypesIn(folder, "SR_FOULS").empty());
  CheckClean(At(2), folder);
  At(3).Record(folder);
  CHECK(TypesIn(folder, "SR_PLAYERS") == std::vector<std::string>{"Timer"});
  CheckClean(At(3), folder);
  At(4).Record(folder);
  CHECK(TypesIn(folder, "SR_NO_FOULS").empty());
  At(5).Record(folder);
  CHECK(TypesIn(folder, "SR_NEXT") == std::vector<std::string>{"Pad"});
  CheckClean(At(5), folder);
  const golden::Store store = golden::Store::Open(folder.path());
  CHECK(store.Find("SR_NEXT")->record.versions ==
        std::vector<golden::HeldVersion>{{"Timer", 4, 1, false}});
}

TEST_CASE("inside version: goldens protect the revisions that inherit them",
          "[harness][opaque][inside_version]") {
  strict = GENERATE(true, false);
  const Folder folder;
  for (int version = 1; version <= 4; ++version) At(version).Record(folder);
  const Program today = At(4);
  code.mode_since = SR_FOULS;  // wrong, because a file of SR_FOULS has no mode
  const CheckResult early = today.Check(folder);
  INFO(Text(early));
  CHECK(Find(early, "GH002", "Timer", "mode").revision == "SR_FOULS");
  code.mode_since = SR_NO_FOULS;  // wrong, because a file of SR_PLAYERS has a mode
  const CheckResult late = today.Check(folder);
  INFO(Text(late));
  CHECK(Find(late, "GH002", "Timer", "mode").revision == "SR_PLAYERS");
}

TEST_CASE("inside version: branches that change different types are not stale",
          "[harness][opaque][inside_version][stale]") {
  strict = GENERATE(true, false);
  const Folder ours, theirs;
  for (const Folder* folder : {&ours, &theirs}) {
    At(1).Record(*folder);
    At(2).Record(*folder);
  }
  With({1, 2, SR_PLAYERS}).Record(theirs);
  With({1, 2, SR_NEXT}).Record(ours);
  Take(ours, "SR_NEXT", theirs);
  const Program merged = With({1, 2, SR_PLAYERS, SR_NEXT});
  CHECK(StaleTexts(merged, theirs, "SR_NEXT").empty());
  CheckClean(merged, theirs);
  code.mode_since = SR_NEXT;
  CHECK_FALSE(Errors(merged.Check(theirs)).empty());
}

TEST_CASE("inside version: only types that really changed are reported as stale",
          "[harness][opaque][inside_version][stale]") {
  strict = true;
  const Folder ours, theirs;
  for (const Folder* folder : {&ours, &theirs}) At(1).Record(*folder);
  With({1, SR_PLAYERS}).Record(theirs);
  // The code of the other branch changes all types, but lacks the mode.
  const Program other = With({1, SR_NEXT});
  code.other_padding = true;
  other.Record(ours);
  CHECK(TypesIn(ours, "SR_NEXT") == std::vector<std::string>{"Pad", "Timer"});
  Take(ours, "SR_NEXT", theirs);
  const auto texts = StaleTexts(With({1, SR_PLAYERS, SR_NEXT}), theirs, "SR_NEXT");
  REQUIRE(texts.size() == 1);
  CHECK_THAT(texts[0], Catch::Contains("changes Timer, which they contain"));
}

TEST_CASE("inside version: the oldest revision inherits goldens of purged revisions",
          "[harness][opaque][inside_version]") {
  strict = GENERATE(true, false);
  const Folder folder;
  for (int version = 1; version <= 4; ++version) At(version).Record(folder);
  const Program today = At(4);
  const auto errors = [&] {
    const golden::Store store = golden::Store::Open(folder.path());
    const revctl::ListTable list{"main", today.entries, SR_FOULS};
    const CheckResult result = revctl::harness::Check(today.registry, list, store, {});
    INFO(Text(result));
    CHECK(result.goldens > 0);
    return Errors(result);
  };
  CHECK(errors().empty());
  code.mode_since = SR_FOULS;
  CHECK_FALSE(errors().empty());
}

TEST_CASE("inside version: goldens are adapted to their revision's number",
          "[harness][opaque][inside_version]") {
  strict = GENERATE(true, false);
  const Folder folder;
  At(1).Record(folder);
  const auto padded = [](const std::set<int>& versions) {
    Program program = With(versions);
    code.other_padding = true;
    return program;
  };
  padded({1, SR_FOULS}).Record(folder);
  CHECK(TypesIn(folder, "SR_FOULS") == std::vector<std::string>{"Pad", "Timer"});
  padded({1, SR_FOULS, SR_NO_FOULS}).Record(folder);
  CHECK(TypesIn(folder, "SR_NO_FOULS").empty());
  Program moved = padded({1, SR_FOULS, SR_NO_FOULS});
  moved.entries[1].number = 3;
  CheckClean(moved, folder);
  // The record says that payloads store the version number in one byte. The new number does not fit
  // in one byte, so the goldens cannot represent files with this number.
  moved.entries[2].number = 300;
  code.latest = 300;
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = moved.List();
  const History history(list, store);
  const Golden& last = history.Goldens("Timer").back();
  CHECK(last.revision == 1);
  CHECK(history.OpaqueUntil(last) == 2);
  CHECK(history.AsFileOf(last, 2).payload().data() == last.payload().data());
}

TEST_CASE("inside version: a type with only large goldens is recorded when its bytes change",
          "[harness][opaque][inside_version][large]") {
  strict = GENERATE(true, false);
  const Folder folder;
  const auto machine = [](const std::set<int>& versions) {
    Program program = With(versions);
    program.registry.types.clear();
    AddType<Machine>(program);
    return program;
  };
  const auto large_in = [&](const std::string& revision) {
    const golden::Store store = golden::Store::Open(folder.path());
    REQUIRE(store.Find(revision) != nullptr);
    CHECK(store.Find(revision)->record.cases.empty());
    return store.Find(revision)->record.large.size();
  };
  machine({1}).Record(folder);
  CHECK(large_in("SR_INITIAL") > 0);
  machine({1, SR_FOULS}).Record(folder);
  CHECK(large_in("SR_FOULS") == 0);
  machine({1, SR_FOULS, SR_NO_FOULS}).Record(folder);
  CHECK(large_in("SR_NO_FOULS") == 0);
  CheckClean(machine({1, SR_FOULS, SR_NO_FOULS}), folder);
  Program padded = machine({1, SR_FOULS, SR_NO_FOULS, SR_NEXT});
  code.other_padding = true;
  padded.Record(folder);
  CHECK(large_in("SR_NEXT") > 0);
  CheckClean(padded, folder);
  // If the reader and the writer change in the same way, the saved bytes stay the same although the
  // values differ.
  code.key = 128;
  const CheckResult symmetric = padded.Check(folder);
  INFO(Text(symmetric));
  REQUIRE_FALSE(Errors(symmetric).empty());
  CHECK_THAT(Text(symmetric), Catch::Contains("Machine.cycles"));
}

TEST_CASE("inside version: a payload that also differs elsewhere is recorded",
          "[harness][opaque][inside_version]") {
  strict = true;
  const Folder folder;
  const auto with_sum = [](int version) {
    Program program = At(version);
    code.sum = true;
    return program;
  };
  with_sum(1).Record(folder);
  with_sum(2).Record(folder);
  CHECK(TypesIn(folder, "SR_FOULS") == std::vector<std::string>{"Pad", "Timer"});
  CheckClean(with_sum(2), folder);
}

TEST_CASE("inside version: reports a writer that changes more than the version",
          "[harness][opaque][inside_version]") {
  strict = GENERATE(true, false);
  const Folder folder;
  At(1).Record(folder);
  At(2).Record(folder);
  const Program today = At(2);
  code.other_padding = true;
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK_THAT(Text(result), Catch::Contains("GH002") && Catch::Contains("is now written as 0x09"));
}

}  // namespace revctl::harness::test
