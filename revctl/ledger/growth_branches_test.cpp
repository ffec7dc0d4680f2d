// The same for a server: any client may push thousands of branches, each with a policy, and ledgers
// of many lists in many events.
#include <catch2/catch.hpp>

#include "revctl/ledger/growth.h"
#include "revctl/ledger/state.h"
#include "revctl/server/ledger_update.h"
#include "revctl/server/policy.h"

namespace revctl {
namespace {

using namespace growth;
/// n branches, each with a policy of its own in a folder of its own.
class ManyBranches : public git::Repository {
 public:
  explicit ManyBranches(std::size_t n) : n_(n) {}

  Result<std::vector<std::pair<std::string, git::Oid>>> Refs(std::string_view) const override {
    std::vector<std::pair<std::string, git::Oid>> out;
    for (std::size_t i = 0; i < n_; ++i) out.emplace_back("refs/heads/b" + Text(i), Text(i));
    return out;
  }
  Result<std::optional<std::string>> ReadFile(const git::Oid& commit,
                                              std::string_view) const override {
    return std::optional("version: 1\nlists: [{path: list.h}]\ntarget: t" + commit + "\n");
  }
  Result<std::vector<Found>> FilesNamed(const std::vector<git::Oid>& commits,
                                        const WantedName&) const override {
    std::vector<Found> out;
    for (const git::Oid& commit : commits)
      out.push_back({{"f" + commit + "/.revctl.yaml", commit}, commit});
    return out;
  }

  // Nothing else is asked.
  Result<std::optional<git::Oid>> Resolve(std::string_view) const override {
    return std::optional<git::Oid>();
  }
  Result<std::optional<git::Oid>> RevParse(std::string_view) const override {
    return std::optional<git::Oid>();
  }
  Result<std::vector<git::TreeFile>> ListFiles(const git::Oid&, std::string_view) const override {
    return Nothing();
  }
  Result<std::optional<std::uint32_t>> ModeOf(const git::Oid&, std::string_view) const override {
    return Nothing();
  }
  Result<base::Done> CheckPaths(const git::Oid&) const override { return base::Done{}; }
  Result<git::CommitInfo> ReadCommit(const git::Oid&) const override { return Nothing(); }
  Result<std::optional<git::Oid>> MergeBase(const git::Oid&, const git::Oid&) const override {
    return Nothing();
  }
  Result<bool> IsAncestor(const git::Oid&, const git::Oid&) const override { return Nothing(); }
  Result<std::optional<std::string>> ConfigValue(const std::string&) const override {
    return Nothing();
  }
  Result<std::optional<std::string>> HeadBranch() const override { return Nothing(); }
  Result<git::Oid> WriteCommit(const git::NewCommit&) override { return Nothing(); }
  Result<bool> UpdateRef(const std::string&, const git::Oid&,
                         const std::optional<git::Oid>&) override {
    return Nothing();
  }
  Result<base::Done> DeleteRef(const std::string&) override { return Nothing(); }
  Result<std::string> Normalized(const std::string&, const std::string&) const override {
    return Nothing();
  }
  Result<git::Oid> BlobId(const std::string&) const override { return Nothing(); }

 private:
  static base::Error Nothing() { return {base::Exit::Environment, "not asked", ""}; }

  std::size_t n_;
};

/// A ledger of n lists, each with one reservation: commit 1, and each of the next ones, has it.
class ManyLists : public ManyBranches {
 public:
  explicit ManyLists(std::size_t n) : ManyBranches(0) {
    ledger::State state;
    state.id = "ab";
    for (std::size_t i = 0; i < n; ++i) {
      ledger::ListState& list = state.lists["l" + Text(i)];
      list.open.push_back({"SR_A", 1, {"ann", "ann@x"}});
      list.high_water = 1;
    }
    files_ = FormatState(state);
  }
  static git::Oid Id(std::size_t i) {
    const std::string text = Text(i);
    return std::string(40 - text.size(), '0') + text;
  }
  std::size_t states_read() const { return states_read_; }

  Result<bool> IsAncestor(const git::Oid&, const git::Oid&) const override { return true; }
  Result<git::CommitInfo> ReadCommit(const git::Oid& commit) const override {
    git::CommitInfo out;
    out.id = commit;
    const std::size_t i = std::stoul(commit);
    if (i > 1) out.parents = {Id(i - 1)};
    out.message = "reserve l0\n\nRevision: SR_N" + Text(i) + " " + Text(i) + "\n";
    return out;
  }
  Result<std::vector<git::TreeFile>> ListFiles(const git::Oid&, std::string_view) const override {
    std::vector<git::TreeFile> out;
    for (const auto& [path, text] : files_) out.push_back({path, Id(1)});
    return out;
  }
  Result<std::optional<std::string>> ReadFile(const git::Oid&,
                                              std::string_view path) const override {
    const auto file = files_.find(std::string(path));
    if (file == files_.end()) return std::optional<std::string>();
    ++states_read_;
    return std::optional(file->second);
  }

 private:
  ledger::Files files_;
  mutable std::size_t states_read_ = 0;  ///< files of them
};

/// What is said of a push of `events` to a ledger of that many lists.
std::vector<findings::Finding> Pushed(const ManyLists& repository, std::size_t events) {
  std::vector<findings::Finding> out;
  (void)commands::CheckLedgerUpdate(repository, {}, "refs/revctl/ledger", ManyLists::Id(1),
                                    ManyLists::Id(1 + events), out)
      .ok();
  return out;
}

}  // namespace

TEST_CASE("growth: many lists and events are judged in linear steps", "[growth]") {
  CHECK(Growth([](std::size_t n) { (void)Pushed(ManyLists(n), 10); }, kSmall / 2) == "");
  CHECK(Growth([](std::size_t n) { (void)Pushed(ManyLists(10), n); }, kSmall / 2) == "");
  // A push of all that both bounds allow would be 2,000 lists by 1,000 events. A list and its
  // reservation count for two.
  const ManyLists many(2000);
  const auto said = Pushed(many, 1000);
  REQUIRE(!said.empty());
  CHECK(said.back().message == "this push has too many events and reservations to judge");
  CHECK(many.states_read() < 1'000'000 / 2 + 10 * 2000);
}

TEST_CASE("growth: all branches' policies are read in linear steps", "[growth]") {
  CHECK(Growth(
            [](std::size_t n) {
              const auto policies = commands::BranchPolicies(ManyBranches(n));
              REQUIRE(policies.ok());
              REQUIRE(policies->size() == n);
            },
            kSmall) == "");
  CHECK(Growth(
            [](std::size_t n) {
              std::vector<commands::Update> updates;
              for (std::size_t i = 0; i < n; ++i)
                updates.push_back({std::string(40, '0'), Text(i), "refs/heads/b" + Text(i)});
              std::vector<std::string> unguarded;
              (void)commands::ServerPolicies(ManyBranches(n), updates, unguarded).ok();
            },
            kSmall) == "");
}

}  // namespace revctl
