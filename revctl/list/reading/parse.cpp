#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/unicode.h"
#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/entries.h"
#include "revctl/list/reading/enum_values.h"
#include "revctl/list/reading/preprocessor.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

namespace revctl::list {
namespace {

using detail::EnumDeclaration;
using detail::EvaluatedEnum;
using detail::Problem;

/// True if `wanted` names the enum. Outer scopes may be omitted: `Save::Revision` also names
/// `game::Save::Revision`.
bool IsNamed(const EnumDeclaration& declaration, std::string_view wanted) {
  const std::string qualified = declaration.QualifiedName();
  if (qualified == wanted) return true;
  return qualified.size() > wanted.size() + 2 && qualified.ends_with(wanted) &&
         qualified.compare(qualified.size() - wanted.size() - 2, 2, "::") == 0;
}

/// Returns the offset of the first byte in a name that is not valid UTF-8, or nullopt. Comments of
/// old sources may contain Latin-1, but names must be valid UTF-8, because they are passed to
/// compilers and editors.
std::optional<std::size_t> ByteThatIsNoUtf8(std::string_view name) {
  for (std::size_t i = 0; i < name.size();) {
    const auto character = base::CharacterAt(name, i);
    if (!character) return i;
    i += character->length;
  }
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, const ListConfig& config, std::string_view path)
      : config_(config), lines_(text) {
    list_.path = path;
    list_.text = text;
  }

  base::Result<RevisionList> Run() {
    Problem problem;
    const auto lexed = detail::Lex(list_.text, problem);
    if (!lexed) return Refuse(problem);
    const auto file = detail::Preprocess(*lexed, problem);
    if (!file) return Refuse(problem);
    const auto declarations = detail::FindDeclarations(file->tokens);
    const auto enums = detail::EvaluateEnums(declarations, *file);
    const EvaluatedEnum* const chosen = Choose(enums, problem);
    if (chosen == nullptr) {
      base::Error error = Refuse(problem);
      error.fix_kind = base::ErrorFix::EditConfig;
      return error;
    }
    if (const auto wrong = ReadBody(*chosen, *lexed, *file)) return Refuse(*wrong);
    if (const auto wrong = ReadEntries(*chosen, *file)) return Refuse(*wrong);
    detail::AssignKinds(list_, config_);
    detail::AssignLines(list_, lines_);
    return std::move(list_);
  }

 private:
  base::Error Refuse(const Problem& problem) const {
    const detail::Position at = lines_.At(problem.offset);
    return {.message = problem.message,
            .fix = problem.fix,
            .file = list_.path,
            .line = at.line,
            .column = at.column};
  }

  std::string PlaceOf(const EnumDeclaration& declaration) const {
    const std::string name = declaration.QualifiedName();
    return fmt::format("{} (line {})", name.empty() ? "an unnamed enum" : name,
                       lines_.At(declaration.place).line);
  }

  /// Returns the enum that the config selects, by its name or by the prefix of its entries.
  const EvaluatedEnum* Choose(const std::vector<EvaluatedEnum>& enums, Problem& problem) const {
    std::vector<const EvaluatedEnum*> fitting;
    for (const EvaluatedEnum& one : enums) {
      if (!config_.enum_name.empty() ? IsNamed(*one.declaration, config_.enum_name)
                                     : HasPrefix(*one.declaration)) {
        fitting.push_back(&one);
      }
    }
    // Choose an empty enum if it is the only enum in the file, because a new list has no entries
    // with the prefix yet.
    if (fitting.empty() && config_.enum_name.empty() && enums.size() == 1 &&
        enums[0].declaration->enumerators.empty() && !enums[0].declaration->problem) {
      return &enums[0];
    }
    if (fitting.size() == 1) return fitting[0];
    if (fitting.empty()) {
      // If an enum is unclosed, report that, because the wanted enum may be in the rest of the
      // file.
      const auto open = std::find_if(enums.begin(), enums.end(), [](const EvaluatedEnum& one) {
        return one.declaration->unclosed;
      });
      if (open != enums.end()) {
        problem = *open->declaration->problem;
        return nullptr;
      }
    }
    const std::string wanted = config_.enum_name.empty()
                                   ? "whose entries begin with " + config_.prefix
                                   : "called " + config_.enum_name;
    if (fitting.empty()) {
      problem.offset = 0;
      problem.message = fmt::format("this file has no enum {}", wanted);
      std::string others;
      for (const EvaluatedEnum& one : enums)
        others += (others.empty() ? "; it has " : ", ") + PlaceOf(*one.declaration);
      problem.message += others;
      problem.fix = "set `path`, `enum` and `prefix` of this list in .revctl.yaml";
      return nullptr;
    }
    problem.offset = fitting[1]->declaration->place;
    problem.message =
        fmt::format("there are two enums {}: {} and {}", wanted, PlaceOf(*fitting[0]->declaration),
                    PlaceOf(*fitting[1]->declaration));
    problem.fix = "choose one with `enum` in .revctl.yaml";
    return nullptr;
  }

