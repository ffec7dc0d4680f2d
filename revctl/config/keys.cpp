#include "revctl/config/keys.h"
#include "revctl/findings/rule_table.h"

namespace revctl::config {

const std::vector<Key>& Keys() {
  using Kind = Key::Kind;
  static const std::vector<Key> keys = {
      {"", "version", Kind::Text, "1", true, "version of this format"},
      {"", "lists", Kind::Maps, "", true, "the revision lists of this repository"},
      {"", "target", Kind::Text, "", false, "branch on which revisions land (default: main)"},
      {"", "releases", Kind::Texts, "", false,
       "globs for release branches; their lists must be a prefix of the target's list"},
      {"", "remote", Kind::Text, "", false, "name of the team's remote (default: origin)"},
      {"", "reservation", Kind::Text, "required|optional", false,
       "optional: contributors who cannot push to the remote need no reservation"},
      {"", "ledger", Kind::Text, "", false,
       "ref of the ledger (default: refs/revctl/ledger), or a branch such as "
       "refs/heads/revctl-ledger"},
      {"", "ledger_id", Kind::Text, "", false, "id of this project's ledger; written by init"},
      {"", "min_revctl", Kind::Text, "", false, "minimum version of revctl for this repository"},
      {"", "land", Kind::Map, "", false,
       "settings of `revctl land`; read only from the target branch"},
      {"", "allow", Kind::Maps, "", false, "findings that the team accepts"},
      {"lists", "path", Kind::Text, "", true, "path of the header, relative to this file"},
      {"lists", "name", Kind::Text, "", false, "name of the list in the ledger (default: main)"},
      {"lists", "prefix", Kind::Text, "", false,
       "enumerators with this prefix are revisions (default: SR_)"},
      {"lists", "enum", Kind::Text, "", false, "name of the enum, if the file has several"},
      {"lists", "aliases", Kind::Texts, "", false,
       "names or globs of enumerators that are not revisions"},
      {"lists", "sentinel", Kind::Text, "", false,
       "name of the last entry, which only counts the entries above it"},
      {"lists", "current", Kind::Text, "", false,
       "name of an alias that must refer to the latest revision"},
      {"lists", "oldest", Kind::Text, "", false, "oldest revision whose files still load"},
      {"lists", "getters", Kind::Texts, "", false,
       "functions and members that return a revision or take one as an argument, such as DoEx#2"},
      {"lists", "lineage_root", Kind::Text, "", false,
       "initial value of the lineage if old entries were removed; written by purge"},
      {"lists", "purged", Kind::Texts, "", false,
       "names of removed revisions, which no new revision may use; written by purge"},
      {"lists", "golden", Kind::Text, "", false, "folder of the list's goldens"},
      {"lists", "numbers", Kind::Text, "at-reserve|at-landing", false,
       "when a revision gets its number (default: at-reserve)"},
      {"lists", "floor", Kind::Text, "", false,
       "numbers up to this one are never assigned; written by `init --numbers`"},
      {"land", "by", Kind::Text, "merge|rebase", false,
       "how to combine the branch with the target (default: merge)"},
      {"land", "push", Kind::Text, "target|branch", false,
       "`branch` if only the Git host may update the target (default: target)"},
      {"land", "goldens", Kind::Text, "", false,
       "shell command that records the branch's goldens again"},
      {"land", "verify", Kind::Text, "", false,
       "shell command that must exit with 0 before landing"},
      {"allow", "rule", Kind::Text, "", true, findings::NameOf(findings::RuleId::LandsLate)},
      {"allow", "name", Kind::Text, "", false,
       "revision that the `allow` applies to (default: all)"},
      {"allow", "reason", Kind::Text, "", true, "why the finding is accepted"},
      {"allow", "until", Kind::Text, "", false,
       "last day on which the `allow` applies, such as 2027-01-31"},
  };
  return keys;
}

std::vector<std::string_view> NamesIn(const std::vector<Key>& keys, std::string_view section) {
  std::vector<std::string_view> out;
  for (const Key& key : keys) {
    if (key.section == section) out.push_back(key.name);
  }
  return out;
}

}  // namespace revctl::config
