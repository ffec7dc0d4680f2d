#pragma once
#include <cstddef>
#include <string>
#include <utility>

namespace revctl {

/// Outcome of saving, loading, or any call that touches bytes from outside. Cheap when fine: no
/// allocation. Nothing in this library throws; a Status (or an archive's sticky error) is how
/// failure is said.
class [[nodiscard]] Status {
 public:
  enum class Kind {
    Ok,
    Corrupt,  ///< the bytes are no value of the type: truncated, a lying count, a bool of 7, bytes
              ///< left over
    NotThisFormat,   ///< the magic is missing: not a file of this program
    Future,          ///< written at a revision above the latest this program knows
    TooOld,          ///< older than the oldest revision that the list still reads
    ForeignLineage,  ///< written with another list: an unlanded branch, or a number with another
                     ///< meaning
    Refused,         ///< a body called r.Fail(reason)
    Io,              ///< the operating system said no; `message` carries its words
  };

  Status() = default;
  Status(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  bool Ok() const { return kind_ == Kind::Ok; }
  explicit operator bool() const { return Ok(); }
  Kind kind() const { return kind_; }
  /// One line for a person: what was read, where (path and offset), why. Empty when Ok.
  const std::string& message() const { return message_; }

 private:
  Kind kind_ = Kind::Ok;
  std::string message_;
};

/// The first thing that went wrong in an archive.
struct ArchiveError {
  std::string path;        ///< `Level.things[3].mesh`; empty where nothing went wrong
  std::size_t offset = 0;  ///< where in the bytes the visit stood
  std::string reason;      ///< one line for a person
  bool refused = false;  ///< a body said no (r.Fail); otherwise the bytes are no value of the type
};

}  // namespace revctl
