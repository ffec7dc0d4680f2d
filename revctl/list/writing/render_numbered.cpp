#include "revctl/list/writing/render_numbered.h"

#include <fmt/core.h>
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "revctl/list/reading/revision_list.h"
#include "revctl/list/writing/entry_style.h"

namespace revctl::list::detail {
namespace {

base::Error Unexpected(const std::string& path, const std::string& what) {
  return {base::Exit::Usage, fmt::format("{}: {}", path, what), {}};
}

/// Returns the first entry that has the same name as an earlier entry, or null.
const Entry* NamedTwice(const RevisionList& list) {
  std::unordered_set<std::string_view> seen;
  seen.reserve(list.entries.size());
  for (const Entry& entry : list.entries) {
    if (!seen.insert(entry.name).second) return &entry;
  }
  return nullptr;
}

/// Writes an explicit number for each revision whose number would otherwise change. Returns true if
/// this changed `body`.
bool FixNumbers(Body& body, const RevisionList& parsed) {
  bool changed = false;
  std::optional<std::int64_t> before;
  std::unordered_map<std::string_view, std::int64_t> final_number;
  for (std::size_t i = 0; i < body.items.size(); ++i) {
    Item& item = body.items[i];
    std::int64_t yields = parsed.entries[i].number;
    if (!item.Explicit()) yields = before ? *before + 1 : 0;
    if (const auto named = final_number.find(item.alias_of);
        !item.alias_of.empty() && named != final_number.end())
      yields = named->second;
    if (item.kind == EntryKind::Revision && yields != item.number) {
      SetNumber(body, item, item.number);
      changed = true;
      yields = item.number;
    }
    before = yields;
    final_number[item.name] = yields;
  }
  return changed;
}

}  // namespace

base::Result<std::string> RenderNumbered(Body& body, const ListConfig& config,
                                         const std::string& path) {
  // Repeat until every number is right. Two rounds are enough for literals, but an expression that
  // refers to a moved entry may need more.
  for (int round = 0; round < 4; ++round) {
    std::string text = body.Render();
    TRY(auto parsed, Parse(text, config, path));
    const bool same = std::equal(
        body.items.begin(), body.items.end(), parsed.entries.begin(), parsed.entries.end(),
        [](const Item& item, const Entry& entry) { return item.name == entry.name; });
    if (!same) return Unexpected(path, "the edited list would not have the requested entries");
    if (const Entry* twice = NamedTwice(parsed))
      return Unexpected(path, twice->name + " would be in the list twice");
    if (!FixNumbers(body, parsed)) return text;
  }
  return Unexpected(
      path, "the numbers of this list depend on each other in a way that revctl cannot preserve");
}

void MoveCurrent(Body& body, const std::string& current) {
  const std::size_t at = body.Find(current);
  if (at == body.items.size()) return;
  Item& item = body.items[at];
  const Item* latest = nullptr;
  for (const Item& one : body.items) {
    if (one.kind == EntryKind::Revision && one.name != item.name &&
        (latest == nullptr || one.number > latest->number))
      latest = &one;
  }
  if (!item.Explicit() || !item.one_below.empty() || latest == nullptr) return;
  if (!item.alias_of.empty()) {
    item.initializer = Renamed(item.initializer, item.alias_of, latest->name);
    item.alias_of = latest->name;
  } else if (item.initializer.find_first_not_of("0123456789abcdefABCDEFxXuUlL'",
                                                item.initializer[0] == '-' ? 1 : 0) ==
             std::string::npos) {
    SetNumber(body, item, latest->number);
  }
}

}  // namespace revctl::list::detail
