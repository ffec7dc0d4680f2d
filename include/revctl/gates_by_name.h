#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/list_table.h>

namespace revctl {

/// Decides by name which gates are open for a file written with a different list, for example by a
/// playtest build of a branch whose revisions were renumbered when the branch landed. A gate is
/// open if the file's list contains a revision with that name, under any number, at or below the
/// file's revision. Assign a GatesByName to the revision of any archive:
///
///     revctl::TraceReader r(payload, 0);
///     r.revision = revctl::GatesByName(ours, theirs, header_revision);
///
/// `Load` does this if FileFormat::written_with names the other list.
///
/// Open gates need not be consecutive: SR_B = 6 may be open while SR_A = 5 is closed. Therefore
/// `revision > n` means that at least one later gate is open, and `revision == n` means that gate n
/// is the last open gate. If no revision has the number `n`, the next higher revision takes its
/// place. Gates below the first revision are open.
class GatesByName {
 public:
  /// `ours` is this program's list, `theirs` is the list with which the file was written, and `at`
  /// is the file's revision in `theirs`. Copies the data that it needs from both tables.
  GatesByName(const ListTable& ours, const ListTable& theirs, std::int64_t at) {
    gates_.reserve(ours.entries.size());
    for (const ListEntry& entry : ours.entries) {
      const ListEntry* there = theirs.Find(entry.name);
      gates_.push_back({entry.number, there != nullptr && there->number <= at});
    }
    FindUnknown(ours, theirs, at);
  }

  bool AtLeast(std::int64_t n) const {
    if (gates_.empty() || n < gates_.front().number) return true;
    const auto gate = FromOn(n);
    return gate != gates_.end() && gate->open;
  }
  bool Above(std::int64_t n) const {
    if (n == (std::numeric_limits<std::int64_t>::max)()) return false;
    return std::any_of(FromOn(n + 1), gates_.end(), [](const Gate& gate) { return gate.open; });
  }
  /// Returns the newest revision of this program whose gate is open for the file, or the lowest
  /// int64 if there is none.
  std::int64_t Newest() const {
    for (std::size_t i = gates_.size(); i > 0; --i) {
      if (gates_[i - 1].open) return gates_[i - 1].number;
    }
    return (std::numeric_limits<std::int64_t>::min)();
  }
  /// Returns the file's revisions that this program does not know. If the result is not empty, the
  /// file cannot be read, because the positions of their fields in the payload are unknown.
  /// Revisions older than the first one in `ours` have been purged from that list and are not
  /// included.
  const std::vector<std::string>& Unknown() const { return unknown_; }

 private:
  struct Gate {
    std::int64_t number;
    bool open;
  };
  std::vector<Gate>::const_iterator FromOn(std::int64_t n) const {
    return std::lower_bound(gates_.begin(), gates_.end(), n,
                            [](const Gate& a, std::int64_t b) { return a.number < b; });
  }
  void FindUnknown(const ListTable& ours, const ListTable& theirs, std::int64_t at) {
    const ListEntry* first =
        ours.entries.empty() ? nullptr : theirs.Find(ours.entries.front().name);
    for (const ListEntry& entry : theirs.entries) {
      const bool purged = first != nullptr && entry.number < first->number;
      if (entry.number > at || purged || ours.Find(entry.name) != nullptr) continue;
      // An additional name for a revision in `ours` is an alias, not an unknown revision.
      const bool alias =
          std::any_of(theirs.entries.begin(), theirs.entries.end(), [&](const ListEntry& other) {
            return other.number == entry.number && ours.Find(other.name) != nullptr;
          });
      if (!alias) unknown_.emplace_back(entry.name);
    }
  }

  std::vector<Gate> gates_;  ///< ascending by number
  std::vector<std::string> unknown_;
};

}  // namespace revctl
