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

/// Decodes a payload with all upgrade code for revisions >= `from` disabled, and returns what
/// today's code would save. nullopt if the body branches around visits, so that the code cannot be
/// disabled. `strict`: a revision for which `<=` gives the result of `<`.
std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const revctl::TypeInfo& type,
                                                         std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from,
                                                         std::int64_t latest,
                                                         std::optional<std::int64_t> strict = {});

/// The effect of pending revisions, which are not recorded yet, on a root type's goldens.
///
/// A pending revision may only change upgrades by its own code: fields behind its gates, and
/// branches like `r.revision < SR_PENDING`. To find the effect of branches, each golden is read
/// again with all such comparisons answered as for a new file, and without the values of REMs that
/// end there; the differences are due to the pending revision. All other changed values (lost
/// upgrade code, another default, a truncating reader) come from unrelated edits.
class PendingEffect {
 public:
  /// A renamed class of an object stream. Paths of values in its objects contain its name.
  struct ClassName {
    std::string records;  ///< path of the stream's records, `level.objects[].`
    std::string before, after;
    auto operator<=>(const ClassName&) const = default;
  };

  /// `goldens`: all goldens of the root type, decoded. All arguments must outlive this. Reads
  /// nothing until Unexplained is called.
  PendingEffect(const CheckContext& context, const RootType& root,
                const std::vector<Decoded>& goldens);

  /// Returns those of `changes` to the golden's upgraded value that no pending revision explains.
  std::vector<golden::Change> Unexplained(const Decoded& golden,
                                          const std::vector<golden::Change>& changes);

 private:
  void Learn();
  bool Explains(const golden::Change& change, bool dropped) const;
  /// Returns paths of values that only moved because a pending revision renames their object's
  /// class.
  std::set<std::string> OnlyCalledOtherwise(const std::vector<golden::Change>& changes) const;
  /// Returns the path with today's class names and the oldest names of fields.
  std::string PathOfToday(const golden::Change& change) const;

  const CheckContext& context_;
  const RootType& root_;
  const std::vector<Decoded>& goldens_;
  bool learned_ = false;
  /// Some golden cannot be read this way because a body branches around visits itself. Everything
  /// then counts as explained.
  bool blind_ = false;
  std::set<std::string> gated_;    ///< places including everything inside
  std::set<std::string> touched_;  ///< places of single values
  /// headers of object streams about their objects: sizes, classes
  std::set<std::string> derived_;
  /// records of object streams; their indices change if a class is retired
  std::set<std::string> objects_;
  std::vector<ClassName> classes_;  ///< outer streams before nested ones
  bool counts_ = false;             ///< a body gets a CHECK_INTEGRITY, which renumbers later ones
};

}  // namespace revctl::harness
