// Tests both implementations of Repository on real repositories, and compares them with git.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>
#include <variant>

#include "revctl/git/command.h"
#include "revctl/git/index.h"
#include "revctl/git/remote.h"
#include "revctl/git/repository.h"
#include "revctl/git/text_merge.h"
#include "tests/support/must.h"
#include "tests/support/servers.h"

using namespace revctl::git;
using revctl::base::Exit;
using revctl::base::Run;
using revctl::base::TraceRuns;
using revctl::testing::GitDaemon;
using revctl::testing::Must;
using revctl::testing::Sandbox;

namespace {

Library libgit2;

std::unique_ptr<Repository> WithLibgit2(const std::string& directory) {
  auto opened = OpenWithLibgit2(directory);
  REQUIRE(std::holds_alternative<std::unique_ptr<Repository>>(opened));
  return std::move(std::get<std::unique_ptr<Repository>>(opened));
}

std::unique_ptr<Repository> WithGit(const std::string& directory) {
  auto opened = OpenWithGit(directory);
  REQUIRE(opened.ok());
  return std::move(*opened);
}

}  // namespace

TEST_CASE("process: passes arguments unchanged", "[git]") {
  auto run = Must(Run({"printf", "%s|", "a b", "$(touch x)", "'\"", "--", ""}));
  CHECK(run.out == "a b|$(touch x)|'\"|--||");
  CHECK(Must(Run({"sh", "-c", "cat; echo no >&2; exit 3"}, {"", {}, "in", 1000})).status == 3);
  CHECK(Must(Run({"sh", "-c", "kill -9 $$"})).status == 137);
  auto none = Run({"no-such-program-here"});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().exit == Exit::Environment);
  // Send and receive more bytes at once than a pipe can hold.
  const std::string much(1 << 20, 'x');
  CHECK(Must(Run({"cat"}, {"", {}, much, std::size_t{1} << 24})).out == much);
  CHECK_FALSE(Run({"cat", "/dev/zero"}, {"", {}, "", 1 << 20}).ok());
  // A program that ignores SIGTERM, as hooks of a git daemon do, is still terminated.
  CHECK_FALSE(Run({"sh", "-c", "trap '' TERM; cat /dev/zero"}, {"", {}, "", 1 << 20}).ok());
}

TEST_CASE("process: git's output is shown without control bytes", "[git]") {
  CHECK(LastLines("one\x1b[31m\ntwo\n\n") == "one[31m\ntwo");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "line " + std::to_string(i) + "\n";
  const std::string talk = LastLines(many);
  CHECK(std::count(talk.begin(), talk.end(), '\n') <= 12);
  CHECK(talk.ends_with("line 99"));
}

