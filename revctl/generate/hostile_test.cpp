// Tests malicious definitions, including generated ones. Each must be rejected quickly, with an
// error that gives its location, and must never inject code.
#include <catch2/catch.hpp>

#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "revctl/generate/check_revisions.h"
#include "revctl/generate/write_cpp.h"

namespace revctl::generate {
namespace {

constexpr std::string_view kHead = "version: 1\nnamespace: game\nlist: list.h\n";

/// Returns a definition with a struct `S` that has one version. Its first field is on line 9.
std::string WithFields(const std::string& fields, const std::string& before = "") {
  return std::string(kHead) + before +
         "structs:\n  - name: S\n    versions:\n      - since: SR_A\n        fields:\n" + fields;
}

/// Returns a definition with a float field `x` and `text` after its type.
std::string WithText(const std::string& text) {
  return WithFields("          - {name: x, type: float, " + text + "}\n");
}

/// Returns the error for a definition, or the generated code.
std::string Answer(const std::string& text) {
  auto definition = ReadDefinition(text, "t.yaml");
  return definition.ok() ? "fine: " + WriteCpp(*definition, "t.yaml") : definition.error().message;
}

void Refused(const std::string& text, const std::string& words) {
  const std::string answer = Answer(text);
  INFO(text << "\n" << answer);
  CHECK_FALSE(answer.starts_with("fine"));
  CHECK(answer.starts_with("t.yaml:"));
  CHECK(answer.find(words) != std::string::npos);
}

TEST_CASE("hostile definitions: invalid names", "[generate][hostile]") {
  for (const std::string name : {"class",
                                 "xor",
                                 "static_assert",
                                 "constexpr",
                                 "co_await",
                                 "char8_t",
                                 "and_eq",
                                 "thread_local",
                                 "linux",
                                 "old",
                                 "r",
                                 "t",
                                 "__x",
                                 "_X",
                                 "revctl_live",
                                 "errno",
                                 "EOF",
                                 "NULL",
                                 "INT32_MAX",
                                 "UINT_FAST8_WIDTH",
                                 "SIZE_MAX",
                                 "SERIALIZE_END",
                                 "3x",
                                 "x y",
                                 "x;",
                                 "\"x\\\"\"",
                                 "x/*",
                                 "*/",
                                 "a::b",
                                 "\u00fc"}) {
    Refused(WithFields("          - {name: '" + name + "', type: float}\n"),
            "cannot be the name of a field");
    Refused(WithFields("          - {name: x, type: E}\n",
                       "enums:\n  - {name: E, type: uint8_t, values: ['" + name + "']}\n"),
            "cannot be the name of an enumerator");
  }
  for (const std::string name : {"std", "string", "uint8_t", "Next", "Newest", "map"}) {
    Refused(WithFields("          - {name: x, type: E}\n",
                       "enums:\n  - {name: " + name + ", type: uint8_t, values: [A]}\n"),
            "is reserved");
  }
  Refused("version: 1\nnamespace: std\n", "'std' is not a namespace");
  Refused("version: 1\nnamespace: main\n", "t.yaml:2:12: 'main' is not a namespace");
  Refused(WithFields("          - {name: Newest, type: float}\n"),
          "t.yaml:9:20: 'Newest' is reserved");
  Refused(WithFields("          - {name: x, type: SR_A}\n",
                     "enums:\n  - {name: SR_A, type: uint8_t, values: [A]}\n"),
          "t.yaml:5:5: 'SR_A' is a revision");
  Refused(std::string(kHead) +
              "structs:\n  - name: SR_A\n    versions: [{since: SR_A, fields: [{name: x, type: "
              "float}]}]\n",
          "'SR_A' is a revision");
  for (const std::string name :
       // These names are similar to reserved names, but they are allowed.
       {"SPEED_MAX", "INT_MAXIMUM", "EAST", "INT32", "main", "MAX"}) {
    INFO(name);
    CHECK(
        Answer(WithFields("          - {name: " + name + ", type: float}\n")).starts_with("fine"));
  }
  Refused("version: 1\nnamespace: game { int x; } namespace y\n", "is not a namespace");
  Refused("version: 1\nnamespace: game\nlist: \"x.h\\\"\\n#include <y>\"\n", "one line of text");
  Refused("version: 1\nnamespace: game\nlist: 'x.h\" // '\n", "is not a header");
  Refused(WithFields("          - {name: SV1, type: float}\n      - since: SR_B\n        fields: "
                     "[{name: x, type: float}]\n"),
          "t.yaml:9:13: 'SV1' is the name of a version of S");
  Refused(WithFields("          - {name: SR_A, type: float}\n"),
          "t.yaml:9:13: 'SR_A' is a revision");
  Refused(WithFields("          - {name: E, type: E}\n",
                     "enums:\n  - {name: E, type: uint8_t, values: [A]}\n"),
          "'E' is the name of a type");
  Refused(WithFields("          - {name: x, type: float}\nfiles: [{type: S}, {type: S}]\n"),
          "'SaveS' would be defined twice");
  // The name SFiles is reserved only if the definition allows files without a header.
  const std::string enums = "enums:\n  - {name: SFiles, type: uint8_t, values: [A]}\n";
  const std::string field = "          - {name: x, type: string}\n";
  Refused(WithFields(field + "files: [{type: S, without_header: SR_A}]\n", enums),
          "'SFiles' would be defined twice");
  CHECK(Answer(WithFields(field + "files: [{type: S}]\n", enums)).starts_with("fine"));
}

TEST_CASE("hostile definitions: C++ that would continue after the expression",
          "[generate][hostile]") {
  Refused(WithText("default: '0; int evil'"),
          "t.yaml:9:47: default '0; int evil': an expression cannot contain ';'");
  Refused(WithText("default: '1, y = 2'"),
          "t.yaml:9:47: default '1, y = 2': a ',' outside of parentheses ends the expression");
  Refused(WithText("older: 'd.p, d.q'"),
          "t.yaml:9:47: older 'd.p, d.q': a ',' outside of parentheses ends the expression");
  Refused(WithText("default: 'std::pair<int, int>(1, 2).first'"),
          "a ',' outside of parentheses ends the expression");
  Refused(WithText("default: '0 // zero'"), "an expression cannot contain a comment");
  Refused(WithText("default: '0 /* zero'"), "unterminated comment");
  Refused(WithText("default: '0} ; struct Z {'"), "unmatched '}'");
  Refused(WithText("default: '(0'"), "t.yaml:9:46: default '(0': unclosed '('");
  Refused(WithText("default: '(0]'"), "unmatched ']'");
  Refused(WithText("default: '\"x'"), "missing terminating \"");
  Refused(WithText("default: \"'x\""), "missing terminating '");
  Refused(WithText("default: 'R\"(x)\"'"), "raw strings are not supported");
  Refused(WithText("default: '0 %> struct Z <% int x;'"), "the digraph %>");
  Refused(WithText("default: '#define x y'"), "'#'");
  Refused(WithText("default: ''"), "the expression is empty");
  Refused(WithText("older: '0); std::abort('"), "unmatched ')'");
  Refused(WithText("about: 'a remark that goes on \\'"), "ends with a backslash");
  Refused(WithText("about: 'path C:\\ '"), "t.yaml:9:43: about has a backslash before a space");
  Refused(WithText("about: 'path C:\\ and what is on it'"), "a backslash before a space");
  Refused(WithText("about: 'what?\?/'"), "which some compilers read as a backslash");
  Refused(WithText("about: \"one line\\nand code\""), "one line of text");
  Refused(WithText("about: \"a \u202e turned\""), "bidirectional control character");
  // Complete expressions are copied into the generated code unchanged.
  for (const std::string code : {"1'000'000", "-0.5F", "std::max(1, 2)", "[]() { return 1; }()",
                                 "'\\''", "'\"'", "a[b[0]] / 2", "(1, 2)", "{1, 2}[0]",
                                 "std::max<float>(1, 2)", "(std::pair<int, int>(1, 2).first)",
                                 "[a, b] { return ','; }()", "x<::y>::z", "\"// ; }\""}) {
    std::string quoted;
    for (const char c : code) quoted += c == '\'' ? "''" : std::string(1, c);
    const std::string answer = Answer(WithText("default: '" + quoted + "'"));
    INFO(code << "\n" << answer);
    CHECK(answer.find("  float x = " + code + ";\n") != std::string::npos);
  }
  // These characters have no effect in a generated comment or literal.
  const std::string answer =
      Answer(WithText("about: 'ends */ here \" and #there', tags: {T: '\") evil('}"));
  INFO(answer);
  CHECK(answer.find("ends */ here \" and #there\n") != std::string::npos);
  CHECK(answer.find("\"T(\\\") evil()\"") != std::string::npos);
}

TEST_CASE("hostile definitions: a file name cannot leave its comment", "[generate][hostile]") {
  auto definition = ReadDefinition(WithText("default: 0"), "t.yaml");
  REQUIRE(definition.ok());
  CHECK(WriteCpp(*definition, "src/a\nint evil;.yaml")
            .starts_with("// Generated by `revctl generate` from a?int evil;.yaml. Do not edit"));
  const std::string wide = std::string(60, 'a') + ", int evil = system(1) ;  .yaml";
  CHECK(WriteCpp(*definition, wide)
            .starts_with("// Generated by `revctl generate` from " + wide +
                         ". Do not edit.\n#pragma once\n"));
  CHECK(WriteCpp(*definition, "\xc3\xbc.yaml")
            .starts_with("// Generated by `revctl generate` from \xc3\xbc.yaml. Do not edit.\n"));
  CHECK(WriteCpp(*definition, "a\u202e\xff.yaml")
            .starts_with("// Generated by `revctl generate` from a????.yaml. Do not edit.\n"));
}

TEST_CASE("hostile definitions: invalid or excessive YAML", "[generate][hostile]") {
  Refused("", "a definition must be key-value pairs");
  Refused("[]", "a definition must be key-value pairs");
  Refused("\xff\xfeversion: 1\n", "t.yaml:1:1: invalid UTF-8");
  Refused(WithText("about: 'caf\xe9'"), "t.yaml:9:47: invalid UTF-8");
  Refused(WithText("about: 'surrogate \xed\xa0\x80'"), "invalid UTF-8");
  Refused(std::string("version: 1\nnamespace: \0game\n", 27), "t.yaml:2:12: a control character");
  Refused(WithText("default: 0") + "---\nversion: 1\n", "t.yaml:10:1: a second YAML document");
  Refused(WithText("default: 0") + "version: 1\n", "key 'version' occurs twice");
  Refused(WithText("name: y"), "key 'name' occurs twice");
  Refused(WithText("tags: {A: 1, A: 2}"), "tag 'A' occurs twice");
  Refused(WithText("<<: {from: 1}"), "unknown key '<<'");
  Refused(WithText("default: [1, 2]"), "default must be a single value");
  Refused(WithText("default: *nobody"), "is not YAML");
  Refused(WithText("default: 0, type: &a [*a]"), "");
  Refused(WithText("default: 0") + "...\nversion: 1\n", "t.yaml:11:1: a second YAML document");
  CHECK(Answer("--- # one document\n" + WithText("default: 0") + "...\n").starts_with("fine"));
  CHECK(Answer(WithFields(
                   "          - {name: &n x, type: &t float}\n          - {name: y, type: *t}\n"))
            .starts_with("fine"));
}

TEST_CASE("hostile definitions: every definition is processed quickly", "[generate][hostile]") {
  const std::clock_t begin = std::clock();  // CPU time
  Refused(std::string(500000, '['), "");
  Refused(std::string(500000, '{'), "");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  Refused(deep, "");
  // Nine levels of nine aliases each: hundreds of millions of fields with the same name.
  std::string laughs = "lol: &f0 [{name: x, type: float}]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "*f" + std::to_string(i - 1);
    laughs += "l" + std::to_string(i) + ": &f" + std::to_string(i) + " [" + below;
    for (int j = 0; j < 8; ++j) laughs += ", " + below;
    laughs += "]\n";
  }
  Refused(laughs + std::string(kHead), "unknown key 'lol'");
  Refused(std::string(kHead) +
              "structs:\n  - &s {name: S, versions: [&v {since: SR_A, fields: [&f {name: x, type: "
              "float}, *f, *f]}, "
              "*v]}\n  - *s\n",
          "'x' occurs twice");
  Refused(WithFields("          - {name: x, type: \"" + std::string(100000, '<') + "\"}\n"),
          "expected a type");
  std::string nested = "float";
  for (int i = 0; i < 100; ++i) nested = "vector<" + nested + ">";
  Refused(WithFields("          - {name: x, type: \"" + nested + "\"}\n"), "nested too deeply");
  // Many fields, in a different order in each version. The generated code must grow only linearly.
  std::string many = std::string(kHead) + "structs:\n  - name: S\n    versions:\n";
  for (int v = 0; v < 10; ++v) {
    many += "      - since: SR_" + std::to_string(v) + "\n        fields:\n";
    for (int i = 0; i < 200; ++i)
      many += "          - {name: f" + std::to_string((i * 7 + v) % 211) + ", type: float}\n";
  }
  CHECK(Answer(many).starts_with("fine"));
  CHECK(std::clock() - begin < 20 * CLOCKS_PER_SEC);
}

TEST_CASE("hostile definitions: thousands of damaged definitions", "[generate][hostile]") {
  const std::string whole = WithFields(
      "          - {name: x, type: \"map<string, vector<E>>\", about: \"a\", tags: {RANGE: \"0, "
      "3\"}}\n"
      "          - {name: y, type: float, default: \"f(1, '2')\"}\n"
      "      - since: SR_B\n        fields: [{name: y, type: \"array<float, 3>\", from: \"{old.y, "
      "0, 0}\"}]\n"
      "files: [{type: S, magic: GAME, without_header: SR_A}]\n",
      "enums:\n  - {name: E, type: uint8_t, values: [A, {name: B, value: 7}]}\n");
  REQUIRE(Answer(whole).starts_with("fine"));
  constexpr std::string_view kBytes = "{}[]<>:,;\"'\\/*&#|-!%@` \n\t0aSR_\x80\xff";
  std::mt19937 random(17);
  int fine = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = whole;
    for (unsigned edits = random() % 4 + 1; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, random() % 9 + 1);
          break;
        case 1:
          text.insert(at, 1, kBytes[random() % kBytes.size()]);
          break;
        case 2:
          text[at] = kBytes[random() % kBytes.size()];
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
      }
    }
    const std::string answer = Answer(text);
    INFO(text << "\n" << answer);
    if (answer.starts_with("fine")) {
      ++fine;
      REQUIRE(answer.find("#pragma once\n") != std::string::npos);
    } else {
      REQUIRE(answer.starts_with("t.yaml:"));
    }
  }
  CHECK(fine > 50);  // otherwise the tests would never get past the YAML parser
}

