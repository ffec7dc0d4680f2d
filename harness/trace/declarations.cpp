#include "harness/trace/declarations.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/layout/fields.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestDeclarations = 4U << 20;
constexpr std::size_t kMostFiles = 64;
constexpr int kDeepestAlias = 6;

struct Alias {
  std::string name;  ///< qualified with its scope
  std::vector<std::string> type;
  bool conditional = false;
};

/// A SERIALIZE_TYPE in a file: its type, and the scope around it.
struct Body {
  std::string type, scope;
  int line = 0;
};

/// All declarations of one file.
struct Declarations {
  std::vector<DeclaredStruct> structs;
  std::vector<bool> conditional;  ///< for each struct: true if it is inside an `#if`
  std::vector<Alias> aliases;
  std::vector<Body> bodies;
  /// the name of each class, with the line numbers of its `{` and `}`
  std::vector<std::pair<std::string, std::pair<int, int>>> extents;
  std::vector<std::string> includes;
};

std::string Join(const std::string& scope, const std::string& name) {
  return scope.empty() || name.empty() ? scope + name : scope + "::" + name;
}

class Parser {
 public:
  Parser(std::string file, const std::string& text, const std::vector<base::Token>& tokens)
      : file_(std::move(file)), text_(text), tokens_(tokens) {
    int line = 1;
    std::size_t counted = 0;
    for (const base::Token& token : tokens) {
      for (; counted < token.span.begin; ++counted) line += text[counted] == '\n' ? 1 : 0;
      lines_.push_back(line);
    }
  }

  Declarations Run() {
    while (at_ < tokens_.size()) {
      Scope("", nullptr);
      if (at_ < tokens_.size()) ++at_;  // skip a `}` without a matching `{`
    }
    return std::move(found_);
  }

