// GH002 to GH006 for large goldens. If reading and saving a golden has the same result as when it
// was recorded, the check takes only one load and one save. Values are visited only if the result
// differs.
#include <fmt/core.h>
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "golden/text/scalar_text.h"
#include "harness/signals/decoded.h"
#include "harness/signals/large/large_decoded.h"
#include "harness/signals/signals.h"
#include "harness/signals/written_fields.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

/// The byte with which memory is filled before a golden is read into it. It differs from the one
/// used for recording, so that an uninitialized member has a different value.
constexpr unsigned char kOtherMemory = 0xA5;

/// If a golden has more values than this, a failing reader is not explained, because the search
/// keeps all values in memory.
constexpr std::size_t kMostExplained = 1'000'000;

class LargeCheck {
 public:
  LargeCheck(CheckContext& context, const RootType& root, const Golden& golden)
      : context_(context),
        root_(root),
        golden_(golden),
        revision_(context.history.revisions()[golden.revision]) {}

  void Run() {
    const History& history = context_.history;
    expected_ = history.ExpectedUpgrade(golden_);
    saved_ = TakeSaved(expected_);
    std::vector<std::byte> bytes;
    LargeDecoded decoded = DecodeLarge(root_, history, golden_, SavedAt(history), saved_,
                                       kOtherMemory, ReadsBack() ? &bytes : nullptr);
    if (decoded.unreadable) return TellUnreadable(*decoded.unreadable);
    if (!decoded.complete) return TellNotRead(decoded);
    if (!bytes.empty()) CheckReadBack(std::exchange(bytes, {}), decoded.hash);
    CheckCut();
    if (decoded.as_recorded) return;
    CheckElsewhere(decoded);
    const auto misread = CheckValues(decoded.read);
    if (!history.Known(golden_.revision, history.newest_recorded())) return;
    if (!decoded.resaved.ok || (!decoded.saved && !IsOpaque(root_.type())))
      return TellNotSaved(decoded);
    CheckUpgraded(decoded, misread);
  }

 private:
  using Changes = std::vector<golden::Change>;

  /// Returns a finding that points to the macro that visits `path`.
  Finding About(RuleId rule, const char* signal, const std::string& path) {
    Decoded stand_in;
    stand_in.golden = &golden_;
    stand_in.number = revision_.number;
    stand_in.read.notes.Merge(notes_);
    return context_.AboutRead(root_, stand_in, rule, signal, path);
  }

  void TellUnreadable(const golden::Error& problem) {
    Finding finding{.rule = RuleId::GoldenStore,
                    .message = fmt::format("{}: {}", problem.file, problem.message),
                    .file = context_.Relative(problem.file),
                    .revision = revision_.name,
                    .fix = FixOfProblem(context_, problem),
                    .type = root_.name,
                    .signal = "store",
                    .details = "golden: " + golden_.id};
    finding.details += Damage();
    context_.verdicts.Add(std::move(finding), problem.file, {revision_.name});
  }

  /// Returns lines about the first values that differ between the file and its record, or "" if the
  /// file cannot be read.
  std::string Damage() {
    const auto visit = [&](const Wanted& wanted) {
      const auto payload = context_.history.ReadLarge(golden_, /*even_damaged=*/true);
      if (!payload) return Condensed{};
      const Object object(root_.type());
      return CondensedRead(root_.type(), *payload, revision_.number, object.get(), wanted);
    };
    const Condensed read = visit({});
    if (read.leaves.empty() || IsOpaque(root_.type())) return "";
    const Changes changes = context_.renames.Compare(golden_.item->values, read.leaves);
    return Shown(Expand(changes, {}, visit(WantedOf(changes)), context_.renames));
  }

