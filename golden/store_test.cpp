#include "golden/store.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "golden/store_test.h"

namespace fs = std::filesystem;
using revctl::golden::Case;
using revctl::golden::PayloadPack;
using revctl::golden::RevisionRecord;
using revctl::golden::Store;
using revctl::golden::WriteRecord;
using revctl::golden::testing::Bytes;
using revctl::golden::testing::Folder;
using revctl::golden::testing::Make;
using revctl::golden::testing::OnlyProblem;
using revctl::golden::testing::Recorded;
using revctl::golden::testing::Write;

TEST_CASE("pack: known bytes", "[golden][pack]") {
  PayloadPack pack;
  // XXH64 of "abc", from the reference implementation's own test vectors.
  CHECK(pack.Add(Bytes("abc")) == 0x44bc2cf5ad770999ull);
  CHECK(pack.Add(Bytes("abc")) == 0x44bc2cf5ad770999ull);
  CHECK(pack.size() == 1);
  const std::string expected("rvgold\1\n\1\0\0\0\x99\x09\x77\xad\xf5\x2c\xbc\x44\3\0\0\0abc", 27);
  CHECK(pack.Bytes() == expected);
  const auto back = PayloadPack::Parse(expected, "f");
  REQUIRE(back.ok());
  REQUIRE(back->Find(0x44bc2cf5ad770999ull));
  CHECK(*back->Find(0x44bc2cf5ad770999ull) == Bytes("abc"));
}

TEST_CASE("pack: the worked example of docs/formats/golden-store.md", "[golden][pack]") {
  PayloadPack pack;
  CHECK(revctl::golden::HashText(pack.Add(
            Bytes(std::string_view("\7\0\0\0\3\0\0\0\3\0\0\0", 12)))) == "d5d11402b24a834d");
  constexpr unsigned char kExpected[] = {0x72, 0x76, 0x67, 0x6f, 0x6c, 0x64, 0x01, 0x0a, 0x01,
                                         0x00, 0x00, 0x00, 0x4d, 0x83, 0x4a, 0xb2, 0x02, 0x14,
                                         0xd1, 0xd5, 0x0c, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00,
                                         0x00, 0x03, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00};
  CHECK(pack.Bytes() == std::string(reinterpret_cast<const char*>(kExpected), sizeof kExpected));
}

TEST_CASE("pack: a newer format is reported with a fix", "[golden][pack]") {
  std::string pack = Make("SR_A", {"aa"}).payloads.Bytes();
  pack[6] = 2;
  const auto parsed = PayloadPack::Parse(pack, "f");
  REQUIRE_FALSE(parsed.ok());
  CHECK_THAT(parsed.error().message, Catch::Contains("payload pack version 2"));
  CHECK_THAT(parsed.error().fix, Catch::StartsWith("update revctl"));
}

