// Seventeen mistakes in a program that saves its state with its own stream class, as emulators do.
// Each mistake must be found, and the finding must name the member.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <new>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"
#include "harness/testing/test_stream.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };

/// Edits of the program. Most of them are mistakes.
enum class Now {
  AsRecorded,
  SavesStaticMember,  ///< saves a static variable without a version
  GateAboveLatest,    ///< uses the next version in DoEx, but does not raise the constant
  BumpedWithoutGate,  ///< raises the constant, but always reads the new member
  MemberNotSaved,     ///< no longer saves a member that was saved before
  DefaultChanged,     ///< changes the default of a DoEx
  GateTooLow,         ///< uses an older version in DoEx
  ConversionLost,     ///< no longer converts the order of values in old files
  SavedUnderSetting,  ///< saves a member only if a setting is enabled
  SavedTwice,         ///< saves a member twice, by copy and paste
  OneSideOnly,        ///< reading lacks a step that writing makes
  OldFormatTooOld,    ///< the code for old files applies from one version too early
  RewrittenLoop,      ///< no mistake: different code writes the same bytes
  UnsavedMember,      ///< no mistake: adds a static variable that is not saved
  NewVersion          ///< no mistake: adds a member with a new version
};
Now now = Now::AsRecorded;
int latest = SR_NO_FOULS;
/// If true, the writer can also write older versions. If false, it always writes every member.
bool writes_old = true;

std::uint32_t transfer_ticks = 77, seek_ticks = 4, crc = 9;
bool overclocked = false;

/// The program's own stream class. Findings must be located at the callers of its functions.
class StateStream : public revctl::harness::test::TestStream {
 public:
  using TestStream::TestStream;
  template <class T>
  void Do(T& x, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    calls.push_back({at(), "", file, line});
    DoBytes(&x, sizeof x);
  }
  template <class T>
  void DoEx(T& x, int since, T otherwise, const char* file = __builtin_FILE(),
            int line = __builtin_LINE()) {
    const bool skips = loads() || (writes_old && now != Now::GateAboveLatest);
    if (version() < since && skips) x = otherwise;
    else Do(x, file, line);
  }
  void DoQueue(std::vector<std::uint8_t>& queue, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) {
    calls.push_back({at(), "", file, line});
    DoList(queue);
  }
  std::vector<revctl::harness::WrittenField> calls;
};

// Defines the program's types. The arguments are the parts that later edits change.
#define DRIVE(space, TICKS, BUFFERS, KINDS, ENVELOPE, MEMBER, LINE) \
  namespace space {                                                 \
  enum class Kind : std::uint8_t { KINDS };                         \
  struct Envelope ENVELOPE;                                         \
  struct Drive {                                                    \
    std::uint32_t status = 0;                                       \
    std::uint8_t command = 0;                                       \
    std::uint16_t position[3] = {};                                 \
    TICKS ticks = 0;                                                \
    Kind kind = Kind::Data;                                         \
    Envelope envelope;                                              \
    float offset_x = 0, offset_y = 0;                               \
    std::vector<std::uint8_t> queue;                                \
    std::uint16_t buffers[BUFFERS] = {};                            \
    std::uint16_t buttons = 0;                                      \
    std::int8_t scale[4] = {};                                      \
    std::uint64_t clock = 0;                                        \
    std::uint8_t lid = 1;                                           \
    std::uint16_t volume = 0x5A;                                    \
    std::uint16_t speed = 3;                                        \
    MEMBER                                                          \
  };                                                                \
  SERIALIZE_TYPE(Envelope) {                                        \
    ADD(SR_INITIAL, counter);                                       \
    ADD(SR_INITIAL, step);                                          \
    ADD(SR_INITIAL, rate);                                          \
  }                                                                 \
  SERIALIZE_END                                                     \
  SERIALIZE_TYPE(Drive) {                                           \
    ADD(SR_INITIAL, status);                                        \
    ADD(SR_INITIAL, command);                                       \
    ADD(SR_INITIAL, position);                                      \
    ADD(SR_INITIAL, ticks);                                         \
    ADD(SR_INITIAL, kind);                                          \
    ADD(SR_INITIAL, envelope);                                      \
    ADD(SR_INITIAL, offset_x);                                      \
    ADD(SR_INITIAL, offset_y);                                      \
    ADD(SR_INITIAL, queue);                                         \
    ADD(SR_INITIAL, buffers);                                       \
    ADD(SR_INITIAL, buttons);                                       \
    ADD(SR_INITIAL, scale);                                         \
    ADD(SR_INITIAL, clock);                                         \
    if (latest >= SR_FOULS) {                                       \
      ADD(SR_FOULS, lid);                                           \
    } else {                                                        \
      SERIALIZE_IGNORE(lid);                                        \
    }                                                               \
    if (latest >= SR_PLAYERS) {                                     \
      ADD(SR_PLAYERS, volume);                                      \
    } else {                                                        \
      SERIALIZE_IGNORE(volume);                                     \
    }                                                               \
    if (now == Now::NewVersion) {                                   \
      ADD(SR_NEXT, speed);                                          \
    } else {                                                        \
      SERIALIZE_IGNORE(speed);                                      \
    }                                                               \
    LINE                                                            \
  }                                                                 \
  SERIALIZE_END                                                     \
  }                                                                 \
  NAMED(space::Kind, "Kind");                                       \
  NAMED(space::Envelope, "Envelope");                               \
  NAMED(space::Drive, "Drive")