  /// Reports why the program's own reader fails. Returns false if the type has no such reader, or
  /// if no cause is found.
  bool ExplainNotRead(const LargeDecoded& decoded) {
    if (!IsOpaque(root_.type()) || ListedValues() > kMostExplained) return false;
    auto payload = context_.history.ReadLarge(golden_);
    if (!payload) return false;
    const Object object(root_.type());
    (void)root_.Read(*payload, revision_.number, object.get());
    golden::Case item = *golden_.item;
    // The golden records long lists only as digests, so take their values from the object that was
    // read.
    std::set<std::string> digests;
    for (const golden::Leaf& leaf : item.values) {
      if (StandsForMany(leaf.path)) digests.insert(FieldOf(leaf.path));
    }
    std::erase_if(item.values, [](const golden::Leaf& leaf) { return StandsForMany(leaf.path); });
    for (golden::Leaf& leaf : TraceValues(root_.type(), object.get(), revision_.number).leaves) {
      if (digests.contains(FieldOf(leaf.path))) item.values.push_back(std::move(leaf));
    }
    Golden golden = golden_;
    golden.item = &item;
    golden.renumbered = std::make_shared<const std::vector<std::byte>>(std::move(*payload));
    Decoded whole;
    whole.golden = &golden;
    whole.number = revision_.number;
    whole.read.ok = decoded.reason.empty();
    whole.read.at_end = false;
    whole.read.offset = decoded.offset;
    whole.read.notes.Merge(notes_);
    return AddShift(context_, root_, whole, Failure(decoded));
  }

  /// Returns the number of values in the golden, counting also the values behind its digests.
  std::size_t ListedValues() const {
    std::size_t count = 0;
    for (const golden::Leaf& leaf : golden_.item->values) {
      const auto chunk = ChunkOf(leaf.path);
      count += chunk ? chunk->last - chunk->first + 1 : 1;
    }
    return count;
  }

  std::string Failure(const LargeDecoded& decoded) const {
    return decoded.reason.empty()
               ? fmt::format("loads, but not all of its {} bytes are read", golden_.item->size)
               : fmt::format("does not load: {}{}at offset {} of {}: {}", decoded.path,
                             decoded.path.empty() ? "" : " ", decoded.offset, golden_.item->size,
                             decoded.reason);
  }

  void TellNotRead(const LargeDecoded& decoded) {
    NoteVisits();
    context_.misread.emplace(root_.name, revision_.name);
    if (ExplainNotRead(decoded)) return;
    Finding finding = About(RuleId::GoldenBytes, "bytes", decoded.path);
    finding.message = root_.name + " " + Failure(decoded);
    finding.fix = kReadAsWritten;
    context_.AddOrFollow(root_, std::move(finding), "does not load");
  }

  void TellNotSaved(const LargeDecoded& decoded) {
    NoteVisits();
    Finding finding = About(RuleId::UpgradedValue, "upgrade", decoded.resaved.path);
    finding.message =
        fmt::format("{} loads, but cannot be saved again{}{}", root_.name,
                    decoded.resaved.reason.empty() ? "" : ": ", decoded.resaved.reason);
    finding.fix = "make the upgrade code produce a value that can be written";
    context_.AddOrFollowAny(root_, std::move(finding), "cannot be saved");
  }

  /// True if GH005 must read the saved bytes back. If a golden of the latest revision is saved
  /// unchanged, its bytes have already been read. If the latest revision is not recorded yet, its
  /// upgrade code applies to files of the newest recorded revision, so the bytes may change when
  /// they are read back.
  bool ReadsBack() const {
    const History& history = context_.history;
    return SavedAt(history) == history.latest().number && revision_.number != SavedAt(history);
  }

