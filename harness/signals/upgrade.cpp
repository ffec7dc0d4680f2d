// GH004, upgrade: what today's code makes of a golden is what was recorded with it and changed by
// later revisions.
#include "harness/signals/signals.h"

namespace harness {
namespace {

constexpr std::size_t kShown = 6;

std::string Side(const std::optional<std::string>& side) { return side ? *side : "not there"; }

}  // namespace

void CheckUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.complete) return;
  const History& history = context.history;
  if (!history.Known(decoded.golden->revision, history.newest_recorded())) return;
  const std::string& revision = history.revisions()[decoded.golden->revision].name;
  Finding finding;
  finding.rule = rule::kUpgrade;
  finding.signal = "upgrade";
  finding.type = root.name;
  finding.revision = revision;
  finding.file = context.Relative(root.entry.file);
  finding.line = root.entry.line;
  finding.details = "golden: " + decoded.golden->id;
  if (!decoded.saved) {
    finding.field = decoded.resaved.path;
    finding.message = root.name + " loads, but cannot be saved again: " + decoded.resaved.path +
                      ": " + decoded.resaved.reason;
    finding.fix = "let upgrade code leave a value that can be written";
    context.AddOrFollowAny(root, std::move(finding), "cannot be saved");
    return;
  }
  const auto changes =
      context.renames.Compare(history.ExpectedUpgrade(*decoded.golden), decoded.resaved.leaves);
  if (changes.empty()) return;
  finding.field = changes[0].path;
  const std::string what =
      root.name + "." + changes[0].path + ": upgraded to " + Side(changes[0].after) + ", not to " +
      Side(changes[0].before) +
      (changes.size() > 1 ? ", and " + std::to_string(changes.size() - 1) + " more values differ"
                          : "");
  for (std::size_t i = 0; i < changes.size() && i < kShown; ++i) {
    finding.details += "\n" + changes[i].path + ": recorded " + Side(changes[i].before) + ", now " +
                       Side(changes[i].after);
  }
  if (!context.pending().empty()) {
    // The pending revision may change what old files become; its record will say so, for review.
    finding.severity = Severity::Note;
    finding.message = what + "; will be recorded with " + context.pending();
    finding.fix = context.options.program + " record";
  } else {
    finding.message =
        what + ": upgrade code, a default or a removed field's meaning changed without a revision";
    finding.fix =
        "put the upgrade code back as it was, or take a revision for the change and record "
        "it:\nrevctl reserve " +
        context.list_prefix + UpperSnake(RootName(root.type())) + "_UPGRADE\n" +
        context.options.program +
        " record\nor, if the new value is right and no build with the old one was released:\n" +
        context.options.program + " review";
    if (!context.Broken(root)) {
      golden::Approval approval;
      approval.kind = golden::Approval::Kind::Upgrade;
      approval.type = root.name;
      approval.after = history.revisions()[history.newest_recorded()].name;
      approval.cases = {decoded.golden->id};
      approval.changes = changes;
      context.Offer(std::move(approval), finding);
    }
  }
  context.AddOrFollowAny(root, std::move(finding), "upgrade");
}

}  // namespace harness
