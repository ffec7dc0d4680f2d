#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/layout/renames.h"
#include "harness/signals/signals.h"

namespace revctl::harness {

/// What today's code would save of a payload if none of its comparisons with revisions from `from`
/// on told it apart from today's: what upgrade branches do to it is missing. Nothing where that
/// cannot be told, since a body branches around visits itself.
std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const revctl::TypeInfo& type,
                                                         std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from,
                                                         std::int64_t latest);

/// What the code of pending revisions, those that are not recorded yet, does to a root type's
/// goldens.
///
/// A pending revision may change what old files become, but only by code of its own: fields that
/// its gates open or close, and what `r.revision < SR_PENDING` makes otherwise. The second is found
/// by reading each golden once more with every such comparison answered as in a new file, and with
/// the values of REMs that end there left out: what then comes out otherwise is the pending
/// revision's doing. Whatever else is another value than it was (upgrade code that is lost, another
/// default, a reader that cuts something off) came with the same change, but not by it.
class PendingEffect {
 public:
  /// A class of an object stream that was renamed: its name is part of the paths of its objects'
  /// values.
  struct ClassName {
    std::string records;  ///< place of the stream's records, `level.objects[].`
    std::string before, after;
    auto operator<=>(const ClassName&) const = default;
  };

  /// `goldens` are all of the root type's, decoded. All must outlive this. Nothing is read before
  /// the first question.
  PendingEffect(const CheckContext& context, const RootType& root,
                const std::vector<Decoded>& goldens);

  /// Those of `changes` to the golden's upgraded value that no pending revision explains.
  std::vector<golden::Change> Unexplained(const Decoded& golden,
                                          const std::vector<golden::Change>& changes);

 private:
  void Learn();
  bool Explains(const golden::Change& change, bool dropped) const;
  /// Paths of values that only stand in an object whose class a pending revision renames.
  std::set<std::string> OnlyCalledOtherwise(const std::vector<golden::Change>& changes) const;
  /// With the names that classes have from the pending revision on, and the oldest ones of fields.
  std::string PathOfToday(const golden::Change& change) const;

  const CheckContext& context_;
  const RootType& root_;
  const std::vector<Decoded>& goldens_;
  bool learned_ = false;
  /// Some golden cannot be read this way, since a body branches around visits itself: everything
  /// counts as explained then, as nothing can be told apart.
  bool blind_ = false;
  std::set<std::string> gated_;    ///< places, with all below them
  std::set<std::string> touched_;  ///< places of single values
  /// what object streams say about the objects in them: sizes, classes
  std::set<std::string> derived_;
  /// records of object streams; they move up where a class is retired
  std::set<std::string> objects_;
  std::vector<ClassName> classes_;  ///< outer streams before those in their objects
  bool counts_ = false;  ///< CHECK_INTEGRITY comes to some body: those behind it get other numbers
};

}  // namespace revctl::harness
