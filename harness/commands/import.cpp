#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "golden/index.h"
#include "golden/text/scalar_text.h"
#include "harness/commands/approve.h"
#include "harness/commands/command.h"
#include "harness/commands/save_file_io.h"
#include "harness/files/anonymise.h"
#include "harness/recording/record_additions.h"
#include "harness/recording/recording.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {

namespace {

/// True if this is a valid name of a golden. Findings, records and approvals refer to goldens as
/// REVISION/NAME, so the name must not contain '/'.
bool IsName(const std::string& name) {
  return name.find_first_not_of(' ') != std::string::npos && name.find('/') == std::string::npos &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

struct Imported {
  bool added = false;  ///< false if the file was already imported
  std::string text;    ///< describes the result for the user
};

/// Imports one file. Reopens the store, because the previous import changed it.
Result<Imported> ImportOne(const Session& session, const ImportArguments& arguments,
                           const RootType& root, const std::string& path, const std::string& name,
                           bool another_name) {
  TRY(SavedFile file, ReadSavedFile(session, root, path, arguments.revision));
  const golden::Store store = golden::Store::Open(session.golden);
  if (!store.problems().empty()) {
    const golden::Error& problem = store.problems().front();
    return Error{Exit::Findings, fmt::format("{}: {}", problem.file, problem.message),
                 session.program + " check"};
  }
  const History history(*session.list, store);
  const std::int64_t number = file.number;
  const Revision* at = history.Find(number);
  if (at == nullptr)
    return Error{Exit::Usage,
                 fmt::format("{}: its revision {} is not in the list, or is no longer supported",
                             path, number),
                 ""};
  std::vector<std::byte> payload = file.TakePayload();
  if (arguments.anonymise) {
    auto anonymous = Anonymise(root, payload, number);
    if (!anonymous)
      return Error{Exit::Findings,
                   path +
                       ": does not load, or loads only with its original strings, because a "
                       "body checks them",
                   ""};
    payload = std::move(*anonymous);
  }
  const std::size_t index = history.IndexOf(*at);
  const std::uint64_t hash = golden::PayloadHash(payload);
  std::string called = name;
  const auto goldens = history.SmallAndLarge(root.name);
  const auto taken = [&](const std::string& wanted) {
    return std::find_if(goldens.begin(), goldens.end(), [&](const Golden& golden) {
      return golden.revision == index && golden.item->name == wanted;
    });
  };
  for (std::size_t next = 2;; ++next) {
    const auto golden = taken(called);
    if (golden == goldens.end()) break;
    if (golden->item->hash == hash)
      return Imported{false, fmt::format("{} was already imported, as {}", path, golden->id)};
    if (!another_name) break;  // RecordImport reports the duplicate name
    called = fmt::format("{}-{}", name, next);
  }
  Recording recording = RecordImport(session.registry, root, history, index, called,
                                     std::move(payload), {"import", session.seed, {}, false});
  if (!recording.troubles.empty())
    return Error{Exit::Findings, fmt::format("{}: {}", path, recording.troubles.front()), ""};
  const auto written =
      golden::WriteAddition(session.golden, recording.record, recording.payloads, recording.large);
  if (!written) return Error{Exit::Environment, written.error().message, written.error().fix};
  const golden::RevisionRecord& record = recording.record;
  if (record.large.empty()) {
    return Imported{
        true, fmt::format("imported {} as {} of {}: {} -> {}/{}", path, called, at->name,
                          Counted(record.cases.front().values.size(), "value"), session.golden,
                          *written)};
  }
  const golden::LargeCase& large = record.large.front();
  return Imported{true, fmt::format("imported {} as {} of {}: {} bytes, {} stored -> {}/{}", path,
                                    called, at->name, large.item.size, large.stored, session.golden,
                                    recording.large.front().name)};
}

/// Imports each file in a folder as a golden with the file's name, and reports the files that do
/// not load.
Exit ImportFolder(const Session& session, const ImportArguments& arguments, const RootType& root) {
  const auto files = base::ListFiles(arguments.file);
  if (!files) return Refuse(Exit::Environment, base::InMessage(files.error()).message);
  std::vector<std::string> names;
  for (const std::string& file : *files) {
    if (!file.starts_with('.')) names.push_back(file);
  }
  if (names.empty()) return Refuse(Exit::Usage, arguments.file + ": contains no files");
  std::size_t recorded = 0, there = 0;
  std::vector<Error> failed;
  {
    ProgressLine progress(session.quiet);
    for (std::size_t i = 0; i < names.size(); ++i) {
      progress.ShowFiles(i, names.size(), names[i]);
      const std::string stem = std::filesystem::path(names[i]).stem().generic_string();
      const std::string path =
          arguments.file + (arguments.file.ends_with('/') ? "" : "/") + names[i];
      const std::string name = arguments.name.empty() ? stem : arguments.name + "-" + stem;
      const auto one = ImportOne(session, arguments, root, path, name, true);
      if (one) ++(one->added ? recorded : there);
      else failed.push_back(one.error());
      if (!failed.empty() && failed.back().exit == Exit::Environment) break;
    }
  }
  Exit exit = Exit::Fine;
  for (const Error& why : failed) exit = std::max(exit, Refuse(why));
  if (!session.quiet) {
    std::printf("imported %zu of %s -> %s", recorded, Counted(names.size(), "file").c_str(),
                session.golden.c_str());
    if (there != 0) std::printf("; %zu already present", there);
    if (!failed.empty()) std::printf("; %zu not imported", failed.size());
    std::printf("\n");
  }
  return failed.empty() ? Exit::Fine : exit == Exit::Environment ? exit : Exit::Findings;
}

}  // namespace

Exit RunImport(const Session& session, const ImportArguments& arguments) {
  if (UnderCi())
    return Refuse(
        Exit::Usage,
        "`import` refuses to run in CI ($CI is set), because a person should review new goldens");
  std::error_code unreadable;
  const bool folder = std::filesystem::is_directory(arguments.file, unreadable);
  if (!(folder && arguments.name.empty()) && !IsName(arguments.name))
    return Refuse(Exit::Usage, "--name must be a golden name without `/`, such as `bug-17`, not " +
                                   golden::Quote(arguments.name));
  const auto picked = PickType(session, arguments.type, arguments.file);
  if (!picked) return Refuse(picked.error());
  const RootType& root = **picked;
  if (arguments.anonymise && IsOpaque(root.type()))
    return Refuse(
        Exit::Usage,
        root.name + ": its wire kind is Opaque, so the positions of its strings are unknown",
        fmt::format("{} import {}{}   # keeps the strings", session.program,
                    base::ShellWord(arguments.file),
                    arguments.name.empty() ? "" : " --name " + base::ShellWord(arguments.name)));
  if (folder) return ImportFolder(session, arguments, root);
  const auto one = ImportOne(session, arguments, root, arguments.file, arguments.name, false);
  if (!one) return Refuse(one.error());
  if (!session.quiet) std::printf("%s\n", one->text.c_str());
  return Exit::Fine;
}

}  // namespace revctl::harness
