// A record contains the numbers at the time of recording. WithTodaysNumbers translates them to the
// current numbers.
#include "harness/history/history.h"

#include <catch2/catch.hpp>

#include "harness/testing/test_program.h"

namespace revctl::harness {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Returns the record of SR_B, made on top of SR_A when SR_B had number 4. SR_C removes a field of
/// the recorded type.
golden::RevisionRecord Record() {
  golden::RevisionRecord record;
  record.revision = "SR_B";
  record.number = 4;
  record.previous = "SR_A";
  golden::RecordedType type;
  type.layout.type = "Item";
  type.layout.compared = {1, 3, 4, 5, 6};
  type.layout.fields = {{"id", "u32", 4, "rem", "SR_B", "game::SR_C", 4, 5, "", "", true, "", 0}};
  record.types = {type};
  return record;
}

/// Returns `compared` with current numbers, followed by the number of SR_C, or {} if no number
/// moved.
Numbers Today(const std::vector<revctl::ListEntry>& entries, const golden::RevisionRecord& record) {
  const test::Folder folder;
  const golden::Store store = golden::Store::Open(folder.path());
  const auto types = WithTodaysNumbers({"main", entries, 1}, store, record);
  if (types.empty()) return {};
  Numbers out = types[0].layout.compared;
  out.push_back(types[0].layout.fields[0].until_number);
  return out;
}

}  // namespace

TEST_CASE("current numbers: a `pending` map is translated by name", "[harness]") {
  golden::RevisionRecord record = Record();
  record.pending = {{"SR_A", 3}, {"SR_B", 4}, {"SR_C", 5}};
  CHECK(Today({{"SR_I", 1, 1}, {"SR_A", 3, 2}, {"SR_B", 4, 3}, {"SR_C", 5, 4}}, record).empty());
  // SR_B and SR_C moved up, and SR_X is now between SR_A and SR_B. 6 was the next number after
  // SR_C.
  CHECK(Today({{"SR_I", 1, 1}, {"SR_A", 5, 2}, {"SR_X", 6, 3}, {"SR_B", 7, 4}, {"SR_C", 8, 5}},
              record) == Numbers{1, 5, 7, 8, 9, 8});
  // SR_B keeps its number, but SR_C moves up.
  CHECK(Today({{"SR_I", 1, 1}, {"SR_A", 3, 2}, {"SR_B", 4, 3}, {"SR_X", 5, 4}, {"SR_C", 6, 5}},
              record) == Numbers{1, 3, 4, 6, 7, 6});
  // SR_B moves down, because SR_A was abandoned, or stays pending after SR_B.
  CHECK(Today({{"SR_I", 1, 1}, {"SR_B", 3, 2}, {"SR_C", 4, 3}, {"SR_A", 5, 4}}, record) ==
        Numbers{1, 3, 4, 5, 4});
  CHECK(Today({{"SR_I", 1, 1}, {"SR_B", 2, 2}, {"SR_C", 3, 3}}, record) == Numbers{1, 2, 3, 4, 3});
}

TEST_CASE("current numbers: without a `pending` map, numbers move up", "[harness]") {
  const golden::RevisionRecord record = Record();
  CHECK(Today({{"SR_I", 1, 1}, {"SR_A", 3, 2}, {"SR_B", 4, 3}}, record).empty());
  CHECK(Today({{"SR_I", 1, 1}, {"SR_A", 3, 2}, {"SR_B", 7, 3}, {"SR_C", 8, 4}}, record) ==
        Numbers{1, 3, 6, 7, 8, 8});
  CHECK(Today({{"SR_I", 1, 1}, {"SR_B", 3, 2}}, record).empty());
}

}  // namespace revctl::harness
