// Tests which values are lost if a record is regenerated.
#include "golden/kept_values.h"

#include <catch2/catch.hpp>

namespace revctl::golden {
namespace {

revctl::LayoutField Field(const std::string& name, const std::string& type,
                          const std::string& until = "") {
  revctl::LayoutField field;
  field.name = name;
  field.type = type;
  field.form = until.empty() ? "add" : "rem";
  field.until = until;
  return field;
}
RevisionRecord Changes(const std::string& type, std::vector<revctl::LayoutField> fields) {
  RevisionRecord record;
  record.types.push_back({{type, std::move(fields), {}}, {}});
  return record;
}
RevisionRecord Of(std::vector<Leaf> values) {
  RevisionRecord record;
  record.cases.push_back({"Hero", "auto-1", 1, 4, std::move(values), {}});
  return record;
}
RevisionRecord Makes(std::vector<Change> changes) {
  RevisionRecord record;
  record.upgrades.push_back({"Hero", {"SR_OLD/auto-1"}, std::move(changes)});
  return record;
}
std::vector<std::string> Texts(const RevisionRecord& before, const RevisionRecord& after,
                               const OthersChanges& others = {}) {
  std::vector<std::string> out;
  for (const NotKept& one : FindNotKept(before, after, others))
    out.push_back((one.explained ? "(" : "") + one.Text());
  return out;
}
using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("kept values: reports lost goldens and values, but no additions", "[golden]") {
  const auto before = Of({{"name", "\"a\""}, {"items[0].id", "3"}});
  CHECK(Texts(before, before) == Told{});
  CHECK(Texts(before, Of({{"items[0].id", "3"}, {"mana", "1"}, {"name", "\"a\""}})) == Told{});
  CHECK(Texts(before, Of({{"name", "\"b\""}})) ==
        Told{"Hero/auto-1: name was \"a\", now \"b\"", "Hero/auto-1: items[0].id was 3, now gone"});
  CHECK(Texts(before, {}) == Told{"the golden Hero/auto-1 is missing"});
  const auto made = Makes({{"mana", std::nullopt, "3"}, {"old", "1", std::nullopt}});
  CHECK(Texts(made, made) == Told{});
  // The `before` values may differ, because they come from other records.
  CHECK(Texts(made, Makes({{"old", "7", std::nullopt}, {"mana", "5", "3"}})) == Told{});
  CHECK(Texts(made, Makes({{"mana", std::nullopt, "9"}})) ==
        Told{"SR_OLD/auto-1: mana became 3, now 9",
             "SR_OLD/auto-1: old became gone, and is no longer upgraded"});
}

TEST_CASE("kept values: changes by unknown revisions explain losses, by field", "[golden]") {
  OthersChanges others;
  others.Add(Changes("Item", {Field("id", "i32"), Field("old", "i32"), Field("wide", "i32")}),
             false);
  others.Add(Changes("Item", {Field("id", "i32"), Field("old", "i32", "SR_NO_OLD"),
                              Field("wide", "i64"), Field("fresh", "u8")}),
             true);
  const auto before = Of({{"items[0].id", "3"},
                          {"items[0].old", "4"},
                          {"wide#count", "5"},
                          {"older", "6"},
                          {"fresh", "7"},
                          {"a.#integrity", "8"}});
  CHECK(Texts(before, Of({}), others) ==
        Told{"Hero/auto-1: items[0].id was 3, now gone",
             "(Hero/auto-1: items[0].old was 4, now gone",
             "(Hero/auto-1: wide#count was 5, now gone", "Hero/auto-1: older was 6, now gone",
             "Hero/auto-1: fresh was 7, now gone", "(Hero/auto-1: a.#integrity was 8, now gone"});
  // A change by a revision that the record already knew does not explain a lost value.
  OthersChanges known;
  known.Add(Changes("Item", {Field("old", "i32")}), false);
  known.Add(Changes("Item", {}), false);
  CHECK(Texts(Of({{"old", "4"}}), Of({}), known) == Told{"Hero/auto-1: old was 4, now gone"});
}

TEST_CASE("kept values: enumerators, approved names, changed upgrades", "[golden]") {
  OthersChanges others;
  RevisionRecord kinds;
  kinds.enums.push_back({"Kind", "u8", {{"Red", 1}, {"Blue", 2}}});
  others.Add(kinds, false);
  kinds.enums[0].enumerators[0].first = "Crimson";
  others.Add(kinds, true);
  CHECK(Texts(Of({{"kind", "Red"}, {"other", "Blue"}}), Of({{"kind", "Crimson"}, {"other", "Red"}}),
              others) ==
        Told{"(Hero/auto-1: kind was Red, now Crimson", "Hero/auto-1: other was Blue, now Red"});
  Approval rename;
  rename.from = "p2";
  rename.to = "second";
  others.Add(rename);
  CHECK(Texts(Of({{"p2.x", "1"}}), Of({{"second.x", "1"}}), others) ==
        Told{"(Hero/auto-1: p2.x was 1, now gone"});
  // The record's code does not know new fields of other revisions, but it may read values that
  // these revisions change.
  const auto made = Makes({{"mana", std::nullopt, "3"}}),
             now = Makes({{"mana", std::nullopt, "9"}});
  others.Add(Makes({{"fresh", std::nullopt, "1"}, {"old", "1", std::nullopt}}), true);
  CHECK(Texts(made, now, others) == Told{"SR_OLD/auto-1: mana became 3, now 9"});
  others.Add(Makes({{"score", "1", "2"}}), true);
  CHECK(Texts(made, now, others) == Told{"(SR_OLD/auto-1: mana became 3, now 9"});
}

}  // namespace revctl::golden
