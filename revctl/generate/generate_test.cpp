// Tests the errors for invalid definition files, and the code that is generated from valid ones.
// docs/examples/melodist checks that generated code compiles and reads files of every version.
#include <catch2/catch.hpp>

#include <locale>
#include <string>

#include "revctl/generate/write_cpp.h"

namespace revctl::generate {
namespace {

constexpr std::string_view kHead = "version: 1\nnamespace: game\nlist: list.h\n";

/// Returns the error for a definition, or "" if it is valid.
std::string ErrorOf(const std::string& text) {
  auto definition = ReadDefinition(text, "types.yaml");
  if (!definition.ok()) return definition.error().message;
  return "";
}

/// Returns a definition with a struct `S` that has one version. Its first field is on line 8 if
/// `before` is empty.
std::string WithFields(const std::string& fields, const std::string& before = "") {
  return std::string(kHead) + before +
         "structs:\n  - name: S\n    versions:\n      - since: SR_A\n        fields:\n" + fields;
}

std::string CodeOf(const std::string& text) {
  auto definition = ReadDefinition(text, "src/types.yaml");
  if (!definition.ok()) FAIL(definition.error().message);
  return WriteCpp(*definition, "src/types.yaml");
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("errors name the line, the column and the expected content", "[generate]") {
  const struct {
    std::string text, error;
  } cases[] = {
      {"version: 2\n", "types.yaml:1:10: `version` must be 1"},
      {std::string(kHead) + "structures: []\n",
       "types.yaml:4:1: unknown key 'structures' in a definition"},
      {"version: 1\nnamespace: 3d\n", "types.yaml:2:12: '3d' is not a namespace"},
      {"version: 1\nnamespace: a::class\n", "types.yaml:2:12: 'a::class' is not a namespace"},
      {std::string(kHead), "types.yaml:1:1: the definition has no structs"},
      {WithFields("          - {name: x, type: floot}\n"),
       "types.yaml:9:29: type 'floot': 'floot' is neither a built-in type"},
      {WithFields("          - {name: x, type: \"vector<S>\"}\n"),
       "types.yaml:9:37: type 'vector<S>': 'S' is neither a built-in type"},
      {WithFields("          - {name: x, type: \"map<string>\"}\n"),
       "types.yaml:9:40: type 'map<string>': expected ','"},
      {WithFields("          - {name: x, type: \"array<float, 0>\"}\n"),
       "an array needs an element count"},
      {WithFields("          - {name: r, type: float}\n"),
       "types.yaml:9:20: 'r' cannot be the name of a field"},
      {WithFields("          - {name: x, type: float}\n          - {name: x, type: bool}\n"),
       "types.yaml:10:13: 'x' occurs twice"},
      {WithFields("          - {name: x, type: float, form: 3}\n"),
       "types.yaml:9:36: unknown key 'form' in a field"},
      {WithFields("          - {name: x, type: float, from: 3}\n"),
       "the first version of a struct has no previous version to convert from"},
      {WithFields("          - {name: x, type: float, name: y}\n"), "key 'name' occurs twice"},
      {WithFields("          - {name: x, type: float, about: \"a\\nb\"}\n"),
       "about must be one line of text"},
      {WithFields("          - {name: x\n"), "is not YAML"},
      {WithFields("          - {name: x, type: E}\n",
                  "enums:\n  - {name: E, type: int, values: [A]}\n"),
       "types.yaml:5:21: 'int' cannot be the type of an enum"},
      {WithFields("          - {name: x, type: E}\n",
                  "enums:\n  - {name: E, type: uint8_t, values: [A, {name: B, value: 256}]}\n"),
       "256 does not fit in uint8_t"},
      {WithFields("          - {name: x, type: E}\n",
                  "enums:\n  - {name: E, type: int8_t, values: [A, {name: B, value: 0}]}\n"),
       "the value 0 occurs twice"},
      {WithFields("          - {name: x, type: S}\n",
                  "enums:\n  - {name: S, type: int8_t, values: [A]}\n"),
       "types.yaml:7:11: 'S' is defined twice"},
      {WithFields("          - {name: x, type: float}\nfiles: [{type: T}]\n"),
       "types.yaml:10:16: there is no struct named 'T'"},
      {WithFields("          - {name: x, type: float}\nfiles: [{type: S, magic: LONG1}]\n"),
       "types.yaml:10:26: a magic must have four characters"},
  };
  for (const auto& each : cases) {
    const std::string error = ErrorOf(each.text);
    INFO(each.text << "\n" << error);
    CHECK(Holds(error, each.error));
  }
}

/// Returns the error for an enum with these values, or "" if it is valid.
std::string ErrorOfEnum(const std::string& type, const std::string& values) {
  return ErrorOf(
      WithFields("          - {name: x, type: E}\n",
                 "enums:\n  - {name: E, type: " + type + ", values: [" + values + "]}\n"));
}

TEST_CASE("enumerators at the limits of their type", "[generate]") {
  CHECK(ErrorOfEnum(
            "int64_t",
            "{name: A, value: -9223372036854775808}, B, {name: C, value: 9223372036854775807}")
            .empty());
  CHECK(ErrorOfEnum(
            "uint64_t",
            "A, {name: B, value: 9223372036854775808}, {name: C, value: 18446744073709551615}")
            .empty());
  CHECK(ErrorOfEnum("int8_t", "{name: A, value: -128}, {name: B, value: 127}").empty());
  CHECK(ErrorOfEnum("uint8_t", "A, {name: B, value: 255}").empty());
  // Values just out of range, either given explicitly or one more than the previous value.
  const struct {
    std::string type, values, error;
  } cases[] = {
      {"int64_t", "{name: A, value: -9223372036854775809}",
       "types.yaml:5:56: -9223372036854775809 does not fit in int64_t"},
      {"int64_t", "{name: A, value: 9223372036854775808}",
       "types.yaml:5:56: 9223372036854775808 does not fit in int64_t"},
      {"int64_t", "{name: A, value: 9223372036854775807}, B",
       "types.yaml:5:78: 9223372036854775808 does not fit in int64_t"},
      {"uint64_t", "{name: A, value: -1}", "types.yaml:5:57: -1 does not fit in uint64_t"},
      {"uint64_t", "{name: A, value: 18446744073709551616}",
       "types.yaml:5:57: 18446744073709551616 does not fit in uint64_t"},
      {"uint64_t", "{name: A, value: 18446744073709551615}, B",
       "types.yaml:5:80: 18446744073709551616 does not fit in uint64_t"},
      {"int8_t", "{name: A, value: 127}, B", "types.yaml:5:61: 128 does not fit in int8_t"},
      {"int8_t", "{name: A, value: -129}", "types.yaml:5:55: -129 does not fit in int8_t"},
      {"uint8_t", "{name: A, value: -0x1}",
       "types.yaml:5:56: '-0x1' is not a value of type uint8_t"},
      {"uint8_t", "{name: A, value: -}", "'-' is not a value of type uint8_t"},
      {"uint64_t", "{name: A, value: 0}, {name: B, value: -0}", "the value 0 occurs twice"},
  };
  for (const auto& each : cases) {
    const std::string error = ErrorOfEnum(each.type, each.values);
    INFO(each.type << " " << each.values << "\n" << error);
    CHECK(Holds(error, each.error));
  }
}

TEST_CASE("enumerators at the limits of their type are valid C++", "[generate]") {
  const std::string code = CodeOf(WithFields("          - {name: x, type: E}\n", R"(enums:
  - {name: E, type: int64_t, values: [{name: A, value: -9223372036854775808}, B, {name: C, value: 9223372036854775807}]}
  - {name: F, type: uint64_t,
     values: [{name: A, value: 9223372036854775807}, B, {name: C, value: 18446744073709551615}]}
)"));
  INFO(code);
  CHECK(Holds(code,
              "enum class E : std::int64_t { A = -9223372036854775807 - 1, B, C = "
              "9223372036854775807 };\n"));
  CHECK(Holds(code,
              "F : std::uint64_t { A = 9223372036854775807, B, C = 18446744073709551615U };\n"));
}

TEST_CASE("a magic is rejected if a file without a header may begin with it", "[generate]") {
  const std::string files = "files: [{type: S, magic: AEIO, without_header: SR_A}]\n";
  CHECK(Holds(ErrorOf(WithFields("          - {name: x, type: float}\n" + files)),
              "the first field, x, has type float, which allows any value"));
  CHECK(ErrorOf(WithFields("          - {name: x, type: string}\n" + files)).empty());
  CHECK(ErrorOf(WithFields("          - {name: x, type: bool}\n" + files)).empty());
  // Fire, Ice, Wind and Dark combine to the value 'M'. A loader accepts this value, although no
  // single enumerator has it.
  const std::string flags =
      "enums:\n  - {name: E, type: uint8_t, values: [{name: Fire, value: 1}, {name: Ice, value: "
      "4}, "
      "{name: Wind, value: 8}, {name: Dark, value: 64}]}\n";
  const std::string melo = "files: [{type: S, magic: MELO, without_header: SR_A}]\n";
  CHECK(
      Holds(ErrorOf(WithFields("          - {name: x, type: E}\n" + melo, flags)),
            "types.yaml:12:48: files without a header could begin with 'MELO': the first field, x, "
            "has type E, which allows any value, even one that is not an enumerator"));
  CHECK(Holds(ErrorOf(WithFields("          - {name: x, type: \"array<E, 2>\"}\n" + melo, flags)),
              "which allows any value"));
}

constexpr std::string_view kThree = R"yaml(
structs:
  - name: S
    versions:
      - since: SR_A
        fields: [{name: x, type: float}, {name: y, type: float}, {name: z, type: int32_t}]
      - since: SR_B
        fields: [{name: x, type: float}, {name: z, type: float, from: "static_cast<float>(old.z)"}]
      - since: SR_C
        fields: [{name: z, type: float}, {name: x, type: float}]
)yaml";

TEST_CASE("versions become ADD lines, and REM lines for removed or moved fields", "[generate]") {
  const std::string code = CodeOf(std::string(kHead) + std::string(kThree));
  const std::string body = code.substr(code.find("SERIALIZE_TYPE"),
                                       code.find("SERIALIZE_END") - code.find("SERIALIZE_TYPE"));
  INFO(body);
  // z is an int32_t in SR_A and a float from SR_B on. SR_C moves x after z, so the REM for x's old
  // position ends there, and an ADD for its new position begins.
  CHECK(Holds(body,
              "  REM(SR_A, SR_C, float, x, {});\n"
              "  ADD(SR_B, z);\n"
              "  ADD(SR_C, x);\n"
              "  REM(SR_A, SR_B, float, y, {});\n"
              "  REM(SR_A, SR_B, std::int32_t, z, {});\n"));
  CHECK(Holds(body,
              "  if (r.IsReading() && r.revision < SR_B) {\n    SV1 old;\n    old.x = x;\n    "
              "old.y = y;\n    old.z = z;\n"));
  CHECK(Holds(body,
              "  } else if (r.IsReading() && r.revision < SR_C) {\n    SV2 old;\n    old.x = x;\n  "
              "  old.z = d.z;\n"));
  CHECK(Holds(code,
              "inline S Newest(SV2 old) { return Next(std::move(old)); }\ninline S Newest(SV1 old) "
              "{ return "
              "Newest(Next(std::move(old))); }\n"));
}

TEST_CASE("generated code preserves the wire order of every version", "[generate]") {
  auto definition = ReadDefinition(std::string(kHead) + std::string(kThree), "t");
  REQUIRE(definition.ok());
  const Struct& of = definition->structs.front();
  const auto lines = LinesOf(of);
  for (std::size_t v = 0; v < of.versions.size(); ++v) {
    std::vector<const Field*> order;
    for (const Line& line : lines) {
      if (line.in[v] != nullptr) order.push_back(line.in[v]);
    }
    REQUIRE(order.size() == of.versions[v].fields.size());
    for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == &of.versions[v].fields[i]);
  }
}

TEST_CASE("output is deterministic, with at most 100 columns", "[generate]") {
  const std::string text = std::string(kHead) + std::string(kThree);
  CHECK(CodeOf(text) == CodeOf(text));
  const std::string wide = WithFields(
      "          - {name: a_field_with_quite_a_long_name_that_fills_the_line, type: \"map<string, "
      "map<string, "
      "vector<string>>>\", "
      "about: \"a remark that is long enough to go into lines of its own, since beside the field "
      "there is no "
      "room\"}\n");
  const std::string code = CodeOf(wide);
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = code.find('\n', at);
    INFO(code.substr(at, end - at));
    CHECK(end - at <= 100);
    at = end + 1;
  }
}

/// A locale that groups digits by thousands when a stream prints a number.
struct Grouping : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("output depends only on the content of the definition", "[generate]") {
  const std::string text = std::string(kHead) + R"(enums:
  - {name: E, type: int32_t, values: [A, {name: B, value: 1234567}], about: one of two}
structs:
  - name: S
    about: what a file holds
    versions:
      - since: SR_A
        fields: [{name: x, type: "array<float, 1000>", default: "{1.5F}", about: many},
                 {name: e, type: E, tags: {A: 1, B: 2}}]
files: [{type: S, magic: GAME}]
)";
  // The same definition, but with a different order, line breaks, comments and quotes.
  const std::string other = R"(# the same
files:
  - magic: "GAME"
    type: 'S'
list: list.h
structs:
- versions:
  - fields:
    - {about: "many", default: '{1.5F}', type: "array<float,   1000>", name: x}
    - {tags: {A: "1", B: '2'}, name: e,   # remarks are nothing
       type: E}
    since: "SR_A"
  about: what a file holds
  name: S
namespace: game
version: 1
enums: [{values: [{name: A, value: 0}, {value: 1234567, name: B}], about: "one of two", type: int32_t, name: "E"}]
)";
  const std::string code = CodeOf(text);
  CHECK(CodeOf(other) == code);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouping));
  const std::string elsewhere = CodeOf(text);
  std::locale::global(before);
  CHECK(elsewhere == code);
  CHECK(Holds(code, "B = 1234567"));
}

