#include "golden/stale_records.h"

#include <catch2/catch.hpp>
#include <ctime>

#include "golden/revision_record.h"

namespace revctl::golden {
namespace {

/// A record that the test writes and reads back. `layouts` contains types with the wire types of
/// their fields.
struct Made {
  std::string name, previous;
  bool pending = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> layouts;
  std::vector<std::string> roots;
  std::vector<std::string> enums = {};
  std::vector<std::string> closed = {};  ///< wire types of the closed REMs in the first layout
  std::vector<std::string> behind = {};

  std::string Text() const {
    RevisionRecord record;
    record.revision = name;
    record.previous = previous;
    record.behind = behind;
    record.provenance = {"record", name, "g++ 12.2.0", "0.1.0", 1};
    for (const auto& [type, fields] : layouts) {
      RecordedType& recorded = record.types.emplace_back();
      recorded.layout.type = type;
      const auto add = [](auto& to, const std::string& wire) {
        revctl::LayoutField& field = to.emplace_back();
        field.name = "f" + std::to_string(to.size());
        field.type = wire;
        field.form = "add";
      };
      for (const std::string& wire : fields) add(recorded.layout.fields, wire);
      if (record.types.size() > 1) continue;
      for (const std::string& wire : closed) add(recorded.removed, wire);
    }
    for (const std::string& type : enums) record.enums.push_back({type, "u8", {}});
    for (const std::string& type : roots) record.cases.push_back({type, "auto-1", 0, 0, {}, {}});
    return FormatRecord(record);
  }
};

/// Returns the stale records in list order: "SR_HERO: SR_ITEM changes Item".
std::string Stale(const std::vector<Made>& list) {
  std::vector<ListedRecord> listed;
  RecordGraph graph;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto read = ReadRecordTypes(list[i].Text(), list[i].name + ".yaml");
    REQUIRE(read);
    graph.Add(i, *read);
    listed.push_back({list[i].name, list[i].pending, true, read->previous, read->behind});
  }
  const RecordOrder order(std::move(listed));
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].pending) continue;
    const auto shared = graph.Compare(i, order.MadeWithout(i));
    if (shared.types.empty()) continue;
    out += (out.empty() ? "" : "; ") + list[i].name + ": " + list[shared.other].name +
           (shared.other_changes ? " changes" : " reaches");
    for (const std::string& type : shared.types) out += " " + type;
    if (shared.others_more > 0) out += " +" + std::to_string(shared.others_more);
  }
  return out;
}

const Made kFirst{"SR_INITIAL",
                  "",
                  false,
                  {{"Game", {"Hero", "Song", "Mood"}},
                   {"Hero", {"i32", "vector<Item>"}},
                   {"Item", {"i32"}},
                   {"Shop", {"map<string,Item>"}},
                   {"Song", {"f32"}}},
                  {"Game", "Shop"},
                  {"Mood"}};
const Made kItem{"SR_ITEM", "SR_INITIAL", false, {{"Item", {"i32", "u8"}}}, {"Game", "Shop"}};

}  // namespace

TEST_CASE("stale: a landed revision changes a type in a pending record", "[stale]") {
  const Made hero{
      "SR_HERO", "SR_INITIAL", true, {{"Hero", {"i32", "vector<Item>", "u16"}}}, {"Game"}};
  CHECK(Stale({kFirst, kItem, hero}) == "SR_HERO: SR_ITEM changes Item");
  Made refreshed = hero;
  refreshed.previous = "SR_ITEM";
  CHECK(Stale({kFirst, kItem, refreshed}).empty());
  // If a change to the containing type (Hero) lands first, the goldens for a change to the
  // contained type (Item) are stale, too.
  Made item = kItem, landed_hero = hero;
  item.pending = true;
  landed_hero.pending = false;
  CHECK(Stale({kFirst, landed_hero, item}) == "SR_ITEM: SR_HERO changes Hero");
}