TEST_CASE("repository: both implementations read the same", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/src/list.h", "one\n");
  sandbox.Write("r/golden/a.yaml", "a");
  sandbox.Write("r/golden/approved/b.yaml", "b");
  sandbox.CommitAll("r", "first\n\nbody");
  const std::string first = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("r", {"checkout", "-q", "-b", "side"});
  sandbox.Write("r/src/list.h", "two\n");
  sandbox.CommitAll("r", "second");
  const std::string second = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("r", {"checkout", "-q", "main"});
  sandbox.Write("r/x", "x");
  sandbox.CommitAll("r", "third");
  const std::string third = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("r", {"tag", "-a", "-m", "t", "v1"});
  sandbox.Write("r/.gitattributes", "*.h text eol=crlf\n");
  std::filesystem::create_symlink("list.h", sandbox.Path("r/src/link.h"));
  sandbox.CommitAll("r", "link");

  for (auto* open : {&WithLibgit2, &WithGit}) {
    auto repository = open(sandbox.Path("r/src"));
    CHECK(repository->root() == sandbox.Path("r"));
    CHECK(repository->git_dir() == sandbox.Path("r/.git"));
    CHECK(repository->common_dir() == sandbox.Path("r/.git"));
    CHECK(Must(repository->Resolve("refs/heads/side")) == second);
    CHECK(Must(repository->Resolve("refs/tags/v1")) == third);
    CHECK_FALSE(Must(repository->Resolve("refs/heads/none")).has_value());
    CHECK(Must(repository->RevParse("main~2")) == first);
    CHECK_FALSE(Must(repository->RevParse("--all")).has_value());
    CHECK_FALSE(Must(repository->RevParse("nothing here")).has_value());
    CHECK(Must(repository->ReadFile(second, "src/list.h")) == "two\n");
    CHECK_FALSE(Must(repository->ReadFile(second, "src/none.h")).has_value());
    CHECK_FALSE(Must(repository->ReadFile(second, "src")).has_value());
    const Oid head = Must(repository->Head()).value();
    CHECK_FALSE(repository->ReadFile(head, "src/link.h").ok());
    CHECK(Must(repository->ModeOf(head, "src")) == 040000U);
    CHECK(Must(repository->ModeOf(head, "src/list.h")) == 0100644U);
    CHECK(Must(repository->ModeOf(head, "src/link.h")) == 0120000U);
    CHECK_FALSE(Must(repository->ModeOf(head, "src/none")).has_value());
    CHECK_FALSE(repository->ModeOf(std::string(head.size(), 'a'), "src").ok());
    auto files = Must(repository->ListFiles(first, "golden"));
    REQUIRE(files.size() == 2);
    CHECK(files[0].path == "a.yaml");
    CHECK(files[1].path == "approved/b.yaml");
    CHECK(Must(repository->ListFiles(first, "")).size() == 3);
    CHECK(Must(repository->ListFiles(first, "none")).empty());
    CHECK(repository->CheckPaths(first).ok());
    const auto called = [](std::string_view wanted) {
      return [wanted](std::string_view name) { return name == wanted; };
    };
    const auto named = Must(repository->FilesNamed({first, third, first}, called("a.yaml")));
    REQUIRE(named.size() == 1);
    CHECK(named[0].file.path == "golden/a.yaml");
    CHECK(Must(repository->FilesNamed({first}, called("golden"))).empty());
    auto commit = Must(repository->ReadCommit(third));
    CHECK(commit.author.Text() == "ann <ann@studio.example>");
    CHECK(commit.committer.Text() == "ann <ann@studio.example>");
    CHECK(commit.parents == std::vector<Oid>{first});
    const auto since = Must(repository->CommitsSince(second, third));
    REQUIRE(since.size() == 1);
    CHECK(since[0].id == third);
    CHECK(since[0].parents == std::vector<Oid>{first});
    CHECK(Must(repository->CommitsSince(third, third)).empty());
    CHECK(Must(repository->ReadCommit(first)).message == "first\n\nbody\n");
    CHECK(Must(repository->MergeBase(second, third)) == first);
    CHECK(Must(repository->IsAncestor(first, third)));
    CHECK_FALSE(Must(repository->IsAncestor(second, third)));
    CHECK(Must(repository->HeadBranch()) == "main");
    CHECK(Must(repository->ConfigValue("user.name")) == "ann");
    CHECK_FALSE(Must(repository->ConfigValue("user.none")).has_value());
    CHECK(Must(repository->Normalized("src/list.h", "a\r\nb\r\n")) == "a\nb\n");
    // If no filter changes the text, nothing is written, so a check also works on a read-only disk.
    CHECK(Must(repository->Normalized("src/list.h", "unwritten\n")) == "unwritten\n");
    CHECK_FALSE(
        sandbox.Run("r", {"git", "cat-file", "-e", Must(repository->BlobId("unwritten\n"))}).ok());
    CHECK(Must(repository->BlobId("x")) == sandbox.Git("r", {"rev-parse", third + ":x"}));
    CHECK(Must(repository->Refs("refs/heads/")).size() == 2);
    CHECK(Must(repository->ReadStaged("src/list.h")) == "one\n");
    CHECK_FALSE(Must(repository->ReadStaged("none")).has_value());
    CHECK(Must(repository->Identity()).Text() == "ann <ann@studio.example>");
  }
}

TEST_CASE("repository: both implementations walk a fetched shallow clone", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  for (const char* name : {"first", "second", "third"})
    sandbox.Git("r", {"commit", "-q", "--allow-empty", "-m", name});
  const std::string third = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git(".", {"clone", "-q", "--depth=1", "file://" + sandbox.Path("r"), "shallow"});
  sandbox.Git("shallow", {"checkout", "-q", "-b", "own"});
  sandbox.Git("shallow", {"-c", "user.name=n", "-c", "user.email=n@x.example", "commit", "-q",
                          "--allow-empty", "-m", "own"});
  const std::string own = sandbox.Git("shallow", {"rev-parse", "HEAD"});
  // The walk is ordered by date, so this commit must be newer than all others.
  sandbox.Run("r", {"git", "commit", "-q", "--allow-empty", "-m", "fourth"},
              {"GIT_COMMITTER_DATE=2040-01-01T00:00:00Z"});
  const std::string fourth = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("shallow", {"fetch", "-q"});
  for (auto* open : {&WithLibgit2, &WithGit}) {
    auto repository = open(sandbox.Path("shallow"));
    CHECK(Must(repository->IsAncestor(third, fourth)));
    CHECK(Must(repository->IsAncestor(third, own)));
    CHECK(Must(repository->MergeBase(third, fourth)) == third);
    CHECK(Must(repository->MergeBase(own, fourth)) == third);
    CHECK_FALSE(Must(repository->IsAncestor(fourth, third)));
    CHECK_FALSE(Must(repository->IsAncestor(own, fourth)));
    CHECK_FALSE(Must(repository->IsAncestor(fourth, own)));
  }
}

