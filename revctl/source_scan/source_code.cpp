#include "revctl/source_scan/source_code.h"

#include <fmt/core.h>

namespace revctl::commands {

SourceCode::SourceCode(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), lines_(text_) {
  if (auto lexed = base::Lex(text_, problem_, kLargest)) lexed_ = std::move(*lexed);
}

base::Result<base::Done> EachSource(const Tree& side, const std::vector<std::string>& texts,
                                    const base::ProgressCallback& watch,
                                    const std::function<void(const SourceCode&)>& see,
                                    std::size_t most) {
  if (texts.empty()) return base::Done{};
  TRY(auto files, side.SourcesWith(texts));
  std::size_t bytes = 0, done = 0;
  for (std::string& path : files) {
    if (watch) watch("sources", done++, files.size());
    TRY(auto text, side.ReadSource(path));
    if (!text.has_value()) continue;  // the file was deleted after it was found
    bytes += text->size();
    if (bytes > most)
      return base::Error{
          base::Exit::Environment,
          fmt::format("the sources that mention revisions exceed revctl's limit of {} MiB",
                      most >> 20),
          "remove generated sources from git"};
    see(SourceCode(std::move(path), std::move(*text)));
  }
  return base::Done{};
}

}  // namespace revctl::commands
