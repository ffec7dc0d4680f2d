// Tests HARNESS_TYPE_BY(T, SR, Streams, Opaque): only the program's own streams know the wire
// format.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/commands/command.h"
#include "harness/selftest/selftest.h"
#include "harness/testing/test_program.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// SR_FOULS adds a tempo to a track and inverts the lowest bit of each note. SR_PLAYERS changes
/// only the encoding.
struct Track {
  std::string title;
  std::vector<std::uint32_t> notes;
  std::uint32_t tempo = 120;
};
SERIALIZE_TYPE(Track) {
  ADD(SR_INITIAL, title);
  ADD(SR_INITIAL, notes);
  ADD(SR_FOULS, tempo);
}
SERIALIZE_END

/// The memory of a console, which exceeds the size limit for goldens.
struct SaveRam {
  std::array<std::uint8_t, 65 << 20> ram{};
};
SERIALIZE_TYPE(SaveRam) { ADD(SR_INITIAL, ram); }
SERIALIZE_END

struct SaveTally {
  std::int32_t points = 0;
};
SERIALIZE_TYPE(SaveTally) { ADD(SR_INITIAL, points); }
SERIALIZE_END

using ByteString = std::vector<std::byte>;
using Outcome = revctl::harness::BinaryOutcome;

/// How the streams were edited after the goldens were recorded.
enum class Now {
  AsBefore,
  OtherForm,
  OtherFormSincePlayers,
  DropsLastNote,
  TrustsCounts,
  LosesUpgrade,
  OnlyNewest
};

void PutVarint(ByteString& bytes, std::uint64_t number) {
  for (; number > 0x7F; number >>= 7U) bytes.push_back(std::byte(number | 0x80));
  bytes.push_back(std::byte(number));
}

/// Reads as many values as possible, and remembers whether an error occurred.
struct Source {
  std::span<const std::byte> bytes;
  std::size_t at = 0;
  bool ok = true;

  std::uint64_t Varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (at == bytes.size()) break;
      const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
      number |= (byte & 0x7F) << shift;
      if (byte < 0x80) return number;
    }
    ok = false;
    return 0;
  }
};

/// Numbers have a variable length, and a note that equals the previous one is written as zero.
/// `latest` is the latest revision in the program's list.
template <Now now, int latest>
struct Streams {
  static Outcome Write(std::int64_t revision, Track& track, ByteString& bytes) {
    if (now == Now::OnlyNewest && revision != latest) return {false, false, 0, "", "not any more"};
    bytes.clear();
    PutVarint(bytes, track.title.size());
    for (const char letter : track.title) bytes.push_back(std::byte(letter));
    PutVarint(bytes, track.notes.size());
    const bool whole =
        now == Now::OtherForm || (now == Now::OtherFormSincePlayers && revision >= SR_PLAYERS);
    std::uint64_t before = 0;
    bool first = true;
    for (const std::uint32_t note : track.notes) {
      PutVarint(bytes, !first && note == before && !whole ? 0 : std::uint64_t{note} + 1);
      before = note;
      first = false;
    }
    if (revision >= SR_FOULS) PutVarint(bytes, track.tempo);
    return {};
  }
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t revision, Track& track) {
    Source in{bytes};
    const std::uint64_t letters = in.Varint();
    in.ok = in.ok && letters <= bytes.size() - in.at;
    track.title.clear();
    for (std::uint64_t i = 0; in.ok && i < letters; ++i)
      track.title += static_cast<char>(bytes[in.at++]);
    const std::uint64_t notes = in.Varint();
    if constexpr (now != Now::TrustsCounts) in.ok = in.ok && notes <= bytes.size() - in.at;
    track.notes.clear();
    for (std::uint64_t i = 0; in.ok && i < notes; ++i) {
      const std::uint64_t note = in.Varint();
      if (now == Now::TrustsCounts && !in.ok) return {true, true, in.at, "", ""};
      if ((note == 0 && track.notes.empty()) || note > std::uint64_t{1} << 32U) in.ok = false;
      if (in.ok)
        track.notes.push_back(note == 0 ? track.notes.back()
                                        : static_cast<std::uint32_t>(note - 1));
    }
    if (now == Now::DropsLastNote && track.notes.size() > 2) track.notes.pop_back();
    if (revision >= SR_FOULS) {
      const std::uint64_t tempo = in.Varint();
      in.ok = in.ok && tempo <= 0xFFFFFFFF;
      track.tempo = static_cast<std::uint32_t>(tempo);
    } else if (latest >= SR_FOULS && now != Now::LosesUpgrade) {
      track.tempo = 60;
      for (std::uint32_t& note : track.notes) note ^= 1;
    }
    return {in.ok, in.at == bytes.size(), in.at, "", in.ok ? "" : "not a track"};
  }
};

}  // namespace

