#include "harness/commands/save_file_io.h"

#include <fmt/core.h>
#include <filesystem>
#include <functional>
#include <optional>

#include "harness/files/file_frame.h"
#include "harness/trace/tracing.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

using revctl::Status;
using StatusKind = revctl::Status::Kind;

constexpr std::size_t kLargestFile = 1U << 30;

/// Returns the offset of `part` in `whole`, or nullopt if `part` is not in `whole`. Treats a null
/// `part` as if it were at the end.
std::optional<std::size_t> OffsetIn(std::span<const std::byte> whole,
                                    std::span<const std::byte> part) {
  const std::less_equal<const std::byte*> not_above;
  if (part.data() == nullptr) return whole.size();
  if (!not_above(whole.data(), part.data()) ||
      !not_above(part.data() + part.size(), whole.data() + whole.size()))
    return std::nullopt;
  return static_cast<std::size_t>(part.data() - whole.data());
}

/// Checks a file's revision and lineage against this program's list or, if given, `written_with`.
Status CheckParts(const revctl::FileParts& parts, const revctl::ListTable* ours,
                  const revctl::ListTable* written_with) {
  const revctl::FileFormat format{.list = ours, .written_with = written_with};
  const revctl::FileHeader header{format.magic, static_cast<std::uint32_t>(parts.revision),
                                  parts.lineage};
  if (revctl::detail::HeaderRevision(header, written_with != nullptr ? written_with : ours) !=
      parts.revision) {
    return {StatusKind::NotThisFormat,
            fmt::format("claims revision {}, which cannot be in any list", parts.revision)};
  }
  std::byte head[revctl::kFileHeaderSize];
  revctl::WriteFileHeader(header, head);
  std::int64_t number = 0;
  return revctl::CheckFileHeader(head, format, number);
}

/// Sets the position of the payload in the file, or in its unpacked content.
Status Place(revctl::FileParts&& parts, SavedFile& file) {
  auto at = OffsetIn(file.bytes, parts.payload);
  const std::size_t size = parts.payload.size();
  if (!at && !parts.unpacked.empty()) {
    at = OffsetIn(parts.unpacked, parts.payload);
    file.bytes = std::move(parts.unpacked);
    file.unpacked = true;
  }
  if (!at)
    return {StatusKind::Refused,
            "its Open returns a payload that is neither in the file nor in `unpacked`"};
  file.number = parts.revision;
  file.header = *at;
  file.trailer = file.bytes.size() - *at - size;
  return {};
}

std::string NoSuchFile(const std::string& path) { return path + ": no such file"; }

std::string FixOf(const Session& session, const RootType& root, const std::string& path,
                  const Status& status, const revctl::ListTable* written_with) {
  if (status.kind() == StatusKind::NotThisFormat && root.files.open == nullptr)
    return fmt::format(
        "restore the file: its first {} bytes are damaged, or it was not written by this program. "
        "Files with a different frame need HARNESS_FILES; bare payloads need --revision NAME",
        revctl::kFileHeaderSize);
  if (status.kind() == StatusKind::ForeignLineage && written_with == nullptr)
    return fmt::format(
        "{} convert {} --written-with LIST --to-json   # LIST: the list of the branch that wrote "
        "it",
        session.program, base::ShellWord(path));
  return "";
}

}  // namespace

Result<SavedFile> ReadSavedFile(const Session& session, const RootType& root,
                                const std::string& path, const std::string& revision,
                                const revctl::ListTable* written_with) {
  auto bytes = base::ReadFile(path, kLargestFile);
  if (!bytes) return Error{Exit::Environment, base::InMessage(bytes.error()).message, ""};
  if (!*bytes) return Error{Exit::Usage, NoSuchFile(path), ""};
  SavedFile file;
  const auto read = std::as_bytes(std::span(**bytes));
  file.bytes.assign(read.begin(), read.end());
  if (!revision.empty()) {
    const revctl::ListEntry* entry = FindRevision(session, revision);
    if (entry == nullptr) return Error{Exit::Usage, NoSuchRevision(session, revision), ""};
    file.number = entry->number;
    return file;
  }
  revctl::FileParts parts;
  Status status =
      OpenFrame(root, written_with != nullptr ? *written_with : *session.list, file.bytes, parts);
  if (status.Ok()) status = CheckParts(parts, session.list, written_with);
  if (status.Ok()) status = Place(std::move(parts), file);
  if (status.Ok()) return file;
  return Error{Exit::Findings, fmt::format("{}: {}", path, status.message()),
               FixOf(session, root, path, status, written_with)};
}

Result<const RootType*> PickType(const Session& session, const std::string& name,
                                 const std::string& path) {
  if (!name.empty()) {
    if (const RootType* root = session.registry.Find(name)) return root;
    return Error{Exit::Usage, "no HARNESS_TYPE registers " + name, ""};
  }
  if (session.registry.types.size() == 1) return &session.registry.types.front();
  std::error_code unreadable;
  if (std::filesystem::status(path, unreadable).type() == std::filesystem::file_type::not_found)
    return Error{Exit::Usage, NoSuchFile(path), ""};
  std::string why = "specify the type of the file: --type";
  for (const RootType& root : session.registry.types)
    why += (&root == &session.registry.types.front() ? " " : "|") + root.name;
  return Error{Exit::Usage, why, ""};
}

Result<std::vector<std::byte>> SaveBytes(const Session& session, const RootType& root, void* object,
                                         std::int64_t number) {
  const revctl::ListEntry* entry = session.list->Find(number);
  std::vector<std::byte> payload, file;
  const auto written = root.entry.write(number, object, payload);
  if (!written.ok) {
    return Error{
        Exit::Findings,
        fmt::format("{} cannot be written: {}",
                    FromRoot(root.name, BelowRoot(written.path, root.type())), written.reason),
        ""};
  }
  revctl::FileParts parts{.revision = number, .lineage = entry->lineage, .payload = payload};
  Status status = MakeFrame(root, parts, file);
  // The user's framing code may produce anything, so check that the file can be opened again.
  revctl::FileParts back;
  if (status.Ok()) status = OpenFrame(root, *session.list, file, back);
  if (status.Ok() &&
      (back.revision != number ||
       !std::equal(back.payload.begin(), back.payload.end(), payload.begin(), payload.end()))) {
    status = {
        StatusKind::Refused,
        fmt::format("reopening the file yields revision {} with {} bytes instead of {} with {}",
                    back.revision, back.payload.size(), number, payload.size())};
  }
  if (status.Ok()) return file;
  return Error{Exit::Findings,
               fmt::format("cannot save {} at {}: {}", root.name, entry->name, status.message()),
               ""};
}

}  // namespace revctl::harness
