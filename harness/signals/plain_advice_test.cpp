// GH001 findings about a PLAIN struct must suggest macros that are valid in PLAIN structs. This
// test compiles each suggested line as printed.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>

#include <revctl/plain_serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

/// A list to which `revctl reserve` has added the fourth revision.
enum Rev {
  SR_INITIAL = 1,
  SR_FOULS = 2,
  SR_PLAYERS = 3,
  SR_B_I16 = 4,
  SR_B_I64 = 4,
  SR_B_2 = 4,
  SR_AT_4 = 4,
  SR_NO_B = 4,
  SR_NO_FLAG = 4,
  SR_WEIGHT = 4
};

/// The code at each revision. There is padding after `kind` and, as long as there are fewer than
/// three flags, also after `flag`.
namespace first {
struct Q {
  PLAIN(Q);
  FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
  FIELD(std::int32_t, b, SR_INITIAL) = 100;
  FIELD(std::int16_t, old, SR_INITIAL) = 7;
  FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};
};
}  // namespace first
namespace second {
struct Q {
  PLAIN(Q);
  FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
  FIELD(std::uint8_t, flag, SR_FOULS) = 2;
  FIELD(std::int32_t, b, SR_INITIAL) = 100;
  FIELD(std::int16_t, old, SR_INITIAL) = 7;
  FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};
};
}  // namespace second
namespace third {
struct Q {
  PLAIN(Q);
  FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
  FIELD(std::uint8_t, flag, SR_FOULS) = 2;
  FIELD(std::int32_t, b, SR_INITIAL) = 100;
  DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);
  FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};
};
}  // namespace third

// Findings depend on the lines of fields and on their neighbors, so keep one field per line.
// clang-format off
#define KIND FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
#define FLAG FIELD(std::uint8_t, flag, SR_FOULS) = 2;
#define B FIELD(std::int32_t, b, SR_INITIAL) = 100;
#define OLD DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);
#define AT FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};

/// Begins the struct in one version of the code. Each field has its own line.
#define STATE(name) namespace name { struct Q { PLAIN(Q);
#define END }; }

/// The struct with the suggested lines pasted between the lines `before` and `after`, and with the
/// suggested HOP at its end.
#define PASTED(name, before, after, hop, ...)  \
  namespace name {                             \
  struct Q {                                   \
    PLAIN(Q);                                  \
    before __VA_ARGS__ after hop               \
  };                                           \
  static_assert(revctl::plain_fits<Q>);        \
  constexpr const char* kLines = #__VA_ARGS__; \
  constexpr const char* kHop = #hop;           \
  }

STATE(narrower)
  KIND FLAG
  FIELD(std::int16_t, b, SR_INITIAL) = 100;
  OLD AT
END
PASTED(narrower_fixed, KIND FLAG, OLD AT,
       HOP(SR_B_I16) { to.Set<"b">(static_cast<int16_t>(from.Get<"b">())); },
       DEAD(int32_t, b, SR_INITIAL, SR_B_I16);
       FIELD(std::int16_t, b, SR_B_I16) = 100;)

STATE(wider)
  KIND FLAG
  FIELD(std::int64_t, b, SR_INITIAL) = 100;
  OLD AT
END
PASTED(wider_fixed, KIND FLAG, OLD AT, ,
       DEAD(int32_t, b, SR_INITIAL, SR_B_I64);
       FIELD(std::int64_t, b, SR_B_I64) = 100;)

STATE(several)
  KIND FLAG
  FIELD(std::int32_t[2], b, SR_INITIAL){};
  OLD AT
END
PASTED(several_fixed, KIND FLAG, OLD AT,
       HOP(SR_B_2) { to.Set<"b">(static_cast<int32_t>(from.Get<"b">()), 0); },
       DEAD(int32_t, b, SR_INITIAL, SR_B_2);
       FIELD(std::int32_t[2], b, SR_B_2){};)

STATE(longer)
  KIND FLAG B OLD
  FIELD(std::int16_t[4], at, SR_INITIAL){3, 4};
END
PASTED(longer_fixed, KIND FLAG B OLD, , ,
       DEAD(int16_t[2], at, SR_INITIAL, SR_AT_4);
       FIELD(std::int16_t[4], at, SR_AT_4){3, 4};)

