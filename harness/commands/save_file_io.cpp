#include "harness/commands/save_file_io.h"

#include "golden/file_io.h"
#include "revctl/file_header.h"

namespace harness {
namespace {

constexpr std::size_t kLargestFile = 1U << 30;

}  // namespace

std::optional<SavedFile> ReadSavedFile(const Session& session, const RootType& root,
                                       const std::string& path, const std::string& revision,
                                       const revctl::ListTable* written_with, Exit& exit) {
  auto bytes = golden::ReadFile(path, kLargestFile);
  if (!bytes) {
    exit = Refuse(Exit::Environment, bytes.problem().file + ": " + bytes.problem().message);
    return std::nullopt;
  }
  if (!*bytes) {
    exit = Refuse(Exit::Usage, path + ": there is no such file");
    return std::nullopt;
  }
  SavedFile file{std::move(**bytes)};
  if (!revision.empty()) {
    const revctl::ListEntry* entry = FindRevision(session, revision);
    if (entry == nullptr) {
      exit = Refuse(Exit::Usage, "the list has no revision " + revision);
      return std::nullopt;
    }
    file.number = entry->number;
    return file;
  }
  revctl::FileFormat format = root.format;
  format.list = session.list;
  format.written_with = written_with;
  revctl::Status status = revctl::CheckFileHeader(file.payload(), format, file.number);
  if (status.Ok()) {
    auto unsummed = file.payload();
    status = revctl::CheckChecksum(unsummed, format);
    file.header = revctl::kFileHeaderSize;
    file.trailer = file.bytes.size() - unsummed.size();
    if (status.Ok()) return file;
  }
  using Kind = revctl::Status::Kind;
  std::string fix;
  if (status.kind() == Kind::NotThisFormat) {
    fix = "restore the file from where it was saved; it is damaged in its first " +
          std::to_string(revctl::kFileHeaderSize) + " bytes, or no file of this program";
  } else if (status.kind() == Kind::ForeignLineage && written_with == nullptr) {
    fix = session.program + " convert " + path +
          " --written-with LIST --to-json   // LIST: the list of the branch that wrote it";
  }
  exit = Refuse(Exit::Findings, path + ": " + status.message(), fix);
  return std::nullopt;
}

const RootType* PickType(const Session& session, const std::string& name, std::string& why) {
  if (!name.empty()) {
    const RootType* root = session.registry.Find(name);
    if (root == nullptr) why = "no HARNESS_TYPE registers " + name;
    return root;
  }
  if (session.registry.types.size() == 1) return &session.registry.types.front();
  why = "say what the file holds: --type";
  for (const RootType& root : session.registry.types)
    why += (&root == &session.registry.types.front() ? " " : "|") + root.name;
  return nullptr;
}

std::optional<std::string> SaveBytes(const Session& session, const RootType& root, void* object,
                                     std::int64_t number, Exit& exit) {
  revctl::FileFormat format = root.format;
  format.list = session.list;
  revctl::FileHeader header;
  const revctl::Status status = revctl::MakeFileHeader(revctl::Revision(number), format, header);
  std::vector<std::byte> payload;
  const auto written = root.entry.write(number, object, payload);
  if (!status.Ok() || !written.ok) {
    exit = Refuse(Exit::Findings, status.Ok() ? root.name + "." + written.path +
                                                    " cannot be written: " + written.reason
                                              : status.message());
    return std::nullopt;
  }
  std::byte head[revctl::kFileHeaderSize];
  revctl::WriteFileHeader(header, head);
  std::string bytes(reinterpret_cast<const char*>(head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  if (format.checksum) {
    const std::uint64_t sum =
        revctl::Checksum(std::as_bytes(std::span(bytes.data(), bytes.size())));
    std::byte tail[8];
    revctl::detail::CopyValue<std::uint64_t>(tail, &sum);
    bytes.append(reinterpret_cast<const char*>(tail), sizeof tail);
  }
  return bytes;
}

}  // namespace harness
