#include "revctl/session/hook_input.h"

#include <fmt/core.h>

#include "revctl/base/ascii.h"

namespace revctl::commands {

std::optional<std::vector<std::string>> LastWords(std::string_view line, std::size_t count) {
  std::vector<std::string> out(count);
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t blank = line.rfind(' ');
    const std::string_view word = line.substr(blank == line.npos ? 0 : blank + 1);
    if (word.empty() || (blank == line.npos && i != 0)) return std::nullopt;
    out[i] = word;
    line = line.substr(0, blank == line.npos ? 0 : blank);
  }
  return out;
}

bool IsObjectId(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && base::IsHex(text);
}

base::Error NotFromGit(const std::string& line, const std::string& form, const std::string& command,
                       const std::string& hook) {
  return {base::Exit::Usage,
          fmt::format("stdin contains '{}', but git's {} hook passes {}", line.substr(0, 80), hook,
                      form),
          fmt::format("call `revctl {}` from that hook, and pass it the hook's stdin", command)};
}

}  // namespace revctl::commands
