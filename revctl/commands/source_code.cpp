#include "revctl/commands/source_code.h"

#include "revctl/commands/code_lines.h"

namespace revctl::commands {

SourceCode::SourceCode(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), lines_(text_) {
  if (auto lexed = list::detail::Lex(text_, problem_, kLargest)) lexed_ = std::move(*lexed);
}

findings::Result<findings::Done> EachSource(const Side& side,
                                            const std::vector<std::string>& patterns,
                                            const std::vector<std::string>& options,
                                            const std::function<void(const SourceCode&)>& see) {
  if (patterns.empty()) return findings::Done{};
  auto files = side.FilesWith(patterns, options);
  if (!files.ok()) return files.error();
  for (std::string& path : *files) {
    if (!IsSource(path)) continue;
    auto text = side.ReadSource(path);
    if (!text.ok()) return text.error();
    if (!text->has_value()) continue;  // gone since git has looked
    see(SourceCode(std::move(path), std::move(**text)));
  }
  return findings::Done{};
}

}  // namespace revctl::commands
