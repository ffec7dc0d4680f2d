#include <fmt/core.h>
#include <charconv>
#include <optional>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/list/rules/rule_check.h"
#include "revctl/list/writing/edit.h"
#include "revctl/list/writing/entry_style.h"

namespace revctl::list::detail {

using findings::RuleId;

namespace {

std::string_view Trailing(const RevisionList& list, const Entry& entry) {
  return std::string_view(list.text).substr(entry.comment_span.begin,
                                            entry.comment_span.end - entry.comment_span.begin);
}

/// Returns numbers of three or more digits that are not part of a date, version or ticket number.
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

/// Looks in a new entry's comments for its previous number: a number close to the entry's own.
/// Returns nullopt if there is none. A comment that also contains the entry's own number is up to
/// date. A number is not outdated if the comment names the revision with that number.
std::optional<std::int64_t> Outdated(const RuleCheck& j, const Entry& entry) {
  if (entry.number < 100) return std::nullopt;
  const std::string text = fmt::format(
      "{}\n{}", j.merged.text.substr(entry.lines.begin, entry.name_span.begin - entry.lines.begin),
      Trailing(j.merged, entry));
  std::optional<std::int64_t> outdated;
  std::set<std::int64_t> meant;  // a cache, because the same number may occur often
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

/// How many comments begin with their entry's number, and how many begin with a different number.
struct Kept {
  std::size_t agree = 0, disagree = 0;
};

Kept CountKept(const RevisionList& list) {
  Kept kept;
  for (const Entry& entry : list.entries) {
    const auto number = LeadingNumber(Trailing(list, entry));
    if (entry.kind != EntryKind::Revision || !number) continue;
    (number->number == entry.number ? kept.agree : kept.disagree) += 1;
  }
  return kept;
}

/// Returns the number at the beginning of an entry's comment if it should equal the entry's number
/// but does not. Otherwise returns nullopt.
std::optional<CommentNumber> Wrong(const RuleCheck& j, const Kept& kept, const Entry& entry) {
  const auto number = LeadingNumber(Trailing(j.merged, entry));
  if (!number || number->number == entry.number) return std::nullopt;
  const bool keeps = kept.agree >= 2 && kept.agree > kept.disagree;
  const bool near =
      kept.agree >= 1 && entry.number >= 100 && Apart(number->number, entry.number) <= 50;
  return keeps || near ? number : std::nullopt;
}

/// True if the comment of a landed entry begins with the same number as on the target. Such a
/// comment is not reported.
bool AsLanded(const RuleCheck& j, const Entry& entry) {
  const Entry* const before = j.Landed(entry.name);
  if (before == nullptr) return false;
  const auto now = LeadingNumber(Trailing(j.merged, entry)),
             then = LeadingNumber(Trailing(*j.lists.target, *before));
  return now && then && now->number == then->number;
}

}  // namespace

void CheckComments(RuleCheck& j) {
  const Kept kept = CountKept(j.merged);
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind != EntryKind::Revision || AsLanded(j, entry)) continue;
    const auto add = [&](std::int64_t number, findings::Fix fix) {
      j.Add(RuleId::NumberInComment, &entry, entry.name,
            fmt::format("{} is {}, but its comment says {}", entry.name, Text(entry.number),
                        Text(number)),
            std::move(fix))
          .cause = "comment";
    };
    const auto leading = LeadingNumber(Trailing(j.merged, entry));
    if (leading && leading->number == entry.number) continue;
    if (const auto wrong = Wrong(j, kept, entry)) {
      add(wrong->number, findings::Fix::Mechanical());
    } else if (const auto number =
                   j.Landed(entry.name) == nullptr ? Outdated(j, entry) : std::nullopt) {
      add(*number, fmt::format("write {} instead of {} in the comment; if {} refers to another "
                               "revision, write its name, too",
                               Text(entry.number), Text(*number), Text(*number)));
    }
  }
}

}  // namespace revctl::list::detail

namespace revctl::list {

std::string WithKeptNumbers(const RevisionList& list, const RevisionList* landed,
                            const ListConfig& config) {
  using namespace detail;
  CheckedLists lists;
  lists.merged = &list;
  lists.target = landed;
  const RuleCheck j(lists, config);
  const Kept kept = CountKept(list);
  std::string text = list.text;
  for (auto entry = list.entries.rbegin(); entry != list.entries.rend(); ++entry) {
    if (entry->kind != EntryKind::Revision || AsLanded(j, *entry)) continue;
    if (const auto wrong = Wrong(j, kept, *entry))
      text.replace(entry->comment_span.begin + wrong->span.begin,
                   wrong->span.end - wrong->span.begin, Text(entry->number));
  }
  return text;
}

}  // namespace revctl::list
