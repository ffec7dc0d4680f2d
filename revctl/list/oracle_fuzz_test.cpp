// Two compilers as oracle for what a person would not write: bytes, line ends, splices, characters
// of other scripts, directives, at every place of small lists. Where revctl gives numbers and a
// compiler takes the file, both must have the same; an error is always allowed.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "revctl/list/test_lists.h"

namespace revctl::list {
namespace {

namespace fs = std::filesystem;

/// '@' is a candidate's own number: macros outlive its namespace.
constexpr std::string_view kBases[] = {
    "#define M@ 5\n#define F@(x) (x + 1)\nconstexpr int kBase = 3;\nenum R {\n  SR_A = 1, // one\n"
    "  SR_B,\n  SR_C = M@,\n  SR_D = F@(2) * 10,\n  SR_E = kBase + 20, /* two */\n  SR_F\n};\n",
    "enum R : unsigned {\r\n  SR_A, // one\r\n  SR_B = 4, // two \\\r\n  SR_C,\r\n  /* SR_X,\r\n "
    "*/ "
    "SR_D\r\n};\r\n",
    "#define M@ 2\n#if M@ == 2\nconstexpr int kBase = 1;\n#else\nconstexpr int kBase = 9;\n#endif\n"
    "enum R {\n  SR_A = kBase,\n#if M@ > 1\n  SR_B,\n#elif M@ > 0\n  SR_C = 40,\n#endif\n"
    "#ifdef __cplusplus\n  SR_D = 50,\n#endif\n  SR_E = 'a',\n  SR_F = 1'0 + 0x1F\n};\n",
    "constexpr int kBase = 3;\nstruct B { static constexpr int kOther = 6; };\nstruct S : B {\n"
    "  static constexpr int kOwn = 7;\n  enum R { SR_A = kBase, SR_B = kOwn, SR_C };\n};\n",
    "namespace n {\nconstexpr int kBase = 4;\n}\nconstexpr int kBase = 3;\n%:define M@ 8\n"
    "enum class R : long <%\n  SR_A = M@, SR_B, // a ?\n  SR_C = n::kBase * 10, SR_D\n%>;\n"};

std::vector<std::string> Pieces() {
  std::vector<std::string> out{"\\\n",
                               "\\ \n",
                               "\\\t\r\n",
                               "\\\r\n",
                               "\\\r",
                               "\\\r\r\n",
                               "\\\n\r",
                               "\r",
                               "\r\r\n",
                               "\n\r",
                               "\r\n",
                               "\n",
                               "\f",
                               "\v\n",
                               " \f\n",
                               "\xc2\xa0",
                               "\xc2\x85",
                               "\xe2\x80\xa8",
                               "\xe2\x80\x8b",
                               "\xef\xbb\xbf",
                               "\xe3\x80\x80",
                               "\xc3\xa9",
                               "\xcc\x81",
                               "\xe2\x81\xa0",
                               "\xff",
                               "\xc0\x80",
                               "\xed\xa0\x80",
                               "\xf0\x9f\x98\x80",
                               "%:",
                               "%:%:",
                               "<%",
                               "%>",
                               "<:",
                               ":>",
                               "<::",
                               "\n%:define ",
                               "?\?/\n",
                               "?\?/",
                               "?\?=",
                               "?\?!",
                               "\n?\?=define M@ 60\n",
                               "//",
                               "/*",
                               "*/",
                               "/*\r*/",
                               "// a\r",
                               "//\\\n",
                               "/\\\n/",
                               "/\\\n*",
                               "*\\\n/",
                               "'",
                               "\"",
                               "\"//\"",
                               "R\"(\n)\"",
                               "R\"x(",
                               "\\u00e9",
                               "\\u0041",
                               "#",
                               "##",
                               "\n#\n",
                               "\n#define M@ 60\n",
                               "\n#undef M@\n",
                               "\n#define SR_B SR_Q\n",
                               "\n#undef SR_B\n",
                               "\n#define kBase 70\n",
                               "\n#undef kBase\n",
                               "\n#pragma push_macro(\"M@\")\n",
                               "\n#pragma pop_macro(\"M@\")\n",
                               "\n#pragma push_macro(\"M@\")\n#undef M@\n#define M@ 61\n",
                               "_Pragma(\"push_macro(\\\"M@\\\")\")",
                               "_Pragma(\"pop_macro(\\\"M@\\\")\")",
                               "_Pragma(\"once\")",
                               "\n#if __cplusplus > 201402L\n",
                               "\n#if __cplusplus >= 201103L\n",
                               "\n#if __cplusplus == 202002L\n",
                               "\n#ifdef __cplusplus\n",
                               "\n#if 0\n",
                               "\n#if 1\n",
                               "\n#else\n",
                               "\n#elif 1\n",
                               "\n#elifdef M@\n",
                               "\n#endif\n",
                               "\n#ifdef __GNUC__\n",
                               "\n#ifdef __clang__\n",
                               "\n#if defined M@\n",
                               "\n#ifndef M@\n",
                               "__cplusplus",
                               "__LINE__",
                               "__COUNTER__",
                               "__GNUC__",
                               "__INT_MAX__",
                               "M@",
                               "F@",
                               "F@(1)",
                               "1",
                               "0b11",
                               "017",
                               "1'0",
                               "1u",
                               "1.0",
                               "1e1",
                               "'\\377'",
                               "'ab'",
                               "u8'a'",
                               "L'a'",
                               "U'\xc3\xa9'",
                               " and 1",
                               " bitor 8",
                               " compl ",
                               " xor 1",
                               "+",
                               "-",
                               "~",
                               "!",
                               "<<",
                               ">>",
                               "?",
                               ":",
                               "::",
                               ",",
                               "=",
                               ";",
                               "(",
                               ")",
                               "[",
                               "]",
                               "[[maybe_unused]]",
                               "alignas(8)",
                               "SR_B",
                               "SR_X,",
                               "SR_X = 30,",
                               "kBase",
                               "::kBase",
                               "n::kBase",
                               "B::kOther",
                               "sizeof(int)",
                               "sizeof(char)",
                               "char(300)",
                               "(unsigned char)",
                               "static_cast<short>(",
                               "true",
                               "inline ",
                               "using n::kBase;",
                               "using namespace n;",
                               "namespace n { constexpr int kBase = 90; }",
                               "inline namespace v { constexpr int kBase = 91; }",
                               "namespace { constexpr int kBase = 92; }",
                               "struct B { enum { kBase = 93 }; };",
                               "constexpr int a = 1, kBase = 94;",
                               "template <int kBase = 95> struct T;",
                               "enum { kBase = 96 };",
                               "enum class E { kBase = 97 };",
                               "using enum E;",
                               "typedef ",
                               "enum ",
                               "const int kOwn = 98;",
                               "static const int kBase{99};",
                               "}",
                               "{",
                               "};",
                               "};\nenum Q {",
                               "$",
                               "\n#define M@ kBase\n",
                               "\n#define EMPTY@\n",
                               "\n#define PASTE@(a, b) a##b\n",
                               "PASTE@(SR_, B)",
                               "\n#line 7 \"x\"\n",
                               "\n#ident \"x\"\n",
                               "\n#nonsense\n",
                               "\n# 33 \"x\"\n"};
  for (int byte = 0; byte < 0x20; ++byte) out.emplace_back(1, static_cast<char>(byte));
  out.emplace_back("\x7f");
  return out;
}

struct Candidate {
  int number = 0;
  std::string text;
  std::string assertions;
};

/// A base with one to three pieces put in, or a line end changed.
std::string Mutated(std::mt19937& random, const std::vector<std::string>& pieces) {
  const auto below = [&](std::size_t n) { return random() % n; };
  std::string text(kBases[below(std::size(kBases))]);
  for (std::size_t n = 1 + below(3); n > 0; --n) {
    if (below(8) == 0) {
      const std::size_t end = text.find('\n', below(text.size()));
      static constexpr std::string_view kEnds[] = {"\r\n", "\r", "\n\r", "\r\r\n", "\\\n", "\f\n"};
      if (end != text.npos) text.replace(end, 1, kEnds[below(std::size(kEnds))]);
    } else {
      text.insert(below(text.size() + 1), pieces[below(pieces.size())]);
    }
  }
  return text;
}

std::string Numbered(std::string text, int number) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at))
    text.replace(at, 1, std::to_string(number));
  return text;
}

