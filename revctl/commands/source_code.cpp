#include "revctl/commands/source_code.h"

#include "revctl/commands/code_lines.h"

namespace revctl::commands {

SourceCode::SourceCode(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), lines_(text_) {
  if (auto lexed = list::detail::Lex(text_, problem_, kLargest)) lexed_ = std::move(*lexed);
}

base::Result<base::Done> EachSource(const Side& side, const std::vector<std::string>& patterns,
                                    const std::vector<std::string>& options,
                                    const std::function<void(const SourceCode&)>& see) {
  if (patterns.empty()) return base::Done{};
  TRY(auto files, side.FilesWith(patterns, options));
  for (std::string& path : files) {
    if (!IsSource(path)) continue;
    TRY(auto text, side.ReadSource(path));
    if (!text.has_value()) continue;  // gone since git has looked
    see(SourceCode(std::move(path), std::move(*text)));
  }
  return base::Done{};
}

}  // namespace revctl::commands