TEST_CASE("check against the list: unknown revisions and wrong order", "[generate]") {
  const Revisions list{"list.h", "SR_", {{"SR_A", 1}, {"SR_B", 2}, {"SR_C", 3}}};
  const auto said = [&](const std::string& text) {
    auto definition = ReadDefinition(text, "t.yaml");
    if (!definition.ok()) FAIL(definition.error().message);
    const auto error = CheckRevisions(*definition, "t.yaml", list);
    return error ? error->message : "";
  };
  const auto with = [](const std::string& first, const std::string& second,
                       const std::string& from = "old.x", const std::string& rest = "") {
    return std::string(kHead) + "structs:\n  - name: S\n    versions:\n      - since: " + first +
           "\n        fields: [{name: x, type: bool}]\n      - since: " + second +
           "\n        fields: [{name: y, type: bool, from: \"" + from + "\"}]\n" + rest;
  };
  CHECK(said(with("SR_A", "SR_B")).empty());
  CHECK(said(with("Revision::SR_A", "game::Revision::SR_C")).empty());
  CHECK(said(with("SR_A", "SR_BOSS")) == "t.yaml:9:16: list.h has no SR_BOSS");
  CHECK(said(with("SR_A", "\"SR_BOSS\"")) == "t.yaml:9:17: list.h has no SR_BOSS");
  CHECK(said(with("SR_B", "SR_A")) ==
        "t.yaml:9:16: SR_A = 1 must be greater than the number of the previous version, 2");
  CHECK(said(with("SR_A", "SR_B", "old.x && 3 > SR_BOSS")) ==
        "t.yaml:10:60: list.h has no SR_BOSS");
  CHECK(said(with("SR_A", "SR_B", "old.x && name != 'SR_X' && SR_C > 2")).empty());
  CHECK(said(with("SR_B", "SR_C", "old.x",
                  "files: [{type: S, magic: GAME, without_header: SR_A}]\n")) ==
        "t.yaml:11:48: S did not exist yet at SR_A");
}

