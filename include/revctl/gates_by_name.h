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

/// Which of this program's revisions a file of another list has, found by name.
///
/// A file that was written under another list (a playtest build from a branch whose numbers moved
/// when it landed) is read by opening exactly those gates whose names its list has at or below the
/// file's revision, whatever numbers they have there. Give it to any archive's revision:
///
///     revctl::TraceReader r(payload, 0);
///     r.revision = revctl::GatesByName(ours, theirs, header_revision);
///
/// `Load` does so where FileFormat::written_with names the other list. Comparisons then need not be
/// in order: SR_B = 6 may be open while SR_A = 5 is closed. `revision > n` asks whether any later
/// one is open, `revision == n` whether n is and nothing later. A number that names no revision
/// stands for the next one that does. Numbers below the first are open.
class GatesByName {
 public:
  /// `ours` is the list of this program, `theirs` the one that the file was written with, at its
  /// revision `at`. Copies what it needs; the tables may go.
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
  /// The newest revision of this program that the file has; the lowest number of all where it has
  /// none.
  std::int64_t Newest() const {
    for (std::size_t i = gates_.size(); i > 0; --i) {
      if (gates_[i - 1].open) return gates_[i - 1].number;
    }
    return (std::numeric_limits<std::int64_t>::min)();
  }
  /// Revisions that the file has and this program does not know: what they added is in the bytes,
  /// and where is not known here. Not empty: the file cannot be read. Entries that `ours` has
  /// purged at its lower end are no such.
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
      // The second of two names on one number says nothing new.
      const bool alias =
          std::any_of(theirs.entries.begin(), theirs.entries.end(), [&](const ListEntry& other) {
            return other.number == entry.number && ours.Find(other.name) != nullptr;
          });
      if (!alias) unknown_.emplace_back(entry.name);
    }
  }

  std::vector<Gate> gates_;  ///< ascending
  std::vector<std::string> unknown_;
};

}  // namespace revctl
