// Tests that songs of every version load, including those without a header, and that generated code
// can print values and convert to JSON and back.
#include "example_test.h"

#include "known_song.h"
#include "master_version_list.revctl.h"

namespace melodist {
namespace {

Song Loaded(const std::string& name) {
  Song song;
  const revctl::Status status =
      LoadSong(example::Bytes(example::File("saves/" + name + ".save")), song);
  INFO(name << ": " << status.message());
  REQUIRE(status);
  REQUIRE(song.voices.size() == 1);
  REQUIRE(song.voices[0].notes.size() == 2);
  return song;
}

TEST_CASE("songs of every version are today's songs", "[melodist]") {
  for (const std::string name : {"r1", "r2", "r3", "today"}) {
    const Song song = Loaded(name);
    INFO(name);
    CHECK(song.title == "La");
    CHECK(song.tempo == (name < "r3" ? 90.0 : 90.5));  // r1 and r2 store whole numbers
    CHECK(song.authors.front() == "Ann");  // r1 to r3 have a single author, which became a list
    CHECK(song.voices[0].wave == Wave::Square);
    CHECK(song.voices[0].at ==
          Position{1.5F, name == "r1" ? 0.0F : 3.0F, -2});  // 2D positions get a height of 0
    CHECK(song.voices[0].notes[1].beat == 1.5F);            // 36 ticks in older versions
  }
}

TEST_CASE("the chain of maps goes from version 1 to the newest", "[melodist]") {
  SongV1 old;
  old.tempo = 75;
  old.author = "Ben";
  const Song song = Newest(old);
  CHECK(song.tempo == 75);
  CHECK(song.authors == std::vector<std::string>{"Ben"});
  CHECK(Next(Next(old)) == song);
}

TEST_CASE("files without header are recognised by their first bytes", "[melodist]") {
  const std::vector<std::byte> old = example::Bytes(example::File("saves/r1.save"));
  const std::vector<std::byte> later = example::Bytes(example::File("saves/r2.save"));
  CHECK(std::to_integer<char>(old[0]) != 'M');
  CHECK(std::string(reinterpret_cast<const char*>(later.data()), 4) == "MELO");
  // A file that is truncated at any byte, with or without a header, must fail to load instead of
  // loading as a different song.
  for (std::size_t cut = 0; cut < old.size(); ++cut) {
    Song song;
    CHECK_FALSE(LoadSong(std::span(old).first(cut), song));
  }
  for (std::size_t cut = 0; cut < later.size(); ++cut) {
    Song song;
    CHECK_FALSE(LoadSong(std::span(later).first(cut), song));
  }
}

TEST_CASE("a song for players who did not update", "[melodist]") {
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(SR_STAGE, KnownSong(), file, SongFormat()));
  Song song;
  REQUIRE(LoadSong(file, song));
  CHECK(song.tempo == 90);
  CHECK(song.voices[0].notes[1].beat == 1.5F);
  CHECK(song.authors == std::vector<std::string>{"Ann"});  // this version has a single author
}

TEST_CASE("the harness reads and writes the program's own files", "[melodist]") {
  for (const std::string name : {"r1", "r2", "r3", "today"}) {  // r1 has no header
    const std::string file = example::File("saves/" + name + ".save");
    const std::string json = example::Output("melodist_harness", "dump '" + file + "'");
    CHECK_THAT(json, Catch::Contains("\"title\": \"La\""));
  }
  const std::string file =
      example::Output("melodist_harness", "convert '" + example::File("saves/today.save") +
                                              "' --to-revision SR_STAGE 2>/dev/null");
  REQUIRE(file.substr(0, 4) == "MELO");
  Song song;
  REQUIRE(LoadSong(std::as_bytes(std::span(file)), song));
  CHECK(song.tempo == 90);
  CHECK(song.voices[0].notes[1].beat == 1.5F);
}

TEST_CASE("a song for the first build, whose files had no header", "[melodist]") {
  const std::string first = EXAMPLE_PROGRAMS "/for_r1.song";
  example::Output("melodist_harness", "convert '" + example::File("saves/today.save") +
                                          "' --to-revision SR_FIRST -o '" + first + "' 2>&1");
  CHECK(example::Bytes(first) ==
        example::Bytes(example::File("saves/r1.save")));  // written by the code of r1
  const std::string read =
      example::Output("melodist_r1_harness", "dump --revision SR_FIRST '" + first + "'");
  CHECK_THAT(read, Catch::Contains("\"title\": \"La\"") && Catch::Contains("\"author\": \"Ann\""));
  Song song;
  REQUIRE(LoadSong(example::Bytes(first), song));
  CHECK(song.voices[0].notes[1].beat == 1.5F);
}

TEST_CASE("tags: printing leaves fields out, editors get ranges", "[melodist]") {
  const std::string text = revctl::ToText(KnownSong());
  INFO(text);
  CHECK_THAT(text, Catch::Contains("title: \"La\"") && Catch::Contains("pitch: 69") &&
                       !Catch::Contains("Ann"));
  // Counts how often each field is found, because the editor does not check the range of a field
  // that it finds under a different name.
  int tempos = 0, heights = 0;
  for (const revctl::FieldInfo& field : revctl::FieldsOf<Song>()) {
    tempos += field.name == "tempo" && field.Tag("RANGE") == "20, 300" ? 1 : 0;
  }
  for (const revctl::FieldInfo& field : revctl::FieldsOf<Position>()) {
    heights += field.name == "y" && field.Tag("RANGE") == "0, 10" ? 1 : 0;
  }
  CHECK(tempos == 1);
  CHECK(heights == 1);
}

TEST_CASE("JSON there and back", "[melodist]") {
  std::string json = SongToJson(KnownSong());
  Song song;
  REQUIRE(SongFromJson(json, song));
  CHECK(song == KnownSong());
  json.replace(json.find("\"tempo\""), 7, "\"temp0\"");
  const revctl::Status status = SongFromJson(json, song);
  CHECK_THAT(status.message(), Catch::Contains("temp0"));
  CHECK(song == KnownSong());
}

}  // namespace
}  // namespace melodist
