// Checks how code uses the lists. RV021: no code names a pending revision. RV022: code compares a
// revision with a bare number. RV029: a REM names two pending revisions whose order is undefined.
// The sources are split into tokens, so comments and strings have no effect. There is no rule about
// unknown names, because code that uses them does not compile.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "revctl/gate/gate_rules.h"
#include "revctl/pending/pending_file.h"
#include "revctl/source_scan/revision_gates.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;
using list::Names;

/// RV022 lists at most this many lines and only counts the rest, so that an untrusted branch cannot
/// make the check use much memory.
constexpr std::size_t kMostLines = 1000;
/// Number of tokens after `=` that NoteAlias searches for the enum's name.
constexpr std::size_t kLongestAlias = 32;

struct BareNumber {
  std::string file;
  int line = 0;
  std::string text;
  std::string source;  ///< the line with the number, trimmed
};

/// A list, and the places where the sources use it.
struct ListUse {
  const list::ListConfig& config() const { return facts.config; }
  const list::RevisionList& list() const { return facts.whole; }

  const ListFacts& facts;
  std::string path;  ///< path of the list's file in the searched tree
  /// Enums of the other lists, needed to recognize that `Other::X` is not an entry of this list.
  Names other_enums = {};
  Names used = {};
  Names aliases = {};  ///< names such as `Version` in `using Version = ESerializationVersion;`
  /// Entries that code qualifies with another scope, by scope. They count as uses of the list if
  /// the scope is in `aliases`.
  std::map<std::string, Names, std::less<>> in_scope = {};
};

struct CodeFacts {
  std::vector<ListUse> lists;
  Names enums;
  /// the configured `getters:`, except those that name an argument
  Names configured;
  RevisionArguments arguments;  ///< `getters:` that name an argument, such as `DoEx#2`
  Names getters;  ///< `configured`, and the functions and members that code compares with an entry
  std::vector<BareNumber> bare;
  /// Bare numbers by the function or member that code compares them with.
  std::map<std::string, std::vector<BareNumber>> by_getter;
};

std::string_view Trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

BareNumber NumberAt(const SourceCode& file, const CodeToken& number) {
  const std::string_view text = file.text();
  const std::size_t end = std::min(text.find('\n', number.span.begin), text.size());
  const std::size_t begin = text.substr(0, number.span.begin).rfind('\n') + 1;
  return {file.path(), file.Line(number), std::string(number.text),
          std::string(Trimmed(text.substr(begin, end - begin)))};
}

/// Returns strings to search for, chosen so that every file that uses the list contains at least
/// one: the prefix or, without a prefix, the words of version checks (such as `ADD(`) and the names
/// of pending revisions.
std::vector<std::string> TextsOf(const ListFacts& facts) {
  if (!facts.config.prefix.empty()) return {facts.config.prefix};
  std::vector<std::string> out = {"revision", "ADD(", "ADD_", "REM(", "CHECK_INTEGRITY("};
  if (!facts.whole.enum_name.empty()) out.push_back(facts.whole.enum_name + "::");
  for (const list::Entry* entry : facts.Pending()) out.push_back(entry->name);
  return out;
}

/// The lists, each with its path in the searched tree.
using ListPaths = std::vector<std::pair<const ListFacts*, std::string>>;

CodeFacts Begin(const ListPaths& lists) {
  CodeFacts facts;
  for (const auto& [list, path] : lists) {
    ListUse& use = facts.lists.emplace_back(ListUse{*list, path});
    for (const auto& [other, ignored] : lists) {
      const std::string& name = other->whole.enum_name;
      if (!name.empty() && name != use.list().enum_name) use.other_enums.insert(name);
    }
    if (!use.list().enum_name.empty()) facts.enums.insert(use.list().enum_name);
    for (const std::string& getter : use.config().getters) {
      const std::size_t mark = getter.find('#');
      if (mark == getter.npos) facts.configured.insert(getter);
      else facts.arguments[getter.substr(0, mark)].insert(getter[mark + 1] - '0');
    }
  }
  facts.getters = facts.configured;
  return facts;
}

