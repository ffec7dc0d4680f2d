#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/approval.h"
#include "golden/index.h"
#include "golden/large_payload.h"
#include "golden/payload_pack.h"
#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

/// A record with its payloads: `SR_NAME.yaml` and `SR_NAME.golden`.
struct StoredRecord {
  std::string file;  ///< `SR_NAME.yaml` or `SR_NAME+HASH.yaml`
  /// True if this record was added after the revision's main record. An addition has only cases.
  bool addition = false;
  RevisionRecord record;
  PayloadPack payloads;
};

/// The file of a large golden, which is written together with its record.
struct LargeFile {
  std::string name;   ///< relative to the golden folder
  std::string bytes;  ///< the result of PackLargePayload
};

/// Returns the path of a large golden relative to the golden folder.
std::string LargeFileName(const RevisionRecord& record, const LargeCase& large);

/// Packs the payload of `large`, which must already have a name, and sets its hash, sizes and
/// SHA-256.
LargeFile MakeLargeFile(const RevisionRecord& record, std::span<const std::byte> payload,
                        LargeCase& large);

/// Returns an error unless the file of a large golden has the recorded size or is a Git LFS pointer
/// to the recorded file. `size` is the file's size, or nullopt if the file is missing. `text` is
/// the file's content, needed only if `size` differs from the recorded size and is small enough for
/// a pointer.
std::optional<Error> CheckLargeFile(const std::string& path, const LargeCase& large,
                                    std::optional<std::uint64_t> size,
                                    const std::optional<std::string>& text);

/// A golden folder, read and checked as a whole: names, sizes and hashes agree, and every case has
/// its payload. Damaged records are left out and reported in `problems()`, so that all other
/// records can still be checked. Large goldens stay on disk, and Open() checks only their sizes.
class Store {
 public:
  static Store Open(std::string folder);

  const std::string& folder() const { return folder_; }
  const std::vector<Error>& problems() const { return problems_; }
  /// False if the folder exists but cannot be listed, so that its content is unknown.
  bool listed() const { return listed_; }

  /// All records, ordered by file name rather than by revision.
  const std::vector<StoredRecord>& records() const { return records_; }

  /// All approvals, in no particular order.
  const std::vector<Approval>& approvals() const { return approvals_; }

  /// Returns the revision's own record, or null if it is missing or damaged. Valid until the store
  /// is changed or destroyed.
  const StoredRecord* Find(std::string_view revision) const;

  /// True if `SR_NAME.yaml` exists, damaged or not.
  bool Has(std::string_view revision) const;

  /// True if `SR_NAME.golden` exists but its text file was lost. Payloads left by a killed `record`
  /// do not count, because a temporary text file is next to them.
  bool HasOrphan(std::string_view revision) const;

  /// Removes the revision's own record from memory before a new one is recorded. Keeps its
  /// additions.
  void Forget(std::string_view revision);

  /// Removes an addition from memory. `file` is the name of its text file.
  void ForgetAddition(std::string_view file);

  /// Returns everything that Forget() and ForgetAddition() have removed.
  const std::vector<std::string>& forgotten() const { return forgotten_; }

  /// Returns the payload of `item`, a case of `record`. Always succeeds, because Open() rejects
  /// records with missing payloads.
  static std::span<const std::byte> Payload(const StoredRecord& record, const Case& item);

  /// Reads a large golden from its file. Checks its hash unless `even_damaged` is set.
  Result<std::vector<std::byte>> ReadLarge(const StoredRecord& record, const LargeCase& large,
                                           bool even_damaged = false) const;

 private:
  void CheckLarge(const StoredRecord& record);
  void ReadRecord(const FileName& name);
  void RefuseCircles();
  void ReadApprovals();
  void ReadApproval(const FileName& name);
  void TakeOrphan(const FileName& name);

  std::string folder_;
  bool listed_ = true;
  std::vector<StoredRecord> records_;
  std::vector<std::string> revisions_;
  std::vector<std::string> orphans_;
  std::vector<Approval> approvals_;
  std::vector<Error> problems_;
  std::vector<std::string> forgotten_;
};

/// Writes a revision atomically: writes the text to a temporary file, writes the payloads, and then
/// renames the temporary file. If the process is killed, the folder contains either nothing or the
/// whole revision, because readers ignore payloads next to a temporary text file. Fails if the
/// revision is already recorded, unless `replace`. A replacement first moves the old text aside,
/// where ReadRecordText still finds it. If the process is then killed, the revision is unrecorded,
/// but old and new files are never mixed. Waits until other processes have finished writing. The
/// files of large goldens are written before the other payloads; readers ignore them unless a
/// record names them.
Result<Done> WriteRecord(const std::string& folder, const RevisionRecord& record,
                         const PayloadPack& payloads, bool replace,
                         const std::vector<LargeFile>& large = {});

/// Reads the text of a revision's own record, even if its payloads are lost. If a replacing
/// WriteRecord was killed, returns the text that it had moved aside. Returns nullopt if neither
/// text exists.
Result<std::optional<RevisionRecord>> ReadRecordText(const std::string& folder,
                                                     const std::string& revision);

/// Removes the old text that WriteRecord leaves behind if it is killed between its last two steps.
Result<Done> RemovePutAside(const std::string& folder, const std::string& revision);

/// Writes an addition to a revision: new samples or imported files. Returns the name of its text
/// file, which contains a hash of the content, so that additions of two branches never share a
/// file.
Result<std::string> WriteAddition(const std::string& folder, const RevisionRecord& record,
                                  const PayloadPack& payloads,
                                  const std::vector<LargeFile>& large = {});

/// Removes both files of an addition that has not landed. `file` is the name of its text file. If
/// the process is killed, it leaves at most a file that readers ignore. Succeeds if the addition
/// does not exist.
Result<Done> RemoveAddition(const std::string& folder, const std::string& file);

/// If a record and its payloads were not written together, returns an error that names the file in
/// `folder`. Otherwise returns nullopt. `payloads` is nullopt if the payload file is missing.
/// Accepts Git LFS pointers, and additions whose text is unreadable or does not match its name,
/// because the harness reports them.
std::optional<Error> WhyNotWhole(const std::string& folder, const FileName& name,
                                 const std::string& record,
                                 const std::optional<std::string>& payloads);

}  // namespace revctl::golden