TEST_CASE("repository: the identity is the same as git's, for any setting", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::vector<std::vector<std::string>> settings = {
      {"user.name", "Ann B. Clark"},   {"user.name", " ann, "},
      {"user.name", "a<n>n"},          {"user.name", "J\xc3\xbcrgen"},
      {"author.name", "bot"},          {"author.email", "bot@x.example"},
      {"user.email", "<a@b.example>"}, {"author.email", "a b@c.example."},
      {"user.name", "\xc3\xbc."}};
  for (const auto& setting : settings) {
    INFO(setting[0] + "=" + setting[1]);
    sandbox.Git("r", {"config", setting[0], setting[1]});
    const std::string said = sandbox.Git("r", {"var", "GIT_AUTHOR_IDENT"});
    CHECK(Must(WithLibgit2(sandbox.Path("r"))->Identity()).Text() ==
          said.substr(0, said.rfind("> ") + 1));
  }
  sandbox.Git("r", {"config", "author.name", "..."});
  CHECK_FALSE(WithLibgit2(sandbox.Path("r"))->Identity().ok());
}

TEST_CASE("repository: reads staged content from every index format", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Git("r", {"commit", "-q", "--allow-empty", "-m", "first"});
  sandbox.Write("r/list.h", "staged\n");
  sandbox.Git("r", {"add", "list.h"});
  sandbox.Write("r/list.h", "changed\n");
  const auto staged = [&](const std::string& text) {
    for (auto* open : {&WithLibgit2, &WithGit}) {
      CHECK(Must(open(sandbox.Path("r"))->ReadStaged("list.h")).value_or("none") == text);
    }
  };
  staged("staged\n");
  // In hooks of `git commit -a`, git sets GIT_INDEX_FILE to a path relative to the root of the work
  // tree.
  std::filesystem::copy_file(sandbox.Path("r/.git/index"), sandbox.Path("r/.git/next-index"));
  sandbox.Git("r", {"add", "list.h"});
  staged("changed\n");
  ::setenv("GIT_INDEX_FILE", ".git/next-index", 1);
  staged("staged\n");
  ::unsetenv("GIT_INDEX_FILE");
  const auto outside = [&](bool expected) {
    for (auto* open : {&WithLibgit2, &WithGit}) {
      CHECK(open(sandbox.Path("r"))->OutsideSparseCheckout("list.h") == expected);
      CHECK_FALSE(open(sandbox.Path("r"))->OutsideSparseCheckout("none"));
    }
  };
  outside(false);
  for (const char* form : {"--index-version=4", "--split-index"}) {
    sandbox.Git("r", {"update-index", form});
    staged("changed\n");
    sandbox.Git("r", {"update-index", "--skip-worktree", "list.h"});
    outside(true);
    sandbox.Git("r", {"update-index", "--no-skip-worktree", "list.h"});
    outside(false);
  }
  sandbox.Git("r", {"update-index", "--no-split-index", "--cacheinfo",
                    "160000," + sandbox.Git("r", {"rev-parse", "HEAD"}) + ",list.h"});
  for (auto* open : {&WithLibgit2, &WithGit})
    CHECK_FALSE(open(sandbox.Path("r"))->ReadStaged("list.h").ok());
}

