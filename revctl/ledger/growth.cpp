#include "revctl/ledger/growth.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

/// Basic blocks, and bytes that were asked for.
std::uint64_t steps = 0, bytes = 0;

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { ++steps; }

void* operator new(std::size_t size) {
  bytes += size;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
/// std::stable_sort asks by this one, and gives back by the delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return ::operator new(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace revctl::growth {
namespace {

/// Below it, steps and bytes say nothing: tables grow in leaps.
constexpr std::array<double, 2> kNoise = {20'000, 200'000};
/// An enum whose entries are `one(0)`, `one(1)`...
Make Entries(Make one, const std::string& before = "") {
  return
      [=](std::size_t n) { return before + "enum R {\nSR_FIRST,\n" + Repeated(n, one) + "};\n"; };
}
/// `one(i)` for each i, then a small enum that uses what stands there.
Make Before(Make one, const std::string& use = "SR_A = 1") {
  return [=](std::size_t n) { return Repeated(n, one) + "enum R { " + use + " };\n"; };
}

}  // namespace

std::string Growth(const std::function<void(std::size_t n)>& work, std::size_t n) {
  std::array<std::array<double, 3>, 2> cost{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t steps_before = steps, bytes_before = bytes;
    work(n << i);
    cost[0][i] = static_cast<double>(steps - steps_before);
    cost[1][i] = static_cast<double>(bytes - bytes_before);
  }
  std::string out;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const auto& c = cost[kind];
    // What twice as much costs on top: 2 where work is linear, 4 where it is quadratic.
    if (c[2] - c[1] <= 2.7 * (c[1] - c[0]) + kNoise[kind]) continue;
    out += std::string(kind == 0 ? "steps" : "bytes") + ": " + std::to_string(c[0]) + ", " +
           std::to_string(c[1]) + ", " + std::to_string(c[2]) + "\n";
  }
  return out;
}

std::string Repeated(std::size_t n, const Make& one) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += one(i);
  return out;
}

const std::vector<std::pair<std::string, Make>>& Lists() {
  using S = std::size_t;
  static const std::vector<std::pair<std::string, Make>> lists{
      {"plain", Entries([](S i) { return "SR_N" + Text(i) + ", // what\n"; })},
      {"one name", Entries([](S) { return std::string("SR_A,\n"); })},
      {"one name and number", Entries([](S) { return std::string("SR_A = 7,"); })},
      {"one number", Entries([](S i) { return "SR_N" + Text(i) + " = 7,\n"; })},
      {"falling",
       Entries([](S i) { return "SR_N" + Text(i) + " = " + Text(1000000 - i) + ",\n"; })},
      {"names of one", Entries([](S i) { return "N" + Text(i) + " = SR_FIRST,\n"; })},
      {"names of one, with the prefix",
       Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST,\n"; })},
      {"a chain of names", Entries([](S i) {
         return "SR_N" + Text(i) + " = " + (i == 0 ? "SR_FIRST" : "SR_N" + Text(i - 1)) + ",\n";
       })},
      {"all count", Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST - 1,\n"; })},
      {"latest, many times",
       Entries([](S i) { return "LATEST" + Text(i) + " = SR_FIRST, CURRENT = SR_FIRST,"; })},
      {"numbers in one comment",
       [](S n) {
         return "enum R {\nSR_A = 500, // " +
                Repeated(n, [](S i) { return "4" + Text(50 + i % 49) + " "; }) + "\n};\n";
       }},
      {"numbers in comments", Entries([](S i) {
         return "SR_N" + Text(i) + " = " + Text(i + 200) + ", // " + Text(i + 190) + " 203\n";
       })},
      {"comments",
       Entries([](S i) { return "// one\n/* two */ SR_N" + Text(i) + ", // three\n\n"; })},
      {"sums", Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST + " + Text(i) + ",\n"; })},
      {"typos", Entries([](S i) { return "SX_N" + Text(i) + " = " + Text(i) + ",\n"; })},
      {"conditions", Entries([](S i) { return "#if 1\nSR_N" + Text(i) + ",\n#endif\n"; })},
      {"skipped", Entries([](S i) { return "#if 0\nSR_N" + Text(i) + ",\n#endif\n"; })},
      {"splices", Entries([](S i) { return "SR_\\\nN" + Text(i) + "\\\n\\\n,\n"; })},
      {"macros in numbers",
       Entries([](S i) { return "SR_N" + Text(i) + " = F(" + Text(i) + "),\n"; },
               "#define F(x) (x + 1)\n")},
      {"attributes", Entries([](S i) { return "SR_N" + Text(i) + " [[deprecated]],\n"; })},
      {"characters", Entries([](S i) { return "SR_\xc3\xa9" + Text(i) + ",\n"; })},
      {"one macro again and again",
       Before([](S i) { return "#undef M\n#define M " + Text(i) + "\n"; }, "SR_A = M")},
      {"macros",
       Before([](S i) { return "#define M" + Text(i) + " " + Text(i) + "\n"; }, "SR_A = M0")},
      {"pragmas", Before([](S i) {
         return "#pragma push_macro(\"M" + Text(i) + "\")\n#pragma pop_macro(\"M" + Text(i) +
                "\")\n";
       })},
      {"undecided",
       Before([](S i) { return "#ifdef X" + Text(i) + "\nint a" + Text(i) + ";\n#endif\n"; })},
      {"standards", Before([](S) { return std::string("#if __cplusplus > 201402L\n#endif\n"); })},
      {"constants of one name",
       Before([](S) { return std::string("constexpr int kA = 1; "); }, "SR_A = 1, SR_B = kA")},
      {"constants that look for each other",
       Before([](S i) { return "const int k" + Text(i + 1) + " = k" + Text(i) + ";\n"; })},
      {"constants that look for one",
       Before([](S i) { return "namespace n { const int k" + Text(i + 1) + " = k0; }\n"; },
              "SR_A = 2")},
      {"namespaces",
       [](S n) {
         return Repeated(n / 40, [](S) { return std::string("namespace a {"); }) +
                "enum R { SR_A };\n";
       }},
      {"enums",
       Before([](S i) { return "enum E" + Text(i) + " { kA" + Text(i) + " };\n"; }, "SR_A = kA0")},
      {"enums of one name",
       Before([](S) { return std::string("enum E { kA };\n"); }, "SR_A = E::kA")},
      {"types", Before([](S i) { return "using T" + Text(i) + " = T" + Text(i / 2) + ";\n"; })},
      {"quotes", Before([](S) { return std::string("\"a\" 'b' R\"(c)\" "); })},
      {"carriage returns", Before([](S) { return std::string("// a\r\r\r\n\r\r\n"); })},
      {"trigraphs",
       Before([](S) { return std::string("// ?\?/ a ?\?/\t\n").substr(0, 10) + "\n"; })},
      {"blanks behind backslashes", Before([](S) { return std::string("\\ \t "); })},
      {"parentheses", [](S n) { return "enum R { SR_A = " + std::string(n, '(') + "1 };"; }},
      {"braces", [](S n) { return std::string(n, '{') + "enum R { SR_A };"; }},
      {"markers", Before([](S) { return std::string("<<<<<<< a\n=======\n>>>>>>> b\n"); })}};
  return lists;
}

}  // namespace revctl::growth
