#include <cstdint>
#include <cstdlib>
#include <string>

#include "revctl/source_scan/revision_gates.h"

/// libFuzzer entry point: searches arbitrary bytes for gates. Every result must be a number or a
/// name from the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  revctl::base::Problem problem;
  const auto lexed = revctl::base::Lex(text, problem);
  if (!lexed) {
    if (problem.message.empty() || problem.offset > text.size()) std::abort();
    return 0;
  }
  std::size_t last = 0;
  for (const std::size_t at : revctl::commands::BareNumbers(lexed->tokens, {"Revision"})) {
    if (at >= lexed->tokens.size() || at < last ||
        lexed->tokens[at].kind != revctl::base::TokenKind::Number)
      std::abort();
    last = at;
  }
  for (std::size_t i = 0; i < lexed->tokens.size(); ++i)
    static_cast<void>(revctl::commands::OnlyForOlder(lexed->tokens, i));
  return 0;
}
