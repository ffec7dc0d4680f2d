#include <fmt/core.h>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include <revctl/gates_by_name.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/trace.h>

#include "harness/commands/command.h"
#include "harness/commands/save_file_io.h"
#include "harness/files/foreign_list.h"
#include "harness/trace/tracing.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/terminal.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestText = 1U << 30;

bool Decode(const Session& session, const RootType& root, const SavedFile& file,
            const ForeignList* theirs, void* object, std::string& why) {
  if (IsOpaque(root.type())) {
    if (theirs != nullptr) {
      why = root.name +
            ": its wire kind is Opaque, and its own streams cannot read files written with a "
            "different list";
      return false;
    }
    const auto outcome = root.Read(file.payload(), file.number, object);
    if (outcome.ok && outcome.at_end) return true;
    why = root.name + (outcome.ok ? " is followed by extra bytes" : ": " + outcome.reason);
    return false;
  }
  revctl::TraceReader reader(file.payload(), file.number);
  reader.CollectLeaves(false);
  if (theirs != nullptr) {
    revctl::GatesByName gates(*session.list, theirs->table(), file.number);
    if (!gates.Unknown().empty()) {
      why = fmt::format(
          "its list contains {}, which this program does not know, so the positions of the fields "
          "are unknown",
          gates.Unknown().front());
      return false;
    }
    reader.revision = std::move(gates);
  }
  reader.VisitRoot(root.type(), object);
  if (reader.Ok() && reader.AtEnd()) return true;
  why = reader.Ok()
            ? root.name + " is followed by extra bytes"
            : fmt::format("{} at offset {}{}: {}",
                          FromRoot(root.name, BelowRoot(reader.error().path, root.type())),
                          reader.error().offset + file.header,
                          file.unpacked ? " of the unpacked payload" : "", reader.error().reason);
  return false;
}

Exit Emit(const ConvertArguments& arguments, std::string_view bytes, bool binary) {
  if (arguments.output.empty() && binary && base::IsTerminal(base::Stream::Out))
    return Refuse(Exit::Usage, "refusing to write binary output to a terminal", "--output FILE");
  if (arguments.output.empty()) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return Exit::Fine;
  }
  if (const auto written = base::WriteFileAtomically(arguments.output, bytes); !written)
    return Refuse(Exit::Environment, written.error());
  return Exit::Fine;
}

Exit EmitFile(const ConvertArguments& arguments, const std::vector<std::byte>& file) {
  return Emit(arguments, {reinterpret_cast<const char*>(file.data()), file.size()}, true);
}

/// Returns the lost field that a change belongs to, such as `things[].mesh` for the elements of a
/// list. If the number of elements changed, the whole list is lost, and the result is `things`.
std::string LostField(const std::string& path, const std::set<std::string>& lists) {
  const std::string place = PlaceOf(path);
  for (std::size_t at = place.find('['); at != std::string::npos; at = place.find('[', at + 1)) {
    if (lists.contains(place.substr(0, at))) return place.substr(0, at);
  }
  return place.substr(0, place.find('#'));
}

/// Prints each lost field once, with its first three values and the number of remaining ones.
void PrintLosses(const std::vector<golden::Change>& lost) {
  constexpr std::size_t kMost = 3;
  constexpr std::string_view kCount = "#count";
  std::set<std::string> lists;
  for (const golden::Change& change : lost) {
    const std::string place = PlaceOf(change.path);
    if (place.ends_with(kCount)) lists.insert(place.substr(0, place.size() - kCount.size()));
  }
  std::map<std::string, std::size_t> left;
  for (const golden::Change& change : lost) ++left[LostField(change.path, lists)];
  std::map<std::string, std::size_t> printed;
  for (const golden::Change& change : lost) {
    const std::string field = LostField(change.path, lists);
    if (printed[field]++ < kMost) {
      std::fprintf(stderr, "note: %s is %s and will be read back as %s\n", change.path.c_str(),
                   change.before.value_or("missing").c_str(),
                   change.after.value_or("nothing").c_str());
    }
    if (printed[field] == kMost && left[field] > kMost) {
      std::fprintf(stderr, "note: %zu more values of %s are lost in the same way\n",
                   left[field] - kMost, field.c_str());
    }
  }
}

