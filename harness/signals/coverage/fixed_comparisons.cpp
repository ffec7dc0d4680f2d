// GH007 for comparisons with the revision that have the same result for every file. The code that
// depends on such a comparison either never runs, or runs for all files although it was meant for
// only some of them.
#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"
#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

/// A comparison such as `revision < SR_X`. The operands may be in the opposite order in the source.
struct RevisionComparison {
  std::string op;
  std::int64_t number = 0;
  std::string spelling;  ///< the number as spelled in the source, such as `SR_X`
  std::string text;      ///< the comparison as spelled in the source, such as `r.revision < SR_X`
  int line = 0;
};

/// Returns the operator for swapped operands: `>` for `<`, because `a < b` means the same as `b >
/// a`.
std::string Turned(const std::string& op) {
  if (op == "<") return ">";
  if (op == "<=") return ">=";
  if (op == ">") return "<";
  return op == ">=" ? "<=" : op;
}

class ComparisonReader {
 public:
  ComparisonReader(const History& history, const BodyText& body) : history_(history), body_(body) {
    base::Problem problem;
    if (auto lexed = base::Lex(body_.text, problem)) lexed_ = std::move(*lexed);
  }

  std::vector<RevisionComparison> Read() const {
    static const std::set<std::string_view> kOperators = {"<", "<=", ">", ">=", "==", "!="};
    std::vector<RevisionComparison> all;
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (!kOperators.contains(tokens_[i].text)) continue;
      const std::size_t from = Begin(i - 1), to = End(i + 1);
      const auto left = NumberOf(i - 1), right = NumberOf(to);
      if (!left == !right || Continues(to + 1) || (from > 0 && Continues(from - 1))) continue;
      const std::size_t other = left ? to : i - 1, number = left ? i - 1 : to;
      // A comparison such as `d.hp < SR_X` has nothing to do with the revision, but a local copy of
      // the revision may have any name.
      const bool is_revision = tokens_[other].text == "revision",
                 is_variable = tokens_[other].IsName() && (left ? i + 1 == to : from == i - 1);
      if (!is_revision && !(is_variable && tokens_[number].IsName())) continue;
      RevisionComparison comparison;
      const std::string op(tokens_[i].text);
      comparison.op = left ? Turned(op) : op;
      comparison.number = left ? *left : *right;
      comparison.spelling = tokens_[number].text;
      comparison.line = LineOf(tokens_[i]);
      for (std::size_t token = from; token <= to; ++token) {
        const bool spaced = token == i;
        const std::string text(tokens_[token].text);
        comparison.text += spaced ? " " + text + " " : text;
      }
      all.push_back(std::move(comparison));
    }
    return all;
  }

 private:
  int LineOf(const base::Token& token) const {
    const auto begin = body_.text.begin();
    return body_.line + static_cast<int>(std::count(
                            begin, begin + static_cast<std::ptrdiff_t>(token.span.begin), '\n'));
  }
  static bool Joins(std::string_view text) { return text == "." || text == "->" || text == "::"; }
  /// Begin and End return the index of the first and the last token of an operand such as `a.b->c`.
  std::size_t Begin(std::size_t i) const {
    while (i >= 2 && Joins(tokens_[i - 1].text)) i -= 2;
    return i;
  }
  std::size_t End(std::size_t i) const {
    while (i + 2 < tokens_.size() && Joins(tokens_[i + 1].text)) i += 2;
    return i;
  }
  /// True if the operand is longer than the name at `i`, as in `SR_X + 1`.
  bool Continues(std::size_t i) const {
    static const std::set<std::string_view> kOthers = {"+", "-", "*", "/", "%", "[", "<<", ">>"};
    return i < tokens_.size() && kOthers.contains(tokens_[i].text);
  }
  std::optional<std::int64_t> NumberOf(std::size_t i) const {
    if (tokens_[i].IsName()) {
      const Revision* revision = history_.Find(tokens_[i].text);
      return revision == nullptr ? std::nullopt : std::optional(revision->number);
    }
    std::int64_t number = 0;
    const std::string_view text = tokens_[i].text;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number)
                                                                           : std::nullopt;
  }

  const History& history_;
  const BodyText& body_;
  base::LexedFile lexed_;
  const std::vector<base::Token>& tokens_ = lexed_.tokens;
};