  bool HasPrefix(const EnumDeclaration& declaration) const {
    if (config_.prefix.empty()) return true;
    return std::any_of(declaration.enumerators.begin(), declaration.enumerators.end(),
                       [this](const detail::Enumerator& one) {
                         return one.name->text.substr(0, config_.prefix.size()) == config_.prefix;
                       });
  }

  /// Reads the enum into `list_`. Returns why revctl cannot read or edit it, or nullopt on success.
  std::optional<Problem> ReadBody(const EvaluatedEnum& chosen, const detail::LexedFile& lexed,
                                  const detail::PreprocessedFile& file) {
    const EnumDeclaration& declaration = *chosen.declaration;
    if (declaration.problem) return declaration.problem;
    list_.enum_name = declaration.name;
    list_.qualified_enum = declaration.QualifiedName();
    list_.scope = declaration.scope;
    list_.in_class = declaration.in_class;
    list_.scoped = declaration.scoped;
    list_.enum_line = lines_.At(declaration.place).line;
    if (!declaration.underlying.empty()) {
      const std::size_t begin = declaration.underlying.front().span.begin;
      list_.underlying = list_.text.substr(begin, declaration.underlying.back().span.end - begin);
    }
    if (chosen.underlying) {
      list_.underlying_bits = chosen.underlying->bits;
      list_.underlying_signed = chosen.underlying->is_signed;
    }
    if (declaration.open.from_macro || declaration.close.from_macro)
      return Problem{
          declaration.place, "a macro generates this enum, so revctl cannot edit it", {}};
    list_.body = {declaration.open.span.end, declaration.close.span.begin};
    for (const detail::UndecidedTokens& part : file.undecided) {
      // Start at the keyword `enum`, because an #if may also select the underlying type.
      if (part.span.end <= declaration.place || part.span.begin >= list_.body.end) continue;
      return Problem{part.condition,
                     "list entries depend on this condition, but it uses a name that this file "
                     "does not define",
                     "define the name in this file above the enum, or remove the condition"};
    }
    if (const detail::Token* const unsure = UndecidedMacro(declaration, lexed, file)) {
      const detail::Macro* macro = file.macros.Find(unsure->text);
      return Problem{unsure->span.begin,
                     fmt::format("{} {}", unsure->text, (macro ? *macro : detail::Macro()).Why()),
                     {}};
    }
    for (const detail::ReadDirective& directive : file.directives) {
      // Reject includes in the enum. The include of pending revisions is allowed, because
      // revctl/pending adds their entries.
      const Span& span = directive.directive.span;
      const bool brings = directive.name == "include" || directive.name == "include_next" ||
                          directive.name == "import" || directive.name == "embed";
      if (span.begin < declaration.place || span.end > list_.body.end || (!Inside(span) && !brings))
        continue;
      if (brings && !directive.skipped && !(directive.undecided && IsPending(directive)))
        return Problem{span.begin, "revctl cannot read entries from another file", {}};
      if (Inside(span)) list_.directives.push_back(directive.directive);
    }
    for (const Span& comment : lexed.comments) {
      if (Inside(comment)) list_.comments.push_back(comment);
    }
    return std::nullopt;
  }

  /// Returns the first undecided macro name between the braces or in the underlying type. If the
  /// file has macros that could split a declaration in two, also searches the rest of the
  /// declaration.
  static const detail::Token* UndecidedMacro(const EnumDeclaration& declaration,
                                             const detail::LexedFile& lexed,
                                             const detail::PreprocessedFile& file) {
    std::size_t begin = declaration.underlying.empty() ? declaration.open.span.begin
                                                       : declaration.underlying.front().span.begin;
    if (detail::DefinesDeclarations(lexed, file, declaration.place))
      begin = detail::DeclarationBegin(file.tokens, declaration.place);
    const auto found =
        std::find_if(file.tokens.begin(), file.tokens.end(), [&](const detail::Token& token) {
          return token.undecided_macro && token.span.begin >= begin &&
                 token.span.end <= declaration.close.span.end;
        });
    return found == file.tokens.end() ? nullptr : &*found;
  }

