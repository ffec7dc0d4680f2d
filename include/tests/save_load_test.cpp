#include <catch2/catch.hpp>

#include <revctl/save_parts.h>

#include "everything.h"

namespace {

enum class Main { SR_INITIAL = 1, SR_SECOND = 2, SR_THIRD = 5 };
enum class Branch { SR_INITIAL = 1, SR_SECOND = 2, SR_OTHER = 5, SR_MORE = 6 };

struct Thing {
  std::int32_t hp = 3;
};
SERIALIZE_TYPE(Thing) { ADD(1, hp); }
SERIALIZE_END

}  // namespace

template <>
struct revctl::ListOf<Main> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_SECOND", 2, 0x22}, {"SR_THIRD", 5, 0x33}};
  static constexpr ListTable table{"main", entries, 2};
};
template <>
struct revctl::ListOf<Branch> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_SECOND", 2, 0x22}, {"SR_OTHER", 5, 0x44}, {"SR_MORE", 6, 0x55}};
  static constexpr ListTable table{"branch", entries, 1};
};

// Declare this function as a generated table does. Load(bytes, value) then compiles for the
// program's only list, but not for an enum whose own table is not included.
namespace revctl::detail {
void TableIsIncluded(const ListAnchor&);
enum class Unlisted { SR_INITIAL = 1 };
static_assert(KnowsLatest<TheOnlyList> && KnowsLatest<Main> && !KnowsLatest<Unlisted>);
}  // namespace revctl::detail

namespace {

template <class N>
std::vector<std::byte> Saved(N revision) {
  std::vector<std::byte> bytes;
  const revctl::Status status = revctl::Save(revision, Thing{7}, bytes);
  REQUIRE(status.message() == "");
  return bytes;
}

}  // namespace

TEST_CASE("file: the header is magic, revision, lineage", "[file]") {
  const auto bytes = Saved(Main::SR_THIRD);
  REQUIRE(bytes.size() == 20);
  CHECK(std::memcmp(bytes.data(), "RVCT\5\0\0\0\x33\0\0\0\0\0\0\0\7\0\0\0", 20) == 0);
}

TEST_CASE("file: Load reads what Save wrote, with any byte container", "[file]") {
  Thing thing;
  CHECK(revctl::Load<Main>(Saved(Main::SR_THIRD), thing).Ok());
  CHECK(thing.hp == 7);
  std::string text;
  CHECK(revctl::Save(5, Thing{9}, text).Ok());
  CHECK(revctl::Load(text, thing, 5).Ok());
  CHECK(thing.hp == 9);
}

TEST_CASE("file: a file from a newer revision is rejected as such", "[file]") {
  Thing thing;
  const auto status = revctl::Load<Main>(Saved(Branch::SR_MORE), thing);
  CHECK(status.kind() == revctl::Status::Kind::Future);
  CHECK_THAT(status.message(), Catch::Contains("revision 6") && Catch::Contains("SR_THIRD = 5"));
  CHECK(revctl::Load(Saved(7), thing, 6).kind() == revctl::Status::Kind::Future);
  CHECK(revctl::Load(Saved(7), thing, ~0ull).Ok());  // a limit above all revisions, not -1
  CHECK(revctl::Load(Saved(6), thing, 6).Ok());
}

TEST_CASE("file: a file of another list is foreign by lineage or number", "[file]") {
  Thing thing;
  auto status = revctl::Load<Main>(Saved(Branch::SR_OTHER), thing);
  CHECK(status.kind() == revctl::Status::Kind::ForeignLineage);
  CHECK_THAT(status.message(),
             Catch::Contains("0000000000000044") && Catch::Contains("0000000000000033"));
  status = revctl::Load<Main>(Saved(3), thing);
  CHECK(status.kind() == revctl::Status::Kind::ForeignLineage);
  CHECK(revctl::Load<Main>(Saved(Branch::SR_SECOND), thing)
            .Ok());  // the two lists are identical up to SR_SECOND
  CHECK(thing.hp == 7);
}

