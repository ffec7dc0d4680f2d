#include "revctl/source_scan/revision_gates.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using revctl::commands::SourceCode;

namespace {

/// Returns the line and spelling of each bare number compared with a revision, such as "1:42 3:7".
std::string Bare(const std::string& code) {
  const SourceCode source("save.cpp", code);
  if (!source.problem().empty()) return source.problem();
  std::string out;
  for (const std::size_t at : revctl::commands::BareNumbers(source.tokens(), {"Revision"})) {
    out += (out.empty() ? "" : " ") + std::to_string(source.Line(source.tokens()[at])) + ":" +
           std::string(source.tokens()[at].text);
  }
  return out;
}

/// Returns the revision names that only guard code for older files, such as "SR_A SR_C".
std::string Older(const std::string& code) {
  const SourceCode source("save.cpp", code);
  std::string out;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    const auto& token = source.tokens()[i];
    if (!token.text.starts_with("SR_") || !revctl::commands::OnlyForOlder(source.tokens(), i))
      continue;
    out += (out.empty() ? "" : " ") + std::string(token.text);
  }
  return out;
}

}  // namespace

TEST_CASE("code gates: bare numbers in gates", "[gates]") {
  const std::pair<const char*, const char*> cases[] = {
      // The number as either operand, with and without an object expression.
      {"if (r.revision() < 42) x();", "1:42"},
      {"if (r.revision < 42) x();", "1:42"},
      {"if (42 <= r.revision()) x();", "1:42"},
      {"if (42 <= ar->revision) x();", "1:42"},
      {"if (0x2A == s.archives[2].revision()) x();", "1:0x2A"},
      {"if (1'000 > Current().revision()) x();", "1:1'000"},
      {"bool old = revision != 7u;", "1:7u"},
      {"if ((r.revision()) >= (42)) x();", "1:42"},
      {"if (-1 < r.revision) x();", "1:1"},
      {"if (r.revision > -3) x();", "1:3"},
      {"return (r.revision) < 42;", "1:42"},
      // Comparisons that span lines and contain comments.
      {"if (r.revision()\n    /* older\n than */ <\n    42) x();", "4:42"},
      {"if (r.\\\nrevision < \\\n42) x();", "3:42"},
      {"ADD(\n  42, x);", "2:42"},
      {"REM(SR_A,\n    42,\n    int, x, 0);", "2:42"},
      // Macros of the library with a number.
      {"ADD(42, x); REVCTL_ADD(43, x); ADD_BASE(44, B); ADD_BITS(45, int, b); CHECK_INTEGRITY(46);",
       "1:42 1:43 1:44 1:45 1:46"},
      {"REM(1, 2, int, x, 3); REM_CONDITIONAL(4, 5, d.x > 6, y);", "1:1 1:2 1:4 1:5"},
      {"ADD_CONDITIONAL(SR_A, d.count > 3, x); ADD(SR_A, q[2]); REM(SR_A, SR_B, int, z, 42);", ""},
      {"MY_ADD(42, x); ADDED(42); d.Add(42);", ""},
      {"#define FIELDS(ADD_TYPED, REM) \\\n  ADD_TYPED(SR_A, int, x, 1) \\\n  ADD_TYPED(42, int, "
       "y, 2)",
       "3:42"},
      // Numbers converted to a revision or to an integer.
      {"ADD(Revision(42), x); ADD(static_cast<Revision>(43), x); ADD((Revision)44, x); "
       "ADD(game::Revision{45}, x);",
       "1:42 1:43 1:44 1:45"},
      {"ADD(Since(42), x); ADD(Other{42}, x);", ""},
      {"if (r.revision < Revision(42) || Revision(43) > r.revision || "
       "static_cast<game::Revision>(44) == r.revision) x();",
       "1:42 1:43 1:44"},
      {"if (int(r.revision()) < 42 || static_cast<int>(r.revision()) < 43 || (int)r.revision < 44 "
       "|| std::to_underlying(r.revision) > 45) x();",
       "1:42 1:43 1:44 1:45"},
      {"switch (r.revision()) {\n  case 42: a();\n  case SR_A: b();\n  case 43 ... 45: c();\n  "
       "default: switch (kind) { case 7: d(); }\n}",
       "2:42 4:43 4:45"},
      {"switch (static_cast<int>(r.revision)) { case Revision(42): { case 3: a(); } }", "1:42 1:3"},
      {"switch (kind) { case 7: switch (r.revision) { case 8: a(); } }", "1:8"},
      {"switch (r.revision.count) { case 7: a(); }", ""},
      // Numbers that are not compared with a revision.
      {"if (count < 2 && revision_count > 3) x();", ""},
      {"if (r.revision < SR_A + 0 || r.revision() < other.revision()) x();", ""},
      {"std::array<int, 3> revision; bitset<42> revision; f(revision<42>);", ""},
      {"if (Compare(a, revision) < 0 || Index(revision) == 3) x();", ""},
      {"out << 42 << revision; x = 42 >> revision;", ""},
      // Numbers in comments and strings.
      {"// r.revision < 42 \\\n   r.revision < 43", ""},
      {"/* r.revision < 42\n * ADD(42, x)\n */ if (r.revision < 7) x();", "3:7"},
      {"auto s = \"r.revision < 42\"; auto q = R\"x(ADD(42, x); \" // )\" ADD(43, x))x\"; ADD(44, "
       "y);",
       "1:44"},
      {"if (c == '\"' && r.revision < 42) x(); // \"", "1:42"},
      {"if (c == '\\'' || r.revision < 1'0) x(); auto s = u8R\"(/*)\"; ADD(42, x);", "1:1'0 1:42"},
      {"#if 0\nADD(42, x);\n#endif", "2:42"},
      // Code that does not compile.
      {"if ((r.revision < 42) }} ADD(43", "1:42"},
      {"a(); /* no end", "unterminated comment"},
      {"", ""},
  };
  for (const auto& [code, found] : cases) {
    INFO(code);
    CHECK(Bare(code) == found);
  }
}