TEST_CASE("repository: finds files with a text as git grep does", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string hit = "use SR_X here\n";
  for (const char* file : {"a.h", "src/b.cpp", "src/deep/c.h", "src/notes.md", "out/tracked.h"})
    sandbox.Write(std::string("r/") + file, hit);
  sandbox.Write("r/none.h", "use SR_Y here\n");
  sandbox.CommitAll("r", "first");
  sandbox.Write("r/.gitignore", "out/\n*.gen.h\n!kept.gen.h\n");
  sandbox.Write("r/src/.gitignore", "/local.h\n");
  sandbox.Write("r/.git/info/exclude", "private.h\n");
  sandbox.Write("ignored", "mine.h\n");
  sandbox.Git("r", {"config", "core.excludesFile", sandbox.Path("ignored")});
  for (const char* file :
       {"new.h", "src/local.h", "local.h", "src/x.gen.h", "src/kept.gen.h", "private.h", "mine.h",
        "out/made.h", "within/x.h", "src/deep/ \xc3\xa4.h"})
    sandbox.Write(std::string("r/") + file, hit);
  sandbox.NewRepository("r/within", "ann");
  sandbox.Write("r/far.h", std::string(65536 - 6, 'x') + hit);
  sandbox.Write("r/late_nul.h", hit + std::string(9000, 'x') + std::string(1, '\0'));
  sandbox.Write("r/nul.h", std::string(1, '\0') + hit);
  sandbox.Write("r/plus.h", "ADD(+x)\n");
  std::filesystem::create_symlink("a.h", sandbox.Path("r/link.h"));
  std::filesystem::create_directory_symlink("src", sandbox.Path("r/linked"));
  const auto wanted = [](const std::string& path) { return !path.ends_with(".md"); };
  auto repository = WithLibgit2(sandbox.Path("r"));
  for (const std::string text : {"SR_X", "ADD(+", "SR_NONE"}) {
    INFO(text);
    auto expected = SplitAtNul(
        Must(Command::Run(*repository, {"grep", "-I", "-l", "-z", "--untracked", "-F", "-e", text}))
            .out);
    std::erase_if(expected, [&](const std::string& path) { return !wanted(path); });
    const auto found = Must(FilesHolding(*repository, {text}, wanted));
    REQUIRE(found.has_value());
    CHECK(*found == expected);
  }
  CHECK(Must(FilesHolding(*repository, {"SR_X"}, wanted))->size() == 9);
  CHECK(Must(FilesHolding(*repository, {"SR_NONE", "ADD("}, wanted)) ==
        std::vector<std::string>{"plus.h"});
  // libgit2 cannot see an ignore file that the environment configures, so git must decide.
  setenv("GIT_CONFIG_COUNT", "0", 1);
  CHECK_FALSE(Must(FilesHolding(*WithLibgit2(sandbox.Path("r")), {"SR_X"}, wanted)).has_value());
  unsetenv("GIT_CONFIG_COUNT");
  CHECK_FALSE(Must(FilesHolding(*WithGit(sandbox.Path("r")), {"SR_X"}, wanted)).has_value());
}

TEST_CASE("repository: finds changed files as git diff-index does", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  for (const char* file : {"edited", "staged", "both", "gone", "removed", "cached", "exec", "link",
                           "touched", "conflict", "in/deep", "sparse", "folder"})
    sandbox.Write(std::string("r/g/") + file, std::string(file) + "\n");
  sandbox.Write("r/g2/other", "other\n");
  sandbox.Write("r/.gitattributes", "g/* text\n");
  sandbox.CommitAll("r", "first");
  const std::string first = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("r", {"checkout", "-q", "-b", "side"});
  sandbox.Write("r/g/conflict", "theirs\n");
  sandbox.CommitAll("r", "theirs");
  sandbox.Git("r", {"checkout", "-q", "main"});
  sandbox.Write("r/g/conflict", "ours\n");
  sandbox.CommitAll("r", "ours");
  sandbox.TryGit("r", {"merge", "-q", "side"});
  for (const char* file : {"staged", "both", "new"})
    sandbox.Write(std::string("r/g/") + file, "staged now\n");
  sandbox.Git("r", {"add", "g/staged", "g/both", "g/new"});
  for (const char* file : {"edited", "both", "in/deep", "untracked"})
    sandbox.Write(std::string("r/g/") + file, "edited now\n");
  sandbox.Write("r/g2/other", "edited\n");
  std::filesystem::remove(sandbox.Path("r/g/gone"));
  sandbox.Git("r", {"rm", "-q", "g/removed"});
  sandbox.Git("r", {"rm", "-q", "--cached", "g/cached"});
  std::filesystem::permissions(sandbox.Path("r/g/exec"), std::filesystem::perms::owner_all);
  std::filesystem::remove(sandbox.Path("r/g/link"));
  std::filesystem::create_symlink("edited", sandbox.Path("r/g/link"));
  std::filesystem::remove(sandbox.Path("r/g/folder"));
  sandbox.Write("r/g/folder/file", "x\n");
  sandbox.Git("r", {"update-index", "--skip-worktree", "g/sparse"});
  std::filesystem::remove(sandbox.Path("r/g/sparse"));
  auto repository = WithLibgit2(sandbox.Path("r"));
  for (const bool staged : {false, true}) {
    INFO(staged);
    std::vector<std::string> question = {"diff-index", "-z", "--name-status", "--no-renames"};
    if (staged) question.emplace_back("--cached");
    question.insert(question.end(), {first, "--", "g"});
    const auto words = SplitAtNul(Must(Command::Run(*repository, question)).out);
    std::set<std::string> expected, found;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      // ChangesHere() does not report changed modes or added files.
      if (words[i] != "A" && words[i + 1] != "g/exec") expected.insert(words[i + 1]);
    }
    const auto changes = Must(repository->ChangesHere(first, "g", staged));
    REQUIRE(changes.has_value());
    for (const FileChange& change : *changes) {
      if (change.path != "g/exec") found.insert(change.path);
    }
    CHECK(found == expected);
    CHECK(expected.size() >= 5);
  }
  CHECK(Must(repository->ChangesHere(first, "none", false))->empty());
  setenv("GIT_INDEX_FILE", ".git/index", 1);
  CHECK_FALSE(Must(repository->ChangesHere(first, "g", false)).has_value());
  CHECK(Must(repository->ChangesHere(first, "g", true)).has_value());
  unsetenv("GIT_INDEX_FILE");
}