namespace revctl::harness::test {
namespace {

template <Now now, int latest>
Program With() {
  Program program(latest);
  RootType root;
  root.entry =
      revctl::harness::detail::EntryBy<Track, Streams<now, latest>, revctl::harness::Opaque>(
          1, "SR_INITIAL", "track.cpp", 7);
  root.name = root.entry.type().name();
  TraceByStreams(root.entry);
  program.registry.types.push_back(std::move(root));
  program.Sample("twice", [](void* object) {
    *static_cast<Track*>(object) = {"twice", {440, 440, 440, 3, 3}, 90};
  });
  return program;
}

ByteString PayloadOf(const Folder& folder, const std::string& revision, const std::string& name) {
  const golden::Store store = golden::Store::Open(folder.path());
  const golden::StoredRecord* record = store.Find(revision);
  REQUIRE(record != nullptr);
  for (const golden::Case& item : record->record.cases) {
    if (item.name != name) continue;
    const auto payload = golden::Store::Payload(*record, item);
    return {payload.begin(), payload.end()};
  }
  FAIL("no golden " << name);
  return {};
}

std::vector<std::string> ErrorsIn(const Program& program, const Folder& folder) {
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).size() < 3);
  return Errors(result);
}

/// Captures what this process writes to stdout and stderr.
class Said {
 public:
  explicit Said(const Folder& folder) : file_(folder.path() + ".said") {
    std::fflush(nullptr);
    const int to = ::open(file_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(to, 1);
    ::dup2(to, 2);
    ::close(to);
  }
  std::string Take() {
    std::fflush(nullptr);
    ::dup2(out_, 1);
    ::dup2(err_, 2);
    return harness::test::Bytes(file_);
  }
  ~Said() {
    (void)Take();
    ::close(out_);
    ::close(err_);
    ::unlink(file_.c_str());
  }

 private:
  std::string file_;
  int out_ = ::dup(1), err_ = ::dup(2);
};

struct Commands {
  Commands(const Program& program, const Folder& folder) : folder_(folder), list_(program.List()) {
    session_.registry = program.registry;
    session_.list = &list_;
    session_.program = "save_harness";
    session_.golden = folder.path();
  }
  template <class Arguments>
  Ran Run(Exit (*command)(const Session&, const Arguments&), const Arguments& arguments) {
    Said said(folder_);
    const Exit exit = command(session_, arguments);
    return {static_cast<int>(exit), said.Take(), ""};
  }

 private:
  const Folder& folder_;
  revctl::ListTable list_;
  Session session_;
};

}  // namespace

TEST_CASE("opaque: goldens contain the bytes of the program's own writer", "[harness][opaque]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  const CheckResult fine = today.Check(folder);
  INFO(Text(fine));
  CHECK(fine.findings.empty());

  Track track{"twice", {440, 440, 440, 3, 3}, 90};
  ByteString bytes;
  (void)Streams<Now::AsBefore, 2>::Write(2, track, bytes);
  CHECK(PayloadOf(folder, "SR_FOULS", "twice") == bytes);
}

TEST_CASE("opaque: reports a changed writer, with the byte and the value", "[harness][opaque]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  With<Now::AsBefore, 2>().Record(folder);
  const CheckResult result = With<Now::OtherForm, 2>().Check(folder);
  INFO(Text(result));
  // The bytes are `05 t w i c e`, then `05`, then 441 in two bytes, and then zero for the second
  // note.
  const Finding finding = Find(result, "GH002", "Track", "notes[1]");
  CHECK(finding.severity == Severity::Error);
  CHECK_THAT(Text(result), Catch::Contains("Track.notes[1]: byte 9 was written as 0x00, but is now "
                                           "written as 0xb9, although the values are the same"));
  CHECK_THAT(FixText(finding.fix), Catch::Contains("use a new revision"));
  CHECK(Errors(result).size() == 1);
}

TEST_CASE("opaque: reports a value that is missing from an older revision's record",
          "[harness][opaque]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  // As if these goldens had been recorded on a branch that does not have the member.
  const std::string path = folder.path() + "/SR_INITIAL.yaml";
  std::istringstream record(harness::test::Bytes(path));
  std::string without;
  for (std::string line; std::getline(record, line);) {
    if (!line.starts_with("      title: ")) without += line + "\n";
  }
  std::ofstream(path) << without;
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH003", "Track", "title");
  CHECK_THAT(finding.message, Catch::Contains("was absent, but is now read as"));
}

TEST_CASE("opaque: a new encoding gets its own goldens", "[harness][opaque]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  With<Now::AsBefore, 2>().Record(folder);
  const Program today = With<Now::OtherFormSincePlayers, 3>();
  CHECK(ErrorsIn(today, folder) == std::vector<std::string>{"GH007 ."});
  today.Record(folder);
  CHECK(ErrorsIn(today, folder).empty());
  CHECK(PayloadOf(folder, "SR_PLAYERS", "twice").size() >
        PayloadOf(folder, "SR_FOULS", "twice").size());
  const Program back = With<Now::AsBefore, 3>();
  CHECK(ErrorsIn(back, folder) == std::vector<std::string>{"GH002 Track.notes[1]"});
}

