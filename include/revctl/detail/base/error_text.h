#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// The messages and paths of errors.

namespace revctl::detail {

/// A part of a message: a string or an integer.
class TextPart {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  TextPart(std::string_view text) : text_(text) {}
  TextPart(const std::string& text) : text_(text) {}
  TextPart(const char* text) : text_(text) {}
  template <std::integral N>
  TextPart(N number)
      : is_number_(true),
        is_negative_(number < N{0}),
        magnitude_(is_negative_ ? 0 - static_cast<std::uint64_t>(number)
                                : static_cast<std::uint64_t>(number)) {}
  // NOLINTEND(google-explicit-constructor)

  void AddTo(std::string& text) const {
    if (is_negative_) text += '-';
    if (is_number_) {
      text += std::to_string(magnitude_);
    } else {
      text += text_;
    }
  }

 private:
  std::string_view text_;
  bool is_number_ = false;
  bool is_negative_ = false;
  std::uint64_t magnitude_ = 0;
};

/// Concatenates the parts of a message. A single call compiles faster than a chain of + operators
/// with temporary strings.
[[gnu::cold, gnu::noinline]] inline std::string Joined(std::initializer_list<TextPart> parts) {
  std::string text;
  for (const TextPart& part : parts) part.AddTo(text);
  return text;
}

// Error messages for invalid bytes, shared by Reader and TraceReader.

inline constexpr char kTruncated[] = "unexpected end of data";
inline constexpr char kBitBeyond[] = "a bit beyond the end of the bitset is set";
inline constexpr char kDuplicateKey[] = "a key occurs twice";

/// `what` names the truncated value: the wire name of a number, `the count`, or null for plain
/// bytes.
inline std::string TruncatedText(const char* what, std::size_t size, std::size_t left) {
  if (what == nullptr)
    return Joined({kTruncated, ": ", size, " bytes are needed, ", left, " are left"});
  return Joined({kTruncated, ": ", what, " needs ", size, " bytes, ", left, " are left"});
}
inline std::string NoBoolText(std::byte found) {
  return Joined({"a bool must be 0 or 1, not ", static_cast<unsigned>(found)});
}
inline std::string WrongCountText(std::uint64_t count, std::size_t left) {
  return Joined({"a count of ", count, ", but ", left, " bytes are left"});
}
inline std::string OverBudgetText(std::uint64_t count) {
  return Joined({"a count of ", count, " needs more memory than the reader's budget allows"});
}
inline std::string NoFlagText(unsigned found, unsigned /*limit*/) {
  return Joined({"a flag must be 0 or 1, not ", found});
}
inline std::string NoAlternativeText(unsigned found, unsigned limit) {
  return Joined(
      {"variant index ", found, " is out of range; the number of alternatives is ", limit});
}
inline std::string IntegrityText(std::uint32_t found, std::uint32_t expected) {
  return Joined({"integrity number ", found, ", expected ", expected,
                 ": the body does not visit the fields that were written"});
}
inline std::string UnknownClassText(std::string_view name) {
  return Joined({"no class is registered as \"", name.substr(0, 80), "\""});
}

/// Returns the root of a path, which is the name of the type without its enclosing namespaces:
/// `game::Box<ns::T>` becomes `Box<ns::T>`. The result points into `type`.
inline std::string_view RootOfPath(std::string_view type) {
  const std::size_t colon = type.substr(0, type.find('<')).rfind("::");
  return colon == std::string_view::npos ? type : type.substr(colon + 2);
}

/// Collects the path of a binary archive's first error while the bodies return, from the innermost
/// field to the outermost. Archives call this class only when they are out of bytes, which they
/// always are after an error, so it costs nothing in ordinary runs.
///
/// Bodies continue after an error and visit more values, which must not become part of the path.
/// Begin() and End() count these visits.
class ErrorPath {
 public:
  /// Call this before visiting a value if the archive is out of bytes.
  void Begin(bool failed) {
    if (failed) ++visits_after_error_;
  }
  /// Call this after visiting a value if the archive is out of bytes. Returns true if the error is
  /// inside the value.
  bool End(bool failed) {
    if (!failed) return false;
    if (visits_after_error_ == 0) return true;
    --visits_after_error_;
    return false;
  }

  /// Adds a field to the path. Does nothing if `name` is empty or null.
  void Add(const char* name) {
    if (name != nullptr && *name != '\0') steps_.push_back(Joined({".", name}));
  }
  void AddElement(std::size_t index) { steps_.push_back(Joined({"[", index, "]"})); }
  void AddKey(std::size_t index) { steps_.push_back(Joined({"#key[", index, "]"})); }

  /// Returns the path, for example `Level.things[3].mesh`. `root` is the name of the root type.
  std::string Text(std::string_view root) const {
    std::string path(RootOfPath(root));
    for (std::size_t i = steps_.size(); i > 0; --i) path += steps_[i - 1];
    return path;
  }

 private:
  std::vector<std::string> steps_;
  std::size_t visits_after_error_ = 0;
};

}  // namespace revctl::detail
