// Checks how code uses the lists. RV021: no code names a pending revision. RV022: code compares a
// revision with a bare number. RV029: a REM spans two pending revisions without an order. Sources
// are split into tokens, so comments and strings do not matter. No rule looks for unknown names,
// because they do not compile.
#include <algorithm>
#include <map>
#include <tuple>

#include "revctl/gate/gate_rules.h"
#include "revctl/pending/pending_file.h"
#include "revctl/source_scan/revision_gates.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;
using list::Names;

/// RV022 reports this many lines and counts the rest, so that a stranger's branch cannot make the
/// check take much memory.
constexpr std::size_t kMostLines = 1000;
/// Search for an alias in at most this many tokens after its `=`.
constexpr std::size_t kLongestAlias = 32;

struct BareNumber {
  std::string file;
  int line = 0;
  std::string text;
  std::string source;  ///< its line, trimmed
};

/// A list, and how the sources use it.
struct ListUse {
  const list::ListConfig& config() const { return in->gate->config(); }
  const list::RevisionList& list() const { return in->gate->ours(); }

  const ListInCode* in;
  Names other_enums = {};  ///< enums of the other lists; `Other::X` is not an entry of this one
  Names used = {};
  Names aliases = {};  ///< `Version` of `using Version = ESerializationVersion;`
  /// Entries that code names in another scope, which count if that scope is one of `aliases`.
  std::map<std::string, Names, std::less<>> in_scope = {};
};