STATE(removed)
  KIND
  FLAG
  OLD
  AT
END
PASTED(removed_fixed, KIND FLAG, OLD AT, ,
       DEAD(int32_t, b, SR_INITIAL, SR_NO_B);)

STATE(added)
  KIND FLAG B
  FIELD(std::uint16_t, weight, SR_INITIAL) = 9;  // heavy
  OLD AT
END
PASTED(added_fixed, KIND FLAG B, OLD AT, ,
       FIELD(std::uint16_t, weight, SR_WEIGHT) = 9;)

STATE(renamed)
  KIND FLAG
  FIELD(std::int32_t, better, SR_INITIAL) = 100;
  OLD AT
END
PASTED(renamed_fixed, KIND FLAG, OLD AT, ,
       FIELD(std::int32_t, b, SR_INITIAL) = 100;)

/// Each field is on its own line, because the order of the lines is the order of the fields.
STATE(swapped)
  FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};
  FIELD(std::int32_t, b, SR_INITIAL) = 100;
  FIELD(std::uint8_t, flag, SR_FOULS) = 2;
  DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);
  FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
END
PASTED(swapped_fixed, , , ,
       FIELD(std::uint8_t, kind, SR_INITIAL) = 1;
       FIELD(std::uint8_t, flag, SR_FOULS) = 2;
       FIELD(std::int32_t, b, SR_INITIAL) = 100;
       DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);
       FIELD(std::int16_t[2], at, SR_INITIAL) = {3, 4};)

STATE(earlier)
  KIND
  FIELD(std::uint8_t, flag, SR_INITIAL) = 2;
  B OLD AT
END
PASTED(earlier_fixed, KIND, B OLD AT, ,
       FIELD(std::uint8_t, flag, SR_FOULS) = 2;)

/// The field ends too early, although no new revision was reserved for its end.
STATE(died)
  KIND
  DEAD(std::uint8_t, flag, SR_FOULS, SR_PLAYERS);
  B OLD AT
END
PASTED(died_fixed, KIND, B OLD AT, ,
       DEAD(std::uint8_t, flag, SR_FOULS, SR_NO_FLAG);)

STATE(forgotten)
  KIND
  FLAG
  B
  AT
END
PASTED(forgotten_fixed, KIND FLAG B, AT, ,
       DEAD_WITH(int16_t, old, SR_INITIAL, SR_PLAYERS, 7);)

STATE(dead_longer)
  KIND FLAG B
  DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_FOULS, 7);
  AT
END
PASTED(dead_longer_fixed, KIND FLAG B, AT, ,
       DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);)

STATE(dead_other)
  KIND FLAG B
  DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 8);
  AT
END
    // clang-format on

    /// A struct that contains the changed struct, so that only its padding changes.
    namespace before {
  struct Inner {
    PLAIN(Inner);
    FIELD(std::uint8_t, small, SR_INITIAL) = 1;
  };
  struct Outer {
    PLAIN(Outer);
    FIELD(Inner, inner, SR_INITIAL);
    FIELD(std::int32_t, hp, SR_INITIAL) = 2;
  };
}  // namespace before
namespace after {
struct Inner {
  PLAIN(Inner);
  FIELD(std::uint8_t, small, SR_INITIAL) = 1;
  FIELD(std::uint8_t, more, SR_INITIAL) = 1;
};
struct Outer {
  PLAIN(Outer);
  FIELD(Inner, inner, SR_INITIAL);
  FIELD(std::int32_t, hp, SR_INITIAL) = 2;
};
}  // namespace after

/// The program's own vector type, which was realigned for vector instructions.
struct Vec4 {
  float x, y, z, w;
};
struct alignas(16) Vec4Aligned {
  float x, y, z, w;
};
namespace loose {
struct Body {
  PLAIN(Body);
  FIELD(std::int32_t, id, SR_INITIAL) = 1;
  FIELD(Vec4, at, SR_INITIAL) = {};
};
}  // namespace loose

}  // namespace

template <>
struct revctl::PlainValues<Vec4> {
  using Element = float;
  static constexpr std::size_t count = 4;
};
template <>
struct revctl::PlainValues<Vec4Aligned> {
  using Element = float;
  static constexpr std::size_t count = 4;
};

