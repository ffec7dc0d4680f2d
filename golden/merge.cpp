#include "golden/merge.h"

#include <cstdint>
#include <set>

#include "golden/payload_pack.h"
#include "golden/revision_text.h"

namespace golden {
namespace {

using Hashes = std::set<std::uint64_t>;

/// Of the payloads that a version of the file has or names; nothing where it cannot be read. A
/// record without cases has no payloads beside it.
std::optional<Hashes> HashesOf(const FileName& name, std::string_view bytes) {
  Hashes hashes;
  if (bytes.empty()) return hashes;
  if (name.kind == FileName::Kind::Payloads) {
    const auto pack = PayloadPack::Parse(bytes, "");
    if (!pack) return std::nullopt;
    for (const auto& payload : pack->payloads()) hashes.insert(payload.first);
    return hashes;
  }
  const auto record = ParseRecord(bytes, "");
  if (!record || record->revision != name.revision) return std::nullopt;
  for (const Case& one : record->cases) hashes.insert(one.hash);
  return hashes;
}

/// The side that alone is so.
std::optional<Kept> Only(bool ours, bool theirs) {
  if (ours == theirs) return std::nullopt;
  return ours ? Kept::Ours : Kept::Theirs;
}

}  // namespace

Kept Merge(const FileName& name, const Versions& versions) {
  if (name.kind == FileName::Kind::Approval) return Kept::Neither;
  const auto base = HashesOf(name, versions.base), ours = HashesOf(name, versions.ours),
             theirs = HashesOf(name, versions.theirs);
  const auto landed = versions.landed ? HashesOf(name, *versions.landed) : Hashes{};
  if (!base || !ours || !theirs || !landed) return Kept::Neither;
  if (*ours == *theirs) {
    if (auto same = Only(versions.ours == versions.landed, versions.theirs == versions.landed))
      return *same;
    if (name.IsAddition()) return Kept::Neither;
    return versions.ours < versions.theirs ? Kept::Theirs : Kept::Ours;
  }
  const auto has_landed =
      versions.landed ? Only(*ours == *landed, *theirs == *landed) : std::nullopt;
  const auto has_changed = Only(*theirs == *base, *ours == *base);
  if (has_landed && has_changed && *has_landed != *has_changed) return Kept::Neither;
  if (has_landed) return *has_landed;
  if (has_changed) return *has_changed;
  // One side has taken all payloads away, which git asks a person about.
  if (name.IsAddition() || ours->empty() || theirs->empty()) return Kept::Neither;
  return *ours < *theirs ? Kept::Theirs : Kept::Ours;
}

}  // namespace golden
