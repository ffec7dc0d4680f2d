#include "revctl/generate/type.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>

#include "revctl/base/ascii.h"
#include "revctl/generate/definition.h"

namespace revctl::generate {
namespace {

constexpr std::array<std::string_view, 8> kIntegers = {
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
constexpr std::array<std::string_view, 3> kOthers = {"bool", "float", "double"};

/// A container type. `types` is the number of types between `<` and `>`, and `count` is true if a
/// length follows them.
struct Container {
  std::string_view name, cpp;
  std::size_t types;
  bool count;
};
constexpr std::array<Container, 4> kContainers = {{{"vector", "std::vector", 1, false},
                                                   {"array", "std::array", 1, true},
                                                   {"optional", "std::optional", 1, false},
                                                   {"map", "std::map", 2, false}}};
const Container* FindContainer(std::string_view name) {
  const auto found = std::find_if(kContainers.begin(), kContainers.end(),
                                  [&](const Container& c) { return c.name == name; });
  return found == kContainers.end() ? nullptr : found;
}

/// Nesting limit, far above the depth of any sensible type.
constexpr int kMaxDepth = 16;

class Parser {
 public:
  Parser(std::string_view text, const std::function<bool(std::string_view)>& known)
      : text_(text), known_(known) {}

  std::optional<base::Problem> Run(Type& type) {
    One(type, 0);
    Blanks();
    if (!error_ && at_ != text_.size())
      Fail(fmt::format("unexpected '{}' after the type", text_.substr(at_)));
    return error_;
  }

 private:
  void Fail(std::string message) {
    if (!error_) error_ = base::Problem{at_, std::move(message), ""};
  }
  void Blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  std::string_view Word() {
    Blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && base::IsWord(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void Expect(char c) {
    Blanks();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
    } else {
      Fail(fmt::format("expected '{}'", c));
    }
  }

  void One(Type& type, int depth) {
    Blanks();
    const std::size_t begin = at_;
    type.name = Word();
    if (depth > kMaxDepth) return Fail("nested too deeply");
    if (const Container* container = FindContainer(type.name)) {
      Expect('<');
      for (std::size_t i = 0; i < container->types && !error_; ++i) {
        if (i > 0) Expect(',');
        One(type.args.emplace_back(), depth + 1);
      }
      if (container->count && !error_) {
        Expect(',');
        type.count = Word();
        if (type.count.size() > 9 || !base::IsNumber(type.count) || type.count.front() == '0') {
          Fail("an array needs an element count: array<float, 3>");
        }
      }
      if (!error_) Expect('>');
    } else if (type.name != "string" && !IsInteger(type.name) && !Has(kOthers, type.name) &&
               !known_(type.name)) {
      at_ = begin;
      Fail(type.name.empty()
               ? "expected a type"
               : fmt::format(
                     "'{}' is neither a built-in type nor an enum or struct that is defined above",
                     type.name));
    }
  }

  std::string_view text_;
  const std::function<bool(std::string_view)>& known_;
  std::size_t at_ = 0;
  std::optional<base::Problem> error_;
};

}  // namespace

bool operator==(const Type& a, const Type& b) {
  return a.name == b.name && a.args == b.args && a.count == b.count;
}

std::optional<base::Problem> ParseType(std::string_view text,
                                       const std::function<bool(std::string_view)>& known,
                                       Type& type) {
  return Parser(text, known).Run(type);
}

std::string TypeText(const Type& type) {
  std::string text = type.name;
  for (const Type& arg : type.args)
    text += (&arg == &type.args.front() ? "<" : ", ") + TypeText(arg);
  if (!type.count.empty()) text += ", " + type.count;
  return type.args.empty() ? text : text + '>';
}

std::string CppType(const Type& type) {
  if (const Container* container = FindContainer(type.name)) {
    std::string text(container->cpp);
    text += '<';
    for (const Type& arg : type.args)
      text += (&arg == &type.args.front() ? "" : ", ") + CppType(arg);
    if (container->count) text += ", " + type.count;
    return text + '>';
  }
  if (type.name == "string") return "std::string";
  return IsInteger(type.name) ? "std::" + type.name : type.name;
}

bool IsScalar(const Type& type, const Definition& definition) {
  return IsInteger(type.name) || Has(kOthers, type.name) ||
         definition.FindEnum(type.name) != nullptr;
}

namespace {

/// The range of a number type: whether it is signed, and how many bits its magnitude has. For a
/// floating-point type, this is the size of the integers that it represents exactly.
struct Digits {
  bool sign = false, fraction = false;
  int bits = 0;
};
std::optional<Digits> DigitsOf(std::string_view name) {
  if (name == "bool") return Digits{false, false, 1};
  if (name == "float") return Digits{true, true, 24};
  if (name == "double") return Digits{true, true, 53};
  if (!IsInteger(name)) return std::nullopt;
  const bool sign = name.front() == 'i';
  int bits = 0;
  for (const char c : name) {
    if (base::IsDigit(c)) bits = bits * 10 + (c - '0');
  }
  return Digits{sign, false, sign ? bits - 1 : bits};
}

}  // namespace

bool Widens(const Type& from, const Type& to) {
  if (from == to) return true;
  if (to.name == "optional") return Widens(from, to.args.front());
  const auto a = DigitsOf(from.name), b = DigitsOf(to.name);
  return a && b && a->bits <= b->bits && (!a->sign || b->sign) && (!a->fraction || b->fraction) &&
         to.name != "bool";
}

bool IsInteger(std::string_view name) { return Has(kIntegers, name); }

}  // namespace revctl::generate
