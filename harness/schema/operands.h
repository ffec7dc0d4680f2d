#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/list_table.h>

#include "harness/schema/condition.h"
#include "harness/schema/schema.h"

namespace revctl::harness {

/// A canonical wire type taken apart: `map<string,i32>` is a map of two parts.
struct WireTree {
  enum class Kind {
    Scalar,
    Enum,
    Record,
    Text,
    Array,
    Sequence,
    Set,
    Map,
    Optional,
    Tuple,
    Variant,
    Bits
  };
  Kind kind = Kind::Scalar;
  std::string name;       ///< as the layout spells it
  std::size_t count = 0;  ///< elements of an array, bits of a bitset
  std::vector<WireTree> parts;
};

/// Takes `wire` apart; the records and enums of `schema` are known by name, whatever brackets they
/// hold. Nothing where a part is neither known nor a type of the format: then `unknown` names it.
std::optional<WireTree> ParseWire(std::string_view wire, const Schema& schema,
                                  std::string& unknown);

/// `p1Score` as Kaitai Struct wants its names: `p1_score`. What is no letter and no digit becomes
/// `_`.
std::string LowerSnake(std::string_view name);

/// Names of one scope: each original gets a name of its own, the same one whenever it is asked for.
class NameScope {
 public:
  /// The name of `original`: LowerSnake of it, with a number behind where that is taken.
  const std::string& Of(const std::string& original);

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

/// The attributes of one record, in wire order.
struct RecordNames {
  std::vector<std::string> ids;
};

/// What the names in a condition are: fields that were read before, enumerators, revisions.
/// Everything handed in outlives this.
class Operands {
 public:
  Operands(const Schema& schema, const revctl::ListTable& list, std::int64_t revision,
           NameScope& enums)
      : schema_(schema), list_(list), revision_(revision), enums_(enums) {}

  RecordNames& Of(const std::string& record, const std::vector<revctl::LayoutField>& fields);
  NameScope& Enumerators(const std::string& enum_name) { return enumerators_[enum_name]; }

  /// For the condition of `fields[index]` of `record`: only what stands before it is known. Valid
  /// as long as this is.
  Names NamesFor(const std::string& record, const std::vector<revctl::LayoutField>& fields,
                 std::size_t index);

 private:
  std::optional<Operand> Field(const std::string& record, std::size_t before,
                               const std::string& prefix, const std::string& name, bool local,
                               std::string& why);
  std::optional<Operand> Constant(const std::string& scope, const std::string& name,
                                  std::string& why);

  const Schema& schema_;
  const revctl::ListTable& list_;
  const std::int64_t revision_;
  NameScope& enums_;
  std::map<std::string, RecordNames> records_;
  std::map<std::string, NameScope> enumerators_;
};

}  // namespace revctl::harness