#define ENVELOPE_BEFORE                 \
  {                                     \
    std::int16_t counter = 0, step = 0; \
    std::uint8_t rate = 0;              \
  }

}  // namespace

#define AND ,
DRIVE(before, std::uint32_t, 8, Data AND Audio AND Video, ENVELOPE_BEFORE, , );
DRIVE(fewer_buffers, std::uint32_t, 4, Data AND Audio AND Video, ENVELOPE_BEFORE, , );
DRIVE(wider_ticks, std::uint64_t, 8, Data AND Audio AND Video, ENVELOPE_BEFORE, , );
DRIVE(kind_removed, std::uint32_t, 8, Data AND Video, ENVELOPE_BEFORE, , );
DRIVE(kind_appended, std::uint32_t, 8, Data AND Audio AND Video AND Mixed, ENVELOPE_BEFORE, , );
DRIVE(
    members_swapped, std::uint32_t, 8, Data AND Audio AND Video,
    {
      std::int16_t step = 0 AND counter = 0;
      std::uint8_t rate = 0;
    },
    , );
DRIVE(
    in_padding, std::uint32_t, 8, Data AND Audio AND Video,
    {
      std::int16_t counter = 0 AND step = 0;
      std::uint8_t rate = 0;
      bool muted = false;
    },
    , );
DRIVE(new_member, std::uint32_t, 8, Data AND Audio AND Video, ENVELOPE_BEFORE,
      std::uint32_t wait_ticks = 0;
      , ADD(SR_INITIAL, wait_ticks););

namespace {

/// Saves the struct as a copy of its memory. The padding contains zeros, as in a static variable.
template <class Envelope>
void DoEnvelope(StateStream& p, Envelope& d) {
  alignas(Envelope) unsigned char raw[sizeof(Envelope)] = {};
  auto* staged = new (raw) Envelope;
  const auto copy = [](const Envelope& from, Envelope& to) {
    to.counter = from.counter;
    to.step = from.step;
    to.rate = from.rate;
    if constexpr (requires { to.muted; }) to.muted = from.muted;
  };
  copy(d, *staged);
  p.Do(raw);
  if (p.loads()) copy(*staged, d);
}

template <class Drive>
void DoState(StateStream& p, Drive& d) {
  p.Do(d.status);
  if (now != Now::MemberNotSaved) p.Do(d.command);
  if (now == Now::SavesStaticMember) {
    p.Do(transfer_ticks);
  }
  if (now != Now::SavedUnderSetting || overclocked) p.Do(d.position);
  if constexpr (requires { d.wait_ticks; }) p.Do(d.wait_ticks);
  p.Do(d.ticks);
  p.Do(d.kind);
  DoEnvelope(p, d.envelope);
  p.Do(d.offset_x);
  p.Do(now == Now::SavedTwice ? d.offset_x : d.offset_y);
  p.DoQueue(d.queue);
  if (now == Now::GateAboveLatest) {
    p.DoEx(crc, SR_NEXT, 0U);
  }
  if (now == Now::RewrittenLoop) {
    for (std::size_t i = 0; i < std::size(d.buffers); ++i) p.Do(d.buffers[i]);
  } else {
    p.Do(d.buffers);
  }
  auto stored = static_cast<std::uint16_t>(~d.buttons);
  p.Do(stored);
  if (p.loads()) d.buttons = now == Now::OneSideOnly ? stored : static_cast<std::uint16_t>(~stored);
  if (now == Now::BumpedWithoutGate) {
    p.Do(seek_ticks);
  }
  p.Do(d.scale);
  // Files that are older than SR_NO_FOULS contain the scale in reverse order.
  if (latest >= SR_NO_FOULS && p.version() < SR_NO_FOULS && p.loads() && now != Now::ConversionLost)
    std::reverse(std::begin(d.scale), std::end(d.scale));
  if (p.version() < (now == Now::OldFormatTooOld ? SR_FOULS : SR_PLAYERS)) {
    auto seconds = static_cast<std::uint32_t>(d.clock);
    p.Do(seconds);
    if (p.loads()) d.clock = seconds;
  } else {
    p.Do(d.clock);
  }
  if (latest >= SR_FOULS) {
    p.DoEx(d.lid, now == Now::GateTooLow ? SR_INITIAL : SR_FOULS, std::uint8_t{1});
  }
  if (latest >= SR_PLAYERS) {
    p.DoEx(d.volume, SR_PLAYERS, std::uint16_t(now == Now::DefaultChanged ? 0 : 0x5A));
  }
  if (now == Now::NewVersion) p.DoEx(d.speed, SR_NEXT, std::uint16_t{3});
}

struct Streams {
  using Outcome = revctl::harness::BinaryOutcome;
  static constexpr const char* AddField = "p.DoEx({field}, {revision}, {default});";
  static constexpr const char* RemoveField =
      "if (p.version() < {revision}) { {type} {field}{}; p.Do({field}); }";

