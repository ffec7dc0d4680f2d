// The program's existing serializer: two streams, and macros that pass no names.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "version.h"

namespace realm {

// In a type:  SYNCABLE { SYNC(day); SYNC_SINCE(ARTIFACTS, backpack); SYNC_MARK(); }
#define SYNCABLE          \
  template <class Stream> \
  void Sync(Stream& s)
#define SYNC(x) s.Do(x)
#define SYNC_SINCE(v, x) \
  if (s.version >= Version::v) s.Do(x)
#define SYNC_MARK() s.Mark()

/// The value that SYNC_MARK writes and expects.
inline constexpr std::uint32_t kMark = 0x42;

template <class T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T>;

class SaveStream {
 public:
  Version version = Version::CURRENT;
  std::vector<std::byte> bytes;
  static constexpr bool saving = true;

  template <class T>
  void Do(T& x) {
    if constexpr (kIsNumber<T>) {
      Raw(&x, sizeof x);
    } else if constexpr (std::is_enum_v<T>) {  // four bytes, whatever the underlying type
      auto number = static_cast<std::int32_t>(x);
      Do(number);
    } else {
      x.Sync(*this);
    }
  }
  void Do(std::string& x) {
    Count(x.size());
    Raw(x.data(), x.size());
  }
  template <class T>
  void Do(std::vector<T>& x) {
    Count(x.size());
    for (T& each : x) Do(each);
  }
  void Mark() { Count(kMark); }

 private:
  void Raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
  void Count(std::size_t n) {
    const auto count = static_cast<std::uint32_t>(n);
    Raw(&count, sizeof count);
  }
};

class LoadStream {
 public:
  explicit LoadStream(std::span<const std::byte> all, Version of) : version(of), bytes(all) {}
  Version version;
  std::span<const std::byte> bytes;  // the bytes that have not been read yet
  bool ok = true;
  static constexpr bool saving = false;

  template <class T>
  void Do(T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      Do(byte);
      if (byte > 1) ok = false;
      x = byte == 1;
    } else if constexpr (kIsNumber<T>) {
      Raw(&x, sizeof x);
    } else if constexpr (std::is_enum_v<T>) {
      std::int32_t number = 0;
      Do(number);
      x = static_cast<T>(number);
      if (static_cast<std::int32_t>(x) != number) ok = false;
    } else {
      x.Sync(*this);
    }
  }
  void Do(std::string& x) {
    x.resize(Count());
    Raw(x.data(), x.size());
  }
  template <class T>
  void Do(std::vector<T>& x) {
    x.clear();
    for (std::uint32_t n = Count(); n > 0 && ok; --n) Do(x.emplace_back());
  }
  void Mark() {
    std::uint32_t mark = 0;
    Do(mark);
    if (mark != kMark) ok = false;
  }

 private:
  void Raw(void* data, std::size_t size) {
    if (size > bytes.size()) ok = false;
    if (!ok || size == 0) return;
    std::memcpy(data, bytes.data(), size);
    bytes = bytes.subspan(size);
  }
  /// Reads a count. Fails if the count exceeds the number of remaining bytes, because each element
  /// takes at least one byte.
  std::uint32_t Count() {
    std::uint32_t n = 0;
    Do(n);
    if (n > bytes.size()) ok = false;
    return ok ? n : 0;
  }
};

}  // namespace realm