TEST_CASE("pack: damage anywhere is an error, never a crash", "[golden][pack]") {
  PayloadPack pack;
  pack.Add(Bytes("abc"));
  pack.Add(Bytes(""));
  pack.Add(Bytes(std::string(100, 'x')));
  const std::string good = pack.Bytes();
  for (std::size_t length = 0; length < good.size(); ++length) {
    CHECK_FALSE(PayloadPack::Parse(std::string_view(good).substr(0, length), "f").ok());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    CHECK_FALSE(PayloadPack::Parse(bad, "f").ok());
  }
  CHECK_FALSE(PayloadPack::Parse(good + "x", "f").ok());
  std::string lies("rvgold\1\n\xff\xff\xff\xff", 12);
  CHECK_FALSE(PayloadPack::Parse(lies, "f").ok());
  const auto pointer =
      PayloadPack::Parse("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "f");
  REQUIRE_FALSE(pointer.ok());
  CHECK_THAT(pointer.error().message, Catch::Contains("LFS"));
  CHECK(pointer.error().fix == "git lfs pull");
}

TEST_CASE("store: reads back what was written, in any order", "[golden][store]") {
  const Folder folder;
  REQUIRE(Write(folder, Make("SR_FOULS", {"ab", "", "ab"})).ok());
  REQUIRE(Write(folder, Make("SR_EMPTY", {})).ok());
  folder.Put("README.md", "no record");
  const Store store = Store::Open(folder.path());
  for (const auto& problem : store.problems()) FAIL(problem.file << problem.message);
  REQUIRE(store.records().size() == 2);
  const auto* fouls = store.Find("SR_FOULS");
  REQUIRE(fouls);
  REQUIRE(fouls->record.cases.size() == 3);
  CHECK(fouls->payloads.size() == 2);
  const auto payload = Store::Payload(*fouls, fouls->record.cases[0]);
  CHECK(std::vector<std::byte>(payload.begin(), payload.end()) == Bytes("ab"));
  CHECK(store.Has("SR_EMPTY"));
  CHECK_FALSE(fs::exists(folder / "SR_EMPTY.golden"));
  CHECK_FALSE(store.Has("SR_OTHER"));
}

TEST_CASE("store: a missing folder has no records", "[golden][store]") {
  const Folder folder;
  const Store store = Store::Open(folder / "none");
  CHECK(store.records().empty());
  CHECK(store.problems().empty());
}

TEST_CASE("store: an existing record is never overwritten", "[golden][store]") {
  const Folder folder;
  REQUIRE(Write(folder, Make("SR_FOULS", {"ab"})).ok());
  const std::string text = folder.Get("SR_FOULS.yaml"), pack = folder.Get("SR_FOULS.golden");
  const auto again = Write(folder, Make("SR_FOULS", {"other"}));
  REQUIRE_FALSE(again.ok());
  CHECK_THAT(again.error().message, Catch::Contains("already exists"));
  CHECK(folder.Get("SR_FOULS.yaml") == text);
  CHECK(folder.Get("SR_FOULS.golden") == pack);
  REQUIRE(Write(folder, Make("SR_FOULS", {"other"}), true).ok());
  CHECK(folder.Get("SR_FOULS.golden") != pack);
  CHECK_FALSE(WriteRecord(folder.path(), Make("../evil", {"x"}).record, {}, false).ok());
}

TEST_CASE("store: reports damaged files and still reads all others", "[golden][store]") {
  const Folder folder;
  REQUIRE(Write(folder, Make("SR_A", {"aa"})).ok());
  REQUIRE(Write(folder, Make("SR_B", {"bb"})).ok());
  SECTION("an edited payload") {
    std::string pack = folder.Get("SR_B.golden");
    pack.back() = 'x';
    folder.Put("SR_B.golden", pack);
    CHECK_THAT(OnlyProblem(folder),
               Catch::StartsWith("SR_B.golden: ") && Catch::Contains("damaged"));
  }
  SECTION("missing payloads") {
    fs::remove(folder / "SR_B.golden");
    CHECK_THAT(OnlyProblem(folder),
               Catch::StartsWith("SR_B.golden: ") && Catch::Contains("missing"));
  }
  SECTION("another revision's payloads") {
    folder.Put("SR_B.golden", folder.Get("SR_A.golden"));
    CHECK_THAT(OnlyProblem(folder),
               Catch::StartsWith("SR_B.yaml: ") && Catch::Contains("no payload"));
  }
  SECTION("a payload whose size differs from its case") {
    std::string record = folder.Get("SR_B.yaml");
    const std::size_t at = record.find("size: 2");
    REQUIRE(at != std::string::npos);
    folder.Put("SR_B.yaml", record.replace(at, 7, "size: 3"));
    CHECK_THAT(OnlyProblem(folder),
               Catch::StartsWith("SR_B.yaml: ") && Catch::Contains("payload of a different size"));
  }
  SECTION("a payload that belongs to no case") {
    PayloadPack pack = Make("SR_B", {"bb"}).payloads;
    pack.Add(Bytes("stowaway"));
    folder.Put("SR_B.golden", pack.Bytes());
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_B.yaml: ") &&
                                        Catch::Contains("payloads that the record does not list"));
  }
  SECTION("a renamed record") {
    fs::rename(folder / "SR_B.yaml", folder / "SR_C.yaml");
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_C.yaml: ") &&
                                        Catch::Contains("but contains the record of SR_B"));
  }
  SECTION("a folder instead of the payloads") {
    fs::remove(folder / "SR_B.golden");
    fs::create_directory(folder / "SR_B.golden");
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_B.golden: is a folder"));
  }
  SECTION("a folder instead of the text") {
    fs::remove(folder / "SR_B.yaml");
    fs::create_directory(folder / "SR_B.yaml");
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_B.yaml: is a folder"));
    CHECK(Store::Open(folder.path()).Has("SR_B"));
  }
  SECTION("a record whose `previous` is the record itself") {
    Recorded made = Make("SR_B", {"bb"});
    made.record.previous = "SR_B";
    REQUIRE(Write(folder, made, true).ok());
    CHECK(OnlyProblem(folder) == "SR_B.yaml: `previous: SR_B` names the record itself");
  }
  SECTION("garbage") {
    folder.Put("SR_B.yaml", "version: 1\nrevision: SR_B\n");
    CHECK_THAT(OnlyProblem(folder), Catch::Contains("missing"));
  }
  CHECK(Store::Open(folder.path()).Find("SR_A"));
  CHECK(Store::Open(folder.path()).Find("SR_B") == nullptr);
}

