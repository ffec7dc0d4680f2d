#include "revctl/list/writing/entry_style.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <optional>

#include "revctl/base/ascii.h"

namespace revctl::list::detail {
namespace {

bool IsInNumber(char c) { return base::IsWord(c) || c == '\''; }

bool IsRevision(const Item& item) { return item.kind == EntryKind::Revision; }

/// Returns the entry whose style a new entry at `at` copies: the adjacent revision, or any other
/// entry if there is no adjacent revision.
const Item* Neighbour(const Body& body, std::size_t at, bool newest_first) {
  if (newest_first) {
    for (std::size_t i = at; i < body.items.size(); ++i) {
      if (IsRevision(body.items[i])) return &body.items[i];
    }
  }
  for (std::size_t i = std::min(at, body.items.size()); i > 0; --i) {
    if (IsRevision(body.items[i - 1])) return &body.items[i - 1];
  }
  const auto any = std::find_if(body.items.begin(), body.items.end(), IsRevision);
  if (any != body.items.end()) return &*any;
  return body.items.empty() ? nullptr : &body.items.front();
}

std::string AsHex(std::string_view like, std::int64_t number) {
  const bool upper =
      std::any_of(like.begin() + 2, like.end(), [](char c) { return c >= 'A' && c <= 'F'; });
  std::string digits;
  for (auto rest = static_cast<std::uint64_t>(number); rest != 0 || digits.empty(); rest >>= 4) {
    digits += upper ? base::Upper(base::HexDigit(rest)) : base::HexDigit(rest);
  }
  const std::size_t width =
      static_cast<std::size_t>(std::count_if(like.begin() + 2, like.end(), IsInNumber));
  if (like.size() > 2 && like[2] == '0')
    digits.append(width > digits.size() ? width - digits.size() : 0, '0');
  std::reverse(digits.begin(), digits.end());
  return std::string(like.substr(0, 2)) + digits;
}

/// Returns `number` as a string, in hexadecimal if `like` is hexadecimal, otherwise in decimal.
std::string NumberText(std::string_view like, std::int64_t number) {
  const bool hex =
      like.size() > 2 && like[0] == '0' && (like[1] == 'x' || like[1] == 'X') && number >= 0 &&
      std::all_of(like.begin() + 2, like.end(), [](char c) { return base::HexValue(c) >= 0; });
  if (hex) return AsHex(like, number);
  if (number == INT64_MIN) return "-9223372036854775807 - 1";  // C++ has no literal for INT64_MIN
  return std::to_string(number);
}

/// Returns the last revision with an explicit number, or null.
const Item* LastExplicit(const Body& body) {
  const auto found = std::find_if(body.items.rbegin(), body.items.rend(), [](const Item& one) {
    return IsRevision(one) && one.Explicit();
  });
  return found != body.items.rend() ? &*found : nullptr;
}

/// Returns the text between a name and its number in the style of `like`. Aligns the '=' if `like`
/// is padded.
std::string AssignText(const Item& like, const Item& item) {
  const std::size_t equals = like.assign.find('=');
  if (equals == std::string::npos || like.assign.find('\n') != std::string::npos ||
      like.assign.find('/') != std::string::npos)
    return " = ";
  if (equals <= 1) return like.assign;
  const std::size_t wanted = Column(like.lead + like.head + like.assign.substr(0, equals));
  const std::size_t now = Column(item.lead + item.head);
  return std::string(wanted > now ? wanted - now : 1, ' ') + like.assign.substr(equals);
}

/// True if the list's entries omit implied numbers more often than they spell them out.
bool PrefersImplicit(const Body& body) {
  int implicit = 0, redundant = 0, written = 0;
  const Item* before = nullptr;
  for (auto item = body.items.rbegin(); item != body.items.rend() && implicit + written < 12;
       ++item) {
    if (!IsRevision(*item)) continue;
    before = item + 1 != body.items.rend() ? &*(item + 1) : nullptr;
    if (before == nullptr) break;
    if (!item->Explicit()) {
      ++implicit;
    } else {
      ++written;
      redundant += item->number == before->number + 1 ? 1 : 0;
    }
  }
  if (implicit == 0)
    return written == 0 && !body.items.empty() && !body.items.back().Explicit() &&
           IsRevision(body.items.back());
  return implicit >= redundant;
}

/// Returns a comment's text as a single line that cannot end the comment early.
std::string Tamed(std::string_view comment, bool block) {
  std::string text;
  for (char c : comment) text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  for (std::size_t end = block ? text.find("*/") : text.npos; end != text.npos;
       end = text.find("*/", end))
    text.replace(end, 2, "* /");
  while (!text.empty() && (text.back() == '\\' || text.back() == ' ')) text.pop_back();
  return text;
}

/// Returns the length of a comment's marker (`//`, `///<`, `/**`), including the whitespace after
/// it.
std::size_t MarkerLength(std::string_view comment) {
  std::size_t i = std::min<std::size_t>(2, comment.size());
  while (i < comment.size() &&
         (comment[i] == '/' || comment[i] == '!' || comment[i] == '*' || comment[i] == '<'))
    ++i;
  while (i < comment.size() && (comment[i] == ' ' || comment[i] == '\t')) ++i;
  return i;
}

std::string TailText(const Body& body, const CommentColumns& columns, const Item* commented,
                     const Item& item, std::string_view comment, bool own_line) {
  const std::string line_end = own_line ? body.line_end : std::string();
  if (commented == nullptr) {
    const std::string text = Tamed(comment, !own_line);
    if (text.empty()) return line_end;
    if (!own_line) return " /* " + text + " */";
    // Omit the space if the list has none around '=': `SR_COOL_THING=666,// ae: what it is for`.
    const bool tight = item.assign == "=";
    return std::string(tight ? "// " : " // ") + text + line_end;
  }
  const std::size_t at = CommentIn(commented->tail);
  const std::string_view theirs = std::string_view(commented->tail).substr(at);
  const bool block = theirs.starts_with("/*") || !own_line;
  std::string text = Tamed(comment, block);
  const auto number = LeadingNumber(theirs);
  const bool numbered = number && number->number == commented->number;
  if (numbered) {
    const std::size_t marker = MarkerLength(theirs);
    const std::string_view before = theirs.substr(marker, number->span.begin - marker);
    std::size_t stop = number->span.end;
    while (stop < theirs.size() &&
           std::string_view(":)]").find(theirs[stop]) != std::string_view::npos)
      ++stop;
    const std::string_view behind = theirs.substr(number->span.end, stop - number->span.end);
    text = fmt::format("{}{}{}{}{}", before, item.number, behind, text.empty() ? "" : " ", text);
  }
  if (text.empty()) return line_end;
  std::string marker(theirs.substr(0, MarkerLength(theirs)));
  if (!own_line && !theirs.starts_with("/*")) marker = "/* ";
  if (marker.find_first_of(" \t") == std::string::npos && block) marker += ' ';
  const std::size_t comma = std::min(commented->comma_at, at);
  std::string blanks = commented->tail.substr(comma, at - comma);
  if (columns.IsAligned(*commented)) {
    const std::size_t wanted = CommentColumn(*commented);
    const std::size_t now =
        Column(fmt::format("{}{}{}{},", item.lead, item.head, item.assign, item.initializer));
    const bool tabs = blanks.find('\t') != std::string::npos;
    blanks = tabs ? std::string(wanted > now ? (wanted / 4) - (now / 4) : 1, '\t')
                  : std::string(wanted > now ? wanted - now : 1, ' ');
    if (blanks.empty()) blanks = " ";
  }
  return blanks + marker + text + (block ? " */" : "") + line_end;
}

}  // namespace

Item StyledItem(const Body& body, const CommentColumns& columns, bool newest_first, std::size_t at,
                std::string_view name, std::int64_t number, std::string_view comment) {
  const Item* const neighbour = Neighbour(body, at, newest_first);
  Item item;
  item.name = name;
  item.head = name;
  item.number = number;
  bool own_line = body.end_gap.find('\n') != std::string::npos;
  if (neighbour != nullptr) {
    // Copy the indentation and a leading comma, but omit the neighbor's own comment lines.
    item.lead = neighbour->lead.substr(neighbour->lead.rfind('\n') + 1);
    if (const std::size_t note = item.lead.find("/*"); note != std::string::npos)
      item.lead.resize(note);
    own_line = neighbour->OwnLine() || !item.lead.empty();
    // If the neighbor shares its line, copy the indentation of an entry that begins a line.
    if (own_line && item.lead.empty()) {
      const auto indented = std::find_if(body.items.begin(), body.items.end(),
                                         [](const Item& one) { return !one.lead.empty(); });
      item.lead = indented == body.items.end()
                      ? "    "
                      : indented->lead.substr(indented->lead.rfind('\n') + 1);
    }
    if (body.comma_first && item.lead.find(',') == std::string::npos) item.lead += ", ";
  } else if (own_line) {
    item.lead = "    ";
  }
  const std::int64_t yields = at > 0 ? body.items[at - 1].number + 1 : 0;
  const bool implicit =
      neighbour != nullptr && PrefersImplicit(body) && !newest_first && yields == number;
  if (!implicit) {
    const bool written = neighbour != nullptr && neighbour->Explicit();
    const Item* const like = written ? neighbour : LastExplicit(body);
    item.assign = like != nullptr ? AssignText(*like, item) : body.items.empty() ? "=" : " = ";
    item.initializer = NumberText(
        like != nullptr ? std::string_view(like->initializer) : std::string_view(), number);
  }
  item.tail = TailText(body, columns, columns.Nearest(body, neighbour), item, comment, own_line);
  return item;
}

void SetNumber(const Body& body, Item& item, std::int64_t number) {
  item.number = number;
  if (item.Explicit()) {
    item.initializer = NumberText(item.initializer, number);
    return;
  }
  const Item* const like = LastExplicit(body);
  item.assign = like != nullptr ? AssignText(*like, item) : " = ";
  item.initializer = NumberText(
      like != nullptr ? std::string_view(like->initializer) : std::string_view(), number);
}

std::optional<CommentNumber> LeadingNumber(std::string_view comment) {
  std::size_t i = 0;
  while (i < comment.size() &&
         std::string_view("/*!< \t=([").find(comment[i]) != std::string_view::npos)
    ++i;
  const bool negative =
      i + 1 < comment.size() && comment[i] == '-' && base::IsDigit(comment[i + 1]);
  const std::size_t begin = i;
  if (negative) ++i;
  const std::size_t digits = i;
  while (i < comment.size() && base::IsDigit(comment[i])) ++i;
  if (i == digits || (i < comment.size() && IsInNumber(comment[i]))) return std::nullopt;
  // Ignore numbers that are not revisions: releases such as 1.0.3, fractions such as 2/3, and
  // percentages.
  if (i + 1 < comment.size() && (comment[i] == '.' || comment[i] == '/' || comment[i] == ',') &&
      base::IsDigit(comment[i + 1]))
    return std::nullopt;
  if (i < comment.size() && comment[i] == '%') return std::nullopt;
  CommentNumber found{{begin, i}, 0};
  const auto [end, error] =
      std::from_chars(comment.data() + begin, comment.data() + i, found.number);
  if (error != std::errc() || end != comment.data() + i) return std::nullopt;
  return found;
}

namespace {

std::string WithNumberReplaced(std::string_view comment, std::int64_t old_number,
                               std::int64_t new_number) {
  const std::string old_text = std::to_string(old_number), new_text = std::to_string(new_number);
  const auto leading = LeadingNumber(comment);
  std::string out;
  for (std::size_t i = 0; i < comment.size();) {
    const bool here = comment.substr(i, old_text.size()) == old_text;
    const std::size_t end = i + old_text.size();
    const char before = i == 0 ? ' ' : comment[i - 1],
               after = end >= comment.size() ? ' ' : comment[end];
    const bool alone =
        !IsInNumber(before) && before != '#' && before != '.' && before != '-' &&
        !IsInNumber(after) &&
        !(after == '.' && end + 1 < comment.size() && base::IsDigit(comment[end + 1]));
    const bool leads = leading && leading->span.begin == i && leading->number == old_number;
    if (here && alone && (leads || old_text.size() >= 3)) {
      out += new_text;
      i = end;
    } else {
      out += comment[i++];
    }
  }
  return out;
}

}  // namespace

void RenumberComments(Item& item, std::int64_t old_number, std::int64_t new_number) {
  if (old_number == new_number) return;
  item.tail = WithNumberReplaced(item.tail, old_number, new_number);
  std::string lead;
  for (std::size_t begin = 0; begin < item.lead.size();) {
    const std::size_t newline = item.lead.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? item.lead.size() : newline + 1;
    lead += WithNumberReplaced(std::string_view(item.lead).substr(begin, end - begin), old_number,
                               new_number);
    begin = end;
  }
  item.lead = lead;
}

}  // namespace revctl::list::detail
