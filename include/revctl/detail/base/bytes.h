#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// Short runs of bytes, as most texts and many vectors are: without a call of memcpy, which takes
// longer than the copy.

namespace revctl::detail {

template <std::size_t n>
[[gnu::always_inline]] inline void CopyEnds(void* to, const void* from, std::size_t size) {
  char first[n], last[n];
  std::memcpy(first, from, n);
  std::memcpy(last, static_cast<const char*>(from) + size - n, n);
  std::memcpy(to, first, n);
  std::memcpy(static_cast<char*>(to) + size - n, last, n);
}

/// memcpy. Up to 32 bytes it is two copies of one size, which overlap.
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

/// Characters that a std::string keeps in itself, at least: 15 in libstdc++ and MSVC, 22 in libc++.
inline constexpr std::size_t kShortText = 15;

/// Makes an empty string of `size` bytes, of which `left` may be looked at. A short one is made
/// where it stands, from a number of bytes that the compiler knows, and cut: that is a copy of two
/// words. A long one is made beside it first, since that may throw.
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

/// One value in bytes that need not be aligned for it; an iterator over such reads them one by one.
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

/// Memory that grows without filling what it gains with zeros.
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
  /// At least `capacity` bytes, contents kept. Ends the program where memory is at an end, like
  /// `new` without exceptions.
  void Reserve(std::size_t capacity) {
    if (!TryReserve(capacity)) std::abort();
  }
  /// The same; false, and all is as before, where memory is at an end.
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

/// Bytes to or from a binary archive, in blocks: all that any archive needs to know is arrays of
/// bytes.
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