  /// GH005: checks that reading the saved bytes restores the object. `hash` is the hash of `bytes`.
  void CheckReadBack(std::vector<std::byte> bytes, std::uint64_t hash) {
    const std::int64_t number = SavedAt(context_.history);
    {
      const Object object(root_.type());
      const auto read = root_.Read(bytes, number, object.get());
      std::uint64_t again = 0;
      bytes.resize(bytes.capacity());
      if (read.ok && read.at_end && root_.WriteHash(number, object.get(), again, bytes).ok &&
          again == hash)
        return;
    }
    bytes = SavedBytes();  // WriteHash overwrote the saved bytes
    const auto back = [&](const Wanted& wanted) {
      const Object object(root_.type());
      return CondensedRead(root_.type(), bytes, number, object.get(), wanted);
    };
    // Side effects outside the visited fields are visible only when the object is written again.
    const auto again = [&](const Wanted& wanted) {
      const Object object(root_.type());
      (void)root_.Read(bytes, number, object.get());
      return CondensedWrite(root_.type(), object.get(), number, wanted);
    };
    const auto saved = [&](const Wanted& wanted) { return Saved(wanted, 0); };
    const Condensed read = back({});
    std::string path = read.path;
    if (read.ok) path = FirstBetween(saved, back);
    if (read.ok && path.empty()) path = FirstBetween(saved, again);
    Finding finding = AboutStability(path);
    finding.message =
        fmt::format("{}: a golden that was loaded and saved at {} reads back differently{}{}",
                    FromRoot(root_.name, path), context_.history.latest().name, read.ok ? "" : ": ",
                    read.reason);
    finding.fix = "make the upgrade code produce a value that survives saving and loading";
    context_.AddOrFollowAny(root_, std::move(finding), "re-saved");
  }

  /// GH005: checks that a golden yields the same object regardless of the memory into which it is
  /// read. On entry, `decoded` is the result of reading into memory filled with garbage. On return,
  /// it is the result of reading into zeroed memory.
  void CheckElsewhere(LargeDecoded& decoded) {
    LargeDecoded clean =
        DecodeLarge(root_, context_.history, golden_, SavedAt(context_.history), saved_);
    std::swap(clean, decoded);
    if (!clean.saved || !decoded.saved || clean.hash == decoded.hash) return;
    const std::string path =
        FirstBetween([&](const Wanted& wanted) { return Saved(wanted, 0); },
                     [&](const Wanted& wanted) { return Saved(wanted, kOtherMemory); });
    context_.left_to_memory.emplace(root_.name, PlaceOf(path));
    Finding finding = AboutStability(path);
    finding.message =
        fmt::format("{}: the value of a loaded golden depends on the previous contents of memory",
                    FromRoot(root_.name, path));
    finding.fix = "initialize the member where it is declared, because older files do not set it";
    context_.AddOrFollowAny(root_, std::move(finding), "other memory");
  }

  /// Returns the bytes that DecodeLarge saves for the golden.
  std::vector<std::byte> SavedBytes() const {
    auto payload = context_.history.ReadLarge(golden_);
    if (!payload) return {};
    DirtyHeap(kOtherMemory);
    const Object object(root_.type(), kOtherMemory);
    (void)root_.Read(*payload, revision_.number, object.get());
    payload->clear();
    (void)root_.Write(SavedAt(context_.history), object.get(), *payload);
    return std::move(*payload);
  }

  /// Reads the golden into memory filled with `garbage`, saves it again, and returns the values
  /// that were written.
  Condensed Saved(const Wanted& wanted, unsigned char garbage) const {
    auto payload = context_.history.ReadLarge(golden_);
    if (!payload) return {};
    DirtyHeap(garbage);
    const Object object(root_.type(), garbage);
    (void)root_.Read(*payload, revision_.number, object.get());
    *payload = {};
    return CondensedWrite(root_.type(), object.get(), SavedAt(context_.history), wanted);
  }

  /// Returns the path of the first value that differs between two visits, or "" if none does.
  /// `before` and `after` are functions that visit an object and collect the values behind the
  /// given digests.
  template <class Before, class After>
  static std::string FirstBetween(Before before, After after) {
    const Changes changes = golden::Compare(before({}).leaves, after({}).leaves);
    const Wanted wanted = WantedOf(changes);
    const LargeChanges found = wanted.empty() ? Expand(changes, {}, {}, {})
                                              : Expand(changes, before(wanted), after(wanted), {});
    return found.empty() ? "" : found.changes.front().path;
  }

