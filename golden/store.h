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
#include "golden/payload_pack.h"
#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

/// One record with its payloads: `SR_NAME.yaml` beside `SR_NAME.golden`.
struct StoredRecord {
  std::string file;       ///< `SR_NAME.yaml` or `SR_NAME+HASH.yaml`
  bool addition = false;  ///< added after the revision's own record: it has cases alone
  RevisionRecord record;
  PayloadPack payloads;
};

/// A golden folder, read whole and checked: names, sizes and hashes agree, every case has its
/// payload. A record that cannot be trusted is left out and told in `problems()`, so that one
/// damaged file does not hide the others.
class Store {
 public:
  static Store Open(std::string folder);

  const std::string& folder() const { return folder_; }
  const std::vector<Error>& problems() const { return problems_; }
  /// False where the folder is there but cannot be looked into: what is recorded is not known then.
  bool listed() const { return listed_; }

  /// All records, in order of their file names. The list says in which order the revisions come.
  const std::vector<StoredRecord>& records() const { return records_; }

  /// What people accepted, in no order that means anything.
  const std::vector<Approval>& approvals() const { return approvals_; }

  /// The record made with the revision itself; null where there is none, or where it is damaged.
  const StoredRecord* Find(std::string_view revision) const;

  /// Whether `SR_NAME.yaml` exists, damaged or not.
  bool Has(std::string_view revision) const;

  /// Whether `SR_NAME.golden` lies there without its text, which was lost: what a killed `record`
  /// leaves has a temporary of the text beside it, and counts as nothing.
  bool HasOrphan(std::string_view revision) const;

  /// Takes the revision's own record out, as if it had never been made: for writing it anew. Its
  /// additions stay.
  void Forget(std::string_view revision);

  /// Takes an addition out by the name of its text file, as if it had never been made.
  void ForgetAddition(std::string_view file);

  /// The payload of `item`, a case of `record`. Never null for a record that Open let through.
  static std::span<const std::byte> Payload(const StoredRecord& record, const Case& item);

 private:
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

/// Writes a revision: its text to a temporary, the payloads, then the text into its place. So a
/// kill leaves nothing or a whole revision: payloads beside a temporary of their text are nothing.
/// One recorded already is a problem, unless `replace`. Then its old text is put aside first, where
/// ReadRecordText still finds it: a kill leaves the revision unrecorded, never half of each. A
/// second process waits.
Result<Done> WriteRecord(const std::string& folder, const RevisionRecord& record,
                         const PayloadPack& payloads, bool replace);

/// The text of a revision's own record, whatever became of its payloads. Where a WriteRecord that
/// was to replace it was killed: the text that it had put aside. Nothing where there is neither.
Result<std::optional<RevisionRecord>> ReadRecordText(const std::string& folder,
                                                     const std::string& revision);

/// Removes what a WriteRecord killed at its very end has left aside.
Result<Done> RemovePutAside(const std::string& folder, const std::string& revision);

/// Writes what is added to a revision later: new samples, imported files. The name holds a hash of
/// the content, so that additions of two branches never meet in one file. Gives the name of the
/// text file.
Result<std::string> WriteAddition(const std::string& folder, const RevisionRecord& record,
                                  const PayloadPack& payloads);

/// Removes an addition that has not landed, by the name of its text file: both of its files, or
/// after a kill none that is read. One that is gone already is fine.
Result<Done> RemoveAddition(const std::string& folder, const std::string& file);

/// Why a record and the payloads beside it are not what was written together; nullopt: they are.
/// The error names the file of `folder`. `payloads` is nullopt where there is no such file. What
/// stands in for them in Git LFS is not judged, nor is an addition whose text cannot be read or is
/// not what it is named after: the harness says that.
std::optional<Error> WhyNotWhole(const std::string& folder, const FileName& name,
                                 const std::string& record,
                                 const std::optional<std::string>& payloads);

}  // namespace revctl::golden
