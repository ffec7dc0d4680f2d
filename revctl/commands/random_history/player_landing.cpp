// Steps that give numbers, and that bring revisions to the target.
#include <algorithm>

#include "revctl/commands/random_history/player.h"

namespace revctl::testing {

void Player::Renumber(Branch& branch, bool amend) {
  On(branch);
  // Before a branch has met the target, what landed from it under another number is out of line.
  if (!world_.IsAncestor(branch.person, Target(branch.person), world_.Tip(branch.person, "HEAD")))
    MergeTarget(branch);
  const Entries before = world_.ListOf(branch.person);
  const auto run = world_.Revctl(branch.person, {"renumber"});
  if (run.status != 0) throw Broken("renumber: " + run.out + run.err);
  const Entries after = world_.ListOf(branch.person);
  if (const std::string turned = Turned(before, after, Landed(branch.person)); !turned.empty())
    throw Broken("renumber: " + turned + "\nbefore: " + Text(before) + "\nafter: " + Text(after) +
                 "\n" + run.out);
  const auto own = Own(branch);
  if (after != before)
    CommitAll(branch.person, "renumbered", amend && !own.empty() && own[0].parents.size() == 1);
  CheckBranch(branch);
}

void Player::Land(const Step& step, bool squash) {
  Branch& branch = *Choose(step.a);
  Fetch(branch.person);
  if (step.b % 2 == 0) MergeTarget(branch);
  else RebaseOnto(branch, {"origin/main"});
  Renumber(branch, step.b % 3 == 0);
  auto check = world_.Revctl(branch.person, {"check"});
  if (check.status != 0) {
    throw Broken("landing of " + branch.name + ": check says\n" + check.out + check.err +
                 "\nthe list: " + Text(world_.ListOf(branch.person)) +
                 "\nthe target: " + Text(Landed(branch.person)));
  }
  const Entries list = world_.ListOf(branch.person);
  if (squash) {
    world_.Git(branch.person, {"checkout", "-q", "--detach", "origin/main"});
    checked_out_[branch.person].clear();
    world_.Git(branch.person, {"merge", "-q", "--squash", branch.name});
    world_.Git(branch.person,
               {"commit", "-q", "--no-verify", "--allow-empty", "-m", "landed " + branch.name});
  }
  const auto push =
      world_.TryGit(branch.person, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  if (push.status != 0) throw Broken("check is green, and the push is refused: " + push.err);
  if (const Entries now = world_.ListAt(World::kServer, world_.Tip(World::kServer, "main"));
      now != list)
    throw Broken("landed was " + Text(list) + "\nthe target has " + Text(now));
}

void Player::Button(const Step& step) {
  const Branch& branch = *Choose(step.a);
  Reach("dan", branch);
  world_.Git("dan", {"checkout", "-q", "--detach", "origin/main"});
  const auto merged =
      world_.TryGit("dan", {"merge", "-q", "--no-ff", "--no-edit", "origin/" + branch.name});
  if (merged.status != 0) {
    world_.Git("dan", {"merge", "--abort"});  // the button is grey
    return;
  }
  const auto push = world_.TryGit("dan", {"push", "-q", "origin", "HEAD:main"});
  if (push.status != 0) ++refused_;
}

}  // namespace revctl::testing
