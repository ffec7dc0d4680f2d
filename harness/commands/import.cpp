#include <fmt/core.h>
#include <algorithm>
#include <cstdio>

#include "golden/index.h"
#include "golden/scalar_text.h"
#include "harness/commands/approve.h"
#include "harness/commands/command.h"
#include "harness/commands/save_file_io.h"
#include "harness/files/anonymise.h"
#include "harness/recording/record_additions.h"
#include "harness/recording/recording.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {

namespace {

/// Goldens are called REVISION/NAME in findings, records and approvals, so the name must not
/// contain '/'.
bool IsName(const std::string& name) {
  return name.find_first_not_of(' ') != std::string::npos && name.find('/') == std::string::npos &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

Exit RunImport(const Session& session, const ImportArguments& arguments) {
  if (UnderCi()) return Refuse(Exit::Usage, "CI is set: goldens are recorded by people");
  if (!IsName(arguments.name))
    return Refuse(Exit::Usage,
                  "--name wants the name that the golden gets (`bug-17`), without `/`, not " +
                      golden::Quote(arguments.name));
  std::string why;
  const RootType* root = PickType(session, arguments.type, arguments.file, why);
  if (root == nullptr) return Refuse(Exit::Usage, why);
  Exit exit = Exit::Fine;
  const auto file =
      ReadSavedFile(session, *root, arguments.file, arguments.revision, nullptr, exit);
  if (!file) return exit;
  const golden::Store store = golden::Store::Open(session.golden);
  if (!store.problems().empty()) {
    const golden::Error& problem = store.problems().front();
    return Refuse(Exit::Findings, fmt::format("{}: {}", problem.file, problem.message),
                  session.program + " check");
  }
  const History history(*session.list, store);
  const Revision* at = history.Find(file->number);
  if (at == nullptr)
    return Refuse(Exit::Usage,
                  fmt::format("{}: its revision {} is not in the list, or no longer read",
                              arguments.file, file->number));
  std::vector<std::byte> payload(file->payload().begin(), file->payload().end());
  if (arguments.anonymise && IsOpaque(root->type()))
    return Refuse(
        Exit::Usage, root->name + ": its wire is Opaque, so where its texts are is not known",
        fmt::format("{} import {} --name {}   # with the texts as they are", session.program,
                    base::ShellWord(arguments.file), base::ShellWord(arguments.name)));
  if (arguments.anonymise) {
    auto anonymous = Anonymise(*root, payload, file->number);
    if (!anonymous)
      return Refuse(Exit::Findings, arguments.file +
                                        ": does not load, or not with other texts: its bodies want "
                                        "the ones it has");
    payload = std::move(*anonymous);
  }
  const std::size_t index = history.IndexOf(*at);
  const std::uint64_t hash = golden::PayloadHash(payload);
  for (const Golden& golden : history.Goldens(root->name)) {
    if (golden.revision != index || golden.item->name != arguments.name ||
        golden.item->hash != hash)
      continue;
    if (!session.quiet)
      std::printf("%s is there already, as %s\n", arguments.file.c_str(), golden.id.c_str());
    return Exit::Fine;
  }
  Recording recording = RecordImport(*root, history, index, arguments.name, payload,
                                     {"import", session.seed, {}, false});
  if (!recording.troubles.empty())
    return Refuse(Exit::Findings,
                  fmt::format("{}: {}", arguments.file, recording.troubles.front()));
  const auto written = golden::WriteAddition(session.golden, recording.record, recording.payloads);
  if (!written) return Refuse(Exit::Environment, written.error());
  if (!session.quiet) {
    std::printf("imported %s as %s of %s: %s -> %s/%s\n", arguments.file.c_str(),
                arguments.name.c_str(), at->name.c_str(),
                Counted(recording.record.cases.front().values.size(), "value").c_str(),
                session.golden.c_str(), written->c_str());
  }
  return Exit::Fine;
}

}  // namespace revctl::harness
