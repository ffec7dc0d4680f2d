// Recorded files must still open with HARNESS_FORMAT and HARNESS_FILES.
#include <array>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/testing/test_program.h"

namespace frames {

enum Rev { SR_INITIAL = 1 };

struct Save {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Save) { ADD(SR_INITIAL, hp); }
SERIALIZE_END

/// A type whose file is too large for a record.
struct World {
  std::array<std::int32_t, 900> cells{};
};
SERIALIZE_TYPE(World) { ADD(SR_INITIAL, cells); }
SERIALIZE_END

/// Opens files with the old or the new magic, and writes the new magic.
struct BothFiles {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    const revctl::Status status = revctl::OpenFile(file, {.magic = 0x32565359}, parts);
    return status.Ok() ? status : revctl::OpenFile(file, {.magic = 0x31565359}, parts);
  }
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    return revctl::MakeFile(parts, {.magic = 0x32565359}, file);
  }
};

}  // namespace frames

namespace revctl::harness::test {
namespace {

template <class T = frames::Save>
Program With(const revctl::FileFormat& format) {
  Program program = Program(1).Type<T>();
  program.registry.types.front().format = format;
  program.registry.types.front().format_file = "game.cpp";
  program.registry.types.front().format_line = 8;
  return program;
}

constexpr revctl::FileFormat kFirst{.magic = 0x31565359,
                                    .limits = {.budget = 1U << 20, .depth = 40}};

std::size_t Files(const Folder& folder) {
  std::size_t files = 0;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  for (const revctl::golden::StoredRecord& stored : store.records())
    files += stored.record.files.size();
  return files;
}

}  // namespace

TEST_CASE("check: a HARNESS_FORMAT that rejects old files is GH002", "[harness][signals][frames]") {
  const Folder folder;
  With(kFirst).Record(folder);
  REQUIRE(Files(folder) == 1);
  CHECK(With(kFirst).Check(folder).findings.empty());

  const auto broken = [&](const Program& program) {
    const CheckResult result = program.Check(folder);
    INFO(Text(result));
    CHECK(Errors(result) == std::vector<std::string>{"GH002 frames::Save."});
    return Find(result, "GH002", "frames::Save", "");
  };
  revctl::FileFormat format = kFirst;
  format.magic = 0x32565359;
  const Finding magic = broken(With(format));
  CHECK_THAT(magic.message, Catch::Contains("does not begin with the magic bytes"));
  CHECK_THAT(magic.details, Catch::Contains("begins with 59535631"));
  CHECK(magic.file == "game.cpp");
  CHECK(magic.line == 8);
  format = kFirst;
  format.checksum = true;
  CHECK_THAT(broken(With(format)).message, Catch::Contains("checksum"));
  format = kFirst;
  format.limits.depth = 39;
  CHECK_THAT(broken(With(format)).message,
             Catch::Contains("40 levels deep, but the limit is now 39"));
  format = kFirst;
  format.limits.budget -= 1;
  CHECK_THAT(broken(With(format)).message, Catch::Contains("bytes of memory"));
  // Removing HARNESS_FORMAT changes the magic number.
  broken(Program(1).Type<frames::Save>());

  format = kFirst;
  format.limits = {};  // the default limits, all of which exceed those of kFirst
  format.has_latest = true;
  format.latest = 1;
  CHECK(With(format).Check(folder).findings.empty());
  Program both = Program(1).Type<frames::Save>();
  both.registry.types.front().files = {both.registry.types.front().entry.type,
                                       &frames::BothFiles::Open, &frames::BothFiles::Make,
                                       "game.cpp", 9};
  CHECK(both.Check(folder).findings.empty());
}

TEST_CASE("check: also covers the format of large files", "[harness][signals][frames]") {
  const Folder folder;
  With<frames::World>(kFirst).Record(folder);
  REQUIRE(Files(folder) == 1);
  CHECK(With<frames::World>(kFirst).Check(folder).findings.empty());
  revctl::FileFormat format = kFirst;
  format.magic = 0x32565359;
  CHECK(Errors(With<frames::World>(format).Check(folder)) ==
        std::vector<std::string>{"GH002 frames::World."});
}

TEST_CASE("record: adds a framed file to an old store once", "[harness][signals][frames]") {
  const Folder folder;
  Program(1).Type<frames::Save>().Record(folder);
  const Program program = With(kFirst);
  CHECK(Files(folder) == 0);
  CHECK(program.Check(folder).findings.empty());
  const auto added = [&] {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const Recording addition = RecordAdditions(program.registry, history, {});
    CHECK(addition.record.cases.empty());
    if (!addition.record.files.empty())
      CHECK(revctl::golden::WriteAddition(folder.path(), addition.record, addition.payloads).ok());
    return addition.record.files.size();
  };
  CHECK(added() == 1);
  CHECK(added() == 0);
  CHECK(program.Check(folder).findings.empty());
  revctl::FileFormat other = kFirst;
  other.checksum = true;
  CHECK(Errors(With(other).Check(folder)).size() == 1);
}

}  // namespace revctl::harness::test
