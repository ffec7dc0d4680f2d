// GH002, bytes: checks that a golden is decoded to its last byte, and that integrity counters are
// correct.
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <optional>

#include <revctl/detail/base/limits.h>
#include <revctl/detail/types/leaf_text.h>

#include "golden/held_version.h"
#include "golden/payload_pack.h"
#include "harness/files/file_frame.h"
#include "harness/layout/fields.h"
#include "harness/signals/signals.h"
#include "harness/signals/written_fields.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

void Add(CheckContext& context, const RootType& root, const Decoded& decoded,
         const std::string& field, const std::string& message, const std::string& fix,
         const std::string& cause) {
  Finding finding = context.AboutRead(root, decoded, RuleId::GoldenBytes, "bytes", field);
  context.PointAt({decoded.read.error_file, decoded.read.error_line}, finding);
  finding.message = message;
  finding.fix = fix;
  context.AddOrFollow(root, std::move(finding), cause);
}

std::string ByteAt(std::span<const std::byte> bytes, std::size_t at) {
  return at < bytes.size() ? "0x" + base::Hex(std::to_integer<std::uint64_t>(bytes[at]), 2)
                           : "the end";
}

/// True if the golden also represents the files that the current code writes, because no later
/// revision has goldens or changes how this golden is upgraded.
bool InForce(const RootType& root, const History& history, const Golden& golden) {
  return ComparesAllTypes(golden.record->record) && history.newest_recorded() != History::none() &&
         ServesUntil(root, history, golden) == history.newest_recorded() + 1 &&
         history.ExpectedUpgrade(golden) == golden.item->values;
}

/// For a type with its own streams, checks that an object read from a golden is written as the same
/// bytes. The golden is treated as a file of the newest recorded revision, which inherits it,
/// because many programs cannot write older revisions.
void CheckWrittenAgain(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  if (!InForce(root, history, *decoded.golden) ||
      !context.renames.Compare(decoded.golden->item->values, decoded.read.leaves).empty())
    return;
  const std::size_t newest = history.newest_recorded();
  const std::int64_t number = history.revisions()[newest].number;
  const Golden golden = history.AsFileOf(*decoded.golden, newest);
  const auto payload = golden.payload();
  const Object object(root.type());
  std::vector<std::byte> now;
  if (!root.Read(payload, number, object.get()).ok || !root.Write(number, object.get(), now).ok)
    return;
  const std::size_t at = FirstOtherByte(payload, now);
  if (at == payload.size() && at == now.size()) return;
  // Some writers store the number of the latest revision in each file. Ignore a difference that
  // consists only of this number.
  const std::int64_t latest = history.latest().number;
  if (!golden::FindHeldVersion(payload, number, now, latest).empty()) return;
  const Decoded again = Decode(root, golden, number, latest);
  // If the reader also accepts the new bytes, the writer merely encodes the same values
  // differently.
  const Object other(root.type());
  const auto outcome = root.Read(now, number, other.get());
  if (now.size() != payload.size() && !(outcome.ok && outcome.at_end) &&
      AddShift(context, root, again, "it still loads with the same values"))
    return;
  const std::string field = FieldWrittenAt(context, root, again, at);
  Add(context, root, again, field,
      fmt::format("{}{}{}: byte {} was written as {}, but is now written as {}, although the "
                  "values are the same",
                  root.name, field.empty() ? "" : ".", field, at, ByteAt(payload, at),
                  ByteAt(now, at)),
      fmt::format("make the writer produce the recorded bytes\nor use a new revision for the new "
                  "encoding:\nrevctl reserve {}NAME\n{} record",
                  context.list_prefix, context.options.program),
      "written otherwise");
}

/// A loop in a body that visits more or fewer elements than the golden contains. The layout does
/// not reveal this change: all iterations of a loop, for example over `Serialize(r, d.slot[i])`,
/// are a single field of the layout.
struct LoopCount {
  /// path of the object that contains the elements, such as `bags[0]`; empty for the root
  std::string path;
  std::size_t recorded = 0, now = 0;
  SourcePlace place{};  ///< place of the visit; line 0 if it has no source
};

/// Returns the path without its repeat number. For example, `slot~3`, the third visit of `slot`,
/// becomes `slot`.
std::string WithoutRepeat(const std::string& path) { return path.substr(0, path.find('~')); }

