// Tests far-reaching goldens of objects, and of types whose bodies reject some values.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <revctl/objects.h>
#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/samples/reaching.h"
#include "harness/testing/test_program.h"

namespace reached {

enum Rev { SR_INITIAL = 1, SR_NO_IMPS = 2 };

/// Accepts only a few values, which differ for each field.
struct Strict {
  std::int32_t level = 1;
  std::string name;
  std::vector<std::uint8_t> row;
};
SERIALIZE_TYPE(Strict) {
  ADD(SR_INITIAL, level);
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, row);
  if (d.level < 0 || d.level > 120) r.Fail("no such level");
  if (d.name.size() > 200) r.Fail("too long a name");
  if (d.row.size() > 100) r.Fail("too long a row");
}
SERIALIZE_END

/// Objects that refer to each other, and whose classes are chosen by name.
struct Actor {
  virtual ~Actor() = default;
  std::int32_t hp = 0;
  Actor* target = nullptr;
};
SERIALIZE_TYPE(Actor) {
  ADD(SR_INITIAL, hp);
  ADD_REF(SR_INITIAL, target);
}
SERIALIZE_END
struct Goblin : Actor {
  std::string shout;
};
SERIALIZE_TYPE(Goblin) {
  ADD_BASE(SR_INITIAL, Actor);
  ADD(SR_INITIAL, shout);
}
SERIALIZE_END
bool forgets_shouts = false;
const revctl::ObjectClasses& Classes() {
  static const auto classes =
      revctl::ObjectClasses().Add<Actor>("Actor").Add<Goblin, Actor>("Goblin");
  return classes;
}
struct Level {
  std::vector<std::unique_ptr<Actor>> actors;
  std::int16_t depth = 0;
};
SERIALIZE_TYPE(Level) {
  ADD_OBJECTS(SR_INITIAL, Classes(), actors);
  ADD(SR_INITIAL, depth);
  if constexpr (requires { d.actors.clear(); }) {
    if (!r.IsReading() || !forgets_shouts) return;
    for (auto& actor : d.actors) {
      if (auto* goblin = dynamic_cast<Goblin*>(actor.get()); goblin && goblin->shout.size() > 100)
        goblin->shout.clear();
    }
  }
}
SERIALIZE_END

/// If true, the upgrade code that erases nulls is missing. Objects of a removed class in files from
/// before SR_NO_IMPS load as null.
bool keeps_gaps = false;
const revctl::ObjectClasses& CaveClasses() {
  // It is unknown which revision removed Ghost.
  static const auto classes = revctl::ObjectClasses()
                                  .Add<Actor>("Actor")
                                  .Add<Goblin, Actor>("Goblin")
                                  .Retired("Imp", SR_NO_IMPS)
                                  .Retired("Ghost");
  return classes;
}
struct Cave {
  std::vector<std::unique_ptr<Actor>> actors;
};
SERIALIZE_TYPE(Cave) {
  ADD_OBJECTS(SR_INITIAL, CaveClasses(), actors);
  if constexpr (requires { d.actors.clear(); }) {
    if (r.IsReading() && r.revision < SR_NO_IMPS && !keeps_gaps) std::erase(d.actors, nullptr);
  }
}
SERIALIZE_END

}  // namespace reached

