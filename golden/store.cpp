#include "golden/store.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "golden/index.h"
#include "golden/revision_record.h"
#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"

namespace revctl::golden {
namespace {

// The limits are generous. People review records, and packs are test data, so a larger file must be
// a mistake.
constexpr std::size_t kLargestRecord = 64U << 20;
constexpr std::size_t kLargestApproval = 64U << 10;
constexpr std::size_t kLargestPack = 64U << 20;
// This exceeds the payload limit, because packing enlarges a payload that contains no runs.
constexpr std::size_t kLargestLargeFile = kLargestLargePayload + (1U << 20);

std::string PathOf(const std::string& folder, const FileName& name) {
  return folder + "/" + FileNameText(name);
}

/// Returns the content hash for the name of a text file. CRLF line endings do not change the hash.
std::string NameHash(std::string text) {
  std::erase(text, '\r');  // store files contain no other CR, because strings escape it
  return HashText(PayloadHash(std::as_bytes(std::span(text.data(), text.size()))));
}

/// Returns an error whose fix restores the committed file.
Error RestoreError(const std::string& path, std::string message,
                   const std::string& alternative = "") {
  Error error = FileError(path, 0, std::move(message),
                          "git checkout -- " + base::ShellPath(path) + alternative);
  error.fix_kind = base::ErrorFix::RestoreFile;
  error.alternative = alternative;
  return error;
}

/// Returns an error unless the hash of `text` is the hash in the file's name. The hash ensures that
/// two branches write the same file only if its content is the same.
std::optional<Error> CheckName(const FileName& name, const std::string& text,
                               const std::string& path) {
  const std::string hash = NameHash(text);
  if (name.hash.empty() || name.hash == hash) return std::nullopt;
  FileName own = name;
  own.hash = hash;
  return RestoreError(
      path, "was edited after it was written: its content does not match the hash in its name",
      fmt::format(
          "\nor, if the edit is intended: rename it to {}{}", FileNameText(own),
          name.kind == FileName::Kind::Approval ? "" : ", and rename its payloads accordingly"));
}

/// Returns an error for an entry that has the name of a store file but is not a file, and for a
/// file with a slightly wrong name, which readers would ignore.
std::optional<Error> CheckEntry(const base::FolderEntry& entry, const std::string& path,
                                const std::optional<FileName>& name, bool approvals) {
  if (name && !entry.other.empty())
    return FileError(path, 0, fmt::format("is {}, but must be a file", entry.other),
                     "replace it with the actual file, or remove it");
  const bool ours =
      entry.name.ends_with(".yaml") || (!approvals && entry.name.ends_with(".golden"));
  if (name || !ours || entry.name.starts_with('.') ||
      !(approvals || entry.name.find('+') != std::string::npos))
    return std::nullopt;
  return FileError(
      path, 0,
      "is ignored: the name of an addition or approval must contain the 16 hex digits of its hash",
      "restore its original name with git mv, or remove it");
}

std::optional<Error> CheckAgainstPayloads(const StoredRecord& stored, const std::string& path) {
  const auto fail = [&](const Case& item, const std::string& what) {
    return RestoreError(path, fmt::format("the case {} {} {}", item.type.substr(0, 80),
                                          item.name.substr(0, 80), what));
  };
  std::set<std::pair<std::string_view, std::string_view>> names;
  std::set<std::uint64_t> used;
  for (const Case& item : stored.record.cases) {
    if (!names.emplace(item.type, item.name).second) return fail(item, "occurs twice");
    const auto* payload = stored.payloads.Find(item.hash);
    if (!payload) return fail(item, "has no payload that matches its hash " + HashText(item.hash));
    if (payload->size() != item.size) return fail(item, "has a payload of a different size");
    used.insert(item.hash);
  }
  for (const LargeCase& large : stored.record.large) {
    if (!names.emplace(large.item.type, large.item.name).second)
      return fail(large.item, "occurs twice");
  }
  if (used.size() != stored.payloads.size()) {
    return RestoreError(path, "its .golden file contains payloads that the record does not list");
  }
  return std::nullopt;
}

/// Parses the text of a record; its payloads are read later.
Result<StoredRecord> ParseStored(const std::string& folder, const FileName& name,
                                 const std::string& text) {
  const std::string path = PathOf(folder, name);
  if (IsLfsPointer(text))
    return FileError(path, 0, "is a Git LFS pointer instead of the record", "git lfs pull");
  TRY(auto record, ParseRecord(text, path));
  if (auto problem = CheckName(name, text, path)) return std::move(*problem);
  if (record.revision != name.revision)
    return FileError(path, 0,
                     fmt::format("is named after {}, but contains the record of {}", name.revision,
                                 record.revision));
  return StoredRecord{FileNameText(name), name.IsAddition(), std::move(record), {}};
}

FileName PayloadsOf(const FileName& record) {
  return {FileName::Kind::Payloads, record.revision, record.hash};
}

/// Parses the payloads of a record. `bytes` is nullopt if the payload file is missing.
std::optional<Error> TakePayloads(StoredRecord& stored, const std::string& folder,
                                  const FileName& name, const std::optional<std::string>& bytes) {
  const std::string pack_path = PathOf(folder, PayloadsOf(name));
  if (bytes) {
    auto pack = PayloadPack::Parse(*bytes, pack_path);
    if (!pack) return pack.error();
    stored.payloads = std::move(*pack);
  } else if (!stored.record.cases.empty()) {
    return RestoreError(pack_path, "is missing; it should contain the payloads of " + stored.file);
  }
  return CheckAgainstPayloads(stored, PathOf(folder, name));
}

Result<StoredRecord> ReadStored(const std::string& folder, const FileName& name) {
  const std::string path = PathOf(folder, name);
  TRY(auto text, base::ReadFile(path, kLargestRecord));
  if (!text) return FileError(path, 0, "has disappeared");
  TRY(auto stored, ParseStored(folder, name, *text));
  TRY(auto bytes, base::ReadFile(PathOf(folder, PayloadsOf(name)), kLargestPack));
  if (auto problem = TakePayloads(stored, folder, name, bytes)) return std::move(*problem);
  return stored;
}

/// True if neither a text file nor a temporary text file accompanies these payloads. `names`
/// contains all names in the folder, sorted.
bool IsOrphan(const FileName& payloads, const std::vector<std::string>& names) {
  const std::string text = FileNameText({FileName::Kind::Record, payloads.revision, payloads.hash});
  if (std::binary_search(names.begin(), names.end(), text)) return false;
  return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
    return base::PreparedFile::IsTemporaryOf(name, text);
  });
}

