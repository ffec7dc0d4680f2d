// Adds and checks the lines with which a list includes its pending revisions. These lines are added
// once and stay in the list.
#include "revctl/pending/block.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/file.h"
#include "revctl/list/writing/body.h"
#include "revctl/pending/pending_file.h"

namespace revctl::pending {
namespace {

using list::detail::Body;
using list::detail::Item;

std::string IncludeName(const list::ListConfig& config) {
  const std::string path = IncludePath(config);
  return fmt::format("\"{}\"", base::FileName(path));
}

Error Edited(const list::RevisionList& list, const list::ListConfig& config) {
  return {Exit::Usage, list.path + ": the lines that include pending revisions were edited",
          fmt::format("remove the #if __has_include({})...#endif block", IncludeName(config))};
}

bool Begins(const list::RevisionList& list, const list::Directive& directive,
            std::string_view words) {
  return list.text.compare(directive.span.begin, words.size(), words) == 0;
}

int LineOf(const list::RevisionList& list, const list::Directive& directive) {
  const auto begin = list.text.begin();
  return 1 + static_cast<int>(std::count(
                 begin, begin + static_cast<std::ptrdiff_t>(directive.span.begin), '\n'));
}

/// Parses `text` and checks that no entry has a different number than in `before`.
Result<std::string> Checked(const list::RevisionList& before, const list::ListConfig& config,
                            std::string text, const std::string& added) {
  TRY(auto after, list::Parse(text, config, before.path));
  for (const list::Entry& entry : before.entries) {
    const list::Entry* now = after.Find(entry.name);
    if (now == nullptr || now->number != entry.number)
      return Error{Exit::Usage,
                   fmt::format("{}: {} would get a different value", before.path, entry.name), ""};
  }
  if (after.entries.size() != before.entries.size() + (added.empty() ? 0 : 1))
    return Error{Exit::Usage, before.path + ": the list would lose or gain entries", ""};
  return text;
}

/// Defines `current` relative to the sentinel, and adds a sentinel if there is none. Returns the
/// sentinel's name, or "" if `current` needs no change.
Result<std::string> DeriveCurrent(Body& body, const list::RevisionList& list,
                                  const list::ListConfig& config, std::string& added) {
  const list::Entry* current = list.Current(config);
  if (current == nullptr || !current->one_below.empty()) return std::string();
  std::size_t at = body.Find(current->name);
  Item item = list::detail::TakeOut(body, at);
  const auto sentinel = std::find_if(body.items.begin(), body.items.end(), [](const Item& one) {
    return one.kind == list::EntryKind::Sentinel;
  });
  std::string name;
  if (sentinel != body.items.end()) {
    name = sentinel->name;
    at = static_cast<std::size_t>(sentinel - body.items.begin()) + 1;
  } else {
    name = config.prefix + "LATEST_PLUS_ONE";
    if (list.Find(name) != nullptr)
      return Error{Exit::Usage,
                   fmt::format("{}: cannot add the sentinel {}, which {} would be computed from, "
                               "because the list already has an entry with that name",
                               list.path, name, current->name),
                   "add a sentinel to the list, and set `sentinel` to its name in .revctl.yaml"};
    added = name;
    Item fresh = item;
    fresh.gap.clear();
    fresh.name = fresh.head = name;
    fresh.assign.clear();
    fresh.initializer.clear();
    fresh.alias_of.clear();
    fresh.kind = list::EntryKind::Sentinel;
    // The comment in the tail belongs to `current`, so do not copy it to the sentinel.
    fresh.tail = item.OwnLine() ? body.line_end : std::string();
    fresh.comma_at = 0;
    fresh.lead = fresh.lead.substr(fresh.lead.rfind('\n') + 1);
    list::detail::Insert(body, at, std::move(fresh));
    ++at;
  }
  item.initializer = name + " - 1";
  item.alias_of.clear();
  item.one_below = name;
  if (item.assign.empty()) item.assign = " = ";
  list::detail::Insert(body, at, std::move(item));
  return name;
}

}  // namespace

std::string BlockText(const list::ListConfig& config, const std::string& line_end) {
  const std::string name = IncludeName(config);
  return fmt::format("#if __has_include({}){}#include {}{}#endif{}", name, line_end, name, line_end,
                     line_end);
}

std::optional<BlockFault> FaultOfBlock(const list::RevisionList& list,
                                       const list::ListConfig& config) {
  const std::string name = IncludeName(config);
  const auto begins = [&](const list::Directive& directive, std::string_view words) {
    return Begins(list, directive, words);
  };
  const auto at = [&](const list::Directive& directive) { return LineOf(list, directive); };
  const list::Entry* last = nullptr;
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Revision) last = &entry;
  }
  const std::size_t revisions_end = last == nullptr ? list.body.begin : last->name_span.end;
  const list::Directive* include = nullptr;
  // Start offsets of the currently open conditionals, and of those that enclose the include.
  std::vector<std::size_t> open, around;
  const auto& lines = list.directives;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    using Kind = list::Directive::Kind;
    if (lines[i].kind == Kind::If) open.push_back(lines[i].span.begin);
    else if (lines[i].kind == Kind::Endif && !open.empty()) open.pop_back();
    else if (lines[i].kind == Kind::Else && !open.empty()) open.back() = lines[i].span.begin;
    if (!begins(lines[i], "#include " + name)) continue;
    if (include != nullptr)
      return BlockFault{"the list includes its pending revisions more than once", at(lines[i])};
    include = &lines[i];
    around = open;
    if (i == 0 || !begins(lines[i - 1], fmt::format("#if __has_include({})", name)) ||
        i + 1 == lines.size() || lines[i + 1].kind != Kind::Endif)
      return BlockFault{
          fmt::format("#include {} must be between #if __has_include({}) and #endif", name, name),
          at(lines[i])};
  }
  if (include == nullptr)
    return BlockFault{
        "the list does not include its pending revisions, so code that uses them does not compile",
        0};
  around.pop_back();  // drop the conditional that guards the include itself
  if (std::any_of(around.begin(), around.end(),
                  [&](std::size_t begin) { return begin > revisions_end; }))
    return BlockFault{"the lines that include pending revisions are inside another #if",
                      at(*include)};
  if (include->span.begin < revisions_end)
    return BlockFault{fmt::format("the lines that include pending revisions are before {}, but "
                                  "must come after the last revision",
                                  last->name),
                      at(*include)};
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Sentinel && entry.name_span.begin > revisions_end &&
        entry.name_span.begin < include->span.begin)
      return BlockFault{fmt::format("the lines that include pending revisions are after {}, but "
                                    "must come before it, because its value depends on them",
                                    entry.name),
                        at(*include)};
  }
  return std::nullopt;
}

