#include "revctl/list/writing/body.h"

#include <algorithm>

namespace revctl::list::detail {
namespace {

std::string Cut(const RevisionList& list, std::size_t begin, std::size_t end) {
  return list.text.substr(begin, end - begin);
}

bool CommaFirst(const RevisionList& list) {
  std::size_t first = 0, behind = 0;
  for (const Entry& entry : list.entries) {
    if (!entry.comma) continue;
    (*entry.comma >= entry.lines.end ? first : behind) += 1;
  }
  return first > behind;
}

bool HasNewline(std::string_view text) { return text.find('\n') != text.npos; }

/// Returns the offset after the last newline of `text`, or 0 if there is none.
std::size_t LastLine(std::string_view text) {
  const std::size_t newline = text.rfind('\n');
  return newline == text.npos ? 0 : newline + 1;
}

void StripLineEnd(std::string& text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
}

}  // namespace

Body Body::Split(const RevisionList& list) {
  Body body;
  std::size_t at = list.body.begin;
  body.before = list.text.substr(0, at);
  body.after = list.text.substr(list.body.end);
  const std::size_t newline = list.text.find('\n');
  if (newline != list.text.npos && newline > 0 && list.text[newline - 1] == '\r')
    body.line_end = "\r\n";
  body.comma_first = CommaFirst(list);
  body.items.reserve(list.entries.size());
  for (const Entry& entry : list.entries) {
    Item& item = body.items.emplace_back();
    item.name = entry.name;
    item.number = entry.number;
    item.kind = entry.kind;
    item.alias_of = entry.alias_of;
    item.one_below = entry.one_below;
    item.begins_line = entry.lines.begin == 0 || list.text[entry.lines.begin - 1] == '\n';
    item.gap = Cut(list, at, entry.lines.begin);
    item.lead = Cut(list, entry.lines.begin, entry.name_span.begin);
    item.head = Cut(list, entry.name_span.begin, entry.head_end);
    std::size_t end = entry.head_end;
    if (entry.explicit_number) {
      item.assign = Cut(list, entry.head_end, entry.initializer_span.begin);
      item.initializer = Cut(list, entry.initializer_span.begin, entry.initializer_span.end);
      end = entry.initializer_span.end;
    }
    const bool comma_inside = entry.comma && *entry.comma < entry.lines.end;
    if (comma_inside) {
      item.comma_at = *entry.comma - end;
      item.tail = Cut(list, end, *entry.comma) + Cut(list, *entry.comma + 1, entry.lines.end);
    } else {
      item.tail = Cut(list, end, entry.lines.end);
      if (!item.OwnLine())
        // A comment before the closing brace stays with this entry.
        item.comma_at = item.tail.size();
    }
    item.comma_elsewhere = entry.comma.has_value() && !comma_inside;
    body.trailing_comma = entry.comma.has_value();
    at = entry.lines.end;
  }
  if (!body.items.empty() && body.trailing_comma && body.items.back().comma_elsewhere) {
    // If the comma after the last entry is on its own line, make that line part of the entry.
    const Entry& last = list.entries.back();
    Item& item = body.items.back();
    const std::size_t begin = last.explicit_number ? last.initializer_span.end : last.head_end;
    const std::size_t line_end = list.text.find('\n', *last.comma);
    const std::size_t end = line_end < list.body.end ? line_end + 1 : *last.comma + 1;
    item.comma_at = *last.comma - begin;
    item.tail = Cut(list, begin, *last.comma) + Cut(list, *last.comma + 1, end);
    item.comma_elsewhere = false;
    at = end;
  }
  body.end_gap = Cut(list, at, list.body.end);
  body.brace_on_line =
      !body.items.empty() && !body.items.back().OwnLine() && !HasNewline(body.end_gap);
  return body;
}

std::string Item::Chunk(bool with_comma) const {
  const std::size_t cut = std::min(comma_at, tail.size());
  return lead + head + assign + initializer + tail.substr(0, cut) + (with_comma ? "," : "") +
         tail.substr(cut);
}

bool Item::SameText(const Item& other) const {
  return tail == other.tail && initializer == other.initializer && head == other.head &&
         lead == other.lead && assign == other.assign && comma_at == other.comma_at;
}

std::string Body::Render() const {
  std::string text = before;
  text.reserve(before.size() + after.size() + items.size() * 64);
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += items[i].gap;
    text += items[i].Chunk(!items[i].comma_elsewhere && (i + 1 < items.size() || trailing_comma));
  }
  return text + end_gap + after;
}

void Body::WidenEnds() {
  std::string& first = items.empty() ? end_gap : items.front().gap;
  if (const std::size_t newline = first.find('\n'); newline != std::string::npos) {
    before += first.substr(0, newline + 1);
    first.erase(0, newline + 1);
  }
  const std::size_t cut = LastLine(end_gap);
  if (cut > 0 || (!items.empty() && items.back().OwnLine()) ||
      (items.empty() && before.ends_with('\n'))) {
    after = end_gap.substr(cut) + after;
    end_gap.erase(cut);
  }
}

std::size_t Body::Find(std::string_view name) const {
  return static_cast<std::size_t>(
      std::find_if(items.begin(), items.end(),
                   [name](const Item& item) { return item.name == name; }) -
      items.begin());
}

