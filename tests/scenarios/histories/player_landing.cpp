// Steps that assign numbers and land revisions.
#include <algorithm>
#include <sstream>

#include "tests/scenarios/histories/player.h"

namespace revctl::testing {

void Player::Renumber(Branch& branch, bool amend) {
  On(branch);
  // Merge the target first, because until then a revision that landed with a different number is
  // out of order.
  if (!world_.IsAncestor(branch.person, Target(branch.person), world_.Tip(branch.person, "HEAD")))
    MergeTarget(branch);
  const Entries before = world_.ListOf(branch.person);
  const std::string said = world_.Fix(branch.person);
  const Entries after = world_.ListOf(branch.person);
  if (const std::string turned = Turned(before, after, Landed(branch.person)); !turned.empty())
    throw Broken("fix: " + turned + "\nbefore: " + Text(before) + "\nafter: " + Text(after) + "\n" +
                 said);
  const auto own = Own(branch);
  // Check the status as well, because `fix` may restore the target's goldens without changing the
  // list.
  if (after != before || !world_.TryGit(branch.person, {"status", "--porcelain"}).out.empty())
    CommitAll(branch.person, "renumbered", amend && !own.empty() && own[0].parents.size() == 1);
  CheckBranch(branch);
}

void Player::Push(const std::string& person, const std::string& branch) {
  const std::vector<std::string> push{"push", "-q", "--no-verify", "origin",
                                      "HEAD:refs/heads/" + branch};
  auto pushed = world_.TryGit(person, push);
  if (pushed.status != 0 && SquashAsTold(person, pushed.err)) pushed = world_.TryGit(person, push);
  if (pushed.status != 0) throw Broken("check passes, but the push is rejected: " + pushed.err);
}

bool Player::SquashAsTold(const std::string& person, const std::string& said) {
  const std::size_t at = said.find("fix: git reset --soft ");
  if (at == std::string::npos) return false;
  std::string command = said.substr(at + 5, said.find('\n', at) - at - 5);
  command.erase(command.find_last_not_of(' ') + 1);  // git pads a server's lines with spaces
  world_.Shell(person, command);
  ++seen_["a commit on the way, squashed as told"];
  return true;
}

void Player::Land(const Step& step, bool squash) {
  Branch& branch = *Choose(step.a);
  Fetch(branch.person);
  if (step.b % 2 == 0) MergeTarget(branch);
  else RebaseOnto(branch, {"origin/main"});
  Renumber(branch, step.b % 3 == 0);
  CheckStale(branch.person, Check(branch.person));
  RunFixes(branch.person);
  const Entries list = world_.ListOf(branch.person);
  if (squash) {
    world_.Git(branch.person, {"checkout", "-q", "--detach", "origin/main"});
    checked_out_[branch.person].clear();
    Squash(branch.person, branch.name, "landed " + branch.name);
  }
  Push(branch.person, "main");
  if (const Entries now = world_.ListAt(World::kServer, world_.Tip(World::kServer, "main"));
      now != list)
    throw Broken("landed: " + Text(list) + "\nthe target has " + Text(now));
}

void Player::LandByCommand(const Step& step) {
  Branch& branch = *Choose(step.a);
  On(branch);
  const Entries before = world_.ListOf(branch.person), landed = states_.back().list;
  const auto own = Own(branch);
  const bool rebase = step.b % 2 == 0;
  const bool straight = std::all_of(own.begin(), own.end(), [](const git::CommitInfo& commit) {
    return commit.parents.size() == 1;
  });
  std::vector<std::string> land{"land", "--by", rebase ? "rebase" : "merge"};
  for (int stops = 0;; ++stops) {
    const auto run = world_.Revctl(branch.person, land);
    if (run.out.starts_with("OK: nothing to land")) return;
    if (run.status == 0) break;
    if (run.status != 1 || stops == 9)
      throw Broken("land of " + branch.name + " exits with " + std::to_string(run.status) + ":\n" +
                   run.out + run.err);
    if (run.err.find("conflict with ") != std::string::npos) {
      FixGoldens(branch.person);
      land = {"land", "--continue"};
    } else if (SquashAsTold(branch.person, run.out)) {
      land = {"land", "--by", rebase ? "rebase" : "merge"};
    } else {
      if (run.out.empty()) throw Broken("land of " + branch.name + " stops:\n" + run.err);
      RunFixes(branch.person);
      land = {"land", "--by", rebase ? "rebase" : "merge"};
    }
  }
  branch.met = Target(branch.person);
  for (const auto& [name, number] : Landed(branch.person)) branch.names.insert(name);
  const Entries after = world_.ListOf(branch.person);
  if (rebase && !straight) branch.Forget(after);
  const std::string turned = Turned(before, after, landed);
  if (!turned.empty() && (straight || !rebase))
    throw Broken("land of " + branch.name + ": " + turned + "\nbefore: " + Text(before) +
                 "\nafter: " + Text(after));
  CheckBranch(branch);
  if (const Entries now = world_.ListAt(World::kServer, world_.Tip(World::kServer, "main"));
      now != after)
    throw Broken("landed: " + Text(after) + "\nthe target has " + Text(now));
}

/// Reverts a landed revision. Its line and goldens stay, or the printed fix restores them.
void Player::RevertLanded(const Step& step) {
  const std::string person = World::People()[step.b % 3];
  Fetch(person);
  auto fresh = world_.Own(person, Target(person), states_[0].commit);
  std::erase_if(fresh, [](const git::CommitInfo& commit) { return commit.parents.size() != 1; });
  if (fresh.empty()) return;
  Branch branch;
  branch.person = person;
  branch.name = "b" + std::to_string(step.id);
  branch.met = Target(person);
  world_.Git(person, {"checkout", "-q", "--no-track", "-b", branch.name, "origin/main"});
  checked_out_[person] = branch.name;
  for (const auto& [name, number] : world_.ListOf(person)) branch.names.insert(name);
  branches_.push_back(branch);
  const auto reverted =
      world_.TryGit(person, {"revert", "--no-edit", fresh[step.c % fresh.size()].id});
  if (!reverted.ok()) {
    if (reverted.out.find("nothing to commit") != std::string::npos) {
      world_.TryGit(person, {"revert", "--quit"});
    } else {
      FixGoldens(person);
      GoOn(person);
    }
  }
  // If nothing has landed since, git does not call the driver, but the gate reports the revert.
  RunFixes(person);
  const Entries list = world_.ListOf(person);
  if (!BeginsWith(list, Landed(person)))
    throw Broken("a revert also removed landed revisions: " + Text(list));
  // Reverting the revert restores the revisions.
  for (const auto& [name, number] : list) branches_.back().names.insert(name);
  CheckBranch(branches_.back());
}

void Player::Button(const Step& step) {
  const Branch& branch = *Choose(step.a);
  Reach("dan", branch);
  world_.Git("dan", {"checkout", "-q", "--detach", "origin/main"});
  const auto merged =
      world_.TryGit("dan", {"merge", "-q", "--no-ff", "--no-edit", "origin/" + branch.name});
  if (merged.status != 0) {
    world_.Git("dan", {"merge", "--abort"});  // a host disables its merge button on a conflict
    return;
  }
  const auto push = world_.TryGit("dan", {"push", "-q", "origin", "HEAD:main"});
  if (push.status != 0) ++refused_;
}

/// Damages landed lines of a valid list by hand. The gate must report every kind of damage, and the
/// server must reject it.
void Player::Mangle(const std::string& person, const Step& step) {
  const Entries list = world_.ListOf(person), landed = Landed(person);
  if (!BeginsWith(list, landed) || landed.size() < 2) return;
  std::vector<std::string> lines;
  std::istringstream text(world_.Read(person, World::kList));
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  const auto line_of = [&](const std::string& name) {
    return std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with("    " + name) && line.find_first_of("=,", 4) == 4 + name.size();
    });
  };
  const auto& [name, number] = landed[1 + step.b % (landed.size() - 1)];
  const auto line = line_of(name), before = line_of(landed[0].first);
  const bool pending = list.size() > landed.size();
  const auto own = pending ? line_of(list[landed.size()].first) : lines.end();
  if (line == lines.end() || before == lines.end() || (pending && own == lines.end()))
    throw std::runtime_error("no separate line for " + name);
  switch (step.id % 4) {
    case 0:  // changes the number
      *line = "    " + name + "=" + std::to_string(number + 1) + ",\n";
      break;
    case 1:  // changes the position
      std::swap(*line, *before);
      break;
    case 2:  // adds a pending line before it, which shifts implicit numbers
      if (pending) {
        const std::string first = list[landed.size()].first;
        lines.erase(own);
        lines.insert(line_of(name), "    " + first + ",\n");
        break;
      }
      [[fallthrough]];
    case 3:  // removes the line
      lines.erase(line_of(name));
      break;
  }
  std::string mangled;
  for (const std::string& one : lines) mangled += one;
  world_.Write(person, World::kList, mangled);
  CommitAll(person, "tidied");
  const Entries now = world_.ListOf(person);
  ++seen_["landed lines mangled by hand"];
  const auto told = Check(person);
  const auto said = [&](const std::vector<std::string>& rules, const std::string& about) {
    const bool any = std::any_of(told.begin(), told.end(), [&](const Told& one) {
      return std::find(rules.begin(), rules.end(), one.rule) != rules.end() &&
             one.message.find(about) != std::string::npos;
    });
    if (!any)
      throw Broken("check does not report " + rules[0] + " for " + (about.empty() ? "any" : about) +
                   ": " + Text(now) + "\nthe target: " + Text(landed));
  };
  std::vector<std::string> order, as_landed;
  bool renumbered = false;
  for (const auto& [one, its] : now) {
    if (!Has(landed, one)) continue;
    order.push_back(one);
    renumbered = renumbered || landed[static_cast<std::size_t>(Place(landed, one))].second != its;
  }
  for (const auto& [one, its] : landed) {
    if (Has(now, one)) as_landed.push_back(one);
    else said({"RV003", "RV005"}, one);
  }
  if (renumbered) said({"RV004"}, "");
  if (order != as_landed) said({"RV007"}, "");
  if (world_.TryGit(person, {"push", "-q", "--no-verify", "origin", "HEAD:main"}).status == 0)
    throw Broken("the server accepts a change that check rejects: " + Text(now));
  // Remove the commit to keep it out of the target's history.
  world_.Git(person, {"reset", "-q", "HEAD~1"});
}