TEST_CASE("repository: the identity comes from the same configuration as git's", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string config = sandbox.Read("r/.git/config");
  sandbox.Write("r/.git/config", config.substr(0, config.find("[user]")));
  const auto person = [](const std::string& name) {
    return "[user]\n\tname = " + name + "\n\temail = " + name + "@studio.example\n";
  };
  sandbox.Write("work", person("work"));
  sandbox.Write("home/.gitconfig", person("home"));
  std::vector<std::string> environment{"HOME=" + sandbox.Path("home")};
  SECTION("global config file") { environment.emplace_back("GIT_CONFIG_GLOBAL"); }
  SECTION("GIT_CONFIG_GLOBAL") {
    environment.push_back("GIT_CONFIG_GLOBAL=" + sandbox.Path("work"));
  }
  SECTION("missing global config file") {
    environment.push_back("GIT_CONFIG_GLOBAL=" + sandbox.Path("gone"));
  }
  SECTION("system config file") {
    environment.insert(environment.end(), {"GIT_CONFIG_GLOBAL=", "GIT_CONFIG_NOSYSTEM=no",
                                           "GIT_CONFIG_SYSTEM=" + sandbox.Path("work")});
  }
  SECTION("includeIf gitdir") {
    sandbox.Write("home/.gitconfig", person("home") + "[includeIf \"gitdir:" + sandbox.Path("r") +
                                         "/\"]\n\tpath = " + sandbox.Path("work") + "\n");
    environment.emplace_back("GIT_CONFIG_GLOBAL");
  }
  SECTION("includeIf hasconfig") {
    sandbox.Git("r", {"remote", "add", "origin", sandbox.Path("srv/game")});
    sandbox.Write("home/.gitconfig",
                  person("home") + "[includeIf \"hasconfig:remote.*.url:" + sandbox.Path("srv") +
                      "/**\"]\n\tpath = " + sandbox.Path("work") + "\n");
    environment.emplace_back("GIT_CONFIG_GLOBAL");
  }
  SECTION("only author.name") {
    sandbox.Write("home/.gitconfig", person("home") + "[author]\n\tname = author\n");
    environment.emplace_back("GIT_CONFIG_GLOBAL");
  }
  SECTION("includeIf onbranch") {
    sandbox.Write("home/.gitconfig", person("home") + "[includeIf \"onbranch:ma*\"]\n\tpath = " +
                                         sandbox.Path("work") + "\n");
    environment.emplace_back("GIT_CONFIG_GLOBAL");
  }
  SECTION("GIT_AUTHOR_EMAIL") {
    environment.emplace_back("GIT_CONFIG_GLOBAL");
    environment.emplace_back("GIT_AUTHOR_EMAIL=half@studio.example");
  }
  SECTION("GIT_CONFIG_COUNT") {
    environment.insert(
        environment.end(),
        {"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=words",
         "GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=words@studio.example"});
  }
  const auto git = sandbox.TryGit("r", {"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"},
                                  environment);
  const std::string who = git.out.substr(0, git.out.find('>') + 1);
  sandbox.Write("r/list.h", "enum Revision { SR_A = 1 };\n");
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: list.h}]\n");
  const auto said = sandbox.Revctl("r", {"doctor"}, environment);
  INFO(git.out << git.err << said.out << said.err);
  CHECK(said.out.find(git.status == 0 ? "ok       identity: " + who + "\n"
                                      : "missing  identity: ") != std::string::npos);
}

TEST_CASE("repository: both implementations write the same, unless the ref has moved", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string ref = "refs/revctl/test";
  for (auto* open : {&WithLibgit2, &WithGit}) {
    auto repository = open(sandbox.Path("r"));
    const Person ann{"ann", "ann@studio.example"};
    const Oid one =
        Must(repository->WriteCommit({{{"a", "1"}, {"b", "2"}}, std::nullopt, ann, "one\n"}));
    const Oid two = Must(repository->WriteCommit({{{"a", "3"}}, one, ann, "two\n"}));
    CHECK(sandbox.Git("r", {"log", "--format=%s %an", two}) == "two ann\none ann");
    CHECK(sandbox.Git("r", {"show", one + ":b"}) == "2");
    CHECK(Must(repository->UpdateRef(ref, one, std::nullopt)));
    CHECK_FALSE(Must(repository->UpdateRef(ref, two, std::nullopt)));
    CHECK_FALSE(Must(repository->UpdateRef(ref, two, two)));
    CHECK(Must(repository->UpdateRef(ref, two, one)));
    CHECK(sandbox.Git("r", {"rev-parse", ref}) == two);
    Must(repository->DeleteRef(ref));
    CHECK_FALSE(Must(repository->Resolve(ref)).has_value());
    Must(repository->DeleteRef(ref));
  }
}

