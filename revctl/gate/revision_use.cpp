// Use of the lists in code: a pending revision that nothing gates on, a comparison with a raw
// number, a name with a list's prefix that no list has. Files that hold such words are cut into
// tokens, so that comments and strings say nothing.
#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/gate/rules.h"
#include "revctl/pending/paths.h"
#include "revctl/source_scan/revision_gates.h"
#include "revctl/tree/code_lines.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;

/// How many lines are listed; the others are counted.
constexpr int kMostLines = 20;
/// How many tokens of the right side of an alias are followed.
constexpr std::size_t kLongestAlias = 32;

/// A number that a revision is compared with.
struct BareNumber {
  std::string file;
  int line = 0;
  std::string text;
  std::string source;  ///< its line, without the blanks around it
};

std::string_view Trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

/// The line of `file` that `token` begins on, without the blanks around it.
std::string_view SourceLine(const SourceCode& file, const CodeToken& token) {
  const std::string_view text = file.text();
  const std::size_t end = std::min(text.find('\n', token.span.begin), text.size());
  const std::size_t begin = text.substr(0, token.span.begin).rfind('\n') + 1;
  return Trimmed(text.substr(begin, end - begin));
}

/// How a list's names are told in code: by its prefix; else by being in the list, or behind the
/// enum's name.
class NamesInCode {
 public:
  explicit NamesInCode(const ListInCode& in_code) : in_(in_code) {}

  const ListInCode& in() const { return in_; }
  const std::string& prefix() const { return in_.config->prefix; }
  const std::string& enum_name() const {
    return in_.list == nullptr ? in_.config->enum_name : in_.list->enum_name;
  }
  bool held() const { return held_; }
  bool Uses(const std::string& name) const { return used_.contains(name); }

  /// One of them stands in every file that uses the list. Of one without a prefix: what gates, and
  /// each `pending` name.
  std::vector<std::string> Texts() const {
    if (!prefix().empty()) return {prefix()};
    std::vector<std::string> out = {"revision", "ADD(", "ADD_", "REM(", "CHECK_INTEGRITY("};
    if (!enum_name().empty()) out.push_back(enum_name() + "::");
    for (const list::Entry* entry : in_.pending) out.push_back(entry->name);
    return out;
  }

  void BeginFile() { held_ = false; }

  bool Has(const CodeToken& name, std::string_view scope) const {
    return in_.list != nullptr && Fits(name, scope) && in_.list->Find(name.text) != nullptr;
  }
  /// A file that uses the list's names is held to it: `revision` is a common word elsewhere.
  void Use(const CodeToken& name) {
    held_ = true;
    used_.emplace(name.text);
  }

  /// A name that means one of this list's, whether the list has it or not.
  bool Means(const CodeToken& name, std::string_view scope) const {
    return prefix().empty() ? !enum_name().empty() && scope == enum_name() : Fits(name, scope);
  }

  /// Another name of the enum, `using Version = ESerializationVersion;`, noted where it is met.
  void AlsoCalled(std::string_view alias) { aliases_.emplace(alias); }
  /// Uses behind other names of the enum count once all files have been read.
  void CountAliases() {
    for (const auto& [scope, names] : behind_) {
      if (aliases_.contains(scope)) used_.insert(names.begin(), names.end());
    }
  }
  void NoteBehind(std::string_view scope, const CodeToken& name) {
    if (in_.list != nullptr && IsForeign(scope) && in_.list->Find(name.text) != nullptr)
      behind_[std::string(scope)].emplace(name.text);
  }

  /// What the library's macros make of a prefix, or the prefix alone, is no revision, and no
  /// mistake.
  bool Harmless(std::string_view name) const {
    return !prefix().empty() &&
           (name == prefix() + "LATEST" || name == prefix() + "H" ||
            (name.starts_with(prefix()) && name.ends_with("_H_")) || name == prefix());
  }