/// True if `scope` is probably another type: `BattleSide::NONE` is not an entry of `enum class
/// Version`, unless BattleSide is an alias. Always false for a list with a prefix, because the
/// prefix already identifies the entries.
bool IsOtherScope(const ListUse& use, std::string_view scope) {
  return use.config().prefix.empty() && use.list().scoped && !scope.empty() &&
         scope != use.list().enum_name;
}

bool IsEntry(const ListUse& use, const CodeToken& name, std::string_view scope) {
  return name.text.starts_with(use.config().prefix) && use.list().Find(name.text) != nullptr &&
         !IsOtherScope(use, scope) && !use.other_enums.contains(scope);
}

/// Records an alias of a list's enum, such as `using Version = game::ESerializationVersion;`, if
/// one begins at token `at`.
void NoteAlias(const std::vector<CodeToken>& tokens, std::size_t at, CodeFacts& facts) {
  if (!tokens[at].Is("using") || at + 3 >= tokens.size() || !tokens[at + 2].Is("=")) return;
  std::size_t last = at + 3;
  while (last + 2 < tokens.size() && last - at < kLongestAlias && tokens[last].IsName() &&
         tokens[last + 1].Is("::"))
    last += 2;
  for (ListUse& use : facts.lists) {
    if (tokens[last].Is(use.list().enum_name)) use.aliases.emplace(tokens[at + 1].text);
  }
}

/// Records the entries that the file names, and returns their token indices.
std::vector<std::size_t> NoteNames(const SourceCode& file, CodeFacts& facts) {
  const std::vector<CodeToken>& tokens = file.tokens();
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    NoteAlias(tokens, i, facts);
    // A name before `(` or `::` is a function or a scope, not an entry.
    const bool ends = i + 1 == tokens.size() || !(tokens[i + 1].Is("(") || tokens[i + 1].Is("::"));
    if (!tokens[i].IsName() || !ends) continue;
    const bool scoped = i > 1 && tokens[i - 1].Is("::") && tokens[i - 2].IsName();
    const std::string_view scope = scoped ? tokens[i - 2].text : std::string_view();
    // Skip the list's own file, which only declares the entries.
    if (std::any_of(facts.lists.begin(), facts.lists.end(), [&](const ListUse& use) {
          return file.path() == use.path && IsEntry(use, tokens[i], scope);
        }))
      continue;
    bool any = false;
    for (ListUse& use : facts.lists) {
      if (IsEntry(use, tokens[i], scope)) {
        use.used.emplace(tokens[i].text);
        any = true;
      } else if (IsOtherScope(use, scope) && use.list().Find(tokens[i].text) != nullptr) {
        use.in_scope[std::string(scope)].emplace(tokens[i].text);
      }
    }
    if (any) named.push_back(i);
  }
  return named;
}

/// RV029: `REM(SR_A, SR_B, ...)` requires that SR_A comes before SR_B. If both are pending, the
/// `after` lists must say so, directly or through other revisions.
void CheckOrder(const SourceCode& file, const ListUse& use, Findings& out) {
  const std::vector<CodeToken>& tokens = file.tokens();
  const pending::Plan& plan = use.facts.plan;
  if (plan.order.empty()) return;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].IsName() || !tokens[i + 1].Is("(") ||
        tokens[i].text.find("REM") == std::string_view::npos)
      continue;
    const pending::Numbered* first = nullptr;
    int depth = 0;
    for (std::size_t at = i + 1; at < tokens.size(); ++at) {
      depth += tokens[at].Is("(") ? 1 : tokens[at].Is(")") ? -1 : 0;
      if (depth == 0) break;
      const pending::Numbered* one =
          depth == 1 && tokens[at].IsName() ? plan.Find(tokens[at].text) : nullptr;
      if (one == nullptr || one == first) continue;
      if (first == nullptr) {
        first = one;
        continue;
      }
      if (!plan.ComesAfter(one->name, first->name))
        out.push_back(
            {.rule = RuleId::PendingFile,
             .message = fmt::format("{0} must come after {1}, because a REM names both, but {0}'s "
                                    "`after` does not list {1}",
                                    one->name, first->name),
             .file = file.path(),
             .line = file.Line(tokens[at]),
             .revision = one->name,
             .fix = fmt::format("revctl reserve {} --after {}   # adds it to {}", one->name,
                                first->name, pending::FilePath(use.config(), one->name))});
      break;
    }
  }
}