TEST_CASE("generated code has comments and blank lines in every case", "[generate]") {
  const std::string with_words = WithFields(
      "          - {name: x, type: float, about: metres to the right}\n          - {name: e, type: "
      "E}\n"
      "      - since: SR_B\n        fields: [{name: x, type: double, from: old.x, about: metres to "
      "the left}]\n"
      "files: [{type: S, magic: GAME}]\n",
      "enums:\n  - {name: E, type: uint8_t, values: [A], about: of old}\n  - {name: F, type: "
      "uint8_t, values: [A]}\n");
  for (const std::string& text : {with_words, std::string(kHead) + std::string(kThree)}) {
    const std::string code = CodeOf(text);
    INFO(code);
    CHECK(code.find_first_of("\t\r") == std::string::npos);
    CHECK_FALSE(Holds(code, " \n"));
    CHECK_FALSE(Holds(code, "\n\n\n"));
    CHECK(code.ends_with("\n}  // namespace game\n"));
    // Each part of the namespace is preceded by a comment.
    std::size_t parts = 0;
    const std::size_t begin = code.find("namespace game {\n"), end = code.rfind("\n\n}");
    REQUIRE(begin < end);
    for (std::size_t at = code.find("\n\n", begin); at < end; at = code.find("\n\n", at + 2)) {
      const std::string part = code.substr(at + 2, 40);
      INFO(part);
      CHECK((part.starts_with("///") || part.starts_with("  bool operator==")));
      ++parts;
    }
    CHECK(parts > 6);
  }
  const std::string code = CodeOf(with_words);
  CHECK(Holds(code, "/// of old\nenum class E"));
  // The structs of older versions keep their own comments.
  CHECK(Holds(code, "  float x{};  ///< metres to the right\n"));
  CHECK(Holds(code, "  double x{};  ///< metres to the left\n"));
}

