#include <fmt/core.h>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/list/entry_style.h"
#include "revctl/list/judgement.h"

namespace revctl::list::detail {
namespace {

std::string_view Trailing(const RevisionList& list, const Entry& entry) {
  return std::string_view(list.text).substr(entry.comment_span.begin,
                                            entry.comment_span.end - entry.comment_span.begin);
}

/// The number that an entry's comment begins with.
std::optional<std::int64_t> Kept(const RevisionList& list, const Entry& entry) {
  const auto number = LeadingNumber(Trailing(list, entry));
  return number ? std::optional(number->number) : std::nullopt;
}

/// Numbers of three digits or more that stand alone in a comment: no date, no version, no ticket.
std::vector<std::int64_t> NumbersIn(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && base::IsDigit(text[i]); };
  const auto joins = [&](std::size_t i) {
    return i < text.size() && (base::IsAlphanumeric(text[i]) ||
                               std::string_view("_#$%&'@").find(text[i]) != std::string_view::npos);
  };
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(i)) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (digit(i)) ++i;
    const bool before =
        begin > 0 && (joins(begin - 1) ||
                      (std::string_view(".,-/:").find(text[begin - 1]) != std::string_view::npos &&
                       begin > 1 && digit(begin - 2)));
    const bool behind =
        joins(i) ||
        (i < text.size() && std::string_view(".,-/:").find(text[i]) != std::string_view::npos &&
         digit(i + 1));
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data() + begin, text.data() + i, number);
    if (!before && !behind && i - begin >= 3 && read.ec == std::errc()) numbers.push_back(number);
  }
  return numbers;
}

std::int64_t Apart(std::int64_t a, std::int64_t b) { return a > b ? a - b : b - a; }

/// A number near its own in what is said of a new entry, where its own is not said: most likely the
/// one it had before. That of a revision which is named beside it is meant.
std::optional<std::int64_t> Outdated(const Judgement& j, const Entry& entry) {
  if (entry.number < 100) return std::nullopt;
  const std::string text = fmt::format(
      "{}\n{}", j.merged.text.substr(entry.lines.begin, entry.name_span.begin - entry.lines.begin),
      Trailing(j.merged, entry));
  std::optional<std::int64_t> outdated;
  std::set<std::int64_t> meant;  // each number is looked for once, however often it stands there
  for (const std::int64_t number : NumbersIn(text)) {
    if (number == entry.number) return std::nullopt;
    if (Apart(number, entry.number) > 50 || number == outdated) continue;
    const auto owner = j.landed_by_number.find(number);
    const bool named =
        owner != j.landed_by_number.end() &&
        (meant.contains(number) || text.find(owner->second->name) != std::string::npos);
    if (named) meant.insert(number);
    if (!named) outdated = number;
  }
  return outdated;
}

}  // namespace

void JudgeComments(Judgement& j) {
  // Landed entries: only in a list that keeps numbers in its comments; elsewhere a comment may well
  // begin with one.
  std::size_t agree = 0, disagree = 0;
  for (const Entry& entry : j.merged.entries) {
    const auto number = Kept(j.merged, entry);
    if (entry.kind != EntryKind::Revision || !number) continue;
    (*number == entry.number ? agree : disagree) += 1;
  }
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind != EntryKind::Revision) continue;
    const Entry* const before = j.Landed(entry.name);
    auto number = Kept(j.merged, entry);
    if (number == entry.number ||
        (number && before != nullptr && Kept(*j.lists.target, *before) == number))
      continue;
    const bool kept = agree >= 2 && agree > disagree;
    const bool near =
        number && agree >= 1 && entry.number >= 100 && Apart(*number, entry.number) <= 50;
    if (!(number && kept) && !near) number = before == nullptr ? Outdated(j, entry) : std::nullopt;
    if (!number) continue;
    j.Add("RV010", &entry, entry.name,
          fmt::format("{} is {}, and its comment says {}", entry.name, Text(entry.number),
                      Text(*number)),
          fmt::format("write {} in the comment", Text(entry.number)), findings::Severity::Warning);
  }
}

}  // namespace revctl::list::detail