  Finding AboutStability(const std::string& path) {
    NoteVisits();
    return About(RuleId::Stability, "stability", path);
  }

  /// Checks that the payload is rejected without its last byte, and without its second half. Does
  /// not truncate it elsewhere, because each attempt loads the payload again.
  void CheckCut() {
    if (!context_.options.thorough) return;
    const auto payload = context_.history.ReadLarge(golden_);
    if (!payload || payload->empty()) return;
    for (const std::size_t cut : {payload->size() - 1, payload->size() / 2}) {
      const Object object(root_.type());
      CrashBreadcrumb::NoteHarm("cut at", cut);
      const auto outcome =
          root_.entry.read(std::span(*payload).first(cut), revision_.number, object.get());
      if (!outcome.ok) continue;
      Finding finding = About(RuleId::BrokenInput, "refusal", "");
      finding.message = fmt::format("{}: a golden truncated after {} of {} bytes still loads",
                                    root_.name, cut, payload->size());
      finding.fix =
          "make the body read every field that it writes, whatever the bytes contain, and reject "
          "bad data with r.Fail(reason)";
      context_.verdicts.Add(std::move(finding), "cut accepted");
    }
    CrashBreadcrumb::Forget();
  }

  /// Reads the golden to find the source lines of its fields. Call this only for findings, because
  /// it loads the file.
  void NoteVisits() {
    if (noted_) return;
    noted_ = true;
    const auto payload = context_.history.ReadLarge(golden_);
    if (!payload) return;
    const Object object(root_.type());
    notes_.Merge(NotesOfReading(root_.type(), *payload, revision_.number, object.get()));
  }

  /// Visits the golden once more to get the values in `wanted`. `read` and `resaved` may be null.
  void Look(const Wanted& wanted, Condensed* read, Condensed* resaved) {
    auto payload = context_.history.ReadLarge(golden_);
    if (!payload) return;
    const Object object(root_.type());
    Condensed reading =
        CondensedRead(root_.type(), *payload, revision_.number, object.get(), wanted);
    *payload = {};
    if (read != nullptr) *read = std::move(reading);
    if (resaved != nullptr)
      *resaved = CondensedWrite(root_.type(), object.get(), SavedAt(context_.history), wanted);
  }

  std::string Shown(const LargeChanges& found) const {
    std::string lines;
    for (std::size_t i = 0; i < std::min(found.changes.size(), kShown); ++i) {
      const golden::Change& change = found.changes[i];
      lines +=
          "\n" + change.path + ": recorded " + Side(change.before) + ", now " + Side(change.after);
    }
    return lines;
  }
  static std::string More(const LargeChanges& found) {
    std::string more = AndMore(found.changes.size() + found.more);
    if (found.not_looked_into != 0)
      more += fmt::format(", and values in {} more {} differ", found.not_looked_into,
                          found.not_looked_into == 1 ? "part" : "parts");
    return more;
  }

  /// Reports values that are not read as recorded. Returns their recorded paths.
  std::set<std::string> CheckValues(const Condensed& read) {
    Changes changes = context_.renames.Compare(golden_.item->values, read.leaves);
    if (IsOpaque(root_.type())) ForgetUpgraded(context_, revision_.number, expected_, changes);
    std::set<std::string> misread;
    for (const golden::Change& change : changes) misread.insert(change.path);
    if (changes.empty()) return misread;
    Condensed now;
    const Wanted wanted = WantedOf(changes);
    if (!wanted.empty()) Look(wanted, &now, nullptr);
    const LargeChanges found =
        NameChanges(root_, context_.history, golden_, changes, now, context_.renames);
    if (found.empty()) return misread;
    context_.misread.emplace(root_.name, revision_.name);
    const golden::Change& first = found.changes.front();
    NoteVisits();
    Finding finding = About(RuleId::GoldenValue, "value", first.path);
    finding.message =
        fmt::format("{}.{} {}{}", root_.name, first.path, ReadInstead(first), More(found));
    finding.details += Shown(found);
    finding.fix = context_.OrRefresh(ReadAsWritten(revision_.name), golden_.revision);
    context_.AddOrFollow(root_, std::move(finding), "value");
    return misread;
  }

