#include "revctl/list/reading/enum_values.h"

#include <fmt/core.h>
#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <variant>

#include "revctl/list/reading/expression.h"

namespace revctl::list::detail {
namespace {

std::string Join(const std::string& scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}::{}", scope, name);
}

/// Returns the first non-null result of `find(scope, name)`, called for `scope` and then for each
/// enclosing scope, like name lookup in C++.
template <class Find>
auto Outwards(std::string scope, std::string_view name, Find find) -> decltype(find(scope, name)) {
  if (name.substr(0, 2) == "::") return find(std::string(), name.substr(2));
  for (;;) {
    if (auto found = find(scope, name)) return found;
    if (scope.empty()) return {};
    const std::size_t cut = scope.rfind("::");
    scope.resize(cut == scope.npos ? 0 : cut);
  }
}

bool IsOneOf(const Token& token, std::initializer_list<std::string_view> spellings) {
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](std::string_view spelling) { return token.Is(spelling); });
}

/// True for a keyword, such as `return`, that does not declare the name after it. Any other
/// identifier before a name declares it: `int name`, `auto name`, `using name`.
bool EndsExpression(const Token& token) {
  return IsOneOf(token, {"return", "case", "sizeof", "throw", "else", "goto", "and", "or", "not",
                         "xor", "bitand", "bitor", "compl", "not_eq", "new", "delete", "co_return",
                         "co_yield", "co_await"});
}

/// True if the tokens around the name at `at` look like a declaration of the name. `at` must not be
/// the first or last token. `in_using` is true if a `using` precedes the name.
bool Declares(std::span<const Token> tokens, std::size_t at, bool in_using) {
  const Token &before = tokens[at - 1], &behind = tokens[at + 1];
  if (before.IsName())
    return !EndsExpression(before) &&
           IsOneOf(behind, {"=", "{", ";", ",", "(", "[", ")", ">", ":"});
  return (IsOneOf(before, {">", "&", "&&", "*", "]", ","}) && IsOneOf(behind, {"=", "{"})) ||
         (in_using && before.Is("::") && IsOneOf(behind, {";", ","}));
}

/// Finds declarations of names by looking only at tokens. Covers every scope and every kind of
/// declaration, even declarations that FindDeclarations() ignores. Because of base classes, `using`
/// and inline namespaces, C++ may find a different declaration than revctl, so a name with two
/// declarations is ambiguous. The index is built on the first lookup, which most lists never need.
class Mentions {
 public:
  Mentions(const PreprocessedFile& file, std::span<const Declaration> declarations)
      : file_(file), declarations_(declarations) {}

  /// True if `name` has several declarations before the offset `before`.
  bool Several(std::string_view name, std::size_t before) {
    if (!indexed_) Index();
    const auto places = places_.find(name);
    return places != places_.end() && places->second.size() > 1 && places->second[1] < before;
  }
  /// True if `name` occurs before the offset `before` in code whose condition cannot be decided
  /// from this file alone.
  bool Undecided(std::string_view name, std::size_t before) const {
    const auto found = file_.undecided_names.find(name);
    return found != file_.undecided_names.end() && found->second < before;
  }

 private:
  void Index() {
    indexed_ = true;
    std::vector<std::pair<std::size_t, std::string_view>> found;
    const auto& tokens = file_.tokens;
    bool in_using = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const Token& token = tokens[i];
      if (token.Is("using")) in_using = true;
      if (IsOneOf(token, {";", "{", "}"})) in_using = false;
      if (i > 0 && token.IsName() && Declares(tokens, i, in_using))
        found.emplace_back(token.span.begin, token.text);
    }
    for (const Declaration& declaration : declarations_) {
      const auto* one = std::get_if<EnumDeclaration>(&declaration);
      if (one == nullptr) continue;
      for (const Enumerator& enumerator : one->enumerators)
        found.emplace_back(enumerator.name->span.begin, enumerator.name->text);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const auto& [place, name] : found) {
      auto& places = places_[name];
      if (places.size() < 2) places.push_back(place);
    }
  }

  const PreprocessedFile& file_;
  std::span<const Declaration> declarations_;
  bool indexed_ = false;
  /// offsets of the first two declarations, ascending
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