void ReadFile(const SourceCode& file, CodeFacts& facts, Findings& out) {
  if (!file.problem().empty()) {
    const auto may_use = [&](const ListUse& use) {
      const std::string& prefix = use.config().prefix;
      return file.path() != use.path &&
             file.text().find(prefix.empty() ? use.list().enum_name + "::" : prefix) !=
                 std::string::npos;
    };
    if (std::any_of(facts.lists.begin(), facts.lists.end(), may_use))
      out.push_back(
          {.rule = RuleId::BareNumber,
           .severity = Severity::Note,
           .message = fmt::format(
               "cannot parse this file as C++ ({}), so its revision comparisons are not checked",
               file.problem()),
           .file = file.path(),
           .line = file.problem_line(),
           .fix = "correct that line"});
    return;
  }
  const std::vector<CodeToken>& tokens = file.tokens();
  const std::vector<std::size_t> named = NoteNames(file, facts);
  for (const ListUse& use : facts.lists) CheckOrder(file, use, out);
  for (const std::string_view getter : Getters(tokens, named)) facts.getters.emplace(getter);
  // In files that name no entry, check only configured getters, because `revision` is a common
  // word.
  if (!named.empty()) {
    for (const std::size_t at : BareNumbers(tokens, facts.enums))
      facts.bare.push_back(NumberAt(file, tokens[at]));
  }
  for (const std::size_t at : PassedNumbers(tokens, facts.enums, facts.arguments))
    facts.bare.push_back(NumberAt(file, tokens[at]));
  if (named.empty() && facts.configured.empty()) return;
  for (const ComparedNumber& one : ComparedNumbers(tokens, facts.enums)) {
    if (!named.empty() || facts.configured.contains(one.asked))
      facts.by_getter[std::string(one.asked)].push_back(NumberAt(file, tokens[one.number]));
  }
}

