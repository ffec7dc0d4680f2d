// Invariants of goldens in a history, and how their conflicts are resolved.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/scenarios/histories/player.h"

namespace revctl::testing {
namespace {

std::string File(const std::string& name, const char* ending) { return "golden/" + name + ending; }

/// Returns the text between two markers, or "" if they are missing.
std::string Between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::set<std::string> MadeWith(const std::string& record) {
  std::istringstream words(Between(record, "compiler: \"with", "\""));
  std::set<std::string> names;
  for (std::string name; words >> name;) names.insert(name);
  return names;
}

/// Returns the group of types that a revision changes, which depends on the first letter of its
/// name. Hero and Item form one group, because Hero contains Item.
char SharesTypes(const std::string& name) {
  return name[3] <= 'N' ? 'I' : name[3] <= 'T' ? 'S' : 'M';
}

}  // namespace

std::set<std::string> Player::Stale(const Entries& list, const Entries& landed,
                                    const Files& files) {
  std::set<std::string> stale, before;
  for (const auto& [name, number] : list) {
    const std::string record = files(File(name, ".yaml"));
    if (!Has(landed, name) && !record.empty()) {
      const auto made = MadeWith(record);
      for (const auto& [other, its] : list) {
        if (other == name || SharesTypes(other) != SharesTypes(name)) continue;
        if (before.contains(other) != made.contains(other)) stale.insert(name);
      }
    }
    before.insert(name);
  }
  return stale;
}

std::string Player::Unfit(const Entries& list, const Files& files) {
  for (const auto& [name, number] : list) {
    const std::string record = files(File(name, ".yaml")), payloads = files(File(name, ".golden"));
    if (record.empty() != payloads.empty()) return name + " has half of its golden";
    if (record.empty()) continue;
    if (Between(record, "revision: ", "\n") != name)
      return "the record of " + name + " belongs to another revision:\n" + record;
    const std::string payload = Between(record, "size: ", ",") == "1" ? "a" : "abc";
    if (payloads.size() != 24 + payload.size() || !payloads.ends_with(payload))
      return "the payloads of " + name + " do not match its record:\n" + record;
  }
  return "";
}

void Player::CheckGoldens(const Entries& list) {
  const git::Oid tip = world_.Tip(World::kServer, "refs/heads/main");
  const Files there = [&](const std::string& file) {
    return world_.FileAt(World::kServer, tip, file);
  };
  if (const std::string why = Unfit(list, there); !why.empty())
    throw Broken("on the target " + why);
  const auto stale = Stale(list, states_.back().list, there);
  if (!stale.empty())
    throw Broken("the goldens of " + *stale.begin() + " landed stale:\n" +
                 there(File(*stale.begin(), ".yaml")) + "the target: " + Text(list));
  for (const auto& [name, number] : list) {
    const std::string both = there(File(name, ".yaml")) + there(File(name, ".golden"));
    if (both.empty()) throw Broken(name + " has landed without goldens");
    const auto [was, fresh] = goldens_.emplace(name, both);
    if (was->second != both) throw Broken("the goldens of the landed " + name + " changed");
  }
}

std::vector<Player::Told> Player::Check(const std::string& person,
                                        std::vector<std::string> options) {
  // Use JSON, because it contains every finding. After three findings with the same cause, the text
  // output only counts the rest.
  options.insert(options.begin(), {"check", "--json"});
  const auto run = world_.Revctl(person, options);
  if (run.status > 1) throw Broken(person + ": check failed to run: " + run.err);
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  std::vector<Told> out;
  const auto report = nlohmann::json::parse(run.out);
  for (const auto& one : report.at("findings")) {
    if (one.at("severity") == "error")
      out.push_back({one.at("rule"), first_line(one.at("message")),
                     first_line(one.value("fix", std::string()))});
  }
  if (out.empty() != (run.status == 0))
    throw Broken(person + ": check exits " + std::to_string(run.status) + ":\n" + run.out);
  return out;
}

void Player::CheckStale(const std::string& person, const std::vector<Told>& told) const {
  const Entries list = world_.ListOf(person);
  const Files here = [&](const std::string& file) { return world_.Read(person, file); };
  const auto stale = Stale(list, Landed(person), here);
  std::set<std::string> said;
  for (const Told& one : told) {
    if (one.rule == "RV028") said.insert(Between(one.message, "the goldens of ", " are stale"));
  }
  for (const std::string& name : stale) {
    if (!said.contains(name))
      throw Broken(person + ": check does not report that the goldens of " + name +
                   " are stale:\n" + here(File(name, ".yaml")) + "the list: " + Text(list));
  }
  for (const std::string& name : said) {
    // If the record was made with a revision that no longer exists, the test cannot tell whether
    // the record is stale.
    const auto made = MadeWith(here(File(name, ".yaml")));
    const bool whole = std::all_of(made.begin(), made.end(),
                                   [&](const std::string& one) { return Has(list, one); });
    if (whole && !stale.contains(name))
      throw Broken(person + ": check wrongly reports that the goldens of " + name +
                   " are stale:\n" + here(File(name, ".yaml")) + "the list: " + Text(list));
  }
}

void Player::ReserveSecondNames(const std::string& person) {
  std::istringstream lines(world_.Read(person, World::kList));
  std::string rest;
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t assign = line.find('=');
    const std::size_t value = line.find_first_not_of("= ", std::min(assign, line.size()));
    if (!line.starts_with("    SR_") || value == line.npos || line.compare(value, 3, "SR_") != 0) {
      rest += line + "\n";
      continue;
    }
    names.push_back(line.substr(4, line.find_first_of(" =", 4) - 4));
  }
  if (names.empty()) return;
  world_.Write(person, World::kList, rest);
  for (const std::string& name : names) world_.Shell(person, "revctl reserve " + name);
  CommitAll(person, "a revision of its own");
  ++seen_["a name in a landed one's place"];
}

