#include "harness/samples/inventor.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <revctl/detail/base/parse_number.h>
#include <revctl/json_reader.h>
#include <revctl/objects.h>

#include "golden/payload_pack.h"
#include "golden/text/scalar_text.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::TypeInfo;

constexpr std::size_t kMostElements = golden::kLargestPayload;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

bool IsObject(const TypeInfo& type) {
  return &type == &revctl::TypeOf<revctl::detail::ObjectRecord>();
}
/// True for the records of an object stream. The stream determines how many there are.
bool IsRecords(const TypeInfo& type) {
  return &type == &revctl::TypeOf<revctl::detail::ObjectRecords>();
}

void PutCount(std::vector<std::byte>& bytes, std::size_t at, std::size_t count) {
  const auto n = static_cast<std::uint32_t>(count);
  revctl::detail::CopyValue<std::uint32_t>(&bytes[at], &n);
}

}  // namespace

Inventor::Inventor(const TypeInfo& root, std::int64_t number, std::uint64_t seed)
    : NotingFiller(number, seed, nullptr),
      type_(root),
      root_(RootName(root)),
      out_{revctl::Revision(number)},
      elements_left_(kMostElements) {
  out_.CollectLeaves(false);
}

// ---- leaves

void Inventor::Scalar(const TypeInfo& type, void* value) {
  InventScalar(type, value, Here(""));
  leaf_at_ = Size();
  out_.Scalar(type, value);
  Watch();
}

void Inventor::Bytes(const TypeInfo& type, std::string& bytes) {
  InventBytes(type, bytes, Here(""));
  leaf_at_ = Size();
  out_.Bytes(type, bytes);
  Watch();
}

std::size_t Inventor::BeginContainer(const TypeInfo& type, std::size_t count) {
  std::size_t filled = NotingFiller::BeginContainer(type, count);
  const revctl::detail::CountForm form = revctl::detail::CountFormOf(type.kind);
  if (form.size != 0) {
    const std::string path = Here(form.name);
    filled = IsRecords(type) && Invents() ? count : InventCount(type, filled, path);
  }
  // Limit the total, because a string may claim to have any size, and elements may have no bytes.
  if (form.size == 4) {
    if (filled > elements_left_) {
      FailHere("the containers exceed the maximum number of elements in a golden");
      filled = 0;
    }
    elements_left_ -= filled;
  }
  containers_.push_back({Size(), filled});
  out_.BeginContainer(type, filled);
  Watch();
  return filled;
}

void Inventor::InventScalar(const TypeInfo& type, void* value, const std::string&) {
  NotingFiller::Scalar(type, value);
  if (in_reference_ && Invents()) std::memset(value, 0, type.size);
}

void Inventor::InventBytes(const TypeInfo& type, std::string& bytes, const std::string&) {
  NotingFiller::Bytes(type, bytes);
}

std::size_t Inventor::InventCount(const TypeInfo&, std::size_t filled, const std::string&) {
  return in_reference_ && Invents() ? 0 : filled;
}

void Inventor::Integrity(const FieldVisit& field) {
  NotingFiller::Integrity(field);
  if (field.live) derived.insert(Here("#integrity"));
  out_.Integrity(field);
}

// ---- choices of the visitors

void Inventor::Chose(std::string_view text) {
  std::string bytes(text);
  ChoseValue(revctl::TypeOf<std::string>(), &bytes);
}

void Inventor::ChoseValue(const TypeInfo& type, void* value) {
  revctl::TraceWriter chosen{revctl::Revision(revision.number())};
  chosen.CollectLeaves(false);
  type.Visit(chosen, value);
  edits_.push_back({leaf_at_, Size(), {chosen.Bytes().begin(), chosen.Bytes().end()}});
}

void Inventor::ChoseBytes(std::span<const std::byte> bytes) {
  edits_.push_back({records_.back().begin, Size(), {bytes.begin(), bytes.end()}});
}

void Inventor::BeginElement(const TypeInfo& element, std::size_t index, bool is_key) {
  NotingFiller::BeginElement(element, index, is_key);
  if (!is_key) return;
  DropDuplicate(containers_.back());
  containers_.back().entry = Size();
}

/// Generates a block like those in samples. Never uses recorded values, because records contain
/// only a block's hash.
void Inventor::Block(const TypeInfo& type, void* numbers, std::size_t count) {
  Filler::Block(type, numbers, count);
  out_.Block(type, numbers, count);
  Watch();
}

void Inventor::DuplicateKey() { containers_.back().duplicate = true; }

void Inventor::DropDuplicate(OpenContainer& container) {
  if (!std::exchange(container.duplicate, false)) return;
  edits_.push_back({container.entry, Size(), {}});
  ++container.dropped;
}