/// Returns an error if readers would reject the files that are about to be written, so that the
/// mistake is reported now rather than later.
std::optional<Error> CheckReadable(const std::string& text, const std::string& pack,
                                   const std::string& path) {
  const auto too_large = [&](const char* what, std::size_t size, std::size_t most) {
    return FileError(path, 0,
                     fmt::format("{} would be {} bytes long; the limit is {}", what, size, most),
                     "use fewer or smaller samples, or fewer HARNESS_TYPEs");
  };
  if (text.size() > kLargestRecord) return too_large("it", text.size(), kLargestRecord);
  if (pack.size() > kLargestPack) return too_large("its payloads", pack.size(), kLargestPack);
  TRY(ParseRecord(text, path));
  return std::nullopt;
}

/// Returns the path at which a record's old text is kept while the record is being replaced. It is
/// not a valid name of a store file, so readers ignore it.
std::string AsidePath(const std::string& folder, const FileName& name) {
  return fmt::format("{}/.{}.old", folder, FileNameText(name));
}

/// Removes the large golden files of `record`, except those that `kept` also uses. Ignores errors,
/// because no record uses the remaining files.
void RemoveLarge(const std::string& folder, const RevisionRecord& record,
                 const RevisionRecord* kept) {
  std::set<std::string> names;
  for (const LargeCase& large : record.large) names.insert(LargeFileName(record, large));
  if (kept != nullptr) {
    for (const LargeCase& large : kept->large) names.erase(LargeFileName(*kept, large));
  }
  for (const std::string& name : names) (void)base::RemoveFile(folder + "/" + name);
}

