#include "revctl/list/reading/revision_list.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <system_error>

#include "revctl/base/ascii.h"
#include "revctl/list/reading/entries.h"

namespace revctl::list {
namespace {

void AppendLittleEndian(std::string& bytes, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((value >> shift) & 0xff);
}

}  // namespace

const Entry* RevisionList::Find(std::string_view name) const {
  constexpr std::size_t kFewEnough = 32;
  if (entries.size() <= kFewEnough) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [name](const Entry& entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
  }
  const std::hash<std::string_view> hash;
  // The index contains hashes and positions instead of pointers, so that it can be copied together
  // with the list.
  const auto indexed = [&](std::string_view wanted) -> const Entry* {
    const auto [begin, end] = index_.equal_range(hash(wanted));
    const auto place = std::find_if(
        begin, end, [&](const auto& one) { return entries[one.second].name == wanted; });
    return place == end ? nullptr : &entries[place->second];
  };
  // Index only the first entry of each name, because a hostile list may repeat a name a hundred
  // thousand times.
  if (indexed_ != entries.size()) {
    index_.clear();
    index_.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (indexed(entries[i].name) == nullptr) index_.emplace(hash(entries[i].name), i);
    }
    indexed_ = entries.size();
  }
  return indexed(name);
}

std::vector<const Entry*> RevisionList::Revisions() const {
  std::vector<const Entry*> revisions;
  for (const Entry& entry : entries) {
    if (entry.kind == EntryKind::Revision) revisions.push_back(&entry);
  }
  std::stable_sort(revisions.begin(), revisions.end(),
                   [](const Entry* a, const Entry* b) { return a->number < b->number; });
  return revisions;
}

std::vector<std::pair<const Entry*, const Entry*>> OutOfLine(const RevisionList& list) {
  std::vector<const Entry*> order;
  for (const Entry& entry : list.entries) {
    if (entry.kind == EntryKind::Revision) order.push_back(&entry);
  }
  if (!list.NewestFirst()) std::reverse(order.begin(), order.end());
  std::vector<std::pair<const Entry*, const Entry*>> out;
  const Entry* lowest = nullptr;
  for (const Entry* entry : order) {
    if (lowest != nullptr && lowest->number < entry->number) out.emplace_back(entry, lowest);
    if (lowest == nullptr || entry->number < lowest->number) lowest = entry;
  }
  return out;
}

const Entry* RevisionList::Current(const ListConfig& config) const {
  if (!config.current.empty()) return Find(config.current);
  for (const Entry& entry : entries) {
    if (entry.kind == EntryKind::Alias && !entry.alias_of.empty() &&
        detail::IsCurrentName(entry.name))
      return &entry;
  }
  return nullptr;
}

const Entry* RevisionList::Latest() const {
  const Entry* latest = nullptr;
  for (const Entry& entry : entries) {
    if (entry.kind == EntryKind::Revision && (latest == nullptr || entry.number > latest->number))
      latest = &entry;
  }
  return latest;
}

bool RevisionList::NewestFirst() const {
  // Compare all neighbors, so that one misplaced entry does not reverse the result.
  int rising = 0, falling = 0;
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::Revision) continue;
    if (before != nullptr) {
      rising += before->number < entry.number ? 1 : 0;
      falling += before->number > entry.number ? 1 : 0;
    }
    before = &entry;
  }
  return falling > rising;
}

std::vector<Lineage> Lineages(const RevisionList& list, std::uint64_t root) {
  std::vector<Lineage> lineages;
  std::uint64_t before = root;
  for (const Entry* entry : list.Revisions()) {
    if (!lineages.empty() && lineages.back().number == entry->number) continue;
    std::string bytes;
    AppendLittleEndian(bytes, before);
    AppendLittleEndian(bytes, static_cast<std::uint64_t>(entry->number));
    bytes += entry->name;
    before = XXH64(bytes.data(), bytes.size(), 0);
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
