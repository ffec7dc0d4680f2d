#include "golden/index.h"

namespace revctl::golden {
namespace {

constexpr std::string_view kRecordEnding = ".yaml";
constexpr std::string_view kPayloadsEnding = ".golden";
constexpr std::string_view kApprovedFolder = "approved/";
// file names, with +HASH and ending, have at most 255 bytes
constexpr std::size_t kLongestName = 200;

bool IsHash(std::string_view text) {
  if (text.size() != 16) return false;
  for (char c : text) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

bool TakeEnding(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

}  // namespace

bool IsRevisionName(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !(digit && i > 0)) return false;
  }
  return true;
}

std::optional<FileName> ParseFileName(std::string_view path) {
  FileName name;
  if (path.starts_with(kApprovedFolder)) {
    path.remove_prefix(kApprovedFolder.size());
    if (!TakeEnding(path, kRecordEnding) || !IsHash(path)) return std::nullopt;
    name.kind = FileName::Kind::Approval;
    name.hash = path;
    return name;
  }
  if (TakeEnding(path, kRecordEnding)) {
    name.kind = FileName::Kind::Record;
  } else if (TakeEnding(path, kPayloadsEnding)) {
    name.kind = FileName::Kind::Payloads;
  } else {
    return std::nullopt;
  }
  if (const auto plus = path.find('+'); plus != std::string_view::npos) {
    const std::string_view hash = path.substr(plus + 1);
    if (!IsHash(hash)) return std::nullopt;
    name.hash = hash;
    path = path.substr(0, plus);
  }
  if (!IsRevisionName(path)) return std::nullopt;
  name.revision = path;
  return name;
}

std::string FileNameText(const FileName& name) {
  if (name.kind == FileName::Kind::Approval) {
    return std::string(kApprovedFolder) + name.hash + std::string(kRecordEnding);
  }
  std::string text = name.revision;
  if (!name.hash.empty()) text += "+" + name.hash;
  text += name.kind == FileName::Kind::Record ? kRecordEnding : kPayloadsEnding;
  return text;
}

}  // namespace revctl::golden
