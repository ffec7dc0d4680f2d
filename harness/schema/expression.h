#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// A value read from a payload, used to evaluate conditions.
struct ReadValue {
  enum class Kind : std::uint8_t { Number, Real, Text };
  Kind kind = Kind::Number;
  std::uint64_t bits = 0;  ///< a Number, sign-extended to 64 bits if it is signed
  bool negative = false;
  double real = 0;
  std::string text{};
};

/// An expression returned by TranslateCondition, parsed for evaluation.
class Expression {
 public:
  /// Returns nullopt if the text has an unknown constant or a text literal with an escape.
  /// `constant` returns the value of an enumerator such as `color::red`, or nullopt.
  using Constant = std::function<std::optional<std::int64_t>(const std::string& name)>;
  static std::optional<Expression> Parse(std::string_view text, const Constant& constant);

  /// Returns the names of the values that Decide needs, such as `kind`, `items.count`, `pos.x` or
  /// `boss.present`.
  const std::set<std::string>& names() const { return names_; }

  /// Evaluates the condition. Returns nullopt if a value is missing.
  std::optional<bool> Decide(const std::map<std::string, ReadValue>& values) const;

 private:
  struct Node;
  class Parser;
  Expression() = default;
  static std::optional<ReadValue> Evaluate(const Node& node,
                                           const std::map<std::string, ReadValue>& values);

  std::shared_ptr<const Node> root_;
  std::set<std::string> names_;
};

}  // namespace revctl::harness
