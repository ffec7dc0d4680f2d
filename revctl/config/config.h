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

/// An entry of `allow:`: a finding that the team accepts, often for a limited time.
struct Allowance {
  std::string rule;    ///< `RV006`
  std::string name;    ///< name of a revision; empty: any revision
  std::string reason;  ///< never empty
  std::string until;   ///< last day of the allowance, such as `2027-01-31`; empty: no limit
  int line = 0;
};

/// The section `land:`. Always read from the target's config, because `revctl land` runs its
/// commands.
struct LandPolicy {
  enum class By { Merge, Rebase };
  enum class Push { Target, Branch };
  By by = By::Merge;
  Push push = Push::Target;
  std::string goldens;  ///< a command for `sh -c`; empty if there is none
  std::string verify;   ///< a command for `sh -c`; empty if there is none
  friend bool operator==(const LandPolicy&, const LandPolicy&) = default;
};

/// The validated content of a `.revctl.yaml`: paths stay inside the repository, and no ref can be
/// mistaken for an option.
struct Config {
  std::vector<list::ListConfig> lists;  ///< at least one
  std::string target = "main";
  std::vector<std::string> releases;  ///< globs of branch names
  std::string remote = "origin";
  /// True if the file sets `remote`. If so, a clone without that remote is incomplete, not a local
  /// project.
  bool remote_named = false;
  bool reservation_required = true;
  std::string ledger{kDefaultLedger};
  std::string ledger_id;  ///< id that the ledger must have; empty: any ledger is accepted
  std::string min_revctl;
  LandPolicy land;
  std::vector<Allowance> allow;

  /// True if `branch` matches `releases`. Always false for the target, because numbers on the
  /// target must stay in order.
  bool IsRelease(std::string_view branch) const;
  /// Returns the list with this name, or null if there is none.
  const list::ListConfig* ListNamed(std::string_view name) const;
};

/// Parses a config. Rejects unknown keys, aliases and deep nesting. Errors start with
/// `path:line:column`.
base::Result<Config> ParseConfig(std::string_view text, std::string_view path);

/// Returns the text of a new `.revctl.yaml`, which contains only the keys whose values differ from
/// the default.
std::string FormatConfig(const Config& config);

/// Returns the changed keys that affect what revctl checks (RV024).
std::vector<std::string> PolicyChanges(const Config& before, const Config& after);

/// True if `name` is a safe ref (`refs/...`), branch or remote: it does not begin with '-' or
/// contain `..`, blanks or control characters.
bool IsSafeRef(std::string_view name);
/// True for a relative path that uses '/' and has no `..`, empty parts, backslashes, colons,
/// control characters, or names that some system takes for `.git` or another folder.
bool IsSafePath(std::string_view path);
/// True for a C++ identifier of at most 255 bytes, which every revision name must be.
bool IsIdentifier(std::string_view name);
/// True if `name` can be one component of a ref name and has at most 100 bytes. The ledger uses it
/// as a file name.
bool IsListName(std::string_view name);

}  // namespace revctl::config