class Oracle {
 public:
  explicit Oracle(const std::vector<Candidate>& candidates) : candidates_(candidates) {
    fs::create_directories(folder_);
    for (const Candidate& one : candidates_)
      std::ofstream(folder_ / (std::to_string(one.number) + ".h"), std::ios::binary) << one.text;
  }
  ~Oracle() { fs::remove_all(folder_); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  /// Candidates that `compiler` takes, and gives other numbers; `taken` counts those that it takes.
  std::set<int> Wrong(const std::string& compiler, int& taken) {
    std::set<int> left, wrong;
    for (const Candidate& one : candidates_) left.insert(one.number);
    // All at once; those that errors name are looked at alone, and the others again without them.
    for (;;) {
      std::set<int> named = NamedByErrors(compiler, left, true);
      if (named.empty()) break;
      for (const int number : named) {
        left.erase(number);
        if (!NamedByErrors(compiler, {number}, false).empty()) continue;  // no program at all
        ++taken;
        if (!NamedByErrors(compiler, {number}, true).empty()) wrong.insert(number);
      }
    }
    taken += static_cast<int>(left.size());
    return wrong;
  }

 private:
  std::set<int> NamedByErrors(const std::string& compiler, const std::set<int>& numbers,
                              bool with_assertions) {
    std::ofstream program(folder_ / "all.cpp");
    for (const Candidate& one : candidates_) {
      if (!numbers.contains(one.number)) continue;
      const std::string number = std::to_string(one.number);
      program << "namespace c" << number << " {\n#include \"" << number << ".h\"\n}\n";
      // A macro from below an entry would hide it from the assertions.
      program << "#undef SR_B\n#undef kBase\n";
      if (with_assertions) program << "#line 1 \"" << number << ".h\"\n" << one.assertions;
      program << "#line 1 \"all.cpp\"\n";
    }
    program.close();
    const std::string log = (folder_ / "log").string();
    const std::string command = "cd '" + folder_.string() + "' && " + compiler +
                                " -fsyntax-only -w -Werror=switch all.cpp >log 2>&1";
    if (std::system(command.c_str()) == 0) return {};
    std::set<int> named;
    std::ifstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t dot = line.find(".h:");
      if (dot == line.npos || line.find("error") == line.npos) continue;
      std::size_t begin = dot;
      while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
      const int number = std::atoi(line.substr(begin, dot - begin).c_str());
      if (numbers.contains(number)) named.insert(number);
    }
    // An error that names none of them: the last may have left something open.
    if (named.empty()) named = numbers.size() == 1 ? numbers : std::set<int>{*numbers.rbegin()};
    return named;
  }

