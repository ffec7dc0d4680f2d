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

/// Reads a payload that does not exist yet: it invents each leaf, and appends the leaf's bytes
/// before the body goes on. What the body then makes of a value (a clamp, a REM that goes out of
/// scope) is not in the bytes, so the payload shows what the code does, instead of hiding it.
///
/// Derived classes say what is invented. The base invents what lib's filler does, and null for
/// references to objects.
///
/// Where the visitors choose, the bytes say what was chosen: names of classes, the table of an
/// object stream, entries of maps and sets without those whose key stood there already.
class Inventor : public NotingFiller {
 public:
  Inventor(const revctl::TypeInfo& root, std::int64_t number, std::uint64_t seed);

  /// The payload, once the whole object was visited and Ok().
  std::vector<std::byte> Payload() const;
  /// Paths of values that follow from others: sizes of objects, integrity numbers.
  std::set<std::string> derived;

  void Scalar(const revctl::TypeInfo& type, void* value) final;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) final;
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
  /// `path`: of the leaf, as goldens have it.
  virtual void InventScalar(const revctl::TypeInfo& type, void* value, const std::string& path);
  virtual void InventBytes(const revctl::TypeInfo& type, std::string& bytes,
                           const std::string& path);
  /// `filled` is what the filler would have; of a variant the index.
  virtual std::size_t InventCount(const revctl::TypeInfo& type, std::size_t filled,
                                  const std::string& path);
  /// The leaf at hand stands for a pointer to an object of the stream.
  bool InReference() const { return in_reference_; }
  const revctl::TypeInfo& root() const { return type_; }
  std::size_t Size() const { return out_.Bytes().size(); }

 private:
  using Seen = std::unordered_map<std::string_view, int>;
  /// These bytes are others in the payload.
  struct Edit {
    std::size_t begin, end;
    std::vector<std::byte> bytes;
  };
  /// The u32 at `at` says how many bytes [begin, end) has in the payload.
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
  std::deque<std::string> paths_;  ///< what seen_ refers to
  Seen seen_, sized_;
  std::vector<OpenRecord> records_;
  std::vector<OpenContainer> containers_;
  std::vector<Edit> edits_;
  std::vector<SizeOf> sizes_;
  std::vector<CountAt> counts_;
  std::size_t leaf_at_ = 0;  ///< of the last Scalar() or Bytes()
  std::size_t elements_left_;
  bool in_reference_ = false;
};

/// What became of recorded values that were written at another place in the list.
struct Refilled {
  explicit Refilled(const revctl::TypeInfo& type) : object(type) {}

  bool ok = false;
  std::string path, reason;      ///< of the first error
  Object object;                 ///< as reading the bytes would leave it
  std::vector<std::byte> bytes;  ///< the payload
  /// Paths of values that follow from others: sizes of objects, integrity numbers. They are not
  /// kept.
  std::set<std::string> derived;
};

/// Fills a fresh object at revision `number` by path from `values`, and gives the payload of that.
///
/// The bytes are made while the body reads, not from the object: the local of a REM is gone when
/// the body returns. What no recorded value fits gets what a sample of `seed` has there.
Refilled Refill(const revctl::TypeInfo& type, const std::vector<golden::Leaf>& values,
                std::int64_t number, std::uint64_t seed, const Renames& renames);

}  // namespace revctl::harness