void Player::RunFix(const std::string& person, std::string command) {
  const std::string last = "revctl fix";
  if (!command.ends_with(last)) return world_.Shell(person, command);
  command.resize(command.size() - last.size());
  if (command.ends_with(" && ")) world_.Shell(person, command.substr(0, command.size() - 4));
  world_.Fix(person);
}

void Player::RunFixes(const std::string& person, std::vector<std::string> options) {
  ReserveSecondNames(person);
  for (int round = 0; round < 4; ++round) {
    const auto told = Check(person, options);
    if (told.empty()) return;
    ++seen_["fixed by what a finding prints"];
    std::set<std::string> ran;
    for (const Told& one : told) {
      std::string fix = one.fix;
      if (one.rule == "RV020" && fix.find("`record`") != std::string::npos) fix = "sh record";
      if (one.rule == "RV028") fix = "sh record --refresh-pending";
      fix = fix.substr(0, fix.find(" gives "));
      if (!fix.starts_with("git ") && !fix.starts_with("sh ") && !fix.starts_with("revctl "))
        throw Broken(person + ": " + one.rule + " has no command: " + one.message +
                     "\nfix: " + one.fix + "\nthe list: " + Text(world_.ListOf(person)) +
                     "\nthe target: " + Text(Landed(person)));
      if (fix == "revctl check --fetch") options = {"--fetch"};
      else if (ran.insert(fix).second) RunFix(person, fix);
    }
    if (ran.empty() && options.empty())
      throw Broken(person + ": " + told[0].rule + " has no command: " + told[0].message +
                   "\nfix: " + told[0].fix + "\nthe list: " + Text(world_.ListOf(person)) +
                   "\nthe target: " + Text(Landed(person)));
    // There is nothing to commit: the fix only updated an outdated copy of the ledger.
    if (world_.TryGit(person, {"status", "--porcelain"}).out.empty()) continue;
    new_files_ = true;
    CommitAll(person, "fixed");
  }
  const auto told = Check(person, options);
  if (!told.empty())
    throw Broken(person + ": the printed fixes do not fix " + told[0].rule + " " + told[0].message +
                 "\nfix: " + told[0].fix);
}

void Player::FixGoldens(const std::string& person) {
  const auto conflicts = world_.TryGit(person, {"diff", "--name-only", "--diff-filter=U"});
  std::istringstream lines(conflicts.out);
  bool any = false;
  for (std::string path; std::getline(lines, path);) {
    any = true;
    if (!path.starts_with("golden/"))
      throw Broken(person + ": " + path + " needs a human:\n" + world_.Read(person, path));
  }
  if (!any) throw Broken(person + ": git has stopped without a conflict");
  ++seen_["goldens repaired by fix"];
  world_.Fix(person);
  world_.Git(person, {"add", "-A", "golden", World::kList});
}

void Player::RestoreLanded(const Branch& branch, const std::vector<Entries>& sides) {
  const Entries list = world_.ListOf(branch.person), landed = LandedIn(branch);
  if (BeginsWith(list, landed) || std::find(sides.begin(), sides.end(), list) == sides.end())
    return;
  ++seen_["a list that git took without asking"];
  const auto told = Check(branch.person);
  if (std::none_of(told.begin(), told.end(),
                   [](const Told& one) { return one.rule >= "RV003" && one.rule <= "RV007"; }))
    throw Broken(branch.person + ": check does not report the missing landed revisions: " +
                 Text(list) + "\nlanded: " + Text(landed));
  world_.Fix(branch.person);
  CommitAll(branch.person, "fixed");
}

bool Player::GoOn(const std::string& person) {
  const auto has = [&](const char* file) {
    return world_.sandbox().Exists(person + "/.git/" + file);
  };
  const bool changes = world_.TryGit(person, {"diff", "--cached", "--quiet"}).status != 0;
  if (has("rebase-merge") || has("rebase-apply")) {
    world_.TryGit(person, {"rebase", changes ? "--continue" : "--skip"});
    return true;
  }
  if (has("CHERRY_PICK_HEAD") || has("REVERT_HEAD")) {
    const std::string operation = has("REVERT_HEAD") ? "revert" : "cherry-pick";
    if (changes || operation == "cherry-pick")
      world_.Git(person, {"commit", "-q", "--no-verify", "--no-edit", "--allow-empty"});
    else world_.Git(person, {operation, "--skip"});
    if (has("sequencer")) world_.TryGit(person, {operation, "--continue"});
    return true;
  }
  if (has("MERGE_HEAD")) world_.Git(person, {"commit", "-q", "--no-verify", "--no-edit"});
  return false;
}

void Player::Join(const std::string& person, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment) {
  const auto run = world_.TryGit(person, arguments, environment);
  // If all commits have landed, the rebase fails with this error and changes nothing.
  if (run.ok() || run.err.find("error: nothing to do") != std::string::npos) return;
  for (int stops = 0; stops < 20; ++stops) {
    const auto conflicts = world_.TryGit(person, {"diff", "--name-only", "--diff-filter=U"});
    if (conflicts.out.empty()) {
      if (stops > 0) return;
      throw Broken(person + ": git " + arguments[0] + " needs a human:\n" + run.out + run.err +
                   world_.Read(person, World::kList));
    }
    FixGoldens(person);
    if (!GoOn(person)) return;
  }
  throw Broken(person + ": git " + arguments[0] + " does not finish");
}

}  // namespace revctl::testing