TEST_CASE("store: rejects records in a cycle, but not records that lead to it", "[golden][store]") {
  const Folder folder;
  for (const auto& [name, previous] : {std::pair("SR_A", "SR_C"),
                                       {"SR_B", "SR_A"},
                                       {"SR_C", "SR_B"},
                                       {"SR_D", "SR_C"},
                                       {"SR_E", "SR_GONE"}}) {
    Recorded made = Make(name, {"aa"});
    made.record.previous = previous;
    REQUIRE(Write(folder, made).ok());
  }
  const Store store = Store::Open(folder.path());
  CHECK(store.problems().size() == 3);
  for (const revctl::golden::Error& problem : store.problems())
    CHECK_THAT(problem.message, Catch::Contains("a later record"));
  for (const char* name : {"SR_A", "SR_B", "SR_C"})
    CHECK((store.Find(name) == nullptr && store.Has(name)));
  for (const char* name : {"SR_D", "SR_E"}) CHECK(store.Find(name));
}

TEST_CASE("store: an addition does not replace the record", "[golden][store]") {
  const Folder folder;
  REQUIRE(Write(folder, Make("SR_A", {"aa"})).ok());
  const Recorded more = Make("SR_A", {"more"});
  const auto name = revctl::golden::WriteAddition(folder.path(), more.record, more.payloads);
  REQUIRE(name.ok());
  CHECK_THAT(*name, Catch::StartsWith("SR_A+") && Catch::EndsWith(".yaml"));
  CHECK(revctl::golden::WriteAddition(folder.path(), more.record, more.payloads).value() == *name);
  Store store = Store::Open(folder.path());
  CHECK(store.problems().empty());
  REQUIRE(store.records().size() == 2);
  CHECK(store.Find("SR_A")->record.cases[0].size == 2);
  store.Forget("SR_A");
  CHECK(store.Find("SR_A") == nullptr);
  CHECK_FALSE(store.Has("SR_A"));
  CHECK(store.records().size() == 1);
}

TEST_CASE("store: if several processes record at once, one wins", "[golden][store]") {
  const Folder folder;
  for (int round = 0; round < 10; ++round) {
    const std::string revision = "SR_RACE" + std::to_string(round);
    std::atomic<int> won{0};
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&, i] {
        const Recorded made = Make(revision, {std::string(5000, static_cast<char>('a' + i))});
        won += WriteRecord(folder.path(), made.record, made.payloads, false).ok();
      });
    }
    for (std::thread& writer : writers) writer.join();
    CHECK(won == 1);
  }
  CHECK(Store::Open(folder.path()).problems().empty());
  CHECK(Store::Open(folder.path()).records().size() == 10);
}
