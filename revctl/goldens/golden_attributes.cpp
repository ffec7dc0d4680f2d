#include "revctl/goldens/golden_attributes.h"

#include <algorithm>
#include <cstddef>

namespace revctl::commands {
namespace {

constexpr std::string_view kUnspecified = "unspecified";

std::string Of(const std::map<std::string, std::string>& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string(kUnspecified) : found->second;
}

bool IsOff(const std::string& value) { return value == kUnspecified || value == "unset"; }

/// As git guesses where `text=auto` leaves it to git.
bool IsText(std::string_view bytes) {
  std::size_t printable = 0, others = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0 || c == '\r') return false;  // with a CR it is left alone
    const bool is_other = byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\t' && c != '\b' &&
                                           c != '\f' && byte != 0x1b);
    ++(is_other ? others : printable);
  }
  return printable >> 7 >= others;
}

bool HasLoneLineFeed(std::string_view bytes) {
  for (std::size_t at = bytes.find('\n'); at != bytes.npos; at = bytes.find('\n', at + 1)) {
    if (at == 0 || bytes[at - 1] != '\r') return true;
  }
  return false;
}

/// A clone whose lines end with CRLF gets other bytes.
std::string LineEnds(const std::map<std::string, std::string>& attributes, std::string_view bytes) {
  const std::string eol = Of(attributes, "eol"), older = Of(attributes, "crlf");
  std::string name = "text", text = Of(attributes, "text");
  if (text != "set" && text != "unset" && text != "auto") {
    name = "crlf";
    text = older;
  }
  if (text == "unset" || text == "input" || eol == "lf") return "";
  const bool automatic = text == "auto";
  if (text != "set" && !automatic) {
    if (eol != "crlf") return "";
    name = "eol";
  }
  if (!HasLoneLineFeed(bytes) || (automatic && !IsText(bytes))) return "";
  if (eol == "crlf") return "eol=crlf";
  return name + (automatic ? "=auto" : "");
}

}  // namespace

std::string AttributeThatEdits(const std::map<std::string, std::string>& attributes,
                               std::string_view bytes, bool payload) {
  const std::string encoding = Of(attributes, "working-tree-encoding"),
                    filter = Of(attributes, "filter");
  std::string folded = encoding;
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (!IsOff(encoding) && folded != "utf-8") return "working-tree-encoding=" + encoding;
  if (!IsOff(filter) && filter != "lfs") return "filter=" + filter;
  for (const auto& [name, mark] :
       {std::pair("ident", "$Id"), std::pair("export-subst", "$Format:")})
    if (!IsOff(Of(attributes, name)) && bytes.find(mark) != bytes.npos) return name;
  return payload ? LineEnds(attributes, bytes) : "";
}

}  // namespace revctl::commands
