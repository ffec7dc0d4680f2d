// A program whose files contain the version in a header, outside the payload that the program's
// streams read.
#include <stdlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include <revctl/serialize.h>

#include "golden/stale_records.h"
#include "golden/store.h"
#include "harness/commands/command.h"
#include "harness/testing/test_program.h"
#include "harness/testing/test_stream.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };

/// The newest version of the program, and the first versions that save a timer's mode and a pad's
/// light.
int latest = 1, mode_since = SR_PLAYERS, pad_since = SR_NEXT;

struct Timer {
  std::uint32_t counter = 0;
  std::uint16_t mode = 7;
  std::uint32_t target = 0;
};
struct Pad {
  std::uint32_t buttons = 0;
  std::uint8_t light = 1;
};
SERIALIZE_TYPE(Timer) {
  ADD(SR_INITIAL, counter);
  if (latest >= SR_PLAYERS) {
    ADD(SR_PLAYERS, mode);
  } else {
    SERIALIZE_IGNORE(mode);
  }
  ADD(SR_INITIAL, target);
}
SERIALIZE_END
SERIALIZE_TYPE(Pad) {
  ADD(SR_INITIAL, buttons);
  if (latest >= SR_NEXT) {
    ADD(SR_NEXT, light);
  } else {
    SERIALIZE_IGNORE(light);
  }
}
SERIALIZE_END

/// A complete file, which contains two modules.
struct Whole {
  Timer timer;
  Pad pad;
};
SERIALIZE_TYPE(Whole) {
  ADD(SR_INITIAL, timer);
  ADD(SR_INITIAL, pad);
}
SERIALIZE_END

/// A ring buffer that holds at most eight notes, even if a sample's list contains more.
struct Ring {
  std::vector<std::uint8_t> notes;
};
SERIALIZE_TYPE(Ring) { ADD(SR_INITIAL, notes); }
SERIALIZE_END

class State : public revctl::harness::test::TestStream {
 public:
  using TestStream::TestStream;
  template <class T>
  void DoEx(T& x, std::int64_t since, T otherwise) {
    if (loads() && version() < since) x = otherwise;
    else Do(x);
  }
};

void DoState(State& state, Timer& timer) {
  state.Do(timer.counter);
  if (latest >= SR_PLAYERS) state.DoEx(timer.mode, mode_since, std::uint16_t{7});
  state.Do(timer.target);
}
void DoState(State& state, Pad& pad) {
  state.Do(pad.buttons);
  if (latest >= SR_NEXT) state.DoEx(pad.light, pad_since, std::uint8_t{1});
}

void DoState(State& state, Ring& ring) {
  auto count = static_cast<std::uint32_t>(std::min<std::size_t>(ring.notes.size(), 8));
  state.Do(count);
  if (state.loads()) ring.notes.resize(std::min<std::uint32_t>(count, 8));
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, 8); ++i) state.Do(ring.notes[i]);
}
void DoState(State& state, Whole& whole) {
  DoState(state, whole.timer);
  DoState(state, whole.pad);
}

/// The version and the payload size of each call of `Read`.
std::set<std::pair<std::int64_t, std::size_t>> reads;

struct Streams {
  using Outcome = revctl::harness::BinaryOutcome;
  template <class T>
  static Outcome Write(std::int64_t version, T& object, std::vector<std::byte>& bytes) {
    if (version != latest) return {.ok = false, .reason = "not written any more"};
    State state(version, {}, false);
    DoState(state, object);
    bytes = state.bytes();
    return {};
  }
  template <class T>
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, T& object) {
    reads.emplace(version, bytes.size());
    State state(version, {bytes.begin(), bytes.end()}, true);
    DoState(state, object);
    return state.ReadOutcome("no state");
  }
};

/// A file consists of one byte with the version, followed by the payload.
struct Files {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    if (file.empty()) return {revctl::Status::Kind::NotThisFormat, "no header"};
    parts.revision = std::to_integer<std::int64_t>(file[0]);
    parts.payload = file.subspan(1);
    return {};
  }
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    file.assign(1, std::byte(parts.revision));
    file.insert(file.end(), parts.payload.begin(), parts.payload.end());
    return {};
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
  root.files = {&revctl::TypeOf<T>, &Files::Open, &Files::Make, "state.cpp", 9};
  TraceByStreams(root.entry);
  program.registry.types.push_back(std::move(root));
}

/// Returns the program as it was at `version`.
Program At(int version) {
  latest = version;
  mode_since = SR_PLAYERS;
  pad_since = SR_NEXT;
  Program program(static_cast<std::size_t>(version));
  AddType<Pad>(program);
  AddType<Timer>(program);
  return program;
}

std::vector<std::string> TypesIn(const Folder& folder, const std::string& revision) {
  const golden::Store store = golden::Store::Open(folder.path());
  const golden::StoredRecord* record = store.Find(revision);
  REQUIRE(record != nullptr);
  std::set<std::string> types;
  for (const golden::Case& item : record->record.cases) types.insert(item.type);
  return {types.begin(), types.end()};
}

