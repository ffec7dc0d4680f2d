// Revisions may be recorded in any order.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// Has a sail only at SR_FOULS, so its layout at SR_PLAYERS equals its layout at SR_INITIAL.
struct Ship {
  std::int32_t hull = 3;
  std::int32_t speed = 1;
};
SERIALIZE_TYPE(Ship) {
  ADD(SR_INITIAL, hull);
  REM(SR_FOULS, SR_PLAYERS, std::int16_t, sail, 4);
  ADD(SR_INITIAL, speed);
  if (r.IsReading() && r.revision < SR_PLAYERS) d.speed = d.speed / 2 + sail;
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {
namespace {

Recording Recorded(const Program& program, const Folder& folder, std::size_t index,
                   const char* command) {
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  return harness::Record(program.registry, History(list, store), index, {command, 1, {}, true});
}

void Backfill(const Program& program, const Folder& folder, std::size_t index) {
  const Recording recording = Recorded(program, folder, index, "record --backfill");
  REQUIRE(recording.troubles.empty());
  REQUIRE(golden::WriteRecord(folder.path(), recording.record, recording.payloads, false).ok());
}

}  // namespace

TEST_CASE("record: revisions may be recorded in any order", "[harness][backfill]") {
  const Program today = Program(3).Type<Ship>();
  const std::vector<std::vector<std::size_t>> orders = {{0, 2, 1}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}};
  for (const auto& order : orders) {
    const Folder folder;
    for (const std::size_t index : order) {
      Backfill(today, folder, index);
      const CheckResult between = today.Check(folder);
      INFO(Text(between));
      for (const std::string& error : Errors(between)) CHECK(error == "GH007 .");
    }
    const CheckResult filled = today.Check(folder);
    INFO(Text(filled));
    CHECK(filled.findings.empty());
  }
}

}  // namespace revctl::harness::test
