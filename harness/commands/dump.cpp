#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <revctl/json_writer.h>

#include "golden/index.h"
#include "golden/text/scalar_text.h"
#include "harness/check/hostile_input.h"
#include "harness/commands/command.h"
#include "harness/commands/save_file_io.h"
#include "harness/history/git_queries.h"
#include "harness/report/pages.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

struct Readable {
  const RootType* root = nullptr;
  std::span<const std::byte> payload;
  std::int64_t number = 0;
  std::size_t header = 0;  ///< size of the header before the payload
  bool unpacked = false;   ///< true if offsets refer to the unpacked file
};

/// Formats at most eight bytes as hex digits, padded to a fixed width. Ends with `..` if there are
/// more bytes.
std::string Hex(std::span<const std::byte> bytes) {
  constexpr std::size_t kShown = 8;
  std::string out;
  for (const std::byte byte : bytes.first(std::min(bytes.size(), kShown)))
    out += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  if (bytes.size() > kShown) out += "..";
  out.resize(2 * kShown + 2, ' ');
  return out;
}

/// Formats each value on its own line: offset in the file, size, bytes, path and value.
std::string Tree(const Readable& what, const Traced& read) {
  std::string out;
  if (read.offsets.empty()) {  // an opaque type, whose values have unknown offsets
    for (const golden::Leaf& leaf : read.leaves)
      out += fmt::format("{}: {}\n", leaf.path, leaf.text);
    return out;
  }
  for (std::size_t i = 0; i < read.leaves.size(); ++i) {
    const std::size_t begin = read.offsets[i];
    const std::size_t end = i + 1 < read.leaves.size() ? read.offsets[i + 1] : what.payload.size();
    out += fmt::format("{:8} {:4}  {}  {}: {}\n", begin + what.header, end - begin,
                       Hex(what.payload.subspan(begin, end - begin)), read.leaves[i].path,
                       read.leaves[i].text);
  }
  return out;
}

/// Reads the value into `object`. On failure, returns nullopt and sets `why`.
std::optional<Traced> Load(const Readable& what, const Object& object, std::string& why) {
  Traced read = TraceRead(what.root->type(), what.payload, what.number, object.get());
  if (read.ok && read.at_end) return read;
  why = read.ok ? what.root->name + " is followed by extra bytes"
                : fmt::format("{} at offset {}{}: {}", FromRoot(what.root->name, read.path),
                              read.offset + what.header,
                              what.unpacked ? " of the unpacked payload" : "", read.reason);
  return std::nullopt;
}

/// Returns the upgraded value as JSON or, with `tree`, a line for each value of the file. On
/// failure, returns nullopt and sets `why`.
std::optional<std::string> JsonOf(const Session& session, const Readable& what, bool tree,
                                  std::string& why) {
  const Object object(what.root->type());
  const auto read = Load(what, object, why);
  if (!read) return std::nullopt;
  if (tree) return Tree(what, *read);
  revctl::JsonWriter writer(revctl::Revision(session.list->Latest()->number));
  writer.VisitRoot(what.root->type(), object.get());
  return writer.Text() + "\n";
}

/// Returns the commit that landed a revision, with its author and date. Returns "" if git does not
/// know it.
std::string LandedBy(const Session& session, const std::string& revision) {
  const std::string root =
      WorkTreeAround(std::filesystem::absolute(session.golden)).generic_string();
  if (root.empty()) return {};
  const auto list = ListFile(root, session.golden);
  if (!list.ok()) return {};
  const auto commits = CommitsThatAdded(root, *list, {revision});
  if (!commits.ok() || commits->empty()) return {};
  const ProgramOutput who = RunProgram({"git", "-C", root, "log", "-1", "--date=short",
                                        "--format=%an, %ad, commit %h", commits->front().commit},
                                       Complaints::Dropped);
  return who.ok ? who.text.substr(0, who.text.find('\n')) : "";
}

/// Returns the file as an HTML page. On failure, returns nullopt and sets `why`.
std::optional<std::string> PageOf(const Session& session, const Readable& what,
                                  const std::string& file, std::string& why) {
  const Object object(what.root->type());
  const auto read = Load(what, object, why);
  if (!read) return std::nullopt;
  revctl::JsonWriter writer(revctl::Revision(session.list->Latest()->number));
  writer.VisitRoot(what.root->type(), object.get());
  SavePage page;
  page.file = std::filesystem::path(file).filename().generic_string();
  page.type = what.root->name;
  page.json = writer.Text();
  page.leaves = &read->leaves;
  page.offsets = &read->offsets;
  page.header = what.header;
  page.payload = what.payload.size();
  const revctl::ListEntry* entry = session.list->Find(what.number);
  const std::string name = entry == nullptr ? "" : std::string(entry->name);
  page.facts = {{"type", what.root->name},
                {"saved at", fmt::format("{} = {}", name, what.number)},
                {"lineage", entry == nullptr ? "" : fmt::format("{:016x}", entry->lineage)},
                {"revision landed by", LandedBy(session, name)},
                {"size", fmt::format("{} bytes{}, {} of them before the payload",
                                     what.header + what.payload.size(),
                                     what.unpacked ? " unpacked" : "", what.header)},
                {"shown", fmt::format("the value, as the current code ({}) reads it",
                                      session.list->Latest()->name)}};
  std::erase_if(page.facts, [](const auto& fact) { return fact.second.empty(); });
  return SavePageText(page);
}

/// Indents JSON so that it can be nested in other JSON.
std::string Nested(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += "    ";
  }
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

