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

/// Reads a payload that does not exist yet: generates each leaf and appends its bytes to the
/// payload before the body continues. If the body then changes the value, for example by clamping
/// it, the payload still contains the original value, so the payload reveals what the code does
/// with this value.
///
/// Derived classes choose the values. By default, leaves have the library filler's values, and
/// references to objects are null.
///
/// The payload also contains choices of the visitors: names of classes, the table of an object
/// stream, and the entries of maps and sets without duplicate keys.
class Inventor : public NotingFiller {
 public:
  Inventor(const revctl::TypeInfo& root, std::int64_t number, std::uint64_t seed);

  /// Returns the payload. Must be called only after the whole object was visited without errors
  /// (see Ok()).
  std::vector<std::byte> Payload() const;
  /// paths of values that other values determine: sizes of objects and integrity numbers
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
  /// Sets `value`. `path` is the leaf's path as used in goldens.
  virtual void InventScalar(const revctl::TypeInfo& type, void* value, const std::string& path);
  virtual void InventBytes(const revctl::TypeInfo& type, std::string& bytes,
                           const std::string& path);
  /// Returns the size of a container or the index of a variant's alternative. `filled` is the
  /// library filler's choice.
  virtual std::size_t InventCount(const revctl::TypeInfo& type, std::size_t filled,
                                  const std::string& path);
  /// True if the current leaf is a reference to an object of the stream.
  bool InReference() const { return in_reference_; }
  const revctl::TypeInfo& root() const { return type_; }
  std::size_t Size() const { return out_.Bytes().size(); }

 private:
  using Seen = std::unordered_map<std::string_view, int>;
  /// New bytes for a range of the payload.
  struct Edit {
    std::size_t begin, end;
    std::vector<std::byte> bytes;
  };
  /// Position of a u32 that contains the size of the range [begin, end) of the payload.
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
  std::deque<std::string> paths_;  ///< owns the strings that are keys of seen_
  Seen seen_, sized_;
  std::vector<OpenRecord> records_;
  std::vector<OpenContainer> containers_;
  std::vector<Edit> edits_;
  std::vector<SizeOf> sizes_;
  std::vector<CountAt> counts_;
  std::size_t leaf_at_ = 0;  ///< offset of the leaf that the last Scalar() or Bytes() added
  std::size_t elements_left_;
  bool in_reference_ = false;
};

struct Refilled {
  explicit Refilled(const revctl::TypeInfo& type) : object(type) {}

  bool ok = false;
  std::string path, reason;  ///< path and reason of the first error; empty if `ok`
  Object object;             ///< the object that reading the bytes yields
  std::vector<std::byte> bytes;
  /// Paths of values that other values determine (sizes of objects, integrity numbers), so their
  /// recorded values are not used.
  std::set<std::string> derived;
};

/// Fills a fresh object at revision `number` with `values`, which are found by path. Returns the
/// object and its payload.
///
/// The bytes are written while the body reads, not from the finished object, which does not contain
/// the locals of REMs. A place without a suitable recorded value gets its value from the sample of
/// `seed`.
Refilled Refill(const revctl::TypeInfo& type, const std::vector<golden::Leaf>& values,
                std::int64_t number, std::uint64_t seed, const Renames& renames);

}  // namespace revctl::harness
