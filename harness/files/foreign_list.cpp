#include "harness/files/foreign_list.h"

#include <fmt/core.h>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

#include "harness/history/git_queries.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/lexer.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestList = 16U << 20;

/// Returns the output of `revctl codegen` for a list. Fails if `revctl` is not found or rejects the
/// list.
golden::Result<std::string> Generate(const std::string& list) {
  const char* named = std::getenv("REVCTL_TOOL");
  const std::string tool = named != nullptr && *named != '\0' ? named : "revctl";
  ProgramOutput header = RunProgram({tool, "codegen", "--file", list}, Complaints::Shown);
  if (header.ok) return std::move(header.text);
  return golden::FileError(
      list, 0,
      header.started ? "`revctl codegen` cannot read it"
                     : fmt::format("is not a header written by `revctl codegen`, and no header can "
                                   "be generated from it, because the program `{}` was not found",
                                   tool),
      fmt::format("revctl codegen --file {} --output theirs.h, then use --written-with theirs.h",
                  base::ShellPath(list)));
}

}  // namespace

golden::Result<std::unique_ptr<ForeignList>> ForeignList::Read(const std::string& path) {
  TRY(auto text, base::ReadFile(path, kLargestList));
  if (!text) return golden::FileError(path, 0, "no such file");
  std::string header = std::move(*text);
  if (header.find("ListTable table") == std::string::npos) {
    TRY(auto generated, Generate(path));
    header = std::move(generated);
  }
  auto list = std::make_unique<ForeignList>();
  if (!list->Parse(header)) return golden::FileError(path, 0, "contains no revision");
  return list;
}

namespace {

class ListTokens {
 public:
  explicit ListTokens(std::span<const base::Token> tokens) : left_(tokens) {}

  bool Take(std::string_view spelling) {
    const bool there = !left_.empty() && left_.front().Is(spelling);
    if (there) left_ = left_.subspan(1);
    return there;
  }
  /// Parses a string literal without escapes.
  std::optional<std::string> Quoted() {
    if (left_.empty() || left_.front().kind != base::TokenKind::String) return std::nullopt;
    const std::string_view text = left_.front().text;
    left_ = left_.subspan(1);
    return std::string(text.substr(1, text.size() - 2));
  }
  /// Parses a decimal or hexadecimal number with any suffix, such as `7LL`.
  template <class Number>
  std::optional<Number> Integer() {
    std::string digits = Take("-") ? "-" : "";
    if (left_.empty() || left_.front().kind != base::TokenKind::Number) return std::nullopt;
    const std::string_view text = left_.front().text;
    left_ = left_.subspan(1);
    const bool hex = text.starts_with("0x");
    digits += text.substr(hex ? 2 : 0);
    Number number = 0;
    const char* const end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, number, hex ? 16 : 10).ec != std::errc())
      return std::nullopt;
    return number;
  }

 private:
  std::span<const base::Token> left_;
};

}  // namespace

/// Parses the output of `revctl codegen`: entries `{"SR_NAME", 7, 0x1a2b}` and the table `ListTable
/// table{"name", entries, 1`.
bool ForeignList::Parse(const std::string& text) {
  base::Problem problem;
  const auto file = base::Lex(text, problem, kLargestList);
  if (!file) return false;
  std::optional<std::string> called;
  std::optional<std::int64_t> oldest;
  for (std::size_t at = 0; at < file->tokens.size(); ++at) {
    ListTokens tokens(std::span(file->tokens).subspan(at));
    if (tokens.Take("{")) {
      const auto name = tokens.Quoted();
      if (!name || !base::IsIdentifier(*name) || !tokens.Take(",")) continue;
      const auto number = tokens.Integer<std::int64_t>();
      if (!number || !tokens.Take(",")) continue;
      const auto lineage = tokens.Integer<std::uint64_t>();
      if (!lineage) continue;
      names_.push_back(*name);
      entries_.push_back({names_.back(), *number, *lineage});
    } else if (!oldest && tokens.Take("ListTable") && tokens.Take("table") && tokens.Take("{")) {
      called = tokens.Quoted();
      if (called && tokens.Take(",") && tokens.Take("entries") && tokens.Take(","))
        oldest = tokens.Integer<std::int64_t>();
    }
  }
  if (entries_.empty()) return false;
  name_ = oldest ? *called : "theirs";
  table_ = {name_, entries_, oldest.value_or(entries_.front().number)};
  return true;
}

}  // namespace revctl::harness
