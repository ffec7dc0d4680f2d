#include "revctl/list/enum_values.h"

#include <string>
#include <unordered_map>

#include "revctl/list/expression.h"

namespace revctl::list::detail {
namespace {

/// Joins two parts of a qualified name, either of which may be empty.
std::string Join(const std::string& scope, std::string_view name) {
  return scope.empty() ? std::string(name) : scope + "::" + std::string(name);
}

/// Finds names as C++ does, from the innermost scope outwards, among what the file has declared so far.
template <class T>
class Scopes {
 public:
  /// A second declaration of a name makes it ambiguous, unless `again` says that it is the same one.
  void Declare(const std::string& qualified, T value, bool again = false) {
    const auto [place, fresh] = names_.emplace(qualified, value);
    if (fresh) return;
    if (again) {
      place->second = std::move(value);
    } else {
      place->second = std::nullopt;
    }
  }

  /// Null where nobody declared it; an empty optional where its value is unknown or ambiguous.
  const std::optional<T>* Find(std::string scope, std::string_view name) const {
    if (name.substr(0, 2) == "::") return Exact(std::string(name.substr(2)));
    for (;;) {
      if (const auto* found = Exact(Join(scope, name))) return found;
      if (scope.empty()) return nullptr;
      const std::size_t cut = scope.rfind("::");
      scope.resize(cut == scope.npos ? 0 : cut);
    }
  }

  void Forget(const std::string& qualified) { names_[qualified] = std::nullopt; }

 private:
  const std::optional<T>* Exact(const std::string& qualified) const {
    const auto found = names_.find(qualified);
    return found == names_.end() ? nullptr : &found->second;
  }

  std::unordered_map<std::string, std::optional<T>> names_;
};

class Evaluation {
 public:
  explicit Evaluation(const MacroTable& macros) : macros_(macros) {}

  void Add(const TypeDeclaration& declaration) {
    std::span<const Token> tokens = declaration.type;
    const auto type = TakeType(tokens, Names(declaration.scope));
    const std::string name = Join(declaration.scope, declaration.name);
    if (type && tokens.empty()) {
      types_.Declare(name, *type);
    } else {
      types_.Forget(name);
    }
  }

  void Add(const ConstantDeclaration& declaration) {
    const ExpressionNames names = Names(declaration.scope);
    const std::string name = Join(declaration.scope, declaration.name);
    Problem problem;
    auto value = Evaluate(declaration.value, names, problem);
    if (value && !declaration.type.empty()) {
      std::span<const Token> tokens = declaration.type;
      const auto type = TakeType(tokens, names);
      value = type && tokens.empty() ? std::optional(Convert(*value, *type)) : std::nullopt;
    }
    if (value) {
      values_.Declare(name, *value);
    } else {
      values_.Forget(name);
    }
  }

  EvaluatedEnum Add(const EnumDeclaration& declaration) {
    EvaluatedEnum result;
    result.declaration = &declaration;
    const std::string inside = Join(declaration.scope, declaration.name);
    result.underlying = Underlying(declaration);
    const ExpressionNames names = Names(declaration.name.empty() ? declaration.scope : inside);
    std::optional<Integer> before;
    for (std::size_t i = 0; i < declaration.enumerators.size(); ++i) {
      const Enumerator& one = declaration.enumerators[i];
      Problem problem{one.name.span.begin, {}, {}};
      const auto value = i == 0 && one.initializer.empty() ? std::optional(Integer{0, result.underlying.value_or(kInt)})
                                                          : Number(one, before, names, problem);
      if (value) {
        result.values.emplace_back(*value);
        before = result.underlying && Fits(*value, *result.underlying) ? Convert(*value, *result.underlying) : *value;
      } else {
        result.values.emplace_back(problem);
        before.reset();
      }
      Declare(declaration, one.name.text, before, false);
    }
    Close(declaration, result);
    return result;
  }

