// Steps that cut releases from the target and cherry-pick commits onto them.
#include <algorithm>

#include "tests/scenarios/histories/player.h"

namespace revctl::testing {

void Player::Cut(const Step& step) {
  const std::string person = World::People()[step.b % 3],
                    release = "release/" + std::to_string(step.id);
  Fetch(person);
  world_.Git(person, {"push", "-q", "--no-verify", "origin", "origin/main:refs/heads/" + release});
  releases_[release] = states_.back().list;
}

void Player::Hotfix(const Step& step) {
  if (releases_.empty()) return Cut(step);
  auto chosen = releases_.begin();
  std::advance(chosen, step.b % releases_.size());
  const std::string release = chosen->first;
  const Entries was = chosen->second;
  const std::string person = World::People()[step.a % 3], upstream = "origin/" + release;
  Fetch(person);
  // The branch has no upstream, so only its history shows that it belongs to a release.
  world_.Git(person,
             {"checkout", "-q", "--no-track", "-b", "fix" + std::to_string(step.id), upstream});
  checked_out_[person].clear();
  auto fresh = world_.Own(person, Target(person), world_.Tip(person, "refs/remotes/" + upstream));
  std::erase_if(fresh, [](const git::CommitInfo& commit) { return commit.parents.size() != 1; });
  if (fresh.empty()) return;
  std::reverse(fresh.begin(), fresh.end());
  // Pick one commit, or all commits up to it, as when back-porting a feature.
  const std::size_t last = step.c % fresh.size();
  if (step.b % 3 == 0) fresh = {fresh[last]};
  else fresh.resize(last + 1);
  std::vector<std::string> pick{"cherry-pick", "--keep-redundant-commits"};
  std::set<std::string> may;
  for (const auto& [name, number] : was) may.insert(name);
  for (const git::CommitInfo& commit : fresh) {
    pick.push_back(commit.id);
    may.merge(AddedBy(person, commit));
  }
  Join(person, pick);
  const std::vector<std::string> gate{"--target", upstream};
  if (!BeginsWith(world_.ListOf(person), was)) {
    // A picked commit has removed landed entries, because git did not call the driver.
    ++seen_["a list that git took without asking"];
    const auto told = Check(person, gate);
    if (std::none_of(told.begin(), told.end(),
                     [](const Told& one) { return one.rule >= "RV003" && one.rule <= "RV005"; }))
      throw Broken("hotfix to " + release +
                   ": check does not report the revisions missing from the release");
    world_.Fix(person);
    CommitAll(person, "fixed");
  }
  const Entries picked = world_.ListOf(person), landed = Landed(person);
  const auto broken = [&](const std::string& why) {
    throw Broken("hotfix to " + release + ": " + why + "\nthe release: " + Text(was) +
                 "\npicked: " + Text(picked) + "\nthe target: " + Text(landed));
  };
  for (const auto& [name, number] : picked) {
    if (!may.contains(name)) broken(name + " comes along, which no picked commit added");
  }
  if (!BeginsWith(picked, was)) broken("what the release had does not stand");
  auto told = Check(person, gate);
  const auto bad = std::find_if(told.begin(), told.end(), [](const Told& one) {
    return one.rule == "RV018" && one.fix.find("revctl fix") == std::string::npos;
  });
  std::set<std::string> names;
  for (const auto& [name, number] : picked) names.insert(name);
  bool without = false, hole = false;
  for (const auto& [name, number] : landed) {
    without = without || !names.contains(name);
    hole = hole || (without && names.contains(name));
  }
  // A picked revision has been reverted on the target in the meantime.
  const bool own = std::any_of(picked.begin(), picked.end(),
                               [&](const auto& entry) { return !Has(landed, entry.first); });
  if ((hole || own) != (bad != told.end())) {
    broken(hole || own ? "check does not miss what stands before" : "check says " + bad->message);
  }
  if (hole || own) {
    ++seen_["a hotfix that cannot be back-ported"];
    const auto push = world_.TryGit(
        person, {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/" + release});
    if (push.status == 0) broken("the server takes it");
    return;
  }
  RunFixes(person, gate);
  const Entries now = world_.ListOf(person);
  if (!BeginsWith(landed, now)) broken("is no prefix of the target: " + Text(now));
  Push(person, release);
  if (now.size() > was.size()) ++seen_["a back-ported revision"];
  chosen->second = now;
}

}  // namespace revctl::testing