TEST_CASE("two removed fields with the same name get separate blocks", "[generate]") {
  const std::string code = CodeOf(std::string(kHead) + R"(structs:
  - name: S
    versions:
      - since: SR_A
        fields: [{name: x, type: float}]
      - since: SR_B
        fields: [{name: x, type: "map<string, bool>", from: "{}"}]
      - since: SR_C
        fields: [{name: y, type: double}]
)");
  INFO(code);
  CHECK(Holds(code,
              "  float revctl_x_v1{};\n"
              "  {\n"
              "    REM(SR_A, SR_B, float, x, {});\n"
              "    if (r.IsReading()) revctl_x_v1 = x;\n"
              "  }\n"));
  CHECK(Holds(
      code,
      "    using Type_x = std::map<std::string, bool>;\n    REM(SR_B, SR_C, Type_x, x, {});\n"));
  CHECK(Holds(code, "    old.x = std::move(revctl_x_v2);\n"));
}

/// Returns the beginning of Next() if `from` computes the only field of the newer version.
std::string NextOf(const std::string& from) {
  const std::string code = CodeOf(
      std::string(kHead) + "structs:\n  - name: S\n    versions:\n" +
      "      - since: SR_A\n        fields: [{name: x, type: float}]\n" +
      "      - since: SR_B\n        fields: [{name: y, type: float, from: '" + from + "'}]\n");
  const std::size_t at = code.find("inline S Next(");
  return code.substr(at, code.find('\n', at) - at);
}

