// GH002 for whole files: what was recorded of a HARNESS_FORMAT or HARNESS_FILES is still opened.
#include <fmt/core.h>
#include <algorithm>

#include <revctl/detail/base/limits.h>
#include <revctl/detail/types/leaf_text.h>

#include "golden/payload_pack.h"
#include "harness/files/file_frame.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

std::string Hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    revctl::detail::AppendHex(text, static_cast<unsigned char>(byte));
  return text;
}

/// What today's program says against a recorded file; empty where it opens it as it was made.
std::string Refusal(const RootType& root, const revctl::ListTable& list,
                    const golden::RevisionRecord& record, const golden::RecordedFile& file) {
  revctl::FileParts parts;
  if (const revctl::Status status = OpenFrame(root, list, file.bytes, parts); !status.Ok())
    return "is refused: " + status.message();
  if (golden::PayloadHash(parts.payload) != file.payload)
    return fmt::format("is opened to another payload, of {} bytes", parts.payload.size());
  if (parts.revision != record.number)
    return fmt::format("is said to be of revision {}, not {}", parts.revision, record.number);
  if (parts.lineage != 0 && record.lineage != 0 && parts.lineage != record.lineage)
    return "is said to have lineage " + revctl::LineageText(parts.lineage);
  if (root.files.open != nullptr) return {};
  const revctl::Limits& now = root.format.limits;
  if (now.depth < file.depth)
    return fmt::format("may nest {} levels deep, of which {} are read", file.depth, now.depth);
  // Zero is the default, which no file of any use reaches.
  const auto budget = [](std::size_t bytes) {
    return bytes != 0 ? bytes : revctl::Limits::DefaultBudget(0);
  };
  if (budget(now.budget) < budget(file.budget))
    return fmt::format("may take {} bytes of memory, of which {} are granted", budget(file.budget),
                       budget(now.budget));
  return {};
}

}  // namespace

void CheckFiles(CheckContext& context, const revctl::ListTable& list) {
  for (const Revision& revision : context.history.revisions()) {
    std::vector<const golden::StoredRecord*> records = revision.additions;
    if (revision.record != nullptr) records.insert(records.begin(), revision.record);
    for (const golden::StoredRecord* stored : records) {
      for (const golden::RecordedFile& file : stored->record.files) {
        const RootType* const root = context.registry.Find(file.type);
        if (root == nullptr) continue;
        const std::string why = Refusal(*root, list, stored->record, file);
        if (why.empty()) continue;
        Finding finding{
            .rule = rule::kBytes, .revision = revision.name, .type = root->name, .signal = "bytes"};
        const SourcePlace place =
            root->files.open != nullptr ? SourcePlace{root->files.file, root->files.line}
            : root->format_line != 0    ? SourcePlace{root->format_file, root->format_line}
                                        : SourcePlace{root->entry.file, root->entry.line};
        finding.file = context.Relative(place.file);
        finding.line = place.line;
        finding.message = fmt::format("{}: a file as the program of {} made it {}", root->name,
                                      revision.name, why);
        finding.details = fmt::format(
            "recorded in {}; it begins with {}", stored->file,
            Hex(std::span(file.bytes).first(std::min(file.bytes.size(), revctl::kFileHeaderSize))));
        finding.fix =
            "put HARNESS_FORMAT (magic, checksum, limits) back, and what the program loads with; "
            "or read both kinds of files, and say so with HARNESS_FILES";
        context.verdicts.Add(std::move(finding), "frame");
      }
    }
  }
}

}  // namespace revctl::harness
