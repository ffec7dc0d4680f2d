// The same for a server that asks each branch for its policy: any client may push thousands.
#include <catch2/catch.hpp>

#include "revctl/commands/server_policy.h"
#include "revctl/ledger/growth.h"

namespace revctl {
namespace {

using namespace growth;
using base::Result;

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
                                        std::string_view name) const override {
    std::vector<Found> out;
    for (const git::Oid& commit : commits)
      out.push_back({{"f" + commit + "/" + std::string(name), commit}, commit});
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
  Result<std::vector<git::FolderEntry>> ReadFolder(const git::Oid&,
                                                   std::string_view) const override {
    return Nothing();
  }
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

}  // namespace

TEST_CASE("growth: the policies of all branches are read in linear steps", "[growth]") {
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