TEST_CASE("an upgrade that ignores the old object marks it as unused", "[generate]") {
  CHECK(NextOf("old.x") == "inline S Next(SV1 old) {");
  CHECK(NextOf("Half(old)") == "inline S Next(SV1 old) {");
  for (const std::string from :
       {"3", "kThreshold", "older + told", "Length(\"old\")", "older_than(5)"}) {
    INFO(from);
    CHECK(NextOf(from) == "inline S Next([[maybe_unused]] SV1 old) {");
  }
}

TEST_CASE("wide lines break at commas in code, not inside quotes", "[generate]") {
  const std::string text =
      "std::string(\"" + std::string(50, 'a') + ", " + std::string(50, 'b') + "\")";
  for (const std::string first :
       {"'\"'", "u8'\"'", "'\\''", "1'000", "0x1'F", "\"'\"", "'1', '\"'", "a1 + 'b'"}) {
    std::string quoted;  // the expression as a quoted YAML string
    for (const char c : "Pick(" + first + ", " + text + ")")
      quoted += c == '\'' ? "''" : std::string(1, c);
    const std::string code =
        CodeOf(WithFields("          - {name: x, type: string, default: '" + quoted + "'}\n"));
    INFO(code);
    CHECK(Holds(code, "  std::string x = Pick(" + first + ",\n      " + text + ");\n"));
  }
}

