#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/findings/finding.h"

namespace revctl::findings {

/// All data about a rule. `explain`, SARIF and every decision about a rule use this table. The gate
/// and the harness implement the checks themselves.
struct Rule {
  /// Properties on which the gate and the commands base their decisions.
  enum Flag : unsigned {
    kRetired = 1u << 0,  ///< not reported; the id is not reused
    /// No `allow` can permit a violation of this rule, because the next change could then edit
    /// landed entries.
    kProtectsLanded = 1u << 1,
    /// A change that is merely behind its target may appear to break the rule.
    kComparesLanded = 1u << 2,
    /// Like kComparesLanded, but for a finding about the name or number of a single landed entry.
    kComparesLandedEntry = 1u << 3,
    kOnlyWhereItLands = 1u << 4,  ///< about the position of a revision, which is decided only when
                                  ///< it lands
    kSkipOnIntermediate = 1u << 5,  ///< skipped for commits below the tip of a push
    kFixedByRenumber = 1u << 6,     ///< fixed by `fix` and `land`, which assign a number
    kRenumberMayFix = 1u << 7,      ///< fixed by new numbers if the finding's fix says so
    kFixedByRestore = 1u << 8,      ///< fixed by `fix`, which restores the landed entry
    kMovesLanded = 1u << 9,         ///< a landed entry has a different number or position
    kNamesEntry = 1u << 10,  ///< the config names the entry, which `fix` restores if it is missing
    kBlocksFix = 1u << 12,   ///< `fix` leaves the list unchanged until the user decides
    kFixedByRefresh = 1u << 11,  ///< fixed by recording the goldens again
  };

  RuleId id;
  std::string_view name;        ///< `RV001`
  Severity severity;            ///< usual severity; a finding may be less or more severe
  std::string_view title;       ///< one line, without a period
  std::string_view why;         ///< the problem that a violation causes, or why the rule is retired
  std::string_view how_to_fix;  ///< a command or an edit; empty if retired
  unsigned flags = 0;

  bool Is(Flag flag) const { return (flags & flag) != 0; }
};

/// Returns all rules in ascending order: first RV (revision list), then GH (harness).
const std::vector<Rule>& Rules();

/// Returns the rule of a finding. RuleId::None has an empty name and no flags.
const Rule& RuleOf(RuleId id);
/// Returns `RV001`, or "" for RuleId::None.
inline std::string_view NameOf(RuleId id) { return RuleOf(id).name; }
/// True if the rule of the finding has the flag.
inline bool Is(const Finding& finding, Rule::Flag flag) { return RuleOf(finding.rule).Is(flag); }

/// Returns the rule with that name, or null. Ignores case (`rv001`).
const Rule* FindRule(std::string_view name);

/// Returns a rule's description for the terminal, on several lines.
std::string Described(const Rule& rule);
/// Returns one line per rule.
std::string DescribedAll();

/// Returns the first and last id of each kind of rule, such as "RV001 to RV030 for the list, GH001
/// to GH009 for the harness".
std::string_view RuleRanges();

/// Returns the message for an unknown id, with the closest id and the command that lists all ids.
std::string NoSuchRule(std::string_view name);

}  // namespace revctl::findings