/// The enumerators of one enum that have been evaluated so far.
struct EnumeratorTable {
  const EnumDeclaration* declaration = nullptr;
  const std::vector<std::optional<Integer>>* open =
      nullptr;  ///< the values while the enum is being evaluated; this vector still grows
  std::vector<std::optional<Integer>> closed;
  std::optional<IntegerType> type;  ///< type of the enumerators once the enum is complete

  void Close(IntegerType computing_type, std::vector<std::optional<Integer>> values) {
    closed = std::move(values);
    type = computing_type;
    open = nullptr;
  }

  const std::vector<std::optional<Integer>>& Values() const {
    return open != nullptr ? *open : closed;
  }

  std::optional<Integer> Value(std::size_t index) const {
    const std::optional<Integer>& value = Values()[index];
    return value && type ? std::optional(Convert(*value, *type)) : value;
  }
};

/// The enumerators that are visible in one scope. Builds its index of names on the first lookup,
/// which most lists never need.
class ScopeOfEnums {
 public:
  void Add(const EnumeratorTable* table) { tables_.push_back(table); }

  /// Returns nullopt if no enumerator has this name, and an optional that holds nullopt if the
  /// enumerator's value is uncertain.
  std::optional<std::optional<Integer>> Find(std::string_view name) {
    // All tables except the last are complete, so their part of the index stays valid.
    while (table_ < tables_.size()) {
      const EnumeratorTable& table = *tables_[table_];
      for (; index_in_table_ < table.Values().size(); ++index_in_table_) {
        const auto [place, fresh] =
            index_.emplace(table.declaration->enumerators[index_in_table_].name->text,
                           IndexedName{&table, index_in_table_});
        if (!fresh) place->second.table = nullptr;
      }
      if (table_ + 1 == tables_.size()) break;
      ++table_;
      index_in_table_ = 0;
    }
    const auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    const auto& [table, index] = found->second;
    return table == nullptr ? std::optional<Integer>() : table->Value(index);
  }

 private:
  struct IndexedName {
    const EnumeratorTable* table;  ///< null if several enumerators have the name
    std::size_t index;
  };
  std::vector<const EnumeratorTable*> tables_;
  std::unordered_map<std::string_view, IndexedName> index_;
  std::size_t table_ = 0, index_in_table_ = 0;  ///< position up to which the tables are indexed
};

/// The names that the file has declared so far, with their values.
class Names {
 public:
  Names(const PreprocessedFile& file, std::span<const Declaration> declarations)
      : macros_(file.macros), mentions_(file, declarations) {}

  /// Starts the evaluation of the declaration at offset `place` in `scope`.
  void At(std::size_t place, const std::string& scope) {
    place_ = place;
    innermost_ = scope;
    own_ = {};
  }
  /// Makes the enumerators of the enum being evaluated hide all other names.
  void Own(const EnumeratorTable& table) { own_.Add(&table); }

  ExpressionNames In(const std::string& scope) {
    return {[this, scope](std::string_view name) { return Value(scope, name); },
            [this, scope](std::string_view name) -> std::optional<IntegerType> {
              std::string found_at;
              const auto found =
                  Outwards(scope, name, [&](const std::string& at, std::string_view wanted) {
                    found_at = at;
                    return Exact(types_, Join(at, wanted));
                  });
              return found && Doubt(name, found_at).empty() ? *found : std::nullopt;
            }};
  }

  void Constant(const std::string& qualified, std::optional<Integer> value) {
    Declare(constants_, qualified, value);
  }
  void Type(const std::string& qualified, std::optional<IntegerType> type) {
    Declare(types_, qualified, type);
  }