Exit DumpGolden(const Session& session, const DumpArguments& arguments,
                const std::filesystem::path& path, const golden::FileName& name) {
  const golden::Store store =
      golden::Store::Open(path.parent_path().empty() ? "." : path.parent_path().generic_string());
  const std::string file =
      golden::FileNameText({golden::FileName::Kind::Record, name.revision, name.hash});
  const auto stored =
      std::find_if(store.records().begin(), store.records().end(),
                   [&](const golden::StoredRecord& record) { return record.file == file; });
  if (stored == store.records().end()) {
    for (const golden::Error& problem : store.problems()) {
      if (problem.file.find(name.revision) != std::string::npos)
        return Refuse(Exit::Findings, problem);
    }
    return Refuse(Exit::Usage, fmt::format("{}: its record {} is missing", arguments.file, file));
  }
  const revctl::ListEntry* entry = session.list->Find(std::string_view(name.revision));
  if (entry == nullptr) return Refuse(Exit::Usage, "the list has no revision " + name.revision);
  Exit exit = Exit::Fine;
  std::string out = "[";
  const auto& cases = stored->record.cases;
  if (!arguments.type.empty() &&
      std::none_of(cases.begin(), cases.end(),
                   [&](const golden::Case& item) { return item.type == arguments.type; }))
    return Refuse(Exit::Usage,
                  fmt::format("{} contains no golden of {}", arguments.file, arguments.type));
  for (const golden::Case& item : stored->record.cases) {
    if (!arguments.type.empty() && item.type != arguments.type) continue;
    const std::string id = golden::CaseId(name.revision, item.name);
    const RootType* root = session.registry.Find(item.type);
    std::string why = "no HARNESS_TYPE registers " + item.type;
    const Readable what{root, golden::Store::Payload(*stored, item), entry->number};
    const auto text = root ? JsonOf(session, what, arguments.tree, why) : std::nullopt;
    if (!text) {
      exit = Refuse(Exit::Findings, fmt::format("{}: {}", id, why));
      continue;
    }
    if (arguments.tree) {
      std::printf("%s %s, %zu bytes\n%s\n", item.type.c_str(), id.c_str(), what.payload.size(),
                  text->c_str());
      continue;
    }
    out += fmt::format("{}\n  {{\n    \"case\": {},\n    \"type\": {},\n    \"value\": {}\n  }}",
                       out.size() > 1 ? "," : "", golden::Quote(id), golden::Quote(item.type),
                       Nested(*text));
  }
  if (!arguments.tree) std::fputs((out + "\n]\n").c_str(), stdout);
  return exit;
}

/// Prints a large golden. The argument is its file in the store.
Exit DumpLarge(const Session& session, const DumpArguments& arguments,
               const std::filesystem::path& path, const golden::FileName& name) {
  const std::string folder = path.parent_path().parent_path().generic_string();
  const golden::Store store = golden::Store::Open(folder.empty() ? "." : folder);
  const revctl::ListEntry* entry = session.list->Find(std::string_view(name.revision));
  if (entry == nullptr) return Refuse(Exit::Usage, "the list has no revision " + name.revision);
  for (const golden::StoredRecord& stored : store.records()) {
    for (const golden::LargeCase& large : stored.record.large) {
      if (golden::LargeFileName(stored.record, large) != golden::FileNameText(name)) continue;
      const auto payload = store.ReadLarge(stored, large);
      if (!payload) return Refuse(Exit::Findings, payload.error());
      const RootType* root = session.registry.Find(large.item.type);
      std::string why = "no HARNESS_TYPE registers " + large.item.type;
      const auto text = root ? JsonOf(session, {root, *payload, entry->number}, arguments.tree, why)
                             : std::nullopt;
      if (!text) return Refuse(Exit::Findings, fmt::format("{}: {}", arguments.file, why));
      std::fputs(text->c_str(), stdout);
      return Exit::Fine;
    }
  }
  return Refuse(Exit::Usage, arguments.file + ": no record mentions this file");
}

}  // namespace

Exit RunDump(const Session& session, const DumpArguments& arguments) {
  if (arguments.textconv) return RunTextconv(session, arguments.file);
  const std::filesystem::path path(arguments.file);
  if (arguments.html && arguments.tree)
    return Refuse(Exit::Usage, "--html and --tree cannot be combined",
                  "use --html alone: the page also shows offsets");
  if (const auto name = golden::ParseFileName(path.filename().generic_string());
      name && name->kind != golden::FileName::Kind::Approval && !arguments.html)
    return DumpGolden(session, arguments, path, *name);
  const std::filesystem::path in_store = path.parent_path().filename() / path.filename();
  if (const auto name = golden::ParseFileName(in_store.generic_string());
      name && name->kind == golden::FileName::Kind::Large && !arguments.html)
    return DumpLarge(session, arguments, path, *name);
  const auto root = PickType(session, arguments.type, arguments.file);
  if (!root) return Refuse(root.error());
  const auto file = ReadSavedFile(session, **root, arguments.file, arguments.revision);
  if (!file) return Refuse(file.error());
  Readable what;
  what.root = *root;
  what.number = file->number;
  what.payload = file->payload();
  what.header = file->header;
  what.unpacked = file->unpacked;
  // First read the file with the program's own streams, to reproduce a crash that a sweep found in
  // them. The tracer below may accept the same input.
  (void)ReadAndSave(*what.root, what.payload, what.number, session.list->Latest()->number);
  std::string why;
  const auto text = arguments.html ? PageOf(session, what, arguments.file, why)
                                   : JsonOf(session, what, arguments.tree, why);
  if (!text) return Refuse(Exit::Findings, fmt::format("{}: {}", arguments.file, why));
  std::fputs(text->c_str(), stdout);
  return Exit::Fine;
}

}  // namespace revctl::harness
