// Reads and writes the YAML of pending files. Catches yaml-cpp's exceptions.
#include "revctl/pending/pending_file.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <cerrno>

#include "revctl/base/shell_word.h"
#include "revctl/base/system/files.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"
#include "revctl/config/yaml_text.h"

namespace revctl::pending {
namespace {

using config::BadYaml;

constexpr std::size_t kMostAfter = 1000;

PendingRevision Read(const YAML::Node& root) {
  PendingRevision out;
  if (root.IsNull()) return out;
  config::CheckKeys(root, "a pending file", {"message", "after"});
  if (const YAML::Node message = root["message"]) {
    out.message = config::Scalar(message, "message");
    const bool plain = std::all_of(out.message.begin(), out.message.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    });
    if (!plain || out.message.size() > kMaxMessage)
      throw BadYaml{
          message.Mark(),
          fmt::format("message must be one line of at most {} bytes, without control characters",
                      kMaxMessage),
          "message: \"what it is for\""};
    // Reject a trigraph at the end of the message. The message becomes a comment, and the trigraph
    // would extend that comment to the next line.
    if (out.message.ends_with("?\?/"))
      throw BadYaml{message.Mark(),
                    "message ends with a trigraph, which would join it to the next line",
                    "message: \"what it is for\""};
  }
  if (const YAML::Node after = root["after"]) {
    out.after = config::Strings(after, "after");
    for (const std::string& name : out.after) {
      if (!config::IsIdentifier(name))
        throw BadYaml{
            after.Mark(),
            fmt::format("`after` names {}, which is not a C++ name", config::Quoted(name)),
            "after: [NAME]"};
    }
    if (out.after.size() > kMostAfter)
      throw BadYaml{after.Mark(), fmt::format("`after` has more than {} names", kMostAfter),
                    "remove some"};
  }
  return out;
}

/// Returns the list's path without its extension, such as `src/master_version_list`.
std::string Stem(const list::ListConfig& list) {
  const std::size_t begin = list.path.rfind('/') + 1;  // 0 if there is no folder
  const std::size_t dot = list.path.rfind('.');
  return dot == std::string::npos || dot <= begin ? list.path : list.path.substr(0, dot);
}

}  // namespace

Result<PendingRevision> ParsePendingFile(std::string_view text, std::string_view path) {
  return config::ReadYaml<PendingRevision>(
      text, path,
      "write `message: \"...\"` as in the other files in this folder, or delete this file", Read);
}

std::string FormatPendingFile(const PendingRevision& revision) {
  std::string out = fmt::format("message: {}\n", config::QuotedScalar(revision.message));
  if (revision.after.empty()) return out;
  out += "after: [";
  for (std::size_t i = 0; i < revision.after.size(); ++i)
    out += (i == 0 ? "" : ", ") + config::QuotedScalar(revision.after[i]);
  return out + "]\n";
}

std::string Folder(const list::ListConfig& list) { return Stem(list) + ".pending"; }

std::string FilePath(const list::ListConfig& list, std::string_view name) {
  return fmt::format("{}/{}.yaml", Folder(list), name);
}

std::string IncludePath(const list::ListConfig& list) { return Stem(list) + ".pending.inc"; }

std::string KeepText() {
  return "# Keeps this folder in git when its last pending revision is folded (revctl fold).\n"
         "*.tmp\n";
}

bool IsIgnoredFile(std::string_view file_name) {
  return file_name.starts_with('.') || file_name.ends_with(".tmp") || file_name.ends_with('~');
}

std::string NameOfFile(std::string_view file_name) {
  constexpr std::string_view kEnd = ".yaml";
  return file_name.ends_with(kEnd)
             ? std::string(file_name.substr(0, file_name.size() - kEnd.size()))
             : std::string();
}

Error TooMany(const std::string& shown) {
  return {Exit::Usage, fmt::format("{}: more than {} pending revisions", shown, kMostFiles),
          "run revctl fold on the target branch to give them numbers"};
}

Result<std::vector<PendingText>> ReadFolder(const std::string& folder, const std::string& shown) {
  std::vector<PendingText> out;
  const base::PathKind kind = base::KindAt(folder);
  if (kind == base::PathKind::None) return out;
  if (kind != base::PathKind::Folder)
    return Error{Exit::Usage, shown + ": must be a folder for pending revisions",
                 "rm -f " + base::ShellPath(shown)};
  const auto listed = base::ListFolder(folder);
  if (!listed)
    return Error{Exit::Environment,
                 fmt::format("{}: cannot be read: {}", shown, base::ErrorWords(errno)), ""};
  for (const auto& [name, one] : *listed) {
    if (IsIgnoredFile(name)) continue;
    if (out.size() == kMostFiles) return TooMany(shown);
    PendingText& file = out.emplace_back();
    file.file_name = name;
    if (one != base::PathKind::File) {
      file.unreadable =
          one == base::PathKind::Link ? "is a symbolic link" : "is not a regular file";
      continue;
    }
    auto text = config::ReadFile(folder + "/" + name, kMaxFileBytes);
    if (!text.ok()) file.unreadable = "cannot be read: " + text.error().message;
    else file.text = text->value_or("");
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.file_name < b.file_name; });
  return out;
}

Result<bool> WriteIfChanged(const std::string& path, const std::string& shown,
                            const std::string& text) {
  TRY(config::RefuseLink(path, shown));
  auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && before->has_value() && **before == text) return false;
  TRY(config::ReplaceFile(path, text));
  return true;
}

}  // namespace revctl::pending
