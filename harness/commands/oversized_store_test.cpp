// A pull request may contain hostile goldens. The harness must reject each oversized file quickly
// and with little memory, and must name the file and the limit.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

const std::string kText = "golden/SR_NO_FOULS.yaml", kPack = "golden/SR_NO_FOULS.golden";

/// Limits memory (in KiB) and CPU time (in seconds). CPU time does not depend on how busy the
/// machine is.
const std::string kLimits = kSanitized ? "ulimit -t 90; " : "ulimit -v 1200000; ulimit -t 15; ";

struct Bomb {
  const char* name;
  std::string file;
  std::string (*change)(std::string before);  ///< returns the file's new content
  std::uintmax_t size;  ///< if not 0, the file is extended to this size as a sparse file
  const char* words;
};

std::string Repeated(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string Same(std::string text) { return text; }

}  // namespace

TEST_CASE("check: rejects oversized files with their name and limit",
          "[harness][commands][bombs]") {
  const auto bomb = GENERATE(values<Bomb>({
      {"a text of 100 MB", kText, Same, 100'000'000,
       "has 100000000 bytes, but at most 67108864 are supported"},
      {"payloads of 100 MB", kPack, Same, 100'000'000,
       "has 100000000 bytes, but at most 67108864 are supported"},
      {"one golden of 40 MB", kPack,
       [](std::string) {
         return std::string("rvgold\1\n\1\0\0\0\1\2\3\4\5\6\7\x08\x00\x5a\x62\x02", 24);
       },
       40'000'024, "payload 1 of 1 has 40000000 bytes; the limit for a golden is 1048576"},
      {"a count of all there can be", kPack,
       [](std::string) {
         return std::string("rvgold\1\n\xff\xff\xff\xff", 12) + Repeated("x", 1000);
       },
       0, "its payload count is wrong"},
      {"brackets without end", kText,
       [](std::string text) { return text + "more: " + Repeated("[", 10'000'000); }, 0,
       "nested too deeply"},
      {"blocks without end", kText,
       [](std::string text) {
         for (std::size_t i = 0; i < 2000; ++i) text += std::string(i, ' ') + "a:\n";
         return text;
       },
       0, "nested too deeply"},
      {"lists in lists, each on a line", kText,
       [](std::string text) { return text + "more:\n  " + Repeated("- ", 1'000'000) + "x\n"; }, 0,
       "nested too deeply"},
      {"an alias of aliases", kText,
       [](std::string text) { return text + "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"; }, 0,
       "anchors are not allowed in this format"},
      {"values by the million, on one line", kText,
       [](std::string text) { return text + "more: [" + Repeated("0,", 20'000'000) + "0]\n"; }, 0,
       "more than 1048576 values"},
      {"values by the million, on as many", kText,
       [](std::string text) { return text + "more:\n" + Repeated("  - a\n", 5'000'000); }, 0,
       "more than 1048576 values"},
      {"a key of megabytes", kText,
       [](std::string text) { return text + Repeated("k", 20'000'000) + ": 0\n"; }, 0,
       "unknown key `kkkk"},
      {"a size beyond all numbers", kText,
       [](std::string text) {
         text.replace(text.find("    size: ") + 10, 0, Repeated("9", 1'000'000));
         return text;
       },
       0, "is not a number, or is out of range"},
      {"a reason of a megabyte", "golden/approved/0123456789abcdef.yaml",
       [](std::string) {
         return "version: 1\napproved: baseline\nreason: \"" + Repeated("x", 1'000'000) + "\"\n";
       },
       0, "bytes, but at most 65536 are supported"},
  }));
  INFO(bomb.name);
  static const Folder recorded;
  if (Listing(recorded).empty())
    REQUIRE(Run(recorded, kFour + " record --golden golden").exit == 0);
  const Folder folder;
  fs::copy(recorded.path() + "/golden", folder.path() + "/golden");
  fs::create_directory(folder.path() + "/golden/approved");
  const std::string path = folder.path() + "/" + bomb.file, bytes = bomb.change(Bytes(path));
  std::ofstream(path, std::ios::binary) << bytes;
  if (bomb.size != 0) fs::resize_file(path, bomb.size);

  const Ran check =
      Run(folder, "sh -c '" + kLimits + "exec \"$0\" check --golden golden --json' " + kFour);
  REQUIRE(check.out.size() < 20'000);
  INFO(check.out << check.err);
  REQUIRE(check.exit == 1);
  const auto findings = nlohmann::json::parse(check.out)["findings"];
  REQUIRE(findings.size() >= 1);
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return finding["rule"] == "GH009" &&
           finding["message"].template get<std::string>().find(bomb.words) != std::string::npos;
  });
  REQUIRE(found != findings.end());
  CHECK_THAT((*found)["file"].get<std::string>(), Catch::EndsWith(bomb.file));
  if (bytes.size() > 1'000'000) return;
  // Other commands must reject the store, too.
  const Ran record = Run(folder, kFour + " record --golden golden");
  CHECK(record.exit == 1);
  CHECK_THAT(record.out, Catch::Contains(bomb.words));
}

TEST_CASE("selftest, schema, diff: records with unknown types", "[harness][commands][bombs]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const std::string path = folder.path() + "/" + kText, before = Bytes(path);
  const std::string type = GENERATE(as<std::string>{}, "array<u8,99999999999999999999>",
                                    "array<u8,x>", "array<", "array<>", ",>", "<<<<>>>>");
  INFO(type);
  std::string text = before;
  const std::string from = "type: i32, size: 4, ";
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
    text.replace(at, from.size(), "type: \"" + type + "\", ");
  REQUIRE(text != before);
  std::ofstream(path, std::ios::binary) << text;
  CHECK(Run(folder, kFour + " check --golden golden").exit == 1);
  const Ran selftest = Run(folder, kFour + " selftest --golden golden");
  INFO(selftest.out << selftest.err);
  CHECK(selftest.exit == 0);
  CHECK_THAT(selftest.err, !Catch::Contains("signal"));
  CHECK(Run(folder, kFour + " schema --golden golden").exit == 0);
  CHECK(Run(folder, kFour + " schema --format json --golden golden").exit == 0);
  CHECK(Run(folder, kFour + " diff 1 4 --golden golden").exit == 0);
}

TEST_CASE("merge-reports, --costs: reject deep nesting", "[harness][commands][bombs]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  REQUIRE(Run(folder, kFour + " sweep --fuzz 0 --report out --golden golden").exit == 0);
  const std::string path = folder.path() + "/out/report.json", before = Bytes(path);
  const std::string list = "\"revisions\":[";
  std::string text = before;
  text.insert(text.rfind(list) + list.size(),
              Repeated("[", 200'000) + Repeated("]", 200'000) + ",");
  std::ofstream(path, std::ios::binary) << text;
  for (const std::string words :
       {" merge-reports out --output page",
        " sweep --fuzz 0 --costs out/report.json --shard 1/2 --golden golden"}) {
    const Ran refused = Run(folder, kFour + words);
    INFO(refused.err);
    CHECK((refused.exit == 1 || refused.exit == 2));
    CHECK_THAT(refused.err, Catch::Contains("out/report.json") &&
                                Catch::Contains("nests values more than 32 levels deep"));
  }
  CHECK_FALSE(fs::exists(folder.path() + "/page/index.html"));
}

}  // namespace revctl::harness::test
