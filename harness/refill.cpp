#include "harness/refill.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "golden/payload_pack.h"
#include "harness/noting_filler.h"
#include "harness/tracing.h"
#include "revctl/json_reader.h"
#include "revctl/objects.h"

namespace harness {
namespace {

using revctl::FieldVisit;
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

/// A filler that takes recorded values where it can, and writes what it fills.
class Refiller : public NotingFiller {
 public:
  Refiller(const TypeInfo& root, const std::vector<golden::Leaf>& values, std::int64_t number,
           std::uint64_t seed, const Renames& renames)
      : NotingFiller(number, seed, nullptr),
        type_(root),
        root_(RootName(root)),
        values_(values, renames),
        renames_(renames),
        out_{revctl::Revision(number)} {
    out_.CollectLeaves(false);
  }

  /// The payload, once the whole object is filled.
  std::vector<std::byte> Payload() const {
    std::vector<std::byte> bytes(out_.Bytes().begin(), out_.Bytes().end());
    for (const auto& [at, size] : sizes_)
      revctl::detail::CopyValue<std::uint32_t>(&bytes[at], &size);
    return bytes;
  }
  std::set<std::string> derived;

  void Scalar(const TypeInfo& type, void* value) override {
    const std::string* text = values_.Find(LeafPathHere(""));
    if (text == nullptr || !Assign(type, value, *text)) NotingFiller::Scalar(type, value);
    out_.Scalar(type, value);
    Watch();
  }

  void Bytes(const TypeInfo& type, std::string& bytes) override {
    const std::string* text = values_.Find(LeafPathHere(""));
    if (text == nullptr || !text->starts_with('"') || !ReadBytes(type, bytes, *text))
      NotingFiller::Bytes(type, bytes);
    out_.Bytes(type, bytes);
    Watch();
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    std::size_t filled = NotingFiller::BeginContainer(type, count);
    const revctl::detail::CountForm form = revctl::detail::CountFormOf(type.kind);
    if (form.size != 0) {
      const std::string* text = values_.Find(LeafPathHere(form.name));
      const std::size_t most = type.kind == revctl::Kind::Variant ? type.count - 1
                               : form.size == 1                   ? 1
                                                                  : kMostElements;
      if (text != nullptr) filled = CountIn(*text, most).value_or(filled);
    }
    // A text may claim any number of elements; those without bytes cost it nothing.
    if (form.size == 4) {
      if (filled > elements_left_) {
        FailHere("more elements than a golden holds");
        return 0;
      }
      elements_left_ -= filled;
    }
    out_.BeginContainer(type, filled);
    Watch();
    return filled;
  }

  void Integrity(const FieldVisit& field) override {
    NotingFiller::Integrity(field);
    if (field.live) derived.insert(LeafPathHere("#integrity"));
    out_.Integrity(field);
  }
  void Align(std::size_t alignment, std::size_t before) override { out_.Align(alignment, before); }
  revctl::PartStart BeginPart() override { return out_.BeginPart(); }
  void EndPart(const revctl::PartStart& outer) override { out_.EndPart(outer); }

  /// An object in a stream has its size before it, which is known behind it.
  void BeginRecord(const TypeInfo& type, void* object) override {
    NotingFiller::BeginRecord(type, object);
    open_.push_back({&type == &revctl::TypeOf<revctl::detail::ObjectRecord>(), std::nullopt});
  }
  void Field(const FieldVisit& field) override {
    const bool size =
        !open_.empty() && open_.back().is_object && std::string_view(field.site.name) == "size";
    if (size) {
      open_.back().size_at = out_.Bytes().size();
      derived.insert(LeafPathOf(Path() + ".size", sized_));
    }
    NotingFiller::Field(field);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    NotingFiller::EndRecord(type, object);
    const Open last = open_.back();
    open_.pop_back();
    if (!last.size_at || !Ok()) return;
    const std::size_t begin = *last.size_at + sizeof(std::uint32_t);
    sizes_.emplace_back(*last.size_at, static_cast<std::uint32_t>(out_.Bytes().size() - begin));
  }
  /// Recorded objects are made and linked as a reader does it; those of a stream that nothing was
  /// recorded of are made up.
  bool Invents() const override { return !values_.AnyBelow(BelowRoot(Path(), type_)); }

 private:
  static constexpr std::size_t kMostElements = golden::kLargestPayload;
  struct Open {
    bool is_object;
    std::optional<std::size_t> size_at;
  };
  using Seen = std::unordered_map<std::string_view, int>;

  std::string LeafPathOf(std::string path, Seen& seen) {
    return LeafPath(paths_.emplace_back(std::move(path)), root_, seen);
  }
  std::string LeafPathHere(const char* suffix) { return LeafPathOf(Path() + suffix, seen_); }

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
    if (text.starts_with('"')) return ReadJson(type, value, text);
    if (ReadJson(type, value, text) || ReadJson(type, value, '"' + text + '"')) return true;
    if (type.kind != revctl::Kind::Enum) return false;
    for (const revctl::Enumerator* e = type.enumerators(); e->name != nullptr; ++e) {
      if (renames_.CanonicalPath(e->name) == renames_.CanonicalPath(text))
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
  void Watch() {
    AdoptError(out_);
    if (out_.Bytes().size() > golden::kLargestPayload) FailHere("more bytes than a golden has");
  }

  const TypeInfo& type_;
  const std::string root_;
  RecordedValues values_;
  const Renames& renames_;
  revctl::TraceWriter out_;
  std::deque<std::string> paths_;  ///< what seen_ refers to
  Seen seen_, sized_;
  std::vector<Open> open_;
  std::vector<std::pair<std::size_t, std::uint32_t>> sizes_;  ///< where a size stands, and it
  std::size_t elements_left_ = kMostElements;
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

}  // namespace harness
