#include "harness/samples/refill.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <revctl/json_reader.h>

#include "golden/payload_pack.h"
#include "golden/scalar_text.h"
#include "harness/samples/inventor.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::TypeInfo;

/// The values by path. Where a name was approved for another, either finds the value.
class RecordedValues {
 public:
  RecordedValues(const std::vector<golden::Leaf>& values, const Renames& renames)
      : renames_(renames) {
    for (const golden::Leaf& leaf : values) {
      by_path_.emplace(leaf.path, &leaf);
      canonical_.emplace(renames.CanonicalPath(leaf.path), &leaf);
    }
  }
  const std::string* Find(const std::string& path) const {
    auto found = by_path_.find(path);
    if (found != by_path_.end()) return &found->second->text;
    found = canonical_.find(renames_.CanonicalPath(path));
    return found == canonical_.end() ? nullptr : &found->second->text;
  }
  bool AnyBelow(const std::string& path) const {
    if (path.empty()) return !by_path_.empty();
    return std::any_of(kSteps.begin(), kSteps.end(), [&](char step) {
      const auto first = by_path_.lower_bound(path + step);
      return first != by_path_.end() && first->first.starts_with(path + step);
    });
  }

 private:
  static constexpr std::string_view kSteps = ".[#";
  const Renames& renames_;
  std::map<std::string, const golden::Leaf*> by_path_, canonical_;
};

/// Takes recorded values where it can.
class Refiller : public Inventor {
 public:
  Refiller(const TypeInfo& root, const std::vector<golden::Leaf>& values, std::int64_t number,
           std::uint64_t seed, const Renames& renames)
      : Inventor(root, number, seed, nullptr), values_(values, renames), renames_(renames) {}

  /// Recorded objects are made and linked as a reader does it; those of a stream that nothing was
  /// recorded of are made up.
  bool Invents() const override { return !values_.AnyBelow(BelowRoot(Path(), root())); }

 private:
  void InventScalar(const TypeInfo& type, void* value, const std::string& path) override {
    const std::string* text = values_.Find(path);
    if (text == nullptr || !Assign(type, value, *text)) Inventor::InventScalar(type, value, path);
  }

  void InventBytes(const TypeInfo& type, std::string& bytes, const std::string& path) override {
    const std::string* text = values_.Find(path);
    if (text == nullptr || !text->starts_with('"') || !ReadBytes(type, bytes, *text))
      Inventor::InventBytes(type, bytes, path);
  }

  std::size_t InventCount(const TypeInfo& type, std::size_t filled,
                          const std::string& path) override {
    const std::string* text = values_.Find(path);
    const std::size_t most = type.kind == revctl::Kind::Variant                 ? type.count - 1
                             : revctl::detail::CountFormOf(type.kind).size == 1 ? 1
                                                                                : kMostElements;
    const auto recorded = text != nullptr ? CountIn(*text, most) : std::nullopt;
    return recorded ? *recorded : Inventor::InventCount(type, filled, path);
  }

  static constexpr std::size_t kMostElements = golden::kLargestPayload;

  static std::optional<std::size_t> CountIn(const std::string& text, std::size_t most) {
    std::size_t count = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, count);
    if (read.ec != std::errc() || read.ptr != end || count > most) return std::nullopt;
    return count;
  }

  bool ReadJson(const TypeInfo& type, void* value, const std::string& json) const {
    revctl::JsonReader reader(json, revctl::Revision(revision.number()));
    reader.Scalar(type, value);
    return reader.Ok();
  }
  /// Whether the text is a value of the type, which it then is. Words stand in a record without
  /// their quotes, and an enumerator may have another name by now.
  bool Assign(const TypeInfo& type, void* value, const std::string& text) const {
    const std::string word(golden::WordOf(text));
    if (word.empty()) return ReadJson(type, value, text);
    if (ReadJson(type, value, word) || ReadJson(type, value, '"' + word + '"')) return true;
    if (type.kind != revctl::Kind::Enum) return false;
    for (const revctl::Enumerator* e = type.enumerators(); e->name != nullptr; ++e) {
      if (renames_.CanonicalPath(e->name) == renames_.CanonicalPath(word))
        return ReadJson(type, value, '"' + std::string(e->name) + '"');
    }
    return false;
  }
  bool ReadBytes(const TypeInfo& type, std::string& bytes, const std::string& json) const {
    revctl::JsonReader reader(json, revctl::Revision(revision.number()));
    std::string read(bytes.size(), '\0');
    reader.Bytes(type, read);
    if (!reader.Ok()) return false;
    bytes = std::move(read);
    return true;
  }

  RecordedValues values_;
  const Renames& renames_;
};

}  // namespace

Refilled Refill(const TypeInfo& type, const std::vector<golden::Leaf>& values, std::int64_t number,
                std::uint64_t seed, const Renames& renames) {
  Refilled refilled(type);
  Refiller filler(type, values, number, seed, renames);
  filler.VisitRoot(type, refilled.object.get());
  refilled.ok = filler.Ok();
  refilled.path = BelowRoot(filler.error_path(), type);
  refilled.reason = filler.error_reason();
  refilled.derived = std::move(filler.derived);
  if (refilled.ok) refilled.bytes = filler.Payload();
  return refilled;
}

}  // namespace revctl::harness
