// GH006, refusal: checks that truncated, damaged and foreign input causes an error, not a crash or
// a wrong value.
#include <fmt/core.h>
#include <algorithm>
#include <set>

#include <revctl/detail/binary/file_header.h>

#include "harness/advice/own_words.h"
#include "harness/signals/signals.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

// Maximum number of offsets at which a golden is truncated: by default, and in a thorough check.
constexpr std::size_t kMostCuts = 64;
constexpr std::size_t kMostCutsEverywhere = 4096;

void AddRefusal(CheckContext& context, const RootType& root, const Decoded& decoded,
                const std::string& field, const std::string& message, const std::string& cause) {
  Finding finding = context.AboutRead(root, decoded, RuleId::BrokenInput, "refusal", field);
  finding.message = message;
  finding.fix =
      "make the body read every field that it writes, whatever the bytes contain, and reject bad "
      "data with " +
      RefuseWords(root.entry.words, IsOpaque(root.type()));
  // A reader without checks fails at every field for the same reason, so give these findings the
  // same cause.
  finding.cause = root.name + " " + cause;
  context.verdicts.Add(std::move(finding), cause);
}

/// Returns the offsets at which to truncate a golden: the beginning of each field, or every byte.
/// Uses fewer offsets for long payloads, because each truncated payload is read to its end.
std::set<std::size_t> Cuts(const Decoded& decoded, bool everywhere) {
  const std::size_t size = decoded.golden->payload().size();
  std::set<std::size_t> cuts;
  if (everywhere) {
    for (std::size_t at = 0; at < size; at += size / kMostCutsEverywhere + 1) cuts.insert(at);
  }
  const auto& offsets = decoded.read.offsets;
  const std::size_t step = everywhere ? 1 : offsets.size() / kMostCuts + 1;
  for (std::size_t i = 0; i < offsets.size(); i += step) {
    if (offsets[i] < size) cuts.insert(offsets[i]);
  }
  if (offsets.empty() && !everywhere) {  // no visit shows where the fields begin
    for (std::size_t at = 0; at < size; at += size / kMostCuts + 1) cuts.insert(at);
  }
  if (size > 0) cuts.insert(size - 1);
  return cuts;
}

void CheckCounts(CheckContext& context, const RootType& root, const Decoded& decoded,
                 std::int64_t number) {
  const auto payload = decoded.golden->payload();
  const auto& counts = decoded.read.counts;
  // Skip some of the counts in long payloads, because damaging each one means reading the payload
  // up to it, which takes quadratic time in total.
  const std::size_t step = context.options.thorough ? 1 : counts.size() / kMostCuts + 1;
  for (std::size_t k = 0; k < counts.size(); k += step) {
    const std::size_t i = counts[k];
    const golden::Leaf& leaf = decoded.read.leaves[i];
    const std::size_t at = decoded.read.offsets[i];
    if (at + 4 > payload.size()) continue;
    std::vector<std::byte> lying(payload.begin(), payload.end());
    std::fill_n(lying.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0xFF});
    const Object object(root.type());
    CrashBreadcrumb::NoteHarm("with a count of 4294967295 at", at);
    ResetProgram();
    const auto outcome = root.entry.read(lying, number, object.get());
    if (outcome.ok && outcome.at_end) {
      AddRefusal(context, root, decoded, leaf.path,
                 fmt::format("{}.{}: a count of 4294967295 is accepted", root.name, leaf.path),
                 "lie accepted");
    }
  }
}

}  // namespace

void CheckRefusal(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.complete) return;
  const std::int64_t number = context.history.revisions()[decoded.golden->revision].number;
  const auto payload = decoded.golden->payload();
  for (const std::size_t cut : Cuts(decoded, context.options.thorough)) {
    const Object object(root.type());
    // Copy the truncated payload into memory of exactly this size, so that sanitizers detect reads
    // beyond its end.
    const std::vector<std::byte> part(payload.begin(),
                                      payload.begin() + static_cast<std::ptrdiff_t>(cut));
    CrashBreadcrumb::NoteHarm("cut at", cut);
    ResetProgram();
    const auto outcome = root.entry.read(part, number, object.get());
    if (outcome.ok) {
      AddRefusal(context, root, decoded, LeafAt(decoded, cut),
                 fmt::format("{}: a golden truncated after {} of {} bytes still loads", root.name,
                             cut, payload.size()),
                 "cut accepted");
    }
  }
  CheckCounts(context, root, decoded, number);
  CrashBreadcrumb::Forget();
}

namespace {

/// Checks that files with an invalid header are rejected. `type` is empty for the library's own
/// format.
void CheckFormat(CheckContext& context, const revctl::ListTable& list, revctl::FileFormat format,
                 const std::string& type, const SourcePlace& place) {
  const revctl::ListEntry& latest = *list.Latest();
  format.list = &list;
  const auto expect = [&](std::int64_t number, std::uint64_t lineage, revctl::Status::Kind kind,
                          const std::string& what) {
    revctl::FileHeader header;
    header.magic = format.magic;
    header.revision_bits = static_cast<std::uint32_t>(number);
    header.lineage = lineage;
    std::byte bytes[revctl::kFileHeaderSize];
    revctl::WriteFileHeader(header, bytes);
    std::int64_t revision = 0;
    if (revctl::CheckFileHeader(bytes, format, revision).kind() == kind) return;
    Finding finding{.rule = RuleId::BrokenInput,
                    .file = context.Relative(place.file),
                    .line = place.line,
                    .revision = std::string(latest.name),
                    .type = type,
                    .signal = "refusal"};
    finding.message = fmt::format("{}{}a file {} is accepted or is rejected for the wrong reason",
                                  type, type.empty() ? "" : ": ", what);
    if (format.has_latest && format.latest > latest.number) {
      finding.fix = fmt::format(
          "remove `latest` and `has_latest` from the HARNESS_FORMAT and from the format that the "
          "program uses to load files, because the list already provides the latest revision, {}",
          latest.name);
    }
    context.verdicts.Add(std::move(finding), what);
  };
  expect(latest.number + 1, 0, revctl::Status::Kind::Future, "from the future");
  if (latest.lineage != 0) {
    expect(latest.number, ~latest.lineage, revctl::Status::Kind::ForeignLineage,
           "of a foreign lineage");
  }
}

}  // namespace

void CheckHeaders(CheckContext& context, const revctl::ListTable& list) {
  if (list.Latest() == nullptr || context.registry.types.empty()) return;
  const TypeEntry& first = context.registry.types.front().entry;
  CheckFormat(context, list, {}, "", {first.file, first.line});
  for (const RootType& root : context.registry.types) {
    if (root.format_line != 0)
      CheckFormat(context, list, root.format, root.name, {root.format_file, root.format_line});
  }
}

}  // namespace revctl::harness