namespace {
namespace aligned {
struct Body {
  PLAIN(Body);
  FIELD(std::int32_t, id, SR_INITIAL) = 1;
  FIELD(Vec4Aligned, at, SR_INITIAL) = {};
};
}  // namespace aligned
}  // namespace

NAMED(first::Q, "Q");
NAMED(second::Q, "Q");
NAMED(third::Q, "Q");
#define CASE(name)     \
  NAMED(name::Q, "Q"); \
  NAMED(name##_fixed::Q, "Q")
CASE(narrower);
CASE(wider);
CASE(several);
CASE(longer);
CASE(removed);
CASE(added);
CASE(renamed);
CASE(swapped);
CASE(earlier);
CASE(died);
CASE(forgotten);
CASE(dead_longer);
NAMED(dead_other::Q, "Q");
NAMED(before::Inner, "Inner");
NAMED(before::Outer, "Outer");
NAMED(after::Inner, "Inner");
NAMED(after::Outer, "Outer");
NAMED(loose::Body, "Body");
NAMED(aligned::Body, "Body");

namespace revctl::harness::test {
namespace {

void RecordQ(const Folder& folder) {
  Program(1).Type<first::Q>().Record(folder);
  Program(2).Type<second::Q>().Record(folder);
  Program(3).Type<third::Q>().Record(folder);
  const CheckResult fine = Program(3).Type<third::Q>().Check(folder);
  INFO(Text(fine));
  REQUIRE(fine.findings.empty());
}

/// Joins the lines and removes comments, to match how the preprocessor spells a macro argument.
std::string OnOneLine(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 5, "   //") == 0) i = std::min(text.find('\n', i), text.size() - 1);
    const bool blank = text[i] == '\n' || text[i] == ' ';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : text[i];
  }
  return out;
}

/// Returns the finding about `Wrong`. First checks that `Fixed` contains the suggested lines, and
/// that they fix the mistake.
template <class Wrong, class Fixed>
Finding Pasted(const std::string& field, const std::string& symbol, const char* lines,
               const char* hop) {
  const Folder folder;
  RecordQ(folder);
  const CheckResult wrong = Program(3).Type<Wrong>().Check(folder);
  INFO(Text(wrong));
  for (const Finding& other : wrong.findings) {
    if (findings::NameOf(other.rule) != "GH001") continue;
    CHECK(other.line > 0);
    CHECK_FALSE(other.field.empty());
    CHECK_THAT(FixText(other.fix), !Catch::Contains("ADD(") && !Catch::Contains("REM(") &&
                                       !Catch::Contains("Serialize"));
  }
  const Finding finding = Find(wrong, "GH001", "Q", field);
  CHECK_THAT(OnOneLine(FixText(finding.fix)),
             Catch::Contains(OnOneLine(lines)) && Catch::Contains(OnOneLine(hop)));
  if (!symbol.empty())
    CHECK_THAT(FixText(finding.fix), Catch::StartsWith("revctl reserve " + symbol + "\n"));
  Program fixed(3);
  if (!symbol.empty()) fixed.entries.push_back({symbol.c_str(), 4, 0x44});
  fixed.Type<Fixed>();
  const CheckResult pasted = fixed.Check(folder);
  INFO(Text(pasted));
  if (!symbol.empty()) {
    CHECK(Errors(pasted) ==
          std::vector<std::string>{"GH007 ."});  // the new revision is not recorded yet
    fixed.Record(folder);
  }
  const CheckResult after = fixed.Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
  return finding;
}
#define PASTE(name, field, symbol) \
  Pasted<name::Q, name##_fixed::Q>(field, symbol, name##_fixed::kLines, name##_fixed::kHop)

}  // namespace

TEST_CASE("plain: a retyped field becomes DEAD and is added again", "[harness][signals][plain]") {
  const Finding narrower = PASTE(narrower, "b", "SR_B_I16");
  CHECK_THAT(FixText(narrower.fix),
             Catch::Contains("or restore the type: FIELD(int32_t, b, SR_INITIAL) = 100;") &&
                 Catch::Contains("   // instead of "));
  CHECK_THAT(SourceLine(narrower), Catch::Contains("FIELD(std::int16_t, b, SR_INITIAL) = 100;"));
  PASTE(wider, "b", "SR_B_I64");
  PASTE(several, "b", "SR_B_2");
  const Finding longer = PASTE(longer, "at", "SR_AT_4");
  CHECK_THAT(longer.message, Catch::Contains("Q.at was int16_t[2], is int16_t[4]"));
}

