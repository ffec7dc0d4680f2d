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

/// A JSON value: null, bool, number, string, list, or object. Objects keep the order of their keys.
/// Only json.cpp includes the JSON library, because including it adds a second to a file's compile
/// time.
class Json {
 public:
  using List = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(std::same_as<bool> auto flag) : value_(flag) {}
  /// Stores a non-negative integer of any type as unsigned, so that equal numbers compare equal.
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

  /// Appends a member to an object, which must not contain the key yet.
  Json& Set(std::string_view key, Json value) &;
  Json&& Set(std::string_view key, Json value) && { return std::move(Set(key, std::move(value))); }

  bool IsText() const { return text() != nullptr; }
  bool IsFlag() const { return std::holds_alternative<bool>(value_); }
  /// True for a non-negative integer.
  bool IsCount() const { return count() != nullptr; }
  bool IsWhole() const { return IsCount() || std::holds_alternative<std::int64_t>(value_); }
  bool IsNumber() const { return IsWhole() || std::holds_alternative<double>(value_); }
  bool IsList() const { return std::holds_alternative<List>(value_); }
  bool IsObject() const { return std::holds_alternative<Members>(value_); }

  /// text() and count() return null if the value has a different type.
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const std::uint64_t* count() const { return std::get_if<std::uint64_t>(&value_); }
  /// Returns the value as a double, or 0 if it is not a number.
  double number() const;
  /// Returns the items of a list, or an empty list if the value is not a list.
  const List& items() const;
  /// Returns a list's items for modification. The value must be a list.
  List& items() { return std::get<List>(value_); }

  /// Returns the member named `key`. Returns a null value if there is no such member or this is not
  /// an object.
  const Json& operator[](std::string_view key) const;
  /// Returns the member named `key` for modification. The member must exist.
  Json& At(std::string_view key);

  bool operator==(const Json&) const = default;

 private:
  friend struct JsonLibrary;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List,
               Members>
      value_;
};

/// Returns the text of `json`, on one line if `indent` is negative. Invalid UTF-8 becomes U+FFFD.
std::string JsonText(const Json& json, int indent = -1);

/// Parses a JSON text. Returns nullopt for invalid JSON, for nesting deeper than `deepest` levels,
/// and for duplicate keys in an object.
std::optional<Json> ParseJson(std::string_view text, std::size_t deepest);

}  // namespace revctl::base
