#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/schema/condition.h"
#include "harness/schema/names.h"
#include "harness/schema/schema_text.h"

namespace revctl::harness {

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
