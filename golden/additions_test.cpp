// Tests that the store detects edits of additions and approvals: their file names contain a hash of
// the content.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "golden/store.h"
#include "golden/store_test.h"

namespace fs = std::filesystem;

namespace {

/// A store folder with a record, an addition to this record, and an approval.
class Folder {
 public:
  Folder() : path(folder_.path()) {
    revctl::golden::RevisionRecord record;
    record.revision = "SR_A";
    record.number = 1;
    record.provenance = {"record", "SR_A", "g++", "0.1.0", 1};
    revctl::golden::PayloadPack payloads;
    const std::byte bytes[] = {std::byte{7}};
    record.cases.push_back({"Score", "one", payloads.Add(bytes), 1, {{"p1Score", "7"}}, {}});
    REQUIRE(revctl::golden::WriteRecord(path, record, payloads, false).ok());
    record.cases[0].name = "two";
    addition = revctl::golden::WriteAddition(path, record, payloads).value();
    revctl::golden::Approval rename;
    rename.type = "Score";
    rename.from = "p1Score";
    rename.to = "ours";
    rename.reason = "it is ours";
    approval = revctl::golden::WriteApproval(path, rename).value();
  }

  std::string Get(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(path + "/" + name, std::ios::binary).rdbuf();
    return out.str();
  }
  void Put(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name, std::ios::binary) << text;
  }
  void Edit(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = Get(name);
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    Put(name, text);
  }

 private:
  revctl::golden::testing::Folder folder_;

 public:
  std::string path, addition, approval;
};

/// Returns the store's only problem, and checks that the store ignores the content of that file.
revctl::golden::Error OnlyProblem(const Folder& folder) {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path);
  REQUIRE(store.problems().size() == 1);
  revctl::golden::Error problem = store.problems().front();
  problem.file = problem.file.substr(folder.path.size() + 1);
  CHECK(store.records().size() + store.approvals().size() == 2);
  return problem;
}

}  // namespace

TEST_CASE("store: reads additions and approvals, even with CRLF", "[golden][store]") {
  const Folder folder;
  for (const bool crlf : {false, true}) {
    if (crlf) {
      folder.Edit(folder.addition, "\n", "\r\n");
      folder.Edit(folder.approval, "\n", "\r\n");
    }
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path);
    CHECK(store.problems().empty());
    CHECK(store.records().size() == 2);
    CHECK(store.approvals().size() == 1);
  }
}

TEST_CASE("store: rejects an edited file that kept its name", "[golden][store]") {
  const Folder folder;
  const bool approval = GENERATE(true, false);
  const std::string file = approval ? folder.approval : folder.addition;
  folder.Edit(file, approval ? "to: ours" : "p1Score: 7", approval ? "to: mine" : "p1Score: 8");
  const revctl::golden::Error problem = OnlyProblem(folder);
  CHECK(problem.file == file);
  CHECK_THAT(problem.message, Catch::Contains("was edited after it was written"));
  CHECK_THAT(problem.fix, Catch::Contains("git checkout -- "));
  // Renaming the file as the message suggests must repair the store.
  const std::string own = problem.fix.substr(problem.fix.find("rename it to ") + 13);
  const std::string renamed = own.substr(0, own.find(','));
  fs::rename(folder.path + "/" + file, folder.path + "/" + renamed);
  const auto payloads = [](std::string name) {
    return name.replace(name.rfind('.'), 5, ".golden");
  };
  if (!approval)
    fs::rename(folder.path + "/" + payloads(file), folder.path + "/" + payloads(renamed));
  CHECK(revctl::golden::Store::Open(folder.path).problems().empty());
}

TEST_CASE("store: reports an LFS pointer in place of an approval", "[golden][store]") {
  const Folder folder;
  const bool approval = GENERATE(true, false);
  const std::string file = approval ? folder.approval : folder.addition;
  folder.Put(file, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
  const revctl::golden::Error problem = OnlyProblem(folder);
  CHECK(problem.file == file);
  CHECK_THAT(problem.message, Catch::Contains("Git LFS pointer"));
  CHECK(problem.fix == "git lfs pull");
}

TEST_CASE("store: reports files that are ignored but named like additions", "[golden][store]") {
  const Folder folder;
  const std::string stray =
      GENERATE("SR_A+12345.yaml", "SR_A+copy.golden", "approved/by-hand.yaml");
  folder.Put(stray, "version: 1\n");
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path);
  REQUIRE(store.problems().size() == 1);
  CHECK(store.problems()[0].file == folder.path + "/" + stray);
  CHECK_THAT(store.problems()[0].message, Catch::Contains("is ignored: "));
  fs::remove(folder.path + "/" + stray);
  folder.Put("README.md", "ours");
  folder.Put("approved/.gitkeep", "");
  CHECK(revctl::golden::Store::Open(folder.path).problems().empty());
}
