// GH005, stability: checks that writing is deterministic and does not change the object, and that
// reading restores it.
#include <fmt/core.h>
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "harness/advice/own_words.h"
#include "harness/layout/fields.h"
#include "harness/signals/signals.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/declarations.h"
#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

void Add(CheckContext& context, const RootType& root, const Object& object,
         const std::string& field, const std::string& message, const std::string& details,
         const std::string& fix, const std::string& cause) {
  const Revision& latest = context.history.latest();
  const Traced traced = TraceWrite(root.type(), object.get(), latest.number, Leaves::Untold);
  Finding finding{.rule = RuleId::Stability,
                  .message = message,
                  .revision = latest.name,
                  .fix = fix,
                  .type = root.name,
                  .field = field,
                  .signal = "stability",
                  .details = details};
  context.PointAt(root, traced.notes, latest.number, finding);
  context.verdicts.Add(std::move(finding), cause);
}

/// True if the value in `payload`, which was saved at the latest revision, changes each time it is
/// loaded because the code compares that revision using `<=`. If so, keeps a finding for
/// AddInclusive().
bool KeepInclusive(CheckContext& context, const RootType& root, std::span<const std::byte> payload,
                   const std::string& path, const std::string& details) {
  const InclusiveComparison found = FindInclusiveAtLatest(context, root, payload);
  if (found.revision == nullptr) return false;
  const std::string& name = found.revision->name;
  context.inclusive_at_latest.push_back(
      {.rule = RuleId::Stability,
       .message = fmt::format("{}{}{}: `r.revision <= {}` (or `>`) also includes files of {} "
                              "itself, so the value changes each time a file is loaded and saved",
                              root.name, path.empty() ? "" : ".", path, name, name),
       .file = context.Relative(found.place.line != 0 ? found.place.file : root.entry.file),
       .line = found.place.line != 0 ? found.place.line : root.entry.line,
       .revision = name,
       .fix = fmt::format("write `r.revision < {0}`, or `>= {0}` for files from {0} on", name),
       .type = root.name,
       .field = path,
       .signal = "stability",
       .details = details});
  return true;
}

/// Returns the path of the first leaf that differs, or "" if all are equal.
std::string FirstPath(const std::vector<golden::Leaf>& a, const std::vector<golden::Leaf>& b) {
  const auto changes = golden::Compare(a, b);
  return changes.empty() ? "" : changes[0].path;
}

using Remade = std::optional<std::vector<std::byte>>;

/// Returns the path of the first leaf that differs between two payloads of the same revision, or ""
/// if all leaves are equal. A missing payload counts as empty.
std::string FirstPath(const revctl::TypeInfo& type, const Revision& revision, const Remade& a,
                      const Remade& b) {
  const auto leaves = [&](const Remade& bytes) {
    const Object object(type);
    const auto span = bytes ? std::span(*bytes) : std::span<const std::byte>();
    return TraceRead(type, span, revision.number, object.get()).leaves;
  };
  return FirstPath(leaves(a), leaves(b));
}

/// Adds to `blind` the places of structs that are copied byte by byte, unless both the current code
/// and the newest record list their members.
void AddBlind(const CheckContext& context, const Traced& traced, std::set<std::string>& blind) {
  if (traced.copied.empty()) return;
  std::set<std::string> unknown;
  for (auto& [type, trace] : traced.notes.Layouts(context.history.latest().number)) {
    AddMembers(trace);
    const golden::RecordedType* const recorded =
        context.history.TypeAt(type, context.history.newest_recorded());
    for (const std::string& name : trace.copied) {
      const auto* const now = FindField(trace.layout.fields, name);
      const auto* const then =
          recorded == nullptr ? nullptr : FindField(recorded->layout.fields, name);
      if (now == nullptr || now->members.empty() || then == nullptr || then->members.empty())
        unknown.insert(name);
    }
  }
  for (const std::string& place : traced.copied) {
    if (unknown.contains(LastField(place))) blind.insert(place);
  }
}

/// Checks that the in-memory values of WireAs types survive saving and loading. `after` is a copy
/// of `before` that was saved and loaded. Adds to `blind` the places of structs that are copied
/// byte by byte without a record of their members.
void CheckConversions(CheckContext& context, const RootType& root, const Object& before,
                      const Object& after, const std::string& details,
                      std::set<std::string>& blind) {
  const std::int64_t latest = context.history.latest().number;
  const Traced had = TraceWrite(root.type(), before.get(), latest, Leaves::OnlyMemory);
  AddBlind(context, had, blind);
  if (had.memory.empty()) return;
  const Traced has = TraceWrite(root.type(), after.get(), latest, Leaves::OnlyMemory);
  for (std::size_t i = 0; i < std::min(had.memory.size(), has.memory.size()); ++i) {
    const golden::Leaf &was = had.memory[i], &is = has.memory[i];
    if (was.path != is.path) return;  // other findings report that different paths are visited
    if (was.text == is.text) continue;
    const bool rounds = had.memory_may_round[i];
    const std::string field = was.path.substr(0, was.path.size() - kInMemory.size());
    Finding finding{
        .rule = RuleId::Stability,
        .severity = rounds ? Severity::Note : Severity::Error,
        .message = fmt::format("{}.{}: its WireAs saves {}, but loads it as {}", root.name, field,
                               was.text, is.text),
        .revision = context.history.latest().name,
        .fix = rounds
                   ? "if rounding is acceptable, do nothing; otherwise, in a new revision, give "
                     "WireAs a Type that can hold every value"
                   : fmt::format(
                         "make WireAs convert to a Type that can hold every value; this conversion "
                         "changes the layout, so use a new revision:\nrevctl reserve {}",
                         RevisionName(context.list_prefix, UpperSnake(LastField(field)))),
        .type = root.name,
        .field = field,
        .signal = "stability",
        .details = details};
    context.PointAt(root, had.notes, latest, finding);
    context.verdicts.Add(std::move(finding), rounds ? "conversion rounds" : "conversion");
  }
}

