// The lines by which a list includes its pending revisions: once, and for good.
#include "revctl/pending/block.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/body.h"
#include "revctl/pending/paths.h"

namespace revctl::pending {
namespace {

using base::Error;
using base::Exit;
using base::Result;
using list::detail::Body;
using list::detail::Item;

std::string IncludeName(const list::ListConfig& config) {
  const std::string path = IncludePath(config);
  return fmt::format("\"{}\"", path.substr(path.rfind('/') + 1));
}

std::string Block(const list::ListConfig& config, const std::string& line_end) {
  const std::string name = IncludeName(config);
  return fmt::format("#if __has_include({}){}#include {}{}#endif{}", name, line_end, name, line_end,
                     line_end);
}

/// The edit has to leave every entry and its number as it was.
Result<std::string> Checked(const list::RevisionList& before, const list::ListConfig& config,
                            std::string text, const std::string& added) {
  TRY(auto after, list::Parse(text, config, before.path));
  for (const list::Entry& entry : before.entries) {
    const list::Entry* now = after.Find(entry.name);
    if (now == nullptr || now->number != entry.number)
      return Error{Exit::Usage,
                   fmt::format("{}: {} would not stay what it is", before.path, entry.name), ""};
  }
  if (after.entries.size() != before.entries.size() + (added.empty() ? 0 : 1))
    return Error{Exit::Usage, before.path + ": the list would not keep its entries", ""};
  return text;
}

/// Where the sentinel is that `current` counts from, made where there is none. Gives its name.
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
      return Error{
          Exit::Usage,
          fmt::format("{}: {} would be the sentinel that {} counts from, and is another entry",
                      list.path, name, current->name),
          "give the list a sentinel by hand, and name it as `sentinel` in .revctl.yaml"};
    added = name;
    Item fresh = item;
    fresh.gap.clear();
    fresh.name = fresh.head = name;
    fresh.assign.clear();
    fresh.initializer.clear();
    fresh.alias_of.clear();
    fresh.kind = list::EntryKind::Sentinel;
    // Without the comment of `current`; the line stays one.
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

bool HasBlock(const list::RevisionList& list, const list::ListConfig& config) {
  const std::string line = "#include " + IncludeName(config);
  return std::any_of(list.directives.begin(), list.directives.end(), [&](const auto& directive) {
    return list.text.compare(directive.span.begin, line.size(), line) == 0;
  });
}

Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config) {
  if (list.NewestFirst())
    return Error{Exit::Usage,
                 list.path + ": has its newest revision first, and pending ones come last",
                 "keep `numbers: at-reserve`, or turn the list around: a new list, oldest first"};
  Body body = Body::Split(list);
  if (body.comma_first)
    return Error{Exit::Usage,
                 list.path + ": begins its lines with commas, and an included entry ends with one",
                 "move the commas to the ends of the lines"};
  std::string added;
  TRY(DeriveCurrent(body, list, config, added));
  if (!HasBlock(list, config)) {
    const std::size_t at = list::detail::InsertionPoint(body, list, config);
    std::string block = Block(config, body.line_end);
    if (at == body.items.size()) body.trailing_comma = true;
    std::string& gap = at < body.items.size() ? body.items[at].gap : body.end_gap;
    const bool line_ends = at > 0 && body.items[at - 1].OwnLine();
    if (line_ends) {
      gap = block + gap;
    } else {
      // Behind what stands on the line of the last revision; what follows begins a line.
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
  const std::size_t begin = text.find(lines[0]);
  if (begin == std::string::npos) return text;
  std::size_t end = begin;
  for (const std::string& line : lines) {
    if (text.compare(end, line.size(), line) != 0)
      return Error{Exit::Usage,
                   list.path + ": the lines that include pending revisions were edited",
                   fmt::format("take them out by hand: #if __has_include({}) to its #endif", name)};
    end = text.find('\n', end);
    end = end == std::string::npos ? text.size() : end + 1;
  }
  text.erase(begin, end - begin);
  return Checked(list, config, std::move(text), "");
}

}  // namespace revctl::pending
