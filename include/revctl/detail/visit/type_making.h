#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <revctl/detail/types/aggregate_members.h>
#include <revctl/detail/visit/archive.h>

// Makes objects of types that are known only by their descriptors, for the harness and for layouts.
//
// Only a template can make a T, and compiling that for every type of a program takes longer than
// compiling the program's readers and writers. So a file compiles it only if it calls
// TypeWithMaking<T>(), for T and for all types that the body of T visits. Before main(), the
// functions of each of these types are stored in the place that its TypeInfo points to (MakingOf).

namespace revctl::detail {

template <class T>
consteval auto ConstructBareFunction() -> void (*)(void*) {
  if constexpr (requires(void* storage) { ::new (storage) T; }) {
    return [](void* storage) { ::new (storage) T; };
  } else {
    return nullptr;
  }
}

template <class T>
consteval std::size_t CountMembers() {
  if constexpr (HasWireAs<T>) {
    return CountMembers<typename WireAs<T>::Type>();
  } else if constexpr (KindOf<T>() == Kind::Record && !kVisitsWhole<T>) {
    return AggregateMembers<T>();
  } else {
    return 0;
  }
}

template <class T>
inline constexpr TypeMaking kTypeMaking{
    {kMaking<T>.construct, kMaking<T>.destroy}, ConstructBareFunction<T>(), CountMembers<T>()};

template <class T>
bool LearnMaking();

/// If this variable is used, the program stores before main() the functions that make a T and its
/// parts.
template <class T>
inline const bool kLearned = LearnMaking<T>();

/// Instantiates bodies and so finds the types of their fields, even in branches that are seldom
/// taken. Its templates hide those of AnyArchive, because virtual functions do not know the types.
/// No object of this class exists, and no body runs.
class TypeLister : public AnyArchive {
 public:
  template <class T>
  void Add(const char*, int, std::int64_t, T&) {
    (void)kLearned<T>;
  }
  template <std::size_t alignment, class T>
  void AddAligned(const char*, int, std::int64_t, T&) {
    (void)kLearned<Aligned<alignment, T>>;
  }
  template <class T>
  void Announce(Form, const char*, int, std::int64_t, std::int64_t, bool, bool, T&) {
    (void)kLearned<T>;
  }
  template <class T>
  void Named(const char*, const char*, int, T&) {
    (void)kLearned<T>;
  }
};

/// Never called; its existence instantiates the body of T for TypeLister.
template <class T>
void ListFields(TypeLister& lister, T& object) {
  RevctlBody(Tag<T>{})(lister, object, std::addressof(object));
}

/// Makes the program learn the types of the fields of T, in a file that sees its body.
template <class T>
void LearnFields() {
  [[maybe_unused]] constexpr auto kInstantiated = &ListFields<T>;
}

template <class... Part>
void LearnParts(const PartList<Part...>*) {
  ((void)kLearned<Part>, ...);
}
inline void LearnParts(const void*) {}

template <class T>
bool LearnMaking() {
  if constexpr (kIsAligned<T>) {
    (void)kLearned<typename T::Type>;  // also describes the Aligned
  } else {
    kMakingSlot<T>.store(&kTypeMaking<T>, std::memory_order_release);
    if constexpr (HasWireAs<T>) {
      (void)kLearned<typename WireAs<T>::Type>;
    } else if constexpr (!kHasOwnBody<T>) {
      LearnParts(static_cast<const PartsOf<T>*>(nullptr));
    } else if constexpr (!HasSplitBody<T>) {  // the file with the body calls LearnFields()
      LearnFields<T>();
    }
  }
  return true;
}

template <class T>
const TypeInfo& TypeWithMaking() {
  (void)kLearned<T>;
  return kTypeInfo<T>;
}

}  // namespace revctl::detail
