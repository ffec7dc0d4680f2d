#include "revctl/list/reading/macros.h"

#include <fmt/core.h>
#include <algorithm>
#include <memory>
#include <optional>

namespace revctl::list::detail {
namespace {

/// Macros that must not be expanded again inside their own expansion. The sets are linked lists
/// that share their tails.
struct Hidden {
  std::string_view name;
  std::shared_ptr<const Hidden> next;
  int depth = 0;
};
using HideSet = std::shared_ptr<const Hidden>;

bool Hides(const HideSet& set, std::string_view name) {
  for (const Hidden* hidden = set.get(); hidden != nullptr; hidden = hidden->next.get()) {
    if (hidden->name == name) return true;
  }
  return false;
}

/// Limit on the nesting of macros, because Hides() takes time linear in the depth.
constexpr int kDeepestMacro = 1000;

struct Waiting {
  Token token;
  HideSet hidden;
};

/// The tokens that have not been read yet: tokens that expansions pushed back, followed by the
/// input.
class Source {
 public:
  explicit Source(std::span<const Token> input) : input_(input) {}

  bool Empty() const { return pushed_.empty() && input_.empty(); }
  const Token& Peek() const { return pushed_.empty() ? input_.front() : pushed_.back().token; }

  Waiting Pull() {
    if (pushed_.empty()) {
      const Token& token = input_.front();
      input_ = input_.subspan(1);
      return {token, nullptr};
    }
    Waiting next = std::move(pushed_.back());
    pushed_.pop_back();
    return next;
  }

  void Push(const Token& token, const HideSet& hidden) { pushed_.push_back({token, hidden}); }

 private:
  std::span<const Token> input_;
  std::vector<Waiting> pushed_;  ///< the next token is the last element
};

class Expansion {
 public:
  Expansion(const std::map<std::string, Macro, std::less<>>& macros, std::size_t& budget,
            Problem& problem)
      : macros_(macros), budget_(budget), problem_(problem) {}

  bool Run(std::span<const Token> input, std::vector<Token>& output, int depth) {
    if (depth > 50) return Fail(input.front().span.begin, "macro arguments are nested too deeply");
    Source source(input);
    while (!source.Empty()) {
      Waiting next = source.Pull();
      const Macro* const macro = Expandable(next);
      if (macro == nullptr ||
          (macro->function_like && (source.Empty() || !source.Peek().Is("(")))) {
        output.push_back(next.token);
        continue;
      }
      if (!Replace(next, *macro, source, depth)) return false;
    }
    return true;
  }

 private:
  using Arguments = std::vector<std::vector<Token>>;

  bool Fail(std::size_t offset, std::string message) {
    problem_ = {offset, std::move(message), {}};
    return false;
  }

  const Macro* Expandable(Waiting& next) const {
    if (!next.token.IsName()) return nullptr;
    const auto found = macros_.find(next.token.text);
    if (found == macros_.end() || Hides(next.hidden, next.token.text)) return nullptr;
    next.token.undecided_macro = found->second.NotExpanded();
    return next.token.undecided_macro ? nullptr : &found->second;
  }

  bool Replace(const Waiting& name, const Macro& macro, Source& source, int depth) {
    Span place = name.token.span;
    std::vector<Token> body;
    if (macro.function_like) {
      Arguments arguments;
      if (!TakeArguments(name.token, macro, source, arguments, place)) return false;
      if (!Substitute(macro, arguments, body, place, depth)) return false;
    } else {
      body = macro.body;
    }
    if (body.size() + 1 > budget_)
      return Fail(place.begin, "the macro expansions in this file are too large");
    budget_ -= body.size() + 1;
    const int nested = name.hidden ? name.hidden->depth + 1 : 1;
    if (nested > kDeepestMacro) return Fail(place.begin, "macro expansions are nested too deeply");
    const auto hidden =
        std::make_shared<const Hidden>(Hidden{name.token.text, name.hidden, nested});
    for (auto token = body.rbegin(); token != body.rend(); ++token) {
      token->span = place;
      token->from_macro = true;
      token->line_start = false;
      source.Push(*token, hidden);
    }
    return true;
  }

