#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <revctl/trace.h>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"
#include "harness/samples/sample_filler.h"
#include "harness/trace/object.h"

namespace revctl::harness {

/// Reads a payload that does not exist yet: generates each leaf and appends its bytes before the
/// body continues. The body may then change the value (a clamp, a local of a REM), but the bytes
/// keep the original value, so the payload shows what the code does with it.
///
/// Derived classes choose the values. By default, leaves are those of the library's filler, and
/// references to objects are null.
///
/// Choices made by the visitors appear in the bytes: names of classes, the table of an object
/// stream, and entries of maps and sets except duplicate keys.
class Inventor : public NotingFiller {
 public:
  Inventor(const revctl::TypeInfo& root, std::int64_t number, std::uint64_t seed);

  /// Returns the payload. Call it after the whole object was visited and Ok() is true.
  std::vector<std::byte> Payload() const;
  /// Paths of values determined by others: sizes of objects, integrity numbers.
  std::set<std::string> derived;

  void Scalar(const revctl::TypeInfo& type, void* value) final;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) final;
  void Block(const revctl::TypeInfo& type, void* numbers, std::size_t count) final;
  std::size_t BeginContainer(const revctl::TypeInfo& type, std::size_t count) override;
  void BeginElement(const revctl::TypeInfo& element, std::size_t index, bool is_key) override;
  void EndContainer(const revctl::TypeInfo& type) override;
  void Integrity(const revctl::FieldVisit& field) final;
  void Align(std::size_t alignment, std::size_t before) final { out_.Align(alignment, before); }
  revctl::PartStart BeginPart() final { return out_.BeginPart(); }
  void EndPart(const revctl::PartStart& outer) final { out_.EndPart(outer); }
  void BeginRecord(const revctl::TypeInfo& type, void* object) override;
  void EndRecord(const revctl::TypeInfo& type, void* object) override;
  void Field(const revctl::FieldVisit& field) override;
  void DuplicateKey() final;
  void Chose(std::string_view text) final;
  void ChoseValue(const revctl::TypeInfo& type, void* value) final;
  bool InventsFile() const final { return true; }
  void ChoseBytes(std::span<const std::byte> bytes) final;

 protected:
  /// `path`: path of the leaf in goldens.
  virtual void InventScalar(const revctl::TypeInfo& type, void* value, const std::string& path);
  virtual void InventBytes(const revctl::TypeInfo& type, std::string& bytes,
                           const std::string& path);
  /// `filled`: the size that the filler would choose, or the index for a variant.
  virtual std::size_t InventCount(const revctl::TypeInfo& type, std::size_t filled,
                                  const std::string& path);
  /// True if the current leaf represents a pointer to an object of the stream.
  bool InReference() const { return in_reference_; }
  const revctl::TypeInfo& root() const { return type_; }
  std::size_t Size() const { return out_.Bytes().size(); }

 private:
  using Seen = std::unordered_map<std::string_view, int>;
  /// Replacement of a range of bytes in the payload.
  struct Edit {
    std::size_t begin, end;
    std::vector<std::byte> bytes;
  };
  /// The u32 at `at` contains the size of [begin, end) in the payload.
  struct SizeOf {
    std::size_t at, begin, end;
  };
  struct CountAt {
    std::size_t at;
    std::uint32_t count;
  };
  struct OpenContainer {
    std::size_t count_at, count, entry = 0, dropped = 0;
    bool duplicate = false;
  };
  struct OpenRecord {
    const revctl::TypeInfo* type;
    std::size_t begin, size_at;
  };

  std::string LeafPathOf(std::string path, Seen& seen);
  std::string Here(const char* suffix);
  void DropDuplicate(OpenContainer& container);
  std::vector<Edit> OutermostEdits() const;
  void Watch();

  const revctl::TypeInfo& type_;
  const std::string root_;
  revctl::TraceWriter out_;
  std::deque<std::string> paths_;  ///< storage for the keys of seen_
  Seen seen_, sized_;
  std::vector<OpenRecord> records_;
  std::vector<OpenContainer> containers_;
  std::vector<Edit> edits_;
  std::vector<SizeOf> sizes_;
  std::vector<CountAt> counts_;
  std::size_t leaf_at_ = 0;  ///< position of the last Scalar() or Bytes()
  std::size_t elements_left_;
  bool in_reference_ = false;
};

struct Refilled {
  explicit Refilled(const revctl::TypeInfo& type) : object(type) {}

  bool ok = false;
  std::string path, reason;  ///< of the first error
  Object object;             ///< as reading the bytes yields it
  std::vector<std::byte> bytes;
  /// Paths of values determined by others (sizes of objects, integrity numbers), which are not
  /// kept.
  std::set<std::string> derived;
};

/// Fills a fresh object at revision `number` with `values`, by path, and returns it with its
/// payload.
///
/// The bytes are written while the body reads, not from the object, because locals of REMs are gone
/// afterwards. Places without a fitting recorded value get the value of a sample of `seed`.
Refilled Refill(const revctl::TypeInfo& type, const std::vector<golden::Leaf>& values,
                std::int64_t number, std::uint64_t seed, const Renames& renames);

}  // namespace revctl::harness