Result<Done> WritePair(const std::string& folder, const RevisionRecord& record,
                       const PayloadPack& payloads, const std::vector<LargeFile>& large,
                       const std::string& hash, bool replace) {
  if (!IsRevisionName(record.revision))
    return FileError(folder, 0, fmt::format("`{}` cannot name a file", record.revision));
  const std::string text_path = PathOf(folder, {FileName::Kind::Record, record.revision, hash});
  const std::string record_text = FormatRecord(record), pack = payloads.Bytes();
  if (auto problem = CheckReadable(record_text, pack, text_path)) return std::move(*problem);
  TRY(const auto lock, base::FileLock::TakeFolder(folder));
  const std::string pack_path = PathOf(folder, {FileName::Kind::Payloads, record.revision, hash});
  // Check while holding the lock, so that no other process can record the revision in between.
  TRY(const auto existing, base::ReadFile(text_path, kLargestRecord));
  if (existing && !replace)
    return FileError(text_path, 0, "already exists, and goldens are never replaced");
  // Write the temporary text file before touching any old file. Readers ignore payloads next to a
  // temporary text file, because a killed `record` left them, but report payloads without one,
  // because their text was lost.
  TRY(auto text, base::PreparedFile::Write(text_path, record_text));
  const std::string aside = AsidePath(folder, {FileName::Kind::Record, record.revision, hash});
  if (existing) {
    if (auto moved = base::MoveFile(text_path, aside); !moved) return moved.error();
  }
  for (const LargeFile& file : large) {
    std::error_code ignored;  // if this fails, the write below reports it
    std::filesystem::create_directories(base::FolderOf(folder + "/" + file.name), ignored);
    TRY(base::WriteFileAtomically(folder + "/" + file.name, file.bytes));
  }
  auto written = payloads.size() == 0 ? base::RemoveFile(pack_path)
                                      : base::WriteFileAtomically(pack_path, pack);
  if (!written) {
    if (existing) (void)base::MoveFile(aside, text_path);
    return written.error();
  }
  TRY(text.Commit());
  if (existing) {
    if (const auto old = ParseRecord(*existing, text_path)) RemoveLarge(folder, *old, &record);
  }
  return base::RemoveFile(aside);
}

}  // namespace

std::string LargeFileName(const RevisionRecord& record, const LargeCase& large) {
  return FileNameText({FileName::Kind::Large, record.revision, HashText(large.item.hash),
                       LargeStem(large.item.name)});
}

LargeFile MakeLargeFile(const RevisionRecord& record, std::span<const std::byte> payload,
                        LargeCase& large) {
  LargeFile file;
  file.bytes = PackLargePayload(payload);
  large.item.hash = PayloadHash(payload);
  large.item.size = payload.size();
  large.stored = file.bytes.size();
  large.sha256 = Sha256(file.bytes);
  file.name = LargeFileName(record, large);
  return file;
}

std::optional<Error> CheckLargeFile(const std::string& path, const LargeCase& large,
                                    std::optional<std::uint64_t> size,
                                    const std::optional<std::string>& text) {
  const std::string name = large.item.name.substr(0, 80);
  if (!size)
    return RestoreError(path, "is missing; it should contain the payload of the golden " + name);
  if (*size == large.stored) return std::nullopt;
  if (!text || !IsLfsPointer(*text))
    return RestoreError(path,
                        fmt::format("has {} bytes, but the record says {}", *size, large.stored));
  const auto pointer = ParseLfsPointer(*text);
  if (pointer && pointer->sha256 == large.sha256 && pointer->size == large.stored)
    return std::nullopt;
  return RestoreError(path, fmt::format("is a Git LFS pointer, but not to the payload of the "
                                        "golden {}; the record expects sha256:{} with {} bytes",
                                        name, large.sha256, large.stored));
}

std::optional<Error> WhyNotWhole(const std::string& folder, const FileName& name,
                                 const std::string& record,
                                 const std::optional<std::string>& payloads) {
  auto stored = ParseStored(folder, name, record);
  if (!stored && name.IsAddition()) return std::nullopt;
  if (!stored) return stored.error();
  if (payloads && IsLfsPointer(*payloads)) return std::nullopt;
  return TakePayloads(*stored, folder, name, payloads);
}

Store Store::Open(std::string folder) {
  Store store;
  store.folder_ = std::move(folder);
  const auto entries = base::ListEntries(store.folder_);
  if (!entries) {
    store.problems_.push_back(entries.error());
    store.listed_ = false;
    return store;
  }
  std::vector<std::string> names;
  for (const base::FolderEntry& entry : *entries) names.push_back(entry.name);
  // Records that were already reported because their text or payload file is not a regular file.
  std::set<std::pair<std::string, std::string>> told;
  for (const base::FolderEntry& entry : *entries) {
    const auto name = ParseFileName(entry.name);
    const bool record = name && name->kind == FileName::Kind::Record;
    if (record && !name->IsAddition()) store.revisions_.push_back(name->revision);
    if (auto problem = CheckEntry(entry, store.folder_ + "/" + entry.name, name, false)) {
      store.problems_.push_back(std::move(*problem));
      if (name) told.emplace(name->revision, name->hash);
      // Payloads are listed before the text, so `told` already contains them.
    } else if (record && !told.contains({name->revision, name->hash})) {
      store.ReadRecord(*name);
    } else if (name && !record && IsOrphan(*name, names)) {
      store.TakeOrphan(*name);
    }
  }
  store.RefuseCircles();
  store.ReadApprovals();
  return store;
}