/// Plays Dan, who has no driver. He merges the target into a branch, resolves the conflicts by hand
/// in a typical way, fixes the result with one command, and lands it.
void Player::HandMerge(const Step& step) {
  const Branch& branch = *Choose(step.a);
  Reach("dan", branch);
  Fetch("dan");
  world_.Git("dan", {"checkout", "-q", "--detach", "origin/" + branch.name});
  const Entries before = world_.ListOf("dan");
  const auto merged = world_.TryGit("dan", {"merge", "-q", "--no-edit", "origin/main"});
  bool whole = true;  // false if Dan drops pending revisions
  if (!merged.ok()) {
    const auto conflicts = world_.TryGit("dan", {"ls-files", "-u", "--", World::kList});
    if (!conflicts.out.empty()) {
      const std::string list = World::kList;
      switch (step.b % 4) {
        case 0:  // keeps both sides, as editors offer, which duplicates numbers
          world_.Shell("dan", "sed -i '/^[<=>]\\{7\\}/d' " + list);
          break;
        case 1:  // keeps ours, which drops landed entries
          world_.Git("dan", {"checkout", "--ours", "--", list});
          break;
        case 2:  // leaves the conflict markers
          break;
        case 3:  // keeps theirs, to drop pending revisions on purpose
          world_.Git("dan", {"checkout", "--theirs", "--", list});
          whole = false;
          break;
      }
      ++seen_["a conflict of the list, by hand"];
    }
    // A single command fixes the list and the goldens.
    world_.Fix("dan");
    world_.Git("dan", {"add", "-A", "golden", World::kList});
    // Dan also removes code that names the dropped revisions, because it would not compile.
    const Entries resolved = world_.ListOf("dan");
    for (const auto& [name, number] : before) {
      if (!Has(resolved, name))
        world_.Git("dan", {"rm", "-q", "--ignore-unmatch", "src/" + name + ".cpp"});
    }
    world_.Git("dan", {"commit", "-q", "--no-verify", "--no-edit"});
  }
  if (step.c % 4 != 0) Mangle("dan", step);
  RunFixes("dan");
  const Entries after = world_.ListOf("dan"), landed = Landed("dan");
  if (!BeginsWith(after, landed))
    throw Broken("a hand merge lost landed revisions: " + Text(after) +
                 "\nthe target: " + Text(landed));
  for (const auto& [name, number] : before) {
    // Revisions that were reverted on the target also disappear from a branch that merges it.
    if (Has(after, name) || loose_.contains(name)) continue;
    if (whole)
      throw Broken("a hand merge lost " + name + ": " + Text(before) + "\nafter: " + Text(after));
    loose_.insert(name);
  }
  if (const std::string turned = Turned(before, after, landed); whole && !turned.empty())
    throw Broken("a hand merge: " + turned + "\nbefore: " + Text(before) +
                 "\nafter: " + Text(after));
  Push("dan", "main");
}

}  // namespace revctl::testing
