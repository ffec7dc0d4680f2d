// Tests dump, convert and import with files in the program's own framing, and errors in the framing
// code.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

const std::string kFiles = Adopter("files");
const std::string kBadge = " --type Badge --golden golden";

/// Revision 2, followed by the reversed payload: number 0x1234 and owner "Zoe".
const std::string kZoe(
    "\x02"
    "eoZ\0\0\0\x03\x12\x34",
    10);

void Write(const Folder& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(folder.path() + "/" + name, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("HARNESS_FILES: dump, convert and import use the custom frame",
          "[harness][commands][files]") {
  const Folder folder;
  Write(folder, "zoe.badge", kZoe);
  const Ran tree = Run(folder, kFiles + " dump --tree zoe.badge" + kBadge);
  INFO(tree.err);
  CHECK(tree.exit == 0);
  CHECK_THAT(tree.out, Catch::Contains("       0    2  3412                number: 4660\n"));
  CHECK_THAT(tree.out, Catch::Contains("       2    7  030000005a6f65      owner: \"Zoe\"\n"));
  CHECK(Run(folder, kFiles + " convert zoe.badge --to-json -o zoe.json" + kBadge).exit == 0);
  CHECK_THAT(Bytes(folder.path() + "/zoe.json"), Catch::Contains("\"owner\": \"Zoe\""));
  CHECK(Run(folder,
            kFiles + " convert zoe.json --from-json --to-revision FOULS -o again.badge" + kBadge)
            .exit == 0);
  CHECK(Bytes(folder.path() + "/again.badge") == kZoe);
  const Ran old =
      Run(folder, kFiles + " convert zoe.badge --to-revision INITIAL -o old.badge" + kBadge);
  CHECK(old.exit == 0);
  CHECK_THAT(old.err, Catch::Contains("owner is \"Zoe\""));
  CHECK(Bytes(folder.path() + "/old.badge") == "\x01\x12\x34");
  const Ran imported = Run(folder, kFiles + " import zoe.badge --name real" + kBadge);
  INFO(imported.err);
  CHECK(imported.exit == 0);
  CHECK_THAT(imported.out, Catch::Contains("as real of SR_FOULS: 2 values"));
  // With --revision, the file is a bare payload, so the frame does not matter.
  Write(folder, "bare", "\x34\x12");
  CHECK_THAT(Run(folder, kFiles + " dump bare --revision INITIAL" + kBadge).out,
             Catch::Contains("\"number\": 4660"));
}

TEST_CASE("HARNESS_FILES: any input yields a value or a clear error",
          "[harness][commands][files]") {
  const Folder folder;
  const auto said = [&](const std::string& bytes) {
    Write(folder, "odd.badge", bytes);
    const Ran ran = Run(folder, kFiles + " dump odd.badge" + kBadge);
    CHECK(ran.exit == 1);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::StartsWith("error: odd.badge: "));
    return ran.err;
  };
  CHECK_THAT(said(""), Catch::Contains("a badge has at least one byte"));
  CHECK_THAT(
      said("\x09\x12\x34"),
      Catch::Contains("written at revision 9, which is newer than this program's latest revision"));
  CHECK_THAT(said(std::string("\0\x12\x34", 3)),
             Catch::Contains("the oldest supported revision is SR_INITIAL = 1"));
  CHECK_THAT(said("\xff\x12\x34"),
             Catch::Contains("claims revision -1, which cannot be in any list"));
  CHECK_THAT(said("\x01\x12"),
             Catch::Contains("Badge.number at offset 0 of the unpacked payload: "));
  CHECK_THAT(said("\x01\x12\x34\x56"), Catch::Contains("is followed by extra bytes"));
  for (std::size_t cut = 0; cut < kZoe.size(); ++cut) said(kZoe.substr(0, cut));
}

TEST_CASE("HARNESS_FILES: faulty framing code is reported; no file is written",
          "[harness][commands][files]") {
  const Folder folder;
  Write(folder, "x", "\x01");
  const Ran stray = Run(folder, kFiles + " dump x --type Stray --golden golden");
  CHECK(stray.exit == 1);
  CHECK_THAT(stray.err,
             Catch::Contains(
                 "x: its Open returns a payload that is neither in the file nor in `unpacked`"));
  Write(folder, "x.json", "{\"x\": 5}");
  const Ran forgetful =
      Run(folder, kFiles + " convert x.json --from-json -o y --type Forgetful --golden golden");
  CHECK(forgetful.exit == 1);
  CHECK_THAT(forgetful.err, Catch::Contains("cannot save Forgetful at SR_NO_FOULS: "
                                            "reopening the file yields revision 1 with 1 bytes"));
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/y"));
  const Ran both = Run(folder, "BADGES_HAVE_BOTH=1 " + kFiles + " check --golden golden");
  CHECK(both.exit == 2);
  CHECK_THAT(both.err, Catch::Contains("files of Badge already have a HARNESS_FORMAT, at "));
}

}  // namespace revctl::harness::test
