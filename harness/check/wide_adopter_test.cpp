// A type with fields of every kind of wire type. The checks must find a mistake in any of these
// fields.
#include <array>
#include <bitset>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };
}

#define WIDE_VARIANT wide
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_map_value
#define MAP_FIELD_TYPE std::map<std::string, std::uint32_t>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_map_narrower
#define MAP_FIELD_TYPE std::map<std::string, std::int16_t>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_map_to_vector
#define MAP_FIELD_TYPE std::vector<std::pair<std::string, std::int32_t>>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_hashed
#define MAP_FIELD_TYPE std::unordered_map<std::string, std::int32_t>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_variant_order
#define VARIANT_TYPE std::variant<std::string, std::int32_t, Point>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_variant_grown
#define VARIANT_TYPE std::variant<std::int32_t, std::string, Point, bool>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_array_longer
#define ARRAY_TYPE std::array<std::int16_t, 4>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_optional_gone
#define OPTIONAL_TYPE double
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_bits
#define BITS_TYPE std::bitset<17>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_float
#define FLOAT_TYPE std::int32_t
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_signed
#define BYTE_TYPE std::int8_t
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_tuple
#define TUPLE_TYPE std::tuple<bool, std::uint8_t>
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_element
#define POINT_VISITS  \
  ADD(SR_INITIAL, y); \
  ADD(SR_INITIAL, x);
#include "harness/testdata/wide.inc"
#define WIDE_VARIANT wide_branch
#define BRANCH_LIMIT 3
#include "harness/testdata/wide.inc"

namespace revctl::harness::test {
namespace {

const Folder& Recorded() {
  static const Folder folder;
  static const bool once = (Program(1).Type<wide::Wide>().Record(folder), true);
  (void)once;
  return folder;
}

template <class T>
CheckResult After() {
  return Program(1).Type<T>().Check(Recorded());
}

template <class T>
void Caught(const std::string& type, const std::string& field, const std::string& rule = "GH001") {
  const CheckResult result = After<T>();
  INFO(Text(result));
  CHECK(result.errors);
  CHECK(Find(result, rule, type, field).severity == Severity::Error);
}

}  // namespace

TEST_CASE("wide: every kind of wire type is recorded and read back", "[harness][wide]") {
  const CheckResult result = After<wide::Wide>();
  INFO(Text(result));
  CHECK(result.findings.empty());
  const revctl::golden::Store store = revctl::golden::Store::Open(Recorded().path());
  REQUIRE(store.records().size() == 1);
  // Record types that only occur in containers must have layouts. All alternatives and both results
  // of each condition must have goldens.
  std::set<std::string> types, leaves;
  for (const auto& type : store.records()[0].record.types) types.insert(type.layout.type);
  CHECK(types == std::set<std::string>{"Base", "Node", "Point", "Wide"});
  for (const auto& item : store.records()[0].record.cases) {
    for (const auto& leaf : item.values) leaves.insert(leaf.path + "=" + leaf.text);
  }
  for (const char* leaf : {"variant#index=0", "variant#index=1", "variant#index=2",
                           "optional#present=0", "optional#present=1", "node#present=1",
                           "node.next#present=1", "small=true", "small=false", "set#count=0"}) {
    INFO(leaf);
    CHECK(leaves.contains(leaf));
  }
}

TEST_CASE("wide: a mistake in any kind is caught, with its field", "[harness][wide]") {
  Caught<wide_map_value::Wide>("Wide", "map");
  CHECK_THAT(Find(After<wide_map_narrower::Wide>(), "GH001", "Wide", "map").details,
             !Catch::Contains("same size"));
  Caught<wide_variant_order::Wide>("Wide", "variant");
  Caught<wide_array_longer::Wide>("Wide", "array");
  Caught<wide_optional_gone::Wide>("Wide", "optional");
  Caught<wide_bits::Wide>("Wide", "bits");
  Caught<wide_float::Wide>("Wide", "number");
  Caught<wide_signed::Wide>("Wide", "byte");
  Caught<wide_tuple::Wide>("Wide", "tuple");
  Caught<wide_element::Wide>("Point", "x");
  Caught<wide_variant_grown::Wide>("Wide", "variant");
}

TEST_CASE("wide: a plain branch is caught by a golden at its edge", "[harness][wide]") {
  const CheckResult branch = After<wide_branch::Wide>();
  INFO(Text(branch));
  CHECK(branch.errors);
}

TEST_CASE("wide: another container with the same wire type is no change", "[harness][wide]") {
  const CheckResult hashed = After<wide_hashed::Wide>();
  INFO(Text(hashed));
  CHECK_FALSE(hashed.errors);
}

}  // namespace revctl::harness::test
