// Use of the list in code, read with git grep: a pending revision that nothing gates on, a comparison with a raw number, a
// name with the prefix that the list does not have.
#include <algorithm>
#include <set>

#include "revctl/commands/code_lines.h"
#include "revctl/commands/gate_parts.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Finding;
using findings::Result;
using findings::Severity;

/// How many lines are listed; the others are counted.
constexpr int kMostLines = 20;

/// Identifiers of `code` that begin with `prefix`; all of them where it is empty.
std::vector<std::string> NamesIn(const std::string& code, const std::string& prefix) {
  std::vector<std::string> out;
  for (std::size_t at = code.find(prefix); at < code.size(); at = code.find(prefix, at + 1)) {
    if (at > 0 && IsWord(code[at - 1])) continue;
    std::size_t end = at;
    while (end < code.size() && IsWord(code[end])) ++end;
    if (end == at || (code[at] >= '0' && code[at] <= '9')) continue;
    // A macro's pasting or a function-like name is not a revision.
    if (end < code.size() && code[end] == '(') continue;
    if (code.compare(end, 2, "##") == 0) continue;
    out.push_back(code.substr(at, end - at));
  }
  return out;
}

/// What `code` takes for an enumerator of `scope`, the enum's name: `Revision::kBoss`.
std::vector<std::string> NamesOf(const std::string& code, const std::string& scope) {
  std::vector<std::string> out;
  for (std::size_t at = code.find(scope + "::"); at != std::string::npos; at = code.find(scope + "::", at + 1)) {
    if (at > 0 && IsWord(code[at - 1])) continue;
    const std::size_t begin = at + scope.size() + 2;
    std::size_t end = begin;
    while (end < code.size() && IsWord(code[end])) ++end;
    // A class of that name has functions and scopes.
    const bool enumerator = end > begin && (end == code.size() || (code[end] != '(' && code[end] != ':'));
    if (enumerator) out.push_back(code.substr(begin, end - begin));
  }
  return out;
}

/// How a list's names are told in code: by its prefix; else by being in the list, or behind the enum's name.
class NamesInCode {
 public:
  NamesInCode(const list::ListConfig& config, const list::RevisionList& list) : config_(config), list_(list) {}

  /// For git grep: lines on which one may stand. Of a list without a prefix those that gate, and those with a `pending` name.
  std::string Pattern(const std::vector<const list::Entry*>& pending) const {
    if (!config_.prefix.empty()) return config_.prefix;
    std::string out = list_.enum_name.empty() ? "" : list_.enum_name + "::";
    for (const list::Entry* entry : pending) out += (out.empty() ? "" : "|") + entry->name;
    return out;
  }

  /// Names on a line that mean one of the list's, known ones first.
  std::vector<std::string> On(const std::string& code) const {
    std::vector<std::string> out = NamesIn(code, config_.prefix);
    if (!config_.prefix.empty()) return out;
    std::erase_if(out, [this](const std::string& name) { return list_.Find(name) == nullptr; });
    if (list_.enum_name.empty()) return out;
    for (std::string& name : NamesOf(code, list_.enum_name)) {
      if (list_.Find(name) == nullptr) out.push_back(std::move(name));
    }
    return out;
  }

  /// What the library's macros make of a prefix, or the prefix alone, is no revision, and no mistake.
  bool Harmless(const std::string& name) const {
    const std::string& prefix = config_.prefix;
    return !prefix.empty() && (name == prefix + "LATEST" || name == prefix + "H" || name.ends_with("_H_") || name.size() == prefix.size());
  }

 private:
  const list::ListConfig& config_;
  const list::RevisionList& list_;
};

/// `ADD(42, field)`, `REM(7, SR_B, ...)`, `42 < r.revision`: a bare number where a revision belongs.
std::string GateNumber(const std::string& code) {
  const auto number_at = [&code](std::size_t at) {
    while (at < code.size() && code[at] == ' ') ++at;
    std::size_t end = at;
    while (end < code.size() && (IsWord(code[end]) || code[end] == '\'')) ++end;
    return end > at && code[at] >= '0' && code[at] <= '9' ? code.substr(at, end - at) : std::string();
  };
  for (std::string_view gate : {"ADD(", "REM(", "ADD_CONDITIONAL(", "ADD_TYPED(", "ADD_BASE(", "ADD_BITS(", "CHECK_INTEGRITY("}) {
    for (std::size_t at = code.find(gate); at != std::string::npos; at = code.find(gate, at + 1)) {
      if (at > 0 && IsWord(code[at - 1])) continue;
      if (std::string number = number_at(at + gate.size()); !number.empty()) return number;
    }
  }
  // The number in front: back from the word over what leads to it (`r.`, `archive->`), the operator, and blanks.
  for (std::size_t at = code.find("revision"); at != std::string::npos; at = code.find("revision", at + 1)) {
    if (at + 8 < code.size() && IsWord(code[at + 8])) continue;
    std::size_t i = at;
    while (i > 0 && (IsWord(code[i - 1]) || code[i - 1] == '.' || (code[i - 1] == '>' && i > 1 && code[i - 2] == '-') || (code[i - 1] == '-' && code[i] == '>'))) --i;
    while (i > 0 && code[i - 1] == ' ') --i;
    const std::size_t operator_end = i;
    while (i > 0 && std::string_view("<>=!").find(code[i - 1]) != std::string_view::npos) --i;
    const std::string op = code.substr(i, operator_end - i);
    if (op != "<" && op != ">" && op != "<=" && op != ">=" && op != "==" && op != "!=") continue;
    while (i > 0 && code[i - 1] == ' ') --i;
    const std::size_t end = i;
    while (i > 0 && (IsWord(code[i - 1]) || code[i - 1] == '\'')) --i;
    if (end > i && code[i] >= '0' && code[i] <= '9') return code.substr(i, end - i);
  }
  return "";
}