  void CheckUpgraded(const LargeDecoded& decoded, const std::set<std::string>& misread) {
    Changes changes = context_.renames.Compare(expected_, decoded.resaved.leaves);
    std::erase_if(changes,
                  [&](const golden::Change& change) { return misread.contains(change.path); });
    if (changes.empty()) return;
    const LargeChanges found = Named(changes, decoded);
    if (found.empty()) return;
    const golden::Change& first = found.changes.front();
    NoteVisits();
    Finding finding = About(RuleId::UpgradedValue, "upgrade", first.path);
    const std::string what =
        fmt::format("{}.{}: {}{}", root_.name, first.path, UpgradedInstead(first), More(found));
    finding.details += Shown(found);
    if (!context_.pending().empty()) {
      finding.severity = Severity::Note;
      finding.message = what + "; will be recorded with " + context_.pending();
      finding.fix = context_.options.program + " record";
      return context_.AddOrFollowAny(root_, std::move(finding), "upgrade");
    }
    finding.message =
        what +
        ": upgrade code, a default or the meaning of a removed field changed without a revision";
    finding.fix = context_.OrRefresh(
        fmt::format("restore the upgrade code\nor change the value in a new revision, after the "
                    "code that produces the recorded value:\nrevctl reserve {}\n{} record",
                    context_.FreeUpgradeName(root_), context_.options.program),
        context_.history.newest_recorded());
    finding.fix += OrReview(context_.options.program);
    if (context_.Broken(root_))
      return context_.AddOrFollowAny(root_, std::move(finding), "upgrade");
    changes.push_back({std::string(golden::kSaved),
                       saved_.empty() ? std::nullopt : std::optional(saved_),
                       SavedText(decoded.hash)});
    const std::string& after =
        context_.history.revisions()[context_.history.newest_recorded()].name;
    context_.Offer({.kind = golden::Approval::Kind::Upgrade,
                    .type = root_.name,
                    .after = after,
                    .cases = {golden_.id},
                    .changes = changes},
                   finding);
    context_.verdicts.Add(std::move(finding), "upgrade");
  }

  /// Replaces changed digests and blocks by the changed values behind them. The values in the file
  /// serve as the expected values of a list if the current code reads them as recorded and no
  /// upgrade has changed the list.
  LargeChanges Named(const Changes& changes, const LargeDecoded& decoded) {
    Condensed read, resaved;
    const Wanted wanted = WantedOf(changes);
    if (!wanted.empty()) Look(wanted, &read, &resaved);
    Changes known, unknown;
    for (const golden::Change& change : changes) {
      const golden::Leaf* const read_value = FindLeaf(decoded.read.leaves, change.path);
      const bool as_read = read_value != nullptr && change.before == read_value->text;
      (as_read || !StandsForMany(change.path) ? known : unknown).push_back(change);
    }
    LargeChanges found = Expand(known, read, resaved, context_.renames);
    // Upgrades have changed these lists, so the values in the file are not their expected values.
    const LargeChanges others = Expand(unknown, read, resaved, context_.renames, Before::Read);
    found.changes.insert(found.changes.end(), others.changes.begin(), others.changes.end());
    found.more += others.more;
    found.not_looked_into += others.not_looked_into;
    return found;
  }

  CheckContext& context_;
  const RootType& root_;
  const Golden& golden_;
  const Revision& revision_;
  std::vector<golden::Leaf> expected_;
  std::string saved_;  ///< the recorded value of golden::kSaved, or ""
  LayoutNotes notes_;
  bool noted_ = false;
};

}  // namespace

void CheckLarge(CheckContext& context, const RootType& root, const Golden& golden) {
  LargeCheck(context, root, golden).Run();
}

}  // namespace revctl::harness