TEST_CASE("repository: ignores replacement objects and grafts", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/a", "1");
  sandbox.CommitAll("r", "one");
  const std::string one = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Write("r/a", "2");
  sandbox.CommitAll("r", "two");
  const std::string two = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Write("r/a", "3");
  sandbox.CommitAll("r", "three");
  const std::string three = sandbox.Git("r", {"rev-parse", "HEAD"}),
                    blob = sandbox.Git("r", {"rev-parse", three + ":a"});
  sandbox.Git("r", {"replace", three, one});
  sandbox.Git("r", {"replace", blob, one + ":a"});
  sandbox.Write("r/.git/info/grafts", three + " " + one + "\n");
  CHECK(sandbox.Git("r", {"show", three + ":a"}) == "1");  // git still follows the replacement
  for (auto* open : {&WithLibgit2, &WithGit}) {
    auto repository = open(sandbox.Path("r"));
    CHECK(Must(repository->ReadFile(three, "a")) == "3");
    CHECK(Must(repository->ReadCommit(three)).message == "three\n");
    CHECK(Must(repository->ReadCommit(three)).parents == std::vector<Oid>{two});
    CHECK(Must(repository->IsAncestor(two, three)));
    CHECK(Must(Command::Run(*repository, {"show", three + ":a"})).out == "3");
  }
}

TEST_CASE("repository: commit messages are UTF-8, whatever the configuration", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Git("r", {"config", "i18n.commitEncoding", "ISO-8859-1"});
  sandbox.Write("message", "gr\xfc\xdf\n");
  sandbox.Git("r", {"commit", "-q", "--allow-empty", "-F", "../message"});
  const std::string head = sandbox.Git("r", {"rev-parse", "HEAD"});
  for (auto* open : {&WithLibgit2, &WithGit}) {
    auto repository = open(sandbox.Path("r"));
    CHECK(Must(repository->ReadCommit(head)).message == "gr\xc3\xbc\xc3\x9f\n");
    const Person person{"J\xc3\xb6rg", "j@studio.example"};
    const Oid own =
        Must(repository->WriteCommit({{{"a", "1"}}, std::nullopt, person, "gr\xc3\xbc\xc3\x9f\n"}));
    const CommitInfo again = Must(repository->ReadCommit(own));
    CHECK(again.message == "gr\xc3\xbc\xc3\x9f\n");
    CHECK(again.author.name == person.name);
    CHECK(sandbox.Git("r", {"log", "-1", "--encoding=UTF-8", "--format=%s %an", own}) ==
          "gr\xc3\xbc\xc3\x9f J\xc3\xb6rg");
  }
}

TEST_CASE("repository: if many threads move a ref at once, one wins", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const Person ann{"ann", "ann@studio.example"};
  auto repository = WithLibgit2(sandbox.Path("r"));
  std::vector<Oid> commits;
  for (int i = 0; i < 8; ++i) {
    commits.push_back(
        Must(repository->WriteCommit({{{"a", std::to_string(i)}}, std::nullopt, ann, "x\n"})));
  }
  for (auto* open : {&WithLibgit2, &WithGit}) {
    for (int round = 0; round < (open == &WithGit ? 5 : 50); ++round) {
      const std::string ref = "refs/revctl/race" + std::to_string(round / 2);
      std::optional<Oid> old;
      if (round % 2 == 1) old = Must(repository->Resolve(ref));
      std::atomic<int> winners{0}, ready{0};
      std::vector<std::thread> threads;
      for (const Oid& commit : commits) {
        if (commit == old) continue;
        threads.emplace_back([&, commit] {
          auto mine = open(sandbox.Path("r"));
          ++ready;
          while (ready < static_cast<int>(commits.size()) - (old ? 1 : 0))
            std::this_thread::yield();
          auto moved = mine->UpdateRef(ref, commit, old);
          if (moved.ok() && *moved) ++winners;
        });
      }
      for (auto& thread : threads) thread.join();
      CHECK(winners == 1);
    }
    for (int i = 0; i < 25; ++i)
      Must(repository->DeleteRef("refs/revctl/race" + std::to_string(i)));
  }
}

