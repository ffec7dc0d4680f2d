// GH005, stability: writing is deterministic and leaves the object alone; what is written is read
// back the same.
#include "harness/progress.h"
#include "harness/signals/signals.h"

namespace harness {
namespace {

Finding About(const CheckContext& context, const RootType& root, const std::string& revision,
              const std::string& field, const std::string& message) {
  Finding finding;
  finding.rule = rule::kStability;
  finding.signal = "stability";
  finding.type = root.name;
  finding.field = field;
  finding.revision = revision;
  finding.file = context.Relative(root.entry.file);
  finding.line = root.entry.line;
  finding.message = message;
  return finding;
}

void Add(CheckContext& context, const RootType& root, const std::string& revision,
         const std::string& field, const std::string& message, const std::string& details,
         const std::string& fix, const std::string& cause) {
  Finding finding = About(context, root, revision, field, message);
  finding.details = details;
  finding.fix = fix;
  context.verdicts.Add(std::move(finding), cause);
}

/// The first leaf that differs, or an empty path where both are the same.
std::string FirstPath(const std::vector<golden::Leaf>& a, const std::vector<golden::Leaf>& b) {
  const auto changes = golden::Compare(a, b);
  return changes.empty() ? "" : changes[0].path;
}

constexpr const char* kSameObject =
    "write only what the object holds: no clock, no address, no uninitialised member, no counter";

void CheckSample(CheckContext& context, const RootType& root, const Sample& sample,
                 const Revision& latest) {
  const revctl::TypeInfo& type = root.type();
  const Object object = sample.make(latest.number, nullptr);
  const Traced first = TraceWrite(type, object.get(), latest.number);
  if (!first.ok) return;  // the layout signal has said so
  const std::string details = "sample: " + sample.name;

  std::vector<std::byte> fast;
  const auto written = root.entry.write(latest.number, object.get(), fast);
  if (!written.ok || fast != first.bytes) {
    Add(context, root, latest.name, BelowRoot(written.path, type),
        root.name + ": the program's writer gives other bytes than the tracer" +
            (written.ok ? "" : ": " + written.reason),
        details, kSameObject, "writer and tracer differ");
  }
  const Traced second = TraceWrite(type, object.get(), latest.number);
  if (second.bytes != first.bytes) {
    const std::string path = FirstPath(first.leaves, second.leaves);
    Add(context, root, latest.name, path,
        root.name + "." + path + ": writing twice gives different bytes, or changes the object",
        details, kSameObject, "not deterministic");
  }

  const Object fresh(type, 0xA5), used = sample.make(latest.number, nullptr);
  const Traced read = TraceRead(type, first.bytes, latest.number, fresh.get());
  if (!read.ok || !read.at_end) return;  // the layout signal has said so
  const Traced again = TraceWrite(type, fresh.get(), latest.number);
  if (again.bytes != first.bytes) {
    const std::string path = FirstPath(first.leaves, again.leaves);
    Add(context, root, latest.name, path,
        root.name + "." + path + ": written, read and written again it is another value", details,
        "at the latest revision reading must not change what was read", "round trip");
  }
  const Traced over = TraceRead(type, first.bytes, latest.number, used.get());
  const Traced over_again = TraceWrite(type, used.get(), latest.number);
  if (over.ok && over_again.bytes != again.bytes) {
    const std::string path = FirstPath(again.leaves, over_again.leaves);
    Add(context, root, latest.name, path,
        root.name + "." + path + ": reading into a used object leaves something of it behind",
        details, "let reading replace the member, whatever it held", "used object");
  }
}

}  // namespace

void CheckStability(CheckContext& context, const TypeRun& run) {
  const Revision& latest = context.history.latest();
  for (const Sample& sample : run.samples()) {
    if (Progress::Enter(run.root().name, "sample " + sample.name))
      CheckSample(context, run.root(), sample, latest);
  }
}

void CheckResaved(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.saved) return;
  const History& history = context.history;
  const Object object(root.type());
  const Traced read =
      TraceRead(root.type(), decoded.resaved.bytes, history.latest().number, object.get());
  std::string path = read.ok ? FirstPath(decoded.resaved.leaves, read.leaves) : read.path;
  std::vector<std::byte> again;
  // What the body does behind its fields shows in what it would write next.
  if (read.ok && path.empty() &&
      (!root.entry.write(history.latest().number, object.get(), again).ok ||
       again != decoded.resaved.bytes)) {
    path = FirstPath(decoded.resaved.leaves,
                     TraceWrite(root.type(), object.get(), history.latest().number).leaves);
  }
  if (read.ok && read.at_end && path.empty()) return;
  Finding finding = About(context, root, history.revisions()[decoded.golden->revision].name, path,
                          root.name + (path.empty() ? "" : "." + path) +
                              ": a golden, loaded and saved at " + history.latest().name +
                              ", is not read back the same" + (read.ok ? "" : ": " + read.reason));
  finding.details = "golden: " + decoded.golden->id;
  finding.fix = "let upgrade code leave a value that survives saving and loading";
  context.AddOrFollowAny(root, std::move(finding), "re-saved");
}

}  // namespace harness
