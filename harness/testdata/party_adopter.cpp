// A harness program whose types have the fields of those revisions that are in the working
// directory's list. The program therefore matches every list that a test merges with git, and tests
// with branches need only one build.
#include <revctl/harness.h>

#include <cstdlib>
#include <fstream>
#include <regex>

namespace {

struct PartyList {
  std::vector<std::string> names;
  std::vector<revctl::ListEntry> entries;
  revctl::ListTable table{"main", {}, 1};
  bool registered;
  std::string purged;  ///< the line of .revctl.yaml with the purged revisions

  PartyList() {
    // With numbers at landing, pending revisions are in an include file at the end of the list.
    std::vector<std::int64_t> numbers;
    const std::regex entry(R"(^\s*(SR_\w+)\s*(?:=\s*(\d+))?\s*,?.*)");
    for (const char* path : {"src/master_version_list.h", "src/master_version_list.pending.inc"}) {
      std::ifstream file(path);
      for (std::string line; std::getline(file, line);) {
        std::smatch found;
        if (!std::regex_match(line, found, entry)) continue;
        names.push_back(found[1]);
        numbers.push_back(found[2].matched ? std::stoll(found[2]) : numbers.back() + 1);
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      entries.push_back({names[i], numbers[i], std::hash<std::string>()(names[i])});
    table.entries = entries;
    // Read the oldest supported revision from the key `oldest` in .revctl.yaml, as `revctl codegen`
    // does.
    std::ifstream config(".revctl.yaml");
    const std::regex oldest(R"re(.*\boldest: "?(SR_\w+).*)re");
    for (std::string line; std::getline(config, line);) {
      std::smatch found;
      if (std::regex_match(line, found, oldest)) table.oldest = Number(found[1].str());
      if (line.find("purged:") != line.npos) purged = line;
    }
    registered = revctl::RegisterList(table);
  }
  /// Returns the revision's number, or 0 if the list does not contain it. For a purged revision,
  /// returns the number of the oldest revision.
  std::int64_t Number(std::string_view name) const {
    const revctl::ListEntry* found = table.Find(name);
    if (found != nullptr) return found->number;
    return purged.find('"' + std::string(name) + '"') == purged.npos ? 0 : table.oldest;
  }
};
const PartyList party;

#define REVISION(name) const std::int64_t name = party.Number(#name)
REVISION(SR_INITIAL);
REVISION(SR_LUCK);
REVISION(SR_ITEM);
REVISION(SR_HERO);
REVISION(SR_SONG);
REVISION(SR_STALL);
REVISION(SR_DRUM);
REVISION(SR_TAG);

/// True if src/lost has a line for this upgrade code, which simulates a merge that lost the code.
bool IsLost(const std::string& what) {
  std::ifstream file("src/lost");
  for (std::string line; std::getline(file, line);) {
    if (line == what) return true;
  }
  return false;
}

struct Item {
  std::uint32_t id = 1;
  std::uint16_t weight = 5;
  std::int32_t tag = 6;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, id);
  if (SR_ITEM != 0) {
    ADD(SR_ITEM, weight);
  } else {
    SERIALIZE_IGNORE(weight);
  }
  if (SR_TAG != 0) {
    ADD(SR_TAG, tag);
  } else {
    SERIALIZE_IGNORE(tag);
  }
}
SERIALIZE_END

struct Hero {
  std::string name;
  std::vector<Item> items;
  std::int32_t luck = 0;
  std::int16_t mana = 9;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, items);
  if (SR_LUCK != 0) {
    ADD(SR_LUCK, luck);
    // `LOST=1` simulates a merge that lost this upgrade code.
    if (r.IsReading() && r.revision < SR_LUCK && std::getenv("LOST") == nullptr) d.luck = 7;
  } else {
    SERIALIZE_IGNORE(luck);
  }
  if (SR_ITEM != 0 && IsLost("mana to SR_ITEM")) {
    ADD(SR_ITEM, mana);
    if (r.IsReading() && r.revision < SR_ITEM) d.mana = 4;
  } else if (SR_HERO != 0) {
    ADD(SR_HERO, mana);
    if (r.IsReading() && r.revision < SR_HERO && !IsLost("mana")) d.mana = 3;
  } else {
    SERIALIZE_IGNORE(mana);
  }
}
SERIALIZE_END
HARNESS_TYPE(Hero, SR_INITIAL);
HARNESS_SAMPLE(Hero, "known") {
  d.name = "Ada";
  d.items.resize(2);
}

// `EXTRA=1` registers one more sample.
const bool extra =
    std::getenv("EXTRA") != nullptr &&
    revctl::harness::Register(revctl::harness::SampleEntry{
        &revctl::TypeOf<Hero>, "extra",
        [](void* object) { static_cast<Hero*>(object)->items.resize(1); }, __FILE__, __LINE__});

struct Song {
  float pitch = 1;
  std::uint8_t loud = 2;
};
SERIALIZE_TYPE(Song) {
  ADD(SR_INITIAL, pitch);
  if (SR_SONG != 0) {
    ADD(SR_SONG, loud);
  } else {
    SERIALIZE_IGNORE(loud);
  }
}
SERIALIZE_END
HARNESS_TYPE(Song, SR_INITIAL);

/// A root type that SR_STALL adds.
struct Stall {
  Item item;
};
SERIALIZE_TYPE(Stall) { ADD(SR_STALL, item); }
SERIALIZE_END
struct Drum {
  std::uint8_t beat = 4;
};
SERIALIZE_TYPE(Drum) { ADD(SR_DRUM, beat); }
SERIALIZE_END
const bool drum = SR_DRUM != 0 && revctl::harness::Register(revctl::harness::detail::EntryOf<Drum>(
                                      SR_DRUM, "SR_DRUM", __FILE__, __LINE__));
const bool stall =
    SR_STALL != 0 && revctl::harness::Register(revctl::harness::detail::EntryOf<Stall>(
                         SR_STALL, "SR_STALL", __FILE__, __LINE__));

}  // namespace