/// Rejects records whose `previous` chain leads back to themselves, because their order cannot be
/// trusted.
void Store::RefuseCircles() {
  std::map<std::string_view, std::string_view> previous;
  for (const StoredRecord& stored : records_) {
    if (!stored.addition) previous.emplace(stored.record.revision, stored.record.previous);
  }
  const auto leads_back = [&](const StoredRecord& stored) {
    std::string_view at = stored.record.previous;
    for (std::size_t steps = 0; steps < previous.size() && at != stored.record.revision; ++steps) {
      const auto next = previous.find(at);
      if (next == previous.end()) return false;
      at = next->second;
    }
    return !stored.addition && at == stored.record.revision;
  };
  std::vector<bool> circles;
  for (const StoredRecord& stored : records_) circles.push_back(leads_back(stored));
  for (std::size_t i = records_.size(); i-- > 0;) {
    if (!circles[i]) continue;
    const StoredRecord& stored = records_[i];
    const bool itself = stored.record.previous == stored.record.revision;
    problems_.push_back(FileError(folder_ + "/" + stored.file, 0,
                                  fmt::format("`previous: {}` names {}", stored.record.previous,
                                              itself ? "the record itself" : "a later record")));
    records_.erase(records_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Store::ReadRecord(const FileName& name) {
  auto stored = ReadStored(folder_, name);
  if (stored) {
    CheckLarge(*stored);
    records_.push_back(std::move(*stored));
  } else {
    problems_.push_back(stored.error());
  }
}

/// Reports large goldens whose file is missing, is a Git LFS pointer or has the wrong size. Keeps
/// the record, because it also describes other goldens.
void Store::CheckLarge(const StoredRecord& record) {
  for (const LargeCase& large : record.record.large) {
    const std::string path = folder_ + "/" + LargeFileName(record.record, large);
    std::error_code error;
    std::optional<std::uint64_t> size = std::filesystem::file_size(path, error);
    if (error) size.reset();
    std::optional<std::string> text;
    if (size && *size != large.stored && *size <= kLongestLfsPointer) {
      if (auto read = base::ReadFile(path, kLongestLfsPointer)) text = std::move(*read);
    }
    auto wrong = CheckLargeFile(path, large, size, text);
    if (!wrong && text)
      wrong = FileError(path, 0, "is a Git LFS pointer instead of the payload", "git lfs pull");
    if (wrong) problems_.push_back(std::move(*wrong));
  }
}

Result<std::vector<std::byte>> Store::ReadLarge(const StoredRecord& record, const LargeCase& large,
                                                bool even_damaged) const {
  const std::string path = folder_ + "/" + LargeFileName(record.record, large);
  const auto damaged = [&](const std::string& how) { return RestoreError(path, how); };
  TRY(auto file, base::FileReader::Open(path, kLargestLargeFile));
  if (!file)
    return damaged("is missing; it should contain the payload of the golden " + large.item.name);
  const auto read = [&](std::span<char> buffer) { return file->Read(buffer); };
  auto payload = UnpackLargePayload(read, path, even_damaged);
  if (!payload)
    return payload.error().fix.empty() ? damaged(payload.error().message) : payload.error();
  if (even_damaged) return payload;
  if (payload->size() != large.item.size || PayloadHash(*payload) != large.item.hash)
    return damaged("contains a payload that does not match the record");
  return payload;
}

void Store::TakeOrphan(const FileName& name) {
  if (!name.IsAddition()) {
    orphans_.push_back(name.revision);
    return;
  }
  const std::string path = PathOf(folder_, {FileName::Kind::Record, name.revision, name.hash});
  problems_.push_back(RestoreError(path, "is missing, although its payloads exist"));
}

void Store::ReadApprovals() {
  const std::string folder = folder_ + "/approved";
  if (base::KindAt(folder) == base::PathKind::Link) {
    problems_.push_back(FileError(folder, 0, "is a symbolic link, but must be a folder",
                                  "replace it with the actual folder, or remove it"));
    return;
  }
  const auto entries = base::ListEntries(folder);
  if (!entries) {
    problems_.push_back(entries.error());
    return;
  }
  for (const base::FolderEntry& entry : *entries) {
    const auto name = ParseFileName("approved/" + entry.name);
    if (auto problem = CheckEntry(entry, folder + "/" + entry.name, name, true)) {
      problems_.push_back(std::move(*problem));
    } else if (name) {
      ReadApproval(*name);
    }
  }
}

void Store::ReadApproval(const FileName& name) {
  const std::string path = PathOf(folder_, name);
  const auto text = base::ReadFile(path, kLargestApproval);
  if (!text || !*text) {
    problems_.push_back(text ? FileError(path, 0, "has disappeared") : text.error());
    return;
  }
  if (IsLfsPointer(**text)) {
    problems_.push_back(
        FileError(path, 0, "is a Git LFS pointer instead of the approval", "git lfs pull"));
    return;
  }
  auto approval = ParseApproval(**text, path);
  if (!approval) {
    problems_.push_back(approval.error());
  } else if (auto problem = CheckName(name, **text, path)) {
    problems_.push_back(std::move(*problem));
  } else {
    approvals_.push_back(std::move(*approval));
  }
}

const StoredRecord* Store::Find(std::string_view revision) const {
  for (const StoredRecord& stored : records_) {
    if (!stored.addition && stored.record.revision == revision) return &stored;
  }
  return nullptr;
}

bool Store::Has(std::string_view revision) const {
  return std::find(revisions_.begin(), revisions_.end(), revision) != revisions_.end();
}

bool Store::HasOrphan(std::string_view revision) const {
  return std::find(orphans_.begin(), orphans_.end(), revision) != orphans_.end();
}

void Store::Forget(std::string_view revision) {
  forgotten_.emplace_back(revision);
  std::erase_if(records_, [&](const StoredRecord& stored) {
    return !stored.addition && stored.record.revision == revision;
  });
  for (auto* names : {&revisions_, &orphans_})
    std::erase_if(*names, [&](const std::string& name) { return name == revision; });
}

void Store::ForgetAddition(std::string_view file) {
  forgotten_.emplace_back(file);
  std::erase_if(records_,
                [&](const StoredRecord& stored) { return stored.addition && stored.file == file; });
}

std::span<const std::byte> Store::Payload(const StoredRecord& record, const Case& item) {
  const auto* payload = record.payloads.Find(item.hash);
  return payload ? std::span<const std::byte>(*payload) : std::span<const std::byte>();
}

Result<Done> WriteRecord(const std::string& folder, const RevisionRecord& record,
                         const PayloadPack& payloads, bool replace,
                         const std::vector<LargeFile>& large) {
  return WritePair(folder, record, payloads, large, "", replace);
}

Result<std::optional<RevisionRecord>> ReadRecordText(const std::string& folder,
                                                     const std::string& revision) {
  const FileName name{FileName::Kind::Record, revision, ""};
  for (const std::string& path : {PathOf(folder, name), AsidePath(folder, name)}) {
    TRY(const auto text, base::ReadFile(path, kLargestRecord));
    if (!text) continue;
    TRY(auto record, ParseRecord(*text, path));
    if (record.revision != revision)
      return FileError(path, 0,
                       fmt::format("is named after {}, but contains the record of {}", revision,
                                   record.revision));
    return std::optional<RevisionRecord>(std::move(record));
  }
  return std::optional<RevisionRecord>();
}

Result<Done> RemovePutAside(const std::string& folder, const std::string& revision) {
  return base::RemoveFile(AsidePath(folder, {FileName::Kind::Record, revision, ""}));
}

Result<std::string> WriteAddition(const std::string& folder, const RevisionRecord& record,
                                  const PayloadPack& payloads,
                                  const std::vector<LargeFile>& large) {
  const std::string hash = NameHash(FormatRecord(record));
  // Equal content has the same name, so writing it twice changes nothing.
  TRY(WritePair(folder, record, payloads, large, hash, true));
  return FileNameText({FileName::Kind::Record, record.revision, hash});
}

Result<Done> RemoveAddition(const std::string& folder, const std::string& file) {
  const auto name = ParseFileName(file);
  if (!name || name->kind != FileName::Kind::Record || !name->IsAddition())
    return FileError(folder + "/" + file, 0, "is not an addition record");
  TRY(const auto lock, base::FileLock::TakeFolder(folder));
  // Readers ignore payloads next to a temporary text file. Without this temporary file, readers
  // would report that the text was lost.
  const std::string path = PathOf(folder, *name);
  TRY(const auto old, base::ReadFile(path, kLargestRecord));
  TRY(const auto temporary, base::PreparedFile::Write(path, ""));
  TRY(base::RemoveFile(path));
  if (const auto record = ParseRecord(old.value_or(""), path))
    RemoveLarge(folder, *record, nullptr);
  return base::RemoveFile(PathOf(folder, {FileName::Kind::Payloads, name->revision, name->hash}));
}

}  // namespace revctl::golden
