#pragma once
#include <cstdint>

namespace revctl::findings {

/// The rules, in the order of their ids. `rule_table.cpp` contains the id, the texts and the flags
/// of each rule.
enum class RuleId : std::uint8_t {
  None,  ///< for a finding without a rule
  NumberTwice,
  NameTwice,
  LandedRemoved,
  LandedRenumbered,
  LandedRenamed,
  LandsLate,
  OutOfOrder,
  CurrentNotLatest,
  NameWithoutPrefix,
  NumberInComment,
  NotReserved,
  ProvisionalNumber,
  SentinelNotLast,
  NumberTooLarge,
  ConflictMarkers,
  UnreadableList,
  TextMerge,
  ReleaseNotPrefix,
  LandedGolden,
  PendingGolden,
  UnusedRevision,
  BareNumber,
  LandedLineage,
  PolicyChange,
  UselessAllowance,
  DeadUpgrade,
  NewName,
  OutdatedGoldens,
  PendingFile,
  WrongFold,
  Layout,
  GoldenBytes,
  GoldenValue,
  UpgradedValue,
  Stability,
  BrokenInput,
  Coverage,
  UnregisteredType,
  GoldenStore,
};

}  // namespace revctl::findings
