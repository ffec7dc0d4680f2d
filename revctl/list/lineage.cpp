#include <xxhash.h>

#include <charconv>
#include <system_error>

#include "revctl/base/hex.h"
#include "revctl/list/revision_list.h"

namespace revctl::list {
namespace {

void AppendLittleEndian(std::string& bytes, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((value >> shift) & 0xff);
}

std::uint64_t NextLineage(std::uint64_t before, std::int64_t number, std::string_view name) {
  std::string bytes;
  AppendLittleEndian(bytes, before);
  AppendLittleEndian(bytes, static_cast<std::uint64_t>(number));
  bytes += name;
  return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace

std::vector<Lineage> Lineages(const RevisionList& list, std::uint64_t root) {
  std::vector<Lineage> lineages;
  std::uint64_t before = root;
  for (const Entry* entry : list.Revisions()) {
    if (!lineages.empty() && lineages.back().number == entry->number) continue;
    before = NextLineage(before, entry->number, entry->name);
    lineages.push_back({entry->name, entry->number, before});
  }
  return lineages;
}

std::string LineageText(std::uint64_t hash) { return base::Hex(hash, 16); }

std::optional<std::uint64_t> LineageFromText(std::string_view text) {
  if (text == "0") return 0;
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return hash;
}

}  // namespace revctl::list
