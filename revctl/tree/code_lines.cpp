#include "revctl/tree/code_lines.h"

#include <cstdlib>
#include <set>

#include "revctl/base/ascii.h"

namespace revctl::commands {

std::optional<CodeLine> ParseCodeLine(const std::string& line) {
  for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
    const std::size_t end = line.find(':', at + 1);
    if (end == std::string::npos) return std::nullopt;
    const std::string number = line.substr(at + 1, end - at - 1);
    if (number.size() < 9 && base::IsNumber(number)) {
      return CodeLine{line.substr(0, at), line.substr(end + 1), std::atoi(number.c_str())};
    }
  }
  return std::nullopt;
}

bool IsSource(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  static const std::set<std::string> kEnds = {"c",   "cc",  "cpp", "cxx", "h",   "hh", "hpp",
                                              "hxx", "inl", "inc", "ipp", "tpp", "m",  "mm"};
  return kEnds.contains(path.substr(dot + 1));
}

bool HoldsWord(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos;
       at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !base::IsWord(code[at - 1])) &&
        (end == code.size() || !base::IsWord(code[end])))
      return true;
  }
  return false;
}

}  // namespace revctl::commands
