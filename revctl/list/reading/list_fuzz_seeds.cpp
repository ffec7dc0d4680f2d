// Seeds for list_fuzz in addition to the fixtures in testdata. The seeds are small so that each
// byte gets mutated.
#include <cstdint>
#include <string_view>
#include <vector>

std::vector<std::vector<std::uint8_t>> FuzzSeeds();

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> out;
  for (const std::string_view seed :
       {"enum R { SR_A = 1, SR_B };\n",
        "enum class Version : int {\n  kA = 0x10, // a\n  kB = kA,\n  kLast\n};\n",
        "#define N 3\nenum {\n#if N > 2\n SR_A = N,\n#endif\n SR_B = (1 << 4) | SR_A,\n};\n",
        "enum R {\n<<<<<<< a\n  SR_A = 1,\n=======\n  SR_B = 1,\n>>>>>>> b\n};\n"}) {
    out.emplace_back(seed.begin(), seed.end());
  }
  return out;
}
