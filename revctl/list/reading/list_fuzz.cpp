#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/merging/merge.h"
#include "revctl/list/rules/rules.h"
#include "revctl/list/writing/body.h"
#include "revctl/list/writing/codegen.h"
#include "revctl/list/writing/edit.h"

/// libFuzzer entry point: passes arbitrary bytes as a version list to all functions that read or
/// edit lists, and checks the properties that must hold for every readable list. hostile_test.cpp
/// mutates the same fixtures as part of ctest.
namespace {

using revctl::list::Entry;
using revctl::list::ListConfig;
using revctl::list::RevisionList;

void Require(bool holds) {
  if (!holds) std::abort();
}

/// Parses an edited list and checks that every revision of `before` is unchanged, except for the
/// revisions in `changed`. Returns the parsed list.
RevisionList Kept(const RevisionList& before, const std::string& text, const ListConfig& config,
                  const std::set<std::string>& changed) {
  auto after = Parse(text, config, "list.h");
  Require(after.ok());
  for (const Entry* entry : before.Revisions()) {
    if (changed.contains(entry->name)) continue;
    const Entry* const now = after->Find(entry->name);
    Require(now != nullptr && now->number == entry->number);
  }
  return std::move(*after);
}

/// Moves and removes the newest revision, and purges all revisions below a revision in the middle.
void EditAll(const RevisionList& list, const ListConfig& config) {
  std::set<std::string> names;
  for (const Entry& entry : list.entries) {
    if (!names.insert(entry.name).second)
      return;  // RV002 rejects duplicate names, because their meaning is unclear
  }
  const auto revisions = list.Revisions();
  if (revisions.empty()) return;
  const Entry& last = *revisions.back();
  if (last.number < std::numeric_limits<std::int64_t>::max() - 10) {
    if (const auto moved = MoveToEnd(list, config, {{last.name, last.number + 5}})) {
      const RevisionList after = Kept(list, *moved, config, {last.name});
      Require(after.Find(last.name) != nullptr && after.Find(last.name)->number == last.number + 5);
    }
  }
  if (const auto removed = Remove(list, config, {last.name})) {
    Require(Kept(list, *removed, config, {last.name}).Find(last.name) == nullptr);
  }
  const Entry& middle = *revisions[revisions.size() / 2];
  const auto lineages = Lineages(list, 0);
  if (const auto purged = Purge(list, config, middle.name)) {
    const RevisionList after =
        Kept(list, purged->text, config, {purged->dropped.begin(), purged->dropped.end()});
    const auto root = revctl::list::LineageFromText(purged->lineage_root);
    Require(root.has_value());
    // The lineages of the remaining revisions must not change.
    for (const auto& now : Lineages(after, *root)) {
      for (const auto& was : lineages) Require(was.name != now.name || was.hash == now.hash);
    }
  }
  const auto table = GenerateTable(list, config, lineages, "list.h"),
             again = GenerateTable(list, config, lineages, "list.h");
  Require(table.ok() == again.ok() && (!table.ok() || *table == *again));
}

void UseAll(const std::string& text, const ListConfig& config) {
  const auto list = Parse(text, config, "list.h");
  Require(list.ok() || !list.error().message.empty());
  if (!list) return;
  Require(revctl::list::detail::Body::Split(*list).Render() == text);
  revctl::list::CheckedLists lists;
  lists.target = &*list;
  lists.merged = &*list;
  static_cast<void>(CheckRules(lists, config));
  EditAll(*list, config);
  const std::string name = config.prefix + "FUZZ_NAME";
  const auto longer = Append(*list, config, name, 1 << 20, "a comment");
  if (!longer) return;
  const auto again = Parse(*longer, config, "list.h");
  Require(again.ok());
  Require(again->Find(name) != nullptr && again->Find(name)->number == 1 << 20);
  for (const Entry* entry : list->Revisions())
    Require(again->Find(entry->name)->number == entry->number);
  // If both sides add an entry, swapping the sides must not change the result of the merge.
  const auto other = Append(*list, config, config.prefix + "OTHER_NAME", 1 << 20, "another");
  if (!other) return;
  revctl::list::MergeContext context;
  context.text_merge = revctl::list::testing::LineMerge;
  revctl::list::MergeInput input;
  input.base = text, input.ours = *longer, input.theirs = *other, input.path = "list.h";
  const auto merged = Merge(input, context, config);
  input.ours = *other, input.theirs = *longer;
  const auto swapped = Merge(input, context, config);
  Require(merged.ok() == swapped.ok());
  if (merged.ok() && !merged->conflict)
    Require(merged->text == swapped->text && Parse(merged->text, config, "list.h").ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ListConfig by_prefix, by_name, coded;
  by_name.prefix = "";
  by_name.enum_name = "Version";
  coded.prefix = "kVersion_";
  coded.current = "kVersion_Current";
  for (const ListConfig& config : {by_prefix, by_name, coded}) UseAll(text, config);
  static_cast<void>(Resolve(text, "list.h", revctl::list::MergeContext{}, by_prefix).ok());
  return 0;
}
