#pragma once
#include <cstddef>
#include <string>
#include <utility>

namespace revctl {

/// The result of saving, loading, or any call that handles external bytes. Success needs no
/// allocation. The library throws no exceptions. It reports failure in a Status or in the sticky
/// error of an archive.
class [[nodiscard]] Status {
 public:
  enum class Kind {
    Ok,
    /// the bytes are not a valid value: truncated data, a wrong count, a bool of 7, trailing bytes
    Corrupt,
    NotThisFormat,  ///< the magic is missing: not a file of this program
    Future,         ///< written at a newer revision than this program knows
    TooOld,         ///< older than the oldest revision that the list supports
    /// written with a different list: by a branch that has not landed, or with different numbers
    ForeignLineage,
    Refused,  ///< a body called r.Fail(reason)
    Io,       ///< a system call failed; `message` contains the system's error message
  };

  Status() = default;
  Status(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  bool Ok() const { return kind_ == Kind::Ok; }
  explicit operator bool() const { return Ok(); }
  Kind kind() const { return kind_; }
  /// Returns one human-readable line with type, path, offset and reason. Empty if Ok().
  const std::string& message() const { return message_; }

 private:
  Kind kind_ = Kind::Ok;
  std::string message_;
};

/// The first error of an archive.
struct ArchiveError {
  std::string path;        ///< `Level.things[3].mesh`; empty if there is no error
  std::size_t offset = 0;  ///< offset of the error in the bytes
  std::string reason;      ///< one human-readable line
  /// true if a body called r.Fail(); false if the bytes are invalid
  bool refused = false;
};

}  // namespace revctl
