#include "revctl/commands/code_lines.h"

#include <cstdlib>
#include <set>

namespace revctl::commands {

bool IsWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::optional<CodeLine> ParseCodeLine(const std::string& line) {
  for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
    const std::size_t end = line.find(':', at + 1);
    if (end == std::string::npos) return std::nullopt;
    const std::string number = line.substr(at + 1, end - at - 1);
    if (!number.empty() && number.size() < 9 && number.find_first_not_of("0123456789") == std::string::npos) {
      return CodeLine{line.substr(0, at), line.substr(end + 1), std::atoi(number.c_str())};
    }
  }
  return std::nullopt;
}

bool IsSource(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  static const std::set<std::string> kEnds = {"c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "inc", "ipp", "tpp", "m", "mm"};
  return kEnds.contains(path.substr(dot + 1));
}

bool HoldsWord(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !IsWord(code[at - 1])) && (end == code.size() || !IsWord(code[end]))) return true;
  }
  return false;
}

std::string CodeOf(const std::string& text) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\') ++i;
      else if (text[i] == '"') in_string = false;
      continue;
    }
    if (text[i] == '"') {
      in_string = true;
      continue;
    }
    if (text[i] == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) break;
    out += text[i];
  }
  const std::size_t first = out.find_first_not_of(" \t");
  if (first != std::string::npos && out[first] == '*') return "";
  return out;
}

bool OnlyForOlder(std::string_view code, std::string_view revision) {
  for (std::size_t at = code.find(revision); at != std::string_view::npos; at = code.find(revision, at + 1)) {
    const std::size_t end = at + revision.size();
    if ((at > 0 && IsWord(code[at - 1])) || (end < code.size() && IsWord(code[end]))) continue;
    std::string_view before = code.substr(0, at), behind = code.substr(end);
    while (before.ends_with(' ')) before.remove_suffix(1);
    while (before.ends_with("::")) {  // an enum's name in front
      before.remove_suffix(2);
      while (!before.empty() && IsWord(before.back())) before.remove_suffix(1);
    }
    while (before.ends_with(' ')) before.remove_suffix(1);
    while (behind.starts_with(' ')) behind.remove_prefix(1);
    const bool less = before.ends_with('<') && !before.ends_with("<<");
    const bool greater = behind.starts_with('>') && !behind.starts_with(">=") && !behind.starts_with(">>");
    const std::size_t rem = before.rfind("REM(");
    const bool removed = rem != std::string_view::npos && before.substr(rem).find(',') == before.size() - rem - 1;
    if (less || greater || removed) return true;
  }
  return false;
}

}  // namespace revctl::commands
