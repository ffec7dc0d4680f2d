#include "revctl/config/config.h"

#include <catch2/catch.hpp>
#include <functional>
#include <sstream>

#include "revctl/config/edit_config.h"
#include "revctl/config/files.h"

using namespace revctl::config;

namespace {

std::string ErrorOf(const std::string& text) {
  auto parsed = ParseConfig(text, ".revctl.yaml");
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error().exit == revctl::base::Exit::Usage);
  return ErrorText(parsed.error());
}

const std::string kSmall = "version: 1\nlists: [{path: src/list.h}]\n";

}  // namespace

TEST_CASE("config: large hostile files are read in linear time", "[config]") {
  // Each text is close to the size limit for configs, so quadratic code would take minutes.
  const auto repeated = [](const std::function<std::string(const std::string& i)>& one) {
    std::string out;
    for (int i = 0; out.size() < kMaxConfigBytes; ++i) out += one(std::to_string(i));
    return out;
  };
  CHECK_FALSE(ErrorOf(kSmall + repeated([](auto& i) { return "x" + i + ": 1\n"; })).empty());
  CHECK_FALSE(ErrorOf(kSmall + "target: " + std::string(kMaxConfigBytes, '[')).empty());
  CHECK_FALSE(ErrorOf(repeated([](auto& i) { return "a" + i + ": &x [*x]\n"; })).empty());
  (void)ParseConfig(kSmall + "allow:\n" + repeated([](auto& i) {
                      return "- {rule: RV006, name: SR_" + i + ", reason: x}\n";
                    }),
                    ".revctl.yaml")
      .ok();
}

TEST_CASE("config: reads every key", "[config]") {
  auto config = ParseConfig(R"(version: 1
lists:
  - path: src/master_version_list.h
    name: main
    prefix: SR_
    enum: Revision
    aliases: ["RELEASE_*", MINIMAL]
    sentinel: SR_LATEST_PLUS_ONE
    current: CURRENT
    oldest: SR_INITIAL
    getters: [getMinorVersion, tag]
    lineage_root: 0123456789abcdef
    golden: golden
target: trunk
releases: ["release/*"]
remote: upstream
reservation: optional
ledger: refs/heads/revctl-ledger
ledger_id: 6f1c
min_revctl: "0.1"
land: {by: rebase, push: branch, goldens: "cmake --build \"b d\" && b/h record", verify: 'a\b "c" # d'}
allow: [{rule: RV006, name: SR_X, reason: "shipped", until: 2027-01-31}]
)",
                            ".revctl.yaml");
  REQUIRE(config.ok());
  CHECK(config->lists[0].enum_name == "Revision");
  CHECK(config->lists[0].aliases == std::vector<std::string>{"RELEASE_*", "MINIMAL"});
  CHECK(config->lists[0].getters == std::vector<std::string>{"getMinorVersion", "tag"});
  CHECK(config->lists[0].lineage_root == "0123456789abcdef");
  CHECK(config->target == "trunk");
  CHECK(config->IsRelease("release/1.0"));
  CHECK_FALSE(config->IsRelease("release/1.0/x"));
  Config all;
  all.releases = {"*"};
  CHECK(all.IsRelease("next"));
  CHECK_FALSE(all.IsRelease("main"));
  CHECK_FALSE(config->reservation_required);
  CHECK(config->ledger == "refs/heads/revctl-ledger");
  CHECK(config->allow[0].until == "2027-01-31");
  CHECK(config->land.by == LandPolicy::By::Rebase);
  CHECK(config->land.push == LandPolicy::Push::Branch);
  CHECK(config->land.goldens == "cmake --build \"b d\" && b/h record");
  CHECK(config->land.verify == "a\\b \"c\" # d");

  auto again = ParseConfig(FormatConfig(*config), "again");
  REQUIRE(again.ok());
  CHECK(PolicyChanges(*config, *again).empty());
  CHECK(FormatConfig(*again) == FormatConfig(*config));
  again->lists[0].getters.pop_back();
  CHECK(PolicyChanges(*config, *again) == std::vector<std::string>{"lists.main.getters"});
}

TEST_CASE("config: paths that are unsafe on one system are rejected on all systems", "[config]") {
  for (const char* path : {"/list.h", "../list.h", "a/../../list.h", "a//b", ".git/list.h", "src/",
                           "src\\list.h", "..\\list.h", "C:/list.h", "list.h:stream", ".GIT/list.h",
                           "a/.git./list.h", "GIT~1/list.h", "a/.. /list.h"})
    CHECK_FALSE(IsSafePath(path));
  for (const char* path : {"src/my list.h", ".github/list.h", "a/git/list.h"})
    CHECK(IsSafePath(path));
  CHECK(ErrorOf("version: 1\nlists: [{path: 'src\\list.h'}]\n")
            .find(" must be inside the repository and use '/' as the separator") !=
        std::string::npos);
}