TEST_CASE("plain: a removed field becomes DEAD, and a removed DEAD is restored",
          "[harness][signals][plain]") {
  const Finding removed = PASTE(removed, "b", "SR_NO_B");
  CHECK_THAT(removed.message, Catch::Contains("Q.b: removed without a DEAD"));
  CHECK_THAT(FixText(removed.fix), Catch::Contains("// right after flag of SR_FOULS"));
  const Finding forgotten = PASTE(forgotten, "old", "");
  // One finding must cover the revisions both before and after the field's end.
  CHECK_THAT(forgotten.message, Catch::Contains("3 revisions"));
  CHECK_THAT(FixText(forgotten.fix), Catch::Contains("// right after b of SR_INITIAL"));
  PASTE(died, "flag", "SR_NO_FLAG");
  PASTE(dead_longer, "old", "");
  const Folder folder;
  RecordQ(folder);
  const Finding other = Find(Program(3).Type<dead_other::Q>().Check(folder), "GH001", "Q", "old");
  CHECK_THAT(FixText(other.fix),
             Catch::Contains(
                 "restore the line: DEAD_WITH(std::int16_t, old, SR_INITIAL, SR_PLAYERS, 7);"));
}

TEST_CASE("plain: a new field, and a changed name, gate and order", "[harness][signals][plain]") {
  PASTE(added, "weight", "SR_WEIGHT");
  const Finding renamed = PASTE(renamed, "b", "");
  CHECK_THAT(FixText(renamed.fix), Catch::Contains("approve --rename Q.b=better"));
  PASTE(earlier, "flag", "");
  const Folder folder;
  RecordQ(folder);
  const CheckResult swapped = Program(3).Type<swapped::Q>().Check(folder);
  INFO(Text(swapped));
  std::string field;
  for (const Finding& finding : swapped.findings) {
    if (findings::NameOf(finding.rule) == "GH001" && field.empty()) field = finding.field;
  }
  PASTE(swapped, field, "");
}

TEST_CASE("plain: padding is reported only if nothing else explains it",
          "[harness][signals][plain]") {
  const Folder held;
  Program(1).Type<before::Outer>().Record(held);
  const CheckResult inner = Program(1).Type<after::Outer>().Check(held);
  INFO(Text(inner));
  for (const Finding& finding : inner.findings)
    CHECK((findings::NameOf(finding.rule) != "GH001" || finding.type == "Inner"));
  Find(inner, "GH001", "Inner", "more");

  const Folder folder;
  Program(1).Type<loose::Body>().Record(folder);
  const CheckResult result = Program(1).Type<aligned::Body>().Check(folder);
  INFO(Text(result));
  const Finding padding = Find(result, "GH001", "Body", "at");
  CHECK_THAT(
      padding.message,
      Catch::Contains("Body.at: the padding before it changed: recorded 0 bytes, now 12 bytes"));
  CHECK_THAT(FixText(padding.fix), Catch::Contains("restore the alignment of its field types"));
  CHECK_THAT(SourceLine(padding), Catch::Contains("FIELD(Vec4Aligned, at, SR_INITIAL)"));
}

TEST_CASE("plain: a type name in a record is not an element count",
          "[harness][signals][plain][hostile]") {
  const std::string extent = GENERATE("x", "", "-2", "99999999999999999999", "2,", "2>,3");
  const Folder folder;
  Program(1).Type<first::Q>().Record(folder);
  const std::string path = folder.path() + "/SR_INITIAL.yaml", type = "array<i16,2>";
  std::string text = Bytes(path);
  const std::size_t at = text.find(type);
  REQUIRE(at != std::string::npos);
  std::ofstream(path, std::ios::trunc)
      << text.replace(at, type.size(), "array<i16," + extent + ">");
  const CheckResult result = Program(1).Type<longer::Q>().Check(folder);
  INFO(Text(result));
  CHECK(result.errors);
}

}  // namespace revctl::harness::test