  const std::vector<Candidate>& candidates_;
  fs::path folder_ = fs::temp_directory_path() / ("revctl-fuzz-" + std::to_string(::getpid()));
};

std::vector<Candidate> Candidates(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  const std::vector<std::string> pieces = Pieces();
  std::vector<Candidate> out;
  ListConfig config;
  config.enum_name = "R";
  while (out.size() < count) {
    const int number = static_cast<int>(out.size()) + 1;
    const std::string text = Numbered(Mutated(random, pieces), number);
    const auto list = Parse(text, config, "list.h");
    if (!list.ok() || list->entries.empty()) continue;
    out.push_back({number, text, testing::Assertions(*list, "::c" + std::to_string(number))});
  }
  return out;
}

void Compare(unsigned seed, std::size_t count) {
  const auto candidates = Candidates(seed, count);
  Oracle oracle(candidates);
  for (const char* compiler :
       {"g++ -std=c++20 -fmax-errors=0", "clang++ -std=c++20 -ferror-limit=0",
        "g++ -std=c++14 -fmax-errors=0"}) {
    int taken = 0;
    const auto wrong = oracle.Wrong(compiler, taken);
    CAPTURE(compiler, seed, taken);
    CHECK(taken > static_cast<int>(count) / 4);  // else it compares nothing
    std::string shown;
    for (const Candidate& one : candidates) {
      if (wrong.contains(one.number)) shown += one.text + "\n--- " + one.assertions + "\n======\n";
    }
    CHECK(shown == "");
  }
}

}  // namespace

TEST_CASE("oracle fuzz: both compilers have the numbers that revctl gives", "[list][oracle]") {
  Compare(1, 60);
}

/// REVCTL_ORACLE_SEEDS=n: that many rounds of 300, from seed REVCTL_ORACLE_FIRST on.
TEST_CASE("oracle fuzz: for longer", "[.][oracle-long]") {
  const char* seeds = std::getenv("REVCTL_ORACLE_SEEDS");
  const char* first = std::getenv("REVCTL_ORACLE_FIRST");
  const unsigned begin = first == nullptr ? 100 : static_cast<unsigned>(std::atoi(first));
  const unsigned count = seeds == nullptr ? 3 : static_cast<unsigned>(std::atoi(seeds));
  for (unsigned seed = begin; seed < begin + count; ++seed) Compare(seed, 300);
}

}  // namespace revctl::list
