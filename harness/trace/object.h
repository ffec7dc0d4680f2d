#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <revctl/detail/types/type_info.h>

namespace revctl::harness {

/// True if the harness can make objects of the type: the type has a default constructor and is part
/// of a registered type.
inline bool CanMake(const revctl::TypeInfo& type) {
  const revctl::TypeMaking* const making = revctl::MakingOf(type);
  return making != nullptr && making->construct != nullptr;
}
/// True if Object::Bare() can make an object of the type.
inline bool CanMakeBare(const revctl::TypeInfo& type) {
  const revctl::TypeMaking* const making = revctl::MakingOf(type);
  return making != nullptr && making->construct_bare != nullptr;
}

/// Owns an object whose type is known only from a descriptor. The object is a fresh `T{}` in
/// storage filled with `garbage`, so that comparing two objects reveals bytes that construction
/// leaves uninitialized.
class Object {
 public:
  explicit Object(const revctl::TypeInfo& type, unsigned char garbage = 0)
      : Object(type, garbage, revctl::MakingOf(type)->construct) {}
  /// Makes an object like `T object;`, so members without an initializer keep the garbage.
  static Object Bare(const revctl::TypeInfo& type, unsigned char garbage) {
    return Object(type, garbage, revctl::MakingOf(type)->construct_bare);
  }
  Object(Object&& other) noexcept : type_(other.type_), storage_(other.storage_) {
    other.storage_ = nullptr;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  Object& operator=(Object&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Object() {
    if (storage_ == nullptr) return;
    revctl::MakingOf(*type_)->destroy(storage_);
    ::operator delete(storage_, std::align_val_t(type_->alignment));
  }

  void* get() const { return storage_; }
  const revctl::TypeInfo& type() const { return *type_; }

 private:
  Object(const revctl::TypeInfo& type, unsigned char garbage, void (*construct)(void*))
      : type_(&type), storage_(::operator new(type.size, std::align_val_t(type.alignment))) {
    auto* bytes = static_cast<unsigned char*>(storage_);
    for (std::size_t i = 0; i < type.size; ++i) bytes[i] = garbage;
    construct(storage_);
  }

  const revctl::TypeInfo* type_;
  void* storage_;
};

/// Fills the stack below the caller with `garbage`, where the local variables of the next called
/// function will be.
[[gnu::noinline]] inline void DirtyStack(unsigned char garbage) {
  constexpr std::size_t kSize = 16384;
  unsigned char bytes[kSize];
  std::memset(bytes, garbage, sizeof bytes);
  asm volatile("" : : "r"(bytes) : "memory");  // keeps the compiler from removing the writes
}

/// Fills the memory of the next small allocations with `garbage`. Otherwise, an uninitialized
/// member might happen to hold its old value.
inline void DirtyHeap(unsigned char garbage) {
  constexpr std::size_t kLargest = 512, kStep = 16, kOfEach = 4;
  std::vector<std::unique_ptr<unsigned char[]>> blocks;
  blocks.reserve(kLargest / kStep * kOfEach);
  for (std::size_t size = kStep; size <= kLargest; size += kStep) {
    for (std::size_t i = 0; i < kOfEach; ++i) {
      blocks.emplace_back(new unsigned char[size]);
      std::memset(blocks.back().get(), garbage, size);
      asm volatile(""
                   :
                   : "r"(blocks.back().get())
                   : "memory");  // keeps the compiler from removing the writes
    }
  }
}

}  // namespace revctl::harness
