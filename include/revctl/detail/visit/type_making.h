#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <revctl/detail/types/aggregate_members.h>
#include <revctl/detail/visit/archive.h>

// Creates objects of types known only by their descriptors, for the harness and for layouts.
//
// Only a template can create a T, and compiling the template for every type takes longer than
// compiling the program's readers and writers. It is therefore compiled only in files that call
// TypeWithMaking<T>(), for T and for all types that the body of T visits. The resulting functions
// are stored before main(), in the variables to which TypeInfo::making points (MakingOf).

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

/// If a file uses this variable, the program stores the functions that create a T and its parts
/// before main().
template <class T>
inline const bool kLearned = LearnMaking<T>();

/// Finds the types of fields by instantiating bodies, so that fields in rarely taken branches are
/// found, too. Its templates hide those of AnyArchive, because virtual functions do not know the
/// types. No object of this class is ever created, and no body runs.
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

/// Never called; taking its address instantiates the body of T for TypeLister.
template <class T>
void ListFields(TypeLister& lister, T& object) {
  RevctlBody(Tag<T>{})(lister, object, std::addressof(object));
}

/// Registers the types of T's fields. Call it in a file in which T's body is visible.
template <class T>
void LearnFields() {
  [[maybe_unused]] constexpr auto kInstantiated = &ListFields<T>;
}

template <class... Part>
void LearnParts(const PartList<Part...>*) {
  ((void)kLearned<Part>, ...);
}

template <class T>
bool LearnMaking() {
  if constexpr (kIsAligned<T>) {
    (void)kLearned<typename T::Type>;  // T::Type's functions also create objects of the Aligned
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