TEST_CASE("stale: a landed record uses a type that a pending one changes", "[stale]") {
  Made item = kItem;
  item.pending = true;
  // The landed record adds a root type for which the pending record has no goldens.
  const Made stall{"SR_STALL", "SR_INITIAL", false, {{"Stall", {"optional<Item>"}}}, {"Stall"}};
  CHECK(Stale({kFirst, stall, item}) == "SR_ITEM: SR_STALL reaches Item");
  const Made bank{"SR_BANK", "SR_INITIAL", false, {{"Bank", {"u64"}}}, {"Bank"}};
  CHECK(Stale({kFirst, bank, item}).empty());
  CHECK(Stale({kFirst, bank, stall, kFirst, item}) == "SR_ITEM: SR_STALL reaches Item +1");
}

TEST_CASE("stale: records that share no type are not stale", "[stale]") {
  // The program has two root types that share nothing.
  const Made first{"SR_INITIAL",
                   "",
                   false,
                   {{"Hero", {"Item"}}, {"Item", {"i32"}}, {"Song", {"f32"}}},
                   {"Hero", "Song"}};
  const Made song{"SR_SONG", "SR_INITIAL", false, {{"Song", {"f32", "u8"}}}, {"Song"}};
  const Made item{"SR_ITEM", "SR_INITIAL", true, {{"Item", {"i32", "u8"}}}, {"Hero"}};
  CHECK(Stale({first, song, item}).empty());
  // The name of one type merely starts with the name of the other.
  const Made items{"SR_ITEMS", "SR_INITIAL", false, {{"Items", {"u8"}}}, {"Items"}};
  CHECK(Stale({first, items, item}).empty());
}

TEST_CASE("stale: all ways in which a record can use a type", "[stale]") {
  const auto changed = [](const std::string& type) {
    return Made{"SR_X", "SR_INITIAL", false, {{type, {"u8"}}}, {type}};
  };
  const auto hit = [&](const std::string& wire, const std::string& type) {
    const Made first{"SR_INITIAL", "", false, {{"Root", {wire}}, {type, {"i32"}}}, {"Root"}};
    const Made own{"SR_OWN", "SR_INITIAL", true, {{"Root", {wire, "u8"}}}, {"Root"}};
    return Stale({first, changed(type), own});
  };
  CHECK(hit("array<Item,3>", "Item") == "SR_OWN: SR_X changes Item");
  CHECK(hit("map<string,vector<optional<game::Item>>>", "game::Item") ==
        "SR_OWN: SR_X changes game::Item");
  CHECK(hit("variant<i32,string,Box<Item, 3>>", "Box<Item, 3>") ==
        "SR_OWN: SR_X changes Box<Item, 3>");
  CHECK(hit("unique_ptr<Item>", "Item") == "SR_OWN: SR_X changes Item");
  CHECK(hit("vector<object>", "Dragon") == "SR_OWN: SR_X changes Dragon");
  CHECK(hit("vector<Items>", "Item").empty());

  SECTION("an enum") {
    const Made mood{"SR_MOOD", "SR_INITIAL", false, {}, {}, {"Mood"}};
    const Made game{
        "SR_GAME", "SR_INITIAL", true, {{"Game", {"Hero", "Song", "Mood", "u8"}}}, {"Game"}};
    CHECK(Stale({kFirst, mood, game}) == "SR_GAME: SR_MOOD changes Mood");
  }
  SECTION("a closed REM, which older files contain") {
    const Made first{"SR_INITIAL", "", false, {{"Root", {"Item"}}, {"Item", {"i32"}}}, {"Root"}};
    const Made own{"SR_OWN", "SR_INITIAL", true, {{"Root", {"u8"}}}, {"Root"}, {}, {"Item"}};
    CHECK(Stale({first, changed("Item"), own}) == "SR_OWN: SR_X changes Item");
  }
  SECTION("layouts apply from the revision that recorded them") {
    const Made first{
        "SR_INITIAL", "", false, {{"Root", {"i32"}}, {"Item", {"i32"}}}, {"Root", "Item"}};
    const Made own{"SR_OWN", "SR_INITIAL", true, {{"Root", {"i32", "u8"}}}, {"Root"}};
    const Made later{"SR_LATER", "SR_OWN", true, {{"Root", {"i32", "u8", "Item"}}}, {"Root"}};
    CHECK(Stale({first, changed("Item"), own, later}) == "SR_LATER: SR_X changes Item");
  }
  SECTION("types that contain each other") {
    const Made first{"SR_INITIAL",
                     "",
                     false,
                     {{"Tree", {"vector<Node>"}}, {"Node", {"vector<Tree>"}}},
                     {"Tree"}};
    const Made own{"SR_OWN", "SR_INITIAL", true, {{"Tree", {"vector<Node>", "u8"}}}, {"Tree"}};
    CHECK(Stale({first, changed("Node"), own}) == "SR_OWN: SR_X changes Node");
  }
}

