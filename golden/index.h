#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::golden {

/// The parts of the name of a file in a golden folder. `revctl check` guards the goldens of landed
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
  /// 16 lower-case hex digits; empty for a revision's own record
  std::string hash;
  std::string golden{};  ///< the name of a large golden, as LargeStem returns it; otherwise empty

  /// True for a file that was added to a recorded revision, and for large goldens, because their
  /// names also contain a hash of their content.
  bool IsAddition() const { return kind != Kind::Approval && !hash.empty(); }
};

/// Parses a path relative to the golden folder, with '/' as separator. Returns nullopt if the path
/// is not that of a store file, for example for a README, a temporary file of a killed `record`, or
/// a path that leaves the folder.
std::optional<FileName> ParseFileName(std::string_view path);

/// Formats a file name: `SR_FOULS.yaml`, `SR_FOULS+HASH.golden`, `SR_FOULS.large/NAME+HASH.payload`
/// or `approved/HASH.yaml`. Inverse of ParseFileName.
std::string FileNameText(const FileName& name);

/// Returns the name of a golden as a part of a file name: `boss-fight` for "boss fight!". At most
/// 40 letters, digits, `-`, `_` and `.`.
std::string LargeStem(std::string_view golden);

/// True if `name` can name a revision and thus a file: a C identifier of at most 200 characters.
bool IsRevisionName(std::string_view name);

}  // namespace revctl::golden
