#include "harness/files/file_frame.h"

#include "golden/payload_pack.h"

namespace revctl::harness {

using revctl::Status;

Status OpenFrame(const RootType& root, const revctl::ListTable& list,
                 std::span<const std::byte> file, revctl::FileParts& parts) {
  revctl::FileFormat format = root.format;
  format.list = &list;
  if (root.files.open == nullptr) return revctl::OpenFile(file, format, parts);
  const Status status = root.files.open(detail::WithAddress(file), parts);
  // The user's code may read a negative 32-bit revision from the header as a large positive number.
  if (status.Ok() && parts.revision > INT32_MAX && parts.revision <= UINT32_MAX)
    parts.revision = revctl::detail::HeaderRevision(
        {.revision_bits = static_cast<std::uint32_t>(parts.revision)}, &list);
  return status;
}

Status MakeFrame(const RootType& root, const revctl::FileParts& parts,
                 std::vector<std::byte>& file) {
  return root.files.make != nullptr ? root.files.make(parts, file)
                                    : revctl::MakeFile(parts, root.format, file);
}

bool SaysFrame(const RootType& root) { return root.format_line != 0 || root.files.open != nullptr; }

namespace {

// Maximum size of a recorded file, because people review the file as hex digits.
constexpr std::size_t kMostBytes = 2048;

std::optional<golden::RecordedFile> FileOf(const RootType& root, std::int64_t number,
                                           std::uint64_t lineage,
                                           std::span<const std::byte> payload) {
  golden::RecordedFile file;
  file.type = root.name;
  file.payload = golden::PayloadHash(payload);
  const revctl::FileParts parts{.revision = number, .lineage = lineage, .payload = payload};
  if (!MakeFrame(root, parts, file.bytes).Ok() || file.bytes.size() > kMostBytes)
    return std::nullopt;
  if (root.files.open == nullptr) {
    file.depth = root.format.limits.depth;
    file.budget = root.format.limits.budget;
  }
  return file;
}

}  // namespace

std::optional<golden::RecordedFile> RecordFile(const RootType& root, std::int64_t number,
                                               std::uint64_t lineage,
                                               std::span<const std::byte> payload) {
  if (auto file = FileOf(root, number, lineage, payload)) return file;
  // Use only the beginning of a large payload, which is enough if the frame does not depend on the
  // content.
  constexpr std::size_t kBeginning = 64;
  if (payload.size() <= kBeginning) return std::nullopt;
  auto file = FileOf(root, number, lineage, payload.first(kBeginning));
  revctl::FileParts parts;
  const revctl::ListTable none{"", {}, 0};
  if (!file || !OpenFrame(root, none, file->bytes, parts).Ok() ||
      golden::PayloadHash(parts.payload) != file->payload)
    return std::nullopt;
  return file;
}

}  // namespace revctl::harness