namespace revctl::harness::test {
namespace {

using namespace reached;

std::vector<revctl::golden::Case> Cases(const Folder& folder) {
  std::vector<revctl::golden::Case> cases;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  for (const revctl::golden::StoredRecord& stored : store.records())
    for (const revctl::golden::Case& item : stored.record.cases) cases.push_back(item);
  return cases;
}

}  // namespace

TEST_CASE("record: far-reaching goldens omit rejected values", "[harness][samples][reaching]") {
  const Program program = Program(1).Type<Strict>();
  const Folder folder;
  program.Record(folder);
  std::set<std::size_t> names, rows;
  for (const revctl::golden::Case& item : Cases(folder)) {
    if (!IsReaching(item.name)) continue;
    for (const revctl::golden::Leaf& leaf : item.values) {
      if (leaf.path == "name") names.insert(leaf.text.size() - 2);
      if (leaf.path == "row#count") rows.insert(std::stoul(leaf.text));
    }
  }
  CHECK(names.contains(127));
  CHECK_FALSE(names.contains(255));
  CHECK(rows.contains(64));
  CHECK_FALSE(rows.contains(257));
  CHECK(program.Check(folder).findings.empty());
}

TEST_CASE("record: far-reaching goldens contain objects of all classes",
          "[harness][samples][reaching]") {
  const Program program = Program(1).Type<Level>();
  const Folder folder;
  program.Record(folder);
  {
    const CheckResult sound = program.Check(folder);
    INFO(Text(sound));
    CHECK(sound.findings.empty());
  }
  bool invented = false;
  for (const revctl::golden::Case& item : Cases(folder)) {
    if (!IsReaching(item.name)) continue;
    for (const revctl::golden::Leaf& leaf : item.values)
      invented = invented || (leaf.path.ends_with("shout") && leaf.text.size() == 302);
  }
  CHECK(invented);
  forgets_shouts = true;
  const CheckResult result = program.Check(folder);
  forgets_shouts = false;
  INFO(Text(result));
  CHECK_FALSE(Errors(result).empty());
}

TEST_CASE("record --backfill: old files contain retired classes", "[harness][samples][reaching]") {
  const Program program = Program(2).Type<Cave>();
  const Folder folder;
  for (const std::size_t revision : {0U, 1U}) {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const Recording made = revctl::harness::Record(program.registry, history, revision, {});
    REQUIRE(revctl::golden::WriteRecord(folder.path(), made.record, made.payloads, false).ok());
  }
  std::set<std::string> classes[2];
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  for (const revctl::golden::StoredRecord& stored : store.records()) {
    for (const revctl::golden::Case& item : stored.record.cases) {
      for (const revctl::golden::Leaf& leaf : item.values) {
        if (leaf.path.starts_with("actors.classes["))
          classes[stored.record.number - 1].insert(leaf.text);
      }
    }
  }
  CHECK(classes[0] == std::set<std::string>{"\"Actor\"", "\"Goblin\"", "\"Imp\""});
  CHECK(classes[1] == std::set<std::string>{"\"Actor\"", "\"Goblin\""});
  {
    const CheckResult sound = program.Check(folder);
    INFO(Text(sound));
    CHECK(Errors(sound).empty());
  }
  keeps_gaps = true;
  const CheckResult result = program.Check(folder);
  keeps_gaps = false;
  INFO(Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH004 reached::Cave.actors.roots#count"});
}

TEST_CASE("record: an old store gets far-reaching goldens once", "[harness][samples][reaching]") {
  const Folder folder;
  Program program = Program(1).Type<Strict>();
  program.registry.types.front().budget = 1;  // too small for any golden
  {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    Recording old = revctl::harness::Record(program.registry, history, 0, {});
    REQUIRE(revctl::golden::WriteRecord(folder.path(), old.record, old.payloads, false).ok());
  }
  for (const revctl::golden::Case& item : Cases(folder)) CHECK_FALSE(IsReaching(item.name));
  CHECK(program.Check(folder).findings.empty());
  program.registry.types.front().budget = RootType::kDefaultBudget;
  const auto added = [&] {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const Recording addition = RecordAdditions(program.registry, history, {});
    if (!addition.record.cases.empty())
      CHECK(revctl::golden::WriteAddition(folder.path(), addition.record, addition.payloads).ok());
    return addition.record.cases.size();
  };
  CHECK(added() >= 5);
  CHECK(added() == 0);
  CHECK(program.Check(folder).findings.empty());
}

}  // namespace revctl::harness::test