TEST_CASE("opaque: a writer may reject older revisions", "[harness][opaque]") {
  const Folder folder;
  With<Now::OnlyNewest, 1>().Record(folder);
  With<Now::OnlyNewest, 2>().Record(folder);
  CHECK(ErrorsIn(With<Now::OnlyNewest, 2>(), folder).empty());
  CHECK(ErrorsIn(With<Now::OnlyNewest, 3>(), folder) == std::vector<std::string>{"GH007 ."});
  With<Now::OnlyNewest, 3>().Record(folder);
  // SR_PLAYERS does not change Track, so Track inherits the goldens of the previous revision.
  CHECK(golden::Store::Open(folder.path()).Find("SR_PLAYERS")->record.cases.empty());
  CHECK(ErrorsIn(With<Now::OnlyNewest, 3>(), folder).empty());
}

TEST_CASE("opaque: reports readers that behave differently", "[harness][opaque]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  With<Now::AsBefore, 2>().Record(folder);

  const CheckResult dropped = With<Now::DropsLastNote, 2>().Check(folder);
  INFO(Text(dropped));
  CHECK_THAT(Find(dropped, "GH003", "Track", "notes#count").message, Catch::Contains("notes"));

  const CheckResult trusting = With<Now::TrustsCounts, 2>().Check(folder);
  INFO(Text(trusting));
  CHECK_THAT(Text(trusting), Catch::Contains("GH006") && Catch::Contains(" bytes still loads"));

  const CheckResult lost = With<Now::LosesUpgrade, 2>().Check(folder);
  INFO(Text(lost));
  const auto errors = Errors(lost);
  CHECK(std::any_of(errors.begin(), errors.end(),
                    [](const std::string& error) { return error.starts_with("GH004 Track."); }));
}

TEST_CASE("opaque: readers get a non-null pointer for an empty payload", "[harness][opaque]") {
  struct Address {
    static Outcome Write(std::int64_t, Track&, ByteString&) { return {}; }
    static Outcome Read(std::span<const std::byte> bytes, std::int64_t, Track&) {
      return {bytes.data() != nullptr, bytes.empty(), bytes.size(), "", ""};
    }
  };
  const auto entry =
      revctl::harness::detail::EntryBy<Track, Address>(1, "SR_INITIAL", "track.cpp", 7);
  Track track;
  const Outcome read = entry.read({}, 1, &track);
  CHECK(read.ok);
  CHECK(read.at_end);
}

TEST_CASE("opaque: the record command records what it can", "[harness][opaque]") {
  ::unsetenv("CI");
  const Folder folder;
  const Program program = Program(1).Type<SaveRam>().Type<SaveTally>();
  const Ran ran = Commands(program, folder).Run(RunRecord, RecordArguments{});
  INFO(ran.out << ran.err);
  CHECK(ran.exit == static_cast<int>(Exit::Findings));
  CHECK_THAT(ran.out + ran.err,
             Catch::Contains("error: SaveRam: even an empty object has 68157440 bytes") &&
                 Catch::Contains("recorded SR_INITIAL: 1 layout"));
  CHECK(golden::Store::Open(folder.path()).Has("SR_INITIAL"));
  const Folder other;
  const Ran none = Commands(Program(1).Type<SaveRam>(), other).Run(RunRecord, RecordArguments{});
  CHECK_THAT(none.out + none.err, Catch::Contains("nothing was recorded"));
  CHECK_FALSE(golden::Store::Open(other.path()).Has("SR_INITIAL"));
}

TEST_CASE("opaque: older revisions are not backfilled", "[harness][opaque][backfill]") {
  const Folder folder;
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  RecordArguments arguments;
  arguments.backfill = arguments.allow_ci = true;
  const Ran refused = Commands(today, folder).Run(RunRecord, arguments);
  CHECK(refused.exit == static_cast<int>(Exit::Usage));
  CHECK_THAT(refused.out,
             Catch::Contains("Track: its wire kind is Opaque, so only the original code "
                             "can write goldens of older revisions"));
  const golden::Store store = golden::Store::Open(folder.path());
  CHECK_FALSE(store.Has("SR_INITIAL"));
  const revctl::ListTable list = today.List();
  const Recording recording =
      harness::Record(today.registry, History(list, store), 0, {"record --backfill", 1, {}, true});
  CHECK(recording.nothing);
  CHECK(recording.record.cases.empty());
}