/// Imports a file with a timer, or with both modules, as the program wrote it at `version`.
void Import(const Program& program, const Folder& folder, int version,
            const std::string& type = "Timer") {
  ::unsetenv("CI");
  const std::string path = folder.path() + "/old.save";
  std::ofstream file(path, std::ios::binary);
  file << static_cast<char>(version) << std::string("\x04\x01\0\0", 4)
       << (version >= SR_PLAYERS ? std::string("\x09\0", 2) : "") << std::string("\x05\0\0\0", 4)
       << (type == "Whole" ? std::string("\x06\0\0\0", 4) : "");
  file.close();
  revctl::ListTable list = program.List();
  Session session;
  session.registry = program.registry;
  session.list = &list;
  session.program = "save_harness";
  session.golden = folder.path();
  session.quiet = true;
  ImportArguments arguments;
  arguments.file = path;
  arguments.type = type;
  arguments.name = "player";
  REQUIRE(RunImport(session, arguments) == Exit::Fine);
}

}  // namespace

TEST_CASE("outside version: an imported file is read only at its own version",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  const Program today = At(4);
  today.Record(folder);
  // There is no golden of SR_PLAYERS, although its files are longer.
  Import(today, folder, SR_INITIAL);
  reads.clear();
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
  CHECK(reads.contains({SR_INITIAL, 8}));
  CHECK_FALSE(reads.contains({SR_FOULS, 8}));
  CHECK_FALSE(reads.contains({SR_PLAYERS, 8}));
  // A later file of a different type must not change the result.
  Import(today, folder, SR_PLAYERS);
  reads.clear();
  CHECK(Errors(today.Check(folder)).empty());
  CHECK_FALSE(reads.contains({SR_FOULS, 8}));
}

TEST_CASE("outside version: an old file that contains a module covers the module's upgrade code",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  Program today = At(3);
  AddType<Whole>(today);
  today.Record(folder);
  const std::string uncovered =
      "Timer: no golden and no sample reaches its code for files older than SR_PLAYERS";
  CHECK_THAT(Text(today.Check(folder)), Catch::Contains(uncovered));
  Import(today, folder, SR_INITIAL, "Whole");
  CHECK_THAT(Text(today.Check(folder)), !Catch::Contains(uncovered));
}

TEST_CASE("outside version: objects may hold fewer elements than generated values",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  Program today = At(1);
  AddType<Ring>(today);
  today.Record(folder);
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
}

TEST_CASE("outside version: a revision records only the types whose bytes change",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  At(1).Record(folder);
  CHECK(TypesIn(folder, "SR_INITIAL") == std::vector<std::string>{"Pad", "Timer"});
  At(2).Record(folder);
  CHECK(TypesIn(folder, "SR_FOULS").empty());
  At(3).Record(folder);
  CHECK(TypesIn(folder, "SR_PLAYERS") == std::vector<std::string>{"Timer"});
  const golden::Store store = golden::Store::Open(folder.path());
  for (const golden::RecordedType& type : store.Find("SR_PLAYERS")->record.types)
    CHECK(type.layout.type == "Timer");
  At(4).Record(folder);
  CHECK(TypesIn(folder, "SR_NO_FOULS").empty());
  const CheckResult result = At(4).Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
}

TEST_CASE("outside version: goldens protect the revisions that inherit them",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  for (int version = 1; version <= 4; ++version) At(version).Record(folder);
  const Program today = At(4);
  mode_since = SR_FOULS;  // files of SR_FOULS contain no mode
  const CheckResult early = today.Check(folder);
  INFO(Text(early));
  CHECK(Find(early, "GH002", "Timer", "mode").revision == "SR_FOULS");
  mode_since = SR_NO_FOULS;  // files of SR_PLAYERS contain a mode
  const CheckResult late = today.Check(folder);
  INFO(Text(late));
  CHECK(Find(late, "GH002", "Timer", "mode").revision == "SR_PLAYERS");
}

TEST_CASE("outside version: the budget applies to a single revision",
          "[harness][opaque][outside_version]") {
  const Folder folder;
  At(1).Record(folder);
  std::uint64_t cost = 0;
  const golden::Store store = golden::Store::Open(folder.path());
  for (const golden::Case& item : store.Find("SR_INITIAL")->record.cases)
    if (item.type == "Timer") cost += StoredCost(item.size, item.values);
  At(2).Record(folder);
  Program third = At(3);
  for (RootType& root : third.registry.types) root.budget = cost * 2;
  third.Record(folder);  // this requires that the goldens fit the budget
  CHECK(TypesIn(folder, "SR_PLAYERS") == std::vector<std::string>{"Timer"});
}

TEST_CASE("outside version: branches that change different types are not stale",
          "[harness][opaque][outside_version][stale]") {
  // SR_PLAYERS changes Timer and SR_NEXT changes Pad. Each revision is recorded without the other
  // one.
  const Folder folder;
  for (int version = 1; version <= 3; ++version) At(version).Record(folder);
  At(4).Record(folder);
  At(5).Record(folder);
  CHECK(TypesIn(folder, "SR_NEXT") == std::vector<std::string>{"Pad"});
  const golden::Store store = golden::Store::Open(folder.path());
  golden::RecordGraph graph;
  graph.Add(0, golden::TypesOf(store.Find("SR_PLAYERS")->record));
  graph.Add(1, golden::TypesOf(store.Find("SR_NEXT")->record));
  const std::vector<std::size_t> others = {0};
  CHECK(graph.Compare(1, others).types.empty());
}

}  // namespace revctl::harness::test
