// A pending file's YAML. yaml-cpp's exceptions end here.
#include "revctl/pending/pending_file.h"

#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/config/config.h"
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
    // It becomes a comment, which would go on over the next line by older standards.
    if (out.message.ends_with("?\?/"))
      throw BadYaml{message.Mark(), "message ends with a trigraph, which joins the next line to it",
                    "message: \"what it is for\""};
  }
  if (const YAML::Node after = root["after"]) {
    out.after = config::Strings(after, "after");
    for (const std::string& name : out.after) {
      if (!config::IsIdentifier(name))
        throw BadYaml{after.Mark(),
                      fmt::format("after names {}, which is no C++ name", config::Quoted(name)),
                      "after: [SR_NAME]"};
    }
    if (out.after.size() > kMostAfter)
      throw BadYaml{after.Mark(), fmt::format("after has more than {} names", kMostAfter),
                    "leave some out"};
  }
  return out;
}

}  // namespace

Result<PendingRevision> ParsePendingFile(std::string_view text, std::string_view path) {
  return config::ReadYaml<PendingRevision>(
      text, path,
      "write `message: \"...\"`, or git checkout -- " + base::ShellPath(std::string(path)), Read);
}

std::string FormatPendingFile(const PendingRevision& revision) {
  std::string out = fmt::format("message: {}\n", config::QuotedScalar(revision.message));
  if (revision.after.empty()) return out;
  out += "after: [";
  for (std::size_t i = 0; i < revision.after.size(); ++i)
    out += (i == 0 ? "" : ", ") + config::QuotedScalar(revision.after[i]);
  return out + "]\n";
}

}  // namespace revctl::pending
