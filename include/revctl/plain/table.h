#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include <revctl/plain/shape.h>

namespace revctl::detail {

class PlainTrouble;

/// One FIELD or DEAD without its C++ type, for the code that walks layouts of old revisions.
struct PlainField {
  const char* name;
  std::int64_t since, until;
  PlainShape shape;

  constexpr bool LiveAt(std::int64_t revision) const {
    return since <= revision && revision < until;
  }
  constexpr bool Lives() const { return until == kPlainLives; }
};

/// One HOP: `run` gets the image of the struct before and after the hop, and may report trouble.
struct PlainHop {
  std::int64_t number;
  void (*run)(const std::byte* before, std::byte* after, PlainTrouble& trouble);
};

/// What only the complete struct can tell. Kept apart from PlainTable, which HOP bodies need while
/// the struct is parsed.
struct PlainRuntime {
  const std::size_t* offsets;           ///< offsetof each member; meaningless for dead ones
  void (*const* dead_defaults)(void*);  ///< writes DEAD_WITH's value; null: zeros
  const PlainHop* hops;
  int hop_count;
  void (*fresh)(void* storage);  ///< placement-constructs `T{}`
};

/// A PLAIN struct: its fields of all times in the order of declaration.
struct PlainTable {
  const char* name;
  const PlainField* fields;
  int count;
  std::size_t size, align;  ///< sizeof and alignof today
  const PlainRuntime& (*runtime)();
};

/// The dead field that live field `index` continues: same name, ended where this one begins. -1 if
/// none.
constexpr int PlainPredecessor(const PlainTable& table, int index) {
  const PlainField& field = table.fields[index];
  for (int i = 0; i < table.count; ++i) {
    if (i != index && table.fields[i].until == field.since &&
        SamePlainName(table.fields[i].name, field.name))
      return i;
  }
  return -1;
}

/// The field that dead field `index` was continued by. -1 if none.
constexpr int PlainSuccessor(const PlainTable& table, int index) {
  for (int i = 0; i < table.count; ++i) {
    if (i != index && PlainPredecessor(table, i) == index) return i;
  }
  return -1;
}

template <PlainType T, class = std::make_integer_sequence<int, plain_members<T>>>
struct PlainFields;
template <PlainType T, int... I>
struct PlainFields<T, std::integer_sequence<int, I...>> {
  static_assert(sizeof...(I) > 0, "a PLAIN struct needs at least one FIELD");
  static constexpr std::array<PlainField, sizeof...(I)> list{
      PlainField{PlainMemberAt<T, I>::name, PlainMemberAt<T, I>::since, PlainMemberAt<T, I>::until,
                 PlainShapeOf<typename PlainMemberAt<T, I>::Type>()}...};
};

template <PlainType T, std::int64_t Number>
void RunPlainHop(const std::byte* before, std::byte* after, PlainTrouble& trouble);  // plain_hop.h

template <PlainType T, int I>
constexpr std::size_t PlainOffset() {
  if constexpr (PlainMemberAt<T, I>::lives) {
    return T::RevctlPlainOffset(PlainIndex<I>{});
  } else {
    return static_cast<std::size_t>(-1);
  }
}
template <PlainType T, int I>
constexpr auto PlainDeadDefault() -> void (*)(void*) {
  if constexpr (requires(void* out) { T::RevctlPlainDead(PlainIndex<I>{}, out); }) {
    return [](void* out) { T::RevctlPlainDead(PlainIndex<I>{}, out); };
  } else {
    return nullptr;
  }
}

template <PlainType T, class = std::make_integer_sequence<int, plain_members<T>>,
          class = std::make_integer_sequence<int, plain_hops<T>>>
struct PlainDuties;
template <PlainType T, int... I, int... H>
struct PlainDuties<T, std::integer_sequence<int, I...>, std::integer_sequence<int, H...>> {
  static_assert(std::is_trivially_copyable_v<T>, "a PLAIN struct must be trivially copyable");
  static_assert(std::is_standard_layout_v<T>,
                "a PLAIN struct needs all fields public and no base class");
  static_assert(std::is_default_constructible_v<T>,
                "a PLAIN struct must have a default constructor");
  static constexpr std::array<std::size_t, sizeof...(I)> offsets{PlainOffset<T, I>()...};
  static constexpr std::array<void (*)(void*), sizeof...(I)> defaults{PlainDeadDefault<T, I>()...};
  static constexpr std::array<PlainHop, sizeof...(H) + 1> hops{
      PlainHop{PlainHopAt<T, H>::number, &RunPlainHop<T, PlainHopAt<T, H>::number>}...,
      PlainHop{0, nullptr}};
  static void Fresh(void* storage) { ::new (storage) T{}; }
  static constexpr PlainRuntime runtime{offsets.data(), defaults.data(), hops.data(), sizeof...(H),
                                        &Fresh};
};
template <PlainType T>
constexpr const PlainRuntime& PlainRuntimeOf() {
  return PlainDuties<T>::runtime;
}

template <PlainType T>
inline constexpr PlainTable plain_table{T::RevctlPlainName(), PlainFields<T>::list.data(),
                                        plain_members<T>,     sizeof(T),
                                        alignof(T),           &PlainRuntimeOf<T>};
template <PlainType T>
constexpr const PlainTable* PlainTableOf() {
  return &plain_table<T>;
}

}  // namespace revctl::detail
