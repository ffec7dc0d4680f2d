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
  std::string file;       ///< `SR_NAME.yaml` or `SR_NAME+HASH.yaml`
  bool addition = false;  ///< added after the revision's own record; has only cases
  RevisionRecord record;
  PayloadPack payloads;
};

/// A file of a large golden, to be written with its record.
struct LargeFile {
  std::string name;   ///< relative to the golden folder
  std::string bytes;  ///< as PackLargePayload makes them
};

/// Returns the path of a large golden relative to the golden folder.
std::string LargeFileName(const RevisionRecord& record, const LargeCase& large);

/// Packs a payload for `large`, whose item has its name, and sets its hash, sizes and SHA-256.
LargeFile MakeLargeFile(const RevisionRecord& record, std::span<const std::byte> payload,
                        LargeCase& large);

/// Returns an error unless the file of a large golden is the recorded one, or a Git LFS pointer to
/// it. `size` is that of the file, or nullopt if the file is missing. `text` is the file's content,
/// if its size is not the recorded one and small enough for a pointer.
std::optional<Error> CheckLargeFile(const std::string& path, const LargeCase& large,
                                    std::optional<std::uint64_t> size,
                                    const std::optional<std::string>& text);

/// A golden folder, read and checked as a whole: names, sizes and hashes agree, and every case has
/// its payload. A damaged record is left out and reported in `problems()`, so that it does not hide
/// the others. Large goldens stay on disk; only their size is checked here.
class Store {
 public:
  static Store Open(std::string folder);

  const std::string& folder() const { return folder_; }
  const std::vector<Error>& problems() const { return problems_; }
  /// False if the folder exists but cannot be listed, so that its content is unknown.
  bool listed() const { return listed_; }

  /// All records, ordered by file name, not in the order of the list.
  const std::vector<StoredRecord>& records() const { return records_; }

  /// All approvals, in no particular order.
  const std::vector<Approval>& approvals() const { return approvals_; }

  /// Returns the revision's own record, or null if it is missing or damaged. Valid until the store
  /// is changed or destroyed.
  const StoredRecord* Find(std::string_view revision) const;

  /// True if `SR_NAME.yaml` exists, damaged or not.
  bool Has(std::string_view revision) const;

  /// True if `SR_NAME.golden` exists but its text was lost. Payloads left by a killed `record` do
  /// not count: a temporary of their text is next to them.
  bool HasOrphan(std::string_view revision) const;

  /// Removes the revision's own record from memory, before it is recorded again. Its additions
  /// stay.
  void Forget(std::string_view revision);

  /// Removes an addition from memory, by the name of its text file.
  void ForgetAddition(std::string_view file);

  /// Returns the payload of `item`, a case of `record`. Every record that Open accepted has it.
  static std::span<const std::byte> Payload(const StoredRecord& record, const Case& item);

  /// Reads a large golden from its file and checks its hash, unless `even_damaged`.
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
};

/// Writes a revision atomically: a temporary with its text, the payloads, then the text in its
/// place. A kill thus leaves nothing or the whole revision, because payloads next to a temporary of
/// their text are ignored. Fails if the revision is recorded already, unless `replace`. Then the
/// old text is set aside first, where ReadRecordText still finds it; a kill leaves the revision
/// unrecorded, never a mix. Waits for other processes. The files of large goldens are written
/// first; without a record that names them, they are ignored.
Result<Done> WriteRecord(const std::string& folder, const RevisionRecord& record,
                         const PayloadPack& payloads, bool replace,
                         const std::vector<LargeFile>& large = {});

/// Reads the text of a revision's own record, even if its payloads are lost. If a replacing
/// WriteRecord was killed, returns the text that it set aside. Returns nullopt if there is neither.
Result<std::optional<RevisionRecord>> ReadRecordText(const std::string& folder,
                                                     const std::string& revision);

/// Removes the old text that a WriteRecord left aside because it was killed at its very end.
Result<Done> RemovePutAside(const std::string& folder, const std::string& revision);

/// Writes an addition to a revision: new samples or imported files. Returns the name of its text
/// file, which contains a hash of the content, so that additions of two branches never share a
/// file.
Result<std::string> WriteAddition(const std::string& folder, const RevisionRecord& record,
                                  const PayloadPack& payloads,
                                  const std::vector<LargeFile>& large = {});

/// Removes both files of an addition that has not landed, by the name of its text file. After a
/// kill, at most a file that readers ignore is left. Succeeds if the addition is gone already.
Result<Done> RemoveAddition(const std::string& folder, const std::string& file);

/// Returns an error, which names the file of `folder`, if a record and its payloads were not
/// written together, else nullopt. `payloads` is nullopt if that file is missing. Accepts Git LFS
/// pointers, and additions whose text is unreadable or does not match its name, because the harness
/// reports those.
std::optional<Error> WhyNotWhole(const std::string& folder, const FileName& name,
                                 const std::string& record,
                                 const std::optional<std::string>& payloads);

}  // namespace revctl::golden
