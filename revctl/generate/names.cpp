#include "revctl/generate/names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "revctl/base/ascii.h"
#include "revctl/base/keywords.h"
#include "revctl/generate/words.h"

namespace revctl::generate {
namespace {

/// The archive, the object and a pointer to it; what an upgrade begins with; macros of the
/// compiler's own dialect.
constexpr std::array<std::string_view, 6> kOfBodies = {"d", "linux", "old", "r", "t", "unix"};

/// Macros without arguments, of the standard's headers and of the library's; IsLimit() knows the
/// others.
constexpr std::array<std::string_view, 17> kMacros = {
    "BUFSIZ",        "CHAR_BIT", "CLOCKS_PER_SEC", "EOF",
    "HUGE_VAL",      "INFINITY", "MB_CUR_MAX",     "MB_LEN_MAX",
    "NAN",           "NULL",     "RAND_MAX",       "REVCTL_SERIALIZE_END",
    "SERIALIZE_END", "TMP_MAX",  "TIME_UTC",       "WEOF",
    "errno"};

/// `INT32_MAX`, `UINT_FAST8_WIDTH`, `SIZE_MAX`...: macros of <cstdint> and <climits>.
bool IsLimit(std::string_view name) {
  constexpr std::array<std::string_view, 15> kTypes = {
      "BOOL",  "CHAR", "INT",        "INTMAX", "INTPTR", "LLONG", "LONG", "PTRDIFF",
      "SCHAR", "SHRT", "SIG_ATOMIC", "SIZE",   "SSIZE",  "WCHAR", "WINT"};
  constexpr std::array<std::string_view, 4> kBits = {"8", "16", "32", "64"};
  const std::size_t end = name.rfind('_');
  if (end == std::string_view::npos) return false;
  const std::string_view what = name.substr(end);
  if (what != "_MAX" && what != "_MIN" && what != "_WIDTH") return false;
  std::string_view type = name.substr(0, end);
  if (type.starts_with('U')) type.remove_prefix(1);
  if (Has(kTypes, type)) return true;
  if (!type.starts_with("INT")) return false;
  type.remove_prefix(3);
  for (const std::string_view kind : {"_FAST", "_LEAST"}) {
    if (type.starts_with(kind)) type.remove_prefix(kind.size());
  }
  return Has(kBits, type);
}

/// Types of the format, namespaces and functions that generated code names.
constexpr std::array<std::string_view, 17> kTop = {
    "Newest", "Next", "array",  "int16_t",  "int32_t",  "int64_t",  "int8_t",  "map",   "optional",
    "revctl", "std",  "string", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "vector"};

}  // namespace

bool IsUsableName(std::string_view name) {
  if (name.empty() || name.size() > 100 || base::IsDigit(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), base::IsWord) ||
      name.find("__") != std::string_view::npos)
    return false;
  if (name.front() == '_' && name.size() > 1 && base::IsUpper(name[1])) return false;
  if (name.starts_with("revctl") || name.starts_with("Revctl")) return false;
  return !base::IsKeyword(name) && !Has(kOfBodies, name) && !Has(kMacros, name) && !IsLimit(name);
}

bool IsTakenAtTop(std::string_view name) { return Has(kTop, name); }

}  // namespace revctl::generate