TEST_CASE("stale: the `previous` chain includes the branch's own records", "[stale]") {
  Made hero{"SR_HERO", "SR_ITEM", true, {{"Hero", {"Item", "u8"}}}, {"Game"}};
  Made item = kItem;
  item.pending = true;
  const Made song{"SR_SONG", "SR_INITIAL", false, {{"Song", {"f32", "u8"}}}, {"Song"}};
  CHECK(Stale({kFirst, item, hero}).empty());
  CHECK(Stale({kFirst, song, item, hero}) ==
        "SR_ITEM: SR_SONG changes Song; SR_HERO: SR_SONG changes Song");  // Game contains all of
                                                                          // these types
  SECTION("two pending branches") {
    hero.previous = "SR_INITIAL";
    CHECK(Stale({kFirst, item, hero}) == "SR_HERO: SR_ITEM changes Item");
  }
  SECTION("the branch's own records in reverse order") {
    CHECK(Stale({kFirst, hero, item}) ==
          "SR_HERO: SR_ITEM changes Item; SR_ITEM: SR_HERO changes Hero");
  }
  SECTION("a landed revision in the `previous` chain is known at any position") {
    hero.previous = "SR_SONG";
    Made later = song;
    later.previous = "SR_ITEM";
    item.pending = false;
    CHECK(Stale({kFirst, later, item, hero}).empty());
  }
  SECTION("without a valid `previous`, all revisions may be unknown to the record") {
    hero.previous = GENERATE("", "SR_GONE", "SR_HERO");
    CHECK(Stale({kFirst, hero}) == "SR_HERO: SR_INITIAL changes Game Hero Item Mood Song");
  }
  SECTION("hostile: two records that name each other") {
    item.previous = "SR_HERO";
    CHECK(Stale({kFirst, item, hero}) ==
          "SR_ITEM: SR_INITIAL changes Game Hero Item Mood Shop Song +1; "
          "SR_HERO: SR_INITIAL changes Game Hero Item Mood Song");
  }
}

TEST_CASE("stale: `behind` preserves the revisions that a record was made on", "[stale]") {
  const Made item = kItem;  // landed while SR_BELOW and SR_HERO were pending
  Made below{"SR_BELOW", "SR_INITIAL", false, {{"Song", {"f32", "u8"}}}, {"Song"}};
  Made hero{"SR_HERO", "SR_BELOW", true, {{"Hero", {"Item", "u8"}}}, {"Game"}};
  hero.behind = {"SR_INITIAL", "SR_BELOW"};
  const std::string stale = "SR_HERO: SR_ITEM changes Item";
  CHECK(Stale({kFirst, item, below, hero}) == stale);
  below.previous = "SR_ITEM";  // as if SR_BELOW had been re-recorded
  CHECK(Stale({kFirst, item, below, hero}) == stale);
  SECTION("without `behind`") {
    hero.behind.clear();
    CHECK(Stale({kFirst, item, below, hero}).empty());
  }
  SECTION("recorded on top of SR_ITEM") {
    hero.behind[0] = "SR_ITEM";
    CHECK(Stale({kFirst, item, below, hero}).empty());
  }
  SECTION("on top of two branches that were recorded without each other") {
    const Made lower{"SR_LOWER", "SR_INITIAL", true, {{"Item", {"i32"}}}, {"Game"}};
    below = {"SR_BELOW", "SR_INITIAL", true, {{"Bank", {"u64"}}}, {"Bank"}};
    hero.behind = {"SR_INITIAL", "SR_LOWER", "SR_BELOW"};
    CHECK(Stale({kFirst, lower, below, hero}).empty());
    hero.behind = {"SR_INITIAL", "SR_BELOW", "SR_LOWER"};
    CHECK(Stale({kFirst, below, hero, lower}) ==
          "SR_HERO: SR_LOWER changes Item; SR_LOWER: SR_HERO changes Hero");
  }
  SECTION("if a revision in `behind` is gone, all others count as unknown") {
    CHECK(Stale({kFirst, hero}) == "SR_HERO: SR_INITIAL changes Game Hero Item Mood Song");
    const RecordOrder order(
        {{"SR_INITIAL", false, true, "", {}}, {"SR_HERO", true, true, "SR_BELOW", hero.behind}});
    CHECK(order.Gone(1) == "SR_BELOW");
    CHECK(StaleText(order, 1, {}) ==
          "the goldens of SR_HERO are stale: they were recorded on top of SR_BELOW, which is no "
          "longer in the list");
  }
  SECTION("the record itself in `behind` makes no revision known") {
    hero.behind[0] = "SR_HERO";
    CHECK(Stale({kFirst, below, hero}) == "SR_HERO: SR_INITIAL changes Game Hero Item Mood Song");
  }
}