 private:
  bool Fits(const CodeToken& name, std::string_view scope) const {
    return name.text.starts_with(prefix()) && !IsForeign(scope) &&
           (scope.empty() || scope == enum_name() || !in_.others.contains(scope));
  }
  /// `BattleSide::NONE` is no entry of `enum class Version`; where entries share a prefix, the
  /// prefix says enough.
  bool IsForeign(std::string_view scope) const {
    return prefix().empty() && in_.list != nullptr && in_.list->scoped && !scope.empty() &&
           scope != enum_name();
  }

  const ListInCode& in_;
  bool held_ = false;
  std::set<std::string, std::less<>> used_, aliases_;
  std::map<std::string, std::set<std::string>, std::less<>> behind_;  ///< names by foreign scope
};

class UseInCode {
 public:
  UseInCode(const GateRequest& request, const std::vector<ListInCode>& lists,
            std::vector<Finding>& out)
      : request_(request), out_(out) {
    for (const ListInCode& list : lists) {
      lists_.emplace_back(list);
      if (!lists_.back().enum_name().empty()) enums_.insert(lists_.back().enum_name());
      if (list.judged) getters_.insert(list.config->getters.begin(), list.config->getters.end());
    }
  }

  /// One pass over the sources for all questions.
  std::vector<std::string> Texts() const {
    std::vector<std::string> out;
    for (const NamesInCode& list : lists_) {
      if (!list.in().judged) continue;
      for (std::string& text : list.Texts()) out.push_back(std::move(text));
      const auto& getters = list.in().config->getters;
      out.insert(out.end(), getters.begin(), getters.end());
    }
    return out;
  }

  void See(const SourceCode& file) {
    if (!file.problem().empty()) {
      const bool theirs = std::any_of(lists_.begin(), lists_.end(), [&](const NamesInCode& list) {
        const std::string sign = !list.prefix().empty() ? list.prefix() : list.enum_name() + "::";
        return file.path() != list.in().path && file.text().find(sign) != std::string::npos;
      });
      if (!theirs) return;
      out_.push_back(
          {"RV022", Severity::Note,
           fmt::format("cannot be read as C++ ({}): what it does with revisions is not judged",
                       file.problem()),
           file.path(), file.problem_line(), "", "mend that place"});
      return;
    }
    for (NamesInCode& list : lists_) list.BeginFile();
    const std::vector<std::size_t> unknown = LookAtNames(file);
    LookAtPairs(file);
    std::vector<std::size_t> bare;
    if (std::any_of(lists_.begin(), lists_.end(),
                    [](const NamesInCode& list) { return list.held() && list.in().judged; })) {
      bare = BareNumbers(file.tokens(), enums_);
      NoteAsked(file, [](std::string_view) { return true; });
    } else if (!getters_.empty()) {
      // The configuration names these: no name of the list has to stand beside them.
      NoteAsked(file, [&](std::string_view asked) { return Configured(asked); });
    }
    for (const std::string_view getter : Getters(file.tokens(), seen_)) getters_.emplace(getter);
    // In the order of the file.
    for (std::size_t name = 0, number = 0; name < unknown.size() || number < bare.size();) {
      if (number == bare.size() || (name < unknown.size() && unknown[name] < bare[number]))
        TellName(file, unknown[name++]);
      else TellNumber(file, bare[number++]);
    }
  }

