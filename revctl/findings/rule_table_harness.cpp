#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {

const std::vector<Rule>& HarnessRules() {
  static const std::vector<Rule> rules{
      {RuleId::Layout, "GH001", Severity::Error, "the layout of a recorded revision changed",
       "Serialize visits different fields, types, sizes, revisions or conditions than were "
       "recorded. Files of that revision already exist with the recorded layout.",
       "Reserve a new revision; in it, end the old field with REM and add the new one with ADD. "
       "The finding prints both lines. To accept a rename or a new enumerator, use the harness's "
       "`review` or `approve`."},
      {RuleId::GoldenBytes, "GH002", Severity::Error, "a golden does not decode completely",
       "The current code rejects a real file of that revision, or leaves bytes unread.",
       "Restore the field, size or condition that the finding names, so that the code reads the "
       "revision as it was written."},
      {RuleId::GoldenValue, "GH003", Severity::Error,
       "a golden decodes to different values than recorded",
       "The file still loads, but a field gets a different value than was saved.",
       "Restore the order, type or condition under which the value was written."},
      {RuleId::UpgradedValue, "GH004", Severity::Error,
       "the current code upgrades a golden to different values than recorded",
       "Users' old saves would load with different values than in the last build, because upgrade "
       "code or a default was changed or lost.",
       "Restore the upgrade code or the default. If the change is intended, reserve a revision and "
       "compare with it in the upgrade code, or accept the change with approve --upgraded TYPE "
       "--reason TEXT."},
      {RuleId::Stability, "GH005", Severity::Error, "writing or reading back is not stable",
       "Writing twice gives different bytes, writing changes the object, or reading back gives a "
       "different value. The most frequent cause is uninitialized memory.",
       "Write only values that the object holds, initialize each field, and overwrite every field "
       "when reading."},
      {RuleId::BrokenInput, "GH006", Severity::Error,
       "malformed input is accepted, or crashes the process",
       "A truncated or hostile file, or one from a later revision or another lineage, must cause "
       "an error. Otherwise, users get a crash, a hang or wrong values.",
       "Read every field that was written, and reject invalid values with r.Fail(reason)."},
      {RuleId::Coverage, "GH007", Severity::Error,
       "a field, revision or condition is not covered by any golden",
       "Changes to code that no golden or sample reaches are not reported.",
       "Run record for revisions without goldens. Add a HARNESS_SAMPLE that reaches the code. "
       "Visit the member with ADD, or name it in SERIALIZE_IGNORE."},
      {RuleId::UnregisteredType, "GH008", Severity::Error, "a type with goldens is not registered",
       "The harness no longer reads the type's goldens, so nothing checks that its files still "
       "load.",
       "Write HARNESS_TYPE(Type, SR_SINCE), with the revision of its oldest golden. For a type "
       "that was removed: HARNESS_RETIRED(\"Type\", SR_UNTIL, \"reason\")."},
      {RuleId::GoldenStore, "GH009", Severity::Error,
       "the golden store is damaged, or a record is missing",
       "If a record or payload is edited, incomplete or missing, nothing proves that the files of "
       "its revision still load.",
       "Restore the golden folder: git restore --source=HEAD --staged --worktree golden. To "
       "record the stale goldens of a pending revision again, run record --refresh-pending."},
  };
  return rules;
}

}  // namespace revctl::findings::detail