TEST_CASE("stale: records are untrusted input", "[stale]") {
  const std::string text = kItem.Text();
  CHECK_FALSE(ReadRecordTypes("recorded\n", "SR_A.yaml"));
  CHECK_FALSE(ReadRecordTypes(text.substr(0, text.find("types:")), "SR_A.yaml"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string broken = text;
    broken[i] = static_cast<char>(broken[i] ^ 0x55);
    (void)ReadRecordTypes(broken, "SR_A.yaml");
  }
  const auto nested = [](std::size_t depth) {
    Made made = kItem;
    std::string wire;
    for (std::size_t i = 0; i < depth; ++i) wire += "vector<";
    wire += "i32" + std::string(depth, '>');
    made.layouts[0].second = {wire};
    return ReadRecordTypes(made.Text(), "SR_A.yaml");
  };
  CHECK(nested(kDeepestWireType));
  const auto deep = nested(kDeepestWireType + 1);
  REQUIRE_FALSE(deep);
  CHECK(deep.error().message == "a field of Item that nests types more than 64 levels deep");
  Made odd = kItem;
  odd.layouts[0].second = {">>>,,<<", std::string(200, ','), "<Item", ""};
  const auto read = ReadRecordTypes(odd.Text(), "SR_A.yaml");
  REQUIRE(read);
  CHECK(std::count(read->layouts[0].names.begin(), read->layouts[0].names.end(), "Item") == 1);
}

TEST_CASE("stale: takes linear time", "[stale]") {
  // Creates `size` nested types and `size` landed revisions, each of which changes one of the
  // types.
  const auto seconds = [](std::size_t size) {
    const auto type = [](std::size_t i) { return "T" + std::to_string(i); };
    RecordGraph graph;
    std::vector<ListedRecord> list;
    const auto add = [&](const std::string& name, bool pending, const RecordTypes& record) {
      graph.Add(list.size(), record);
      list.push_back({name, pending, true, record.previous, record.behind});
    };
    RecordTypes first{"SR_0", 0, "", {}, {}, {}, {type(0)}, {}};
    for (std::size_t i = 0; i < size; ++i) first.layouts.push_back({type(i), {"i32", type(i + 1)}});
    const std::clock_t start = std::clock();  // CPU time
    add("SR_0", false, first);
    for (std::size_t i = 1; i < size; ++i)
      add("SR_" + std::to_string(i), false,
          {"", 0, "", {}, {{type(i), {type(i + 1)}}}, {}, {type(0)}, {}});
    for (std::size_t i = 0; i < 3; ++i)
      add("SR_P" + std::to_string(i), true,
          {"", 0, "SR_0", {}, {{type(i), {type(i + 1)}}}, {}, {type(0)}, {}});
    const RecordOrder order(std::move(list));
    for (std::size_t i = size; i < size + 3; ++i) {
      const auto shared = graph.Compare(i, order.MadeWithout(i));
      REQUIRE(shared.others_more + 1 >= size - 1);
    }
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  seconds(2000);
  double small = seconds(4000), large = seconds(32000);
  for (int i = 0; i < 2; ++i) {
    small = std::min(small, seconds(4000));
    large = std::min(large, seconds(32000));
  }
  INFO(small << " s, " << large << " s");
  CHECK(large < 32 * small);  // 8 times the input; quadratic code would take 64 times as long
}

}  // namespace revctl::golden
