#include "revctl/list/merge_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <unordered_set>

#include "revctl/base/ascii.h"
#include "revctl/list/entry_kinds.h"
#include "revctl/list/merge_versions.h"
#include "revctl/list/source.h"

namespace revctl::list::detail {
namespace {

/// Entries that stay on either side of what is left out: what is decided by looking at neighbours
/// sees as many.
constexpr std::size_t kKeptEachSide = 64;

/// A line that is read without the parser: an entry that says its number, a comment, or a blank
/// one.
struct PlainLine {
  std::size_t begin = 0;
  std::string_view name;  ///< empty: a comment, or blank
  std::int64_t number = 0;
};

/// What is left out of the lists: whole lines, the same in all.
struct SharedHead {
  std::size_t begin = 0, end = 0, next = 0;  ///< `next`: behind the line that follows
  std::int64_t first = 0, last = 0;
  std::unordered_set<std::string_view> names;
};

std::size_t BehindBlanks(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  return at;
}

/// Nothing, or a comment that ends with its line for every reader: line continuations (also as
/// trigraphs) make it go on.
bool IsPlainComment(std::string_view text) {
  if (text.empty()) return true;
  return text.starts_with("//") && text.find('\\') == text.npos &&
         text.find(
             "?"
             "?/") == text.npos &&
         text.find('\0') == text.npos;
}

std::optional<PlainLine> ReadPlain(std::string_view line, std::size_t begin,
                                   std::string_view prefix) {
  PlainLine plain{begin, {}, 0};
  std::size_t at = BehindBlanks(line, 0);
  if (at == line.size() || line[at] == '/')
    return IsPlainComment(line.substr(at)) ? std::optional(plain) : std::nullopt;
  const std::size_t name = at;
  while (at < line.size() && base::IsWord(line[at])) ++at;
  plain.name = line.substr(name, at - name);
  // No word of C++ has a capital; a prefix says that this is a revision.
  const bool capital = std::any_of(plain.name.begin(), plain.name.end(), base::IsUpper);
  if (!capital || !plain.name.starts_with(prefix) || base::IsDigit(plain.name[0]))
    return std::nullopt;
  at = BehindBlanks(line, at);
  if (at == line.size() || line[at] != '=') return std::nullopt;
  at = BehindBlanks(line, at + 1);
  // An octal number, or one with a suffix, is not read here.
  if (at == line.size() || line[at] < '1' || line[at] > '9') return std::nullopt;
  const auto [end, error] =
      std::from_chars(line.data() + at, line.data() + line.size(), plain.number);
  if (error != std::errc()) return std::nullopt;
  at = BehindBlanks(line, static_cast<std::size_t>(end - line.data()));
  if (at == line.size() || line[at] != ',') return std::nullopt;
  return IsPlainComment(line.substr(BehindBlanks(line, at + 1))) ? std::optional(plain)
                                                                 : std::nullopt;
}

/// The longest run of plain lines, by entries, in `shared`.
std::vector<PlainLine> LongestRun(std::string_view shared, std::string_view prefix) {
  std::vector<PlainLine> best, run;
  std::size_t best_entries = 0, entries = 0;
  std::int64_t last = 0;
  const auto close = [&] {
    if (entries > best_entries) {
      best.swap(run);
      best_entries = entries;
    }
    run.clear();
    entries = 0;
    last = 0;
  };
  for (std::size_t at = 0;;) {
    const std::size_t end = shared.find('\n', at);
    if (end == shared.npos) break;
    const auto plain = ReadPlain(shared.substr(at, end - at), at, prefix);
    if (!plain) {
      close();
    } else {
      if (!plain->name.empty() && plain->number <= last) close();
      if (!plain->name.empty()) {
        last = plain->number;
        ++entries;
      }
      run.push_back(*plain);
    }
    at = end + 1;
  }
  close();
  return best;
}

/// Cuts only between two entries with nothing in between, so that a comment stays with whom it
/// belongs to.
std::optional<SharedHead> FindHead(std::string_view shared, const ListConfig& config) {
  if (config.prefix.empty()) return std::nullopt;
  const std::vector<PlainLine> run = LongestRun(shared, config.prefix);
  const auto between = [&run](std::size_t i) {
    return !run[i - 1].name.empty() && !run[i].name.empty();
  };
  if (run.size() < 4 * kKeptEachSide) return std::nullopt;
  std::size_t begin = kKeptEachSide, end = run.size() - kKeptEachSide;
  while (begin < end && !between(begin)) ++begin;
  while (end > begin && !between(end)) --end;
  // Less than half of it is not worth the trouble.
  if (end <= begin || (run[end].begin - run[begin].begin) * 2 < shared.size()) return std::nullopt;
  SharedHead head;
  head.begin = run[begin].begin;
  head.end = run[end].begin;
  head.next = run[end + 1].begin;
  head.first = run[begin].number;
  head.last = run[end - 1].number;
  head.names.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const std::string name(run[i].name);
    if (name.empty()) continue;
    const bool plain = name != config.sentinel && name != config.current &&
                       !config.purged.contains(name) &&
                       std::none_of(config.aliases.begin(), config.aliases.end(),
                                    [&](const auto& glob) { return MatchesGlob(name, glob); });
    if (!plain || !head.names.insert(run[i].name).second) return std::nullopt;
  }
  return head;
}

std::string TextWithout(std::string_view text, const SharedHead& head) {
  std::string out;
  out.reserve(text.size() - (head.end - head.begin));
  return out.append(text.substr(0, head.begin)).append(text.substr(head.end));
}

/// No word of `text` is a name of the head, nor made by a macro.
bool SaysNothingOf(std::string_view text, const SharedHead& head) {
  if (text.find("##") != text.npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    if (!base::IsWord(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && base::IsWord(text[end])) ++end;
    if (end < text.size() && text[end] == '\\') return false;  // the name goes on in the next line
    if (head.names.contains(text.substr(at, end - at))) return false;
    at = end;
  }
  return true;
}

/// `rest` is a list where the head stood between two of its revisions, and nothing has a number of
/// the head. As the line above is an entry, so was each of the head's: nothing among them begins a
/// comment, a string or a directive.
bool LeavesAList(const RevisionList& rest, const SharedHead& head) {
  const auto below =
      std::find_if(rest.entries.begin(), rest.entries.end(),
                   [&](const Entry& entry) { return entry.lines.begin >= head.begin; });
  if (below == rest.entries.begin() || below == rest.entries.end()) return false;
  const auto above = below - 1;
  if (above->lines.end != head.begin || below->lines.begin != head.begin) return false;
  if (above->kind != EntryKind::Revision || below->kind != EntryKind::Revision) return false;
  if (above->number >= head.first || below->number <= head.last) return false;
  return std::none_of(rest.entries.begin(), rest.entries.end(), [&](const Entry& entry) {
    return entry.number >= head.first && entry.number <= head.last;
  });
}

}  // namespace

std::optional<MergeOutput> MergeBehindSharedHead(const MergeInput& input,
                                                 const MergeContext& context,
                                                 const ListConfig& config) {
  std::string_view shared = input.base;
  for (const std::string_view text : {input.ours, input.theirs})
    shared = shared.substr(0, SamePrefix(shared, text));
  if (context.landed_known) shared = shared.substr(0, SamePrefix(shared, context.landed_text));
  // A file with both kinds of line ends is judged as a whole.
  for (const std::string_view text :
       {input.base, input.ours, input.theirs, std::string_view(context.landed_text)}) {
    if (text.find('\r') != text.npos) return std::nullopt;
  }
  const auto head = FindHead(shared, config);
  if (!head) return std::nullopt;

  const std::string base = TextWithout(input.base, *head), ours = TextWithout(input.ours, *head),
                    theirs = TextWithout(input.theirs, *head);
  MergeContext rest_context = context;
  if (context.landed_known) rest_context.landed_text = TextWithout(context.landed_text, *head);
  // git knows a side by its whole text.
  const auto whole = [&](std::string_view side) -> std::string_view {
    return side == ours ? input.ours : side == theirs ? input.theirs : side;
  };
  if (context.origin) {
    rest_context.origin = [&](std::string_view side, const std::string& name,
                              const std::string& landed) {
      return context.origin(whole(side), name, landed);
    };
  }
  if (context.knew_landed) {
    rest_context.knew_landed = [&](std::string_view side, const std::string& landed) {
      return context.knew_landed(whole(side), landed);
    };
  }
  if (context.on_release)
    rest_context.on_release = [&](std::string_view side) {
      return context.on_release(whole(side));
    };
  for (const std::string* text :
       std::array<const std::string*, 4>{&base, &ours, &theirs, &rest_context.landed_text}) {
    if (text == &rest_context.landed_text && !context.landed_known) continue;
    if (!SaysNothingOf(*text, *head)) return std::nullopt;
    const auto rest = Parse(*text, config, input.path);
    if (!rest || !LeavesAList(*rest, *head)) return std::nullopt;
  }
  MergeInput rest_input = input;
  rest_input.base = base;
  rest_input.ours = ours;
  rest_input.theirs = theirs;
  auto merged = MergeVersions(rest_input, rest_context, config);
  if (!merged || merged->conflict) return std::nullopt;
  const std::size_t kept = head->begin + (head->next - head->end);
  if (merged->text.compare(0, kept, ours, 0, kept) != 0) return std::nullopt;
  merged->text.insert(head->begin, input.ours.substr(head->begin, head->end - head->begin));
  return std::move(*merged);
}

}  // namespace revctl::list::detail
