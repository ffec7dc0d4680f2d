#include <cstdio>
#include <iostream>

#include "harness/commands/approving.h"
#include "harness/commands/command.h"
#include "revctl/base/terminal.h"

namespace revctl::harness {
namespace {

/// One line from the terminal; false where there is no more.
bool Ask(const char* question, std::string& answer) {
  std::printf("%s", question);
  std::fflush(stdout);
  return static_cast<bool>(std::getline(std::cin, answer));
}

std::string Indented(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

enum class Decision { Accept, Reject, Skip, Quit };

Decision Decide(const Pending& pending, std::size_t number, std::size_t count,
                std::string& reason) {
  std::printf("\n%zu of %zu, %s\n%s\n", number, count, PendingId(pending).c_str(),
              Indented(pending.text).c_str());
  std::string answer;
  while (Ask("accept (a), reject (r), skip (s), quit (q)? ", answer)) {
    if (answer == "r" || answer == "reject") return Decision::Reject;
    if (answer == "s" || answer == "skip") return Decision::Skip;
    if (answer == "q" || answer == "quit") return Decision::Quit;
    if (answer != "a" && answer != "accept") continue;
    while (Ask("reason, for those who come later: ", reason)) {
      if (IsReason(reason)) return Decision::Accept;
    }
    return Decision::Quit;
  }
  return Decision::Quit;
}

Exit List(const std::vector<Pending>& changes, const PendingFolder& folder) {
  for (const Pending& pending : changes)
    std::printf("%s  %s\n", PendingId(pending).c_str(),
                pending.text.substr(0, pending.text.find('\n')).c_str());
  std::fprintf(stderr, "%zu pending in %s\n", changes.size(), folder.path().c_str());
  return changes.empty() ? Exit::Fine : Exit::Findings;
}

}  // namespace

Exit RunReview(const Session& session, const ReviewArguments& arguments) {
  const bool terminal = base::IsTerminal(base::Stream::In);
  if (!arguments.list && UnderCi()) return RefuseUnderCi(session);
  if (!arguments.list && !terminal) {
    return Refuse(Exit::Usage, "a review needs a terminal, and a person at it",
                  session.program + " review --list, then approve --pending ID --reason \"...\"");
  }
  const std::vector<Pending> changes = PendingChanges(session);
  const PendingFolder folder = FolderOf(session);
  if (const auto written = folder.Replace(changes); !written)
    return Refuse(Exit::Environment, written.error());
  if (arguments.list) return List(changes, folder);
  std::size_t accepted = 0, rejected = 0, skipped = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::string reason;
    const Decision decision = Decide(changes[i], i + 1, changes.size(), reason);
    if (decision == Decision::Quit) break;
    if (decision == Decision::Skip) {
      ++skipped;
    } else if (decision == Decision::Reject) {
      ++rejected;
      folder.Remove(changes[i]);
      std::printf("rejected. What mends it:\n%s\n", Indented(changes[i].fix).c_str());
    } else if (const Exit exit = Accept(session, changes[i], reason); exit != Exit::Fine) {
      return exit;
    } else {
      ++accepted;
    }
  }
  std::printf("\n%zu accepted, %zu rejected, %zu skipped, %zu not looked at\n", accepted, rejected,
              skipped, changes.size() - accepted - rejected - skipped);
  return accepted == changes.size() ? Exit::Fine : Exit::Findings;
}

}  // namespace revctl::harness
