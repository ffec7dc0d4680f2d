// Mistakes that no layout reveals must be found no matter how the store was made: by recording each
// revision with its own code, by a refresh after another branch landed, by a backfill, or by a
// project that began to record long after its list began.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>

#include <revctl/harness.h>
#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

/// Whether a variant of the code contains the mistake.
enum Code { Sound, Mistaken };

template <Code code>
struct Hud {
  std::int32_t id = 0, later = 0;
  bool shown = false;
};
template <>
struct Hud<Mistaken> {
  std::int32_t id = 0, later = 0;
  bool shown;
};
SERIALIZE_TEMPLATE((Code code), Hud<code>) {
  ADD(SR_INITIAL, id);
  ADD(SR_INITIAL, shown);
  ADD(SR_FOULS, later);
}
SERIALIZE_END

template <Code code>
struct Tile {
  std::int32_t kind = 0;
};

}  // namespace

template <Code code>
struct revctl::WireAs<Tile<code>> {
  using Type = std::int16_t;
  static Type ToWire(Tile<code> tile) {
    return static_cast<Type>(code == Mistaken ? tile.kind & 0xFF : tile.kind);
  }
  static bool FromWire(Type wire, Tile<code>& tile) {
    tile.kind = wire;
    return true;
  }
};

namespace {

template <Code code>
struct Level {
  Tile<code> tile;
  std::int32_t later = 0;
};
SERIALIZE_TEMPLATE((Code code), Level<code>) {
  ADD(SR_INITIAL, tile);
  ADD(SR_FOULS, later);
}
SERIALIZE_END

/// The two variants need separate bodies, because the harness reads the source of a body, including
/// the branches for other types.
template <Code code>
struct Never {
  std::int32_t hp = 0, later = 0;
};
SERIALIZE_TYPE(Never<Sound>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, later);
}
SERIALIZE_END
SERIALIZE_TYPE(Never<Mistaken>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, later);
  if (r.IsReading() && r.revision < SR_INITIAL) d.hp = 1;
}
SERIALIZE_END

template <Code code>
struct Above {
  std::int32_t hp = 0, later = 0;
};
SERIALIZE_TEMPLATE((Code code), Above<code>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, later);
  if constexpr (code == Mistaken) {
    if (r.revision >= 99) Serialize(r, d.hp);
  }
}
SERIALIZE_END

template <Code code>
struct Sized {
  std::int32_t hp = 0, later = 0;
};
SERIALIZE_TEMPLATE((Code code), Sized<code>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, later);
  if constexpr (code == Mistaken) {
    REM(SR_INITIAL, SR_FOULS, std::size_t, old_score, 0);
  } else {
    REM(SR_INITIAL, SR_FOULS, std::uint64_t, old_score, 0);
  }
}
SERIALIZE_END

struct Counted {
  std::size_t count = 0;
};
SERIALIZE_TYPE(Counted) { ADD(SR_INITIAL, count); }
SERIALIZE_END

bool networkmode = false;
template <Code code>
struct Client {
  std::int32_t id = 0, later = 0, ping = 0;
};
SERIALIZE_TEMPLATE((Code code), Client<code>) {
  ADD(SR_INITIAL, id);
  ADD(SR_FOULS, later);
  if constexpr (code == Mistaken) {
    if (networkmode) {
      ADD(SR_INITIAL, ping);
    }
  } else {
    SERIALIZE_IGNORE(ping);
  }
}
SERIALIZE_END

/// A type with a sample that modifies a global variable, and thereby changes the next sample.
template <Code code>
struct Party {
  std::int32_t id = 0, later = 0;
};
std::int32_t party_size = 0;
SERIALIZE_TEMPLATE((Code code), Party<code>) {
  ADD(SR_INITIAL, id);
  ADD(SR_FOULS, later);
  std::int32_t size = code == Mistaken ? party_size : 0;
  Serialize(r, size);
}
SERIALIZE_END

template <Code code>
struct Bag {
  static constexpr std::size_t kSlots = code == Mistaken ? 10 : 11;
  std::int32_t gold = 5, weight = 6;
  std::array<std::int32_t, kSlots> slot{};
};
SERIALIZE_TEMPLATE((Code code), Bag<code>) {
  ADD(SR_INITIAL, gold);
  for (std::size_t i = 0; i < Bag<code>::kSlots; ++i) Serialize(r, d.slot[i]);
  ADD(SR_FOULS, weight);
}
SERIALIZE_END