std::optional<BlockFault> StrayInclude(const list::RevisionList& list,
                                       const list::ListConfig& config, bool at_landing) {
  const std::string own = fmt::format("#include {}", IncludeName(config));
  for (const list::Directive& directive : list.directives) {
    // Also report includes that are not compiled, although they are harmless.
    const std::string_view line = std::string_view(list.text).substr(
        directive.span.begin, directive.span.end - directive.span.begin);
    if (!line.starts_with("#include ") || line.find(".pending.inc\"") == line.npos) continue;
    if (!Begins(list, directive, own))
      return BlockFault{"revctl cannot read entries from another file", LineOf(list, directive)};
    if (!at_landing)
      return BlockFault{
          "the list #includes a pending file, but has `numbers: at-reserve`, so the compiler would "
          "see the entries in that file, but revctl would not",
          LineOf(list, directive)};
  }
  return std::nullopt;
}

Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config) {
  if (list.NewestFirst())
    return Error{Exit::Usage,
                 list.path + ": begins with its newest revision, but pending revisions come last",
                 "keep `numbers: at-reserve`, or write a new list with the oldest revision first"};
  const auto fault = FaultOfBlock(list, config);
  if (fault && fault->line != 0) {
    TRY(const auto text, WithoutBlock(list, config));
    if (text == list.text) return Edited(list, config);
    TRY(const auto without, list::Parse(text, config, list.path));
    return WithBlock(without, config);
  }
  Body body = Body::Split(list);
  if (body.comma_first)
    return Error{
        Exit::Usage,
        list.path +
            ": has its commas at the beginning of lines, but included entries end with a comma",
        "move the commas to the ends of the lines"};
  std::string added;
  TRY(DeriveCurrent(body, list, config, added));
  if (fault) {
    const std::size_t at = list::detail::InsertionPoint(body, list, config);
    std::string block = BlockText(config, body.line_end);
    if (at == body.items.size()) body.trailing_comma = true;
    std::string& gap = at < body.items.size() ? body.items[at].gap : body.end_gap;
    const bool line_ends = at > 0 && body.items[at - 1].OwnLine();
    if (line_ends) {
      gap = block + gap;
    } else {
      // Insert the block after the line of the last revision, and begin a new line after the block.
      if (at > 0 && body.brace_on_line && at == body.items.size()) body.brace_on_line = false;
      gap = body.line_end + block +
            gap.substr(std::min(gap.find_first_not_of(" \t\r\n"), gap.size()));
    }
  }
  return Checked(list, config, body.Render(), added);
}

Result<std::string> WithoutBlock(const list::RevisionList& list, const list::ListConfig& config) {
  std::string text = list.text;
  const std::string name = IncludeName(config);
  const std::string lines[] = {fmt::format("#if __has_include({})", name), "#include " + name,
                               "#endif"};
  for (std::size_t begin = text.find(lines[0]); begin != text.npos; begin = text.find(lines[0])) {
    std::size_t end = begin;
    for (const std::string& line : lines) {
      if (text.compare(end, line.size(), line) != 0) return Edited(list, config);
      end = text.find('\n', end);
      end = end == std::string::npos ? text.size() : end + 1;
    }
    text.erase(begin, end - begin);
  }
  if (text == list.text) return text;
  return Checked(list, config, std::move(text), "");
}

}  // namespace revctl::pending