 private:
  bool More() const { return at_ < tokens_.size(); }
  bool Is(std::string_view text) const { return More() && tokens_[at_].Is(text); }
  bool IsAt(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].Is(text);
  }
  std::string Text(std::size_t at) const { return std::string(tokens_[at].text); }

  /// Moves from an opening bracket to the token after the closing one.
  void SkipBrackets() {
    int depth = 0;
    for (; More(); ++at_) {
      if (Is("(") || Is("[") || Is("{")) ++depth;
      if ((Is(")") || Is("]") || Is("}")) && --depth == 0) {
        ++at_;
        return;
      }
    }
  }

  /// Moves from `<` to the token after the matching `>`.
  void SkipAngles() {
    int depth = 0;
    while (More()) {
      if (Is("(") || Is("[") || Is("{")) {
        SkipBrackets();
        continue;
      }
      if (Is("<")) ++depth;
      if (Is(">")) --depth;
      if (Is(">>")) depth -= 2;
      if (Is(";")) return;
      ++at_;
      if (depth <= 0) return;
    }
  }

  void Directive() {
    const std::size_t begin = ++at_;
    while (More() && !tokens_[at_].line_start) ++at_;
    if (begin == at_) return;
    const std::string_view word = tokens_[begin].text;
    if (word == "include" && begin + 1 < at_) {
      const base::Span from = tokens_[begin + 1].span, to = tokens_[at_ - 1].span;
      std::string name = text_.substr(from.begin, to.end - from.begin);
      if (name.size() > 2)
        found_.includes.push_back(name.substr(1, name.find_first_of("\">", 1) - 1));
    } else if (word == "if" || word == "ifdef" || word == "ifndef") {
      // An include guard spans the whole file, so it does not make declarations conditional.
      const bool guard = word == "ifndef" && begin == 1 && begin + 1 < at_ && Is("#") &&
                         IsAt(at_ + 1, "define") && at_ + 2 < tokens_.size() &&
                         tokens_[at_ + 2].text == tokens_[begin + 1].text;
      if (guard) return;
      ++conditions_;
      directives_ = true;
    } else if (word == "endif" && conditions_ > 0) {
      --conditions_;
    } else if (word != "pragma" && word != "include" && word != "endif") {
      directives_ = true;
    }
  }

  /// Reads declarations up to the scope's `}`. `owner` is the scope's class, or null for a
  /// namespace.
  void Scope(const std::string& scope, DeclaredStruct* owner) {
    while (More() && !Is("}")) {
      if (Is("#") && tokens_[at_].line_start) {
        Directive();
        if (owner != nullptr && std::exchange(directives_, false)) owner->partial = true;
      } else if (Is("namespace")) {
        Namespace(scope);
      } else if (Is("template")) {
        ++at_;
        if (Is("<")) SkipAngles();
      } else if (Is("struct") || Is("class") || Is("union")) {
        Class(scope, owner);
      } else if (Is("enum") || Is("friend") || Is("static_assert") || Is("extern") ||
                 Is("concept")) {
        SkipStatement();
      } else if (Is("using")) {
        Using(scope);
      } else if (Is("typedef")) {
        Typedef(scope);
      } else if ((Is("public") || Is("private") || Is("protected")) && IsAt(at_ + 1, ":")) {
        at_ += 2;
      } else if (tokens_[at_].text.starts_with("SERIALIZE_") && IsAt(at_ + 1, "(")) {
        SerializeMacro(scope);
      } else if (owner != nullptr) {
        Member(*owner);
      } else {
        SkipStatement();
      }
    }
  }

  /// Moves past a macro without a `;` that takes up the rest of its line, such as SERIALIZE_END.
  /// Returns false if there is no such macro here.
  bool SkipMacro() {
    const std::string_view name = tokens_[at_].text;
    const bool upper = tokens_[at_].IsName() && name.size() > 1 &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return c == '_' || base::IsUpper(c) || base::IsDigit(c);
                       });
    if (!upper) return false;
    const std::size_t begin = at_++;
    if (Is("(")) SkipBrackets();
    if (!More() || (tokens_[at_].line_start && !Is(";") && !Is("{"))) return true;
    at_ = begin;
    return false;
  }

  /// Moves past a statement, including the `;` or the block at its end.
  void SkipStatement() {
    if (More() && SkipMacro()) return;
    while (More()) {
      if (Is("}")) return;
      if (Is(";")) {
        ++at_;
        return;
      }
      const bool block = Is("{");
      if (Is("(") || Is("[") || block) {
        SkipBrackets();
        if (!block) continue;
        if (Is(";")) ++at_;
        return;
      }
      ++at_;
    }
  }

  void Namespace(const std::string& scope) {
    std::string name;
    for (++at_; More() && !Is("{") && !Is(";") && !Is("="); ++at_) {
      if (tokens_[at_].IsName() && !Is("inline")) name = Join(name, Text(at_));
    }
    if (!Is("{")) return SkipStatement();
    ++at_;
    Scope(Join(scope, name), nullptr);
    if (More()) ++at_;
  }

  /// Moves past `[[...]]` and `alignas(...)`.
  void SkipAttributes() {
    while ((Is("[") && IsAt(at_ + 1, "[")) || Is("alignas")) {
      if (Is("alignas")) ++at_;
      if (More()) SkipBrackets();
    }
  }

  void Class(const std::string& scope, DeclaredStruct* owner) {
    const std::size_t begin = at_;
    const int line = lines_[at_];
    const bool is_union = Is("union");
    ++at_;
    SkipAttributes();
    std::string name;
    while (More() && (tokens_[at_].IsName() || Is("::")) && !Is("final")) {
      name = Is("::") ? name : Text(at_);
      ++at_;
      if (Is("<")) {  // a specialization is a different type
        SkipAngles();
        name.clear();
      }
    }
    if (Is("final")) ++at_;
    const bool has_bases = Is(":");
    while (has_bases && More() && !Is("{") && !Is(";")) ++at_;
    if (!Is("{")) {  // a declaration such as `struct Door;` or `struct Door door;`
      at_ = begin + 1;
      if (owner != nullptr) return Member(*owner);
      return SkipStatement();
    }
    DeclaredStruct declared{Join(scope, name), file_, line, {}, has_bases || is_union};
    const bool conditional = conditions_ > 0;
    directives_ = false;
    const int first = lines_[at_];
    ++at_;
    Scope(Join(scope, name), &declared);
    if (!name.empty()) {
      found_.extents.push_back({declared.name, {first, More() ? lines_[at_] : first}});
      found_.structs.push_back(std::move(declared));
      found_.conditional.push_back(conditional);
    }
    if (More()) ++at_;
    // This parser does not support members declared together with their type, such as `struct { ...
    // } place;`.
    if (!Is(";") && owner != nullptr) owner->partial = true;
    if (name.empty() && owner != nullptr) owner->partial = true;
    SkipStatement();
  }

  void Using(const std::string& scope) {
    ++at_;
    if (!More() || !tokens_[at_].IsName() || !IsAt(at_ + 1, "=")) return SkipStatement();
    Alias alias{Join(scope, Text(at_)), {}, conditions_ > 0};
    for (at_ += 2; More() && !Is(";"); ++at_) alias.type.push_back(Text(at_));
    found_.aliases.push_back(std::move(alias));
  }

  void Typedef(const std::string& scope) {
    std::vector<std::string> type;
    for (++at_; More() && !Is(";") && !Is("{"); ++at_) type.push_back(Text(at_));
    if (Is("{") || type.size() < 2) return SkipStatement();
    const std::string name = type.back();
    type.pop_back();
    found_.aliases.push_back({Join(scope, name), std::move(type), conditions_ > 0});
  }

  void SerializeMacro(const std::string& scope) {
    const bool is_body = Is("SERIALIZE_TYPE") || Is("SERIALIZE_TEMPLATE");
    const int line = lines_[at_];
    const std::size_t open = ++at_;
    SkipBrackets();
    if (!is_body) return;
    // The type is the last argument, after an optional argument in brackets.
    std::size_t begin = open + 1;
    if (IsAt(begin, "(")) {
      int depth = 0;
      for (; begin < at_; ++begin) {
        if (IsAt(begin, "(")) ++depth;
        if (IsAt(begin, ")") && --depth == 0) break;
      }
      begin += 2;
    }
    std::string type;
    for (std::size_t i = begin; i + 1 < at_ && !IsAt(i, "<"); ++i) type += Text(i);
    found_.bodies.push_back({type, scope, line});
    if (Is("{")) SkipBrackets();
  }

  void Member(DeclaredStruct& owner) {
    const std::size_t begin = at_;
    if (SkipMacro()) {
      owner.partial = true;
      return;
    }
    bool function = false, assigned = false;
    std::vector<std::size_t> tokens;  ///< tokens of the member, without initializers
    while (More() && !Is(";") && !Is("}")) {
      if (Is("#") && tokens_[at_].line_start) {
        owner.partial = true;
        Directive();
        continue;
      }
      if (Is("=")) assigned = true;
      if (Is("(") || Is("{") || Is("[")) {
        const bool block = Is("{");
        function = function || (Is("(") && !assigned);
        if (Is("(") && !assigned && IsAt(at_ + 1, "*")) owner.partial = true;
        if (Is("[") && !assigned) {
          const std::size_t open = at_;
          SkipBrackets();
          if (open != begin) {
            for (std::size_t i = open; i < at_; ++i) tokens.push_back(i);
          }
          continue;
        }
        SkipBrackets();
        if (block && function && !assigned) break;
        continue;
      }
      // A comma outside brackets ends an initializer.
      if (Is(",")) assigned = false;
      if (Is("<") && !assigned) {
        const std::size_t open = at_;
        SkipAngles();
        for (std::size_t i = open; i < at_; ++i) tokens.push_back(i);
        continue;
      }
      if (!assigned) tokens.push_back(at_);
      ++at_;
    }
    if (Is(";")) ++at_;
    if (at_ == begin) ++at_;
    if (function) {
      // A macro such as `PLAIN(Door);` may declare members.
      if (tokens_[begin].IsName() && IsAt(begin + 1, "(") &&
          tokens_[begin].text != owner.name.substr(owner.name.rfind(':') + 1))
        owner.partial = true;
      return;
    }
    Declare(owner, tokens);
  }

  void Declare(DeclaredStruct& owner, const std::vector<std::size_t>& tokens) {
    static const std::set<std::string_view> kNoPart = {
        "mutable", "const", "volatile", "inline", "constexpr", "typename", "struct"};
    std::vector<std::string> type;
    bool typed = false;  ///< true after the first declarator, when the type is known
    std::size_t i = 0;
    const auto angles = [&](std::size_t from) {  // returns the position after the matching `>`
      int depth = 0;
      for (; from < tokens.size(); ++from) {
        if (IsAt(tokens[from], "<")) ++depth;
        if (IsAt(tokens[from], ">")) --depth;
        if (IsAt(tokens[from], ">>")) depth -= 2;
        if (depth <= 0) return from + 1;
      }
      return from;
    };
    while (i < tokens.size()) {
      // The syntax of a declarator is `[type] name [bits] [extents]`.
      std::vector<std::string> words;
      std::string bits;
      std::size_t name = tokens.size();
      for (; i < tokens.size() && !IsAt(tokens[i], ",") && !IsAt(tokens[i], ":");) {
        const base::Token& token = tokens_[tokens[i]];
        if (token.Is("static") || token.Is("operator") || token.Is("~")) return;
        if (token.Is("<")) {
          const std::size_t end = angles(i);
          for (; i < end; ++i) words.push_back(Text(tokens[i]));
          continue;
        }
        if (token.Is("[")) {
          while (i < tokens.size() && !IsAt(tokens[i], "]")) ++i;
          if (i < tokens.size()) ++i;
          continue;
        }
        if (token.IsName() && !kNoPart.contains(token.text)) name = words.size();
        if (!kNoPart.contains(token.text)) words.push_back(Text(tokens[i]));
        ++i;
      }
      if (name >= words.size() || name + 1 != words.size()) {
        owner.partial = true;
        return;
      }
      const int line = lines_[tokens[i - 1]];
      if (i < tokens.size() && IsAt(tokens[i], ":")) {
        for (++i; i < tokens.size() && !IsAt(tokens[i], ","); ++i) bits += Text(tokens[i]);
      }
      if (i < tokens.size()) ++i;  // skip the comma
      const std::string member = words.back();
      words.pop_back();
      if (!typed) type = words;
      if (type.empty() || (typed && !words.empty())) {
        owner.partial = true;  // this may be several declarators, as in `int a, *b;`, or a macro
        return;
      }
      typed = true;
      owner.members.push_back({member, type, bits, line});
      if (conditions_ > 0) owner.partial = true;
    }
  }

  const std::string file_;
  const std::string& text_;
  const std::vector<base::Token>& tokens_;
  std::vector<int> lines_;
  std::size_t at_ = 0;
  int conditions_ = 0;
  /// true if a directive other than `#include`, `#pragma` or `#endif` was seen since the last reset
  bool directives_ = false;
  Declarations found_;
};

