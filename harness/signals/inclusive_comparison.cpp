// Finds comparisons with `<=` or `>` that should be `<` or `>=`. GH004 and GH005 report them.
#include <algorithm>
#include <map>
#include <optional>

#include <revctl/trace.h>

#include "harness/signals/pending_effect.h"
#include "harness/signals/signals.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using Values = std::vector<golden::Leaf>;

/// True if `values` has the recorded value at every path that has changed.
bool Explain(const Renames& renames, const std::vector<golden::Change>& changes,
             const Values& values) {
  return std::all_of(changes.begin(), changes.end(), [&](const golden::Change& change) {
    const golden::Leaf* const value = FindLeaf(values, PathNow(renames, change.path, values));
    return value == nullptr ? !change.before : change.before == value->text;
  });
}

/// Returns the revision numbers that the body compared using `<=` or `>` while it read the golden.
std::vector<std::int64_t> InclusiveNumbers(const RootType& root, const Golden& golden,
                                           std::int64_t number) {
  const Object object(root.type());
  revctl::TraceReader reader(golden.payload(), revctl::Revision(number));
  reader.CollectLeaves(false);
  ResetProgram();
  reader.VisitRoot(root.type(), object.get());
  return reader.revision.Inclusive();
}

/// Returns the golden's upgraded values if comparisons with `<= strict` are evaluated as `<
/// strict`. Returns nullopt if the golden then cannot be read or saved.
std::optional<Values> UpgradedStrictly(const RootType& root, const Golden& golden,
                                       std::int64_t number, std::int64_t strict,
                                       std::int64_t latest) {
  const Object object(root.type());
  revctl::TraceReader reader(golden.payload(), revctl::Revision(number));
  reader.CollectLeaves(false);
  reader.revision.AnswerAsLess(strict);
  ResetProgram();
  reader.VisitRoot(root.type(), object.get());
  if (!reader.Ok() || !reader.AtEnd()) return std::nullopt;
  Traced resaved = TraceWrite(root.type(), object.get(), latest);
  if (!resaved.ok) return std::nullopt;
  return std::move(resaved.leaves);
}

SourcePlace PlaceAsked(const std::map<std::string, TypeTrace>& layouts, const Revision& revision) {
  for (const auto& [type, trace] : layouts) {
    const auto& compared = trace.layout.compared;
    if (std::binary_search(compared.begin(), compared.end(), revision.number))
      return ComparisonPlace(trace, {{revision.name, revision.number}});
  }
  return {};
}

}  // namespace

InclusiveComparison FindInclusive(const CheckContext& context, const RootType& root,
                                  const Decoded& decoded,
                                  const std::vector<golden::Change>& changes) {
  if (IsOpaque(root.type())) return {};
  const History& history = context.history;
  const Golden& golden = *decoded.golden;
  const std::int64_t number = history.revisions()[golden.revision].number;
  const std::int64_t latest = history.latest().number;
  for (const std::int64_t strict : InclusiveNumbers(root, golden, number)) {
    const Revision* const revision = history.Find(strict);
    if (revision == nullptr) continue;
    const auto values =
        context.pending().empty()
            ? UpgradedStrictly(root, golden, number, strict, latest)
            : WithoutUpgrades(root.type(), golden.payload(), number,
                              history.revisions()[history.newest_recorded()].number + 1, latest,
                              strict);
    if (values && Explain(context.renames, changes, *values))
      return {revision, PlaceAsked(decoded.read.notes.Layouts(number), *revision)};
  }
  return {};
}

InclusiveComparison FindInclusiveAtLatest(const CheckContext& context, const RootType& root,
                                          std::span<const std::byte> payload) {
  if (IsOpaque(root.type())) return {};
  const Revision& latest = context.history.latest();
  const Object object(root.type());
  revctl::TraceReader reader(payload, revctl::Revision(latest.number));
  reader.CollectLeaves(false);
  reader.revision.AnswerAsLess(latest.number);
  reader.VisitRoot(root.type(), object.get());
  const auto numbers = reader.revision.Inclusive();
  if (!reader.Ok() || !reader.AtEnd() ||
      std::find(numbers.begin(), numbers.end(), latest.number) == numbers.end())
    return {};
  const auto saved = TracedBytes(root.type(), object.get(), latest.number);
  if (!saved || !std::equal(saved->begin(), saved->end(), payload.begin(), payload.end()))
    return {};
  const Object noted(root.type());
  const LayoutNotes notes = NotesOfReading(root.type(), payload, latest.number, noted.get());
  return {&latest, PlaceAsked(notes.Layouts(latest.number), latest)};
}

}  // namespace revctl::harness
