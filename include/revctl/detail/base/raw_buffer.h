#pragma once
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace revctl::detail {

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

}  // namespace revctl::detail