TEST_CASE("file: errors for foreign, future and old files suggest a fix", "[file]") {
  const revctl::FileFormat main{.list = &revctl::ListOf<Main>::table},
      branch{.list = &revctl::ListOf<Branch>::table};
  Thing thing;
  CHECK(revctl::Load<Main>(Saved(Branch::SR_OTHER), thing, main).message() ==
        "written at revision 5 with lineage 0000000000000044, but in this program SR_THIRD = 5 has "
        "lineage 0000000000000033: the file comes from a branch that has not landed or was "
        "renumbered, on which this number had a different meaning");
  // 3 is a number that the list skips, because a branch's revision never landed.
  std::vector<std::byte> between;
  REQUIRE(revctl::Save(3, Thing{7}, between).Ok());
  between[8] = std::byte{0x9C};
  CHECK(revctl::Load<Main>(between, thing, main).message() ==
        "written at revision 3, which this list does not contain: the file comes from a branch "
        "that has not landed or was renumbered; `revctl show 000000000000009c` searches for it");
  between[8] = std::byte{0};  // written without a table, so the file has no lineage
  CHECK(revctl::Load<Main>(between, thing, main).message() ==
        "written at revision 3, which this list does not contain: the file comes from a branch "
        "that has not landed or was renumbered; `revctl show 3` searches for it, but only by "
        "number, because the file has no lineage: the program that wrote it did not include the "
        "table of its list (`revctl codegen`)");
  CHECK(revctl::Load<Main>(Saved(Branch::SR_MORE), thing, main).message() ==
        "written at revision 6, which is newer than this program's latest revision, SR_THIRD = 5; "
        "update the program");
  CHECK(revctl::Load<Main>(Saved(1), thing, main).message() ==
        "written at revision 1; the oldest supported revision is SR_SECOND = 2");
  CHECK(revctl::Load<Main>(Saved(Main::SR_THIRD), thing, branch).kind() ==
        revctl::Status::Kind::ForeignLineage);
}

TEST_CASE("file: lineage 0 means no table and is not compared", "[file]") {
  Thing thing;
  CHECK(revctl::Load<Main>(Saved(5), thing).Ok());
}

TEST_CASE("file: a file older than the oldest supported revision is rejected", "[file]") {
  Thing thing;
  const auto status = revctl::Load<Main>(Saved(1), thing);
  CHECK(status.kind() == revctl::Status::Kind::TooOld);
  CHECK_THAT(status.message(), Catch::Contains("SR_SECOND = 2"));
}

TEST_CASE("file: a different format, and a custom magic", "[file]") {
  Thing thing;
  CHECK(revctl::Load(std::string("RVCT"), thing, 5).kind() == revctl::Status::Kind::NotThisFormat);
  CHECK(revctl::Load(std::string(16, 'x'), thing, 5).kind() == revctl::Status::Kind::NotThisFormat);
  const revctl::FileFormat own{.magic = 0x12345678};
  std::vector<std::byte> bytes;
  CHECK(revctl::Save(1, Thing{7}, bytes, own).Ok());
  CHECK(bytes[0] == std::byte{0x78});
  CHECK(revctl::Load(bytes, thing, 5).kind() == revctl::Status::Kind::NotThisFormat);
  CHECK(revctl::Load(bytes, thing, 5, own).Ok());
}

TEST_CASE("file: an error leaves the value unchanged", "[file]") {
  auto bytes = Saved(Main::SR_THIRD);
  Thing thing{42};
  bytes.push_back({});
  auto status = revctl::Load<Main>(bytes, thing);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(status.message(), Catch::Contains("offset 20, but 1 bytes follow"));
  bytes.resize(18);
  status = revctl::Load<Main>(bytes, thing);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(status.message(), Catch::Contains("Thing.hp at offset 16"));
  CHECK(thing.hp == 42);
}

TEST_CASE("file: a revision missing from the list cannot be written", "[file]") {
  std::vector<std::byte> bytes(3);
  CHECK(revctl::Save(static_cast<Main>(4), Thing{}, bytes).kind() == revctl::Status::Kind::Refused);
  CHECK(bytes.size() == 3);
}

