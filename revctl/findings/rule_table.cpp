#include "revctl/findings/rule_table.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/printable.h"

namespace revctl::findings {

const std::vector<Rule>& Rules() {
  using enum Rule::Flag;
  static const std::vector<Rule> rules{
      {RuleId::NumberTwice, "RV001", Severity::Error, "two revisions have the same number",
       "A save file stores only a number. If two changes share a number, each reads the other's "
       "fields as its own, and saves written by one are garbage to the other. If two branches add "
       "the same line, git merges the lines into one, so the gate also compares the commits that "
       "add the line. Equal golden records, equal code, or the same author and date (a squash, a "
       "rebase, a cherry-pick) show that both are the same revision.",
       "Run revctl fix: the pending revision takes the next free number, and the landed one keeps "
       "its number. If two branches added the same line, decide whether both mean the same "
       "revision. If they do, run git rebase, which drops the second line. If they do not, rename "
       "this branch's revision and run revctl reserve NEW_NAME.",
       kProtectsLanded | kFixedByRenumber},
      {RuleId::NameTwice, "RV002", Severity::Error, "two revisions have the same name",
       "The name identifies a revision: code compares with it, and it is the key of ledger entries "
       "and goldens. The name of a purged revision cannot be reused, because old code that "
       "still uses the name would apply to files of the new revision.",
       "Run revctl fix: it removes duplicate lines and lines of purged revisions. If two different "
       "revisions have the same name, rename the pending one: run revctl abandon NAME, then revctl "
       "reserve OTHER_NAME.",
       kProtectsLanded | kBlocksFix},
      {RuleId::LandedRemoved, "RV003", Severity::Error, "a landed revision or alias was removed",
       "Files written at that revision exist, and no program can read them without the revision's "
       "entry. Removing the entry also changes the lineage of every later revision, so that all "
       "later files are rejected as foreign. A revert has the same effect. A landed alias must "
       "stay, too, because code on other branches may use its name.",
       "Run revctl fix to restore the entry. To undo a change, reserve a new revision; in it, end "
       "the field with REM. To drop entries below `oldest`, use revctl purge.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kRenumberMayFix |
           kFixedByRestore},
      {RuleId::LandedRenumbered, "RV004", Severity::Error,
       "a landed revision or alias has a different number",
       "Numbers are compared as the compiler evaluates them. A line inserted into an implicit list "
       "shifts all numbers after it, so that code reads files of one revision as files of another. "
       "An alias that points to another revision has the same effect.",
       "Run revctl fix: it restores the landed numbers and moves the pending revision that shifted "
       "them to the end of the list. If the value of an alias is meant to change, name the alias "
       "in .revctl.yaml as `current` or `oldest`.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kRenumberMayFix |
           kFixedByRestore | kMovesLanded},
      {RuleId::LandedRenamed, "RV005", Severity::Error, "a landed revision has a different name",
       "The name is part of the lineage of every file written at that revision or later, and the "
       "key of the revision's goldens. If the new name became a separate revision with a new "
       "number, code that compares with the new name would mean something else.",
       "To rename, keep the old entry and add an alias below it: SR_BETTER = SR_OLD. If the code "
       "uses the new name exactly where it used the old one, revctl fix writes the list that way. "
       "Otherwise, revctl fix leaves the list as it is, and you must choose: restore the old entry "
       "and add the alias below it; or use the old name again in the list and in the code; or, if "
       "the new name is a separate revision, remove its line, run revctl reserve for it, and then "
       "run revctl fix, which restores the old entry.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kFixedByRestore | kBlocksFix},
      {RuleId::LandsLate, "RV006", Severity::Error,
       "a pending revision does not come after the last landed one",
       "If 667 lands before 666, files written at 667 lack the fields of 666, and code that "
       "expects them reads garbage. A reserved number that lands late must therefore change.",
       "Run revctl land, which assigns a new number when it lands the branch, or revctl fix, which "
       "does so without landing (for example in a merge queue).",
       kOnlyWhereItLands | kFixedByRenumber},
      {RuleId::OutOfOrder, "RV007", Severity::Error, "entries are out of order in the file",
       "People read a list from top to bottom as a history. In implicit lists, the order also "
       "determines the numbers.",
       "Run revctl fix: it moves pending entries, and puts landed entries back in the target's "
       "order.",
       kComparesLanded | kFixedByRenumber | kFixedByRestore | kMovesLanded},
      {RuleId::CurrentNotLatest, "RV008", Severity::Error,
       "`current` does not name the latest revision",
       "Programs write files at CURRENT. If it is not the latest revision, new fields are not "
       "saved, and nobody notices until a save is loaded.",
       "Run revctl fix to set it to the latest revision. If .revctl.yaml sets `current`, revctl "
       "reserve keeps it up to date.",
       kComparesLanded | kNamesEntry},
      // Skipped for commits below the tip of a push, because no number depends on the name and a
      // later commit of the push may correct it.
      {RuleId::NameWithoutPrefix, "RV009", Severity::Error,
       "an entry without the prefix looks like a revision",
       "revctl recognizes revisions by their prefix. An entry with a typo in its prefix is not "
       "checked by any rule.",
       "Correct the name. If the entry is not a revision, list it under `aliases` in .revctl.yaml.",
       kSkipOnIntermediate},
      // Skipped for commits below the tip of a push, because it is only a warning.
      {RuleId::NumberInComment, "RV010", Severity::Warning,
       "the number in a comment disagrees with the entry",
       "Readers rely on the number in the comment, and a wrong number leads them to the wrong "
       "revision.",
       "Run revctl fix: it corrects a number at the beginning of a comment, and so does the merge "
       "driver. Correct a number within the text yourself.",
       kSkipOnIntermediate},
      // Skipped for commits below the tip of a push, because only the tip's revisions land, and the
      // ledger assigns numbers only to those.
      {RuleId::NotReserved, "RV011", Severity::Error,
       "a revision is not reserved, or its number or name belongs to another reservation",
       "Branches that pick numbers on their own can end up with the same number; the ledger "
       "assigns each number only once. If the person who reserved this number has not worked on "
       "this branch, two people may be using the same number. A person counts as having worked on "
       "the branch if they are the author, the committer or a co-author (Co-authored-by) of one of "
       "its commits, so a bot may land revisions for its team.",
       "Run revctl fix, or run revctl land, which takes numbers from the ledger when it lands the "
       "branch. For a new entry, run revctl reserve NAME. For someone else's entry, add a "
       "Co-authored-by line to the commit, run revctl reserve NAME --take-over, or add an `allow` "
       "for RV011. If the entry is a different revision, rename it.",
       kOnlyWhereItLands | kFixedByRenumber | kSkipOnIntermediate},
      // Checked only at the tip of a push, because a later commit of the push may change the
      // number.
      {RuleId::ProvisionalNumber, "RV012", Severity::Error, "a number is provisional",
       "A merge or an offline reserve assigned the number without asking the ledger, so the "
       "number may belong to someone else.",
       "Run revctl fix while the remote is reachable.",
       kOnlyWhereItLands | kFixedByRenumber | kSkipOnIntermediate},
      {RuleId::SentinelNotLast, "RV013", Severity::Error, "the sentinel is not last",
       "The sentinel counts the entries above it. An entry after it has the sentinel's own number, "
       "or is not counted.",
       "Run revctl fix to move pending entries above the sentinel. If landed entries come after "
       "it, move it to the end yourself, without a number.",
       kNamesEntry},
      {RuleId::NumberTooLarge, "RV014", Severity::Error, "a value does not fit in the enum's type",
       "The compiler rejects the value, or the number wraps around in files and becomes the number "
       "of another revision.",
       "Run revctl fix: it gives the pending revision a number that fits. Otherwise choose a "
       "wider underlying type. The file header stores a signed 32-bit number."},
      {RuleId::ConflictMarkers, "RV015", Severity::Error, "the list contains conflict markers",
       "The list does not compile, so no other rule can be checked.",
       "Run revctl fix: it merges the two sides of the markers. You only have to resolve "
       "contradictions, such as one name with two meanings.",
       kProtectsLanded | kBlocksFix},
      {RuleId::UnreadableList, "RV016", Severity::Error, "the list cannot be read",
       "The gate never guesses. If it cannot evaluate the list exactly as the compiler does, it "
       "rejects the list and reports the line and column. It also rejects a .gitattributes that "
       "makes a checkout differ from the commit, for example through an encoding or a filter.",
       "Write the entry with a plain number, or with constants defined in the same file. The "
       "message names the construct that revctl does not support.",
       kProtectsLanded | kBlocksFix},
      // Skipped for commits below the tip of a push, because pushed commits land as they are,
      // without another merge.
      {RuleId::TextMerge, "RV017", Severity::Error,
       "a text merge of the list has conflicts or yields wrong numbers",
       "The merge button of a Git host does not run the merge driver. A text merge without "
       "conflicts can still give two entries the same number, or shift the numbers of a list with "
       "implicit numbers.",
       "Run revctl land. Alternatively, merge the target or rebase onto it in a clone, where the "
       "merge driver runs, then run revctl fix and push. On a release, merge the release itself, "
       "never the target.",
       kSkipOnIntermediate},
      {RuleId::ReleaseNotPrefix, "RV018", Severity::Error,
       "a release's list is not a prefix of the target's",
       "A release that has 668 but not 667 writes files that appear to contain the fields of 667, "
       "so later programs misread those files.",
       "Back-port every revision up to the one that you need, each with its code and goldens, or "
       "fix the problem without a revision. A cherry-pick brings only the changes of the picked "
       "commit to a release.",
       kProtectsLanded},
      {RuleId::LandedGolden, "RV019", Severity::Error,
       "a golden of a landed revision was edited or removed",
       "A golden represents the files that users have. An edited golden no longer proves that "
       "those files load.",
       "Run revctl fix to restore missing files. To undo an edit: git checkout TARGET -- "
       "golden/SR_NAME.*. To accept an intended change to an old value, use the harness's review "
       "or approve. Goldens that were already stale when they landed (RV028) can be recorded again "
       "once, with record --refresh SR_NAME on the target's code. Any other repair, such as "
       "undoing an edit that has landed, needs an `allow` for RV019 in the target's .revctl.yaml.",
       kProtectsLanded},
      {RuleId::PendingGolden, "RV020", Severity::Error,
       "a pending revision has no goldens, or its payloads do not match its record",
       "Once a revision has landed, the code that wrote its goldens changes, and nothing can "
       "regenerate them.",
       "Build the harness, run its record command, and commit golden/SR_NAME.yaml and "
       "golden/SR_NAME.golden. If the record and the payloads do not match, run record --refresh "
       "SR_NAME."},
      // Skipped for commits below the tip of a push, because a later commit in the push may add the
      // code.
      {RuleId::UnusedRevision, "RV021", Severity::Warning, "no code uses a pending revision",
       "The change that the revision was reserved for is missing, or the code of that change "
       "compares with a different revision.",
       "Use the revision for the new field: ADD(SR_NAME, field). If you do not need it: revctl "
       "abandon NAME.",
       kSkipOnIntermediate},
      // Skipped for commits below the tip of a push, because it is only a warning.
      {RuleId::BareNumber, "RV022", Severity::Warning,
       "code compares a revision with a bare number",
       "A pending revision's number may change when it lands. A comparison with 666 then applies "
       "to another revision.",
       "Write the revision's name.", kSkipOnIntermediate},
      {RuleId::LandedLineage, "RV023", Severity::Error, "the lineage of a landed revision changed",
       "The lineage in a file's header identifies the history of the list that wrote the file. If "
       "it changes, the current code rejects every existing file as foreign.",
       "Restore the landed entries above that revision. After a purge, lineage_root in "
       ".revctl.yaml must have the value that revctl purge wrote.",
       kProtectsLanded},
      // Skipped for commits below the tip of a push, because only the tip's policy lands and takes
      // effect.
      {RuleId::PolicyChange, "RV024", Severity::Warning,
       "this change edits the policy in .revctl.yaml",
       "The target's policy decides what a change may do. Otherwise, a change could grant itself "
       "any permission.",
       "If the edit is intended, there is nothing to fix: it takes effect after landing, and a "
       "reviewer should see it. The finding is an error if the edit would leave later changes "
       "unchecked, for example because it changes the target, removes a list or golden folder, or "
       "changes how the list is read. To permit such an edit, an administrator runs git config "
       "revctl.allowPolicyChange true in the repository that runs the check.",
       kProtectsLanded | kSkipOnIntermediate},
      // Skipped for commits below the tip of a push, because it is only a warning.
      {RuleId::UselessAllowance, "RV025", Severity::Warning, "an `allow` is unused or expired",
       "An unneeded exception hides the next mistake of the same kind.",
       "Remove the `allow` from .revctl.yaml, or give it a new `until` and a reason.",
       kSkipOnIntermediate},
      {RuleId::DeadUpgrade, "RV026", Severity::Error,
       "retired: upgrade code that is dead because `oldest` was raised",
       "The rule reported code that still works. revctl purge lists such code when it drops the "
       "entries.",
       "", kRetired},
      {RuleId::NewName, "RV027", Severity::Error,
       "retired: code uses a new name for a landed revision",
       "An alias in the list names its revision on the same line, so a reviewer sees both. RV004 "
       "protects landed aliases.",
       "", kRetired},
      // Skipped for commits below the tip of a push, because a later commit in the push may
      // regenerate the goldens.
      {RuleId::OutdatedGoldens, "RV028", Severity::Error, "a pending revision's goldens are stale",
       "The goldens were recorded before another revision landed, and the two revisions share a "
       "type that one of them changes. Example: SR_ITEM adds a field to Item, and SR_HERO adds one "
       "to Hero, which contains items. Each branch passes on its own. After both have landed, "
       "files of SR_HERO contain a field that its goldens lack, and the harness fails on the "
       "target. Each record lists the types that it changes and the types that it uses, and "
       "`previous` names the revision after which it was recorded. Numbers and lineages are not "
       "compared.",
       "Merge or rebase onto the target, run your harness with record --refresh-pending, and "
       "commit the goldens. Goldens that share no type with the landed revision stay as they are. "
       "The rule does not apply to releases, which have no pending revisions.",
       kFixedByRefresh | kSkipOnIntermediate},
      {RuleId::PendingFile, "RV029", Severity::Error, "a pending file cannot be folded",
       "With `numbers: at-landing`, a file in LIST.pending/ is the reservation. It cannot be "
       "folded if its name is taken (ignoring case), its text cannot be read, or `after` names an "
       "unknown revision or forms a cycle. The rule also reports a landed pending file that this "
       "change edits or removes. A bad file blocks only itself and the revisions that depend on "
       "it.",
       "Correct the file, or reserve another name with revctl reserve. revctl fix restores a "
       "missing pending file of the target, and removes a file that came back after its fold. To "
       "undo an edit: git checkout TARGET -- FILE.",
       kProtectsLanded},
      // Skipped for commits below the tip of a push, because a later fold may replace a
      // hand-written number.
      {RuleId::WrongFold, "RV030", Severity::Error,
       "an entry was added without a fold, or differs from what `revctl fold` writes",
       "With `numbers: at-landing`, only a fold adds entries to the list. It replaces each pending "
       "file on the target with an entry that has the next number and the file's message as its "
       "comment, ordered by `after` and name. Builds made before the fold already use these "
       "numbers. The comment lets revctl recognize a pending file that comes back later.",
       "Run revctl fix to turn these entries back into pending files. `revctl fold` assigns their "
       "numbers on the target.",
       kProtectsLanded | kSkipOnIntermediate},
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

const Rule& RuleOf(RuleId id) {
  static const Rule none{RuleId::None, "", Severity::Error, "", "", ""};
  return id == RuleId::None ? none : Rules()[static_cast<std::size_t>(id) - 1];
}

const Rule* FindRule(std::string_view name) {
  const std::string upper = base::Upper(name);
  const auto& all = Rules();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Rule& rule) { return rule.name == upper; });
  return found == all.end() ? nullptr : &*found;
}

std::string Described(const Rule& rule) {
  const std::string text = fmt::format("{}: {}\n\nwhy:  {}\n", rule.name, rule.title, rule.why);
  return rule.Is(Rule::kRetired) ? text : text + fmt::format("fix:  {}\n", rule.how_to_fix);
}

std::string DescribedAll() {
  std::string out;
  for (const Rule& rule : Rules()) out += fmt::format("{}  {}\n", rule.name, rule.title);
  return out;
}

std::string_view RuleRanges() {
  static const std::string ranges = [] {
    const auto& all = Rules();
    const auto harness = std::find_if(all.begin(), all.end(),
                                      [](const Rule& rule) { return rule.name.starts_with("GH"); });
    return fmt::format("{} to {} for the list, {} to {} for the harness", all.front().name,
                       (harness - 1)->name, harness->name, all.back().name);
  }();
  return ranges;
}

std::string NoSuchRule(std::string_view name) {
  std::vector<std::string> names;
  for (const Rule& rule : Rules()) names.emplace_back(rule.name);
  return fmt::format("there is no rule {}{}", Quoted(name), DidYouMean(name, names));
}

}  // namespace revctl::findings
