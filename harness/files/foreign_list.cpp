#include "harness/files/foreign_list.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "harness/history/program_output.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestList = 16U << 20;

/// What `revctl codegen` makes of a list; a problem where there is no such program, or it refuses
/// the list.
golden::Result<std::string> Generate(const std::string& list) {
  const char* named = std::getenv("REVCTL_TOOL");
  const std::string tool = named != nullptr && *named != '\0' ? named : "revctl";
  ProgramOutput header = RunProgram({tool, "codegen", "--file", list}, Complaints::Shown);
  if (header.ok) return std::move(header.text);
  return golden::FileError(list, 0,
                           header.started ? "`revctl codegen` cannot read it"
                                          : "is no header of `revctl codegen`, and there is no `" +
                                                tool + "` to make one",
                           "revctl codegen --file " + base::ShellPath(list) +
                               " --output theirs.h, and --written-with theirs.h");
}

}  // namespace

golden::Result<std::unique_ptr<ForeignList>> ForeignList::Read(const std::string& path) {
  TRY(auto text, base::ReadFile(path, kLargestList));
  if (!text) return golden::FileError(path, 0, "there is no such file", "");
  std::string header = std::move(*text);
  if (header.find("ListTable table") == std::string::npos) {
    TRY(auto generated, Generate(path));
    header = std::move(generated);
  }
  auto list = std::make_unique<ForeignList>();
  if (!list->Parse(header)) return golden::FileError(path, 0, "holds no revision", "");
  return list;
}

namespace {

constexpr std::string_view kBlank = " \t\r\n";

/// Reads C++ tokens from the front of a text.
class ListTokens {
 public:
  explicit ListTokens(std::string_view text) : text_(text) {}

  bool Take(std::string_view token) {
    Skip();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  /// A string literal without escapes.
  std::optional<std::string> Quoted() {
    if (!Take("\"")) return std::nullopt;
    const std::size_t end = text_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    std::string quoted(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return quoted;
  }
  /// With its suffix, as in `7LL`.
  template <class Number>
  std::optional<Number> Integer(int base = 10) {
    Skip();
    Number number = 0;
    const auto [end, error] =
        std::from_chars(text_.data(), text_.data() + text_.size(), number, base);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    while (!text_.empty() && base::IsWord(text_[0])) text_.remove_prefix(1);
    return number;
  }
  /// To behind the next comma.
  bool Pass() {
    const std::size_t comma = text_.find(',');
    text_.remove_prefix(
        std::min(text_.size(), comma == std::string_view::npos ? comma : comma + 1));
    return comma != std::string_view::npos;
  }

 private:
  void Skip() { text_.remove_prefix(std::min(text_.size(), text_.find_first_not_of(kBlank))); }
  std::string_view text_;
};

bool IsIdentifier(const std::string& name) {
  return !name.empty() && !base::IsDigit(name[0]) &&
         std::all_of(name.begin(), name.end(), base::IsWord);
}

}  // namespace

/// Entries are `{"SR_NAME", 7, 0x1a2b}`, the table `ListTable table{"name", entries, 1`, as `revctl
/// codegen` writes them.
bool ForeignList::Parse(const std::string& text) {
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    ListTokens tokens(std::string_view(text).substr(at + 1));
    const auto name = tokens.Quoted();
    if (!name || !IsIdentifier(*name) || !tokens.Take(",")) continue;
    const auto number = tokens.Integer<std::int64_t>();
    if (!number || !tokens.Take(",") || !tokens.Take("0x")) continue;
    const auto lineage = tokens.Integer<std::uint64_t>(16);
    if (!lineage) continue;
    names_.push_back(*name);
    entries_.push_back({names_.back(), *number, *lineage});
  }
  if (entries_.empty()) return false;
  name_ = "theirs";
  std::int64_t oldest = entries_.front().number;
  for (std::size_t at = text.find("ListTable"); at != std::string::npos;
       at = text.find("ListTable", at + 1)) {
    ListTokens tokens(std::string_view(text).substr(at));
    if (!tokens.Take("ListTable") || !tokens.Take("table") || !tokens.Take("{")) continue;
    const auto name = tokens.Quoted();
    if (!name || !tokens.Pass() || !tokens.Pass()) continue;
    const auto number = tokens.Integer<std::int64_t>();
    if (!number) continue;
    name_ = *name;
    oldest = *number;
    break;
  }
  table_ = {name_, entries_, oldest};
  return true;
}

}  // namespace revctl::harness
