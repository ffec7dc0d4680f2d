#include "golden/merge.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"

namespace revctl::golden {
namespace {

/// The properties of one version of a file that decide a merge.
struct Said {
  std::map<std::uint64_t, std::uint64_t> payloads;  ///< sizes by hash
  std::int64_t number = 0;  ///< the revision number, if the file is a record
  bool foreign = false;     ///< true for a record of a different revision

  std::uint64_t Bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [hash, size] : payloads) bytes += size;
    return bytes;
  }
};

/// Parses one version of a file. Returns nullopt if it is malformed. An empty version is valid,
/// because a record without cases has no payload file.
std::optional<Said> Read(const FileName& name, std::string_view bytes) {
  Said said;
  if (bytes.empty()) return said;
  if (name.kind == FileName::Kind::Payloads) {
    const auto pack = PayloadPack::Parse(bytes, "");
    if (!pack) return std::nullopt;
    for (const auto& [hash, payload] : pack->payloads()) said.payloads[hash] = payload.size();
    return said;
  }
  const auto record = ParseRecord(bytes, "");
  if (!record) return std::nullopt;
  said.foreign = record->revision != name.revision;
  if (said.foreign) return said;
  said.number = record->number;
  for (const Case& one : record->cases) said.payloads[one.hash] = one.size;
  return said;
}

/// Returns the side whose flag is set, or nullopt if both or neither are set.
std::optional<Kept> Only(bool ours, bool theirs) {
  if (ours == theirs) return std::nullopt;
  return ours ? Kept::Ours : Kept::Theirs;
}

Kept Choose(const FileName& name, const Versions& versions, const Said& base, const Said& ours,
            const Said& theirs, const Said& landed) {
  const auto same = [](const Said& one, const Said& other) {
    return one.payloads == other.payloads;
  };
  if (same(ours, theirs)) {
    if (auto kept = Only(versions.ours == versions.landed, versions.theirs == versions.landed))
      return *kept;
    if (name.IsAddition()) return Kept::Neither;
    return std::pair(ours.number, versions.ours) < std::pair(theirs.number, versions.theirs)
               ? Kept::Theirs
               : Kept::Ours;
  }
  const auto has_landed =
      versions.landed ? Only(same(ours, landed), same(theirs, landed)) : std::nullopt;
  const auto has_changed = Only(same(theirs, base), same(ours, base));
  if (has_landed && has_changed && *has_landed != *has_changed) return Kept::Neither;
  if (has_landed) return *has_landed;
  if (has_changed) return *has_changed;
  // If one side has removed all payloads, report a conflict, as git would.
  if (name.IsAddition() || ours.payloads.empty() || theirs.payloads.empty()) return Kept::Neither;
  const auto protects = [](const Said& said) {
    return std::tuple(said.payloads.size(), said.Bytes(), said.payloads);
  };
  return protects(ours) < protects(theirs) ? Kept::Theirs : Kept::Ours;
}

}  // namespace

Kept Merge(const FileName& name, const Versions& versions) {
  if (name.kind == FileName::Kind::Approval) return Kept::Neither;
  const auto base = Read(name, versions.base), ours = Read(name, versions.ours),
             theirs = Read(name, versions.theirs),
             landed = Read(name, versions.landed.value_or(""));
  if (!base || !ours || !theirs || !landed) return Kept::Neither;
  const Kept kept = Choose(name, versions, *base, *ours, *theirs, *landed);
  return (kept == Kept::Ours && ours->foreign) || (kept == Kept::Theirs && theirs->foreign)
             ? Kept::Neither
             : kept;
}

}  // namespace revctl::golden
