// Steps that add revisions and join branches.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/scenarios/histories/player.h"

namespace revctl::testing {

/// Returns a name with random letters, so that alphabetical order carries no meaning.
std::string Player::NewName(const Step& step, unsigned which) const {
  const std::uint32_t letters = (step.c + 7919 * which) * 2654435761U;
  return std::string("SR_") + static_cast<char>('A' + (letters >> 8) % 26) +
         static_cast<char>('A' + (letters >> 16) % 26) + std::to_string(step.id) +
         std::string(which, 'X');
}

void Player::Begin(const Step& step) {
  const std::string person = World::People()[step.b % 3];
  Branch branch;
  branch.person = person;
  branch.name = "b" + std::to_string(step.id);
  if (step.c % 2 == 0) Fetch(person);
  world_.Git(person, {"checkout", "-q", "--no-track", "-b", branch.name, "origin/main"});
  checked_out_[person] = branch.name;
  branch.met = Target(person);
  for (const auto& [name, number] : world_.ListOf(person)) branch.names.insert(name);
  branches_.push_back(branch);
  for (unsigned i = 0; i <= step.c % 3; ++i) {
    Step add = step;
    add.a = static_cast<std::uint32_t>(branches_.size() - 1);
    add.b = step.b / 3 + i;
    add.c = step.c / 3 + i * 977;
    Add(add, false);
  }
}

void Player::Stack(const Step& step) {
  const Branch base = *Choose(step.a);
  const std::string person = World::People()[step.b % 3];
  const std::string from = Reach(person, base);
  Branch branch = base;
  branch.person = person;
  branch.name = "b" + std::to_string(step.id);
  world_.Git(person, {"checkout", "-q", "--no-track", "-b", branch.name, from});
  checked_out_[person] = branch.name;
  branches_.push_back(branch);
  Step add = step;
  add.a = static_cast<std::uint32_t>(branches_.size() - 1);
  Add(add, false);
}

void Player::Insert(const std::string& person, const std::string& name, const Step& step) {
  const Entries list = world_.ListOf(person);
  std::string text = world_.Read(person, World::kList);
  std::string entry = "    " + name;
  if (step.b % 4 != 0)
    entry += "=" + std::to_string(list.back().second + 1 + (step.b % 5 == 0 ? 2 : 0));
  entry += step.c % 2 == 0 ? ",// by hand\n" : ",\n";
  text.insert(text.rfind("};"), entry);
  world_.Write(person, World::kList, text);
}

void Player::Add(const Step& step, bool amend) {
  Branch& branch = *Choose(step.a);
  On(branch);
  if (amend) {
    const auto own = Own(branch);
    if (own.empty() || own[0].parents.size() != 1) return;
  }
  for (unsigned i = 0; i <= (step.c % 7 == 0 ? 1U : 0U); ++i) {
    const std::string name = NewName(step, i);
    const Entries list = world_.ListOf(branch.person);
    if (Has(list, name)) continue;
    if ((step.c / 7) % 3 == 0) {
      const auto reserved = world_.Revctl(branch.person, {"reserve", name});
      if (reserved.status != 0) throw Broken("reserve " + name + ": " + reserved.err);
    } else {
      Insert(branch.person, name, step);
    }
    branch.Add(name, list);
    new_files_ = true;
    if (step.c % 3 == 0)
      world_.Write(branch.person, "src/" + name + ".cpp", "ADD(" + name + ", x);\n");
  }
  world_.Shell(branch.person, "sh record");
  CommitAll(branch.person, "revision " + std::to_string(step.id), amend);
  CheckBranch(branch);
}

void Player::RebaseOnto(Branch& branch, std::vector<std::string> arguments,
                        const std::vector<std::string>& environment, bool reorders) {
  On(branch);
  const Entries before = world_.ListOf(branch.person);
  const auto own = Own(branch);
  const bool straight = std::all_of(own.begin(), own.end(), [](const git::CommitInfo& commit) {
    return commit.parents.size() == 1;
  });
  arguments.insert(arguments.begin(), {"rebase", "-q"});
  Join(branch.person, arguments, environment);
  branch.met = Target(branch.person);
  // The branch may revert revisions that a different branch has landed in the meantime.
  std::vector<Entries> sides;
  for (const auto& commit : own) sides.push_back(world_.ListAt(branch.person, commit.id));
  RestoreLanded(branch, sides);
  for (const auto& [name, number] : Landed(branch.person)) branch.names.insert(name);
  const Entries after = world_.ListOf(branch.person), landed = Landed(branch.person);
  // A rebase drops merge commits, so if the branch received a revision twice, only its first
  // position remains.
  if (reorders || !straight) branch.Forget(after);
  CheckBranch(branch);
  if (const std::string turned = Turned(before, after, landed);
      straight && !reorders && !turned.empty())
    throw Broken("rebase of " + branch.name + ": " + turned + "\nbefore: " + Text(before) +
                 "\nafter: " + Text(after));
}

void Player::Rebase(const Step& step) {
  Branch& branch = *Choose(step.a);
  Fetch(branch.person);
  if (step.b % 3 == 0) RebaseOnto(branch, {"--apply", "origin/main"});
  else RebaseOnto(branch, {"origin/main"});
}

void Player::Reorder(const Step& step) {
  Branch& branch = *Choose(step.a);
  Fetch(branch.person);
  On(branch);
  const auto own = Own(branch);
  if (own.size() < 2 || !PlainAdds(branch, own)) return;
  RebaseOnto(branch, {"-i", "--empty=drop", "origin/main"},
             {"GIT_SEQUENCE_EDITOR=sh -c 'grep ^pick \"$1\" | tac > \"$1.new\"; mv \"$1.new\" "
              "\"$1\"' -"},
             true);
}

void Player::Autosquash(const Step& step) {
  Branch& branch = *Choose(step.a);
  Fetch(branch.person);
  On(branch);
  const auto own = Own(branch);
  if (own.empty() || !PlainAdds(branch, own)) return;
  const git::CommitInfo& into = own[step.b % own.size()];
  const std::string name = NewName(step, 0);
  const Entries list = world_.ListOf(branch.person);
  Insert(branch.person, name, step);
  // Autosquash moves the fixup before the commits that follow `into`, so the new revision may end
  // up before or after their revisions.
  branch.Add(name, world_.ListAt(branch.person, into.id));
  world_.Shell(branch.person, "sh record && git add golden");
  world_.Git(branch.person, {"commit", "-q", "--no-verify", "-a", "--fixup=" + into.id});
  RebaseOnto(branch, {"-i", "--empty=drop", "--autosquash", "origin/main"},
             {"GIT_SEQUENCE_EDITOR=true"}, true);
}

void Player::MergeTarget(Branch& branch) {
  On(branch);
  const Entries before = world_.ListOf(branch.person);
  Join(branch.person, {"merge", "-q", "--no-edit", "origin/main"});
  branch.met = Target(branch.person);
  RestoreLanded(branch, {before});
  for (const auto& [name, number] : Landed(branch.person)) branch.names.insert(name);
  CheckBranch(branch);
  const Entries after = world_.ListOf(branch.person), landed = Landed(branch.person);
  if (const std::string turned = Turned(before, after, landed); !turned.empty())
    throw Broken("merge of the target into " + branch.name + ": " + turned +
                 "\nbefore: " + Text(before) + "\nafter: " + Text(after));
}

void Player::Squash(const std::string& person, const std::string& from,
                    const std::string& message) {
  // Name the authors of the squashed commits, as hosts' merge buttons do.
  std::set<std::string> trailers;
  std::istringstream authors(
      world_.TryGit(person, {"log", "--format=Co-authored-by: %an <%ae>", "HEAD.." + from}).out);
  for (std::string line; std::getline(authors, line);) trailers.insert(line);
  std::string whole = message + "\n";
  for (const std::string& line : trailers) whole += "\n" + line;
  Join(person, {"merge", "-q", "--squash", from});
  world_.Git(person, {"commit", "-q", "--no-verify", "--allow-empty", "-m", whole});
}

void Player::MergeBranch(const Step& step, bool squash) {
  Branch& branch = *Choose(step.a);
  const Branch other = *Choose(step.b);
  if (other.name == branch.name) return;
  const std::string from = Reach(branch.person, other);
  On(branch);
  const Entries mine = world_.ListOf(branch.person);
  const Entries theirs = world_.ListAt(branch.person, world_.Tip(branch.person, from));
  if (squash) Squash(branch.person, from, "squashed " + other.name);
  else Join(branch.person, {"merge", "-q", "--no-edit", from});
  RestoreLanded(branch, {mine, theirs});
  branch.Join(other, mine, theirs);
  CheckBranch(branch);
  const Entries after = world_.ListOf(branch.person), landed = Landed(branch.person);
  for (const auto& [one, two] : {std::pair(&mine, &theirs), std::pair(&theirs, &mine)}) {
    if (const std::string turned = Turned(*one, after, landed, *two); !turned.empty())
      throw Broken("merge of " + other.name + " into " + branch.name + ": " + turned + "\nours: " +
                   Text(mine) + "\ntheirs: " + Text(theirs) + "\nafter: " + Text(after));
  }
}

void Player::SquashOwn(const Step& step) {
  Branch& branch = *Choose(step.a);
  On(branch);
  const auto own = Own(branch);
  if (own.size() < 2) return;
  // Require a linear branch, so that resetting to the parent of the oldest commit undoes only the
  // branch's own commits.
  const bool straight = std::all_of(own.begin(), own.end(), [](const git::CommitInfo& commit) {
    return commit.parents.size() == 1;
  });
  if (!straight) return;
  world_.Git(branch.person, {"reset", "-q", "--soft", own.back().parents[0]});
  world_.Git(branch.person, {"commit", "-q", "--no-verify", "--allow-empty", "-m", "all of it"});
  CheckBranch(branch);
}

void Player::Pick(const Step& step) {
  Branch& branch = *Choose(step.a);
  const Branch other = *Choose(step.b);
  if (other.name == branch.name) return;
  Reach(branch.person, other);
  On(branch);
  const Entries mine = world_.ListOf(branch.person);
  const std::string from =
      (other.person == branch.person ? "refs/heads/" : "refs/remotes/origin/") + other.name;
  const git::Oid theirs = world_.Tip(branch.person, from);
  auto own = world_.Own(branch.person, theirs, Target(branch.person));
  std::erase_if(own, [](const git::CommitInfo& commit) { return commit.parents.size() != 1; });
  if (own.empty()) return;
  std::reverse(own.begin(), own.end());
  if (step.c % 2 == 0) own = {own[step.c / 2 % own.size()]};
  std::vector<std::string> pick{"cherry-pick", "--keep-redundant-commits"};
  for (const auto& commit : own) {
    pick.push_back(commit.id);
    for (const std::string& name : AddedBy(branch.person, commit)) branch.Pick(name, other, mine);
  }
  Join(branch.person, pick);
  std::vector<Entries> sides;
  for (const auto& commit : own) {
    sides.push_back(world_.ListAt(branch.person, commit.id));
    // A commit that reverts revisions also removes them from this branch.
    for (const auto& [name, number] : world_.ListAt(branch.person, commit.parents[0])) {
      if (!Has(sides.back(), name)) loose_.insert(name);
    }
  }
  RestoreLanded(branch, sides);
  CheckBranch(branch);
  const Entries after = world_.ListOf(branch.person);
  const Entries there = world_.ListAt(branch.person, theirs);
  if (const std::string turned = Turned(mine, after, Landed(branch.person), there); !turned.empty())
    throw Broken("cherry-pick to " + branch.name + ": " + turned + "\nbefore: " + Text(mine) +
                 "\nafter: " + Text(after));
}

void Player::Revert(const Step& step) {
  Branch& branch = *Choose(step.a);
  On(branch);
  auto own = Own(branch);
  std::erase_if(own, [](const git::CommitInfo& commit) { return commit.parents.size() != 1; });
  if (own.empty()) return;
  const git::CommitInfo& commit = own[step.b % own.size()];
  const Entries before = world_.ListOf(branch.person);
  const auto names = AddedBy(branch.person, commit);
  loose_.insert(names.begin(), names.end());
  const bool last = commit.id == own[0].id && commit.id == world_.Tip(branch.person, "HEAD");
  const auto reverted = world_.TryGit(branch.person, {"revert", "--no-edit", commit.id});
  if (reverted.status != 0) {
    // Landed revisions stay in the list. If the commit contained nothing else, git reports an empty
    // commit.
    if (reverted.out.find("nothing to commit") != std::string::npos) {
      world_.TryGit(branch.person, {"revert", "--quit"});
    } else {
      FixGoldens(branch.person);
      GoOn(branch.person);
    }
  }
  RestoreLanded(branch, {world_.ListAt(branch.person, commit.parents[0])});
  for (const std::string& name : names) {
    if (last && reverted.status == 0 && !Has(Landed(branch.person), name) &&
        Has(world_.ListOf(branch.person), name))
      throw Broken(name + " is still there after its commit was reverted");
  }
  CheckBranch(branch);
  if (const std::string turned =
          Turned(before, world_.ListOf(branch.person), Landed(branch.person));
      !turned.empty())
    throw Broken("revert on " + branch.name + ": " + turned);
}

}  // namespace revctl::testing