TEST_CASE("repository: git reads repositories that libgit2 cannot open", "[git]") {
  Sandbox sandbox;
  sandbox.NewRepository("plain", "ann");
  sandbox.Write("plain/f", "f\n");
  sandbox.CommitAll("plain", "c");

  SECTION("sha256") {
    std::filesystem::create_directories(sandbox.Path("r"));
    sandbox.Git("r", {"init", "-q", "-b", "main", "--object-format=sha256"});
    sandbox.Git("r", {"config", "user.name", "ann"});
    sandbox.Git("r", {"config", "user.email", "ann@studio.example"});
    sandbox.Write("r/f", "f\n");
    sandbox.CommitAll("r", "c");
    CHECK(std::holds_alternative<NotOpened>(OpenWithLibgit2(sandbox.Path("r"))));
  }
  SECTION("worktreeConfig") {
    sandbox.Git(".", {"clone", "-q", "plain", "r"});
    sandbox.Git("r", {"config", "core.repositoryformatversion", "1"});
    sandbox.Git("r", {"config", "extensions.worktreeConfig", "true"});
  }
  SECTION("partial clone") {
    sandbox.Git("plain", {"config", "uploadpack.allowFilter", "true"});
    sandbox.Git(".", {"clone", "-q", "--no-checkout", "--filter=blob:none",
                      "file://" + sandbox.Path("plain"), "r"});
    CHECK(std::holds_alternative<NotOpened>(OpenWithLibgit2(sandbox.Path("r"))));
  }
  auto repository = Must(OpenRepository(sandbox.Path("r")));
  const Oid head = Must(repository->Head()).value();
  CHECK(head == sandbox.Git("r", {"rev-parse", "HEAD"}));
  CHECK(Must(repository->ReadFile(head, "f")) == "f\n");
}

TEST_CASE("repository: reads paths from the environment as git does", "[git]") {
  struct Variable {
    Variable(const char* its_name, const std::string& value) : name(its_name) {
      ::setenv(name, value.c_str(), 1);
    }
    ~Variable() { ::unsetenv(name); }
    const char* name;
  };
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  for (const char* text : {"one\n", "two\n"}) {
    sandbox.Write("r/in/f", text);
    sandbox.CommitAll("r", "c");
  }
  sandbox.Git(".", {"init", "-q", "other"});
  const std::string r = sandbox.Path("r");
  const auto reads = [&](const std::string& directory, const std::string& text) {
    const auto repository = Must(OpenRepository(directory));
    const Oid head = Must(repository->Head()).value();
    CHECK(Must(repository->ReadFile(head, "in/f")) == text);
    return head;
  };
  SECTION("objects") {
    std::filesystem::create_directories(sandbox.Path("odb"));
    const std::vector<std::string> places = {
        "GIT_OBJECT_DIRECTORY=" + sandbox.Path("odb"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + r + "/.git/objects"};
    sandbox.Write("r/in/f", "three\n");
    REQUIRE(sandbox.TryGit("r", {"commit", "-qam", "elsewhere"}, places).status == 0);
    {
      const Variable objects("GIT_OBJECT_DIRECTORY", sandbox.Path("odb")),
          more("GIT_ALTERNATE_OBJECT_DIRECTORIES", r + "/.git/objects");
      reads(r, "three\n");
    }
    const Variable more("GIT_ALTERNATE_OBJECT_DIRECTORIES", sandbox.Path("odb"));
    reads(r, "three\n");
  }
  SECTION("refs") {
    sandbox.Git("r", {"update-ref", "refs/namespaces/x/refs/heads/main", "HEAD~1"});
    const Variable directory("GIT_DIR", r + "/.git"), space("GIT_NAMESPACE", "x");
    reads(r, "two\n");
  }
  SECTION("ceiling directories") {
    const Variable ceiling("GIT_CEILING_DIRECTORIES", r);
    reads(r, "two\n");
    CHECK_FALSE(OpenRepository(r + "/in").ok());
  }
  SECTION("unreadable is not the same as missing") {
    const auto by_git = WithGit(r);
    const Variable count("GIT_CONFIG_COUNT", "1");
    CHECK_FALSE(by_git->ConfigValue("remote.origin.url").ok());
    CHECK_FALSE(WithLibgit2(r)->ConfigValue("remote.origin.url").ok());
    CHECK_FALSE(by_git->Resolve("refs/heads/none").ok());
    CHECK_FALSE(by_git->HeadBranch().ok());
  }
  SECTION("GIT_SHALLOW_FILE and GIT_CONFIG are ignored") {
    sandbox.Write("shallow", sandbox.Git("r", {"rev-parse", "HEAD"}) + "\n");
    sandbox.Write("config", "[user]\n\tname = eve\n");
    const Variable shallow("GIT_SHALLOW_FILE", sandbox.Path("shallow")),
        config("GIT_CONFIG", sandbox.Path("config"));
    for (const auto& repository : {WithGit(r), WithLibgit2(r)}) {
      const Oid head = Must(repository->Head()).value();
      CHECK(Must(repository->ReadCommit(head)).parents.size() == 1);
      CHECK(Must(repository->ConfigValue("user.name")) == "ann");
    }
  }
}

TEST_CASE("repository: fails if it belongs to a user that git does not trust", "[git]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("r"));
  sandbox.Git("r", {"init", "-q"});
  // Makes git assume that another user owns the repository.
  ::setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
  auto refused = OpenWithGit(sandbox.Path("r"));
  ::unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().exit == Exit::Environment);
  CHECK(refused.error().message.find("safe.directory") != std::string::npos);
  CHECK(refused.error().fix.find("git init") == std::string::npos);
}

