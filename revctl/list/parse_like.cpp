#include "revctl/list/parse_like.h"

#include <algorithm>
#include <unordered_set>

#include "revctl/base/ascii.h"
#include "revctl/list/source.h"

namespace revctl::list::detail {
namespace {

/// Entries in sight of those that differ: what is decided by looking at neighbours sees as many.
constexpr std::size_t kInSight = 64;

/// A number in writing, which means the same whatever stands around it.
bool IsLiteral(std::string_view initializer) {
  return !initializer.empty() && base::IsDigit(initializer[0]) &&
         initializer.find_first_not_of("0123456789abcdefABCDEFxXuUlL'") == initializer.npos;
}

/// How many entries at the top of `like` need not be read again in `text`; 0 where that is none, or
/// cannot be said.
std::size_t Head(std::string_view text, const RevisionList& like, const ListConfig& config) {
  std::size_t same = SamePrefix(text, like.text);
  if (!like.directives.empty()) same = std::min(same, like.directives.front().span.begin);
  const auto beyond =
      std::partition_point(like.entries.begin(), like.entries.end(),
                           [same](const Entry& entry) { return entry.lines.end < same; });
  std::size_t head = static_cast<std::size_t>(beyond - like.entries.begin());
  if (head < 2 * kInSight) return 0;
  head -= kInSight;
  const auto fits = [&](std::size_t count) {
    const Entry& last = like.entries[count - 1];
    const bool whole =
        like.text[last.lines.end - 1] == '\n' && last.comma && *last.comma < last.lines.end;
    return whole && IsLiteral(like.entries[count].initializer) &&
           like.entries[count].name.starts_with(config.prefix);
  };
  for (std::size_t tries = 0; tries < kInSight; ++tries, --head) {
    if (fits(head)) return head;
  }
  return 0;
}

/// All numbers are literals, or name what was read with them.
bool StandsAlone(const RevisionList& list) {
  std::unordered_set<std::string_view> names;
  for (const Entry& entry : list.entries) names.insert(entry.name);
  return std::all_of(list.entries.begin(), list.entries.end(), [&](const Entry& entry) {
    if (!entry.explicit_number || IsLiteral(entry.initializer)) return true;
    return names.contains(entry.alias_of) || names.contains(entry.one_below);
  });
}

void Move(Span& span, std::size_t by) {
  if (span.end == 0) return;  // there is none
  span.begin += by;
  span.end += by;
}

void Move(Entry& entry, std::size_t by, int lines) {
  for (Span* span : {&entry.name_span, &entry.initializer_span, &entry.lines, &entry.comment_span})
    Move(*span, by);
  entry.head_end += by;
  if (entry.comma) *entry.comma += by;
  entry.line += lines;
}

}  // namespace

base::Result<RevisionList> ParseLike(std::string_view text, const ListConfig& config,
                                     std::string_view path, const RevisionList& like) {
  const std::size_t head = Head(text, like, config);
  if (head == 0) return Parse(text, config, path);
  const std::size_t begin = like.entries.front().lines.begin,
                    end = like.entries[head - 1].lines.end;
  auto rest = Parse(std::string(text.substr(0, begin)).append(text.substr(end)), config, path);
  // Whatever is odd is read as a whole, and told with its right line.
  const bool odd = !rest || rest->entries.empty() || rest->body.begin != like.body.begin ||
                   rest->entries.front().name != like.entries[head].name ||
                   rest->entries.front().lines.begin != begin || !StandsAlone(*rest);
  if (odd) return Parse(text, config, path);

  RevisionList list = std::move(*rest);
  const std::size_t by = end - begin;
  const int lines = like.entries[head].line - list.entries.front().line;
  list.text = text;
  list.body.end += by;
  for (Span& comment : list.comments) {
    if (comment.begin >= begin) Move(comment, by);
  }
  const auto first_behind =
      std::partition_point(list.comments.begin(), list.comments.end(),
                           [begin](const Span& c) { return c.begin < begin; });
  const auto first_cut = std::partition_point(like.comments.begin(), like.comments.end(),
                                              [begin](const Span& c) { return c.begin < begin; });
  const auto last_cut = std::partition_point(like.comments.begin(), like.comments.end(),
                                             [end](const Span& c) { return c.begin < end; });
  list.comments.insert(first_behind, first_cut, last_cut);
  for (Directive& directive : list.directives) Move(directive.span, by);
  for (Entry& entry : list.entries) Move(entry, by, lines);
  std::vector<Entry> entries;
  entries.reserve(head + list.entries.size());
  entries.assign(like.entries.begin(), like.entries.begin() + static_cast<std::ptrdiff_t>(head));
  entries.insert(entries.end(), std::make_move_iterator(list.entries.begin()),
                 std::make_move_iterator(list.entries.end()));
  list.entries = std::move(entries);
  return list;
}

}  // namespace revctl::list::detail