  template <class Drive>
  static Outcome Write(std::int64_t version, Drive& drive, std::vector<std::byte>& bytes) {
    if (!writes_old && version != latest) return {.ok = false, .reason = "not written any more"};
    StateStream p(version, {}, false);
    DoState(p, drive);
    bytes = p.bytes();
    return {};
  }
  template <class Drive>
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, Drive& drive) {
    StateStream p(version, {bytes.begin(), bytes.end()}, true);
    DoState(p, drive);
    return p.ReadOutcome("no state");
  }
};

/// Streams that also report the writer's calls.
struct TracedStreams : Streams {
  template <class Drive>
  static std::vector<revctl::harness::WrittenField> Trace(std::int64_t version, Drive& drive) {
    StateStream p(version, {}, false);
    DoState(p, drive);
    return p.calls;
  }
};

}  // namespace

namespace revctl::harness::test {
namespace {

template <class Drive, class By>
Program With(int version) {
  latest = version;
  Program program(static_cast<std::size_t>(version));
  RootType root;
  root.entry = revctl::harness::detail::EntryBy<Drive, By, revctl::harness::Opaque>(1, "SR_INITIAL",
                                                                                    "drive.cpp", 7);
  root.name = root.entry.type().name();
  TraceByStreams(root.entry);
  program.registry.types.push_back(std::move(root));
  program.Sample("busy", [](void* object) {
    auto& d = *static_cast<Drive*>(object);
    d.status = 0x01020304;
    d.command = 0x15;
    d.position[0] = 0x1617;
    d.ticks = 0x21222324;
    d.kind = {};
    d.envelope.counter = 0x3132;
    d.envelope.step = 0x4142;
    d.offset_x = 1.5F;
    d.offset_y = -2.5F;
    d.queue = {7, 8, 9};
    d.buttons = 0x5152;
    d.scale[0] = 1;
    d.scale[3] = -47;
    d.clock = 0x61626364;
  });
  return program;
}

/// Records goldens of four versions, each with the code of that version.
void RecordAll(const Folder& folder) {
  now = Now::AsRecorded;
  writes_old = true;
  for (int version = SR_INITIAL; version <= SR_NO_FOULS; ++version)
    With<before::Drive, Streams>(version).Record(folder);
}

template <class Drive, class By>
CheckResult CheckAfter(const Folder& folder, Now edit, int version) {
  now = edit;
  CheckResult result = With<Drive, By>(version).Check(folder);
  now = Now::AsRecorded;
  latest = SR_NO_FOULS;
  return result;
}

bool Has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// True if an error with this rule names the member and contains all `words`.
bool Says(const CheckResult& result, const std::string& rule, const std::string& member,
          const std::vector<std::string>& words) {
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
    const std::string text = finding.message + "\n" + finding.details + "\n" + FixText(finding.fix);
    return finding.severity == Severity::Error && findings::NameOf(finding.rule) == rule &&
           Has(finding.message, member) &&
           std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return Has(text, word); });
  });
}

