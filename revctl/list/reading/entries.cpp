#include "revctl/list/reading/entries.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "revctl/base/ascii.h"
#include "revctl/base/glob.h"
#include "revctl/list/reading/expression.h"

namespace revctl::list::detail {
namespace {

std::span<const Token> WithoutCast(std::span<const Token> tokens) {
  if (tokens.size() < 6 || !tokens[0].Is("static_cast") || !tokens[1].Is("<")) return tokens;
  std::size_t i = 2;
  while (i < tokens.size() && (tokens[i].IsName() || tokens[i].Is("::"))) ++i;
  return i < tokens.size() && tokens[i].Is(">") ? tokens.subspan(i + 1) : tokens;
}

/// Returns `tokens` without casts, and without parentheses that enclose the whole expression.
std::span<const Token> Unwrapped(std::span<const Token> tokens) {
  tokens = WithoutCast(tokens);
  while (tokens.size() >= 2 && tokens.front().Is("(") && tokens.back().Is(")")) {
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].Is("(")) ++depth;
      if (tokens[i].Is(")") && --depth == 0 && i + 1 != tokens.size()) return tokens;
    }
    tokens = WithoutCast(tokens.subspan(1, tokens.size() - 2));
  }
  return tokens;
}

/// Consumes a name at the front of `tokens`. If the name is unqualified or qualified with this
/// enum, returns its last component, otherwise "".
std::string EntryName(std::span<const Token>& tokens, const std::string& enum_name) {
  const std::string name = TakeQualifiedName(tokens);
  const std::size_t cut = name.rfind("::");
  if (cut == name.npos) return name;
  const std::string scope = name.substr(0, cut);
  const bool own = scope == enum_name ||
                   (scope.size() > enum_name.size() + 2 && scope.ends_with("::" + enum_name));
  return own && !enum_name.empty() ? name.substr(cut + 2) : std::string();
}

/// True if `name` ends with one of the lower-case `words`. Ignores case and underscores.
bool EndsWithOneOf(std::string_view name, std::initializer_list<std::string_view> words) {
  std::string lower = base::Lower(name);
  std::erase(lower, '_');
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.ends_with(word); });
}

/// Returns the name of the sentinel: the last entry that is not an alias, if it has no initializer
/// and another entry is initialized with `SENTINEL - 1`. Returns "" if there is no sentinel.
std::string CountedEntry(const RevisionList& list) {
  const auto last = std::find_if(
      list.entries.rbegin(), list.entries.rend(),
      [](const Entry& entry) { return entry.alias_of.empty() && entry.one_below.empty(); });
  if (last == list.entries.rend() || last->explicit_number) return {};
  const bool counted =
      std::any_of(list.entries.begin(), list.entries.end(),
                  [&](const Entry& entry) { return entry.one_below == last->name; });
  return counted ? last->name : std::string();
}

}  // namespace

std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name) {
  std::span<const Token> tokens = Unwrapped(initializer);
  std::string name = EntryName(tokens, enum_name);
  return tokens.empty() ? name : std::string();
}

std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name) {
  std::span<const Token> tokens = Unwrapped(initializer);
  std::string name = EntryName(tokens, enum_name);
  return tokens.size() == 2 && tokens[0].Is("-") && tokens[1].Is("1") ? name : std::string();
}

bool IsCurrentName(std::string_view name) {
  return EndsWithOneOf(name, {"current", "latest", "currentversion", "latestversion"});
}

bool IsOldestName(std::string_view name) {
  return EndsWithOneOf(name, {"minimal", "minimum", "oldest", "lowest", "lowsupport",
                              "lowsupported", "lowestsupport", "lowestsupported", "minsupported"});
}

bool IsAliasName(std::string_view name, const ListConfig& config) {
  return std::any_of(config.aliases.begin(), config.aliases.end(),
                     [&](const std::string& pattern) { return base::GlobMatches(pattern, name); });
}

