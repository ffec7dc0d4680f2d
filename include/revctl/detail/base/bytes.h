#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// Copies short runs of bytes without calling memcpy, because the call would take longer than the
// copy. Most strings and many vectors are short enough.

namespace revctl::detail {

template <std::size_t n>
[[gnu::always_inline]] inline void CopyEnds(void* to, const void* from, std::size_t size) {
  char first[n], last[n];
  std::memcpy(first, from, n);
  std::memcpy(last, static_cast<const char*>(from) + size - n, n);
  std::memcpy(to, first, n);
  std::memcpy(static_cast<char*>(to) + size - n, last, n);
}

/// Like memcpy, but copies up to 32 bytes as two overlapping fixed-size copies.
[[gnu::always_inline]] inline void CopyShort(void* to, const void* from, std::size_t size) {
  if (size >= 8) {
    if (size > 32) {
      std::memcpy(to, from, size);
    } else if (size >= 16) {
      CopyEnds<16>(to, from, size);
    } else {
      CopyEnds<8>(to, from, size);
    }
  } else if (size >= 4) {
    CopyEnds<4>(to, from, size);
  } else if (size != 0) {
    char* const out = static_cast<char*>(to);
    const char* const in = static_cast<const char*>(from);
    out[0] = in[0];
    if (size > 1) CopyEnds<1>(out + size / 2, in + size / 2, size - size / 2);
  }
}

/// Minimum capacity of a std::string without an allocation: 15 in libstdc++ and MSVC, and 22 in
/// libc++.
inline constexpr std::size_t kShortText = 15;

/// Sets an empty string to the `size` bytes at `bytes`, where at least `left` bytes are readable. A
/// short string is constructed in place from kShortText bytes and then truncated, which compiles to
/// a copy of two words. A long string is first constructed separately, because its construction may
/// throw.
template <class Text>
[[gnu::always_inline]] inline void MakeText(Text& text, const char* bytes, std::size_t size,
                                            std::size_t left) {
  const auto allocator = text.get_allocator();
  if (size <= kShortText && left >= kShortText) [[likely]] {
    std::destroy_at(std::addressof(text));
    std::construct_at(std::addressof(text), bytes, kShortText, allocator);
    text.resize(size);
  } else {
    Text made(bytes, size, allocator);
    std::destroy_at(std::addressof(text));
    std::construct_at(std::addressof(text), std::move(made));
  }
}

/// A value stored in unaligned bytes. A pointer to PackedValues is an iterator over such values.
template <class T>
class PackedValue {
 public:
  [[gnu::always_inline]] operator T() const {  // NOLINT(google-explicit-constructor)
    T value;
    std::memcpy(&value, bytes_, sizeof(T));
    return value;
  }

 private:
  unsigned char bytes_[sizeof(T)];
};

/// Memory that grows without being zeroed.
class RawBuffer {
 public:
  RawBuffer() = default;
  RawBuffer(RawBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  RawBuffer& operator=(RawBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~RawBuffer() { std::free(data_); }

  std::byte* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  /// Grows to at least `capacity` bytes and keeps the contents. Aborts if memory is exhausted.
  void Reserve(std::size_t capacity) {
    if (!TryReserve(capacity)) std::abort();
  }
  /// Like Reserve(), but returns false and changes nothing if memory is exhausted.
  bool TryReserve(std::size_t capacity) {
    if (capacity <= capacity_) return true;
    void* grown = std::realloc(data_, capacity);
    if (grown == nullptr) return false;
    data_ = static_cast<std::byte*>(grown);
    capacity_ = capacity;
    return true;
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Passes bytes to a binary archive as fixed-size arrays, which every archive supports.
template <std::size_t Block = 65536, class R>
void VisitBytes(R& r, std::byte* at, std::size_t size) {
  for (; size >= Block && r.Ok(); size -= Block, at += Block) {
    r.Value(*reinterpret_cast<unsigned char(*)[Block]>(at));
  }
  if constexpr (Block > 1) {
    if (size > 0) VisitBytes<Block / 16>(r, at, size);
  }
}

}  // namespace revctl::detail