/// Returns the declarations in a file, cached because many types share a file.
const Declarations& DeclarationsIn(const std::string& file) {
  thread_local std::map<std::string, Declarations> known;
  const auto [entry, fresh] = known.try_emplace(file);
  if (!fresh) return entry->second;
  const auto text = base::ReadFile(file, kLargestDeclarations);
  base::Problem problem;
  if (!text || !*text) return entry->second;
  if (const auto lexed = base::Lex(**text, problem, kLargestDeclarations))
    entry->second = Parser(file, **text, lexed->tokens).Run();
  return entry->second;
}

/// Returns the path of an included file, or "". Looks in the folder of `file` and its parents.
std::string Included(const std::string& file, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path folder = fs::path(file).parent_path();
  for (int up = 0; up < 8 && !folder.empty(); ++up) {
    for (const char* const within : {"", "include", "src"}) {
      const fs::path path = (folder / within / name).lexically_normal();
      if (fs::is_regular_file(path, ignored)) return path.generic_string();
    }
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return "";
}

/// Returns the file and all files that it includes, directly or indirectly. Caches the result,
/// because finding files is much slower than searching them for names.
const std::vector<std::string>& Reached(const std::string& file) {
  thread_local std::map<std::string, std::vector<std::string>> known;
  const auto [entry, fresh] = known.try_emplace(file);
  std::vector<std::string>& files = entry->second;
  if (!fresh) return files;
  files.push_back(file);
  for (std::size_t i = 0; i < files.size() && files.size() < kMostFiles; ++i) {
    const std::vector<std::string> includes = DeclarationsIn(files[i]).includes;
    for (const std::string& name : includes) {
      if (name.starts_with("revctl/") || name.find('.') == std::string::npos) continue;
      const std::string found = Included(files[i], name);
      if (!found.empty() && std::find(files.begin(), files.end(), found) == files.end())
        files.push_back(found);
    }
  }
  return files;
}

/// Returns the qualified names that `name` may refer to in `scope`, innermost scope first.
std::vector<std::string> Candidates(const std::string& name, std::string scope) {
  std::vector<std::string> names;
  if (name.starts_with("::")) return {name.substr(2)};
  for (;;) {
    names.push_back(Join(scope, name));
    if (scope.empty()) return names;
    const auto colon = scope.rfind("::");
    scope.erase(colon == std::string::npos ? 0 : colon);
  }
}

/// What a name refers to: a struct or an alias. Both pointers are null if the name is ambiguous or
/// unknown.
struct Meaning {
  const DeclaredStruct* declared = nullptr;
  const Alias* alias = nullptr;
};
Meaning MeaningOf(const std::string& name, const std::string& scope, const std::string& file) {
  const std::vector<std::string>& files = Reached(file);
  for (const std::string& candidate : Candidates(name, scope)) {
    Meaning meaning;
    int count = 0;
    bool certain = true;
    for (const std::string& each : files) {
      const Declarations& here = DeclarationsIn(each);
      for (std::size_t i = 0; i < here.structs.size(); ++i) {
        if (here.structs[i].name != candidate) continue;
        meaning.declared = &here.structs[i];
        certain = certain && !here.conditional[i];
        ++count;
      }
      for (const Alias& alias : here.aliases) {
        if (alias.name != candidate) continue;
        meaning.alias = &alias;
        certain = certain && !alias.conditional;
        ++count;
      }
    }
    if (count == 1 && certain) return meaning;
    if (count > 0) return {};
  }
  return {};
}

/// Returns the qualified name that ends at tokens[at], or "" if no name ends there.
std::string NameEndingAt(const std::vector<std::string>& tokens, std::size_t at) {
  const auto is_name = [](const std::string& text) {
    return !text.empty() && base::BeginsName(text[0]);
  };
  if (!is_name(tokens[at]) || (at + 1 < tokens.size() && tokens[at + 1] == "::")) return "";
  std::string name = tokens[at];
  while (at >= 2 && tokens[at - 1] == "::" && is_name(tokens[at - 2])) {
    name = tokens[at - 2] + "::" + name;
    at -= 2;
  }
  return name;
}

std::vector<std::string> Expanded(const std::vector<std::string>& type, const std::string& scope,
                                  const std::string& file, int depth) {
  std::vector<std::string> expanded;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const std::string name = NameEndingAt(type, i);
    const Alias* const alias = name.empty() || depth == 0 || name.starts_with("std::")
                                   ? nullptr
                                   : MeaningOf(name, scope, file).alias;
    if (alias == nullptr || (i + 1 < type.size() && type[i + 1] == "<")) {
      expanded.push_back(type[i]);
      continue;
    }
    while (expanded.size() >= 2 && expanded.back() == "::") expanded.resize(expanded.size() - 2);
    const auto colon = alias->name.rfind("::");
    const std::string around = colon == std::string::npos ? "" : alias->name.substr(0, colon);
    for (std::string& token : Expanded(alias->type, around, file, depth - 1))
      expanded.push_back(std::move(token));
  }
  return expanded;
}

}  // namespace

