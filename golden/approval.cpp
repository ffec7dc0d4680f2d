#include "golden/approval.h"

#include <fmt/core.h>
#include <algorithm>
#include <span>

#include "golden/index.h"
#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "golden/text/text_tree.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"

namespace revctl::golden {
namespace {

using Kind = Approval::Kind;

constexpr std::pair<Kind, std::string_view> kKinds[] = {{Kind::Rename, "rename"},
                                                        {Kind::Upgrade, "upgrade"},
                                                        {Kind::Enumerator, "enumerator"},
                                                        {Kind::Condition, "condition"},
                                                        {Kind::Baseline, "baseline"}};

std::string HashOf(const std::string& text) {
  return HashText(PayloadHash(std::as_bytes(std::span(text.data(), text.size()))));
}

void FormatList(std::string_view key, const std::vector<std::string>& items, std::string& out) {
  out += fmt::format("{}:\n", key);
  for (const std::string& item : items) out += fmt::format("  - {}\n", Quote(item));
}

std::vector<std::string> ReadList(TextReader& reader, const TextNode& root, std::string_view key) {
  std::vector<std::string> items;
  for (const TextNode& item : reader.List(root, key)) items.push_back(reader.Scalar(item));
  if (items.empty()) reader.Fail(root, fmt::format("`{}` is empty", key));
  return items;
}

/// Reads the scalar at `key`. Fails if it is missing or empty.
std::string Word(TextReader& reader, const TextNode& root, std::string_view key) {
  std::string text = reader.Text(root, key);
  if (text.empty()) reader.Fail(root, fmt::format("`{}` is empty", key));
  return text;
}

void ReadKind(TextReader& reader, const TextNode& root, Approval& approval) {
  switch (approval.kind) {
    case Kind::Rename:
      if (!reader.Keys(root, {"version", "approved", "type", "from", "to", "reason"})) return;
      approval.type = Word(reader, root, "type");
      approval.from = Word(reader, root, "from");
      approval.to = Word(reader, root, "to");
      break;
    case Kind::Upgrade:
      if (!reader.Keys(root,
                       {"version", "approved", "type", "after", "cases", "changes", "reason"}))
        return;
      approval.type = Word(reader, root, "type");
      approval.after = Word(reader, root, "after");
      approval.cases = ReadList(reader, root, "cases");
      if (const TextNode* changes = reader.Map(root, "changes"))
        approval.changes = ReadChanges(reader, *changes);
      break;
    case Kind::Enumerator:
      if (!reader.Keys(root, {"version", "approved", "type", "name", "value", "reason"})) return;
      approval.type = Word(reader, root, "type");
      approval.to = Word(reader, root, "name");
      approval.value = reader.Integer<std::int64_t>(root, "value");
      break;
    case Kind::Condition:
      if (!reader.Keys(root, {"version", "approved", "type", "field", "from", "to", "reason"}))
        return;
      approval.type = Word(reader, root, "type");
      approval.field = Word(reader, root, "field");
      approval.from = Word(reader, root, "from");
      approval.to = Word(reader, root, "to");
      break;
    case Kind::Baseline:
      if (!reader.Keys(root, {"version", "approved", "places", "reason"})) return;
      approval.places = ReadList(reader, root, "places");
      break;
  }
  approval.reason = Word(reader, root, "reason");
}

}  // namespace

std::string FormatApproval(const Approval& approval) {
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const auto& entry) { return entry.first == approval.kind; });
  std::string out = fmt::format("version: 1\napproved: {}\n", kind->second);
  if (!approval.type.empty()) out += fmt::format("type: {}\n", PlainOrQuoted(approval.type));
  switch (approval.kind) {
    case Kind::Rename:
      out += fmt::format("from: {}\nto: {}\n", PlainOrQuoted(approval.from),
                         PlainOrQuoted(approval.to));
      break;
    case Kind::Upgrade:
      out += fmt::format("after: {}\n", PlainOrQuoted(approval.after));
      FormatList("cases", approval.cases, out);
      FormatChanges("changes", 0, approval.changes, out);
      break;
    case Kind::Enumerator:
      out += fmt::format("name: {}\nvalue: {}\n", PlainOrQuoted(approval.to), approval.value);
      break;
    case Kind::Condition:
      out += fmt::format("field: {}\nfrom: {}\nto: {}\n", PlainOrQuoted(approval.field),
                         Quote(approval.from), Quote(approval.to));
      break;
    case Kind::Baseline:
      FormatList("places", approval.places, out);
      break;
  }
  return fmt::format("{}reason: {}\n", out, Quote(approval.reason));
}

Result<Approval> ParseApproval(std::string_view text, std::string_view file) {
  TRY(auto tree, ParseTextTree(text, file));
  TextReader reader(file);
  Approval approval;
  if (tree.kind != TextNode::Kind::Map) reader.Fail(tree, "expected `key: value` entries");
  if (!reader.IsVersionOne(tree, "an approval")) return *reader.error();
  const std::string approved = reader.Text(tree, "approved");
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const auto& entry) { return entry.second == approved; });
  if (kind == std::end(kKinds)) {
    reader.Fail(tree, fmt::format("unknown approval kind: `{}`", approved.substr(0, 40)));
  } else {
    approval.kind = kind->first;
    ReadKind(reader, tree, approval);
  }
  if (reader.error()) return *reader.error();
  return approval;
}

std::string ApprovalId(const Approval& approval) {
  Approval nameless = approval;
  nameless.reason.clear();
  return HashOf(FormatApproval(nameless));
}

Result<std::string> WriteApproval(const std::string& folder, const Approval& approval) {
  const std::string text = FormatApproval(approval);
  const std::string name = FileNameText({FileName::Kind::Approval, "", HashOf(text)});
  TRY(const auto lock, base::FileLock::TakeFolder(folder + "/approved"));
  TRY(base::WriteFileAtomically(folder + "/" + name, text));
  return name;
}

}  // namespace revctl::golden
