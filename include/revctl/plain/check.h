#pragma once
#include <cstddef>
#include <string>

#include <revctl/detail/base/status.h>
#include <revctl/plain/convert.h>
#include <revctl/plain/layout.h>

// Checks that a PLAIN struct's field list matches the compiler's layout, and that every old
// revision can be upgraded. The check runs in a static_assert at compile time, or once before the
// first read or write.
namespace revctl::detail {

struct PlainFault {
  enum class What {
    None,
    /// a field is not at the computed offset, because of an earlier member without FIELD, alignas,
    /// or packing
    Offset,
    Size,      ///< the struct is larger than its fields: its last member has no FIELD
    Align,     ///< the struct has an alignas
    Range,     ///< a dead field that ends before it begins
    TwoAlive,  ///< two fields with the same name are live at the same revision
    NotYet,    ///< a nested struct is used at a revision before its first field
    NoWay,     ///< a field changes its type, without a built-in conversion or a HOP
  } what = What::None;
  const PlainTable* table = nullptr;
  const PlainField* field = nullptr;
  const PlainField* other = nullptr;
  std::size_t computed = 0, actual = 0;
  constexpr explicit operator bool() const { return what != What::None; }
};

constexpr bool PlainHasHop(const PlainTable& table, std::int64_t number) {
  const PlainRuntime& runtime = table.runtime();
  for (int i = 0; i < runtime.hop_count; ++i) {
    if (runtime.hops[i].number == number) return true;
  }
  return false;
}

/// Returns the first fault in field `index` itself, or between it and an earlier field.
constexpr PlainFault FindPlainFieldFault(const PlainTable& table, int index) {
  using What = PlainFault::What;
  const PlainField& field = table.fields[index];
  if (field.since >= field.until) return {What::Range, &table, &field};
  for (int i = 0; i < index; ++i) {
    const PlainField& other = table.fields[i];
    if (SamePlainName(other.name, field.name) && other.since < field.until &&
        field.since < other.until) {
      return {What::TwoAlive, &table, &field, &other};
    }
  }
  if (field.shape.Record() && PlainExtentAt(*field.shape.nested, field.since).size == 0) {
    return {What::NotYet, &table, &field};
  }
  const int ended = PlainPredecessor(table, index);
  if (ended >= 0 && !PlainReadyMade(table.fields[ended].shape, field.shape) &&
      !PlainHasHop(table, field.since)) {
    return {What::NoWay, &table, &field, &table.fields[ended]};
  }
  return {};
}

/// Returns the first fault in `table` or in a nested struct.
constexpr PlainFault FindPlainFault(const PlainTable& table) {
  using What = PlainFault::What;
  constexpr std::int64_t today = kPlainLives - 1;
  for (int i = 0; i < table.count; ++i) {
    const PlainField& field = table.fields[i];
    if (field.shape.Record()) {
      if (const PlainFault inner = FindPlainFault(*field.shape.nested)) return inner;
    }
    if (const PlainFault fault = FindPlainFieldFault(table, i)) return fault;
    if (!field.Lives()) continue;
    const std::size_t computed = PlainOffsetAt(table, i, today),
                      actual = table.runtime().offsets[i];
    if (computed != actual) return {What::Offset, &table, &field, nullptr, computed, actual};
  }
  const PlainExtent extent = PlainExtentAt(table, today);
  if (extent.align != table.align)
    return {What::Align, &table, nullptr, nullptr, extent.align, table.align};
  if (extent.size != table.size)
    return {What::Size, &table, nullptr, nullptr, extent.size, table.size};
  return {};
}

/// Returns a message that describes a fault and how to fix it.
inline std::string PlainFaultText(const PlainFault& fault) {
  using What = PlainFault::What;
  const std::string type = fault.table->name;
  const std::string field = fault.field != nullptr ? type + "." + fault.field->name : type;
  const std::string sizes =
      std::to_string(fault.computed) + ", but the compiler says " + std::to_string(fault.actual);
  switch (fault.what) {
    case What::Offset:
      return field + " should be at offset " + sizes +
             ": look for a member without FIELD before it, alignas or packing";
    case What::Size:
      return type + " should have size " + sizes + ": look for a member without FIELD at its end";
    case What::Align:
      return type + " should have alignment " + sizes +
             ": alignas is not supported on PLAIN structs";
    case What::Range:
      return field + " ends at revision " + std::to_string(fault.field->until) + " but begins at " +
             std::to_string(fault.field->since);
    case What::TwoAlive:
      return field + " has two live declarations at revision " +
             std::to_string((std::max)(fault.field->since, fault.other->since)) +
             ": end the old one with DEAD at the revision where the new one begins";
    case What::NotYet:
      return field + " begins at revision " + std::to_string(fault.field->since) +
             ", before the first field of " + fault.field->shape.nested->name;
    case What::NoWay:
      return field + " changes its type at revision " + std::to_string(fault.field->since) +
             ", and there is no built-in conversion: write HOP(" +
             std::to_string(fault.field->since) + ") in " + type;
    case What::None:
      break;
  }
  return {};
}

/// Returns the error message of CheckPlain, or "" if there is no fault. Computes it on first use.
template <PlainType T>
const std::string& PlainFaultOf() {
  static const std::string text = [] {
    const PlainFault fault = FindPlainFault(plain_table<T>);
    return fault ? PlainFaultText(fault) : std::string();
  }();
  return text;
}

}  // namespace revctl::detail
