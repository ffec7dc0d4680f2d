#include "revctl/findings/rule_table.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/printable.h"

namespace revctl::findings {
namespace {

const std::vector<Rule>& ListRules() {
  using enum Rule::Flag;
  static const std::vector<Rule> rules{
      {RuleId::NumberTwice, "RV001", Severity::Error, "a number is given twice",
       "A file says only a number. Where two changes share one, each reads the other's fields as "
       "its own, and saves made with "
       "either are garbage to the other. Git merges the very same line of two branches as one, so "
       "the gate also compares the commits that add it: equal golden records, equal code, or one "
       "author and date (a squash, a rebase, a cherry-pick) mean one revision.",
       "revctl fix: the pending revision takes the next free number; the landed one "
       "keeps its own. If two branches share a line, only a person knows whether they mean one "
       "revision. If they do, git rebase drops the second line; if not, give this branch's "
       "revision a name of its own, and revctl reserve it.",
       kProtectsLanded | kFixedByRenumber},
      {RuleId::NameTwice, "RV002", Severity::Error, "a name is given twice",
       "The symbol is the identity of a revision: code gates on it, the ledger and the goldens are "
       "kept under it. "
       "That holds for one that was purged, too: under a new number, its old gates would open for "
       "the wrong files.",
       "revctl fix takes out the line of a purged revision, and a line that is there twice. If two "
       "revisions have one name, give the pending one another name: revctl abandon NAME, then "
       "revctl reserve OTHER_NAME.",
       kProtectsLanded | kBlocksFix},
      {RuleId::LandedRemoved, "RV003", Severity::Error,
       "a landed revision, or a landed name for one, was removed",
       "Files at that revision exist. Without its line their content has no meaning. Every lineage "
       "behind it changes, so that all later files become foreign. That holds for reverts too. "
       "Code of other branches "
       "gates on another name as well.",
       "revctl fix puts the line back. To undo what the revision did, reserve a new one and "
       "end the field "
       "there with REM. Entries below "
       "`oldest` go with revctl purge.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kRenumberMayFix |
           kFixedByRestore},
      {RuleId::LandedRenumbered, "RV004", Severity::Error,
       "a landed revision, or a landed name for one, has another number",
       "Numbers are compared as the compiler evaluates them. A line put into an implicit list "
       "shifts all behind it: every gate then opens for the wrong files. So it does where "
       "SR_RELEASE_1 = SR_TWO becomes "
       "another's name.",
       "revctl fix writes the landed numbers again, and moves a pending revision that shifted them "
       "to the end. A name that is meant to move is `current` or `oldest` in .revctl.yaml.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kRenumberMayFix |
           kFixedByRestore | kMovesLanded},
      {RuleId::LandedRenamed, "RV005", Severity::Error, "a landed revision has another name",
       "The name is part of the lineage of every file written since, and the key of its goldens. "
       "If "
       "the new name became a revision of its own with a new number, code that gates on it would "
       "mean something else.",
       "To rename, keep the old entry and add an alias below it: SR_BETTER = SR_OLD. If the code "
       "uses the new name exactly where it used the old one, revctl fix writes the list that way. "
       "Otherwise revctl fix leaves the list as it is, and you decide: write the old entry again, "
       "with the alias below it; or write the old name in the list and in the code; or, if the new "
       "name is a revision of its own, take its line out and revctl reserve it, after which revctl "
       "fix puts the old entry back.",
       kProtectsLanded | kComparesLanded | kComparesLandedEntry | kFixedByRestore | kBlocksFix},
      {RuleId::LandsLate, "RV006", Severity::Error,
       "a pending revision is not behind the last landed one",
       "If 667 lands before 666, files written at 667 lack the fields of 666, and code that gates "
       "on 666 reads garbage from "
       "them. A reserved number that lands late must move.",
       "revctl land moves it as it lands the branch; revctl fix does so without landing, and a "
       "merge queue's bot may run it.",
       kOnlyWhereItLands | kFixedByRenumber},
      {RuleId::OutOfOrder, "RV007", Severity::Error, "entries are out of order in the file",
       "A list is read from top to bottom as history. In implicit lists the order also is the "
       "number.",
       "revctl fix moves pending entries, and puts landed lines back where the target has them.",
       kComparesLanded | kFixedByRenumber | kFixedByRestore | kMovesLanded},
      {RuleId::CurrentNotLatest, "RV008", Severity::Error,
       "`current` does not name the latest revision",
       "Programs write files at CURRENT. Where it lags behind, new fields are not saved. It shows "
       "when a save is loaded.",
       "revctl fix points it at the latest revision. revctl reserve does so by itself if "
       ".revctl.yaml names it.",
       kComparesLanded | kNamesEntry},
      // Skipped below the tip of a push: no number depends on it, and the tip may correct the name.
      {RuleId::NameWithoutPrefix, "RV009", Severity::Error,
       "an entry without the prefix looks like a revision",
       "Entries are known as revisions by their prefix. One with a typo in it is guarded by no "
       "rule at all.",
       "Correct the name, or list it under `aliases` in .revctl.yaml if it is no revision.",
       kSkipOnIntermediate},
      // Skipped below the tip of a push: a warning.
      {RuleId::NumberInComment, "RV010", Severity::Warning,
       "the number in a comment disagrees with the entry",
       "Lists that keep their numbers in comments are read by them. A wrong one sends people to "
       "the wrong revision.",
       "revctl fix writes the number that a comment begins with. A number within the words is "
       "yours "
       "to write. revctl fix and the merge driver keep such comments right.",
       kSkipOnIntermediate},
      // Skipped below the tip of a push: the ledger gives numbers to the revisions that land, which
      // are the tip's.
      {RuleId::NotReserved, "RV011", Severity::Error,
       "a revision is not reserved, or the number or name is another's",
       "Two branches that pick a number by hand pick the same one. The ledger gives each number "
       "once. If the line is on a branch on which the person who reserved it has no part, two "
       "people may use one number. Authors, committers and Co-authored-by lines of the branch's "
       "commits take part, so a bot may land for its team.",
       "revctl land takes numbers as it lands the branch. revctl fix takes a number from the "
       "ledger for it. For a new entry: revctl reserve NAME. For another person's entry: commit "
       "with a Co-authored-by line, revctl reserve NAME --take-over, or let the team `allow` it. A "
       "revision of its own takes another name.",
       kOnlyWhereItLands | kFixedByRenumber | kSkipOnIntermediate},
      // Skipped below the tip of a push: the number may still change before the tip.
      {RuleId::ProvisionalNumber, "RV012", Severity::Error, "a number is provisional",
       "It was given by a merge or offline, without asking the ledger: another person may hold it.",
       "revctl fix, with the remote within reach.",
       kOnlyWhereItLands | kFixedByRenumber | kSkipOnIntermediate},
      {RuleId::SentinelNotLast, "RV013", Severity::Error, "the sentinel is not last",
       "It counts the entries above it. An entry behind it takes a number that the sentinel has, "
       "or one that is not counted.",
       "revctl fix moves pending entries above the sentinel. If landed entries stand behind it, "
       "move "
       "it to the end yourself. Leave it without a number.",
       kNamesEntry},
      {RuleId::NumberTooLarge, "RV014", Severity::Error, "a value does not fit the enum's type",
       "The compiler refuses it, or a file's number wraps around to another revision's.",
       "revctl fix gives a pending revision a number that fits. Otherwise write a wider underlying "
       "type; the file header holds 32 bits, with sign."},
      {RuleId::ConflictMarkers, "RV015", Severity::Error, "conflict markers are left in the list",
       "The list does not compile, and no rule can be checked.",
       "revctl fix: it splits the markers into their sides and merges those. Only a contradiction, "
       "such as one name with two meanings, is left to you.",
       kProtectsLanded | kBlocksFix},
      {RuleId::UnreadableList, "RV016", Severity::Error, "the list cannot be read",
       "The gate never guesses: it rejects what it cannot evaluate as the compiler does, with line "
       "and column. It also rejects a .gitattributes that gives a checkout other bytes of the list "
       "than the commit has, such as an encoding or a filter.",
       "Write the entry with a number, or with constants of the same file; the message says what "
       "was not understood.",
       kProtectsLanded | kBlocksFix},
      // Skipped below the tip of a push: a pushed commit is not merged again.
      {RuleId::TextMerge, "RV017", Severity::Error,
       "the list does not merge as text, or merges to wrong numbers",
       "A host's merge button runs no merge driver. A clean text merge can still give two entries "
       "one number, or shift an "
       "implicit list without any conflict.",
       "revctl land, or merge or rebase onto the target here, where the driver runs, then revctl "
       "fix and push. On a release, merge the release itself, never the target.",
       kSkipOnIntermediate},
      {RuleId::ReleaseNotPrefix, "RV018", Severity::Error,
       "a release's list is no prefix of the target's",
       "A release that has 668 without 667 writes files that claim to have what 667 brought. A "
       "later program believes them.",
       "Back-port every revision up to it, each with its code and goldens, or mend without a "
       "revision. A cherry-pick brings a release only what the picked commit added.",
       kProtectsLanded},
      {RuleId::LandedGolden, "RV019", Severity::Error,
       "a golden of a landed revision was edited or removed",
       "A golden is a file as a user has it. Changing it changes the proof that such files still "
       "load.",
       "revctl fix restores a missing file. For an edited one: git checkout TARGET -- "
       "golden/SR_NAME.*. What has legitimately changed is approved beside "
       "it: harness review, harness approve. One that landed stale (RV028) is recorded again, "
       "once: "
       "record --refresh SR_NAME, on the target's code. Any other repair, such as undoing an edit "
       "that landed, needs an `allow` for RV019 in the target's .revctl.yaml.",
       kProtectsLanded},
      {RuleId::PendingGolden, "RV020", Severity::Error,
       "a pending revision has no goldens, or payloads that are not those of its record",
       "The day it lands is the last day on which its own code can write them.",
       "Build the harness and run its record; commit golden/SR_NAME.yaml and .golden. Where the "
       "two "
       "do not fit: record --refresh SR_NAME."},
      // Skipped below the tip of a push: the code may come with the tip.
      {RuleId::UnusedRevision, "RV021", Severity::Warning, "no code uses a pending revision",
       "Either the change that it was reserved for is missing, or it gates on something else.",
       "Gate the field on it: ADD(SR_NAME, field); or give it back with revctl abandon NAME.",
       kSkipOnIntermediate},
      // Skipped below the tip of a push: a warning.
      {RuleId::BareNumber, "RV022", Severity::Warning,
       "code compares a revision with a bare number",
       "The number of a pending revision changes when it lands; a gate on 666 then opens for "
       "another revision's fields.",
       "Write the revision's name.", kSkipOnIntermediate},
      {RuleId::LandedLineage, "RV023", Severity::Error, "a landed lineage changed",
       "The lineage in a file's header is the history of the list that wrote it. Where it changes, "
       "every file out there is "
       "refused as foreign.",
       "Restore the landed entries in front of it; after a purge, lineage_root in .revctl.yaml has "
       "to be what revctl purge wrote.",
       kProtectsLanded},
      // Skipped below the tip of a push: a policy applies once it has landed, and the tip's policy
      // lands.
      {RuleId::PolicyChange, "RV024", Severity::Warning, "the policy changes in this change",
       "What a change is allowed to do is read from the target, or a change could allow itself "
       "anything.",
       "Nothing to mend where it is meant: it counts once it has landed. A reviewer should see "
       "it. It is an error where the next change would be judged by nothing. Examples: another "
       "target, a list or a golden folder taken out, another way to read the list. The repository "
       "that judges "
       "allows that by git config revctl.allowPolicyChange true.",
       kProtectsLanded | kSkipOnIntermediate},
      // Skipped below the tip of a push: a warning.
      {RuleId::UselessAllowance, "RV025", Severity::Warning, "an `allow` is unused or expired",
       "An exception without use hides the next mistake of its kind.",
       "Remove it from .revctl.yaml, or give it a new `until` and a reason.", kSkipOnIntermediate},
      {RuleId::DeadUpgrade, "RV026", Severity::Error,
       "retired: upgrade code that a raised `oldest` makes dead",
       "It was a note about code that still works. revctl purge lists such code when it drops the "
       "entries.",
       "", kRetired},
      {RuleId::NewName, "RV027", Severity::Error,
       "retired: code uses a new name for a landed revision",
       "An alias in the list looks like the revision that it names, and a reviewer sees both in "
       "one line. A landed alias stays what it is (RV004).",
       "", kRetired},
      // Skipped below the tip of a push: goldens may be refreshed before the tip.
      {RuleId::OutdatedGoldens, "RV028", Severity::Error, "a pending revision's goldens are stale",
       "They were recorded before another revision landed. They share a type with its goldens, "
       "which one of the two changes. Example: SR_ITEM adds a field to Item, SR_HERO one to Hero, "
       "which holds items. Each is green alone. "
       "Together, files of SR_HERO hold "
       "what its goldens do not, and the target's harness has errors as soon as both have landed. "
       "The records say which types they change and reach, and `previous` says after what they "
       "were recorded. Numbers and lineages are not compared.",
       "Merge or rebase onto the target, then run your harness with record --refresh-pending, and "
       "commit the goldens. Where no type is shared, nothing is to be written anew. A release has "
       "no "
       "pending revisions: there the rule is not asked.",
       kFixedByRefresh | kSkipOnIntermediate},
      {RuleId::PendingFile, "RV029", Severity::Error, "a pending file that cannot be folded",
       "With `numbers: at-landing` a file in LIST.pending/ is the reservation. Its name is taken, "
       "its text cannot be read, or `after` names nothing or leads in a circle. A name is taken, "
       "too, by a revision that differs in case only. Or the file has landed, and is edited or "
       "removed here. A bad file blocks itself "
       "and what builds on it, nothing else.",
       "Mend the file, or revctl reserve another name. revctl reserve NAME --not-after OTHER takes "
       "a name out of `after`. revctl fix restores a missing pending file of the target and "
       "removes "
       "a file that came back after its fold. An edited one: git checkout TARGET -- FILE.",
       kProtectsLanded},
      // Skipped below the tip of a push: a number that was written by hand changes until a fold
      // gives one.
      {RuleId::WrongFold, "RV030", Severity::Error, "a fold that is not what `fold` makes",
       "With `numbers: at-landing` a fold alone brings entries into the list: each from its "
       "pending file on the target, which goes. They come in the order of `after` and name, with "
       "the next numbers and the files' messages as comments. Builds before the fold have used "
       "these numbers. A file that comes back later is known by the comment.",
       "revctl fix makes pending files of such entries again, as the target has them. "
       "`revctl fold` on the target numbers them.",
       kProtectsLanded | kSkipOnIntermediate},
  };
  return rules;
}

}  // namespace

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> out = ListRules();
    const auto& harness = detail::HarnessRules();
    out.insert(out.end(), harness.begin(), harness.end());
    return out;
  }();
  return all;
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
    const Rule &last_of_list = ListRules().back(),
               &first_of_harness = detail::HarnessRules().front();
    return fmt::format("{} to {} of the list, {} to {} of the harness", Rules().front().name,
                       last_of_list.name, first_of_harness.name, Rules().back().name);
  }();
  return ranges;
}

std::string NoSuchRule(std::string_view name) {
  std::vector<std::string> names;
  for (const Rule& rule : Rules()) names.emplace_back(rule.name);
  return fmt::format("there is no rule {}{}", Quoted(name), DidYouMean(name, names));
}

}  // namespace revctl::findings