struct Mistake {
  const char* name;
  CheckResult (*check)(const Folder& folder, Now edit, int version);
  Now edit;
  int version;
  const char* rule;
  const char* member;
  std::vector<std::string> words;
};

template <class Drive>
constexpr auto kTraced = &CheckAfter<Drive, TracedStreams>;

const std::vector<Mistake>& Mistakes() {
  static const std::vector<Mistake> all = {
      {"m01",
       kTraced<before::Drive>,
       Now::SavesStaticMember,
       SR_NO_FOULS,
       "GH002",
       "Drive.transfer_ticks",
       {"4 bytes more than recorded at byte 5", "a member was added without a revision",
        "writer: p.Do(transfer_ticks);", "revctl reserve SR_TRANSFER_TICKS\n",
        "p.DoEx(transfer_ticks, SR_TRANSFER_TICKS, 0);"}},
      {"m02",
       kTraced<before::Drive>,
       Now::GateAboveLatest,
       SR_NO_FOULS,
       "GH002",
       "Drive.crc",
       {"4 bytes more than recorded", "a member was added without a revision"}},
      {"m03",
       kTraced<before::Drive>,
       Now::BumpedWithoutGate,
       SR_NEXT,
       "GH002",
       "Drive.seek_ticks",
       {"4 bytes more than recorded", "p.DoEx(seek_ticks, SR_NEXT, 0);"}},
      {"m04",
       kTraced<before::Drive>,
       Now::MemberNotSaved,
       SR_NO_FOULS,
       "GH002",
       "Drive.command",
       {"1 byte fewer than recorded at byte 4", "no longer saved", "SR_NO_COMMAND"}},
      {"m05",
       kTraced<fewer_buffers::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH001",
       "Drive.buffers",
       {"array resized", "p.DoEx(buffers,"}},
      {"m06",
       kTraced<wider_ticks::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH001",
       "Drive.ticks",
       {"retyped", "p.DoEx(ticks,"}},
      {"m07",
       kTraced<before::Drive>,
       Now::DefaultChanged,
       SR_NO_FOULS,
       "GH004",
       "Drive.volume",
       {"upgraded to 0, not to 90", "p.DoEx(volume, SR_PLAYERS, 90);"}},
      {"m08",
       kTraced<before::Drive>,
       Now::GateTooLow,
       SR_NO_FOULS,
       "GH002",
       "Drive.lid",
       {"1 byte more than recorded", "the member was added in SR_FOULS", "p.DoEx(lid, SR_FOULS,"}},
      {"m09",
       kTraced<kind_removed::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH001",
       "Audio",
       {"was removed"}},
      {"m10", kTraced<before::Drive>, Now::ConversionLost, SR_NO_FOULS, "GH004", "Drive.scale", {}},
      {"m11",
       kTraced<members_swapped::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH003",
       "Drive.envelope.counter",
       {"Drive.envelope.counter was", "envelope.step"}},
      {"m12",
       kTraced<before::Drive>,
       Now::SavedUnderSetting,
       SR_NO_FOULS,
       "GH002",
       "Drive.position",
       {"6 bytes fewer than recorded at byte 5", "under a condition"}},
      {"m13", kTraced<before::Drive>, Now::SavedTwice, SR_NO_FOULS, "GH003", "Drive.offset_x", {}},
      {"m14", kTraced<before::Drive>, Now::OneSideOnly, SR_NO_FOULS, "GH003", "Drive.buttons", {}},
      {"m15",
       kTraced<before::Drive>,
       Now::OldFormatTooOld,
       SR_NO_FOULS,
       "GH002",
       "Drive.clock",
       {"4 bytes more than recorded", "saved in a different form"}},
      {"m16",
       kTraced<in_padding::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH007",
       "Envelope",
       {"1 of 4 members"}},
      {"m17",
       kTraced<new_member::Drive>,
       Now::AsRecorded,
       SR_NO_FOULS,
       "GH001",
       "Drive.wait_ticks",
       {"added without a new revision", "revctl reserve SR_WAIT_TICKS\n",
        "p.DoEx(wait_ticks, SR_WAIT_TICKS, 0);", "ADD(SR_WAIT_TICKS, wait_ticks);"}},
  };
  return all;
}

}  // namespace

