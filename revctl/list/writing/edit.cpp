#include "revctl/list/writing/edit.h"

#include <fmt/core.h>
#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "revctl/base/ascii.h"
#include "revctl/base/lexer.h"
#include "revctl/list/reading/guess.h"
#include "revctl/list/writing/body.h"
#include "revctl/list/writing/entry_style.h"
#include "revctl/list/writing/render_numbered.h"

namespace revctl::list {
namespace {

using detail::Body;
using detail::Item;

/// Names that are not C++ keywords but that compilers and readers treat like keywords.
constexpr std::string_view kLikeKeywords[] = {"__attribute__", "__declspec", "__asm__", "final",
                                              "override"};

Error Refused(const RevisionList& list, const std::string& why, std::string fix = {}) {
  return {Exit::Usage, fmt::format("{}: {}", list.path, why), std::move(fix)};
}

/// Returns an error if the list includes pending revisions. These are stored in their own files and
/// must not be written into the list.
std::optional<Error> WithPending(const RevisionList& list) {
  for (const Entry& entry : list.entries) {
    if (!entry.pending_file.empty())
      return Refused(list,
                     fmt::format("{} is in {}, not in this file", entry.name, entry.pending_file));
  }
  return std::nullopt;
}

std::optional<Error> DoesNotFit(const RevisionList& list, std::int64_t number) {
  if (FitsEnum(list, number)) return std::nullopt;
  return Refused(
      list,
      fmt::format("the number {} does not fit in the enum's type {}", number, list.underlying),
      "choose a wider type for the enum");
}

std::string At(const RevisionList& list, const Entry& entry) {
  return fmt::format("{}:{}", list.path, entry.line);
}

/// Returns the text of the edited list, in which `current` names the latest revision.
base::Result<std::string> Edited(Body& body, const RevisionList& list, const ListConfig& config) {
  const Entry* const current = list.Current(config);
  if (current != nullptr) detail::MoveCurrent(body, current->name);
  return detail::RenderNumbered(body, config, list.path);
}

/// A revision to move to the end of the list, with its aliases.
struct Moved {
  Item revision;
  std::vector<Item> aliases;
};

}  // namespace

std::string WhyNoRevision(std::string_view name, const ListConfig& config) {
  if (!base::IsIdentifier(name)) return "is not a C++ name";
  if (base::IsKeyword(name) || std::count(std::begin(kLikeKeywords), std::end(kLikeKeywords), name))
    return "is a C++ keyword";
  if (!name.starts_with(config.prefix)) return "does not begin with " + config.prefix;
  if (name == config.prefix) return "consists of only the prefix";
  return {};
}

std::pair<std::int64_t, std::int64_t> RangeOfEnum(const RevisionList& list) {
  const bool is_signed = list.underlying_bits == 0 || list.underlying_signed;
  const std::int64_t highest =
      list.underlying_bits == 0 || list.underlying_bits >= 64
          ? INT64_MAX
          : (std::int64_t{1} << (list.underlying_bits - (is_signed ? 1 : 0))) - 1;
  return {is_signed ? -highest - 1 : 0, highest};
}

bool FitsEnum(const RevisionList& list, std::int64_t number) {
  const auto [lowest, highest] = RangeOfEnum(list);
  return number >= lowest && number <= highest;
}

base::Result<std::string> Append(const RevisionList& list, const ListConfig& config,
                                 std::string_view name, std::int64_t number,
                                 std::string_view comment) {
  return AppendAll(list, config, {{std::string(name), number, std::string(comment)}});
}

base::Result<std::string> AppendAll(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewEntry>& entries) {
  if (const auto pending = WithPending(list)) return *pending;
  std::unordered_map<std::int64_t, const Entry*> taken;
  for (const Entry& entry : list.entries) {
    if (entry.kind == EntryKind::Revision) taken.emplace(entry.number, &entry);
  }
  for (const NewEntry& one : entries) {
    if (const std::string why = WhyNoRevision(one.name, config); !why.empty())
      return Refused(list, fmt::format("{} {}", one.name, why));
    if (const Entry* entry = list.Find(one.name))
      return Refused(list, fmt::format("{} already exists ({})", one.name, At(list, *entry)));
    if (const auto holder = taken.find(one.number); holder != taken.end())
      return Refused(list, fmt::format("the number {} is taken by {} ({})", one.number,
                                       holder->second->name, At(list, *holder->second)));
    if (const auto large = DoesNotFit(list, one.number)) return *large;
  }
  Body body = Body::Split(list);
  std::size_t at = detail::InsertionPoint(body, list, config);
  if (body.items.empty()) body.trailing_comma = body.end_gap.find('\n') != std::string::npos;
  const bool newest_first = list.NewestFirst();
  detail::CommentColumns columns(body);
  for (const NewEntry& one : entries) {
    detail::Insert(
        body, at,
        detail::StyledItem(body, columns, newest_first, at, one.name, one.number, one.comment),
        newest_first);
    columns.Inserted(body, at);
    if (!newest_first) ++at;
  }
  return Edited(body, list, config);
}

base::Result<std::string> MoveToEnd(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewNumber>& changes) {
  if (const auto pending = WithPending(list)) return *pending;
  Body body = Body::Split(list);
  const Entry* const current = list.Current(config);
  std::vector<Moved> moved;
  for (const NewNumber& change : changes) {
    const std::size_t at = body.Find(change.name);
    if (at == body.items.size() || body.items[at].kind != EntryKind::Revision) {
      return Refused(list, change.name + " is not a revision of this list, or is named twice");
    }
    if (const auto large = DoesNotFit(list, change.number)) return *large;
    Moved one{detail::TakeOut(body, at), {}};
    detail::RenumberComments(one.revision, one.revision.number, change.number);
    // Update an explicit number. Leave an implicit entry unchanged, because its new position may
    // already imply the right number.
    if (one.revision.Explicit() && one.revision.number != change.number)
      detail::SetNumber(body, one.revision, change.number);
    one.revision.number = change.number;
    // Move the revision's aliases, too, because an alias must come after its entry.
    for (std::size_t i = 0; i < body.items.size();) {
      const bool names_it = body.items[i].alias_of == change.name &&
                            (current == nullptr || body.items[i].name != current->name);
      if (!names_it) {
        ++i;
      } else {
        one.aliases.push_back(detail::TakeOut(body, i));
      }
    }
    moved.push_back(std::move(one));
  }
  for (const Moved& one : moved) {
    for (const Item& item : body.items) {
      if (item.kind != EntryKind::Revision || item.number != one.revision.number) continue;
      return Refused(list, fmt::format("the number {} is taken by {}", item.number, item.name));
    }
  }
  for (Moved& one : moved) {
    std::size_t at = detail::InsertionPoint(body, list, config);
    detail::Insert(body, at, std::move(one.revision), list.NewestFirst());
    for (Item& alias : one.aliases) detail::Insert(body, ++at, std::move(alias));
  }
  return Edited(body, list, config);
}

base::Result<std::string> KeepFormerName(const RevisionList& list, const ListConfig& config,
                                         const std::string& name, const std::string& former) {
  if (const auto pending = WithPending(list)) return *pending;
  Body body = Body::Split(list);
  const std::size_t at = body.Find(name);
  if (at == body.items.size() || body.items[at].kind != EntryKind::Revision)
    return Refused(list, name + " is not a revision of this list");
  const detail::CommentColumns columns(body);
  Item alias = detail::StyledItem(body, columns, list.NewestFirst(), at + 1, name,
                                  body.items[at].number, "");
  if (!alias.Explicit()) alias.assign = " = ";
  alias.initializer = former;
  alias.tail = body.items[at].OwnLine() ? body.line_end : std::string();
  alias.comma_at = 0;
  alias.kind = EntryKind::Alias;
  alias.alias_of = former;
  Item& item = body.items[at];
  item.name = former;
  item.head.replace(item.head.find(name), name.size(), former);
  detail::Insert(body, at + 1, std::move(alias));
  return detail::RenderNumbered(body, config, list.path);
}

base::Result<std::string> Remove(const RevisionList& list, const ListConfig& config,
                                 const std::vector<std::string>& names) {
  if (const auto pending = WithPending(list)) return *pending;
  Body body = Body::Split(list);
  for (const std::string& name : names) {
    const std::size_t at = body.Find(name);
    if (at == body.items.size()) return Refused(list, name + " is not an entry of this list");
    detail::TakeOut(body, at);
  }
  return Edited(body, list, config);
}

base::Result<Purged> Purge(const RevisionList& list, const ListConfig& config,
                           std::string_view below) {
  if (const auto pending = WithPending(list)) return *pending;
  const Entry* const oldest = list.Find(below);
  if (oldest == nullptr || oldest->kind != EntryKind::Revision)
    return Refused(list, std::string(below) + " is not a revision of this list");
  const auto root = LineageFromText(config.lineage_root);
  if (!root)
    return Refused(list, fmt::format("lineage_root {} is neither 0 nor 16 hexadecimal digits",
                                     config.lineage_root));
  Purged purged;
  purged.lineage_root = config.lineage_root;
  for (const Lineage& lineage : Lineages(list, *root)) {
    if (lineage.number < oldest->number) purged.lineage_root = LineageText(lineage.hash);
  }
  Body body = Body::Split(list);
  std::set<std::string> dropped;
  for (const Entry* entry : list.Revisions()) {
    if (entry->number >= oldest->number) continue;
    purged.dropped.push_back(entry->name);
    dropped.insert(entry->name);
  }
  std::vector<Item> moved;
  for (std::size_t i = 0; i < body.items.size();) {
    const bool gone = dropped.contains(body.items[i].name);
    if (!gone && !dropped.contains(body.items[i].alias_of)) {
      ++i;
      continue;
    }
    Item item = detail::TakeOut(body, i);
    if (gone) continue;
    if (!NamesOldest(item.name)) {
      // Drop the alias, because its revision is gone.
      purged.aliases_dropped.push_back(item.name);
      continue;
    }
    purged.aliases_moved.push_back(item.name);
    item.initializer = detail::Renamed(item.initializer, item.alias_of, oldest->name);
    item.alias_of = below;
    item.number = oldest->number;
    moved.push_back(std::move(item));
  }
  // Insert the moved aliases after the entries that they name.
  for (std::size_t i = 0; i < body.items.size() && !moved.empty(); ++i) {
    if (body.items[i].name != below) continue;
    for (Item& item : moved) detail::Insert(body, ++i, std::move(item));
    break;
  }
  TRY(auto text, detail::RenderNumbered(body, config, list.path));
  purged.text = std::move(text);
  return purged;
}

std::string NewList(const ListConfig& config) {
  std::string scope, name = config.enum_name.empty() ? "Revision" : config.enum_name;
  if (const std::size_t cut = name.rfind("::"); cut != std::string::npos) {
    scope = name.substr(0, cut);
    name.erase(0, cut + 2);
  }
  const std::string initial = config.prefix + "INITIAL";
  std::string text = fmt::format(
      "#pragma once\n"
      "\n"
      "// Every change to the saved data has an entry here, in the order in which the changes "
      "landed. An entry that has landed\n"
      "// never changes. To add one: revctl reserve {}NAME -m \"what it is for\"\n",
      config.prefix);
  if (!scope.empty()) text += fmt::format("namespace {} {{\n\n", scope);
  text += fmt::format("enum {}\n{{\n    {} = 1,  // the first\n", name, initial);
  if (!config.sentinel.empty()) text += fmt::format("    {},\n", config.sentinel);
  if (!config.current.empty()) text += fmt::format("    {} = {},\n", config.current, initial);
  text += "};\n";
  if (!scope.empty()) text += fmt::format("\n}}  // namespace {}\n", scope);
  return text;
}

}  // namespace revctl::list
