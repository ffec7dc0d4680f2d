// Large goldens of a program with its own streams. If a golden no longer loads, the harness must
// name the member that causes the failure, although it has only digests of most values.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"
#include "harness/testing/test_stream.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4 };

/// The version that the program writes, and the mistakes in its current code.
struct Code {
  int latest = 1;
  int region_since = SR_PLAYERS;
  bool writes_old = true;  ///< true if the writer can also write older versions
  bool saves_status = true;
  bool saves_echo = false;  ///< saves a variable that is not listed
  bool wide_ticks = false;  ///< saves `ticks` in four bytes
  std::size_t cut = 0;      ///< number of bytes at the end of the memory that are not saved
} code;

std::uint32_t echo = 7;

struct Console {
  std::uint32_t cycles = 0;
  std::string title;
  std::uint32_t status = 3;
  std::uint8_t region = 77;
  std::array<std::uint8_t, 300'000> memory{};
  std::uint16_t ticks = 0;
  std::uint8_t lid = 0;
};
SERIALIZE_TYPE(Console) {
  ADD(SR_INITIAL, cycles);
  ADD(SR_INITIAL, title);
  ADD(SR_INITIAL, status);
  if (code.latest >= SR_PLAYERS) {
    ADD(SR_PLAYERS, region);
  } else {
    SERIALIZE_IGNORE(region);
  }
  ADD(SR_INITIAL, memory);
  ADD(SR_INITIAL, ticks);
  ADD(SR_INITIAL, lid);
}
SERIALIZE_END

class Wrapper : public revctl::harness::test::TestStream {
 public:
  using TestStream::TestStream;
  template <class T>
  void DoEx(T& x, int since, T otherwise) {
    if (version() < since && (loads() || code.writes_old)) x = otherwise;
    else Do(x);
  }
  void Marker(std::uint32_t wanted) {
    std::uint32_t found = wanted;
    Do(found);
    if (found != wanted) Fail();
  }
};

void DoState(Wrapper& sw, Console& console) {
  sw.Do(console.cycles);
  sw.DoList(console.title);
  if (code.saves_status) sw.Do(console.status);
  if (code.saves_echo) sw.Do(echo);
  if (code.latest >= SR_PLAYERS) sw.DoEx(console.region, code.region_since, std::uint8_t{77});
  sw.Marker(0x4D454D31);
  sw.DoBytes(console.memory.data(), console.memory.size() - code.cut);
  sw.Marker(0x454E4431);
  if (code.wide_ticks) {
    std::uint32_t wide = console.ticks;
    sw.Do(wide);
    console.ticks = static_cast<std::uint16_t>(wide);
  } else {
    sw.Do(console.ticks);
  }
  sw.Do(console.lid);
  sw.Marker(0x454E4432);
}

struct Streams {
  using Outcome = revctl::harness::BinaryOutcome;
  static Outcome Write(std::int64_t version, Console& console, std::vector<std::byte>& bytes) {
    Wrapper sw(version, {}, false);
    DoState(sw, console);
    bytes = sw.bytes();
    return {};
  }
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, Console& console) {
    Wrapper sw(version, {bytes.begin(), bytes.end()}, true);
    DoState(sw, console);
    return sw.ReadOutcome("cannot be loaded");
  }
};

}  // namespace

namespace revctl::harness::test {
namespace {

/// Returns the program as it was at `version`, without mistakes.
Program ConsoleAt(int version) {
  code = {.latest = version};
  Program program(static_cast<std::size_t>(version));
  RootType root;
  root.entry = revctl::harness::detail::EntryBy<Console, Streams, revctl::harness::Opaque>(
      1, "SR_INITIAL", "console.cpp", 7);
  root.name = root.entry.type().name();
  TraceByStreams(root.entry);
  program.registry.types.push_back(std::move(root));
  return program;
}

/// The goldens of versions 1 to 4 of the program.
struct Consoles {
  Consoles() {
    for (const int version : {1, 2, 3, 4}) ConsoleAt(version).Record(folder);
  }
  /// Returns the findings about the newest program after `edit` has introduced a mistake.
  template <class Edit>
  std::string Findings(Edit edit) const {
    const Program today = ConsoleAt(4);
    edit();
    return Text(today.Check(folder));
  }
  Folder folder;
};

}  // namespace

TEST_CASE("large opaque: a gate with the wrong number is named with both numbers",
          "[harness][opaque][large]") {
  const Consoles consoles;
  CHECK(consoles.Findings([] {}).find("GH002") == std::string::npos);
  CHECK_THAT(consoles.Findings([] { code.region_since = SR_NO_FOULS; }),
             Catch::Contains("Console.region: 1 byte fewer than recorded: the member was added in "
                             "SR_PLAYERS (3), but is saved only in SR_NO_FOULS (4) and later"));
  CHECK_THAT(consoles.Findings([] { code.region_since = SR_INITIAL; }),
             Catch::Contains("Console.region: 1 byte more than recorded") &&
                 Catch::Contains("the member was added in SR_PLAYERS (3), but is also read from "
                                 "or written to older files"));
}

TEST_CASE("large opaque: names the member even if the writer supports only the latest version",
          "[harness][opaque][large]") {
  const Consoles consoles;
  for (const int since : {SR_INITIAL, SR_NO_FOULS}) {
    CAPTURE(since);
    CHECK_THAT(consoles.Findings([&] { code.region_since = since, code.writes_old = false; }),
               Catch::Contains("GH002") && Catch::Contains("Console.region: "));
  }
}

TEST_CASE("large opaque: reports members that are dropped, cut off or not listed",
          "[harness][opaque][large]") {
  const Consoles consoles;
  CHECK_THAT(consoles.Findings([] { code.saves_status = false; }),
             Catch::Contains("Console.status: 4 bytes fewer than recorded"));
  CHECK_THAT(consoles.Findings([] { code.cut = 8; }),
             Catch::Contains("Console.memory: 8 bytes fewer than recorded") &&
                 Catch::Contains("the member is saved in a different form"));
  CHECK_THAT(consoles.Findings([] { code.saves_echo = true; }),
             Catch::Contains("Console: 4 bytes more than recorded") &&
                 Catch::Contains("after `status`: a member was added without a revision"));
  CHECK_THAT(consoles.Findings([] { code.wide_ticks = true; }),
             Catch::Contains("after `ticks`") &&
                 Catch::Contains("or, if ticks is now saved as a larger type"));
}

}  // namespace revctl::harness::test