/// Adds a single note about all places in a root type where the check cannot see the members of a
/// struct.
void AddCopied(CheckContext& context, const RootType& root, const Object& object,
               const std::set<std::string>& blind) {
  if (blind.empty()) return;
  const Revision& latest = context.history.latest();
  const std::string& first = *blind.begin();
  Finding finding{
      .rule = RuleId::Coverage,
      .severity = Severity::Note,
      .message = fmt::format(
          "{}.{}{} copied byte by byte, so no golden would show that its members were reordered",
          root.name, first,
          blind.size() == 1 ? " is" : fmt::format(" and {} more are", blind.size() - 1)),
      .revision = latest.name,
      .fix = "give the struct a body, with SERIALIZE_TYPE, or with PLAIN to keep the same bytes",
      .type = root.name,
      .field = first,
      .signal = "coverage",
      .cause = "copied by bytes"};
  const Traced traced = TraceWrite(root.type(), object.get(), latest.number, Leaves::Untold);
  context.PointAt(root, traced.notes, latest.number, finding);
  context.verdicts.Add(std::move(finding), "copied by bytes");
}

constexpr unsigned char kUsedMemory = 0xA5;
constexpr const char* kSameObject =
    "write only data of the object, not clocks, addresses, counters or uninitialized members";

void CheckSample(CheckContext& context, const RootType& root, const Sample& sample,
                 const Revision& latest, std::set<std::string>& blind) {
  const revctl::TypeInfo& type = root.type();
  const Object object = sample.make(latest.number, nullptr);
  const Remade first = TracedBytes(type, object.get(), latest.number);
  if (!first) return;  // GH001 reports the failure
  const std::string details = "sample: " + sample.name;
  const auto differ = [&](const Remade& one, const Remade& other, const char* what, const char* fix,
                          const char* cause) {
    const std::string path = FirstPath(type, latest, one, other);
    Add(context, root, object, path, fmt::format("{}.{}: {}", root.name, path, what), details, fix,
        cause);
  };

  std::vector<std::byte> fast;
  const auto written = root.Write(latest.number, object.get(), fast);
  if (!written.ok || fast != *first) {
    Add(context, root, object, BelowRoot(written.path, type),
        fmt::format("{}: the program's writer and the tracer produce different bytes{}{}",
                    root.name, written.ok ? "" : ": ", written.ok ? "" : written.reason),
        details, kSameObject, "writer and tracer differ");
  }
  const Remade second = TracedBytes(type, object.get(), latest.number);
  if (second != first) {
    differ(first, second, "writing twice produces different bytes, or changes the object",
           kSameObject, "not deterministic");
  }

  DirtyHeap(kUsedMemory);
  const Object fresh(type, kUsedMemory), used = sample.make(latest.number, nullptr);
  const Remade elsewhere = TracedBytes(type, used.get(), latest.number);
  if (elsewhere != first && second == first) {
    differ(first, elsewhere, "the object is written differently when it lives at another address",
           kSameObject, "other memory");
  }
  const Traced read = TraceRead(type, *first, latest.number, fresh.get(), Leaves::Untold);
  if (!read.ok || !read.at_end) return;  // GH001 reports the failure
  const Remade again = TracedBytes(type, fresh.get(), latest.number);
  if (again != first &&
      !KeepInclusive(context, root, *first, FirstPath(type, latest, first, again), details)) {
    differ(first, again, "writing, reading and writing again changes the value",
           "at the latest revision, reading must not change the value", "round trip");
  }
  CheckConversions(context, root, sample.make(latest.number, nullptr), fresh, details, blind);
  const Traced over = TraceRead(type, *first, latest.number, used.get(), Leaves::Untold);
  const Remade over_again = TracedBytes(type, used.get(), latest.number);
  if (over.ok && over_again != again) {
    differ(again, over_again,
           "reading into an object that already has a value leaves part of the old value behind",
           "make reading replace the whole old value of the member", "used object");
  }
}

}  // namespace

