#include "revctl/config/keys.h"
#include "revctl/findings/rule_table.h"

namespace revctl::config {

const std::vector<Key>& Keys() {
  using Kind = Key::Kind;
  static const std::vector<Key> keys = {
      {"", "version", Kind::Text, "1", true, "of this format"},
      {"", "lists", Kind::Maps, "", true, "the revision lists of this repository"},
      {"", "target", Kind::Text, "", false, "branch where revisions land (main)"},
      {"", "releases", Kind::Texts, "", false,
       "globs of release branches; their lists must be a prefix of the target's"},
      {"", "remote", Kind::Text, "", false, "name of the team's remote (origin)"},
      {"", "reservation", Kind::Text, "required|optional", false,
       "optional: contributors who cannot push to the remote need no reservation"},
      {"", "ledger", Kind::Text, "", false,
       "ref of the ledger (refs/revctl/ledger), or a branch such as refs/heads/revctl-ledger"},
      {"", "ledger_id", Kind::Text, "", false, "written by init: which ledger is this project's"},
      {"", "min_revctl", Kind::Text, "", false, "oldest revctl that may work here"},
      {"", "land", Kind::Map, "", false, "how `revctl land` lands; read from the target alone"},
      {"", "allow", Kind::Maps, "", false, "findings that the team accepts for a time"},
      {"lists", "path", Kind::Text, "", true, "the header, from the folder of this file"},
      {"lists", "name", Kind::Text, "", false, "identity in the ledger (main)"},
      {"lists", "prefix", Kind::Text, "", false, "enumerators with it are revisions (SR_)"},
      {"lists", "enum", Kind::Text, "", false, "which enum, where the file has several"},
      {"lists", "aliases", Kind::Texts, "", false, "names or globs that are no revisions"},
      {"lists", "sentinel", Kind::Text, "", false, "a last entry that only counts"},
      {"lists", "current", Kind::Text, "", false, "an alias that must name the latest revision"},
      {"lists", "oldest", Kind::Text, "", false, "oldest revision that is still read"},
      {"lists", "getters", Kind::Texts, "", false,
       "functions and members that give a revision, and arguments that take one: DoEx#2"},
      {"lists", "lineage_root", Kind::Text, "", false,
       "written by purge: the lineage before the oldest entry kept"},
      {"lists", "purged", Kind::Texts, "", false,
       "written by purge: names that no revision gets again"},
      {"lists", "golden", Kind::Text, "", false, "folder of this list's goldens"},
      {"lists", "numbers", Kind::Text, "at-reserve|at-landing", false,
       "when a revision gets its number (at-reserve)"},
      {"lists", "floor", Kind::Text, "", false,
       "written by `init --numbers`: no number up to it is given"},
      {"land", "by", Kind::Text, "merge|rebase", false, "how the branch joins the target (merge)"},
      {"land", "push", Kind::Text, "target|branch", false,
       "branch: only the host may move the target (target)"},
      {"land", "goldens", Kind::Text, "", false,
       "line for sh -c: records the branch's own goldens anew"},
      {"land", "verify", Kind::Text, "", false, "line for sh -c: exit 0 means that this may land"},
      {"allow", "rule", Kind::Text, "", true, findings::NameOf(findings::RuleId::LandsLate)},
      {"allow", "name", Kind::Text, "", false, "the revision; without it any"},
      {"allow", "reason", Kind::Text, "", true, "why it is accepted"},
      {"allow", "until", Kind::Text, "", false, "last day on which it counts, 2027-01-31"},
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