  /// Returns a problem if a macro that is defined after the list replaces the entry's name in later
  /// code.
  static std::optional<Problem> ReplacedBehind(const detail::Token& name,
                                               const detail::PreprocessedFile& file) {
    const detail::Macro* const macro = file.macros.Find(name.text);
    if (macro == nullptr || !macro->Replaces(name.text)) return std::nullopt;
    Problem problem{
        name.span.begin,
        fmt::format("{} is also a macro, so code that uses the name gets the macro's value",
                    name.text),
        fmt::format("remove the macro {} from this file", name.text)};
    for (const detail::ReadDirective& directive : file.directives) {
      if (directive.name == "define" && directive.argument == name.text && !directive.skipped)
        problem.offset = directive.directive.span.begin;
    }
    return problem;
  }

  /// True for the include of pending revisions. Accepts only one spelling, because revctl/pending
  /// searches for this text and checks the file name.
  bool IsPending(const detail::ReadDirective& directive) const {
    const std::string line = fmt::format("#include {}", directive.argument);
    return directive.argument.starts_with('"') && line.ends_with(".pending.inc\"") &&
           list_.text.compare(directive.directive.span.begin, line.size(), line) == 0;
  }

  bool Inside(const Span& span) const {
    return span.begin >= list_.body.begin && span.end <= list_.body.end;
  }

  std::optional<Problem> ReadEntries(const EvaluatedEnum& chosen,
                                     const detail::PreprocessedFile& file) {
    const auto& enumerators = chosen.declaration->enumerators;
    list_.entries.reserve(enumerators.size());
    for (std::size_t i = 0; i < enumerators.size(); ++i) {
      const detail::Enumerator& one = enumerators[i];
      const bool from_macro = one.name->from_macro || (one.comma && one.comma->from_macro) ||
                              (one.assign && one.assign->from_macro);
      if (from_macro)
        return Problem{one.name->span.begin,
                       "a macro generates this entry, so revctl cannot edit it",
                       "write the entry without the macro"};
      if (const auto byte = ByteThatIsNoUtf8(one.name->text))
        return Problem{one.name->span.begin + *byte,
                       "this name contains a byte that is not UTF-8, which compilers reject "
                       "outside of comments",
                       "save the file as UTF-8, or write the name in ASCII"};
      if (!chosen.values[i]) return chosen.problems.at(i);
      if (auto replaced = ReplacedBehind(*one.name, file)) return replaced;
      const detail::Integer& integer = *chosen.values[i];
      const auto number = integer.Signed();
      if (!number)
        return Problem{one.name->span.begin,
                       fmt::format("{} is {}, but revctl supports only signed 64-bit numbers, up "
                                   "to 9223372036854775807",
                                   one.name->text, integer.Text()),
                       {}};
      list_.entries.push_back(MakeEntry(one, *number));
    }
    return std::nullopt;
  }

  Entry MakeEntry(const detail::Enumerator& one, std::int64_t number) const {
    Entry entry;
    entry.name = one.name->text;
    entry.number = number;
    entry.line = lines_.At(one.name->span.begin).line;
    entry.name_span = one.name->span;
    entry.head_end = one.head_end;
    entry.explicit_number = one.assign != nullptr;
    if (entry.explicit_number) {
      entry.initializer_span = {one.initializer.front().span.begin,
                                one.initializer.back().span.end};
      entry.initializer = list_.text.substr(
          entry.initializer_span.begin, entry.initializer_span.end - entry.initializer_span.begin);
      entry.alias_of = detail::NamedEntry(one.initializer, list_.enum_name);
      entry.one_below = detail::OneBelowEntry(one.initializer, list_.enum_name);
    }
    if (one.comma) entry.comma = one.comma->span.begin;
    return entry;
  }

  const ListConfig& config_;
  detail::LineTable lines_;
  RevisionList list_;
};

}  // namespace

base::Result<RevisionList> Parse(std::string_view text, const ListConfig& config,
                                 std::string_view path) {
  return Parser(text, config, path).Run();
}

}  // namespace revctl::list
