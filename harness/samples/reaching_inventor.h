#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <revctl/detail/types/type_info.h>

#include "harness/samples/inventor.h"

namespace revctl::harness {

/// The values of far-reaching samples. Over all rounds, each place gets every value of its kind:
///
///   string     31, 63, 127, 255 and 300 letters; empty; blanks around it; CR, LF and a byte order
///              mark; NUL; bytes that are not UTF-8
///   integer    highest, lowest, 0, -1, and numbers with only low or only high bytes set
///   float      highest, lowest, 0, infinities, NaNs with and without a payload, smallest, -0
///   enum       highest, lowest, and then each other enumerator
///   sequence   16, 64, 1, 257, 0, 2, 3 elements; equal ones in most rounds
///   optional   present in all rounds except one
struct Reaching {
  static constexpr std::size_t kRounds = 10;

  std::size_t round = 0;
  std::size_t index = 0;  ///< position of the element in its sequence
  /// if not 0, enumerators and bools differ from the usual ones, and no container is empty
  std::size_t turn = 0;

  void Scalar(const revctl::TypeInfo& type, void* value) const;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) const;
  /// Returns the size of a sequence, map or set. For an optional value, returns 0 or 1.
  std::size_t Count(const revctl::TypeInfo& type) const;
  void Bits(const revctl::TypeInfo& type, void* value, unsigned bits) const;
};

/// Values for keys. In each round, keys differ in only one respect: case, trailing blanks, the part
/// after 40 letters, NUL, the highest byte, the lowest bit, the sign, or fractions. A comparison
/// that ignores this respect finds duplicate keys. In one round, integers are the highest and the
/// lowest value. All variants are different.
struct ReachingKey {
  std::size_t round = 0;
  std::size_t variant = 0;

  void Scalar(const revctl::TypeInfo& type, void* value) const;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) const;
};

struct ReachingPlan {
  std::size_t round = 0;
  /// If not 0, all fields have unusual enumerators, bools and alternatives, to reach fields that
  /// depend on them.
  std::size_t turn = 0;
  /// fields that get the round's values, as `Record.field`; all other fields get small values
  std::set<std::string> fields;
  bool all_fields = false;
  /// places that are already covered, which also get small values; may be null
  const std::set<std::string>* covered = nullptr;
  std::map<std::string, unsigned> bits;  ///< known widths of bit-fields
  /// size limits for containers of single values, and for all other containers
  std::size_t most_singles = 257, most_records = 257;
};

class ReachingInventor : public Inventor {
 public:
  ReachingInventor(const revctl::TypeInfo& root, std::int64_t number, std::uint64_t seed,
                   const ReachingPlan& plan);

  /// Returns the fields that have an uncovered place, in the order of their first visit.
  const std::vector<std::string>& fields() const { return fields_; }
  /// Returns the visited bit-fields, each with the number of bits of its underlying type.
  const std::map<std::string, unsigned>& bit_fields() const { return bit_fields_; }

  bool RefusedByBody() const { return refused(); }

  void BeginRecord(const revctl::TypeInfo& type, void* object) override;
  void EndRecord(const revctl::TypeInfo& type, void* object) override;
  void Field(const revctl::FieldVisit& field) override;
  void BeginElement(const revctl::TypeInfo& element, std::size_t index, bool is_key) override;
  void EndElement() override;
  std::size_t BeginContainer(const revctl::TypeInfo& type, std::size_t count) override;
  void EndContainer(const revctl::TypeInfo& type) override;

 private:
  void InventScalar(const revctl::TypeInfo& type, void* value, const std::string& path) override;
  void InventBytes(const revctl::TypeInfo& type, std::string& bytes,
                   const std::string& path) override;
  std::size_t InventCount(const revctl::TypeInfo& type, std::size_t filled,
                          const std::string& path) override;

  struct Element {
    std::size_t index;
    bool is_key;
  };
  struct Keys {
    /// leaves so far in the current key, and leaves in the first key
    std::size_t leaf = 0, leaves = 1;
    std::string field;  ///< for a variant, the field that contains it
  };

  bool Reaches(const std::string& path);
  std::size_t Index() const;
  std::size_t RoundOfNumbers() const;
  bool AllFirst() const;
  ReachingKey NextKey();

  const ReachingPlan& plan_;
  std::vector<std::string> records_;
  std::string field_;  ///< the innermost field that is being visited, as `Record.field`
  bool is_bits_ = false;
  std::vector<Element> elements_;
  std::vector<Keys> keys_;  ///< one element for each open container
  std::size_t open_keys_ = 0;
  std::vector<std::string> fields_;
  std::set<std::string> known_;
  std::map<std::string, unsigned> bit_fields_;
};

}  // namespace revctl::harness