std::size_t AfterLastRevision(const Body& body, const std::string& oldest,
                              const std::string& current) {
  const auto& items = body.items;
  std::size_t at = items.size();
  while (at > 0 && items[at - 1].kind != EntryKind::Revision) --at;
  if (at == 0) return 0;
  const std::string& last = items[at - 1].name;
  while (at < items.size() && items[at].alias_of == last && items[at].name != oldest &&
         items[at].name != current && DirectivesIn(items[at].gap).empty())
    ++at;
  return at;
}

std::size_t InsertionPoint(const Body& body, const RevisionList& list, const ListConfig& config) {
  const auto index_of = [&](auto fits) {
    const auto found = std::find_if(body.items.begin(), body.items.end(), fits);
    return static_cast<std::size_t>(found - body.items.begin());
  };
  if (list.NewestFirst())
    return index_of([](const Item& item) { return item.kind == EntryKind::Revision; });
  const Entry* const entry = list.Current(config);
  const std::string current = entry == nullptr ? std::string() : entry->name;
  if (const std::size_t at = AfterLastRevision(body, config.oldest, current); at > 0) return at;
  // In a list without revisions, insert before the sentinel or CURRENT.
  return index_of(
      [&](const Item& item) { return item.kind == EntryKind::Sentinel || item.name == current; });
}

void Insert(Body& body, std::size_t at, Item item, bool on_top) {
  std::string& next_gap = at < body.items.size() ? body.items[at].gap : body.end_gap;
  if (body.comma_first) {
    if (at > 0) body.items[at - 1].comma_elsewhere = true;
    item.comma_elsewhere = at < body.items.size();
  }
  if (at > 0) {
    Item& before = body.items[at - 1];
    const bool begins_line = item.OwnLine() || !item.lead.empty();
    if (on_top && item.OwnLine() && before.OwnLine()) {
      item.gap = next_gap + item.gap;
      next_gap.clear();
    } else if (begins_line && !before.OwnLine() && !HasNewline(item.gap)) {
      before.tail += body.line_end;
    }
    if (at == body.items.size() && body.brace_on_line) {
      // Keep the brace on the last entry's line, unless the line has a `//` comment, which would
      // swallow the brace.
      if (item.tail.find("//") == std::string::npos) StripLineEnd(item.tail);
    } else if (begins_line && !item.OwnLine()) {
      item.tail += body.line_end;
    }
    if (!begins_line && item.gap.empty()) item.gap = " ";
  } else if (item.OwnLine()) {
    // Insert after the opening brace's line, and after any blank lines and comments above the first
    // entry.
    std::size_t cut = body.items.empty() ? LastLine(next_gap) : next_gap.size();
    if (!HasNewline(body.items.empty() ? std::string_view(next_gap)
                                       : std::string_view(next_gap).substr(0, cut))) {
      // Add a line ending only if there is none, because a second one would create a blank line.
      if (!body.before.ends_with('\n')) item.gap += body.line_end;
    } else {
      item.gap = next_gap.substr(0, cut) + item.gap;
      next_gap.erase(0, cut);
    }
  } else {
    item.gap = " ";
  }
  body.items.insert(body.items.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
}

Item TakeOut(Body& body, std::size_t at) {
  Item item = std::move(body.items[at]);
  body.items.erase(body.items.begin() + static_cast<std::ptrdiff_t>(at));
  std::string& next_gap = at < body.items.size() ? body.items[at].gap : body.end_gap;
  if (body.comma_first && at > 0 && at == body.items.size())
    body.items[at - 1].comma_elsewhere = false;
  if (item.OwnLine() || at == 0) {
    const bool blank = item.gap.find_first_not_of(" \t\r\n") == std::string::npos;
    const bool group_ends = at == body.items.size() || next_gap.find_first_of("\r\n") == 0;
    if (at > 0 && blank && group_ends) return item;
    next_gap = item.gap + next_gap;
  } else if (at == body.items.size() && body.items[at - 1].OwnLine()) {
    // Keep the closing brace on the last entry's line.
    StripLineEnd(body.items[at - 1].tail);
  }
  item.gap.clear();
  return item;
}

std::vector<GapLine> DirectivesIn(std::string_view gap) {
  std::vector<GapLine> lines;
  for (std::size_t begin = 0; begin < gap.size();) {
    std::size_t end = begin;
    do {  // read a line and its continuations
      const std::size_t newline = gap.find('\n', end);
      end = newline == gap.npos ? gap.size() : newline + 1;
    } while (end < gap.size() && ((end >= 2 && gap[end - 2] == '\\') ||
                                  (end >= 3 && gap[end - 2] == '\r' && gap[end - 3] == '\\')));
    const std::string_view line = gap.substr(begin, end - begin);
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash != line.npos && line[hash] == '#') {
      const std::size_t word = line.find_first_not_of(" \t", hash + 1);
      const std::string_view name = word == line.npos ? std::string_view() : line.substr(word);
      GapLine one{{begin, end}, Directive::Kind::Other};
      if (name.starts_with("if")) one.kind = Directive::Kind::If;
      if (name.starts_with("el")) one.kind = Directive::Kind::Else;
      if (name.starts_with("endif")) one.kind = Directive::Kind::Endif;
      lines.push_back(one);
    }
    begin = end;
  }
  return lines;
}

std::string Renamed(const std::string& initializer, const std::string& old_name,
                    const std::string& new_name) {
  const std::size_t at = initializer.rfind(old_name);
  if (old_name.empty() || at == std::string::npos) return new_name;
  return initializer.substr(0, at) + new_name + initializer.substr(at + old_name.size());
}

}  // namespace revctl::list::detail