TEST_CASE("config: errors name the line and the column", "[config]") {
  CHECK(ErrorOf("version: 1\nlists: [{path: a.h}]\nreservaton: optional\n") ==
        ".revctl.yaml:3:1: unknown key 'reservaton' in .revctl.yaml");
  CHECK(ErrorOf("").find("empty") != std::string::npos);
  CHECK(ErrorOf("lists: [{path: a.h}]\n").find("version is missing") != std::string::npos);
  CHECK(ErrorOf("version: 2\nlists: [{path: a.h}]\n")
            .find(":1:10: this revctl does not support version '2'") != std::string::npos);
  CHECK(ErrorOf("version: 1\n").find("at least one entry") != std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{name: x}]\n").find("this list has no `path`") !=
        std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{path: ../a.h}]\n").find("inside the repository") !=
        std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{path: /etc/passwd}]\n").find("inside the repository") !=
        std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{path: a.h}, {path: b.h}]\n").find("two lists are named") !=
        std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{path: a.h, prefix: \"\"}]\n").find("needs `enum`") !=
        std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [{path: a.h, getters: [\"get()\"]}]\n")
            .find("getter 'get()' must be a C++ name") != std::string::npos);
  std::string many, lists;
  for (int i = 0; i < 501; ++i) many += "S" + std::to_string(i) + ", ";
  for (int i = 0; i < 101; ++i) lists += "{path: l" + std::to_string(i) + ".h}, ";
  for (const char* key : {"aliases", "getters"})
    CHECK(ErrorOf("version: 1\nlists: [{path: a.h, " + std::string(key) + ": [" + many + "]}]\n")
              .find(" has 501 values, but at most 500 are allowed") != std::string::npos);
  CHECK(ErrorOf(kSmall + "releases: [" + many + "]\n").find("at most 500") != std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: [" + lists + "]\n").find("at most 100") != std::string::npos);
  CHECK(ErrorOf(kSmall + "target: --upload-pack=x\n").find("not a branch name") !=
        std::string::npos);
  CHECK(ErrorOf(kSmall + "remote: \"ext::sh -c x\"\n").find("not the name of a remote") !=
        std::string::npos);
  CHECK(ErrorOf(kSmall + "ledger: ledger\n").find("not a full ref name") != std::string::npos);
  CHECK(ErrorOf(kSmall + "reservation: maybe\n").find(":3:14:") != std::string::npos);
  CHECK(ErrorOf(kSmall + "target: a\ntarget: b\n").find("twice") != std::string::npos);
  CHECK(ErrorOf(kSmall + "min_revctl: \"99\"\n").find("needs revctl 99") != std::string::npos);
  // If `min_revctl` is too new, other keys of the file are not checked.
  CHECK(ErrorOf("version: 2\nmin_revctl: \"99\"\nof_the_future: {}\n").find("needs revctl 99") !=
        std::string::npos);
  CHECK(ErrorOf(kSmall + "allow: [{rule: RV006}]\n").find("has no reason") != std::string::npos);
  CHECK(ErrorOf(kSmall + "land: {by: squash}\n") == ".revctl.yaml:3:12: by cannot be 'squash'");
  CHECK(ErrorOf(kSmall + "land: {push: origin}\n").find("push cannot be 'origin'") !=
        std::string::npos);
  CHECK(ErrorOf(kSmall + "land: {run: x}\n").find("unknown key 'run' in land") !=
        std::string::npos);
  CHECK(ErrorOf(kSmall + "land: make\n").find("land must be key-value pairs") != std::string::npos);
  CHECK(ErrorOf(kSmall + "land: {verify: \" \"}\n").find("verify is empty") != std::string::npos);
  CHECK(ErrorOf(kSmall + "land: {verify: [make]}\n").find("a single value") != std::string::npos);
  for (const std::string bad : {"a\\nb", "a\\eb", "a\\x7fb"})
    CHECK(ErrorOf(kSmall + "land: {goldens: \"" + bad + "\"}\n").find("must be one line") !=
          std::string::npos);
  CHECK(ErrorOf(kSmall + "land: {verify: " + std::string(5000, 'x') + "}\n")
            .find("at most 4096 bytes") != std::string::npos);
  CHECK(ErrorOf("version: [1\n").starts_with(".revctl.yaml:2:1:"));
}

TEST_CASE("config: hostile YAML is rejected early", "[config]") {
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [*" + char(c - 1) + ", *" + char(c - 1) + "]\n";
  }
  CHECK(ErrorOf(bomb).find("anchors") != std::string::npos);
  CHECK(ErrorOf(std::string(100000, '[')).find(":") != std::string::npos);
  CHECK(ErrorOf("version: 1\nlists: " + std::string(200, '[') + std::string(200, ']'))
            .find("nested") != std::string::npos);
  CHECK(ErrorOf(std::string("version: 1\0", 11)).find("binary") != std::string::npos);
  CHECK(ErrorOf(kSmall + "---\nversion: 1\n").find("more than one") != std::string::npos);
}

