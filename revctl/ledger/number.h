#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace revctl::ledger {

/// A decimal number that is all of `text`, as the ledger's files and messages write it.
inline std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace revctl::ledger
