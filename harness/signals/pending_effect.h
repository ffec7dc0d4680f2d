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

/// Decodes a payload with all upgrade code for revisions >= `from` disabled, and returns the values
/// that today's code would save. Returns nullopt if the body itself branches around visits, because
/// the code cannot be disabled then. If `strict` is given, `<=` with that revision has the result
/// of `<`.
std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const revctl::TypeInfo& type,
                                                         std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from,
                                                         std::int64_t latest,
                                                         std::optional<std::int64_t> strict = {});

/// The effect of pending revisions, which are not recorded yet, on a root type's goldens.
///
/// A pending revision may change upgrades only by its own code: fields behind its gates, and
/// branches like `r.revision < SR_PENDING`. To find the effect of branches, each golden is read a
/// second time. Every comparison with a pending revision then has the result that it has for a new
/// file, and REMs that end at a pending revision yield no values. The differences are due to the
/// pending revision. All other changed values (lost upgrade code, another default, a truncating
/// reader) come from unrelated edits.
class PendingEffect {
 public:
  /// A renamed class of an object stream. Paths of values in objects of the class contain its name.
  struct ClassName {
    std::string records;  ///< path of the stream's records, such as `level.objects[].`
    std::string before, after;
    auto operator<=>(const ClassName&) const = default;
  };

  /// `goldens` contains all goldens of the root type, decoded. All arguments must outlive the
  /// PendingEffect. Reads nothing until Unexplained is called.
  PendingEffect(const CheckContext& context, const RootType& root,
                const std::vector<Decoded>& goldens);

  /// Returns those of `changes` to the golden's upgraded value that no pending revision explains.
  std::vector<golden::Change> Unexplained(const Decoded& golden,
                                          const std::vector<golden::Change>& changes);

 private:
  void Learn();
  bool Explains(const golden::Change& change, bool dropped) const;
  /// Returns the paths of values that only moved, because a pending revision renames the class of
  /// their object.
  std::set<std::string> OnlyCalledOtherwise(const std::vector<golden::Change>& changes) const;
  /// Returns the path with today's names of classes and the oldest names of fields.
  std::string PathOfToday(const golden::Change& change) const;

  const CheckContext& context_;
  const RootType& root_;
  const std::vector<Decoded>& goldens_;
  bool learned_ = false;
  /// True if a golden cannot be read in this way, because a body itself branches around visits. All
  /// changes then count as explained.
  bool blind_ = false;
  /// places of fields behind a gate of a pending revision, including everything inside
  std::set<std::string> gated_;
  std::set<std::string> touched_;  ///< places of single values
  /// headers of object streams that depend on the objects, such as sizes and classes
  std::set<std::string> derived_;
  /// records of object streams; if a class is retired, the indices of records change
  std::set<std::string> objects_;
  std::vector<ClassName> classes_;  ///< outer streams come before nested ones
  /// a body gets a CHECK_INTEGRITY, which changes the numbers of later ones
  bool counts_ = false;
};

}  // namespace revctl::harness
