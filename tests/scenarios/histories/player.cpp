#include "tests/scenarios/histories/player.h"

#include <algorithm>
#include <array>

#include "revctl/ledger/event.h"

namespace revctl::testing {

std::string Text(const Step& step) {
  static constexpr std::array<const char*, static_cast<std::size_t>(Step::Kind::kCount)> kNames = {
      "a branch begins",
      "a branch on a branch",
      "a revision",
      "rebase",
      "rebase, reordered",
      "rebase, autosquash",
      "merge of the target",
      "merge of a branch",
      "squash of a branch",
      "the branch's squash",
      "cherry-pick",
      "revert",
      "amend",
      "fix",
      "landing",
      "landing, squashed",
      "landing by one command",
      "the button of a host",
      "a merge by hand",
      "revert of what has landed",
      "a release is cut",
      "a hotfix"};
  return "step " + std::to_string(step.id) + ": " + kNames[static_cast<std::size_t>(step.kind)];
}

void Player::Play(const Step& step) {
  using Kind = Step::Kind;
  world_.Say(Text(step));
  ++seen_[Text(step).substr(Text(step).find(": ") + 2)];
  if (states_.empty()) {
    const git::Oid first = world_.Tip(World::kServer, "refs/heads/main");
    states_.push_back({first, world_.ListAt(World::kServer, first)});
  }
  Branch* const branch = Choose(step.a);
  if (branch == nullptr) return Begin(step);
  switch (step.kind) {
    case Kind::Begin:
      Begin(step);
      break;
    case Kind::Stack:
      Stack(step);
      break;
    case Kind::Add:
      Add(step, false);
      break;
    case Kind::Amend:
      Add(step, true);
      break;
    case Kind::Rebase:
      Rebase(step);
      break;
    case Kind::Reorder:
      Reorder(step);
      break;
    case Kind::Autosquash:
      Autosquash(step);
      break;
    case Kind::MergeTarget:
      Fetch(branch->person);
      MergeTarget(*branch);
      break;
    case Kind::MergeBranch:
      MergeBranch(step, false);
      break;
    case Kind::SquashIn:
      MergeBranch(step, true);
      break;
    case Kind::SquashOwn:
      SquashOwn(step);
      break;
    case Kind::Pick:
      Pick(step);
      break;
    case Kind::Revert:
      Revert(step);
      break;
    case Kind::Renumber:
      Fetch(branch->person);
      Renumber(*branch, step.b % 3 == 0);
      break;
    case Kind::Land:
      Land(step, false);
      break;
    case Kind::LandSquashed:
      Land(step, true);
      break;
    case Kind::LandByCommand:
      LandByCommand(step);
      break;
    case Kind::Button:
      Button(step);
      break;
    case Kind::HandMerge:
      HandMerge(step);
      break;
    case Kind::RevertLanded:
      RevertLanded(step);
      break;
    case Kind::Cut:
      Cut(step);
      break;
    case Kind::Hotfix:
      Hotfix(step);
      break;
    case Kind::kCount:
      break;
  }
  CheckServer();
  CheckLedger();
}

Branch* Player::Choose(std::uint32_t which) {
  return branches_.empty() ? nullptr : &branches_[which % branches_.size()];
}

void Player::On(const Branch& branch) {
  std::string& here = checked_out_[branch.person];
  if (here == branch.name) return;
  world_.Git(branch.person, {"checkout", "-q", branch.name});
  here = branch.name;
}

void Player::Fetch(const std::string& person) { world_.Git(person, {"fetch", "-q"}); }

git::Oid Player::Target(const std::string& person) const {
  return world_.Tip(person, "refs/remotes/origin/main");
}

Entries Player::Landed(const std::string& person) const {
  return world_.ListAt(person, Target(person));
}

std::vector<git::CommitInfo> Player::Own(const Branch& branch) const {
  return world_.Own(branch.person, world_.Tip(branch.person, "refs/heads/" + branch.name),
                    Target(branch.person));
}

std::set<std::string> Player::AddedBy(const std::string& person,
                                      const git::CommitInfo& commit) const {
  std::set<std::string> added;
  if (commit.parents.size() != 1) return added;
  const Entries before = world_.ListAt(person, commit.parents[0]);
  for (const auto& [name, number] : world_.ListAt(person, commit.id)) {
    if (!Has(before, name)) added.insert(name);
  }
  return added;
}

bool Player::PlainAdds(const Branch& branch, const std::vector<git::CommitInfo>& own) const {
  return std::all_of(own.begin(), own.end(), [&](const git::CommitInfo& commit) {
    return commit.parents.size() == 1 &&
           BeginsWith(world_.ListAt(branch.person, commit.id),
                      world_.ListAt(branch.person, commit.parents[0])) &&
           !AddedBy(branch.person, commit).empty();
  });
}

std::string Player::Reach(const std::string& person, const Branch& other) {
  if (other.person == person) return other.name;
  world_.Git(other.person, {"push", "-q", "-f", "--no-verify", "origin", other.name});
  Fetch(person);
  return "origin/" + other.name;
}

void Player::CommitAll(const std::string& person, const std::string& message, bool amend) {
  if (new_files_) world_.Git(person, {"add", "-A"});
  new_files_ = false;
  std::vector<std::string> commit{"commit", "-q", "--no-verify", "-a"};
  if (amend) commit.insert(commit.end(), {"--amend", "--no-edit"});
  else commit.insert(commit.end(), {"-m", message});
  world_.Git(person, commit);
}

void Player::CheckBranch(Branch& branch) const {
  const Entries list = world_.ListOf(branch.person);
  branch.Keep(list);
  const auto broken = [&](const std::string& why) {
    throw Broken(branch.person + "'s " + branch.name + ": " + why + "\nthe list: " + Text(list) +
                 "\nthe target: " + Text(Landed(branch.person)));
  };
  if (const std::string why = Unsound(list); !why.empty()) broken(why);
  if (world_.ListAt(branch.person, world_.Tip(branch.person, "HEAD")) != list)
    broken("the work tree's list is not the commit's");
  for (const std::string& name : branch.names) {
    if (!Has(list, name) && !loose_.contains(name)) broken(name + " is lost");
  }
  for (const auto& [name, number] : list) {
    if (!branch.names.contains(name) && !loose_.contains(name) && !Has(states_[0].list, name) &&
        !Has(states_.back().list, name))
      broken(name + " has come from nowhere");
  }
  if (const Entries landed = LandedIn(branch); !BeginsWith(list, landed))
    broken("landed revisions do not stand: " + Text(landed));
  if (const std::string why = branch.Wrong(list, Landed(branch.person)); !why.empty()) broken(why);
  const Files here = [&](const std::string& file) { return world_.Read(branch.person, file); };
  if (const std::string why = Unfit(list, here); !why.empty()) broken(why);
}

Entries Player::LandedIn(const Branch& branch) const {
  for (auto state = states_.rbegin(); state != states_.rend(); ++state) {
    if (world_.IsAncestor(branch.person, state->commit, world_.Tip(branch.person, "HEAD")) &&
        world_.IsAncestor(branch.person, state->commit, branch.met))
      return state->list;
  }
  return {};
}

void Player::CheckServer() {
  const git::Oid tip = world_.Tip(World::kServer, "refs/heads/main");
  if (tip == states_.back().commit) return;
  const Entries list = world_.ListAt(World::kServer, tip);
  if (!BeginsWith(list, states_.back().list))
    throw Broken("the target lost landed revisions: " + Text(states_.back().list) +
                 "\nnow: " + Text(list));
  if (const std::string why = Unsound(list); !why.empty())
    throw Broken("the target's list is invalid: " + why + "\n" + Text(list));
  CheckGoldens(list);
  states_.push_back({tip, list});
}

void Player::CheckLedger() {
  const git::Oid tip = world_.Tip(World::kServer, "refs/revctl/ledger");
  git::Oid at = tip;
  while (!at.empty() && at != ledger_) {
    const git::CommitInfo commit = world_.Commit(World::kServer, at);
    const auto event = ledger::ParseEvent(commit.message);
    for (const auto& step : event ? event->steps : std::vector<ledger::Step>{}) {
      const auto [owner, fresh] = given_.emplace(step.number, step.name);
      if (owner->second != step.name)
        throw Broken(std::to_string(step.number) + " was assigned to " + owner->second +
                     " and to " + step.name);
    }
    at = commit.parents.empty() ? git::Oid{} : commit.parents[0];
  }
  ledger_ = tip;
  for (const auto& [name, number] : states_.back().list) {
    const auto owner = given_.find(number);
    if (owner != given_.end() && owner->second != name)
      throw Broken(name + " has landed as " + std::to_string(number) + ", which is " +
                   owner->second + "'s");
  }
}

void Player::Finish(std::uint32_t turn) {
  // Check every commit in the target's history, including those below the tip of a push.
  for (std::size_t i = 1; i < states_.size(); ++i) {
    git::Oid at = states_[i].commit;
    while (!world_.IsAncestor(World::kServer, at, states_[i - 1].commit)) {
      const Entries list = world_.ListAt(World::kServer, at);
      if (list.empty()) throw Broken(at + " on the target has no readable list");
      const git::CommitInfo commit = world_.Commit(World::kServer, at);
      if (const std::string why = Unsound(list); !why.empty())
        throw Broken(at + " on the target has an invalid list: " + why + "\n" + Text(list));
      const Files there = [&](const std::string& file) {
        return world_.FileAt(World::kServer, at, file);
      };
      if (const std::string why = Unfit(list, there); !why.empty())
        throw Broken(at + " on the target: " + why);
      // Compile the commits only with --full, because each one takes a compiler run.
      if (builds_) {
        if (const std::string why = world_.BuildErrors(at); !why.empty())
          throw Broken(at + " on the target does not build: " + why);
        ++seen_["commits of the target that build"];
      }
      if (commit.parents.empty()) break;
      at = commit.parents[0];
    }
  }
  // Run the gate on every state that was pushed to the target.
  if (states_.size() > 1) Fetch("dan");
  for (std::size_t i = 1; i < states_.size(); ++i) {
    const git::Oid& before = states_[i - 1].commit;
    auto told = Check("dan", {"--head", states_[i].commit, "--target", before, "--base", before});
    // Ignore findings about reservations, because landing has closed the reservations. The server
    // had already checked the push against the ledger.
    std::erase_if(told, [](const Told& one) { return one.rule == "RV011" || one.rule == "RV012"; });
    if (!told.empty())
      throw Broken("the target fails check at " + states_[i].commit + ": " + told[0].rule + " " +
                   told[0].message);
  }
  Fetch("dan");
  world_.Git("dan", {"checkout", "-q", "-f", "--detach", "origin/main"});
  Step last;
  last.id = last.b = turn;
  Mangle("dan", last);
}

}  // namespace revctl::testing