TEST_CASE("code gates: revisions that only guard code for older files", "[gates]") {
  const std::pair<const char*, const char*> cases[] = {
      {"if (r.revision() < SR_A) x();", "SR_A"},
      {"if (r.revision < game::Revision::SR_A) x();", "SR_A"},
      {"if (SR_A > r.revision) x();", "SR_A"},
      {"REM(SR_A,\n  SR_B, int, x, 0); REVCTL_REM(R::SR_A, R::SR_C, y); REM_CONDITIONAL(SR_A, "
       "SR_D, c, z);",
       "SR_B SR_C SR_D"},
      {"if (r.revision >= SR_A || SR_B <= r.revision || r.revision == SR_C) x(); ADD(SR_D, d);",
       ""},
      {"Gate<SR_A> g; out << SR_A; f(SR_A, SR_B); // r.revision < SR_C", ""},
      {"const char* s = \"r.revision < SR_A\"; /* REM(SR_A, SR_B, x)\n < SR_C */", ""},
  };
  for (const auto& [code, found] : cases) {
    INFO(code);
    CHECK(Older(code) == found);
  }
}

TEST_CASE("code gates: large sources and deep nesting take linear time", "[gates]") {
  std::string code;
  while (code.size() < (std::size_t{5} << 20))
    code +=
        "    if (r.revision() < SR_FOULS) d.fouls = Count(d.players, \"fouls\");  // before "
        "fouls\n";
  CHECK(Bare(code + "ADD(42, x);\n").ends_with(":42"));
  const auto repeated = [](const std::string& text) {
    std::string out;
    for (int i = 0; i < 50000; ++i) out += text;
    return out;
  };
  for (const char* text : {"(", "((]", "revision.", "ADD(", "switch(revision", "switch(revision){",
                           "Revision(", "revision<-(int)", "a::", "REM(a,", "static_cast<"}) {
    INFO(text);
    CHECK(Bare(repeated(text)) == "");
  }
}

TEST_CASE("code gates: a revision passed as an argument", "[gates]") {
  const std::pair<const char*, const char*> cases[] = {
      {"sw.DoEx(&x, 77, 0);", "77"},
      {"sw->DoEx(&x, 77u, F(1, 2));", "77u"},
      {"DoEx<u8>(&x[i(1, 2)],\n  77, static_cast<u8>(0));", "77"},
      {"sw.DoEx(&x, SR_A, 77); sw.DoEx(&x); sw.Do(&x, 77); DoEx(y, 7 + 1, 2);", ""},
      {"template <class T> void DoEx(T* x, u32 version, T value);", ""},
      {"// DoEx(&x, 77, 0)\n", ""},
  };
  for (const auto& [code, expected] : cases) {
    const SourceCode source("save.cpp", code);
    std::string found;
    for (const std::size_t at :
         revctl::commands::PassedNumbers(source.tokens(), {"Revision"}, {{"DoEx", {2}}}))
      found += std::string(source.tokens()[at].text);
    INFO(code);
    CHECK(found == expected);
  }
}