TEST_CASE("file: negative revisions survive the header", "[file]") {
  static constexpr revctl::ListEntry entries[] = {{"SR_A", -3, 1}, {"SR_B", 2, 2}};
  static constexpr revctl::ListTable table{"negative", entries, -3};
  const revctl::FileFormat format{.list = &table};
  std::vector<std::byte> bytes;
  Thing thing;
  CHECK(revctl::Save(-3, Thing{7}, bytes, format).Ok());
  CHECK(revctl::Load(bytes, thing, table, format).Ok());
  CHECK(thing.hp == 3);  // not read, because ADD(1, hp) is closed at -3
}

TEST_CASE("file: a revision that would be read as another cannot be written", "[file]") {
  std::vector<std::byte> bytes;
  CHECK(revctl::Save(-1, Thing{}, bytes).kind() ==
        revctl::Status::Kind::Refused);  // files do not record that numbers are signed
  CHECK_THAT(revctl::Save(-1, Thing{}, bytes).message(),
             Catch::Contains("revision -1 would be read as 4294967295"));
  CHECK(revctl::SaveParts(bytes, {}, revctl::PartAt(-1, Thing{})).kind() ==
        revctl::Status::Kind::Refused);
  CHECK(bytes.empty());
  Thing thing;
  CHECK(revctl::Save(3060011000u, Thing{7}, bytes).Ok());
  CHECK(revctl::Load(bytes, thing, 3060011000u).Ok());
  static constexpr revctl::ListEntry entries[] = {{"SR_A", -3, 1}, {"SR_B", 3060011000, 2}};
  static constexpr revctl::ListTable table{"negative", entries, -3};
  CHECK(revctl::Save(3060011000u, Thing{7}, bytes, {.list = &table}).kind() ==
        revctl::Status::Kind::Refused);
}

TEST_CASE("file: the caller can limit the cost", "[file]") {
  const std::vector<std::string> words(1000, "word");
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(1, words, bytes).Ok());
  std::vector<std::string> back;
  CHECK(revctl::Load(bytes, back, 1, {.limits = {.budget = 1000}}).kind() ==
        revctl::Status::Kind::Corrupt);
  CHECK(back.empty());
  CHECK(revctl::Load(bytes, back, 1, {.limits = {.budget = 1000 * sizeof(std::string)}}).Ok());

  everything::Node root;
  for (everything::Node* at = &root; at->value < 700; at = at->left.get()) {
    at->left = std::make_unique<everything::Node>();
    at->left->value = at->value + 1;
  }
  CHECK_THAT(revctl::Save(1, root, bytes).message(),
             Catch::Contains("nested deeper than the limit"));
  const revctl::FileFormat deep{.limits = {.depth = 1000}};
  REQUIRE(revctl::Save(1, root, bytes, deep).Ok());
  everything::Node tree;
  CHECK_THAT(revctl::Load(bytes, tree, 5).message(),
             Catch::Contains("nested deeper than the limit"));
  CHECK(revctl::Load(bytes, tree, 5, deep).Ok());
  CHECK(tree == root);
  std::vector<std::byte> parts;
  CHECK_FALSE(revctl::SaveParts(parts, {}, revctl::PartAt(Main::SR_THIRD, root)).Ok());
  REQUIRE(revctl::SaveParts(parts, deep, revctl::PartAt(Main::SR_THIRD, root)).Ok());
  CHECK_FALSE(revctl::LoadParts(parts, {}, revctl::PartOf<Main>(tree)).Ok());
  CHECK(revctl::LoadParts(parts, deep, revctl::PartOf<Main>(tree)).Ok());
}