std::map<std::string, std::size_t> CountPlaces(const std::vector<golden::Leaf>& leaves) {
  std::map<std::string, std::size_t> counts;
  for (const golden::Leaf& leaf : leaves) ++counts[WithoutRepeat(leaf.path)];
  return counts;
}

/// Returns the place of the unnamed visit that reaches the values at `path`. Prefers a visit of a
/// record with a field of that name, or a visit in the record that contains the values.
SourcePlace PlaceOfVisit(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                         const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  const revctl::LayoutField* const around = FieldAt(layouts, root, path);
  const std::string holder = around == nullptr ? root : around->type;
  SourcePlace any;
  for (const auto& [type, trace] : layouts) {
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (!field.name.empty() || field.file.empty()) continue;
      const SourcePlace place{field.file, field.line};
      const auto element = layouts.find(field.type);
      const bool leads =
          element != layouts.end() && FindField(element->second.layout.fields, name) != nullptr;
      if (leads || Mentions(holder, type)) return place;
      any = place;
    }
  }
  return any;
}

/// Returns the first loop whose count changed, in the order of the golden's values, or nullopt.
/// Also returns nullopt if a value before the loop is not read as recorded, because the changed
/// count may then be a consequence of a different change.
std::optional<LoopCount> FindLoopCount(const RootType& root, const Decoded& decoded) {
  if (IsOpaque(root.type())) return std::nullopt;
  const std::vector<golden::Leaf>& recorded = decoded.golden->item->values;
  const std::vector<golden::Leaf>& read = decoded.read.leaves;
  // Writing the object visits a loop to its end, even if reading stopped inside the loop.
  const Object object(root.type());
  (void)TraceRead(root.type(), decoded.golden->payload(), decoded.number, object.get(),
                  Leaves::Untold);
  const auto then = CountPlaces(recorded);
  const auto now = CountPlaces(TraceWrite(root.type(), object.get(), decoded.number).leaves);
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const std::string path = WithoutRepeat(recorded[i].path);
    const auto visits = now.find(path);
    const std::size_t count = then.at(path);
    if (visits != now.end() && visits->second != count && (count > 1 || visits->second > 1)) {
      const SourcePlace place =
          PlaceOfVisit(decoded.read.notes.Layouts(decoded.number), root.name, path);
      return LoopCount{path == "value" ? "" : path, count, visits->second, place};
    }
    if (i >= read.size() || !(read[i] == recorded[i])) return std::nullopt;
  }
  return std::nullopt;
}

/// Reports a loop that visits more or fewer elements than the golden contains. Returns false if
/// there is no such loop.
bool AddLoopCount(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const auto loop = FindLoopCount(root, decoded);
  if (!loop) return false;
  const std::string elements = loop->recorded == 1 ? "element was" : "elements were";
  Finding finding = context.AboutRead(root, decoded, RuleId::GoldenBytes, "bytes", loop->path);
  context.PointAt(loop->place, finding);
  finding.message =
      fmt::format("{}: {} {} recorded, but {} {} read now", FromRoot(root.name, loop->path),
                  loop->recorded, elements, loop->now, loop->now == 1 ? "is" : "are");
  finding.fix = fmt::format(
      "restore the loop's count: {}\nor change it in a new revision:\nrevctl reserve {}NAME\nloop "
      "up to {} in older files, and up to {} from the new revision on",
      loop->recorded, context.list_prefix, loop->recorded, loop->now);
  const std::string cause = fmt::format("loop\n{}:{}", finding.file, finding.line);
  context.AddOrFollow(root, std::move(finding), cause);
  return true;
}

}  // namespace