TEST_CASE("names that a header may define as macros are guarded", "[generate]") {
  const std::string code = CodeOf(
      WithFields("          - {name: M_PI, type: float}\n          - {name: east, type: E}\n",
                 "enums:\n  - {name: E, type: uint8_t, values: [East, SIGINT, {name: EOF_2}]}\n"));
  INFO(code);
  CHECK(Holds(code,
              "#ifdef SIGINT\n#error \"types.yaml:5:45: an included header defines 'SIGINT' as a "
              "macro, so choose another name\"\n#endif\n"));
  CHECK(Holds(code, "#ifdef EOF_2\n#error \"types.yaml:5:53: "));
  CHECK(Holds(code, "#ifdef M_PI\n#error \"types.yaml:11:13: "));
  CHECK_FALSE(Holds(code, "#ifdef East"));
  CHECK_FALSE(Holds(code, "#ifdef E\n"));
}

TEST_CASE("by default, the table is next to the list and has its name", "[generate]") {
  const auto table_of = [](const std::string& list) {
    const auto definition =
        ReadDefinition("version: 1\nnamespace: game\nlist: " + list + "\n" +
                           WithFields("          - {name: x, type: float}\n").substr(kHead.size()),
                       "types.yaml");
    return definition.ok() ? definition->table : definition.error().message;
  };
  CHECK(table_of("list.h") == "list.revctl.h");
  CHECK(table_of("src/list.of.all.h") == "src/list.of.all.revctl.h");
  CHECK(table_of("./sub.d/list") == "./sub.d/list.revctl.h");
  CHECK(table_of("list") == "list.revctl.h");
}

TEST_CASE("computed fields are assigned before moved fields", "[generate]") {
  const std::string code = CodeOf(std::string(kHead) + R"(structs:
  - name: S
    versions:
      - since: SR_A
        fields: [{name: x, type: string}, {name: n, type: int32_t}]
      - since: SR_B
        fields: [{name: x, type: string}, {name: n, type: int32_t}, {name: size, type: uint64_t, from: old.x.size()}]
)");
  INFO(code);
  CHECK(Holds(code,
              "  next.size = old.x.size();\n  next.x = std::move(old.x);\n  next.n = old.n;\n  "
              "return next;\n"));
}

}  // namespace
}  // namespace revctl::generate
