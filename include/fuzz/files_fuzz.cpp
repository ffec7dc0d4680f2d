// The input is a byte that selects the format, followed by a file. Covers LoadParts and Load with
// the program's own list and a different one, each with and without a checksum. Reading the types
// runs user code: registered classes, conversions, upgrades.
#include <revctl/fill.h>
#include <revctl/save_parts.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <cstdlib>
#include <cstring>

#include "include/fuzz/fuzz.h"

namespace files_fuzz {

enum class Rev { SR_INITIAL = 1, SR_PATH = 3, SR_NO_AGE = 4, SR_MARKS = 6 };
enum class Branch { SR_INITIAL = 1, SR_PATH = 3, SR_MARKS = 4, SR_NO_AGE = 7 };
enum class Mod { SR_MOD = 1, SR_MANA = 2 };

/// Types from another library. Vec3 is written as three floats, and Name as a string that may be
/// rejected.
struct Vec3 {
  float v[3] = {};
};
struct Name {
  char letters[8] = {};
};

}  // namespace files_fuzz

template <>
struct revctl::WireAs<files_fuzz::Vec3> {
  using Type = std::array<float, 3>;
  static Type ToWire(const files_fuzz::Vec3& vec) { return {vec.v[0], vec.v[1], vec.v[2]}; }
  static bool FromWire(const Type& wire, files_fuzz::Vec3& vec) {
    std::memcpy(vec.v, wire.data(), sizeof vec.v);
    return !(wire[0] < -1e30F);
  }
};
template <>
struct revctl::WireAs<files_fuzz::Name> {
  using Type = std::string;
  static Type ToWire(const files_fuzz::Name& name) {
    return {name.letters, ::strnlen(name.letters, 8)};
  }
  static bool FromWire(const Type& wire, files_fuzz::Name& name) {
    if (wire.size() > 8 || wire.find('\0') != std::string::npos) return false;
    std::memset(name.letters, 0, sizeof name.letters);
    std::memcpy(name.letters, wire.data(), wire.size());
    return true;
  }
};
template <>
struct revctl::ListOf<files_fuzz::Rev> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_PATH", 3, 0x33}, {"SR_NO_AGE", 4, 0x44}, {"SR_MARKS", 6, 0x66}};
  static constexpr ListTable table{"main", entries, 1};
};
template <>
struct revctl::ListOf<files_fuzz::Branch> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_PATH", 3, 0x33}, {"SR_MARKS", 4, 0x4b}, {"SR_NO_AGE", 7, 0x7b}};
  static constexpr ListTable table{"branch", entries, 1};
};

namespace files_fuzz {

struct Shape {
  virtual ~Shape() = default;
};
REVCTL_POLYMORPHIC(Shape);
struct Circle : Shape {
  float radius = 1;
};
SERIALIZE_TYPE(Circle) { ADD(1, radius); }
SERIALIZE_END
struct Group : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
  std::vector<Vec3> at;
};
SERIALIZE_TYPE(Group) {
  ADD(1, parts);
  ADD(Rev::SR_PATH, at);
}
SERIALIZE_END
REVCTL_REGISTER_CLASS(Shape, Circle, "circle");
REVCTL_REGISTER_CLASS(Shape, Group, "group");

struct Step {
  std::uint8_t kind = 0;
  Vec3 at;
  bool done = false;
};
SERIALIZE_TYPE(Step) {
  ADD(1, kind);
  ADD(Rev::SR_PATH, at);
  ADD(1, done);
}
SERIALIZE_END

struct Level {
  std::int32_t age = 0;
  std::unique_ptr<Shape> shape;
  std::vector<Step> steps;
  std::vector<Vec3> path;
  Name name;
  std::map<std::int32_t, Name> marks;
};
SERIALIZE_TYPE(Level) {
  REM(Rev::SR_INITIAL, Rev::SR_NO_AGE, std::int32_t, age, d.age);
  ADD(1, shape);
  ADD(1, steps);
  ADD(Rev::SR_PATH, path);
  ADD(1, name);
  ADD(Rev::SR_MARKS, marks);
  CHECK_INTEGRITY(1);
  if (r.IsReading() && age == 666) r.Fail("the age of a level must not be 666");
  if (r.IsReading() && r.revision < Rev::SR_NO_AGE) d.age = age;
}
SERIALIZE_END

