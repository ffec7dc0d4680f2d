#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "revctl/base/unicode.h"
#include "revctl/findings/finding.h"
#include "revctl/findings/printable.h"

namespace revctl::findings {
namespace {

Finding Collision() {
  Finding finding;
  finding.rule = RuleId::NumberTwice;
  finding.message = "SR_BOSS_PHASE takes 42, which SR_STAMINA has since 3f2c1d0";
  finding.file = "src/master_version_list.h";
  finding.line = 14;
  finding.revision = "SR_BOSS_PHASE";
  finding.fix = "revctl fix SR_BOSS_PHASE";
  return finding;
}

Finding Retype() {
  Finding finding;
  finding.rule = RuleId::Layout;
  finding.message = "GameScore.p1Score changed at SR_INITIAL";
  finding.file = "src/save types.cpp";
  finding.line = 3;
  finding.type = "GameScore";
  finding.field = "p1Score";
  finding.signal = "layout";
  finding.details = "recorded i32\nnow      i64";
  finding.fix = "REM(SR_INITIAL, SR_NEW, int32_t, p1Score, 0);\nADD(SR_NEW, p1Score);";
  return finding;
}

}  // namespace

TEST_CASE("markdown: prints the result, the facts, and findings with fixes", "[findings]") {
  CHECK(Render({}, Format::Markdown, false, {"revctl", "", "No new revisions.\n"}) ==
        "### `revctl`: passed\n\nNo new revisions.\n");
  CHECK(Render({Retype()}, Format::Markdown, false,
               {"save_harness", "1 type", "The branch changes nothing.\n"}) ==
        "### `save_harness`: failed\n"
        "\nFAILED: 1 error (1 type)\n"
        "\nThe branch changes nothing.\n"
        "\n**error GH001** in `src/save types.cpp:3`\n"
        "\n    GameScore.p1Score changed at SR_INITIAL\n"
        "    recorded i32\n"
        "    now      i64\n"
        "\nFix:\n"
        "\n    REM(SR_INITIAL, SR_NEW, int32_t, p1Score, 0);\n"
        "    ADD(SR_NEW, p1Score);\n");
}

TEST_CASE("markdown: a finding cannot leave its block, and many findings are shortened",
          "[findings]") {
  Finding hostile = Collision();
  hostile.file = "a`b\n# c.h";
  hostile.message = "```\n\n# Approved <img src=x> @everyone\r## passed";
  const std::string out = Render({hostile}, Format::Markdown, false);
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    const std::string line = out.substr(at, out.find('\n', at) - at);
    INFO(line);
    if (line.find("Approved") != std::string::npos) CHECK(line.starts_with("    "));
    if (line.find("c.h") != std::string::npos) CHECK(line.find("in `` a`b") != std::string::npos);
  }
  CHECK(out.find('\r') == std::string::npos);
  std::vector<Finding> many;
  for (int i = 0; i < 400; ++i) {
    many.push_back(Retype());
    many.back().message = std::string(9000, 'x') + std::to_string(i) + "\nsecond line";
    many.back().cause = std::to_string(i);
  }
  const std::string text = Render(many, Format::Markdown, false);
  CHECK(text.size() < 60000);
  CHECK(text.find("388 more are in the job log.") != std::string::npos);
}

TEST_CASE("text: prints place, rule, message, fix and a summary", "[findings]") {
  CHECK(Render({Collision()}, Format::Text, false) ==
        "src/master_version_list.h:14: error[RV001]: SR_BOSS_PHASE takes 42, which SR_STAMINA has "
        "since 3f2c1d0\n"
        "fix: revctl fix SR_BOSS_PHASE\n"
        "FAILED: 1 error\n");
  Finding warning;
  warning.rule = RuleId::NumberInComment;
  warning.severity = Severity::Warning;
  warning.message = "no place";
  CHECK(Render({Retype(), warning, warning}, Format::Text, false) ==
        "src/save types.cpp:3: error[GH001]: GameScore.p1Score changed at SR_INITIAL\n"
        "  recorded i32\n"
        "  now      i64\n"
        "fix: REM(SR_INITIAL, SR_NEW, int32_t, p1Score, 0);\n"
        "     ADD(SR_NEW, p1Score);\n"
        "warning[RV010]: no place\n"
        "warning[RV010]: no place\n"
        "FAILED: 1 error, 2 warnings; the error is at src/save types.cpp:3\n");
  CHECK(Render({warning}, Format::Text, false) == "warning[RV010]: no place\nOK: 1 warning\n");
  CHECK(Render({}, Format::Text, false).empty());
}