TEST_CASE("own serializer: every mistake names the member", "[harness][opaque][own_serializer]") {
  const Folder folder;
  RecordAll(folder);
  for (const Mistake& mistake : Mistakes()) {
    const CheckResult result = mistake.check(folder, mistake.edit, mistake.version);
    INFO(mistake.name << "\n" << Text(result));
    CHECK(Says(result, mistake.rule, mistake.member, mistake.words));
  }
}

TEST_CASE("own serializer: without a trace of calls, the values reveal the place",
          "[harness][opaque][own_serializer]") {
  const Folder folder;
  RecordAll(folder);
  const auto check = [&](Now edit, int version, const std::string& member,
                         const std::vector<std::string>& words) {
    const CheckResult result = CheckAfter<before::Drive, Streams>(folder, edit, version);
    INFO(Text(result));
    CHECK(Says(result, "GH002", member, words));
  };
  check(Now::SavesStaticMember, SR_NO_FOULS, "Drive",
        {"4 bytes more than recorded at byte 5, after `command`"});
  check(Now::BumpedWithoutGate, SR_NEXT, "Drive", {"4 bytes more", "after `buttons`"});
  check(Now::MemberNotSaved, SR_NO_FOULS, "Drive.command", {"1 byte fewer"});
  check(Now::GateTooLow, SR_NO_FOULS, "Drive.lid", {"the member was added in SR_FOULS"});
  check(Now::SavedUnderSetting, SR_NO_FOULS, "Drive.position", {"6 bytes fewer"});
}

TEST_CASE("own serializer: names the member even if the writer supports only the latest version",
          "[harness][opaque][own_serializer]") {
  const Folder folder;
  RecordAll(folder);
  writes_old = false;
  const auto check = [&](Now edit, int version, const std::string& member) {
    const CheckResult result = CheckAfter<before::Drive, TracedStreams>(folder, edit, version);
    INFO(Text(result));
    CHECK(Says(result, "GH002", member, {}));
  };
  check(Now::SavesStaticMember, SR_NO_FOULS, "Drive.transfer_ticks");
  check(Now::BumpedWithoutGate, SR_NEXT, "Drive.seek_ticks");
  check(Now::MemberNotSaved, SR_NO_FOULS, "Drive.command");
  check(Now::GateTooLow, SR_NO_FOULS, "Drive.lid");
  check(Now::OldFormatTooOld, SR_NO_FOULS, "Drive.clock");
  writes_old = true;
}

TEST_CASE("own serializer: sound changes cause no findings", "[harness][opaque][own_serializer]") {
  const Folder folder;
  RecordAll(folder);
  for (const bool old : {true, false}) {
    for (const Now edit : {Now::AsRecorded, Now::RewrittenLoop, Now::UnsavedMember}) {
      writes_old = old;
      const CheckResult result =
          CheckAfter<before::Drive, TracedStreams>(folder, edit, SR_NO_FOULS);
      INFO(Text(result));
      CHECK(Errors(result).empty());
    }
  }
  writes_old = true;
  const CheckResult appended =
      CheckAfter<kind_appended::Drive, TracedStreams>(folder, Now::AsRecorded, SR_NO_FOULS);
  INFO(Text(appended));
  CHECK(Errors(appended).empty());
  CHECK(Find(appended, "GH001", "Kind", "Mixed").severity == Severity::Note);

  now = Now::NewVersion;
  With<before::Drive, Streams>(SR_NEXT).Record(folder);
  const CheckResult recorded =
      CheckAfter<before::Drive, TracedStreams>(folder, Now::NewVersion, SR_NEXT);
  INFO(Text(recorded));
  CHECK(Errors(recorded).empty());
}

TEST_CASE("own serializer: proposed names are short", "[harness][opaque][own_serializer]") {
  const Folder folder;
  RecordAll(folder);
  const CheckResult result =
      CheckAfter<fewer_buffers::Drive, TracedStreams>(folder, Now::AsRecorded, SR_NO_FOULS);
  const std::string text = Text(result);
  INFO(text);
  const std::string reserve = "revctl reserve ";
  bool any = false;
  for (std::size_t at = text.find(reserve); at != std::string::npos;
       at = text.find(reserve, at + 1)) {
    any = true;
    const std::size_t begin = at + reserve.size();
    CHECK(text.find_first_of(" \n", begin) - begin <= 32);
  }
  CHECK(any);
}

}  // namespace revctl::harness::test