/// `revision < 42`, `revision >= 0x2A`: the number compared with, if `code` compares `revision` with a bare one.
std::string RawNumber(const std::string& code) {
  for (std::size_t at = code.find("revision"); at != std::string::npos; at = code.find("revision", at + 1)) {
    if (at > 0 && IsWord(code[at - 1])) continue;
    std::size_t i = at + 8;
    while (i < code.size() && (code[i] == ' ' || code[i] == ')')) ++i;
    std::size_t operators = i;
    while (i < code.size() && std::string_view("<>=!").find(code[i]) != std::string_view::npos) ++i;
    const std::string op = code.substr(operators, i - operators);
    if (op != "<" && op != ">" && op != "<=" && op != ">=" && op != "==" && op != "!=") continue;
    while (i < code.size() && code[i] == ' ') ++i;
    std::size_t end = i;
    while (end < code.size() && (IsWord(code[end]) || code[end] == '\'')) ++end;
    if (end > i && code[i] >= '0' && code[i] <= '9') return code.substr(i, end - i);
  }
  return GateNumber(code);
}

}  // namespace

Result<Done> JudgeUse(const GateRequest& request, const list::ListConfig& config, const list::RevisionList& list,
                      const std::vector<const list::Entry*>& pending, std::vector<Finding>& out) {
  const NamesInCode names(config, list);
  const std::string list_path = request.prefix + config.path;
  // One pass over the tracked sources for all questions, and one pattern: with several, git grep looks for each of them anew
  // behind every hit, to the end of the file, which on a list of 10,000 lines is most of a second. A prefix is an identifier.
  const std::string pattern = names.Pattern(pending);
  auto lines = request.side.Grep({pattern + (pattern.empty() ? "" : "|") + R"(revision|ADD\(|ADD_|REM\(|CHECK_INTEGRITY\()"}, {"-E"});
  if (!lines.ok()) return lines.error();
  std::set<std::string> used;
  int unknown = 0;
  std::vector<CodeLine> hits;
  for (const std::string& line : *lines) {
    auto hit = ParseCodeLine(line);
    if (hit && hit->path != list_path && IsSource(hit->path)) hits.push_back(std::move(*hit));
  }
  // Only a file that knows the list's names is held to it: `revision` is a common word elsewhere.
  std::set<std::string> files;
  for (const CodeLine& hit : hits) {
    for (const std::string& name : names.On(CodeOf(hit.text))) {
      if (list.Find(name) != nullptr) files.insert(hit.path);
    }
  }
  for (const CodeLine& hit : hits) {
    const std::string code = CodeOf(hit.text);
    for (const std::string& name : names.On(code)) {
      used.insert(name);
      const bool known = list.Find(name) != nullptr || names.Harmless(name);
      const bool defines = code.find("#") != std::string::npos;
      if (known || defines || !files.contains(hit.path) || ++unknown > kMostLines) continue;
      const bool purged = config.purged.contains(name);
      out.push_back({"RV022", Severity::Warning, name + (purged ? " was purged from " : " is no revision of ") + config.path, hit.path, hit.line, name,
                     purged ? "take the line out, or let it begin with a revision that is left" : "revctl reserve " + name + ", or correct the name", "", "", "", ""});
    }
    if (!files.contains(hit.path)) continue;
    const std::string number = RawNumber(code);
    if (!number.empty() && ++unknown <= kMostLines) {
      out.push_back({"RV022", Severity::Warning, "compares the revision with the bare number " + number + "; a renumbering will miss it",
                     hit.path, hit.line, "", "write the revision's name", "", "", "", ""});
    }
  }
  if (unknown > kMostLines) {
    out.push_back({"RV022", Severity::Warning, std::to_string(unknown - kMostLines) + " more lines compare with bare numbers or name what " + config.path + " does not have",
                   "", 0, "", "mend those that are listed, then revctl check lists the others", "", "", "", ""});
  }
  for (const list::Entry* entry : pending) {
    if (used.contains(entry->name)) continue;
    out.push_back({"RV021", Severity::Warning, entry->name + " = " + std::to_string(entry->number) + " is used by no code", list_path, entry->line,
                   entry->name, "gate a field on it, or revctl release " + entry->name, "", "", "", ""});
  }
  return Done{};
}

}  // namespace revctl::commands
