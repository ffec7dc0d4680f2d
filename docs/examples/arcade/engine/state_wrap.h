// The program's existing archive: one class, without templates, for measuring, saving and loading.
// Types visit their members with Do(p, x), section by section.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

class StateWrap {
 public:
  enum Mode { kMeasure, kSave, kLoad };
  /// `as` is the version to save; an older version is for players with an older build.
  StateWrap(unsigned char* at, std::size_t size, Mode how, int as = 0)
      : mode(how), begin_(at), size_(size), as_(as) {}

  const Mode mode;
  bool failed = false;
  std::string section;  // the section in progress, for messages

  std::size_t Offset() const { return offset_; }
  std::size_t Left() const { return size_ - offset_; }

  /// Saves or loads `size` raw bytes. All other functions call it.
  void Raw(void* data, std::size_t size) {
    if (mode != kMeasure && size > Left()) failed = true;
    if (failed || size == 0) return;
    if (mode == kSave) std::memcpy(begin_ + offset_, data, size);
    if (mode == kLoad) std::memcpy(data, begin_ + offset_, size);
    offset_ += size;
  }

  /// Begins a section with a name and a version. Returns the version that is saved or was loaded.
  /// Returns 0 for a different section, or for a version that is not in the range from `min` to
  /// `version`.
  int Section(const char* name, int min, int version) {
    char title[8] = {}, found[8];
    for (int i = 0; i < 8 && name[i] != '\0'; ++i) title[i] = name[i];
    std::memcpy(found, title, sizeof found);
    section = name;
    Raw(found, sizeof found);
    std::int32_t saved = as_ < version ? as_ : version;
    Raw(&saved, sizeof saved);
    if (std::memcmp(found, title, sizeof found) != 0 || saved < min || saved > version)
      failed = true;
    return failed ? 0 : saved;
  }

 private:
  unsigned char* begin_;
  std::size_t size_, offset_ = 0;
  int as_;
};

/// Copies structs and numbers byte by byte.
template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>>
void Do(StateWrap& p, T& x) {
  p.Raw(&x, sizeof x);
}

inline void Do(StateWrap& p, bool& x) {
  std::uint8_t byte = x ? 1 : 0;
  p.Raw(&byte, 1);
  if (byte > 1) p.failed = true;
  if (p.mode == StateWrap::kLoad) x = byte == 1;
}

template <class T>
void DoArray(StateWrap& p, T* first, int count) {
  p.Raw(first, sizeof(T) * static_cast<std::size_t>(count));
}

/// Saves or loads a count. Loading fails if `count` elements need more bytes than are left.
inline std::uint32_t DoCount(StateWrap& p, std::size_t count, std::size_t each) {
  auto n = static_cast<std::uint32_t>(count);
  Do(p, n);
  if (p.mode == StateWrap::kLoad && n > p.Left() / each) p.failed = true;
  return p.failed ? 0 : n;
}

inline void Do(StateWrap& p, std::string& x) {
  x.resize(DoCount(p, x.size(), 1));
  p.Raw(x.data(), x.size());
}

template <class T>
void Do(StateWrap& p, std::vector<T>& x) {
  x.resize(DoCount(p, x.size(), sizeof(T)));
  DoArray(p, x.data(), static_cast<int>(x.size()));
}
