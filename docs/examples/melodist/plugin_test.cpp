// Two lists in one program: the code generated for a plug-in uses the plug-in's list and never the
// program's.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "rack.h"
#include "types.h"

namespace {

/// Returns the revision of a file's header: four bytes after the magic.
int RevisionOf(const std::vector<std::byte>& file) { return std::to_integer<int>(file.at(4)); }

TEST_CASE("plug-in files have the plug-in's own list and revision", "[generate]") {
  static_assert(static_cast<int>(RK_MIX) != static_cast<int>(SR_LATEST),
                "else a mistake would not show");
  const rack::Echo echo{7, 77};
  std::vector<std::byte> file;
  REQUIRE(rack::SaveEcho(echo, file));
  CHECK(RevisionOf(file) == RK_MIX);
  rack::Echo read;
  const revctl::Status status = rack::LoadEcho(file, read);
  INFO(status.message());
  REQUIRE(status);
  CHECK(read == echo);
  rack::Echo parsed;
  REQUIRE(rack::EchoFromJson(rack::EchoToJson(echo), parsed));
  CHECK(parsed == echo);
}

TEST_CASE("beside a plug-in the program's own files are as they were", "[generate]") {
  melodist::Song song;
  song.title = "Beside";
  std::vector<std::byte> file;
  REQUIRE(melodist::SaveSong(song, file));
  CHECK(RevisionOf(file) == SR_LATEST);
  melodist::Song read;
  const revctl::Status status = melodist::LoadSong(file, read);
  INFO(status.message());
  REQUIRE(status);
  CHECK(read == song);
}

TEST_CASE("a rack's file that names another lineage is refused", "[generate]") {
  std::vector<std::byte> file;
  REQUIRE(rack::SaveEcho({}, file));
  file.at(8) ^= std::byte{1};
  rack::Echo read;
  CHECK(rack::LoadEcho(file, read).kind() == revctl::Status::Kind::ForeignLineage);
}

}  // namespace