TEST_CASE("a struct used before its first version is rejected", "[generate]") {
  const Revisions list{"list.h", "SR_", {{"SR_A", 1}, {"SR_B", 2}, {"SR_C", 3}}};
  const auto said = [&](const std::string& first, const std::string& held,
                        const std::string& since) {
    auto definition = ReadDefinition(
        std::string(kHead) + "structs:\n  - name: In\n    versions:\n      - since: " + first +
            "\n        fields: [{name: x, type: bool}]\n"
            "  - name: Out\n    versions:\n      - since: " +
            since + "\n        fields: [{name: y, type: \"" + held + "\"}]\n",
        "t.yaml");
    if (!definition.ok()) FAIL(definition.error().message);
    const auto error = CheckRevisions(*definition, "t.yaml", list);
    return error ? error->message + " | " + error->fix : "";
  };
  CHECK(said("SR_B", "In", "SR_B").empty());
  CHECK(said("SR_B", "In", "SR_C").empty());
  CHECK(
      said("SR_B", "In", "SR_A") ==
      "t.yaml:12:35: Out as of SR_A contains In, which does not exist before SR_B | add a version "
      "of In with `since: SR_A`, or a version of Out with `since: SR_B` that adds field y");
  CHECK(said("SR_C", "map<string, vector<In>>", "SR_B")
            .starts_with("t.yaml:12:35: Out as of SR_B contains In, "));
}

