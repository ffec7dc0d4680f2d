#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::golden {

/// The parts of a file name in a golden folder. `revctl check` protects the goldens of landed
/// revisions by name alone, without opening a file.
///
///   SR_FOULS.yaml, SR_FOULS.golden         recorded with the revision; frozen once it has landed
///   SR_FOULS+9f86d081884c7d65.yaml,
///   SR_FOULS+9f86d081884c7d65.golden       added later (imports, backfills); frozen once landed
///   SR_FOULS.large/boss+9f86d081884c7d65.payload
///                                          a large golden of either kind; frozen once landed
///   approved/9f86d081884c7d65.yaml         an approved change, with the reason
struct FileName {
  enum class Kind { Record, Payloads, Large, Approval };
  Kind kind = Kind::Record;
  std::string revision;  ///< `SR_FOULS`; empty for an approval
  /// 16 lowercase hex digits; empty for a revision's own record
  std::string hash;
  std::string golden{};  ///< the name of a large golden, as LargeStem returns it; otherwise empty

  /// True for files that were added to a recorded revision. Also true for all large goldens,
  /// because their names contain a hash, too.
  bool IsAddition() const { return kind != Kind::Approval && !hash.empty(); }
};

/// Parses a path relative to the golden folder, with '/' as separator. Returns nullopt for paths
/// that do not belong to the store, such as a README, a temporary file left by a killed `record`,
/// or a path outside the folder.
std::optional<FileName> ParseFileName(std::string_view path);

/// Formats a file name: `SR_FOULS.yaml`, `SR_FOULS+HASH.golden`, `SR_FOULS.large/NAME+HASH.payload`
/// or `approved/HASH.yaml`. Inverse of ParseFileName.
std::string FileNameText(const FileName& name);

/// Converts the name of a golden to text that is safe in a file name: "boss fight" becomes
/// `boss-fight`. The result consists of at most 40 letters, digits, `-`, `_` and `.`.
std::string LargeStem(std::string_view golden);

/// True for a C identifier of at most 200 characters, which can name a revision and its files.
bool IsRevisionName(std::string_view name);

}  // namespace revctl::golden