template <Code code>
struct Unit {
  std::int32_t hp = 10, grams = 1;
};
SERIALIZE_TEMPLATE((Code code), Unit<code>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, grams);
  if constexpr (code == Mistaken) {
    if (r.IsReading() && r.revision <= SR_FOULS) d.hp /= 2;
  } else {
    if (r.IsReading() && r.revision < SR_FOULS) d.hp /= 2;
  }
}
SERIALIZE_END

namespace old_enum {
enum class Stat : std::uint8_t { None, Mass, Speed, Grip, Drag, Lift };
}
namespace inserted_enum {
enum class Stat : std::uint8_t { None, Mass, Glow, Speed, Grip, Drag, Lift };
}
namespace removed_enum {
enum class Stat : std::uint8_t { None, Mass, Grip, Drag, Lift };
}
template <class Stat>
struct Car {
  Stat best = {};
  std::vector<Stat> others;
  std::int32_t later = 0;
};
SERIALIZE_TEMPLATE((class Stat), Car<Stat>) {
  ADD(SR_INITIAL, best);
  ADD(SR_INITIAL, others);
  ADD(SR_FOULS, later);
}
SERIALIZE_END

}  // namespace

// All variants have the same name, so that the store treats them as versions of one type.
#define ONE_NAME(type)                          \
  template <Code code>                          \
  struct revctl::NameOf<type<code>> {           \
    static std::string Name() { return #type; } \
  }
ONE_NAME(Hud);
ONE_NAME(Level);
ONE_NAME(Tile);
ONE_NAME(Never);
ONE_NAME(Above);
ONE_NAME(Sized);
ONE_NAME(Client);
ONE_NAME(Party);
ONE_NAME(Bag);
ONE_NAME(Unit);
#undef ONE_NAME
template <class Stat>
struct revctl::NameOf<Car<Stat>> {
  static std::string Name() { return "Car"; }
};
template <>
struct revctl::NameOf<old_enum::Stat> {
  static std::string Name() { return "Stat"; }
};
template <>
struct revctl::NameOf<inserted_enum::Stat> {
  static std::string Name() { return "Stat"; }
};
template <>
struct revctl::NameOf<removed_enum::Stat> {
  static std::string Name() { return "Stat"; }
};

namespace revctl::harness::test {
namespace {

enum class Made { AtEachRevision, ByRefresh, ByBackfill, Late };

/// Records the revision at `index`, as the commands that write records do.
void RecordAt(const Program& program, const Folder& folder, std::size_t index,
              RecordingOptions options) {
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const Recording recording = Record(program.registry, history, index, options);
  for (const std::string& trouble : recording.troubles) FAIL(trouble);
  REQUIRE(golden::WriteRecord(folder.path(), recording.record, recording.payloads, false).ok());
}

using Maker = Program& (*)(Program&);

void MakeStore(Made made, const Folder& folder, Maker add) {
  Program first(1), both(2);
  add(first);
  add(both);
  switch (made) {
    case Made::AtEachRevision:
      first.Record(folder);
      both.Record(folder);
      break;
    case Made::ByRefresh: {
      first.Record(folder);
      both.Record(folder);
      auto text = golden::ReadRecordText(folder.path(), "SR_FOULS");
      REQUIRE(text.ok());
      KeptRecords kept = {{"SR_FOULS", true, std::move(*text), {}, {}, {}}};
      for (const char* kind : {".yaml", ".golden"})
        std::filesystem::remove(folder.path() + "/SR_FOULS" + kind);
      RecordingOptions options{.command = "record --refresh"};
      options.kept = &kept;
      RecordAt(both, folder, 1, options);
      break;
    }
    case Made::ByBackfill:
      RecordAt(both, folder, 0, {.command = "record --backfill", .upgrades = false});
      RecordAt(both, folder, 1, {});
      break;
    case Made::Late:
      both.Record(folder);
      break;
  }
}

struct Kind {
  const char* what;
  Maker sound, mistaken;
  const char *rule, *words;
  Severity severity;
};

template <class T>
Program& Of(Program& program) {
  return program.Type<T>();
}
template <Code code>
Program& WithRareTile(Program& program) {
  return program.Type<Level<code>>().Sample(
      "rare", [](void* object) { static_cast<Level<code>*>(object)->tile.kind = 999; });
}
template <Code code>
Program& WithLargeParty(Program& program) {
  return program.Type<Party<code>>()
      .Sample("small", [](void* object) { static_cast<Party<code>*>(object)->id = 4; })
      .Sample("large", [](void*) { party_size = 9; });
}

const Kind kKinds[] = {
    {"a member without an initializer", Of<Hud<Sound>>, Of<Hud<Mistaken>>, "GH005",
     "Hud.shown is never initialized", Severity::Error},
    {"a conversion that loses a value", WithRareTile<Sound>, WithRareTile<Mistaken>, "GH005",
     "Level.tile: its WireAs saves 999, but loads it as 231", Severity::Error},
    {"a comparison that is never true", Of<Never<Sound>>, Of<Never<Mistaken>>, "GH007",
     "`r.revision < SR_INITIAL` is never true", Severity::Warning},
    {"a comparison with a number above the latest", Of<Above<Sound>>, Of<Above<Mistaken>>, "GH007",
     "`r.revision >= 99` is never true", Severity::Error},
    {"a type whose size depends on the platform", Of<Sized<Sound>>, Of<Sized<Mistaken>>, "GH001",
     "Sized.old_score: size_t has a different size", Severity::Warning},
    {"a condition of the running program", Of<Client<Sound>>, Of<Client<Mistaken>>, "GH007",
     "the saved fields depend on the program's state", Severity::Error},
    {"a sample that changes others", WithLargeParty<Sound>, WithLargeParty<Mistaken>, "GH005",
     "is written differently after sample \"large\"", Severity::Error},
    {"another count of a loop", Of<Bag<Sound>>, Of<Bag<Mistaken>>, "GH002",
     "Bag: 11 elements were recorded, but 10 are read now", Severity::Error},
    {"<= where < was meant", Of<Unit<Sound>>, Of<Unit<Mistaken>>, "GH004",
     "`r.revision <= SR_FOULS` (or `>`) also includes files of SR_FOULS itself", Severity::Error},
    {"an inserted enumerator", Of<Car<old_enum::Stat>>, Of<Car<inserted_enum::Stat>>, "GH001",
     "Glow was inserted before Speed; 4 enumerators moved by 1", Severity::Error},
    {"a removed enumerator", Of<Car<old_enum::Stat>>, Of<Car<removed_enum::Stat>>, "GH001",
     "Speed was removed; 3 enumerators moved by -1", Severity::Error},
};

CheckResult CheckOf(const Folder& folder, Maker add) {
  // The samples were recorded in this process and have changed the variable, so reset it as a new
  // process would.
  party_size = 0;
  Program program(2);
  add(program);
  const golden::Store store = golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  return CheckIsolated(program.registry, program.List(), store, options);
}

}  // namespace

TEST_CASE("every store: a mistake is caught, and the code without it passes",
          "[harness][signals][stores]") {
  const Made made = GENERATE(Made::AtEachRevision, Made::ByRefresh, Made::ByBackfill, Made::Late);
  for (const Kind& kind : kKinds) {
    INFO(kind.what << ", store " << static_cast<int>(made));
    const Folder folder;
    MakeStore(made, folder, kind.sound);
    const CheckResult before = CheckOf(folder, kind.sound);
    const auto says = [&](const Finding& finding) {
      return findings::NameOf(finding.rule) == kind.rule && finding.severity == kind.severity &&
             finding.message.find(kind.words) != std::string::npos;
    };
    {
      INFO(Text(before));
      CHECK_FALSE(before.errors);
      CHECK(std::none_of(before.findings.begin(), before.findings.end(), says));
    }
    const CheckResult after = CheckOf(folder, kind.mistaken);
    INFO(Text(after));
    CHECK(std::count_if(after.findings.begin(), after.findings.end(), says) == 1);
  }
}

// On Linux and on 64-bit Windows, where long has 32 bits.
TEST_CASE("check: a size_t member is GH001 on every platform", "[harness][signals]") {
  const Folder folder;
  Program(1).Type<Counted>().Record(folder);
  const CheckResult result = Program(1).Type<Counted>().Check(folder);
  INFO(Text(result));
  CHECK_THAT(Find(result, "GH001", "Counted", "count").message,
             Catch::StartsWith("Counted.count: size_t has a different size on other platforms"));
}

}  // namespace revctl::harness::test
