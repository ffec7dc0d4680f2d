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

/// Decodes a payload with the upgrade code for all revisions >= `from` disabled, and returns the
/// values that the current code would then save. Returns nullopt if the body skips visits with its
/// own branches, because such upgrade code cannot be disabled. If `strict` is given, `<=` with that
/// revision is evaluated as `<`.
std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const revctl::TypeInfo& type,
                                                         std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from,
                                                         std::int64_t latest,
                                                         std::optional<std::int64_t> strict = {});

/// The effect of pending, not yet recorded revisions on a root type's goldens.
///
/// A pending revision may affect upgrades only through its own code: fields behind its gates, and
/// branches such as `r.revision < SR_PENDING`. To isolate the effect of the branches, each golden
/// is read a second time. In this second pass, every comparison with a pending revision evaluates
/// as it would for a new file, and REMs that end at a pending revision yield no values. Differences
/// between the two passes are due to the pending revision. All other changed values come from
/// unrelated edits, such as lost upgrade code, a different default, or a truncating reader.
class PendingEffect {
 public:
  /// A renamed class of an object stream. Paths of values in objects of this class contain its
  /// name.
  struct ClassName {
    std::string records;  ///< path of the stream's records, such as `level.objects[].`
    std::string before, after;
    auto operator<=>(const ClassName&) const = default;
  };

  /// `goldens` contains all decoded goldens of the root type. All arguments must outlive the
  /// PendingEffect. The goldens are read a second time only when Unexplained is called.
  PendingEffect(const CheckContext& context, const RootType& root,
                const std::vector<Decoded>& goldens);

  /// Returns the elements of `changes` that no pending revision explains. `changes` are changes to
  /// the golden's upgraded value.
  std::vector<golden::Change> Unexplained(const Decoded& golden,
                                          const std::vector<golden::Change>& changes);

 private:
  void Learn();
  bool Explains(const golden::Change& change, bool dropped) const;
  /// Returns the paths of values whose path is all that has changed, because a pending revision
  /// renames the class of their object.
  std::set<std::string> OnlyCalledOtherwise(const std::vector<golden::Change>& changes) const;
  /// Returns the path with the current names of classes and the oldest names of fields.
  std::string PathOfToday(const golden::Change& change) const;

  const CheckContext& context_;
  const RootType& root_;
  const std::vector<Decoded>& goldens_;
  bool learned_ = false;
  /// true if a body skips visits with its own branches, so that a golden cannot be read a second
  /// time; all changes then count as explained
  bool blind_ = false;
  /// places of fields behind a pending revision's gate, and of everything inside these fields
  std::set<std::string> gated_;
  std::set<std::string> touched_;  ///< places of values that differ between the two readings
  /// places in object stream headers whose values depend on the objects, such as sizes and classes
  std::set<std::string> derived_;
  /// places of the records in object streams; retiring a class changes their indices
  std::set<std::string> objects_;
  std::vector<ClassName> classes_;  ///< outer streams come before nested ones
  /// true if a body has a new CHECK_INTEGRITY, which renumbers all later ones
  bool counts_ = false;
};

}  // namespace revctl::harness
