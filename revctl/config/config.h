#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::config {

inline constexpr std::string_view kFileName = ".revctl.yaml";
inline constexpr std::string_view kDefaultLedger = "refs/revctl/ledger";
inline constexpr std::string_view kBranchLedger = "refs/heads/revctl-ledger";

/// One entry of `allow:`: a finding that the team accepts for a time.
struct Allowance {
  std::string rule;    ///< `RV006`
  std::string name;    ///< the revision; empty: any
  std::string reason;  ///< never empty
  std::string until;   ///< `2027-01-31`, the last day on which it counts; empty: for good
  int line = 0;
};

/// `land:`, how `revctl land` lands. Read from the target alone, since its commands are run.
struct LandPolicy {
  enum class By { Merge, Rebase };
  enum class Push { Target, Branch };
  By by = By::Merge;
  Push push = Push::Target;
  std::string goldens;  ///< a line for `sh -c`; empty: there is none
  std::string verify;   ///< likewise
  friend bool operator==(const LandPolicy&, const LandPolicy&) = default;
};

/// `.revctl.yaml`, checked: paths stay inside the repository, refs and remotes
/// cannot be taken for options.
struct Config {
  std::vector<list::ListConfig> lists;  ///< at least one
  std::string target = "main";
  std::vector<std::string> releases;  ///< globs of branch names
  std::string remote = "origin";
  bool remote_named = false;  ///< the file says it: the ledger is there, and a clone without that
                              ///< remote is no laptop alone
  bool reservation_required = true;
  std::string ledger{kDefaultLedger};
  std::string ledger_id;  ///< empty: any ledger is taken
  std::string min_revctl;
  LandPolicy land;
  std::vector<Allowance> allow;

  /// The target is none, whatever `releases` says: else its numbers would need no order.
  bool IsRelease(std::string_view branch) const;
  /// nullptr: there is none of that name.
  const list::ListConfig* ListNamed(std::string_view name) const;
};

/// Reads `text`; errors begin with `path:line:column`. Unknown keys, anchors, aliases and nesting
/// beyond what the format has are errors.
base::Result<Config> ParseConfig(std::string_view text, std::string_view path);

/// The text of a new `.revctl.yaml`, with a comment on each key that people change.
std::string FormatConfig(const Config& config);

/// Where the policy of `after` differs from that of `before` (RV024): names of keys.
std::vector<std::string> PolicyChanges(const Config& before, const Config& after);

/// Is `name` usable as a ref (`refs/...`), a branch, a remote? What begins with '-' or holds `..`,
/// blanks, control characters never is.
bool IsSafeRef(std::string_view name);
bool IsSafeRemote(std::string_view name);
/// Relative, '/' separated, no `..`, no empty part, no control characters.
bool IsSafePath(std::string_view path);
/// A C++ identifier: what a revision's name must be.
bool IsIdentifier(std::string_view name);
/// What a list may be called: one part of a ref's name, of at most 100 bytes. It is also part of a
/// file's name in the ledger.
bool IsListName(std::string_view name);

/// Does `name` match `pattern`? `*` is any run of characters without '/', `**` any run, `?` one
/// character but '/'. Linear in practice and bounded by |pattern| * |name|: hostile patterns cannot
/// make it explode.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace revctl::config