void CheckStability(CheckContext& context, const TypeRun& run) {
  std::set<std::string> blind;
  const Revision& latest = context.history.latest();
  for (const Sample& sample : run.samples()) {
    if (Progress::Enter(run.root().name, "sample " + sample.name))
      CheckSample(context, run.root(), sample, latest, blind);
  }
  // Also check a fresh object. An initializer may be a value that the wire format cannot represent,
  // and samples overwrite such values.
  if (!Progress::Enter(run.root().name, "fresh object")) return;
  const TypeInfo& type = run.root().type();
  const Object fresh(type), again(type);
  const Remade written = TracedBytes(type, fresh.get(), latest.number);
  if (!written) return;
  const Traced read = TraceRead(type, *written, latest.number, again.get(), Leaves::Untold);
  if (read.ok && read.at_end)
    CheckConversions(context, run.root(), fresh, again, "of a fresh object", blind);
  AddCopied(context, run.root(), fresh, blind);
}

namespace {

/// Checks that a golden yields the same object regardless of the memory into which it is read. A
/// difference means that reading leaves a member uninitialized.
void CheckElsewhere(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  const Revision& latest = history.latest();
  DirtyHeap(kUsedMemory);
  const Object object(root.type(), kUsedMemory);
  const auto read = root.Read(decoded.golden->payload(),
                              history.revisions()[decoded.golden->revision].number, object.get());
  std::vector<std::byte> bytes;
  if (!read.ok || !root.Write(latest.number, object.get(), bytes).ok ||
      bytes == decoded.resaved.bytes)
    return;
  const std::string path = FirstPath(decoded.resaved.leaves,
                                     TraceWrite(root.type(), object.get(), latest.number).leaves);
  const Revision& revision = history.revisions()[decoded.golden->revision];
  DirtyHeap(kUsedMemory);
  const Object traced(root.type(), kUsedMemory);
  (void)TraceRead(root.type(), decoded.golden->payload(), revision.number, traced.get());
  const bool memory =
      TraceWrite(root.type(), traced.get(), latest.number).bytes != decoded.resaved.bytes;
  if (memory) context.left_to_memory.emplace(root.name, PlaceOf(path));
  Finding finding = context.AboutSaved(root, decoded, RuleId::Stability, "stability", path);
  finding.message =
      fmt::format("{}{}{}: {}", root.name, path.empty() ? "" : ".", path,
                  memory ? "the value of a loaded golden depends on the previous contents of memory"
                         : "the program's reader and the tracer read different values from a "
                           "golden, or a member is never initialized");
  finding.fix =
      memory ? "initialize the member where it is declared, because older files do not set it"
             : "make the body behave the same for every kind of archive, and initialize members "
               "where they are declared";
  context.AddOrFollowAny(root, std::move(finding), "other memory");
}

}  // namespace

void CheckResaved(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.saved) return;
  CheckElsewhere(context, root, decoded);
  const History& history = context.history;
  const Object object(root.type());
  const std::int64_t latest = history.latest().number;
  const Traced read =
      TraceRead(root.type(), decoded.resaved.bytes, latest, object.get(), Leaves::Untold);
  std::string path = read.path;
  if (read.ok && read.steps != decoded.resaved.steps) {
    const Object told(root.type());
    path = FirstPath(decoded.resaved.leaves,
                     TraceRead(root.type(), decoded.resaved.bytes, latest, told.get()).leaves);
  }
  std::vector<std::byte> again;
  // Side effects outside the visited fields are visible only when the object is written again.
  if (read.ok && path.empty() &&
      (!root.Write(latest, object.get(), again).ok || again != decoded.resaved.bytes)) {
    path = FirstPath(decoded.resaved.leaves, TraceWrite(root.type(), object.get(), latest).leaves);
  }
  if (read.ok && read.at_end && path.empty()) return;
  if (read.ok && read.at_end &&
      KeepInclusive(context, root, decoded.resaved.bytes, path, "golden: " + decoded.golden->id))
    return;
  Finding finding = context.AboutSaved(root, decoded, RuleId::Stability, "stability", path);
  finding.message =
      fmt::format("{}{}{}: a golden that was loaded and saved at {} reads back differently{}{}",
                  root.name, path.empty() ? "" : ".", path, history.latest().name,
                  read.ok ? "" : ": ", read.ok ? "" : read.reason);
  finding.fix = "make the upgrade code produce a value that survives saving and loading";
  context.AddOrFollowAny(root, std::move(finding), "re-saved", {history.latest().name});
}

void AddInclusive(CheckContext& context, const RootType& root) {
  const std::pair<std::string, std::int64_t> latest(root.name, context.history.latest().number);
  const bool reported = context.inclusive.contains(latest);
  for (Finding& finding : std::exchange(context.inclusive_at_latest, {})) {
    if (reported) continue;
    context.verdicts.AddFollowing(std::move(finding), "inclusive comparison",
                                  {context.history.latest().name});
    context.inclusive.insert(latest);
  }
}

}  // namespace revctl::harness