struct CodeFacts {
  std::vector<ListUse> lists;
  Names enums;
  Names configured;  ///< `getters:` in the config of the lists
  Names getters;  ///< configured ones, and functions and members that code compares with an entry
  std::vector<BareNumber> bare;
  /// bare numbers compared with a possible getter
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

/// Returns the search texts for files that use the list: its prefix, or without a prefix the words
/// of gates and the pending names.
std::vector<std::string> TextsOf(const ListGate& gate) {
  if (!gate.config().prefix.empty()) return {gate.config().prefix};
  std::vector<std::string> out = {"revision", "ADD(", "ADD_", "REM(", "CHECK_INTEGRITY("};
  if (!gate.ours().enum_name.empty()) out.push_back(gate.ours().enum_name + "::");
  for (const list::Entry* entry : gate.Pending()) out.push_back(entry->name);
  return out;
}

CodeFacts Begin(const std::vector<ListInCode>& lists) {
  CodeFacts facts;
  for (const ListInCode& list : lists) {
    ListUse& use = facts.lists.emplace_back(ListUse{&list});
    for (const ListInCode& other : lists) {
      const std::string& name = other.gate->ours().enum_name;
      if (!name.empty() && name != use.list().enum_name) use.other_enums.insert(name);
    }
    if (!use.list().enum_name.empty()) facts.enums.insert(use.list().enum_name);
    facts.configured.insert(use.config().getters.begin(), use.config().getters.end());
  }
  facts.getters = facts.configured;
  return facts;
}

/// True if `scope` is another type's: `BattleSide::NONE` is not an entry of `enum class Version`,
/// unless BattleSide is an alias. With a common prefix, the prefix decides.
bool IsOtherScope(const ListUse& use, std::string_view scope) {
  return use.config().prefix.empty() && use.list().scoped && !scope.empty() &&
         scope != use.list().enum_name;
}

bool IsEntry(const ListUse& use, const CodeToken& name, std::string_view scope) {
  return name.text.starts_with(use.config().prefix) && use.list().Find(name.text) != nullptr &&
         !IsOtherScope(use, scope) && !use.other_enums.contains(scope);
}

/// Records an alias such as `using Version = game::ESerializationVersion;` at token `at`.
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

/// Records the entries that the file names, and returns their tokens.
std::vector<std::size_t> NoteNames(const SourceCode& file, CodeFacts& facts) {
  const std::vector<CodeToken>& tokens = file.tokens();
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    NoteAlias(tokens, i, facts);
    // The name of a function or scope is not an entry.
    const bool ends = i + 1 == tokens.size() || !(tokens[i + 1].Is("(") || tokens[i + 1].Is("::"));
    if (!tokens[i].IsName() || !ends) continue;
    const bool scoped = i > 1 && tokens[i - 1].Is("::") && tokens[i - 2].IsName();
    const std::string_view scope = scoped ? tokens[i - 2].text : std::string_view();
    // The list's own file only declares entries.
    if (std::any_of(facts.lists.begin(), facts.lists.end(), [&](const ListUse& use) {
          return file.path() == use.in->path && IsEntry(use, tokens[i], scope);
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

/// RV029: `REM(SR_A, SR_B, ...)` needs SR_A before SR_B. If both are pending, a path of `after`
/// must lead from SR_B to SR_A.
void CheckOrder(const SourceCode& file, const ListUse& use, std::vector<Finding>& out) {
  const std::vector<CodeToken>& tokens = file.tokens();
  const pending::Plan& plan = use.in->gate->plan();
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
            {RuleId::PendingFile, Severity::Error,
             fmt::format("{} is used with {}, and no `after` says that it comes behind it",
                         one->name, first->name),
             file.path(), file.Line(tokens[at]), one->name,
             fmt::format("revctl reserve {} --after {} adds it to {}", one->name, first->name,
                         pending::FilePath(use.config(), one->name))});
      break;
    }
  }
}

void ReadFile(const SourceCode& file, CodeFacts& facts, std::vector<Finding>& out) {
  if (!file.problem().empty()) {
    const auto may_use = [&](const ListUse& use) {
      const std::string& prefix = use.config().prefix;
      return file.path() != use.in->path &&
             file.text().find(prefix.empty() ? use.list().enum_name + "::" : prefix) !=
                 std::string::npos;
    };
    if (std::any_of(facts.lists.begin(), facts.lists.end(), may_use))
      out.push_back({RuleId::BareNumber, Severity::Note,
                     fmt::format("cannot be read as C++ ({}), so its comparisons with revisions "
                                 "are not checked",
                                 file.problem()),
                     file.path(), file.problem_line(), "", "fix that place"});
    return;
  }
  const std::vector<CodeToken>& tokens = file.tokens();
  const std::vector<std::size_t> named = NoteNames(file, facts);
  for (const ListUse& use : facts.lists) CheckOrder(file, use, out);
  for (const std::string_view getter : Getters(tokens, named)) facts.getters.emplace(getter);
  // `revision` is a common word, so in files that name no entry only configured getters are
  // checked.
  if (!named.empty()) {
    for (const std::size_t at : BareNumbers(tokens, facts.enums))
      facts.bare.push_back(NumberAt(file, tokens[at]));
  }
  if (named.empty() && facts.configured.empty()) return;
  for (const ComparedNumber& one : ComparedNumbers(tokens, facts.enums)) {
    if (!named.empty() || facts.configured.contains(one.asked))
      facts.by_getter[std::string(one.asked)].push_back(NumberAt(file, tokens[one.number]));
  }
}

/// Returns the lines of the target's file, trimmed.
Names LandedLines(const GateRequest& request, const std::string& path) {
  Names out;
  if (!request.target) return out;
  const auto text = request.repository->ReadFile(*request.target, path);
  std::string_view rest = text.ok() && *text ? std::string_view(**text) : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    out.emplace(Trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

/// RV022, except for lines that the target already has: they are not part of this change, and
/// landed revisions are never renumbered.
void AddBareNumbers(const GateRequest& request, CodeFacts& facts, std::vector<Finding>& out) {
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
    out.push_back(
        {RuleId::BareNumber, Severity::Warning,
         fmt::format("compares the revision with the bare number {}; a renumbering will miss it",
                     bare[i].text),
         bare[i].file, bare[i].line, "", "write the revision's name"});
  }
  if (count > kMostLines)
    out.push_back(
        {RuleId::BareNumber, Severity::Warning,
         fmt::format("{} more lines compare a revision with a bare number", count - kMostLines), "",
         0, "", "fix the listed lines; revctl check then lists the others"});
}

std::vector<Finding> Unused(const GateRequest& request, CodeFacts& facts) {
  std::vector<Finding> out;
  for (ListUse& use : facts.lists) {
    for (const std::string& alias : use.aliases) {
      const auto found = use.in_scope.find(alias);
      if (found != use.in_scope.end()) use.used.merge(found->second);
    }
    for (const list::Entry* entry : use.in->gate->Pending()) {
      if (use.used.contains(entry->name)) continue;
      out.push_back(
          {RuleId::UnusedRevision, Severity::Warning,
           fmt::format("{} = {} is used by no code", entry->name, entry->number),
           entry->pending_file.empty() ? use.in->path : request.prefix + entry->pending_file,
           entry->line, entry->name,
           use.in->gate->IsPendingThere(entry->name)
               ? "gate a field on it, or leave it unused: it has landed, and the next fold "
                 "numbers it"
               : fmt::format("gate a field on it, or revctl abandon {}{}", entry->name,
                             use.in->option)});
      out.back().cause = "unused";
    }
  }
  return out;
}

/// Reads every source that may use one of the lists, and appends findings about single files to
/// `out`.
Result<CodeFacts> ReadSources(const GateRequest& request, const std::vector<ListInCode>& lists,
                              std::vector<Finding>& out) {
  CodeFacts facts = Begin(lists);
  std::vector<std::string> texts(facts.configured.begin(), facts.configured.end());
  for (const ListInCode& list : lists) {
    for (std::string& text : TextsOf(*list.gate)) texts.push_back(std::move(text));
  }
  TRY(EachSource(request.side, texts, request.watch,
                 [&](const SourceCode& file) { ReadFile(file, facts, out); }));
  return facts;
}

}  // namespace

Result<Done> CheckUse(const GateRequest& request, const std::vector<ListInCode>& lists,
                      std::vector<Finding>& out) {
  TRY(CodeFacts facts, ReadSources(request, lists, out));
  AddBareNumbers(request, facts, out);
  for (Finding& finding : Unused(request, facts)) out.push_back(std::move(finding));
  return Done{};
}

Result<std::vector<Finding>> UnusedRevisions(const GateRequest& request,
                                             const std::vector<ListInCode>& lists) {
  std::vector<Finding> others;
  TRY(CodeFacts facts, ReadSources(request, lists, others));
  return Unused(request, facts);
}

}  // namespace revctl::commands