TEST_CASE("config: setting a key leaves all other bytes unchanged", "[config]") {
  auto set = [](const std::string& text, const char* key, const char* value) {
    auto edited = SetListKey(text, "main", key, value);
    return edited.ok() ? *edited : "error: " + edited.error().fix;
  };
  CHECK(set("version: 1  # one\nlists:\n  - path: a.h  # the list\n    oldest: SR_A # old\n",
            "oldest", "SR_B") ==
        "version: 1  # one\nlists:\n  - path: a.h  # the list\n    oldest: \"SR_B\" # old\n");
  CHECK(set("version: 1\nlists:\n  - path: a.h\n", "lineage_root", "0123456789abcdef") ==
        "version: 1\nlists:\n  - lineage_root: \"0123456789abcdef\"\n    path: a.h\n");
  CHECK(set("version: 1\r\nlists:\r\n  - path: a.h\r\n", "oldest", "SR_B") ==
        "version: 1\r\nlists:\r\n  - oldest: \"SR_B\"\r\n    path: a.h\r\n");
  CHECK(set("version: 1\nlists: [{path: a.h, oldest: 'SR_A'}]\n", "oldest", "SR_B") ==
        "version: 1\nlists: [{path: a.h, oldest: \"SR_B\"}]\n");
  CHECK(set("version: 1\nlists: [{path: a.h}]\n", "oldest", "SR_B") ==
        "version: 1\nlists: [{oldest: \"SR_B\", path: a.h}]\n");
  CHECK(set("version: 1\nlists: [{path: b.h, name: b}, {path: a.h}]\n", "oldest", "SR_B") ==
        "version: 1\nlists: [{path: b.h, name: b}, {oldest: \"SR_B\", path: a.h}]\n");
  CHECK(set("version: 1\nlists: [{path: a.h, name: other}]\n", "oldest", "SR_B")
            .starts_with("error: write "));
}

TEST_CASE("config: SetPurged replaces the whole list of names", "[config]") {
  const auto set = [](const std::string& text, const revctl::list::Names& names) {
    auto edited = SetPurged(text, "main", names);
    return edited.ok() ? *edited : "error: " + edited.error().fix;
  };
  CHECK(set("version: 1\nlists: [{path: a.h}]\n", {"SR_B", "SR_A"}) ==
        "version: 1\nlists: [{purged: [\"SR_A\", \"SR_B\"], path: a.h}]\n");
  CHECK(set("version: 1\nlists:\n  - path: a.h\n    purged: [SR_A, # a\n      SR_B] # two\n",
            {"null"}) == "version: 1\nlists:\n  - path: a.h\n    purged: [\"null\"] # two\n");
  CHECK(set("version: 1\nlists:\n  - path: a.h\n    purged:\n      - SR_A\n", {"SR_B"}) ==
        "error: write `purged: [\"SR_B\"]` into list `main`");
  revctl::list::Names many;
  for (int i = 100; i < 200; ++i) many.insert("SR_NUMBER_" + std::to_string(i));
  for (const std::string& before :
       {std::string("version: 1\nlists: [{path: a.h}]\n"),
        std::string("version: 1\nlists:\n  - path: a.h\n    golden: g\n")}) {
    const std::string text = set(before, many);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 120);
    const auto parsed = ParseConfig(text, ".revctl.yaml");
    REQUIRE(parsed.ok());
    CHECK(parsed->lists.front().purged == many);
    CHECK(ParseConfig(FormatConfig(*parsed), ".revctl.yaml")->lists.front().purged == many);
    CHECK(set(text, many) == text);
  }
  const std::string crlf = set("version: 1\r\nlists:\r\n  - path: a.h\r\n", many);
  CHECK(std::count(crlf.begin(), crlf.end(), '\n') > 10);
  CHECK(std::count(crlf.begin(), crlf.end(), '\n') == std::count(crlf.begin(), crlf.end(), '\r'));
}

TEST_CASE("config: ledger and goldens cannot use a ref or path that is in use", "[config]") {
  const auto with = [](const std::string& more, const std::string& list = "") {
    return ParseConfig("version: 1\nlists: [{path: src/list.h" + list + "}]\n" + more,
                       ".revctl.yaml")
        .ok();
  };
  CHECK(with("ledger: refs/heads/revctl-ledger\n"));
  CHECK(with("ledger: refs/heads/main\ntarget: trunk\n"));
  CHECK_FALSE(with("ledger: refs/heads/main\n"));
  CHECK_FALSE(with("ledger: refs/heads/trunk\ntarget: trunk\n"));
  CHECK_FALSE(with("ledger: refs/heads/release/1\nreleases: [\"release/*\"]\n"));
  CHECK_FALSE(with("ledger: refs/tags/ledger\n"));
  CHECK_FALSE(with("ledger: refs/remotes/origin/ledger\n"));
  CHECK(with("", ", golden: src/golden"));
  CHECK_FALSE(with("", ", golden: src"));
  CHECK_FALSE(with("", ", golden: src/list.h"));
}
