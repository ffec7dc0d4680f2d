// GH002, bytes: a golden decodes to its last byte, and counters agree.
#include "harness/signals/signals.h"

namespace revctl::harness {
namespace {

void Add(CheckContext& context, const RootType& root, const Decoded& decoded,
         const std::string& field, const std::string& message, const std::string& cause) {
  const Revision& revision = context.history.revisions()[decoded.golden->revision];
  Finding finding;
  finding.rule = rule::kBytes;
  finding.signal = "bytes";
  finding.type = root.name;
  finding.field = field;
  finding.revision = revision.name;
  context.PointAt(root, decoded.read.notes, revision.number, finding);
  if (decoded.read.error_line != 0) {
    finding.file = context.Relative(decoded.read.error_file);
    finding.line = decoded.read.error_line;
  }
  finding.message = message;
  finding.details = "golden: " + decoded.golden->id;
  finding.fix =
      "read at this revision what was written at it: look for a branch or a condition that decides "
      "otherwise";
  context.AddOrFollow(root, std::move(finding), cause);
}

}  // namespace

void CheckBytes(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const Traced& read = decoded.read;
  if (!read.ok) {
    Add(context, root, decoded, read.path,
        root.name + " does not load: " + (read.path.empty() ? "" : read.path + " ") + "at offset " +
            std::to_string(read.offset) + " of " + std::to_string(decoded.golden->item->size) +
            ": " + read.reason,
        "does not load");
    return;
  }
  if (!read.at_end) {
    const std::size_t end = read.leaves.empty() ? 0 : read.offsets.back();
    Add(context, root, decoded, read.leaves.empty() ? "" : read.leaves.back().path,
        root.name + " loads, but leaves bytes over: the last value read begins at offset " +
            std::to_string(end) + " of " + std::to_string(decoded.golden->item->size),
        "left over");
    return;
  }
  // The tracer is slow and careful; what runs in the program is the fast reader, and it must agree.
  const Object object(root.type());
  const auto outcome =
      root.Read(decoded.golden->payload(),
                context.history.revisions()[decoded.golden->revision].number, object.get());
  if (!outcome.ok || !outcome.at_end) {
    // Where it stopped, since the reader asks the tracer for paths, which has nothing to complain
    // about.
    std::string path = BelowRoot(outcome.path, root.type());
    if (path.empty() && !outcome.ok && outcome.offset > 0)
      path = LeafAt(decoded, outcome.offset - 1);
    Add(context, root, decoded, path,
        root.name + " is read by the tracer but not by the program's reader: " +
            (path.empty() ? "" : path + ": ") +
            (outcome.ok ? "it leaves bytes over" : outcome.reason),
        "reader and tracer differ");
  }
}

}  // namespace revctl::harness
