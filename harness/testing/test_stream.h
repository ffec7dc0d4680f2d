#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <revctl/harness.h>

namespace revctl::harness::test {

/// A typical hand-written stream class whose functions both read and write. Test programs derive
/// from it and add the functions that they need.
class TestStream {
 public:
  /// Reads `bytes` if `loads` is true, and appends to them otherwise.
  TestStream(std::int64_t version, std::vector<std::byte> bytes, bool loads)
      : bytes_(std::move(bytes)), version_(version), loads_(loads) {}

  void DoBytes(void* data, std::size_t size) {
    failed_ = failed_ || (loads_ && size > bytes_.size() - at_);
    if (failed_ || size == 0) return;
    auto* first = static_cast<std::byte*>(data);
    if (!loads_) bytes_.insert(bytes_.end(), first, first + size);
    if (loads_) std::copy_n(bytes_.data() + at_, size, first);
    at_ += size;
  }
  template <class T>
  void Do(T& x) {
    DoBytes(&x, sizeof x);
  }
  /// Reads or writes a std::string or a std::vector of bytes, preceded by a 4-byte size.
  template <class List>
  void DoList(List& list) {
    auto size = static_cast<std::uint32_t>(list.size());
    Do(size);
    failed_ = failed_ || (loads_ && size > bytes_.size() - at_);
    if (failed_) return;
    list.resize(size);
    DoBytes(list.data(), size);
  }
  void Fail() { failed_ = true; }
  /// Returns the outcome of reading. `reason` is used only if the stream failed.
  BinaryOutcome ReadOutcome(const char* reason) const {
    return {.ok = !failed_,
            .at_end = at_ == bytes_.size(),
            .offset = at_,
            .reason = failed_ ? reason : ""};
  }

  std::int64_t version() const { return version_; }
  bool loads() const { return loads_; }
  bool failed() const { return failed_; }
  std::size_t at() const { return at_; }  ///< bytes read or written so far
  const std::vector<std::byte>& bytes() const { return bytes_; }

 protected:
  void SetVersion(std::int64_t version) { version_ = version; }

 private:
  std::vector<std::byte> bytes_;
  std::int64_t version_;
  bool loads_, failed_ = false;
  std::size_t at_ = 0;
};

}  // namespace revctl::harness::test