  /// Makes the enumerators of `declaration` visible. Later lookups read `values`, so it may grow
  /// but must stay alive.
  EnumeratorTable& Enum(const EnumDeclaration& declaration,
                        const std::vector<std::optional<Integer>>& values) {
    EnumeratorTable& table = tables_.emplace_back();
    table.declaration = &declaration;
    table.open = &values;
    if (!declaration.name.empty()) enums_[Join(declaration.scope, declaration.name)].Add(&table);
    if (!declaration.scoped) enums_[declaration.scope].Add(&table);
    return table;
  }

 private:
  template <class T>
  using Declared = std::unordered_map<std::string, std::optional<T>>;

  /// Adds a name. A second declaration makes the name ambiguous.
  template <class T>
  static void Declare(Declared<T>& names, const std::string& qualified, std::optional<T> value) {
    const auto [place, fresh] = names.emplace(qualified, value);
    if (!fresh) place->second = std::nullopt;
  }

  template <class T>
  static std::optional<std::optional<T>> Exact(const Declared<T>& names,
                                               const std::string& qualified) {
    const auto found = names.find(qualified);
    if (found == names.end()) return std::nullopt;
    return found->second;
  }

  std::optional<std::optional<Integer>> ExactValue(const std::string& scope,
                                                   std::string_view name) {
    const std::string qualified = Join(scope, name);
    std::optional<std::optional<Integer>> found = Exact(constants_, qualified);
    const std::size_t cut = qualified.rfind("::");
    const auto here = enums_.find(cut == qualified.npos ? std::string() : qualified.substr(0, cut));
    if (here == enums_.end()) return found;
    const std::string_view last = cut == qualified.npos
                                      ? std::string_view(qualified)
                                      : std::string_view(qualified).substr(cut + 2);
    const auto value = here->second.Find(last);
    if (value && found)
      // The name is both a constant and an enumerator, so it is ambiguous.
      return std::optional<Integer>();
    return value ? value : found;
  }

  /// Returns why `name` might refer to something other than the declaration found in the scope
  /// `at`, or "" if it certainly refers to that declaration.
  std::string Doubt(std::string_view name, const std::string& at) {
    const std::size_t cut = name.rfind("::");
    const std::string_view last = cut == name.npos ? name : name.substr(cut + 2);
    if (mentions_.Undecided(last, place_))
      return "is also declared inside an #if whose condition revctl cannot evaluate";
    if (cut == name.npos && at != innermost_ && mentions_.Several(last, place_))
      return "is declared more than once in this file, so it is ambiguous";
    return {};
  }

  NameValue Value(const std::string& scope, std::string_view name) {
    if (const auto own = own_.Find(name)) {
      if (*own) return {**own, {}};
      return {std::nullopt, "is ambiguous, or has a value that revctl cannot determine"};
    }
    std::string found_at;
    const auto found = Outwards(scope, name, [&](const std::string& at, std::string_view wanted) {
      found_at = at;
      return ExactValue(at, wanted);
    });
    if (found && *found) {
      std::string doubt = Doubt(name, found_at);
      if (doubt.empty()) return {**found, {}};
      return {std::nullopt, std::move(doubt)};
    }
    if (found) return {std::nullopt, "is ambiguous, or has a value that revctl cannot determine"};
    if (const Macro* macro = macros_.Find(name); macro != nullptr && macro->NotExpanded())
      return {std::nullopt, std::string(macro->Why())};
    return {std::nullopt, "is not defined in this file"};
  }

  const MacroTable& macros_;
  Mentions mentions_;
  std::size_t place_ = 0;
  std::string innermost_;
  ScopeOfEnums own_;
  Declared<Integer> constants_;
  Declared<IntegerType> types_;
  std::deque<EnumeratorTable> tables_;
  /// enumerators by the scope in which they are visible
  std::unordered_map<std::string, ScopeOfEnums> enums_;
};

std::optional<IntegerType> WholeType(std::span<const Token> tokens, const ExpressionNames& names) {
  const auto type = TakeType(tokens, names);
  return tokens.empty() ? type : std::nullopt;
}

