// Saves and loads the state of a module. One class does both, without templates.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using s16 = std::int16_t;

class StateWrapper {
 public:
  explicit StateWrapper(u32 version) : version_(version), writing_(true) {}
  StateWrapper(const u8* data, std::size_t size, u32 version)
      : data_(data), size_(size), version_(version) {}

  bool IsReading() const { return !writing_; }
  bool HasError() const { return error_; }
  u32 GetVersion() const { return version_; }
  std::size_t GetPosition() const { return writing_ ? bytes_.size() : position_; }
  bool IsAtEnd() const { return GetPosition() == size_; }
  const std::vector<u8>& GetBytes() const { return bytes_; }
  void SetError() { error_ = true; }

  void DoBytes(void* data, std::size_t size) {
    if (writing_) {
      const u8* first = static_cast<const u8*>(data);
      bytes_.insert(bytes_.end(), first, first + size);
    } else if (error_ || size > size_ - position_) {
      error_ = true;
      std::memset(data, 0, size);
    } else {
      std::memcpy(data, data_ + position_, size);
      position_ += size;
    }
  }

  template <class T>
  void Do(T* value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "DoPOD copies structs");
    DoBytes(value, sizeof(T));
  }
  void Do(bool* value) {
    u8 byte = *value ? 1 : 0;
    DoBytes(&byte, 1);
    *value = byte != 0;
  }
  template <class T, std::size_t N>
  void Do(T (*values)[N]) {
    for (T& value : *values) Do(&value);
  }
  template <class T>
  void DoPOD(T* value) {
    static_assert(std::is_trivially_copyable_v<T>);
    DoBytes(value, sizeof(T));
  }
  /// Visits a value that has been saved since version `introduced`. Older files get
  /// `value_if_older`.
  template <class T>
  void DoEx(T* value, u32 introduced, T value_if_older) {
    if (version_ < introduced) *value = value_if_older;
    else Do(value);
  }
  bool DoMarker(const char* marker) {
    const std::size_t size = std::strlen(marker);
    std::vector<char> found(marker, marker + size);
    DoBytes(found.data(), size);
    if (std::memcmp(found.data(), marker, size) != 0) error_ = true;
    return !error_;
  }

 private:
  std::vector<u8> bytes_;
  const u8* data_ = nullptr;
  std::size_t size_ = 0, position_ = 0;
  u32 version_ = 0;
  bool writing_ = false, error_ = false;
};