TEST_CASE("opaque: suggests a command that creates older goldens", "[harness][opaque][backfill]") {
  ::unsetenv("CI");
  const Folder folder;
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  const auto said = [&] { return Text(today.Check(folder)); };
  CHECK_THAT(said(), Catch::Contains("SR_INITIAL: older than the first goldens") &&
                         Catch::Contains("files older than SR_FOULS") &&
                         Catch::Contains(" import FILE --type Track --name NAME") &&
                         !Catch::Contains("--backfill"));
  Track track{"old", {1, 2}, 0};
  ByteString bytes;
  (void)Streams<Now::AsBefore, 1>::Write(1, track, bytes);
  const std::string file = folder.path() + "/old.bin";
  std::FILE* old = std::fopen(file.c_str(), "wb");
  REQUIRE(old != nullptr);
  std::fwrite(bytes.data(), 1, bytes.size(), old);
  std::fclose(old);
  REQUIRE(Commands(today, folder).Run(RunImport, {file, "", "old", "SR_INITIAL", false}).exit == 0);
  CHECK(said().empty());
}

TEST_CASE("opaque: a refresh keeps the values", "[harness][opaque][refresh]") {
  const Folder folder;
  With<Now::AsBefore, 1>().Record(folder);
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  const ByteString before = PayloadOf(folder, "SR_FOULS", "twice");
  const ByteString automatic = PayloadOf(folder, "SR_FOULS", "auto-1");
  RecordArguments arguments;
  arguments.refresh = {"SR_FOULS"};
  arguments.allow_ci = true;
  const Ran refreshed = Commands(today, folder).Run(RunRecord, arguments);
  INFO(refreshed.out);
  CHECK(refreshed.exit == 0);
  CHECK_THAT(refreshed.out, !Catch::Contains("not kept"));
  CHECK(PayloadOf(folder, "SR_FOULS", "twice") == before);
  CHECK(PayloadOf(folder, "SR_FOULS", "auto-1") == automatic);
  CHECK(ErrorsIn(today, folder).empty());
}

TEST_CASE("opaque: commands for files report what they support", "[harness][opaque][commands]") {
  ::unsetenv("CI");
  const Folder folder;
  const Program today = With<Now::AsBefore, 2>();
  today.Record(folder);
  Commands commands(today, folder);
  const std::string golden = folder.path() + "/SR_FOULS.golden", file = folder.path() + "/x.save";

  const Ran dump = commands.Run(RunDump, {golden, "", "", true, false});
  CHECK(dump.exit == 0);
  CHECK_THAT(dump.out, Catch::Contains("\nnotes[1]: 440\n"));
  const Ran textconv = commands.Run(RunDump, {golden, "", "", false, true});
  CHECK_THAT(textconv.out, Catch::Contains("          notes[1]: 440\n"));

  const std::string json = folder.path() + "/x.json";
  std::FILE* text = std::fopen(json.c_str(), "w");
  REQUIRE(text != nullptr);
  std::fputs(R"({"title": "abc", "notes": [7, 7], "tempo": 99})", text);
  std::fclose(text);
  ConvertArguments from;
  from.file = json;
  from.from_json = true;
  from.output = file;
  CHECK(commands.Run(RunConvert, from).exit == 0);
  const ByteString payload = [&] {
    Track track{"abc", {7, 7}, 99};
    ByteString bytes;
    (void)Streams<Now::AsBefore, 2>::Write(2, track, bytes);
    return bytes;
  }();
  const std::string saved = harness::test::Bytes(file);
  REQUIRE(saved.size() > payload.size());
  CHECK(std::equal(payload.rbegin(), payload.rend(), saved.rbegin(),
                   [](std::byte b, char c) { return b == std::byte(c); }));
  ConvertArguments to;
  to.file = file;
  to.to_json = true;
  CHECK_THAT(commands.Run(RunConvert, to).out, Catch::Contains("\"tempo\": 99"));

  const Ran anonymous = commands.Run(RunImport, {file, "", "bug", "", true});
  CHECK(anonymous.exit == static_cast<int>(Exit::Usage));
  CHECK_THAT(anonymous.out, Catch::Contains("the positions of its strings are unknown"));
  CHECK(commands.Run(RunImport, {file, "", "bug", "", false}).exit == 0);
  CHECK(ErrorsIn(today, folder).empty());

  SchemaArguments kaitai;
  kaitai.format = "ksy";
  const Ran schema = commands.Run(RunSchema, kaitai);
  CHECK(schema.exit == static_cast<int>(Exit::Usage));
  CHECK_THAT(schema.out, Catch::Contains("its bytes cannot be described"));

  const Ran selftest = commands.Run(RunSelfTest, SelfTestArguments());
  INFO(selftest.out);
  CHECK(selftest.exit == 0);
  CHECK_THAT(selftest.out, !Catch::Contains("terminates the process"));
}

}  // namespace revctl::harness::test