std::optional<IntegerType> Underlying(const EnumDeclaration& declaration, Names& names) {
  if (declaration.underlying.empty())
    return declaration.scoped ? std::optional(kInt) : std::nullopt;
  return WholeType(declaration.underlying, names.In(declaration.scope));
}

std::optional<Integer> Number(const Enumerator& one, bool first,
                              const std::optional<Integer>& before,
                              std::optional<IntegerType> underlying, const ExpressionNames& names,
                              Problem& problem) {
  if (!one.initializer.empty()) return Evaluate(one.initializer, names, problem);
  if (first) return Integer{0, underlying.value_or(kInt)};
  if (!before) {
    problem.message = std::string(one.name->text) + " follows an entry whose number is unknown";
    return std::nullopt;
  }
  auto next = Successor(*before);
  if (!next) problem.message = std::string(one.name->text) + " does not fit in 64 bits";
  return next;
}

/// Returns the type of the enum's values in expressions: the fixed type, or the narrowest type that
/// holds all values.
IntegerType ComputingType(const EvaluatedEnum& one) {
  if (one.underlying) return *one.underlying;
  for (const IntegerType candidate : {kInt, kUnsigned, kLong}) {
    bool holds = true;
    for (const auto& value : one.values) holds = holds && (!value || Fits(*value, candidate));
    if (holds) return candidate;
  }
  return kUnsignedLong;
}

void EvaluateEnum(const EnumDeclaration& declaration, Names& names, EvaluatedEnum& result) {
  result.declaration = &declaration;
  names.At(declaration.place, declaration.scope);
  result.underlying = Underlying(declaration, names);
  result.values.reserve(declaration.enumerators.size());
  const ExpressionNames inside = names.In(
      declaration.name.empty() ? declaration.scope : Join(declaration.scope, declaration.name));
  std::vector<std::optional<Integer>> in_type;  // enumerator values as later enumerators see them
  in_type.reserve(declaration.enumerators.size());
  EnumeratorTable& table = names.Enum(declaration, in_type);
  names.Own(table);
  for (std::size_t i = 0; i < declaration.enumerators.size(); ++i) {
    const Enumerator& one = declaration.enumerators[i];
    Problem problem{one.name->span.begin, {}, {}};
    const auto value = Number(one, i == 0, i == 0 ? std::nullopt : in_type.back(),
                              result.underlying, inside, problem);
    if (!value) result.problems.emplace(i, std::move(problem));
    result.values.push_back(value);
    in_type.push_back(value && result.underlying && Fits(*value, *result.underlying)
                          ? Convert(*value, *result.underlying)
                          : value);
  }
  const IntegerType type = ComputingType(result);
  table.Close(type, std::move(in_type));
  if (!declaration.name.empty()) names.Type(Join(declaration.scope, declaration.name), type);
}

}  // namespace

std::vector<EvaluatedEnum> EvaluateEnums(std::span<const Declaration> declarations,
                                         const PreprocessedFile& file) {
  Names names(file, declarations);
  std::vector<EvaluatedEnum> enums;
  for (const Declaration& declaration : declarations) {
    if (const auto* one = std::get_if<EnumDeclaration>(&declaration)) {
      EvaluateEnum(*one, names, enums.emplace_back());
    } else if (const auto* constant = std::get_if<ConstantDeclaration>(&declaration)) {
      if (!constant->value.empty()) names.At(constant->value.front().span.begin, constant->scope);
      const ExpressionNames around = names.In(constant->scope);
      Problem ignored;
      auto value = Evaluate(constant->value, around, ignored);
      if (value && !constant->type.empty()) {
        const auto type = WholeType(constant->type, around);
        value = type ? std::optional(Convert(*value, *type)) : std::nullopt;
      }
      names.Constant(Join(constant->scope, constant->name), value);
    } else {
      const auto& type = std::get<TypeDeclaration>(declaration);
      if (!type.type.empty()) names.At(type.type.front().span.begin, type.scope);
      names.Type(Join(type.scope, type.name), WholeType(type.type, names.In(type.scope)));
    }
  }
  return enums;
}

}  // namespace revctl::list::detail