void Inventor::EndContainer(const TypeInfo& type) {
  OpenContainer last = containers_.back();
  DropDuplicate(last);
  containers_.pop_back();
  if (last.dropped != 0)
    counts_.push_back({last.count_at, static_cast<std::uint32_t>(last.count - last.dropped)});
  NotingFiller::EndContainer(type);
}

// ---- objects, whose sizes are known only after their content has been visited

void Inventor::BeginRecord(const TypeInfo& type, void* object) {
  NotingFiller::BeginRecord(type, object);
  records_.push_back({&type, Size(), kNone});
}

void Inventor::Field(const FieldVisit& field) {
  const std::string_view name = field.site.name;
  if (!records_.empty() && field.live && field.condition) {
    OpenRecord& record = records_.back();
    if (name == "size" && IsObject(*record.type)) {
      record.size_at = Size();
      derived.insert(LeafPathOf(Path() + ".size", sized_));
    }
  }
  const bool reference =
      field.site.form == revctl::Form::AddRef || field.site.form == revctl::Form::RemRef;
  const bool outer = std::exchange(in_reference_, reference);
  NotingFiller::Field(field);
  in_reference_ = outer;
}

void Inventor::EndRecord(const TypeInfo& type, void* object) {
  NotingFiller::EndRecord(type, object);
  const OpenRecord last = records_.back();
  records_.pop_back();
  if (!Ok()) return;
  if (last.size_at != kNone)
    sizes_.push_back({last.size_at, last.size_at + sizeof(std::uint32_t), Size()});
}

// ---- the payload

std::vector<Inventor::Edit> Inventor::OutermostEdits() const {
  std::vector<Edit> edits = edits_;
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::size_t end = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    if (edit.begin < end) return true;
    end = edit.end;
    return false;
  });
  return edits;
}

std::vector<std::byte> Inventor::Payload() const {
  std::vector<std::byte> bytes(out_.Bytes().begin(), out_.Bytes().end());
  const std::vector<Edit> edits = OutermostEdits();
  for (const SizeOf& size : sizes_) {
    std::size_t length = size.end - size.begin;
    for (const Edit& edit : edits) {
      if (edit.begin >= size.begin && edit.end <= size.end)
        length = length + edit.bytes.size() - (edit.end - edit.begin);
    }
    PutCount(bytes, size.at, length);
  }
  for (const CountAt& count : counts_) PutCount(bytes, count.at, count.count);
  std::vector<std::byte> payload;
  std::size_t at = 0;
  const auto copy = [&](std::size_t end) {
    payload.insert(payload.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (const Edit& edit : edits) {
    copy(edit.begin);
    payload.insert(payload.end(), edit.bytes.begin(), edit.bytes.end());
    at = edit.end;
  }
  copy(bytes.size());
  return payload;
}

std::string Inventor::LeafPathOf(std::string path, Seen& seen) {
  return LeafPath(paths_.emplace_back(std::move(path)), root_, seen);
}

std::string Inventor::Here(const char* suffix) { return LeafPathOf(Path() + suffix, seen_); }

void Inventor::Watch() {
  AdoptError(out_);
  if (Size() > golden::kLargestPayload) FailHere("the object exceeds the maximum size of a golden");
}

namespace {

/// Recorded values by path, with any approved name.
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

/// An Inventor that uses recorded values if they exist.
class Refiller : public Inventor {
 public:
  Refiller(const TypeInfo& root, const std::vector<golden::Leaf>& values, std::int64_t number,
           std::uint64_t seed, const Renames& renames)
      : Inventor(root, number, seed), values_(values, renames), renames_(renames) {}

  /// True if the stream has no recorded values, so its objects are generated. Otherwise, the
  /// reader's code creates and links the recorded objects.
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
    std::size_t recorded = 0;
    if (text != nullptr && revctl::detail::ParseNumber(*text, recorded) && recorded <= most)
      return recorded;
    return Inventor::InventCount(type, filled, path);
  }

  bool ReadJson(const TypeInfo& type, void* value, const std::string& json) const {
    revctl::JsonReader reader(json, revctl::Revision(revision.number()));
    reader.Scalar(type, value);
    return reader.Ok();
  }
  /// Sets `value` to `text` and returns true if `text` is a value of the type, including unquoted
  /// words and renamed enumerators.
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
  ResetProgram();
  filler.VisitRoot(type, refilled.object.get());
  refilled.ok = filler.Ok();
  refilled.path = BelowRoot(filler.error_path(), type);
  refilled.reason = filler.error_reason();
  refilled.derived = std::move(filler.derived);
  if (refilled.ok) refilled.bytes = filler.Payload();
  return refilled;
}

}  // namespace revctl::harness
