#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/samples/inventor.h"
#include "harness/samples/reaching_values.h"

namespace revctl::harness {

/// What a far-reaching payload gets where.
struct ReachingPlan {
  std::size_t round = 0;
  /// Other enumerators, bools and alternatives than the round's own, for what stands behind
  /// conditions on them; also in fields that are none of the plan's.
  std::size_t turn = 0;
  /// Fields that get the round's values; all others small ones. As `Record.field`.
  std::set<std::string> fields;
  bool all_fields = false;
  /// Places that are reached already: small values, too.
  const std::set<std::string>* covered = nullptr;
  std::map<std::string, unsigned> bits;  ///< width of bit-fields, as far as it was found out
  /// Elements of a container: those that are single values, and those that are not.
  std::size_t most_singles = 257, most_records = 257;
};

/// Invents the values of a plan.
class ReachingInventor : public Inventor {
 public:
  ReachingInventor(const revctl::TypeInfo& root, std::int64_t number, std::uint64_t seed,
                   const ReachingPlan& plan, LayoutNotes* notes);

  /// Fields with a place that is not covered, in the order of their first visit.
  const std::vector<std::string>& fields() const { return fields_; }
  /// Bit-fields among all that were visited: bits of their type.
  const std::map<std::string, unsigned>& bit_fields() const { return bit_fields_; }

  /// The body refused what was invented, with r.Fail().
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
    std::size_t leaf = 0, leaves = 1;  ///< of the key at hand; of the first one
    std::string field;                 ///< that a variant is the value of
  };

  bool Reaches(const std::string& path);
  std::size_t Index() const;
  std::size_t RoundOfNumbers() const;
  /// Each open element is the first of its container.
  bool AllFirst() const;
  ReachingKey NextKey();

  const ReachingPlan& plan_;
  std::vector<std::string> records_;
  std::string field_;  ///< the innermost one, as `Record.field`
  bool is_bits_ = false;
  std::vector<Element> elements_;
  std::vector<Keys> keys_;  ///< of each open container
  std::size_t open_keys_ = 0;
  std::vector<std::string> fields_;
  std::set<std::string> known_;
  std::map<std::string, unsigned> bit_fields_;
};

}  // namespace revctl::harness
