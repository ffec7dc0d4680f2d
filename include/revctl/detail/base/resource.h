#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// Where a reading takes its memory from: a std::pmr::memory_resource. This header does not include
// <memory_resource>, which costs every file that saves; a file with an arena includes it itself.

namespace revctl {
namespace detail {

/// The standard's own allocator, complete only where <memory_resource> is included. It depends on
/// R, so that nothing is asked of it before.
template <class R>
using PmrAllocator =
    std::pmr::polymorphic_allocator<std::conditional_t<std::is_void_v<R>, char, std::byte>>;

template <class R>
concept MemoryResource = requires(R* r) {
  PmrAllocator<R>(r).resource();
};

template <class A>
inline constexpr bool kIsPmr = false;
template <class T>
inline constexpr bool kIsPmr<std::pmr::polymorphic_allocator<T>> = true;

/// A container whose memory comes from a memory_resource.
template <class C>
concept PmrContainer = requires {
  typename C::allocator_type;
}
&&kIsPmr<typename C::allocator_type>;

}  // namespace detail

/// A pointer to a std::pmr::memory_resource, which must outlive everything that was read with it.
/// Null: each container keeps the resource that it was made with.
class Resource {
 public:
  constexpr Resource() = default;
  constexpr Resource(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  template <detail::MemoryResource R>
  Resource(R* resource)  // NOLINT(google-explicit-constructor)
      : resource_(resource == nullptr ? nullptr : detail::PmrAllocator<R>(resource).resource()) {}

  explicit operator bool() const { return resource_ != nullptr; }
  /// The address of the memory_resource.
  void* get() const { return resource_; }

 private:
  void* resource_ = nullptr;
};

/// What a reading may do with memory.
struct ReadOptions {
  /// Each visited member that is a std::pmr container is made anew with this resource, wherever it
  /// is nested. Null: members keep theirs.
  Resource resource = {};
  /// Views (view.h) refer to the bytes that are read, where that can be done: the bytes must then
  /// outlive the object. Otherwise every view owns its elements.
  bool borrow = false;
};

namespace detail {

/// Makes a container anew, empty, with `resource`, unless it has that already. Order, hash and
/// comparison stay.
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

/// Whether a value that was read with a resource can be put where another one stands: assignment
/// would copy every element into the old one's memory.
template <class T>
inline constexpr bool kReplaceable = std::is_nothrow_move_constructible_v<T> &&
                                     (!std::is_polymorphic_v<T> || std::is_final_v<T>);

/// Puts what was read into its place.
template <class T>
void Settle(T& value, T& fresh, [[maybe_unused]] Resource resource) {
  if constexpr (kReplaceable<T>) {
    if (resource) {
      std::destroy_at(std::addressof(value));
      std::construct_at(std::addressof(value), std::move(fresh));
      return;
    }
  }
  value = std::move(fresh);
}

}  // namespace detail
}  // namespace revctl
