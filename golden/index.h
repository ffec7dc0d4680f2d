#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::golden {

/// What a file of a golden folder is, by its name alone. This is all that `revctl check` needs in
/// order to guard the goldens of landed revisions; it opens none of them.
///
///   SR_FOULS.yaml, SR_FOULS.golden         recorded with the revision; frozen once it has landed
///   SR_FOULS+9f86d081884c7d65.yaml,
///   SR_FOULS+9f86d081884c7d65.golden       added later (imports, backfills); frozen once landed
///   approved/9f86d081884c7d65.yaml         what was approved, with the reason
struct FileName {
  enum class Kind { Record, Payloads, Approval };
  Kind kind = Kind::Record;
  std::string revision;  ///< `SR_FOULS`; empty for an approval
  /// 16 lower-case hex digits; empty for what was recorded with the revision itself
  std::string hash;

  bool IsAddition() const { return kind != Kind::Approval && !hash.empty(); }
};

/// `path` is relative to the golden folder, '/' separated. Nothing where it is none of the store's
/// files (a README, a temporary file of a killed `record`, a path that leaves the folder).
std::optional<FileName> ParseFileName(std::string_view path);

/// The reverse: `SR_FOULS.yaml`, `SR_FOULS+HASH.golden`, `approved/HASH.yaml`.
std::string FileNameText(const FileName& name);

/// Whether `name` can be a revision's name, hence a file's: a C identifier of at most 200
/// characters.
bool IsRevisionName(std::string_view name);

}  // namespace revctl::golden