 private:
  ExpressionNames Names(const std::string& scope) const {
    return {[this, scope](std::string_view name) { return Value(scope, name); },
            [this, scope](std::string_view name) -> std::optional<IntegerType> {
              const auto* found = types_.Find(scope, name);
              return found == nullptr ? std::nullopt : *found;
            }};
  }

  NameValue Value(const std::string& scope, std::string_view name) const {
    const auto* found = values_.Find(scope, name);
    if (found != nullptr && *found) return {**found, {}};
    if (found != nullptr) return {std::nullopt, "has no number that revctl can work out, or several"};
    if (macros_.IsDefined(name) == MacroTable::Defined::Undecided) {
      return {std::nullopt, "is a macro whose definition depends on something that this file does not say"};
    }
    return {std::nullopt, "is not defined in this file"};
  }

  std::optional<IntegerType> Underlying(const EnumDeclaration& declaration) const {
    if (declaration.underlying.empty()) return declaration.scoped ? std::optional(kInt) : std::nullopt;
    std::span<const Token> tokens = declaration.underlying;
    const auto type = TakeType(tokens, Names(declaration.scope));
    return tokens.empty() ? type : std::nullopt;
  }

  static std::optional<Integer> Number(const Enumerator& one, const std::optional<Integer>& before, const ExpressionNames& names,
                                       Problem& problem) {
    if (!one.initializer.empty()) return Evaluate(one.initializer, names, problem);
    if (!before) {
      problem.message = std::string(one.name.text) + " counts on from an entry whose number is unknown";
      return std::nullopt;
    }
    auto next = Successor(*before);
    if (!next) problem.message = std::string(one.name.text) + " counts on beyond 64 bits";
    return next;
  }

  void Declare(const EnumDeclaration& declaration, std::string_view name, const std::optional<Integer>& value, bool again) {
    const auto declare = [&](const std::string& qualified) {
      if (value) {
        values_.Declare(qualified, *value, again);
      } else {
        values_.Forget(qualified);
      }
    };
    if (!declaration.name.empty()) declare(Join(Join(declaration.scope, declaration.name), name));
    if (!declaration.scoped) declare(Join(declaration.scope, name));
  }

  /// Behind its closing brace an enumerator has the enum's type, which computes as the narrowest type that holds them all.
  void Close(const EnumDeclaration& declaration, const EvaluatedEnum& result) {
    IntegerType type = result.underlying.value_or(kInt);
    if (!result.underlying) {
      for (const IntegerType candidate : {kInt, kUnsigned, kLong, kUnsignedLong}) {
        type = candidate;
        bool holds = true;
        for (const auto& value : result.values) {
          const auto* integer = std::get_if<Integer>(&value);
          holds = holds && (integer == nullptr || Fits(*integer, candidate));
        }
        if (holds) break;
      }
    }
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      const auto* integer = std::get_if<Integer>(&result.values[i]);
      if (integer == nullptr) continue;
      // A name that another enum has taken too stays ambiguous.
      const std::string_view name = declaration.enumerators[i].name.text;
      const auto* known = values_.Find(declaration.scope, declaration.scoped ? Join(declaration.name, name) : std::string(name));
      if (known != nullptr && *known) Declare(declaration, name, Convert(*integer, type), true);
    }
    if (!declaration.name.empty()) types_.Declare(Join(declaration.scope, declaration.name), type, true);
  }

  const MacroTable& macros_;
  Scopes<Integer> values_;
  Scopes<IntegerType> types_;
};

}  // namespace

std::vector<EvaluatedEnum> EvaluateEnums(std::span<const Declaration> declarations, const MacroTable& macros) {
  Evaluation evaluation(macros);
  std::vector<EvaluatedEnum> enums;
  for (const Declaration& declaration : declarations) {
    if (const auto* one = std::get_if<EnumDeclaration>(&declaration)) enums.push_back(evaluation.Add(*one));
    if (const auto* one = std::get_if<ConstantDeclaration>(&declaration)) evaluation.Add(*one);
    if (const auto* one = std::get_if<TypeDeclaration>(&declaration)) evaluation.Add(*one);
  }
  return enums;
}

}  // namespace revctl::list::detail