namespace {

/// Returns `count` findings about missing landed revisions, all with the same fix.
std::vector<Finding> Missing(std::size_t count) {
  std::vector<Finding> all;
  for (std::size_t i = 0; i < count; ++i) {
    Finding finding = Collision();
    finding.rule = RuleId::LandedRemoved;
    finding.line = static_cast<int>(i) + 1;
    finding.revision = "SR_" + std::to_string(i);
    finding.message = finding.revision + " has landed, but is missing here";
    finding.fix = "revctl fix";
    all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace

TEST_CASE("text: findings with the same cause are folded into three lines and a count",
          "[findings][fold]") {
  std::vector<Finding> all = Missing(60);
  all.insert(all.begin() + 1, Collision());
  CHECK(Render(all, Format::Text, false) ==
        "src/master_version_list.h:1: error[RV003]: SR_0 has landed, but is missing here\n  59 "
        "more with the same cause:\n  src/master_version_list.h:2: SR_1 has landed, but is missing "
        "here\n  src/master_version_list.h:3: SR_2 has landed, but is missing here\n  and 57 "
        "more\nfix: revctl fix\nsrc/master_version_list.h:14: error[RV001]: SR_BOSS_PHASE takes "
        "42, which SR_STAMINA has since 3f2c1d0\nfix: revctl fix SR_BOSS_PHASE\nFAILED: 2 errors; "
        "the first error is at src/master_version_list.h:1\n");
  // Folding three findings would save no lines, so they are printed separately.
  CHECK(Render(Missing(3), Format::Text, false)
            .ends_with("fix: revctl fix\nFAILED: 3 errors; the first error is at "
                       "src/master_version_list.h:1\n"));
  CHECK(Render(Missing(4), Format::Text, false).find("  3 more with the same cause:\n") !=
        std::string::npos);
}

TEST_CASE("text: if folded findings have different fixes, shows the first three",
          "[findings][fold]") {
  std::vector<Finding> all = Missing(5);
  for (Finding& finding : all) {
    finding.fix = "git checkout 1a2b -- golden/" + finding.revision + ".yaml";
    finding.cause = "removed";
  }
  const std::string text = Render(all, Format::Text, false);
  CHECK(text.ends_with(
      "  and 2 more\nfix: git checkout 1a2b -- golden/SR_0.yaml\n     git checkout 1a2b -- "
      "golden/SR_1.yaml\n     git checkout 1a2b -- golden/SR_2.yaml\n     The other "
      "findings have similar fixes; --format json lists all of them.\nFAILED: 1 error\n"));
  // Findings with a different severity, rule or cause are not folded.
  all[3].severity = Severity::Warning;
  all[4].cause = "edited";
  CHECK_THAT(Render(all, Format::Text, false), Catch::Contains("FAILED: 4 errors, 1 warning; "));
}

TEST_CASE("text: harness findings are folded only by their cause", "[findings][fold]") {
  std::vector<Finding> all(5, Retype());
  CHECK_THAT(Render(all, Format::Text, false), Catch::Contains("FAILED: 5 errors; "));
  for (Finding& finding : all) finding.cause = "Coord";
  CHECK(Render(all, Format::Text, false).ends_with("FAILED: 1 error\n"));
}

TEST_CASE("status line: starts with the result, then lists what was checked", "[findings]") {
  CHECK(StatusLine({}, "") == "OK: no problems\n");
  CHECK(StatusLine({}, "1 type, 2 goldens") == "OK: 1 type, 2 goldens\n");
  Finding note = Retype();
  note.severity = Severity::Note;
  CHECK(StatusLine({note}, "1 type, 2 goldens") == "OK: 1 note (1 type, 2 goldens)\n");
  CHECK(StatusLine({Retype()}, "1 type") == "FAILED: 1 error (1 type)\n");
  CHECK(StatusLine({note, Retype()}, "1 type") ==
        "FAILED: 1 error, 1 note (1 type); the error is at src/save types.cpp:3\n");
  CHECK(Render({Retype()}, Format::Text, false, {.checked = "1 type"})
            .ends_with("FAILED: 1 error (1 type)\n"));
}

namespace {

/// Returns a finding about a retyped field, `count` findings that follow from it, and a finding
/// that follows from the first of these.
std::vector<Finding> RetypeAndConsequences(std::size_t count) {
  std::vector<Finding> all(1, Retype());
  all[0].key = "retype";
  for (std::size_t i = 0; i < count; ++i) {
    Finding one = Retype();
    one.rule = RuleId::GoldenBytes;
    one.field = i == 0 ? "" : "p" + std::to_string(i);
    one.message = "GameScore does not load";
    one.key = "bytes" + std::to_string(i);
    one.follows = i == 0 ? "retype" : "bytes0";
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

TEST_CASE("text: findings that follow from another are one line below it", "[findings][fold]") {
  CHECK(Render(RetypeAndConsequences(1), Format::Text, false) ==
        "src/save types.cpp:3: error[GH001]: GameScore.p1Score changed at SR_INITIAL\n"
        "  recorded i32\n"
        "  now      i64\n"
        "  1 more finding follows from it: GH002 GameScore\n"
        "fix: REM(SR_INITIAL, SR_NEW, int32_t, p1Score, 0);\n"
        "     ADD(SR_NEW, p1Score);\n"
        "FAILED: 1 error\n");
  CHECK_THAT(Render(RetypeAndConsequences(5), Format::Text, false),
             Catch::Contains("\n  5 more findings follow from it: GH002 GameScore, GH002 "
                             "GameScore.p1, GH002 GameScore.p2 and 2 more\nfix: ") &&
                 Catch::EndsWith("FAILED: 1 error\n"));
  // A finding is still printed if its cause is missing, or if the causes form a cycle.
  std::vector<Finding> all = RetypeAndConsequences(2);
  all.erase(all.begin());
  CHECK_THAT(Render(all, Format::Text, false), Catch::Contains("1 more finding follows from it"));
  all = RetypeAndConsequences(2);
  all[0].follows = "bytes1";
  all[1].follows = "bytes0";
  const std::string circle = Render(all, Format::Text, false);
  CHECK_THAT(circle, Catch::Contains("GH001 GameScore.p1Score") &&
                         Catch::Contains("error[GH002]") && Catch::Contains("GameScore.p1"));
}

TEST_CASE("json: lists findings that follow from another, with its number", "[findings][fold]") {
  const auto json =
      nlohmann::json::parse(Render(RetypeAndConsequences(2), Format::Json, false))["findings"];
  REQUIRE(json.size() == 3);
  for (const auto& one : json) CHECK(one["cause"] == 1);
  CHECK(json[2]["rule"] == "GH002");
}

TEST_CASE("json: lists all findings with the same cause, and shows which belong together",
          "[findings][fold]") {
  std::vector<Finding> all = Missing(5);
  all.push_back(Collision());
  const auto json = nlohmann::json::parse(Render(all, Format::Json, false))["findings"];
  REQUIRE(json.size() == 6);
  for (std::size_t i = 0; i < 5; ++i) CHECK(json[i]["cause"] == 1);
  CHECK_FALSE(json[5].contains("cause"));
  CHECK(json[4]["revision"] == "SR_4");
}

TEST_CASE("items: text shows the first three and a count, JSON shows all", "[findings][fold]") {
  Finding finding = Collision();
  finding.items = {"a", "b", "c"};
  CHECK(Render({finding}, Format::Text, false).find("\n  a\n  b\n  c\nfix: ") != std::string::npos);
  finding.items = {"a", "b", "c", "d", "e"};
  CHECK(Render({finding}, Format::Text, false).find("\n  a\n  b\n  c\n  and 2 more\nfix: ") !=
        std::string::npos);
  CHECK(nlohmann::json::parse(Render({finding}, Format::Json, false))["findings"][0]["items"]
            .size() == 5);
  CHECK(Render({finding}, Format::GitHub, false).find("c%0Aand 2 more%0Afix: ") !=
        std::string::npos);
}

TEST_CASE("every format names the target tip once", "[findings]") {
  Finding one = Collision(), other = Collision();
  one.target = other.target = "origin/main";
  one.target_commit = "3f2c1d0abc3f2c1d0abc3f2c1d0abc3f2c1d0abc";
  other.target_commit = one.target_commit;
  const std::string text = Render({one, other}, Format::Text, false);
  CHECK(
      text.ends_with("FAILED: 2 errors (compared with origin/main at 3f2c1d0abc); the first error "
                     "is at src/master_version_list.h:14\n"));
  other.target = "release/1";
  other.target_commit[0] = '4';
  CHECK_THAT(Render({one, other}, Format::Text, false),
             Catch::Contains("2 errors (compared with origin/main at 3f2c1d0abc and release/1 at "
                             "4f2c1d0abc); "));
  const auto json = nlohmann::json::parse(Render({one, other}, Format::Json, false));
  CHECK(json["findings"][1]["target"] == "release/1");
  CHECK(json["findings"][0]["target_commit"] == one.target_commit);
  CHECK_FALSE(
      nlohmann::json::parse(Render({Retype()}, Format::Json, false))["findings"][0].contains(
          "target"));
  // If two findings share an annotation, the annotation mentions their target only once.
  other = one;
  other.line = 15;
  const std::string github = Render({one, other}, Format::GitHub, false);
  CHECK(github.ends_with("%0Acompared with origin/main at 3f2c1d0abc\n"));
  CHECK(github.find("compared with") == github.rfind("compared with"));
  for (const Format format : {Format::GitLab, Format::Sarif, Format::JUnit}) {
    CHECK(Render({one}, format, false).find("compared with origin/main at 3f2c1d0abc") !=
          std::string::npos);
  }
  one.target = "3f2c1d0abc";
  CHECK(
      Render({one}, Format::Text, false).ends_with("FAILED: 1 error (compared with 3f2c1d0abc)\n"));
}

TEST_CASE("text: color on request, and no control bytes from names", "[findings]") {
  Finding finding = Collision();
  finding.message = "SR_\x1b[2J\x07 is odd";
  const std::string plain = Render({finding}, Format::Text, false);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(plain.find("SR_\\x1b[2J\\x07 is odd") != std::string::npos);
  CHECK(Render({finding}, Format::Text, true).find("\x1b[1;31merror[RV001]") != std::string::npos);
}

TEST_CASE("json: has the documented fields", "[findings]") {
  const auto json = nlohmann::json::parse(Render({Collision(), Retype()}, Format::Json, false));
  CHECK(json["version"] == 1);
  REQUIRE(json["findings"].size() == 2);
  const auto& first = json["findings"][0];
  CHECK(first["rule"] == "RV001");
  CHECK(first["severity"] == "error");
  CHECK(first["file"] == "src/master_version_list.h");
  CHECK(first["line"] == 14);
  CHECK(first["revision"] == "SR_BOSS_PHASE");
  CHECK(first["fix"] == "revctl fix SR_BOSS_PHASE");
  CHECK_FALSE(first.contains("type"));
  CHECK(json["findings"][1]["type"] == "GameScore");
  CHECK(json["findings"][1]["field"] == "p1Score");
  CHECK(json["findings"][1]["signal"] == "layout");
  CHECK(nlohmann::json::parse(Render({}, Format::Json, false))["findings"].empty());
}

TEST_CASE("machine formats accept invalid UTF-8", "[findings]") {
  Finding finding = Collision();
  finding.message = "name \xff\xfe\x01 \xed\xa0\x80 \xe4\xb8\xad <&\">";
  for (Format format : {Format::Json, Format::GitLab, Format::Sarif}) {
    CHECK_NOTHROW(nlohmann::json::parse(Render({finding}, format, false)));
  }
  const std::string junit = Render({finding}, Format::JUnit, false);
  CHECK(junit.find('\x01') == std::string::npos);
  CHECK(junit.find('\xff') == std::string::npos);
  CHECK(junit.find("\xe4\xb8\xad &lt;&amp;&quot;&gt;") != std::string::npos);
}

TEST_CASE("every format accepts every byte in every field", "[findings]") {
  std::vector<std::string> texts;
  for (int byte = 0; byte < 256; ++byte) {
    texts.push_back("a" + std::string(1, static_cast<char>(byte)) + "b");
    texts.push_back(std::string(1, static_cast<char>(byte)) + "::add-mask::x");
    texts.push_back("\xc2" + std::string(1, static_cast<char>(byte)));
    texts.push_back("\xe2\x80" + std::string(1, static_cast<char>(byte)));
    texts.push_back("\xe2\x81" + std::string(1, static_cast<char>(byte)) + "##[add-mask]x");
  }
  // The texts above are tried in all fields at once, and each of the following texts in one field
  // at a time.
  const std::size_t bytes = texts.size();
  for (const char* text :
       {"::add-mask::x", "a\n::add-mask::x", "a\r::add-mask::x", "a\n \t::add-mask::x",
        "a\n\xc2\xa0\xe3\x80\x80::add-mask::x", "##[add-mask]x", "a ##vso[task.x]y", "###[x]",
        "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x8a::add-mask::x", "]]>", "&#10;"})
    texts.emplace_back(text);
  std::string wrong;
  for (std::size_t which = 0; which < texts.size(); ++which) {
    const std::string& text = texts[which];
    for (int field = 0; field < (which < bytes ? 1 : 9); ++field) {
      Finding one = Retype();
      std::string* const fields[] = {&one.message,  &one.file,   &one.revision,
                                     &one.fix.edit, &one.type,   &one.field,
                                     &one.signal,   &one.target, &one.details};
      *fields[field] = text;
      for (std::string* other : fields) {
        if (which < bytes) *other = text;
      }
      for (const Format format : {Format::Text, Format::Json, Format::GitHub, Format::GitLab,
                                  Format::Sarif, Format::JUnit}) {
        const std::string out = Render({one}, format, false);
        std::string fault;
        bool begins = true;
        for (std::size_t i = 0; i < out.size();) {
          const auto character = base::CharacterAt(out, i);
          if (!character || base::Steers(character->code)) fault = "a byte that steers";
          if (!character) break;
          const std::string_view rest = std::string_view(out).substr(i);
          const bool blank = character->code == ' ' || character->code == '\t' ||
                             character->code == 0xa0 || character->code == 0x3000;
          if (format == Format::GitHub ? begins && !rest.starts_with("::error ")
                                       : begins && rest.starts_with("::"))
            fault = "a command";
          if (format != Format::GitHub && rest.starts_with("##[")) fault = "a command within";
          begins = character->code == '\n' || (begins && blank && format != Format::GitHub);
          i += character->length;
        }
        if (format == Format::GitHub && std::count(out.begin(), out.end(), '\n') != 1)
          fault = "another line";
        const bool json =
            format == Format::Json || format == Format::GitLab || format == Format::Sarif;
        if (json && nlohmann::json::parse(out, nullptr, false).is_discarded()) fault = "no JSON";
        if (!fault.empty())
          wrong += fault + ": field " + std::to_string(field) + ", format " +
                   std::to_string(static_cast<int>(format)) + ", " + Quoted(text) + "\n";
      }
    }
  }
  CHECK(wrong.empty());
  if (!wrong.empty()) FAIL(wrong.substr(0, 2000));
  // JSON output preserves every byte of a message.
  Finding odd = Collision();
  odd.message = "\x1b[2J \xc2\x9b \xe2\x80\xae ##[x]\n::y";
  CHECK(nlohmann::json::parse(Render({odd}, Format::Json, false))["findings"][0]["message"] ==
        odd.message);
}

TEST_CASE("github: one annotation per cause, and no forged commands", "[findings]") {
  Finding second = Collision();
  second.line = 20;
  second.message = "SR_X\n::error::forged, 100%";
  Finding elsewhere = Collision();
  elsewhere.file = "a,b:c.h";
  const std::string out = Render({Collision(), second, elsewhere}, Format::GitHub, false);
  CHECK(out ==
        "::error file=src/master_version_list.h,line=14,title=RV001 (2 findings)::line 14: "
        "SR_BOSS_PHASE takes 42, which "
        "SR_STAMINA has since 3f2c1d0%0Afix: revctl fix SR_BOSS_PHASE%0Aline 20: "
        "SR_X%0A::error::forged, 100%25%0A"
        "fix: revctl fix SR_BOSS_PHASE\n"
        "::error file=a%2Cb%3Ac.h,line=14,title=RV001::SR_BOSS_PHASE takes 42, which SR_STAMINA "
        "has since 3f2c1d0%0Afix: "
        "revctl fix SR_BOSS_PHASE\n");
}

TEST_CASE("github: at most ten annotations per severity, without losing a finding", "[findings]") {
  const auto lines = [](const std::vector<Finding>& findings) {
    const std::string out = Render(findings, Format::GitHub, false);
    return std::pair(out, std::count(out.begin(), out.end(), '\n'));
  };
  std::vector<Finding> files, rules;
  for (int i = 0; i < 12; ++i) {
    files.push_back(Collision());
    files.back().file = "file" + std::to_string(i) + ".h";
    rules.push_back(files.back());
    rules.back().rule = static_cast<RuleId>(10 + i);
  }
  const auto [by_rule, one] = lines(files);
  CHECK(one == 1);
  CHECK(by_rule.find("title=RV001 (12 findings)") != std::string::npos);
  for (int i = 0; i < 12; ++i)
    CHECK(by_rule.find("file" + std::to_string(i) + ".h:14: ") != by_rule.npos);
  const auto [by_number, ten] = lines(rules);
  CHECK(ten == 10);
  CHECK(by_number.find("title=3 more findings%3A RV019%2C RV020%2C RV021::") != std::string::npos);
  for (int i = 0; i < 12; ++i)
    CHECK(by_number.find("RV0" + std::to_string(10 + i)) != by_number.npos);
  // Warnings have their own limit of ten annotations, and are printed after the errors.
  for (Finding finding : std::vector<Finding>(rules)) {
    finding.severity = Severity::Warning;
    rules.insert(rules.begin(), finding);
  }
  const auto [both, twenty] = lines(rules);
  CHECK(twenty == 20);
  CHECK(both.find("::warning") > both.rfind("::error"));
}

TEST_CASE("github: several causes of one rule get up to ten annotations", "[findings]") {
  std::vector<Finding> findings;
  const auto lines = [&] {
    const std::string out = Render(findings, Format::GitHub, false);
    return std::pair(out, std::count(out.begin(), out.end(), '\n'));
  };
  for (int i = 0; i < 32; ++i) {
    findings.push_back(Retype());
    findings.back().field = "field" + std::to_string(i);
    findings.back().fix = "REM(SR_INITIAL, SR_NEW, int32_t, field" + std::to_string(i) + ", 0);";
    findings.back().line = i + 1;
    if (i + 1 <= 10) CHECK(lines().second == i + 1);
  }
  const auto [out, ten] = lines();
  CHECK(ten == 10);
  CHECK(out.find("line=9,title=GH001::GameScore") != out.npos);
  CHECK(out.find("line=10,title=23 more findings%3A GH001::line 10: ") != out.npos);
  for (int i = 0; i < 32; ++i) CHECK(out.find("field" + std::to_string(i) + ", 0);") != out.npos);
  // Two findings without a fix have different causes. Findings with the same fix have the same
  // cause, even at different places.
  findings = {Retype(), Retype()};
  findings[1].field = "p2Score";
  CHECK(lines().second == 2);
  findings = {Collision(), Collision()};
  findings[0].fix = findings[1].fix = "";
  findings[1].line = 15;
  CHECK(lines().second == 2);
}

TEST_CASE("gitlab: fingerprints are unique and do not depend on the line", "[findings]") {
  Finding moved = Collision();
  moved.line = 99;
  const auto before = nlohmann::json::parse(Render({Collision()}, Format::GitLab, false));
  const auto after = nlohmann::json::parse(Render({moved}, Format::GitLab, false));
  CHECK(before[0]["fingerprint"] == after[0]["fingerprint"]);
  CHECK(before[0]["location"]["path"] == "src/master_version_list.h");
  CHECK(before[0]["location"]["lines"]["begin"] == 14);
  const auto twice = nlohmann::json::parse(Render({Collision(), moved}, Format::GitLab, false));
  CHECK(twice[0]["fingerprint"] != twice[1]["fingerprint"]);
}

TEST_CASE("sarif: prints rules, levels and places", "[findings]") {
  const auto sarif = nlohmann::json::parse(Render({Collision(), Retype()}, Format::Sarif, false));
  CHECK(sarif["version"] == "2.1.0");
  const auto& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["rules"].size() == 2);
  CHECK(run["results"][1]["ruleIndex"] == 1);
  const auto& where = run["results"][1]["locations"][0]["physicalLocation"];
  CHECK(where["artifactLocation"]["uri"] == "src/save%20types.cpp");
  CHECK(where["region"]["startLine"] == 3);
}

TEST_CASE("junit: errors fail, warnings pass, an empty report has a passing test", "[findings]") {
  Finding warning = Collision();
  warning.severity = Severity::Warning;
  const std::string out = Render({Collision(), warning}, Format::JUnit, false);
  CHECK(out.find("tests=\"2\" failures=\"1\"") != std::string::npos);
  CHECK(out.find("<failure type=\"RV001\"") != std::string::npos);
  CHECK(out.find("<system-out>warning: ") != std::string::npos);
  CHECK(Render({}, Format::JUnit, false).find("tests=\"1\" failures=\"0\"") != std::string::npos);
}

}  // namespace revctl::findings
