// Seeds for code_fuzz: one gate of each kind.
#include <cstdint>
#include <string_view>
#include <vector>

std::vector<std::vector<std::uint8_t>> FuzzSeeds();

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> out;
  for (const std::string_view seed :
       {"ADD(42, x); REM(SR_A, 42, int, x, 0); REVCTL_ADD(Revision(42), y);",
        "if (static_cast<int>(a.b[1]->revision()) < 1'000) x();",
        "switch (r.revision) { case 42: case Revision{43} ... 45: switch (k) { case 1:; } }",
        "if ((42) <= (int)r.revision || SR_A > revision) x();",
        "/* ADD(\n42, x) */ R\"x(ADD(42, x))x\" '\"' // \\\nr.revision < 42",
        "array<int, 3> revision; f(revision<42>, ::R::SR_A < 1);"}) {
    out.emplace_back(seed.begin(), seed.end());
  }
  return out;
}
