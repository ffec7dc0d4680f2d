#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include <revctl/detail/base/status.h>
#include <revctl/plain/table.h>

namespace revctl::detail {

/// Holds the first error of reading or writing plain bytes. Callers build its path from the inside
/// out as they return, so success costs nothing.
class PlainTrouble {
 public:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  bool Any() const { return kind_ != Status::Kind::Ok; }

  /// Records an error unless there already is one, and returns false. `offset` counts from the
  /// first byte of the outermost record. It is kNowhere for values that are not in a file, such as
  /// intermediate values of an upgrade.
  bool Fail(Status::Kind kind, std::size_t offset, std::string reason) {
    if (Any()) return false;
    kind_ = kind;
    offset_ = offset;
    reason_ = std::move(reason);
    return false;
  }

  /// Prepends a step to the path: a field name or `[3]`. Returns false, so that callers can write
  /// `return trouble.Within(...)`.
  bool Within(std::string_view step) {
    const bool joint = !path_.empty() && path_[0] != '[';
    path_ = std::string(step) + (joint ? "." : "") + path_;
    return false;
  }

  Status::Kind kind() const { return kind_; }
  const std::string& path() const { return path_; }
  std::size_t offset() const { return offset_; }
  const std::string& reason() const { return reason_; }

  Status ToStatus() const {
    if (!Any()) return {};
    std::string message = path_;
    if (offset_ != kNowhere) message += " at offset " + std::to_string(offset_);
    return Status(kind_, message + ": " + reason_);
  }

 private:
  Status::Kind kind_ = Status::Kind::Ok;
  std::string path_;
  std::size_t offset_ = kNowhere;
  std::string reason_;
};

/// Returns `[2][0]` for leaf `index` of a field, or "" if the field is not an array.
inline std::string PlainIndexText(const PlainShape& shape, std::size_t index) {
  std::string text;
  for (int d = shape.rank - 1; d >= 0; --d) {
    const std::size_t extent = shape.extents[static_cast<std::size_t>(d)];
    text = "[" + std::to_string(index % extent) + "]" + text;
    index /= extent;
  }
  return text;
}

inline const char* PlainKindText(Kind kind) {
  return kind <= Kind::F64 ? NumberName(kind) : kind == Kind::Enum ? "enum" : "record";
}

}  // namespace revctl::detail