std::optional<DeclaredStruct> FindStruct(const std::string& name, const std::string& scope,
                                         const std::string& file) {
  const Meaning meaning = MeaningOf(name, scope, file);
  if (meaning.declared == nullptr) return std::nullopt;
  return *meaning.declared;
}

std::optional<DeclaredStruct> StructOfBody(const TypeTrace& body) {
  const VisitedLines visited = LinesVisited(body);
  const std::string& file = visited.file;
  const int line = visited.first;
  if (file.empty()) return std::nullopt;
  const Declarations& here = DeclarationsIn(file);
  const Body* around = nullptr;
  for (const Body& each : here.bodies) {
    if (each.line <= line && (around == nullptr || each.line >= around->line)) around = &each;
  }
  // The body may be inside its class. If so, use the innermost class around it, unless a
  // SERIALIZE_TYPE is closer.
  const std::pair<std::string, std::pair<int, int>>* inner = nullptr;
  for (const auto& extent : here.extents) {
    if (extent.second.first <= line && line <= extent.second.second &&
        (inner == nullptr || extent.second.first >= inner->second.first))
      inner = &extent;
  }
  if (inner != nullptr && (around == nullptr || around->line < inner->second.first))
    return FindStruct("::" + inner->first, "", file);
  if (around == nullptr) return std::nullopt;
  return FindStruct(around->type, around->scope, file);
}

