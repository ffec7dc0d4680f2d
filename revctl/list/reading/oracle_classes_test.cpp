// Compares revctl with two compilers on entire classes of inputs: every control byte at every
// position in a list, alone and next to line endings and backslashes, and directives that change
// macros, in every order.
#include <iterator>

#include "revctl/list/testing/compiler_oracle.h"

namespace revctl::list::testing {
namespace {

/// The list under test. A byte is inserted at one '~' at a time. If the byte ends or continues a
/// line there, numbers change.
constexpr std::string_view kPlaces =
    "#define M@ 5~ // m~\n"
    "#~define F@(x) (x~ + 1)\n"
    "#if M@ == 5~\n"
    "constexpr int kBase = 3;\n"
    "#else // e~\n"
    "constexpr int kBase = 9;\n"
    "#endif // e~\n"
    "enum R~ {\n"
    "  SR_A = 1~, // one ~SR_P = 40,\n"
    "  SR_B,~ // two~\n"
    "  SR_C = M@~,\n"
    "~#undef M@\n"
    "  /* three ~SR_Q, */ SR_D = F@(2) * 10~,\n"
    "  /* four *~/ SR_T, /* */\n"
    "  SR_E = kBase + 20, /~/ five\n"
    "  SR_~F,\n"
    "  SR_G = 1~2,\n"
    "  SR_H\n"
    "};\n";

/// The strings to insert. '%' stands for the byte.
constexpr std::string_view kForms[] = {"%", "%\n", "\\%", "\\%\n", "%\r\n", "\r%", "%\\\n"};

std::string With(std::string_view form, std::string_view byte) {
  std::string out(form);
  return out.replace(out.find('%'), 1, byte);
}

/// Returns kPlaces with `piece` inserted at the place `at` and nothing at the other places.
std::string Placed(std::size_t at, std::string_view piece) {
  std::string out;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    if (i == at) out += piece;
    else if (kPlaces[i] != '~') out += kPlaces[i];
  }
  return out;
}

/// Lines to insert, none of which leaves a conditional open.
constexpr std::string_view kLines[] = {
    "",
    "#undef M@\n#define M@ 6\n",
    "#pragma push_macro(\"M@\")\n",
    "#pragma pop_macro(\"M@\")\n",
    "_Pragma(\"push_macro(\\\"M@\\\")\")\n#undef M@\n#define M@ 4\n"
    "_Pragma(\"pop_macro(\\\"M@\\\")\")\n",
    "#ifdef __cplusplus\n#undef M@\n#define M@ 7\n#endif\n",
    "#ifndef __cplusplus\n#undef M@\n#define M@ 8\n#endif\n",
    "#if __cplusplus > 201402L\n#undef M@\n#define M@ 9\n#endif\n",
    "#if __cplusplus >= 201103L\n#undef M@\n#define M@ 1\n#endif\n",
    "#if defined(__GNUC__) && !defined(__clang__)\n#undef M@\n#define M@ 2\n#endif\n",
    "#define S@ __cplusplus\n#if S@ == 202002L\n#undef M@\n#define M@ 3\n#endif\n#undef S@\n"};

void Add(std::vector<Candidate>& to, std::string text) {
  if (auto one = MakeCandidate(std::move(text), static_cast<int>(to.size()) + 1))
    to.push_back(std::move(*one));
}

}  // namespace

TEST_CASE("oracle classes: each control byte in each place", "[list][oracle]") {
  std::vector<Candidate> candidates;
  for (int byte = 0; byte <= 0x20; ++byte) {
    const std::string text(1, static_cast<char>(byte == 0x20 ? 0x7f : byte));
    for (std::size_t at = kPlaces.find('~'); at != kPlaces.npos; at = kPlaces.find('~', at + 1)) {
      for (const std::string_view form : kForms) Add(candidates, Placed(at, With(form, text)));
    }
  }
  const CompilerOracle oracle(candidates);
  oracle.CheckAll({kGcc20, kClang20}, candidates.size() / 2);
}

TEST_CASE("oracle classes: directives that change macros, in each order", "[list][oracle]") {
  std::vector<Candidate> candidates;
  for (const std::string_view first : kLines) {
    for (const std::string_view second : kLines) {
      for (const std::string_view third : kLines)
        Add(candidates, "#define M@ 5\n" + std::string(first) + "enum R {\n  SR_A = M@,\n" +
                            std::string(second) + "  SR_B = M@ + 10,\n" + std::string(third) +
                            "  SR_C = M@ + 20,\n  SR_D\n};\n#undef M@\n");
    }
  }
  const CompilerOracle oracle(candidates);
  oracle.CheckAll({kGcc20, kClang20, kGcc14}, candidates.size() / 2);
}

}  // namespace revctl::list::testing