/// Reports the values that an older revision cannot store. Finds them by writing the object at both
/// revisions.
void TellLosses(const Session& session, const RootType& root, void* object, std::int64_t number) {
  const std::int64_t latest = session.list->Latest()->number;
  const Traced now = TraceWrite(root.type(), object, latest);
  const Traced old = TraceWrite(root.type(), object, number);
  const Object back(root.type());
  const Traced read = TraceRead(root.type(), old.bytes, number, back.get());
  if (!read.ok || !read.at_end) {
    std::fprintf(stderr, "warning: builds of that revision cannot load it: %s\n",
                 read.reason.c_str());
    return;
  }
  const auto lost = golden::Compare(now.leaves, TraceWrite(root.type(), back.get(), latest).leaves);
  PrintLosses(lost);
}

/// Returns the revision to write. If the name is unknown, reports that and returns null.
const revctl::ListEntry* Target(const Session& session, const ConvertArguments& arguments) {
  return arguments.to_revision.empty() ? session.list->Latest()
                                       : FindRevision(session, arguments.to_revision);
}

Exit FromJson(const Session& session, const RootType& root, const ConvertArguments& arguments) {
  const auto text = base::ReadFile(arguments.file, kLargestText);
  if (!text || !*text)
    return Refuse(Exit::Usage, fmt::format("{}: {}", arguments.file,
                                           text ? "no such file" : text.error().message));
  const Object object(root.type());
  revctl::JsonReader json(**text, revctl::Revision(session.list->Latest()->number));
  json.VisitRoot(root.type(), object.get());
  if (!json.Ok()) {
    const std::string path = BelowRoot(json.error().path, root.type());
    return Refuse(Exit::Findings, fmt::format("{}: {}: {}", arguments.file,
                                              FromRoot(root.name, path), json.error().reason));
  }
  const revctl::ListEntry* target = Target(session, arguments);
  const auto bytes = SaveBytes(session, root, object.get(), target->number);
  if (!bytes) return Refuse(bytes.error());
  if (target != session.list->Latest()) TellLosses(session, root, object.get(), target->number);
  return EmitFile(arguments, *bytes);
}

}  // namespace

Exit RunConvert(const Session& session, const ConvertArguments& arguments) {
  const auto picked = PickType(session, arguments.type, arguments.file);
  if (!picked) return Refuse(picked.error());
  const RootType& root = **picked;
  if (arguments.to_json + arguments.from_json > 1 ||
      (!arguments.to_json && !arguments.from_json && arguments.to_revision.empty())) {
    return Refuse(Exit::Usage, "specify exactly one format to convert to",
                  session.program + " convert FILE --to-json | --from-json | --to-revision NAME");
  }
  if (Target(session, arguments) == nullptr)
    return Refuse(Exit::Usage, NoSuchRevision(session, arguments.to_revision));
  if (arguments.from_json) return FromJson(session, root, arguments);

  std::unique_ptr<ForeignList> theirs;
  if (!arguments.written_with.empty()) {
    auto read = ForeignList::Read(arguments.written_with);
    if (!read) return Refuse(Exit::Usage, read.error());
    theirs = std::move(*read);
  }
  const auto file = ReadSavedFile(session, root, arguments.file, arguments.revision,
                                  theirs ? &theirs->table() : nullptr);
  if (!file) return Refuse(file.error());
  const Object object(root.type());
  std::string why;
  if (!Decode(session, root, *file, theirs.get(), object.get(), why))
    return Refuse(Exit::Findings, fmt::format("{}: {}", arguments.file, why));
  if (arguments.to_json) {
    revctl::JsonWriter json(revctl::Revision(session.list->Latest()->number));
    json.VisitRoot(root.type(), object.get());
    return Emit(arguments, json.Text() + "\n", false);
  }
  const revctl::ListEntry* target = Target(session, arguments);
  const auto bytes = SaveBytes(session, root, object.get(), target->number);
  if (!bytes) return Refuse(bytes.error());
  TellLosses(session, root, object.get(), target->number);
  return EmitFile(arguments, *bytes);
}

}  // namespace revctl::harness