void AssignKinds(RevisionList& list, const ListConfig& config) {
  const std::string sentinel = config.sentinel.empty() ? CountedEntry(list) : config.sentinel;
  // These sets stay small, because most entries do not refer to another entry.
  std::set<std::string_view> named, own;
  for (const Entry& entry : list.entries) {
    if (!entry.alias_of.empty()) named.insert(entry.alias_of);
    if (!entry.one_below.empty()) named.insert(entry.one_below);
  }
  for (const Entry& entry : list.entries) {
    if (!named.empty() && named.contains(entry.name)) own.insert(entry.name);
  }
  for (Entry& entry : list.entries) {
    // If the initializer names a constant or an entry of another enum, the entry has an ordinary
    // number and is not an alias.
    if (!entry.alias_of.empty() && !own.contains(entry.alias_of)) entry.alias_of.clear();
    if (!entry.one_below.empty() && !own.contains(entry.one_below)) entry.one_below.clear();
    const bool prefixed =
        std::string_view(entry.name).substr(0, config.prefix.size()) == config.prefix;
    if (!sentinel.empty() && entry.name == sentinel) {
      entry.kind = EntryKind::Sentinel;
    } else if (!entry.alias_of.empty() || (!sentinel.empty() && entry.one_below == sentinel) ||
               !prefixed || entry.name == config.current || IsAliasName(entry.name, config)) {
      entry.kind = EntryKind::Alias;
    }
  }
}

namespace {

/// Returns the text inside a comment: `ae: x` for `// ae: x` and `/* ae: x */`.
std::string_view CommentText(std::string_view comment) {
  if (comment.substr(0, 2) == "/*" && comment.size() >= 4) {
    comment = comment.substr(2, comment.size() - 4);
  } else {
    comment = comment.substr(std::min<std::size_t>(2, comment.size()));
  }
  while (!comment.empty() && (comment.front() == '/' || comment.front() == '!' ||
                              comment.front() == '*' || comment.front() == '<')) {
    comment.remove_prefix(1);
  }
  const auto blank = [](char c) { return base::IsBlank(c) || c == '\n'; };
  while (!comment.empty() && blank(comment.front())) comment.remove_prefix(1);
  while (!comment.empty() &&
         (blank(comment.back()) ||
          (comment.back() == '*' && comment.size() > 1 && blank(comment[comment.size() - 2])))) {
    comment.remove_suffix(1);
  }
  return comment;
}

class LineFinder {
 public:
  LineFinder(RevisionList& list, const LineTable& lines)
      : list_(list), lines_(lines), text_(list.text) {}

  void Run() {
    std::size_t floor = list_.body.begin;  // end offset of the previous entry's lines
    for (std::size_t i = 0; i < list_.entries.size(); ++i) {
      Entry& entry = list_.entries[i];
      entry.lines.begin = Begin(entry, floor);
      const std::size_t next =
          i + 1 < list_.entries.size() ? list_.entries[i + 1].name_span.begin : list_.body.end;
      entry.lines.end = End(entry, next);
      floor = entry.lines.end;
    }
  }

 private:
  /// Returns the comment that begins at `offset`, or null.
  const Span* CommentAt(std::size_t offset) const {
    if (offset >= text_.size() || text_[offset] != '/') {
      // No comment can begin here: a line continuation can come after the first '/' of a comment,
      // but not before it.
      return nullptr;
    }
    const auto found =
        std::lower_bound(list_.comments.begin(), list_.comments.end(), offset,
                         [](const Span& comment, std::size_t at) { return comment.begin < at; });
    return found != list_.comments.end() && found->begin == offset ? &*found : nullptr;
  }

  /// Returns the offset after any whitespace and comments, but not past `end` or the end of the
  /// line.
  std::size_t SkipOnLine(std::size_t begin, std::size_t end, const Span** last = nullptr) const {
    std::size_t i = begin;
    while (i < end) {
      if (base::IsBlank(text_[i])) {
        ++i;
      } else if (const Span* comment = CommentAt(i)) {
        if (last != nullptr) *last = comment;
        i = comment->end;
      } else {
        break;
      }
    }
    return std::min(i, end);
  }

  /// True if the line from `start` to `end` contains only whitespace and at least one comment.
  bool IsCommentLine(std::size_t start, std::size_t end, const Span** comment) const {
    *comment = nullptr;
    const std::size_t stop = SkipOnLine(start, end, comment);
    return *comment != nullptr && (stop >= end || text_[stop] == '\n');
  }

  /// True if there are only whitespace and comments between `start` and the name. In lists with
  /// leading commas, one comma is also allowed.
  bool LeadsTo(std::size_t start, std::size_t name) const {
    const std::size_t stop = SkipOnLine(start, name);
    return stop == name || (text_[stop] == ',' && SkipOnLine(stop + 1, name) == name);
  }

