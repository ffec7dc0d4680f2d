#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <version>

// The std::pmr::memory_resource from which reading allocates. This header does not include
// <memory_resource>, because that would slow down compilation of every file that saves. Files that
// use an arena include it themselves. Resources are unavailable if the standard library has no
// <memory_resource> (libc++ before 16).

namespace revctl {
namespace detail {

template <class A>
inline constexpr bool kIsPmr = false;

#ifdef __cpp_lib_memory_resource
/// std::pmr::polymorphic_allocator, which is incomplete unless <memory_resource> is included.
/// Depends on R, so that the compiler does not instantiate it too early.
template <class R>
using PmrAllocator =
    std::pmr::polymorphic_allocator<std::conditional_t<std::is_void_v<R>, char, std::byte>>;

template <class R>
concept MemoryResource = requires(R* r) {
  PmrAllocator<R>(r).resource();
};

template <class T>
inline constexpr bool kIsPmr<std::pmr::polymorphic_allocator<T>> = true;
#endif

template <class C>
concept PmrContainer = requires {
  typename C::allocator_type;
}
&&kIsPmr<typename C::allocator_type>;

}  // namespace detail

/// A pointer to a std::pmr::memory_resource, which must outlive every value read with it. If null,
/// each container keeps its own resource.
class Resource {
 public:
  constexpr Resource() = default;
  constexpr Resource(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
#ifdef __cpp_lib_memory_resource
  template <detail::MemoryResource R>
  Resource(R* resource)  // NOLINT(google-explicit-constructor)
      : resource_(resource == nullptr ? nullptr : detail::PmrAllocator<R>(resource).resource()) {}
#endif

  explicit operator bool() const { return resource_ != nullptr; }
  void* get() const { return resource_; }

 private:
  void* resource_ = nullptr;
};

struct ReadOptions {
  /// Memory resource for every visited std::pmr container, at any depth. Reading reconstructs each
  /// container with this resource. If null, containers keep their own resources.
  Resource resource = {};
  /// Makes views (view.h) refer to the input if possible. The input must then outlive the object.
  /// Without this option, every view owns its elements.
  bool borrow = false;
};

namespace detail {

/// Replaces a container with an empty one that uses `resource`, unless the container already uses
/// it. Keeps the order, hash and comparison functions.
template <PmrContainer C>
void UseResource(C& container, Resource resource) {
  using Allocator = typename C::allocator_type;
  using Pointer = decltype(container.get_allocator().resource());
  const Pointer wanted = static_cast<Pointer>(resource.get());
  if (container.get_allocator().resource() == wanted) return;
  const Allocator allocator(wanted);
  if constexpr (requires {
                  container.hash_function();
                  container.key_eq();
                }) {
    const auto hash = container.hash_function();
    const auto equal = container.key_eq();
    std::destroy_at(std::addressof(container));
    std::construct_at(std::addressof(container), 0, hash, equal, allocator);
  } else if constexpr (requires { container.key_comp(); }) {
    const auto order = container.key_comp();
    std::destroy_at(std::addressof(container));
    std::construct_at(std::addressof(container), order, allocator);
  } else {
    std::destroy_at(std::addressof(container));
    std::construct_at(std::addressof(container), allocator);
  }
}

/// True if a value read with a resource can be constructed in place of the old value. Assignment
/// would instead copy every element into the old value's memory.
template <class T>
inline constexpr bool kReplaceable = std::is_nothrow_move_constructible_v<T> &&
                                     (!std::is_polymorphic_v<T> || std::is_final_v<T>);

/// Destroys `value` and reconstructs it from `fresh`.
template <class T>
void Replace(T& value, T& fresh) {
  std::destroy_at(std::addressof(value));
  std::construct_at(std::addressof(value), std::move(fresh));
}
/// Moves `fresh` into `value`. If there is a resource, reconstructs `value` instead of assigning to
/// it, provided that the type allows it.
template <class T>
void Settle(T& value, T& fresh, [[maybe_unused]] Resource resource) {
  if constexpr (kReplaceable<T>) {
    if (resource) return Replace(value, fresh);
  }
  value = std::move(fresh);
}

}  // namespace detail
}  // namespace revctl