/// Returns the result if it is the same for all revisions from `oldest` to `latest`. Returns
/// nullopt if it depends on the revision.
std::optional<bool> FixedOutcome(const RevisionComparison& comparison, std::int64_t oldest,
                                 std::int64_t latest) {
  const std::int64_t n = comparison.number;
  const auto fixed = [](bool always, bool never) {
    return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
  };
  if (comparison.op == "<") return fixed(latest < n, oldest >= n);
  if (comparison.op == "<=") return fixed(latest <= n, oldest > n);
  if (comparison.op == ">") return fixed(oldest > n, latest <= n);
  if (comparison.op == ">=") return fixed(oldest >= n, latest < n);
  const bool outside = n < oldest || n > latest;
  if (!outside) return std::nullopt;
  return comparison.op == "!=";
}

void AddFixed(CheckContext& context, const RootType& root, const std::string& type,
              const BodyText& body, const RevisionComparison& comparison, bool outcome) {
  const History& history = context.history;
  const Revision &oldest = history.revisions().front(), &latest = history.latest();
  const bool above = comparison.number > latest.number,
             at_latest = comparison.number == latest.number;
  // The finding about the comparison's effect on values already covers this change.
  if (at_latest && (comparison.op == "<=" || comparison.op == ">") &&
      context.inclusive.contains({root.name, latest.number}))
    return;
  // `>= SR_INITIAL` is harmless, because the ADD of every field that has existed since the oldest
  // revision makes the same comparison.
  const bool harmless = outcome && !above && !at_latest;
  const std::string why =
      above ? fmt::format("{} is above the latest revision {} ({})", comparison.spelling,
                          latest.name, latest.number)
      : at_latest
          ? fmt::format("{} is the latest revision", comparison.spelling)
          : fmt::format("no file is older than {}, the oldest supported revision", oldest.name);
  std::string fix = "compare with the revision that changed the format, or remove the comparison";
  if (above && !outcome)
    fix = fmt::format("revctl reserve {}NAME   // then compare with the printed revision",
                      context.list_prefix);
  if (at_latest && comparison.op == "<=")
    fix = fmt::format("use `<` to exclude files of {}, or remove the comparison", latest.name);
  revctl::LayoutField place;
  place.file = body.file;
  place.line = comparison.line;
  AddUncovered(context, root,
               above && !outcome ? Severity::Error
               : harmless        ? Severity::Note
                                 : Severity::Warning,
               type, place,
               fmt::format("{}: `{}` is {} true: {}", type, comparison.text,
                           outcome ? "always" : "never", why),
               fix, "fixed comparison " + comparison.op + " " + comparison.spelling,
               {.mentioned = {comparison.spelling, above ? latest.name : oldest.name}});
}

}  // namespace

void CheckFixedComparisons(CheckContext& context, const RootType& root, const RevisionRun& now) {
  const std::int64_t oldest = context.history.oldest(), latest = context.history.latest().number;
  for (const auto& [type, trace] : now.layouts) {
    const auto& compared = trace.layout.compared;
    if (compared.empty() || (compared.front() > oldest && compared.back() <= latest)) continue;
    const BodyText body = TextOfBody(trace);
    for (const RevisionComparison& comparison : ComparisonReader(context.history, body).Read()) {
      // The source text may contain comparisons of unrelated things with the same name, so check
      // that the body really compared the revision.
      const std::int64_t turn =
          comparison.number + (comparison.op == ">" || comparison.op == "<=" ? 1 : 0);
      if (std::find(compared.begin(), compared.end(), turn) == compared.end()) continue;
      if (const auto outcome = FixedOutcome(comparison, oldest, latest))
        AddFixed(context, root, type, body, comparison, *outcome);
    }
  }
}

}  // namespace revctl::harness