  std::size_t LineBefore(std::size_t start) const { return lines_.LineStart(start - 1); }

  std::size_t Begin(const Entry& entry, std::size_t floor) const {
    std::size_t start = lines_.LineStart(entry.name_span.begin);
    if (start < floor || !LeadsTo(start, entry.name_span.begin))
      return std::max(floor, entry.name_span.begin);
    // Move up over comment lines. The loop reaches a block comment at its last line and skips the
    // whole comment.
    while (start > floor) {
      std::size_t above = LineBefore(start);
      if (above < floor) break;
      if (const Span* block = BlockThatEndsOn(above, start)) above = lines_.LineStart(block->begin);
      const Span* comment = nullptr;
      if (above < floor || !IsCommentLine(above, start, &comment)) break;
      start = above;
    }
    return start;
  }

  /// Returns the multi-line comment that ends on the line from `start` to `end`, or null.
  const Span* BlockThatEndsOn(std::size_t start, std::size_t end) const {
    const auto next =
        std::lower_bound(list_.comments.begin(), list_.comments.end(), start,
                         [](const Span& comment, std::size_t at) { return comment.begin < at; });
    if (next == list_.comments.begin()) return nullptr;
    const Span& before = *(next - 1);
    return before.end > start && before.end <= end ? &before : nullptr;
  }

  std::size_t End(Entry& entry, std::size_t next) const {
    std::size_t end = entry.explicit_number ? entry.initializer_span.end : entry.head_end;
    const Span* comment = nullptr;
    if (entry.comma && SkipOnLine(end, *entry.comma, &comment) == *entry.comma &&
        (comment == nullptr || text_.substr(end, *entry.comma - end).find('\n') == text_.npos)) {
      end = *entry.comma + 1;
    } else {
      comment = nullptr;
    }
    const Span* behind = nullptr;
    const std::size_t stop = SkipOnLine(end, next, &behind);
    const bool line_ends = stop < text_.size() && text_[stop] == '\n' && stop < next;
    // If no other entry follows before the closing brace, the comment belongs to this entry.
    const bool list_ends = stop == next && next == list_.body.end;
    if (behind != nullptr && (line_ends || list_ends)) comment = behind;
    if (comment != nullptr) {
      const std::size_t first = comment == behind ? FirstComment(end) : comment->begin;
      entry.comment_span = {first, comment->end};
      entry.comment = CommentText(text_.substr(comment->begin, comment->end - comment->begin));
    }
    if (!line_ends) {
      // The closing brace or another entry follows on the same line. If another entry follows, the
      // comment may belong to that entry.
      return list_ends && behind != nullptr ? behind->end : end;
    }
    return Continuations(entry, stop + 1, next);
  }

  std::size_t FirstComment(std::size_t end) const {
    while (base::IsBlank(text_[end])) ++end;
    return end;
  }

  /// Returns the end of the comment lines below the entry that are indented at least as far as its
  /// trailing comment.
  std::size_t Continuations(const Entry& entry, std::size_t end, std::size_t next) const {
    if (entry.comment_span.end == 0 || entry.comment_span.begin < entry.name_span.end) return end;
    std::optional<std::size_t> column;  // comment column, computed on first use
    while (end < next) {
      const std::size_t first = FirstComment(end);
      const Span* comment = nullptr;
      if (CommentAt(first) == nullptr) break;
      const std::size_t line_end = std::min(lines_.LineEnd(end), next);
      if (!column) column = Column(entry.comment_span.begin);
      if (Column(first) < *column || !IsCommentLine(end, next, &comment)) break;
      if (comment->end > line_end) break;
      end = line_end;
    }
    return end;
  }

  /// Returns the display column of `offset`, with a tab width of four.
  std::size_t Column(std::size_t offset) const {
    std::size_t column = 0;
    for (std::size_t i = lines_.LineStart(offset); i < offset; ++i)
      column = text_[i] == '\t' ? (column / 4 + 1) * 4 : column + 1;
    return column;
  }

  RevisionList& list_;
  const LineTable& lines_;
  std::string_view text_;
};

}  // namespace

void AssignLines(RevisionList& list, const LineTable& lines) { LineFinder(list, lines).Run(); }

}  // namespace revctl::list::detail