std::vector<std::string> WithoutAliases(const DeclaredMember& member, const DeclaredStruct& owner) {
  return Expanded(member.type, owner.name, owner.file, kDeepestAlias);
}

namespace {

constexpr int kDeepestMember = 4;

/// Returns the struct that is the member's type or is mentioned in it, or nullopt unless there is
/// exactly one.
std::optional<DeclaredStruct> StructIn(const DeclaredMember& member, const DeclaredStruct& owner) {
  const std::vector<std::string> type = WithoutAliases(member, owner);
  std::optional<DeclaredStruct> found;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const std::string name = NameEndingAt(type, i);
    if (name.empty() || name.starts_with("std::")) continue;
    auto declared = FindStruct(name, owner.name, owner.file);
    if (!declared) continue;
    if (found) return std::nullopt;
    found = std::move(declared);
  }
  return found;
}

/// Appends the members of `declared`. Members of nested structs get names such as `place.x`.
/// Returns false if it is uncertain what the members are.
bool AppendMembers(const DeclaredStruct& declared, const std::string& prefix, int depth,
                   std::string& text) {
  if (declared.partial || declared.members.empty() || depth == 0) return false;
  for (const DeclaredMember& member : declared.members) {
    if (const auto inner = StructIn(member, declared)) {
      if (!AppendMembers(*inner, prefix + member.name + ".", depth - 1, text)) return false;
      continue;
    }
    text += (text.empty() ? "" : ", ") + prefix + member.name;
    if (!member.bits.empty()) text += ":" + member.bits;
  }
  return true;
}

}  // namespace

void AddMembers(TypeTrace& trace) {
  if (trace.copied.empty()) return;
  const auto owner = StructOfBody(trace);
  if (!owner) return;
  for (auto* fields : {&trace.layout.fields, &trace.removed, &trace.closed}) {
    for (revctl::LayoutField& field : *fields) {
      const auto member =
          std::find_if(owner->members.begin(), owner->members.end(),
                       [&](const DeclaredMember& each) { return each.name == field.name; });
      if (!trace.copied.contains(field.name) || member == owner->members.end()) continue;
      const auto copied = StructIn(*member, *owner);
      std::string text;
      if (!copied || !AppendMembers(*copied, "", kDeepestMember, text)) continue;
      field.members = LastComponent(copied->name) + "{" + text + "}";
    }
  }
}

}  // namespace revctl::harness
