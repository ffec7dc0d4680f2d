#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace revctl::harness
