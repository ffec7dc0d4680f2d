#include "golden/approval.h"

#include <span>

#include "golden/file_io.h"
#include "golden/index.h"
#include "golden/payload_pack.h"
#include "golden/revision_text.h"
#include "golden/text_tree.h"

namespace golden {

std::string FormatApproval(const Approval& approval) {
  return "version: 1\napproved: rename\ntype: " + PlainOrQuoted(approval.type) +
         "\nfrom: " + PlainOrQuoted(approval.from) + "\nto: " + PlainOrQuoted(approval.to) +
         "\nreason: " + Quote(approval.reason) + "\n";
}

Result<Approval> ParseApproval(std::string_view text, std::string_view file) {
  auto tree = ParseTextTree(text, file);
  if (!tree) return tree.problem();
  Approval approval;
  std::string version, kind;
  for (const TextNode::Entry& entry : tree->map) {
    const auto fail = [&](std::string message) {
      return Problem{std::string(file), entry.value.line, std::move(message), ""};
    };
    std::string* target = entry.key == "version"    ? &version
                          : entry.key == "approved" ? &kind
                          : entry.key == "type"     ? &approval.type
                          : entry.key == "from"     ? &approval.from
                          : entry.key == "to"       ? &approval.to
                          : entry.key == "reason"   ? &approval.reason
                                                    : nullptr;
    if (target == nullptr) return fail("unknown key `" + entry.key + "`");
    if (entry.value.kind != TextNode::Kind::Scalar || entry.value.scalar.empty())
      return fail("expected one value");
    *target = entry.value.scalar;
  }
  const auto fail = [&](std::string message) {
    return Problem{std::string(file), 1, std::move(message), ""};
  };
  if (version != "1")
    return fail("version " + version.substr(0, 20) +
                " of an approval; this program reads version 1");
  if (kind != "rename") return fail("only renames are approved, not `" + kind.substr(0, 40) + "`");
  for (const std::string* needed :
       {&approval.type, &approval.from, &approval.to, &approval.reason}) {
    if (needed->empty()) return fail("an approval needs type, from, to and reason");
  }
  return approval;
}

Result<std::string> WriteApproval(const std::string& folder, const Approval& approval) {
  const std::string text = FormatApproval(approval);
  const std::string hash =
      HashText(PayloadHash(std::as_bytes(std::span(text.data(), text.size()))));
  const std::string name = FileNameText({FileName::Kind::Approval, "", hash});
  auto lock = FolderLock::Take(folder + "/approved");
  if (!lock) return lock.problem();
  if (auto written = WriteFileAtomically(folder + "/" + name, text); !written)
    return written.problem();
  return name;
}

}  // namespace golden
