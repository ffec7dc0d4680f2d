#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <revctl/detail/base/joined.h>

// Error messages for invalid bytes, shared by Reader and TraceReader.

namespace revctl::detail {

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

}  // namespace revctl::detail
