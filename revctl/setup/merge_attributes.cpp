#include "revctl/setup/merge_attributes.h"

#include <filesystem>
#include <system_error>

#include "revctl/base/file.h"
#include "revctl/config/files.h"

namespace revctl::commands {
namespace {

constexpr std::string_view kBegin =
    "# revctl: names of lists, noted by `revctl install`, taken away by `revctl uninstall`";
constexpr std::string_view kNewFile = " (with this file)";
constexpr std::string_view kOpenEnd = " (the line above had no end)";
constexpr std::string_view kDriver = " merge=revctl";

/// Where our lines stand in the file: whole lines, the first says what they are.
struct Block {
  std::size_t begin = std::string::npos, end = 0;
  std::string_view head;  ///< the first line
  std::set<std::string> lines;
  bool there() const { return begin != std::string::npos; }
};

Block FindBlock(std::string_view text) {
  Block block;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (!block.there()) {
      if (line.starts_with(kBegin)) {
        block.begin = at;
        block.end = end;
        block.head = line;
      }
    } else if (line.ends_with(kDriver)) {
      block.lines.emplace(line);
      block.end = end;
    } else {
      break;
    }
    at = end;
  }
  return block;
}

}  // namespace

std::string AttributePattern(const std::string& path) {
  // Patterns are globs, and blanks end them unless the whole is quoted.
  std::string pattern, quoted;
  for (char c : path) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  if (pattern.find_first_of(" \"") == std::string::npos) return pattern;
  for (char c : pattern) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return "\"" + quoted + "\"";
}

std::string ListNames::AttributeLine(const std::string& path) {
  return AttributePattern("/" + path) + std::string(kDriver);
}

std::set<std::string> ListNames::LinesAt(const std::vector<git::Oid>& commits,
                                         const std::string& prefix) const {
  std::set<std::string> texts, lines;  // thousands of branches, and hardly ever two configurations
  for (const git::Oid& commit : commits) {
    const auto text = repository_.ReadFile(commit, prefix + std::string(config::kFileName));
    if (!text.ok() || !text->has_value() || !texts.insert(**text).second) continue;
    const auto parsed = config::ParseConfig(**text, config::kFileName);
    if (!parsed.ok()) continue;
    for (const auto& list : parsed->lists) lines.insert(AttributeLine(prefix + list.path));
  }
  return lines;
}

Result<std::set<std::string>> ListNames::Noted() const {
  TRY(auto text, config::ReadPlainFile(File(), config::kMaxConfigBytes));
  return FindBlock(text.value_or("")).lines;
}

Result<bool> ListNames::Note(const std::set<std::string>& lines, bool begin) const {
  TRY(auto before, config::ReadPlainFile(File(), config::kMaxConfigBytes));
  std::string text = before.value_or("");
  Block block = FindBlock(text);
  if (!block.there() && !begin) return false;
  std::string more;
  for (const std::string& line : lines) {
    if (!block.lines.contains(line)) more += line + "\n";
  }
  if (more.empty()) return false;
  if (!block.there()) {
    const bool open_end = !text.empty() && text.back() != '\n';
    text += (open_end ? "\n" : "") + std::string(kBegin) +
            std::string(open_end             ? kOpenEnd
                        : before.has_value() ? ""
                                             : kNewFile) +
            "\n";
    block.end = text.size();
  } else if (text[block.end - 1] != '\n') {
    more.insert(0, "\n");  // an editor took it
  }
  text.insert(block.end, more);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(File()).parent_path(), error);
  TRY(config::ReplaceFile(File(), text));
  return true;
}

Result<bool> ListNames::Forget() const {
  TRY(auto before, config::ReadPlainFile(File(), config::kMaxConfigBytes));
  std::string text = before.value_or("");
  const Block block = FindBlock(text);
  if (!block.there()) return false;
  const bool own_file = block.head.ends_with(kNewFile);
  const bool open_end = block.head.ends_with(kOpenEnd) && block.end == text.size();
  const std::size_t begin = block.begin - (open_end ? 1 : 0);
  text.erase(begin, block.end - begin);
  if (text.empty() && own_file) {
    if (auto removed = base::RemoveFile(File()); !removed) return base::InMessage(removed.error());
    return true;
  }
  TRY(config::ReplaceFile(File(), text));
  return true;
}

}  // namespace revctl::commands