struct Plugin {
  std::int32_t mana = 0;
  std::vector<std::string> spells;
};
SERIALIZE_TYPE(Plugin) {
  ADD(Mod::SR_MANA, mana);
  ADD(Mod::SR_MOD, spells);
}
SERIALIZE_END

enum How : std::uint8_t { kOwn, kBranch, kParts, kOwnSummed, kPartsSummed, kHows };

revctl::FileFormat Format(std::uint8_t how) {
  return {.list = how >= kParts && how != kOwnSummed ? nullptr : &revctl::ListOf<Rev>::table,
          .checksum = how == kOwnSummed || how == kPartsSummed,
          .written_with = how == kBranch ? &revctl::ListOf<Branch>::table : nullptr};
}

void Require(bool condition) {
  if (!condition) std::abort();
}

revctl::Status Save(std::uint8_t how, std::int64_t at, const Level& level, const Plugin& plugin,
                    std::vector<std::uint8_t>& bytes) {
  if (how != kParts && how != kPartsSummed) return revctl::Save(at, level, bytes, Format(how));
  return revctl::SaveParts(bytes, Format(how), revctl::PartAt(static_cast<Rev>(at), level),
                           revctl::PartAt(Mod::SR_MANA, plugin));
}
revctl::Status Load(std::uint8_t how, std::span<const std::uint8_t> file, Level& level,
                    Plugin& plugin) {
  if (how != kParts && how != kPartsSummed) return revctl::Load<Rev>(file, level, Format(how));
  return revctl::LoadParts(file, Format(how), revctl::PartOf<Rev>(level),
                           revctl::PartOf<Mod>(plugin, Mod::SR_MANA));
}

}  // namespace files_fuzz

using namespace files_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t how = data[0] % kHows;
  std::vector<std::uint8_t> file(data + 1, data + size);
  const bool summed = how == kOwnSummed || how == kPartsSummed;
  if (summed &&
      file.size() >= 24) {  // fix the checksum, because a wrong one would hide other errors
    const std::uint64_t sum = revctl::Checksum(revctl::AsBytes(file).first(file.size() - 8));
    std::memcpy(file.data() + file.size() - 8, &sum, sizeof sum);
  }
  Level level;
  level.age = 77;
  Plugin plugin;
  const revctl::Status status = Load(how, file, level, plugin);
  Require(status.Ok() == status.message().empty());
  if (!status) {
    Require(level.age == 77 && level.shape == nullptr);  // a failed Load changes nothing
    return 0;
  }
  // Every value that can be read must be writable, and a second round trip must produce the same
  // bytes.
  std::vector<std::uint8_t> first, second;
  Level again;
  Plugin plugin_again;
  const std::uint8_t own = how == kBranch ? std::uint8_t{kOwn} : how;
  Require(Save(own, 6, level, plugin, first).Ok());
  Require(Load(own, first, again, plugin_again).Ok());
  Require(Save(own, 6, again, plugin_again, second).Ok() && first == second);
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (std::uint8_t how = 0; how < kHows; ++how) {
    for (const revctl::ListEntry& entry :
         how == kBranch ? revctl::ListOf<Branch>::entries : revctl::ListOf<Rev>::entries) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        // On a branch, only revisions up to 3 have the same numbers in both lists.
        const std::int64_t at =
            how == kBranch ? std::min<std::int64_t>(entry.number, 3) : entry.number;
        Level level = revctl::Filled<Level>(at, seed);
        level.name = {{'a', 'n', 'n'}};
        std::vector<std::uint8_t> file;
        const revctl::FileFormat branch{.list = &revctl::ListOf<Branch>::table};
        const revctl::Status saved =
            how == kBranch ? revctl::Save(at, level, file, branch)
                           : Save(how, at, level, revctl::Filled<Plugin>(2, seed), file);
        Level back;
        Plugin plugin;
        // Skip seeds that Load rejects. A Vec3 does not accept extreme values, and a filled string
        // is rarely a valid Name.
        if (!saved || !Load(how, file, back, plugin)) continue;
        file.insert(file.begin(), how);
        seeds.push_back(std::move(file));
      }
    }
  }
  Require(seeds.size() >= 40);
  return seeds;
}
