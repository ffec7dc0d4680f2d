#include "golden/index.h"

#include "revctl/base/ascii.h"

namespace revctl::golden {
namespace {

constexpr std::string_view kRecordEnding = ".yaml";
constexpr std::string_view kPayloadsEnding = ".golden";
constexpr std::string_view kLargeEnding = ".payload";
constexpr std::string_view kLargeFolder = ".large/";
constexpr std::size_t kLongestStem = 40;
constexpr std::string_view kApprovedFolder = "approved/";
// keeps file names, with +HASH and extension, within 255 bytes
constexpr std::size_t kLongestName = 200;

bool IsHash(std::string_view text) { return text.size() == 16 && base::IsHex(text); }

bool TakeEnding(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

}  // namespace

bool IsRevisionName(std::string_view name) {
  return name.size() <= kLongestName && base::IsIdentifier(name);
}

std::string LargeStem(std::string_view golden) {
  std::string stem;
  for (const char c : golden.substr(0, kLongestStem)) {
    const bool kept = base::IsWord(c) || c == '-' || (c == '.' && !stem.empty());
    if (kept) stem += c;
    else if (!stem.ends_with('-')) stem += '-';
  }
  return stem;
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
  if (TakeEnding(path, kLargeEnding)) {
    const auto folder = path.find(kLargeFolder);
    const auto plus = path.rfind('+');
    if (folder == std::string_view::npos || plus == std::string_view::npos ||
        plus < folder + kLargeFolder.size())
      return std::nullopt;
    const std::string_view revision = path.substr(0, folder);
    const std::string_view stem =
        path.substr(folder + kLargeFolder.size(), plus - folder - kLargeFolder.size());
    if (!IsRevisionName(revision) || !IsHash(path.substr(plus + 1)) || stem != LargeStem(stem))
      return std::nullopt;
    return FileName{FileName::Kind::Large, std::string(revision),
                    std::string(path.substr(plus + 1)), std::string(stem)};
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
  if (name.kind == FileName::Kind::Large) {
    return name.revision + std::string(kLargeFolder) + name.golden + "+" + name.hash +
           std::string(kLargeEnding);
  }
  std::string text = name.revision;
  if (!name.hash.empty()) text += "+" + name.hash;
  text += name.kind == FileName::Kind::Record ? kRecordEnding : kPayloadsEnding;
  return text;
}

}  // namespace revctl::golden