TEST_CASE("a lossy type change without an upgrade is rejected", "[generate]") {
  const auto answer = [](const std::string& before, const std::string& after,
                         const std::string& rest = "") {
    return Answer(WithFields("          - {name: x, type: \"" + before +
                             "\"}\n      - since: SR_B\n        fields:\n" +
                             "          - {name: x, type: \"" + after + "\"" + rest + "}\n"));
  };
  CHECK(answer("float", "int32_t") ==
        "t.yaml:12:30: x changes from float to int32_t, which cannot hold all old values");
  CHECK(answer("float", "int32_t", ", from: \"static_cast<std::int32_t>(old.x)\"")
            .starts_with("fine"));
  const std::vector<std::pair<std::string, std::string>> loses = {
      {"double", "float"},
      {"int64_t", "int32_t"},
      {"int32_t", "uint32_t"},
      {"int8_t", "uint64_t"},
      {"uint8_t", "int8_t"},
      {"uint32_t", "int32_t"},
      {"int32_t", "float"},
      {"int64_t", "double"},
      {"float", "bool"},
      {"uint8_t", "bool"},
      {"string", "float"},
      {"vector<float>", "vector<double>"},
      {"optional<float>", "float"},
      {"array<float, 2>", "array<float, 3>"},
      {"float", "optional<int8_t>"}};
  for (const auto& [before, after] : loses) {
    INFO(before << " to " << after);
    CHECK(answer(before, after) == "t.yaml:12:30: x changes from " + before + " to " + after +
                                       ", which cannot hold all old values");
  }
  const std::vector<std::pair<std::string, std::string>> keeps = {
      {"float", "double"},    {"int32_t", "int64_t"},        {"uint8_t", "int16_t"},
      {"uint32_t", "double"}, {"int16_t", "float"},          {"bool", "uint8_t"},
      {"bool", "float"},      {"float", "optional<double>"}, {"string", "optional<string>"}};
  for (const auto& [before, after] : keeps) {
    INFO(before << " to " << after);
    CHECK(answer(before, after).starts_with("fine"));
  }
}

TEST_CASE("a magic is checked against each version without a header", "[generate]") {
  // S has no version SR_B, so a file of revision SR_B may begin with either the bool or the float.
  const std::string versions =
      "structs:\n  - name: S\n    versions:\n      - since: SR_A\n        fields: [{name: x, type: "
      "bool}]\n"
      "      - since: SR_Z\n        fields: [{name: y, type: float}]\n";
  CHECK(Answer(std::string(kHead) + versions +
               "files: [{type: S, magic: GAME, without_header: SR_A}]\n")
            .starts_with("fine"));
  Refused(std::string(kHead) + versions + "files: [{type: S, magic: GAME, without_header: SR_B}]\n",
          "the first field, y, has type float, which allows any value");
}

}  // namespace
}  // namespace revctl::generate
