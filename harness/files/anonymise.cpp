#include "harness/files/anonymise.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <revctl/trace.h>

#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

constexpr std::uint64_t kSaltsTried = 16;
constexpr std::size_t kCountSize = 4;  // length prefix of a string

std::uint64_t Mix(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xFF51AFD7ED558CCDULL;
  value ^= value >> 33;
  value *= 0xC4CEB9FE1A85EC53ULL;
  return value ^ (value >> 33);
}

/// True for a container of characters, which looks like a container of bytes on the wire.
bool HoldsLetters(const revctl::TypeInfo& type) {
  if (type.kind != revctl::Kind::Array && type.kind != revctl::Kind::Sequence) return false;
  const revctl::TypeInfo* const element = &type.part(0);
  return element == &revctl::TypeOf<char>() || element == &revctl::TypeOf<char8_t>();
}

/// Records the positions of strings, including character arrays such as `char name[16]`. Skips
/// strings that the library itself writes, such as class names, because they are not user data and
/// must not change.
class Reading : public revctl::TraceReader {
 public:
  Reading(std::span<const std::byte> bytes, std::int64_t number)
      : TraceReader(bytes, revctl::Revision(number)) {
    CollectLeaves(false);  // not needed, and a large file has millions of leaves
  }

  void Field(const revctl::FieldVisit& field) override {
    const std::string_view name = field.site.name;
    const bool own = field.site.file[0] == '\0' && (name == "class" || name == "classes");
    own_ += own;
    TraceReader::Field(field);
    own_ -= own;
  }
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) override {
    const std::size_t begin = offset();
    TraceReader::Bytes(type, bytes);
    if (Ok() && type.kind == revctl::Kind::String && own_ == 0 && bytes.size() > 0)
      texts_.emplace_back(begin + kCountSize, bytes.size());
  }
  std::size_t BeginContainer(const revctl::TypeInfo& type, std::size_t count) override {
    const std::size_t taken = TraceReader::BeginContainer(type, count);
    if (HoldsLetters(type)) letters_.emplace_back(offset(), taken);
    return taken;
  }
  /// Returns the positions and sizes of strings and character arrays.
  const std::vector<std::pair<std::size_t, std::size_t>>& texts() const { return texts_; }
  const std::vector<std::pair<std::size_t, std::size_t>>& letters() const { return letters_; }

 private:
  std::size_t own_ = 0;  ///< open fields with the library's own strings
  std::vector<std::pair<std::size_t, std::size_t>> texts_, letters_;
};

/// Replaces a string in place. Equal strings get equal replacements.
void Replace(std::byte* bytes, std::size_t size, std::uint64_t salt) {
  std::uint64_t state = salt;
  for (std::size_t i = 0; i < size; ++i)
    state = Mix(state + static_cast<std::uint64_t>(bytes[i]) + 1);
  for (std::size_t i = 0; i < size; ++i) {
    state = Mix(state + i);
    const auto byte = static_cast<unsigned char>(bytes[i]);
    unsigned char other = byte;
    if (byte >= 'a' && byte <= 'z') other = static_cast<unsigned char>('a' + state % 26);
    if (byte >= 'A' && byte <= 'Z') other = static_cast<unsigned char>('A' + state % 26);
    if (byte >= '0' && byte <= '9') other = static_cast<unsigned char>('0' + state % 10);
    bytes[i] = static_cast<std::byte>(other);
    // Replace a non-ASCII character with one of the same length: U+00E9, U+4E2D or U+1F600.
    for (const std::string_view same : {"\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80"}) {
      const unsigned char lead = static_cast<unsigned char>(same[0]);
      const unsigned char mask = same.size() == 2 ? 0xE0 : same.size() == 3 ? 0xF0 : 0xF8;
      if (byte < 0xC0 || (byte & mask) != (lead & mask) || i + same.size() > size) continue;
      for (std::size_t k = 0; k < same.size(); ++k) bytes[i + k] = static_cast<std::byte>(same[k]);
      i += same.size() - 1;
      break;
    }
  }
}

}  // namespace

std::optional<std::vector<std::byte>> Anonymise(const RootType& root,
                                                std::span<const std::byte> payload,
                                                std::int64_t number) {
  const Object object(root.type());
  Reading reader(payload, number);
  reader.VisitRoot(root.type(), object.get());
  if (!reader.Ok() || !reader.AtEnd()) return std::nullopt;
  for (std::uint64_t salt = 1; salt <= kSaltsTried; ++salt) {
    std::vector<std::byte> bytes(payload.begin(), payload.end());
    for (const auto& [begin, size] : reader.texts()) Replace(bytes.data() + begin, size, salt);
    for (const auto& [begin, size] : reader.letters()) {
      // Replace the bytes after the terminating zero separately, so that a string has the same
      // replacement in arrays of different lengths.
      const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto all = at + static_cast<std::ptrdiff_t>(size);
      const auto end = std::find(at, all, std::byte{0});
      Replace(bytes.data() + begin, static_cast<std::size_t>(end - at), salt);
      Replace(bytes.data() + (end - bytes.begin()), static_cast<std::size_t>(all - end), salt);
    }
    const Object again(root.type());
    ResetProgram();
    const auto outcome = root.entry.read(bytes, number, again.get());
    if (outcome.ok && outcome.at_end) return bytes;
  }
  return std::nullopt;
}

}  // namespace revctl::harness
