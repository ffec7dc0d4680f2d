#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {

const std::vector<Rule>& HarnessRules() {
  static const std::vector<Rule> rules{
      {RuleId::Layout, "GH001", Severity::Error, "the layout of a recorded revision changed",
       "Serialize visits other fields, types, sizes, gates or conditions than were recorded. Files "
       "of that revision exist, and were written in the recorded layout.",
       "Take a new revision: end the old field there with REM and add the new one with ADD. The "
       "finding prints both lines. A rename or a new enumerator is accepted with the harness's "
       "review or approve."},
      {RuleId::GoldenBytes, "GH002", Severity::Error, "a golden does not decode to its last byte",
       "A real file of that revision would be refused, or read with bytes left over.",
       "Read the revision as it was written: put back the field, size or condition that the "
       "finding names."},
      {RuleId::GoldenValue, "GH003", Severity::Error,
       "a golden decodes to other values than were recorded",
       "The file still loads, but a field gets another value than was saved in it.",
       "Put the order, type or condition back under which the value was written."},
      {RuleId::UpgradedValue, "GH004", Severity::Error,
       "today's code upgrades a golden to other values than were recorded",
       "Users' old saves would become something else than they did in the last build: upgrade code "
       "or a default has changed or is gone.",
       "Put the upgrade code or the default back. A change that is meant takes a revision, and "
       "compares with it; else accept it with approve --upgraded TYPE --reason TEXT."},
      {RuleId::Stability, "GH005", Severity::Error, "writing or reading back is not stable",
       "Writing twice gives other bytes, writing changes the object, or what was written is read "
       "back as something else. Often memory is written that no code has set.",
       "Let the body write only what the object holds, initialise each field, and read over every "
       "field."},
      {RuleId::BrokenInput, "GH006", Severity::Error,
       "broken input is accepted, or ends the process",
       "A file that is cut off, hostile, from a later revision or of another lineage has to give "
       "an error. Without one it is a crash, a hang or a wrong value for a user.",
       "Read every field that was written, and refuse wrong values with r.Fail(reason)."},
      {RuleId::Coverage, "GH007", Severity::Error,
       "a field, gate, condition or revision is not covered by any golden",
       "What no golden and no sample reaches can change without any finding.",
       "Run record for revisions without goldens. Add a HARNESS_SAMPLE that reaches the place. "
       "Visit the member with ADD, or name it in SERIALIZE_IGNORE."},
      {RuleId::UnregisteredType, "GH008", Severity::Error, "a type with goldens is not registered",
       "Nothing reads its goldens any more, so that nothing says whether its files still load.",
       "HARNESS_TYPE(Type, SR_SINCE), with the revision of its oldest golden. For a type that is "
       "gone: HARNESS_RETIRED(\"Type\", SR_UNTIL, \"reason\")."},
      {RuleId::GoldenStore, "GH009", Severity::Error,
       "the golden store is damaged, or a record is missing",
       "A record or payload that is edited, half there or gone no longer proves that its files "
       "load.",
       "Restore it: git restore --source=HEAD --staged --worktree golden. Stale goldens of a "
       "pending revision are written anew with record --refresh-pending."},
  };
  return rules;
}

}  // namespace revctl::findings::detail