TEST_CASE("file: a checksum detects damage that leaves values valid", "[file]") {
  CHECK(revctl::Checksum({}) == 0xEF46DB3751D8E999u);  // published test vectors of XXH64
  CHECK(revctl::Checksum(revctl::AsBytes(std::string("a"))) == 0xD24EC4F1A98C6E5Bu);
  CHECK(revctl::Checksum(revctl::AsBytes(std::string("Nobody inspects the spammish repetition"))) ==
        0xFBCEA83C8A378BF1u);

  const revctl::FileFormat summed{.checksum = true};
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(1, Thing{7}, bytes, summed).Ok());
  CHECK(bytes.size() == 16 + 4 + 8);
  Thing thing;
  CHECK(revctl::Load(bytes, thing, 1, summed).Ok());
  CHECK(thing.hp == 7);
  bytes[16] = std::byte{8};
  CHECK_THAT(revctl::Load(bytes, thing, 1, summed).message(),
             Catch::Contains("checksum at offset 20"));
  CHECK(revctl::Load(bytes, thing, 5).kind() ==
        revctl::Status::Kind::Corrupt);  // the checksum counts as eight surplus bytes
  bytes.resize(20);
  CHECK(revctl::Load(bytes, thing, 1, summed).kind() == revctl::Status::Kind::Corrupt);
  CHECK(thing.hp == 7);
}

TEST_CASE("file: a framework and a plug-in, each with its own list", "[file]") {
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveParts(bytes, {}, revctl::PartAt(Main::SR_THIRD, Thing{7}),
                            revctl::PartAt(Branch::SR_MORE, std::string("mod")))
              .Ok());
  CHECK(bytes.size() == 4 + 12 + 12 + 4 + 7);
  Thing thing;
  std::string mod;
  const auto load = [&] {
    return revctl::LoadParts(bytes, {}, revctl::PartOf<Main>(thing), revctl::PartOf<Branch>(mod));
  };
  CHECK(load().Ok());
  CHECK(thing.hp == 7);
  CHECK(mod == "mod");

  // Each part is checked against its own list. If any part is rejected, no value is assigned.
  const auto fine = bytes;
  thing.hp = 1;
  bytes[4 + 12] = std::byte{9};
  CHECK(load().kind() == revctl::Status::Kind::Future);
  bytes = fine;
  bytes[4 + 12 + 4] = std::byte{1};
  CHECK(load().kind() == revctl::Status::Kind::ForeignLineage);
  for (std::size_t n = 0; n < fine.size(); ++n) {
    bytes.assign(fine.begin(), fine.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK_FALSE(load().Ok());
  }
  bytes = fine;
  bytes.push_back({});
  CHECK_THAT(load().message(), Catch::Contains("1 bytes follow"));
  CHECK(thing.hp == 1);

  // A file with only one part has the same format as a file written by Save().
  REQUIRE(revctl::SaveParts(bytes, {}, revctl::PartAt(Main::SR_THIRD, Thing{5})).Ok());
  CHECK(revctl::Load<Main>(bytes, thing).Ok());
  CHECK(thing.hp == 5);
}

TEST_CASE("file: truncated parts with a new checksum are rejected", "[file]") {
  const revctl::FileFormat summed{.checksum = true};
  std::vector<std::byte> bytes;
  const auto save = [&] {
    return revctl::SaveParts(bytes, summed, revctl::PartAt(Main::SR_THIRD, Thing{7}),
                             revctl::PartAt(Branch::SR_MORE, std::string("mod")));
  };
  REQUIRE(save().Ok());
  Thing thing;
  std::string mod;
  const auto load = [&](const revctl::FileFormat& format) {
    return revctl::LoadParts(bytes, format, revctl::PartOf<Main>(thing),
                             revctl::PartOf<Branch>(mod));
  };
  CHECK(load(summed).Ok());
  const auto fine = bytes;
  for (std::size_t n = 0; n < fine.size() - 8; ++n) {
    bytes.assign(fine.begin(), fine.begin() + static_cast<std::ptrdiff_t>(n));
    const std::uint64_t sum = revctl::Checksum(bytes);
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(sum >> (8 * i)));
    CHECK_FALSE(load(summed).Ok());
  }
  // A file with parts cannot be read with `written_with`. Otherwise, numbers of the other list
  // would be interpreted as numbers of this one.
  bytes = fine;
  CHECK(load({.checksum = true, .written_with = &revctl::ListOf<Branch>::table}).kind() ==
        revctl::Status::Kind::Refused);
}