  void Finish() {
    for (NamesInCode& list : lists_) list.CountAliases();
    // What is compared with revisions in one place gives a revision in every other.
    for (const auto& [getter, numbers] : asked_) {
      if (!getters_.contains(getter)) continue;
      for (const BareNumber& number : numbers) TellBare(number);
    }
    if (told_ > kMostLines) {
      std::string paths;
      for (const NamesInCode& list : lists_) {
        if (list.in().judged) paths += (paths.empty() ? "" : " or ") + list.in().config->path;
      }
      out_.push_back(
          {"RV022", Severity::Warning,
           fmt::format("{} more lines compare with bare numbers or name what {} does not have",
                       told_ - kMostLines, paths),
           "", 0, "", "mend those that are listed, then revctl check lists the others"});
    }
    for (const NamesInCode& list : lists_) {
      for (const list::Entry* entry : list.in().pending) {
        if (!list.in().judged || list.Uses(entry->name)) continue;
        const std::string& path = list.in().path;
        out_.push_back({"RV021", Severity::Warning,
                        fmt::format("{} = {} is used by no code", entry->name, entry->number),
                        entry->pending_file.empty()
                            ? path
                            : path.substr(0, path.size() - list.in().config->path.size()) +
                                  entry->pending_file,
                        entry->line, entry->name,
                        list.in().there.contains(entry->name)
                            ? "gate a field on it, or leave it unused: it has landed, and the "
                              "next fold numbers it"
                            : fmt::format("gate a field on it, or revctl abandon {}{}", entry->name,
                                          ForList({&list}))});
      }
    }
  }

