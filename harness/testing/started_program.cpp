#include "harness/testing/started_program.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/serialize.h>

#include "harness/isolation/job.h"
#include "revctl/base/system/process.h"

extern bool (*revctl_instead_of_tests)(int argc, char** argv);

namespace revctl::harness::test {
namespace {

/// An object as machine words. Pointers into this program are stored as distances from its
/// beginning.
struct Words {
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> points;  ///< for each word, 1 if it is a pointer
};
SERIALIZE_TYPE(Words) {
  ADD(0, words);
  ADD(0, points);
}
SERIALIZE_END

struct PackedType {
  std::string name;
  Words entry;
  std::vector<Words> samples;
};
SERIALIZE_TYPE(PackedType) {
  ADD(0, name);
  ADD(0, entry);
  ADD(0, samples);
}
SERIALIZE_END

template <class T>
Words WordsOf(const T& object) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
  const ProgramImage image = OwnImage();
  Words out;
  out.words.resize(sizeof(T) / sizeof(std::uint64_t));
  std::memcpy(out.words.data(), &object, sizeof(T));
  for (std::uint64_t& word : out.words) {
    const bool pointer = image.begin <= word && word < image.end;
    if (pointer) word -= image.begin;
    out.points.push_back(pointer ? 1 : 0);
  }
  return out;
}

template <class T>
T ObjectOf(Words packed) {
  const ProgramImage image = OwnImage();
  T object;
  for (std::size_t i = 0; i < packed.words.size(); ++i) {
    if (packed.points.at(i) != 0) packed.words[i] += image.begin;
  }
  std::memcpy(static_cast<void*>(&object), packed.words.data(), sizeof(T));
  return object;
}

std::string Hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string FromHex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

Registry RegistryOfParent() {
  Registry registry;
  std::vector<PackedType> types;
  const char* const text = std::getenv(kStartedProgram);
  if (text == nullptr || !Unpack(FromHex(text), types)) return registry;
  for (const PackedType& type : types) {
    RootType root;
    root.name = type.name;
    root.entry = ObjectOf<TypeEntry>(type.entry);
    for (const Words& sample : type.samples) root.samples.push_back(ObjectOf<SampleEntry>(sample));
    registry.types.push_back(std::move(root));
  }
  return registry;
}

bool RunIfStarted(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!IsStartedJob(words)) return false;
  RunStartedJob(words, RegistryOfParent());
}

[[maybe_unused]] const bool set = (revctl_instead_of_tests = RunIfStarted) != nullptr;

}  // namespace

std::string PackedForChildren(const Registry& registry) {
  std::vector<PackedType> types;
  for (const RootType& root : registry.types) {
    PackedType type{root.name, WordsOf(root.entry), {}};
    for (const SampleEntry& sample : root.samples) type.samples.push_back(WordsOf(sample));
    types.push_back(std::move(type));
  }
  return Hex(Pack(types));
}

}  // namespace revctl::harness::test
