#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace revctl::base {

/// A JSON value: null, a flag, a number, a text, a list, or an object whose keys keep their order.
/// json.cpp alone includes the library that reads and writes it: it costs a second a file.
class Json {
 public:
  using List = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(std::same_as<bool> auto flag) : value_(flag) {}
  /// Numbers that are not negative are equal where their values are, whatever type they had.
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T number) {
    if (std::cmp_less(number, 0)) {
      value_ = static_cast<std::int64_t>(number);
    } else {
      value_ = static_cast<std::uint64_t>(number);
    }
  }
  Json(double number) : value_(number) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(List items) : value_(std::move(items)) {}
  static Json Object() {
    Json out;
    out.value_ = Members();
    return out;
  }

  /// Adds to an object, behind its last member. The key must be new.
  Json& Set(std::string_view key, Json value) &;
  Json&& Set(std::string_view key, Json value) && { return std::move(Set(key, std::move(value))); }

  bool IsText() const { return text() != nullptr; }
  bool IsFlag() const { return std::holds_alternative<bool>(value_); }
  /// A whole number from 0.
  bool IsCount() const { return count() != nullptr; }
  bool IsWhole() const { return IsCount() || std::holds_alternative<std::int64_t>(value_); }
  bool IsNumber() const { return IsWhole() || std::holds_alternative<double>(value_); }
  bool IsList() const { return std::holds_alternative<List>(value_); }
  bool IsObject() const { return std::holds_alternative<Members>(value_); }

  /// Null where it is something else.
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const std::uint64_t* count() const { return std::get_if<std::uint64_t>(&value_); }
  /// 0 where it is no number.
  double number() const;
  /// Empty where it is no list.
  const List& items() const;
  /// It must be a list.
  List& items() { return std::get<List>(value_); }

  /// Null where it is no object, or has no such member.
  const Json& operator[](std::string_view key) const;
  /// The member must be there.
  Json& At(std::string_view key);

  bool operator==(const Json&) const = default;

 private:
  friend struct JsonLibrary;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List,
               Members>
      value_;
};

/// In one line where `indent` is negative. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(const Json& json, int indent = -1);

/// Nothing where `text` is no JSON, is nested deeper than `deepest` levels, or has an object with
/// one key twice.
std::optional<Json> ParseJson(std::string_view text, std::size_t deepest);

}  // namespace revctl::base