  bool TakeArguments(const Token& name, const Macro& macro, Source& source, Arguments& arguments,
                     Span& place) {
    int open = 0;
    arguments.emplace_back();
    while (!source.Empty()) {
      const Token token = source.Pull().token;
      place.end = std::max(place.end, token.span.end);
      const bool closes = token.Is(")") && --open == 0;
      if (closes) {
        const std::size_t wanted = macro.parameters.size();
        if (wanted == 0 && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
        if (arguments.size() == wanted) return true;
        return Fail(name.span.begin, fmt::format("the macro {} takes {} arguments, but got {}",
                                                 name.text, wanted, arguments.size()));
      }
      if (token.Is("(") && ++open == 1) continue;
      if (token.Is(",") && open == 1) {
        arguments.emplace_back();
      } else {
        arguments.back().push_back(token);
      }
    }
    return Fail(name.span.begin, fmt::format("unterminated argument list for macro {}", name.text));
  }

  static std::optional<std::size_t> Parameter(const Macro& macro, const Token& token) {
    if (!token.IsName()) return std::nullopt;
    for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
      if (macro.parameters[i] == token.text) return i;
    }
    return std::nullopt;
  }

  bool Substitute(const Macro& macro, const Arguments& arguments, std::vector<Token>& output,
                  Span place, int depth) {
    for (const Token& token : macro.body) {
      const auto parameter = Parameter(macro, token);
      if (!parameter) {
        output.push_back(token);
        continue;
      }
      const std::vector<Token>& argument = arguments[*parameter];
      if (argument.size() > budget_)
        return Fail(place.begin, "the macro expansions in this file are too large");
      budget_ -= argument.size();
      if (!argument.empty() && !Run(argument, output, depth + 1)) return false;
    }
    return true;
  }

  const std::map<std::string, Macro, std::less<>>& macros_;
  std::size_t& budget_;
  Problem& problem_;
};

}  // namespace

bool MacroTable::Define(std::span<const Token> line, bool undecided, Problem& problem) {
  if (line.empty() || !line[0].IsName()) {
    problem.message = "#define without a name";
    if (!line.empty()) problem.offset = line[0].span.begin;
    return false;
  }
  Macro macro;
  macro.undecided = undecided;
  std::size_t i = 1;
  // If a '(' directly follows the name, the macro is function-like.
  if (line.size() > 1 && line[1].Is("(") && line[1].span.begin == line[0].span.end) {
    macro.function_like = true;
    for (i = 2; i < line.size() && !line[i].Is(")"); ++i) {
      if (line[i].Is(",")) continue;
      if (line[i].Is("...")) {
        macro.pastes = true;
      } else if (line[i].IsName()) {
        macro.parameters.push_back(line[i].text);
      } else {
        problem = {
            line[i].span.begin, fmt::format("'{}' is not a macro parameter", line[i].text), {}};
        return false;
      }
    }
    if (i == line.size()) {
      problem = {line[0].span.begin, "unterminated parameter list in this macro definition", {}};
      return false;
    }
    ++i;
  }
  macro.body.assign(line.begin() + static_cast<std::ptrdiff_t>(i), line.end());
  for (const Token& token : macro.body)
    macro.pastes |= token.Is("##") || (token.Is("#") && macro.function_like);
  if (const auto found = macros_.find(line[0].text);
      found != macros_.end() && found->second.undecided)
    macro.undecided = true;
  if (const auto gone = undefined_.find(line[0].text); gone != undefined_.end())
    undefined_.erase(gone);
  macros_.insert_or_assign(std::string(line[0].text), std::move(macro));
  return true;
}

void MacroTable::Undefine(std::string_view name, bool undecided) {
  const auto found = macros_.find(name);
  if (undecided) {
    if (found != macros_.end()) found->second.undecided = true;
    if (found == macros_.end() && !undefined_.contains(name)) MakeUndecided(name);
    return;
  }
  if (found != macros_.end()) macros_.erase(found);
  undefined_.emplace(name);
}

void MacroTable::MakeUndecided(std::string_view name) {
  macros_[std::string(name)].undecided = true;
}

MacroTable::Defined MacroTable::IsDefined(std::string_view name) const {
  const auto found = macros_.find(name);
  if (found != macros_.end()) return found->second.undecided ? Defined::Undecided : Defined::Yes;
  return undefined_.contains(name) ? Defined::No : Defined::Unknown;
}

const Macro* MacroTable::Find(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool MacroTable::Expand(std::span<const Token> input, std::vector<Token>& output,
                        Problem& problem) {
  if (macros_.empty()) {
    output.insert(output.end(), input.begin(), input.end());
    return true;
  }
  if (input.empty()) return true;
  return Expansion(macros_, budget_, problem).Run(input, output, 0);
}

}  // namespace revctl::list::detail
