#include "golden/large_payload.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "golden/index.h"
#include "golden/store.h"
#include "revctl/base/temporary_file.h"

using namespace revctl::golden;

namespace {

std::vector<std::byte> Bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

Result<std::vector<std::byte>> Unpack(std::string_view packed) {
  const auto read = [&](std::span<char> buffer) -> Result<std::size_t> {
    const std::size_t size = packed.copy(buffer.data(), buffer.size());
    packed.remove_prefix(size);
    return size;
  };
  return UnpackLargePayload(read, "f");
}

std::vector<std::byte> Unpacked(const std::string& packed) {
  const auto payload = Unpack(packed);
  INFO((payload ? "" : payload.error().message));
  REQUIRE(payload.ok());
  return *payload;
}

}  // namespace

TEST_CASE("sha256: test vectors of FIPS 180-4", "[golden]") {
  CHECK(Sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(Sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("large payload: round-trips regardless of its runs", "[golden]") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string payload;
    for (int piece = static_cast<int>(random() % 6); piece > 0; --piece) {
      const std::size_t size = random() % 100;
      if (random() % 2 == 0) {
        payload.append(size, static_cast<char>(random() % 3));
      } else {
        for (std::size_t i = 0; i < size; ++i) payload += static_cast<char>(random());
      }
    }
    CHECK(Unpacked(PackLargePayload(Bytes(payload))) == Bytes(payload));
  }
}

TEST_CASE("large payload: two megabytes of zeros take forty bytes", "[golden]") {
  const std::string zeros(2U << 20, '\0');
  const std::string packed = PackLargePayload(Bytes("ab" + zeros + "c"));
  CHECK(packed.size() == 24 + 4 + 2 + 5 + 4 + 1 + 5);
  CHECK(Unpacked(packed) == Bytes("ab" + zeros + "c"));
}

TEST_CASE("large payload: blocks larger than the read buffer", "[golden]") {
  std::mt19937 random(11);
  std::string payload;
  for (const std::size_t size : {100'000U, 65'536U, 40U, 65'535U, 300'000U}) {
    for (std::size_t i = 0; i < size; ++i) payload += static_cast<char>(random());
    payload.append(33 + random() % 70'000, 'x');
  }
  const std::string packed = PackLargePayload(Bytes(payload));
  CHECK(packed.size() < payload.size());
  CHECK(Unpacked(packed) == Bytes(payload));
  for (std::size_t cut = 1; cut < packed.size(); cut += 31'337) {
    INFO(cut);
    CHECK_FALSE(Unpack(packed.substr(0, packed.size() - cut)).ok());
  }
}

TEST_CASE("large payload: damaged files are rejected", "[golden]") {
  const std::string whole = PackLargePayload(Bytes("abc" + std::string(500, 'x') + "def"));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    INFO(cut);
    CHECK_FALSE(Unpack(whole.substr(0, cut)).ok());
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    // Skip the repeated byte of an empty run, because no reader uses it and damage to it goes
    // unnoticed.
    if (at + 1 == whole.size()) continue;
    INFO(at);
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    CHECK_FALSE(Unpack(damaged).ok());
  }
  std::string huge = whole;
  huge.replace(8, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  CHECK_THAT(Unpack(huge).error().message, Catch::Contains("the limit is 67108864"));
}

TEST_CASE("large payload: file names", "[golden]") {
  const std::string path = "SR_FOULS.large/boss-fight-+9f86d081884c7d65.payload";
  const auto name = ParseFileName(path);
  REQUIRE(name);
  CHECK(name->kind == FileName::Kind::Large);
  CHECK(name->revision == "SR_FOULS");
  CHECK(name->golden == LargeStem("boss fight!"));
  CHECK(FileNameText(*name) == path);
  CHECK(LargeStem("Z\xC3\xBCrich/../x") == "Z-rich-..-x");
  for (const char* other :
       {"SR_FOULS.large/+9f86d081884c7d6.payload", "SR_FOULS.large/x.payload",
        "x/SR_FOULS.large/a+9f86d081884c7d65.payload",
        "SR_FOULS.large/a/b+9f86d081884c7d65.payload", "SR FOULS.large/a+9f86d081884c7d65.payload",
        "SR_FOULS.large/a+9f86d081884c7d65.golden", "a+9f86d081884c7d65.payload"})
    CHECK_FALSE(ParseFileName(other));
}

TEST_CASE("large payload: a store leaves it on disk and recognizes Git LFS pointers",
          "[golden][store]") {
  const auto folder = std::move(revctl::base::ScratchFolder::Make().value());
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.path() + "/" + name, std::ios::binary) << bytes;
  };
  RevisionRecord record;
  record.revision = "SR_FOULS";
  record.number = 2;
  record.provenance = {"import", "SR_FOULS", "g++", "0.1.0", 1};
  LargeCase large;
  large.item.type = "World";
  large.item.name = "boss fight";
  large.item.values = {{"units[0..255]#digest", "9f86d081884c7d65"}, {"ram", "4-bytes-x"}};
  large.item.upgraded = {{std::string(kSaved), std::nullopt, "0000000000000001"}};
  const auto payload = Bytes("ab" + std::string(5000, 'x') + "c");
  const LargeFile file = MakeLargeFile(record, payload, large);
  record.large.push_back(large);
  const auto parsed = ParseRecord(FormatRecord(record), "f");
  REQUIRE(parsed.ok());
  CHECK(parsed->large == record.large);

  REQUIRE(WriteAddition(folder.path(), record, {}, {file}).ok());
  const std::string path = folder.path() + "/" + file.name;
  Store store = Store::Open(folder.path());
  REQUIRE(store.problems().empty());
  REQUIRE(store.records().size() == 1);
  const auto read = store.ReadLarge(store.records()[0], store.records()[0].record.large[0]);
  REQUIRE(read.ok());
  CHECK(*read == payload);

  const auto pointer = [&](const std::string& sha256, std::uint64_t size) {
    write(file.name, "version https://git-lfs.github.com/spec/v1\noid sha256:" + sha256 +
                         "\nsize " + std::to_string(size) + "\n");
    return Store::Open(folder.path()).problems();
  };
  auto problems = pointer(large.sha256, large.stored);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0].message, Catch::Contains("Git LFS pointer instead of"));
  CHECK(problems[0].fix == "git lfs pull");
  problems = pointer(std::string(64, '0'), large.stored);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0].message, Catch::Contains("not to the payload of the golden boss fight"));

  std::string damaged = file.bytes;
  damaged[28] = static_cast<char>(damaged[28] ^ 1);
  write(file.name, damaged);
  store = Store::Open(folder.path());
  CHECK(store.problems().empty());  // Open() does not read large payloads
  const auto broken = store.ReadLarge(store.records()[0], store.records()[0].record.large[0]);
  REQUIRE_FALSE(broken.ok());
  CHECK_THAT(broken.error().message, Catch::Contains("is damaged"));
  CHECK_THAT(broken.error().fix, Catch::StartsWith("git checkout -- "));

  const std::string text = store.records()[0].file;
  REQUIRE(RemoveAddition(folder.path(), text).ok());
  CHECK_FALSE(std::filesystem::exists(path));
}
