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

/// A parsed canonical wire type. For example, `map<string,i32>` is a Map with two parts.
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
  std::string name;
  std::size_t count = 0;  ///< number of elements of an array, or of bits of a bitset
  std::vector<WireTree> parts;
};

/// Parses `wire`. Matches names of records and enums in `schema` as a whole, including any angle
/// brackets. If a part is neither in the schema nor a built-in type, returns nullopt and sets
/// `unknown` to this part.
std::optional<WireTree> ParseWire(std::string_view wire, const Schema& schema,
                                  std::string& unknown);

/// Converts a name to the style of Kaitai Struct, for example `p1Score` to `p1_score`. Replaces all
/// characters except letters and digits with `_`.
std::string LowerSnake(std::string_view name);

/// Assigns unique names within a scope. Equal originals always get the same name.
class NameScope {
 public:
  /// Returns the LowerSnake form of `original`, with a number appended if it is already taken.
  const std::string& Of(const std::string& original);

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

/// Resolves names in conditions: earlier fields, enumerators and revisions. All constructor
/// arguments must outlive the Operands.
class Operands {
 public:
  Operands(const Schema& schema, const revctl::ListTable& list, std::int64_t revision,
           NameScope& enums)
      : schema_(schema), list_(list), revision_(revision), enums_(enums) {}

  /// Returns the names of a record's fields, in order.
  const std::vector<std::string>& Of(const std::string& record,
                                     const std::vector<revctl::LayoutField>& fields);
  NameScope& Enumerators(const std::string& enum_name) { return enumerators_[enum_name]; }

  /// Returns the names that the condition of `fields[index]` of `record` may use. Only earlier
  /// fields are visible. The result refers to this object.
  Names NamesFor(const std::string& record, const std::vector<revctl::LayoutField>& fields,
                 std::size_t index);

 private:
  /// `bases` counts the base classes searched so far.
  std::optional<Operand> Field(const std::string& record, std::size_t before,
                               const std::string& prefix, const std::string& name, bool local,
                               std::string& why, std::size_t& bases);
  std::optional<Operand> Constant(const std::string& scope, const std::string& name,
                                  std::string& why);

  const Schema& schema_;
  const revctl::ListTable& list_;
  const std::int64_t revision_;
  NameScope& enums_;
  std::map<std::string, std::vector<std::string>> records_;
  std::map<std::string, NameScope> enumerators_;
};

}  // namespace revctl::harness