void CheckBytes(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const Traced& read = decoded.read;
  if ((!read.ok || !read.at_end) && AddLoopCount(context, root, decoded)) return;
  const std::uint64_t size = decoded.golden->item->size;
  if (!read.ok) {
    const std::string failure =
        fmt::format("does not load: {}{}at offset {} of {}: {}", read.path,
                    read.path.empty() ? "" : " ", read.offset, size, read.reason);
    if (!AddShift(context, root, decoded, "it " + failure))
      Add(context, root, decoded, read.path, root.name + " " + failure, kReadAsWritten,
          "does not load");
    return;
  }
  if (!read.at_end) {
    std::string failure = "loads, but unread bytes remain";
    if (AddShift(context, root, decoded, "it " + failure)) return;
    if (!read.offsets.empty())
      failure +=
          fmt::format(": the last value read begins at offset {} of {}", read.offsets.back(), size);
    Add(context, root, decoded, read.offsets.empty() ? "" : read.leaves.back().path,
        root.name + " " + failure, kReadAsWritten, "left over");
    return;
  }
  if (IsOpaque(root.type())) return CheckWrittenAgain(context, root, decoded);
  // The program uses the fast reader, so it must agree with the slower tracer, which checks
  // everything.
  const Object object(root.type());
  const auto outcome =
      root.Read(decoded.golden->payload(),
                context.history.revisions()[decoded.golden->revision].number, object.get());
  if (!outcome.ok || !outcome.at_end) {
    std::string path = BelowRoot(outcome.path, root.type());
    // If a body rejects a value, the last value read before the error is closer to the cause.
    if (!outcome.ok && outcome.offset > 0) {
      std::string last = LeafAt(decoded, outcome.offset - 1);
      if (last.starts_with(path)) path = std::move(last);
    }
    Add(context, root, decoded, path,
        fmt::format("{} is read by the tracer but not by the program's reader: {}{}{}", root.name,
                    path, path.empty() ? "" : ": ",
                    outcome.ok ? "unread bytes remain" : outcome.reason),
        kReadAsWritten, "reader and tracer differ");
  }
}

// GH002 for whole files: checks that the program can still open recorded files of a HARNESS_FORMAT
// or HARNESS_FILES.

namespace {

std::string Hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    revctl::detail::AppendHex(text, static_cast<unsigned char>(byte));
  return text;
}

/// Returns why the current program cannot open a recorded file or no longer finds its recorded
/// parts, or "" if neither fails.
std::string Refusal(const RootType& root, const revctl::ListTable& list,
                    const golden::RevisionRecord& record, const golden::RecordedFile& file) {
  revctl::FileParts parts;
  if (const revctl::Status status = OpenFrame(root, list, file.bytes, parts); !status.Ok())
    return "is rejected: " + status.message();
  if (golden::PayloadHash(parts.payload) != file.payload)
    return fmt::format("now yields a different payload of {} bytes", parts.payload.size());
  if (parts.revision != record.number)
    return fmt::format("now yields revision {}, not {}", parts.revision, record.number);
  if (parts.lineage != 0 && record.lineage != 0 && parts.lineage != record.lineage)
    return "now yields the lineage " + revctl::LineageText(parts.lineage);
  if (root.files.open != nullptr) return {};
  const revctl::Limits& now = root.format.limits;
  if (now.depth < file.depth)
    return fmt::format("may nest {} levels deep, but the limit is now {}", file.depth, now.depth);
  // A budget of zero selects the default budget, which no real file exceeds.
  const auto budget = [](std::size_t bytes) {
    return bytes != 0 ? bytes : revctl::Limits::DefaultBudget(0);
  };
  if (budget(now.budget) < budget(file.budget))
    return fmt::format("may take {} bytes of memory, but the limit is now {}", budget(file.budget),
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
        Finding finding{.rule = RuleId::GoldenBytes,
                        .revision = revision.name,
                        .type = root->name,
                        .signal = "bytes"};
        const SourcePlace place =
            root->files.open != nullptr ? SourcePlace{root->files.file, root->files.line}
            : root->format_line != 0    ? SourcePlace{root->format_file, root->format_line}
                                        : SourcePlace{root->entry.file, root->entry.line};
        finding.file = context.Relative(place.file);
        finding.line = place.line;
        finding.message = fmt::format("{}: a file that the program wrote at {} {}", root->name,
                                      revision.name, why);
        finding.details = fmt::format(
            "recorded in {}; it begins with {}", stored->file,
            Hex(std::span(file.bytes).first(std::min(file.bytes.size(), revctl::kFileHeaderSize))));
        finding.fix =
            "restore HARNESS_FORMAT (magic, checksum, limits) and the format that the program uses "
            "to load files\nor read both kinds of files, and register them with HARNESS_FILES";
        context.verdicts.Add(std::move(finding), "frame", {revision.name});
      }
    }
  }
}

}  // namespace revctl::harness