 private:
  /// `REM(SR_A, SR_B, ...)` has a meaning only where SR_A stands before SR_B: RV029 where both are
  /// pending and no `after` leads from the one to the other.
  void LookAtPairs(const SourceCode& file) {
    const std::vector<CodeToken>& tokens = file.tokens();
    for (const NamesInCode& list : lists_) {
      const pending::Plan* plan = list.in().plan;
      if (plan == nullptr || !list.in().judged) continue;
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
              depth == 1 && tokens[at].IsName() ? plan->Find(tokens[at].text) : nullptr;
          if (one == nullptr || one == first) continue;
          if (first == nullptr) {
            first = one;
            continue;
          }
          if (!plan->ComesAfter(one->name, first->name)) TellPair(file, at, list, *first, *one);
          break;
        }
      }
    }
  }

  void TellPair(const SourceCode& file, std::size_t at, const NamesInCode& list,
                const pending::Numbered& first, const pending::Numbered& second) {
    const std::string name = pending::FilePath(*list.in().config, second.name);
    out_.push_back(
        {"RV029", Severity::Error,
         fmt::format("{} is used with {}, and no `after` says that it comes behind it", second.name,
                     first.name),
         file.path(), file.Line(file.tokens()[at]), second.name,
         fmt::format("revctl reserve {} --after {} adds it to {}", second.name, first.name, name)});
  }

  /// Notes which lists the file uses, and gives the names that no list has.
  std::vector<std::size_t> LookAtNames(const SourceCode& file) {
    std::vector<std::size_t> unknown;
    seen_.clear();
    const std::vector<CodeToken>& tokens = file.tokens();
    std::string_view directive;             // of the line that the token is on
    std::set<std::string_view> parameters;  // of the macro that the line defines
    const auto is = [&](std::size_t at, std::string_view text) {
      return at < tokens.size() && tokens[at].Is(text);
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].line_start)
        directive = is(i, "#") && i + 1 < tokens.size() ? tokens[i + 1].text : "";
      if (tokens[i].line_start) parameters = Parameters(tokens, i);
      NoteAlias(tokens, i);
      if (!tokens[i].IsName()) continue;
      const bool scoped = i > 1 && is(i - 1, "::") && tokens[i - 2].IsName();
      const std::string_view scope = scoped ? tokens[i - 2].text : std::string_view();
      // A macro's pasting or a function-like name is not a revision, nor is what a class of the
      // enum's name has.
      if (is(i + 1, "(") || is(i + 1, "##") || (i > 0 && is(i - 1, "##")) || is(i + 1, "::") ||
          parameters.contains(tokens[i].text))
        continue;
      // In a list's own file its entries are its entries, and no use.
      bool known = std::any_of(lists_.begin(), lists_.end(), [&](const NamesInCode& list) {
        return file.path() == list.in().path && list.Has(tokens[i], scope);
      });
      if (known) continue;
      bool meant = false;
      for (NamesInCode& list : lists_) {
        known = known || list.Harmless(tokens[i].text);
        meant = meant || list.Means(tokens[i], scope);
        list.NoteBehind(scope, tokens[i]);
        if (!list.Has(tokens[i], scope)) continue;
        known = true;
        list.Use(tokens[i]);
        if (seen_.empty() || seen_.back() != i) seen_.push_back(i);
      }
      // What a line of the preprocessor defines or asks for is a macro.
      const bool macro =
          !directive.empty() &&
          (directive != "define" || (i > 1 && is(i - 2, "#") && tokens[i - 2].line_start));
      if (meant && !known && !macro) unknown.push_back(i);
    }
    return unknown;
  }

  /// Of `#define NAME(a, b)` at token `at`: a and b, which are no revisions in its text.
  static std::set<std::string_view> Parameters(const std::vector<CodeToken>& tokens,
                                               std::size_t at) {
    std::set<std::string_view> out;
    const auto is = [&](std::size_t i, std::string_view text) {
      return i < tokens.size() && tokens[i].Is(text);
    };
    if (!is(at, "#") || !is(at + 1, "define") || !is(at + 3, "(") ||
        tokens[at + 2].span.end != tokens[at + 3].span.begin)
      return out;
    for (std::size_t i = at + 4; i < tokens.size() && !is(i, ")"); ++i) {
      if (tokens[i].IsName()) out.insert(tokens[i].text);
    }
    return out;
  }

  /// `using Version = game::ESerializationVersion;` at token `at`.
  void NoteAlias(const std::vector<CodeToken>& tokens, std::size_t at) {
    if (!tokens[at].Is("using") || at + 3 >= tokens.size() || !tokens[at + 2].Is("=")) return;
    std::size_t last = at + 3;
    while (last + 2 < tokens.size() && last - at < kLongestAlias && tokens[last].IsName() &&
           tokens[last + 1].Is("::"))
      last += 2;
    for (NamesInCode& list : lists_) {
      if (!list.enum_name().empty() && tokens[last].Is(list.enum_name()))
        list.AlsoCalled(tokens[at + 1].text);
    }
  }

  /// Lists that an unknown name may have been meant for: with the longest prefix, and of those used
  /// in the file. None where one that cannot be read, or is not judged, may have it, or where it is
  /// the list's own file.
  std::vector<const NamesInCode*> Owners(const SourceCode& file, std::size_t at) const {
    const std::vector<CodeToken>& tokens = file.tokens();
    const bool scoped = at > 1 && tokens[at - 1].Is("::") && tokens[at - 2].IsName();
    std::vector<const NamesInCode*> out;
    bool held = false;
    for (const NamesInCode& list : lists_) {
      if (!list.Means(tokens[at], scoped ? tokens[at - 2].text : std::string_view())) continue;
      if (list.in().path == file.path()) return {};
      held = held || (list.held() && list.in().judged);
      if (!out.empty() && list.prefix().size() > out.front()->prefix().size()) out.clear();
      if (out.empty() || list.prefix().size() == out.front()->prefix().size()) out.push_back(&list);
    }
    const auto unsure = [](const NamesInCode* list) {
      return !list->in().judged || list->in().list == nullptr;
    };
    if (!held || std::any_of(out.begin(), out.end(), unsure)) return {};
    if (std::any_of(out.begin(), out.end(), [](const NamesInCode* list) { return list->held(); })) {
      std::erase_if(out, [](const NamesInCode* list) { return !list->held(); });
    }
    return out;
  }

  void TellName(const SourceCode& file, std::size_t at) {
    const std::string name(file.tokens()[at].text);
    const std::vector<const NamesInCode*> owners = Owners(file, at);
    if (owners.empty()) return;
    std::string paths;
    bool purged = false;
    for (const NamesInCode* list : owners) {
      paths += (paths.empty() ? "" : " or ") + list->in().config->path;
      purged = purged || list->in().config->purged.contains(name);
    }
    if (!purged && HasLanded(file.path(), SourceLine(file, file.tokens()[at]))) return;
    if (++told_ > kMostLines) return;
    out_.push_back(
        {"RV022", Severity::Warning,
         fmt::format("{} {} {}", name, purged ? "was purged from" : "is no revision of", paths),
         file.path(), file.Line(file.tokens()[at]), name,
         purged ? "take the line out, or let it begin with a revision that is left"
                : fmt::format("revctl reserve {}{}, or correct the name", name, ForList(owners))});
  }

  bool Configured(std::string_view getter) const {
    return std::any_of(lists_.begin(), lists_.end(), [&](const NamesInCode& list) {
      const auto& getters = list.in().config->getters;
      return list.in().judged && std::find(getters.begin(), getters.end(), getter) != getters.end();
    });
  }

  template <class Wanted>
  void NoteAsked(const SourceCode& file, Wanted wanted) {
    for (const ComparedNumber& one : ComparedNumbers(file.tokens(), enums_)) {
      if (!wanted(one.asked)) continue;
      const CodeToken& number = file.tokens()[one.number];
      asked_[std::string(one.asked)].push_back({file.path(), file.Line(number),
                                                std::string(number.text),
                                                std::string(SourceLine(file, number))});
    }
  }

  void TellNumber(const SourceCode& file, std::size_t at) {
    const CodeToken& number = file.tokens()[at];
    TellBare({file.path(), file.Line(number), std::string(number.text),
              std::string(SourceLine(file, number))});
  }

  /// Whether the target has this very line in the file. It is not this change's then, and what has
  /// landed is never renumbered.
  bool HasLanded(const std::string& path, std::string_view line) {
    if (!request_.target) return false;
    const auto [lines, fresh] = landed_.try_emplace(path);
    if (fresh) {
      const auto text = request_.repository->ReadFile(*request_.target, path);
      std::string_view rest = text.ok() && *text ? std::string_view(**text) : "";
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        lines->second.emplace(Trimmed(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return lines->second.contains(line);
  }

  void TellBare(const BareNumber& number) {
    if (HasLanded(number.file, number.source) || ++told_ > kMostLines) return;
    out_.push_back(
        {"RV022", Severity::Warning,
         fmt::format("compares the revision with the bare number {}; a renumbering will miss it",
                     number.text),
         number.file, number.line, "", "write the revision's name"});
  }

  std::string ForList(const std::vector<const NamesInCode*>& owners) const {
    return lists_.size() == 1
               ? ""
               : " --list " + (owners.size() == 1
                                   ? base::ShellWord(owners.front()->in().config->name)
                                   : "LIST");
  }

  const GateRequest& request_;
  std::vector<NamesInCode> lists_;
  std::set<std::string, std::less<>> enums_;
  std::vector<std::size_t> seen_;                         ///< names of lists in the file at hand
  std::set<std::string, std::less<>> getters_;            ///< what is compared with revisions
  std::map<std::string, std::vector<BareNumber>> asked_;  ///< by what it is compared with
  /// Lines of the target's files that are asked for, by path.
  std::map<std::string, std::set<std::string, std::less<>>> landed_;
  std::vector<Finding>& out_;
  int told_ = 0;
};

}  // namespace

Result<Done> CheckUse(const GateRequest& request, const std::vector<ListInCode>& lists,
                      std::vector<Finding>& out) {
  UseInCode use(request, lists, out);
  const std::vector<std::string> texts = use.Texts();
  if (texts.empty()) return Done{};
  auto seen = EachSource(request.side, texts, request.watch,
                         [&](const SourceCode& file) { use.See(file); });
  if (!seen.ok()) return seen.error();
  use.Finish();
  return Done{};
}

}  // namespace revctl::commands