/// Returns the trimmed lines of the file on the target.
Names LandedLines(const GateRequest& request, const std::string& path) {
  Names out;
  if (!request.target.tip) return out;
  const auto text = request.repository().ReadFile(*request.target.tip, path);
  std::string_view rest = text.ok() && *text ? std::string_view(**text) : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    out.emplace(Trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

/// Adds RV022 findings. Skips lines that are also on the target, because this change did not add
/// them and landed revisions are never renumbered.
void AddBareNumbers(const GateRequest& request, CodeFacts& facts, Findings& out) {
  std::vector<BareNumber>& bare = facts.bare;
  for (const auto& [getter, numbers] : facts.by_getter) {
    if (facts.getters.contains(getter)) bare.insert(bare.end(), numbers.begin(), numbers.end());
  }
  std::stable_sort(bare.begin(), bare.end(), [](const BareNumber& a, const BareNumber& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  Names landed;
  std::size_t count = 0;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    if (i == 0 || bare[i].file != bare[i - 1].file) landed = LandedLines(request, bare[i].file);
    if (landed.contains(bare[i].source) || ++count > kMostLines) continue;
    out.push_back({.rule = RuleId::BareNumber,
                   .severity = Severity::Warning,
                   .message = fmt::format("compares the revision with the bare number {}, which "
                                          "breaks if the revision is renumbered",
                                          bare[i].text),
                   .file = bare[i].file,
                   .line = bare[i].line,
                   .fix = "use the revision's name instead"});
  }
  if (count > kMostLines)
    out.push_back({.rule = RuleId::BareNumber,
                   .severity = Severity::Warning,
                   .message = fmt::format("{} more lines compare a revision with a bare number",
                                          count - kMostLines),
                   .fix = "fix the listed lines, then run revctl check again"});
}

Findings Unused(CodeFacts& facts) {
  Findings out;
  for (ListUse& use : facts.lists) {
    for (const std::string& alias : use.aliases) {
      const auto found = use.in_scope.find(alias);
      if (found != use.in_scope.end()) use.used.merge(found->second);
    }
    for (const list::Entry* entry : use.facts.Pending()) {
      if (use.used.contains(entry->name)) continue;
      out.push_back(use.facts.At(
          RuleId::UnusedRevision, entry->line, entry->name,
          fmt::format("no code uses {} = {}", entry->name, entry->number),
          use.facts.IsPendingOnTarget(entry->name)
              ? "use it for a field, or leave it as it is: it has landed, and the next fold "
                "will assign its number"
              : fmt::format("use it for a field, or run revctl abandon {}{}", entry->name,
                            ListOption(*use.facts.change.ours, use.config()))));
      out.back().cause = "unused";
    }
  }
  return out;
}

/// Reads every source of `tree` that may use one of the lists. Appends findings about individual
/// files to `out`.
Result<CodeFacts> ReadSources(const GateRequest& request, const Tree& tree, const ListPaths& lists,
                              Findings& out) {
  CodeFacts facts = Begin(lists);
  std::vector<std::string> texts(facts.configured.begin(), facts.configured.end());
  for (const auto& [function, places] : facts.arguments) texts.push_back(function);
  for (const auto& [list, path] : lists) {
    for (std::string& text : TextsOf(*list)) texts.push_back(std::move(text));
  }
  TRY(EachSource(tree, texts, request.watch,
                 [&](const SourceCode& file) { ReadFile(file, facts, out); }));
  return facts;
}

Result<Findings> UnusedIn(const GateRequest& request, const Tree& tree, const ListPaths& lists) {
  Findings others;
  TRY(CodeFacts facts, ReadSources(request, tree, lists, others));
  return Unused(facts);
}

/// RV021 on a release: reports an error for each new revision that the target's code uses but the
/// release's code does not.
Result<Findings> CheckUseOnRelease(const ChangeFacts& change, const ListPaths& lists) {
  const GateRequest& request = change.request;
  TRY(Findings here, UnusedIn(request, request.tree, lists));
  if (here.empty()) return here;
  const auto main_config = request.tree.At(change.main_tip()).Config();
  ListPaths main_lists = lists;
  for (auto& [facts, path] : main_lists) {
    if (!main_config.ok() || !*main_config) break;
    if (const auto* named = (**main_config).ListNamed(facts->config.name))
      path = request.prefix() + named->path;
  }
  TRY(const Findings there, UnusedIn(request, request.tree.At(change.main_tip()), main_lists));
  std::set<std::string> unused_there;
  for (const Finding& finding : there) unused_there.insert(finding.revision);
  for (Finding& finding : here) {
    if (unused_there.contains(finding.revision)) continue;
    finding.severity = Severity::Error;
    finding.message += fmt::format(
        " here, but code on {} does, so files of this release would claim to contain its fields",
        request.release_of->Text());
    finding.fix = fmt::format(
        "cherry-pick its commits, too; to find them: git log --oneline -S{} {}\nor fix the problem "
        "without a "
        "revision",
        finding.revision, change.main_tip().substr(0, 10));
  }
  return here;
}

}  // namespace

Result<Findings> CheckUse(const ChangeFacts& change, const std::vector<ListFacts>& lists) {
  const GateRequest& request = change.request;
  ListPaths paths;
  bool any_pending = false;
  for (const ListFacts& facts : lists) {
    if (facts.whole.entries.empty()) continue;
    paths.emplace_back(&facts, facts.path);
    any_pending = any_pending || !facts.Pending().empty();
  }
  if (request.Is(Mode::Release))
    return any_pending ? CheckUseOnRelease(change, paths) : Result<Findings>(Findings{});
  Findings out;
  TRY(CodeFacts facts, ReadSources(request, request.tree, paths, out));
  AddBareNumbers(request, facts, out);
  for (Finding& finding : Unused(facts)) out.push_back(std::move(finding));
  return out;
}

}  // namespace revctl::commands