TEST_CASE("repository: missing, bare, unborn, detached, linked work tree", "[git]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("none"));
  auto none = OpenRepository(sandbox.Path("none"));
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().exit == Exit::Environment);
  CHECK(none.error().message.find("no git repository") != std::string::npos);

  sandbox.Git(".", {"init", "-q", "--bare", "bare.git"});
  CHECK(Must(OpenRepository(sandbox.Path("bare.git")))->bare());

  sandbox.NewRepository("r", "ann");
  auto unborn = Must(OpenRepository(sandbox.Path("r")));
  CHECK_FALSE(Must(unborn->Head()).has_value());
  CHECK(Must(unborn->HeadBranch()) == "main");
  sandbox.CommitAll("r", "c");
  sandbox.Git("r", {"checkout", "-q", "--detach"});
  CHECK_FALSE(Must(Must(OpenRepository(sandbox.Path("r")))->HeadBranch()).has_value());
  sandbox.Git("r", {"worktree", "add", "-q", "../tree", "-b", "other"});
  auto tree = Must(OpenRepository(sandbox.Path("tree")));
  CHECK(tree->root() == sandbox.Path("tree"));
  CHECK(tree->common_dir() == sandbox.Path("r/.git"));
}

TEST_CASE("text merge: clean, conflict, marker size", "[git]") {
  CHECK(Must(TextMerge("a\nb\nc\n", "x\nb\nc\n", "a\nb\ny\n")).text == "x\nb\ny\n");
  TextMergeLabels labels;
  labels.marker_size = 9;
  auto conflict = Must(TextMerge("a\n", "b\n", "c\n", labels));
  CHECK(conflict.conflict);
  CHECK(conflict.text == "<<<<<<<<< ours\nb\n=========\nc\n>>>>>>>>> theirs\n");
  CHECK(Must(TextMerge("", "", "")).text.empty());
}

TEST_CASE("remote: a push moves the ref only from its expected commit", "[git]") {
  Sandbox sandbox;
  GitDaemon daemon(sandbox, "srv");
  sandbox.Git("srv", {"init", "-q", "--bare", "game.git"});
  sandbox.NewRepository("r", "ann");
  sandbox.Git("r", {"remote", "add", "origin", daemon.Url("game.git")});
  auto repository = Must(OpenRepository(sandbox.Path("r")));
  const std::string ref = "refs/revctl/ledger";
  const Person ann{"ann", "a@b"};
  const Oid one = Must(repository->WriteCommit({{{"a", "1"}}, std::nullopt, ann, "one\n"}));
  const Oid two = Must(repository->WriteCommit({{{"a", "2"}}, one, ann, "two\n"}));
  const Oid other = Must(repository->WriteCommit({{{"a", "3"}}, one, ann, "other\n"}));
  CHECK(Must(ListRemote(*repository, "origin", {ref})).empty());
  CHECK(Must(PushWithLease(*repository, "origin", ref, one, std::nullopt)).accepted);
  CHECK_FALSE(Must(PushWithLease(*repository, "origin", ref, two, std::nullopt)).accepted);
  CHECK(Must(PushWithLease(*repository, "origin", ref, two, one)).accepted);
  auto lost = Must(PushWithLease(*repository, "origin", ref, other, one));
  CHECK_FALSE(lost.accepted);
  CHECK(lost.reason == "stale info");
  CHECK(Must(ListRemote(*repository, "origin", {ref})).at(ref) == two);
  CHECK(Must(Fetch(*repository, "origin", {{ref, "refs/revctl/copy", false}})).ok);
  CHECK(Must(repository->Resolve("refs/revctl/copy")) == two);
  CHECK_FALSE(
      Must(Fetch(*repository, "origin", {{"refs/heads/none", "refs/revctl/none", false}})).ok);

  sandbox.Git("r",
              {"remote", "set-url", "origin",
               "git://127.0.0.1:" + std::to_string(revctl::testing::FreePort()) + "/game.git"});
  auto gone = ListRemote(*repository, "origin", {ref});
  REQUIRE_FALSE(gone.ok());
  CHECK(gone.error().exit == Exit::Environment);
}
