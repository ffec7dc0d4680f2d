// Tests that every printed command is a single shell line with the intended words, regardless of
// the names of files, folders and branches. Otherwise, a change could inject commands into a line
// that a reviewer pastes into a shell.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/sandbox.h"

using namespace revctl::testing;

namespace {

struct Names {
  std::string folder, golden, branch, pending;
};

const Names kPlain{"plainfolder", "plaingolden", "plainbranch", "plainpending"};
const Names kHostile[] = {
    {"s;touch pwned;$(touch pwned)", "g'\"`touch pwned`", "b;touch${IFS}pwned", "p\n;touch pwned"},
    {"-rf", "-x $HOME", "b'$(touch${IFS}pwned)", "-p\x1b[2J \xff"},
    {"a b  c&touch pwned&", "|touch pwned #", "b`touch${IFS}pwned`\"|", "'$(touch pwned)"},
    {"~", "*>pwned<x", "b&touch${IFS}pwned&", "it's %s \\101 \\"}};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string Quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// A project on a server, with the given names for its list, goldens and target, and a clone of it.
struct Project {
  explicit Project(const Names& all, const std::string& more = "", const std::string& keys = "")
      : names(all), list("ann/" + all.folder + "/l.h"), golden("ann/" + all.golden + "/") {
    sandbox.Git(".", {"init", "-q", "--bare", "-b", names.branch, "srv.git"});
    sandbox.Clone(sandbox.Path("srv.git"), "ann", "ann");
    sandbox.Write(list, "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n" + more + "};\n");
    sandbox.Write(golden + "SR_FOULS.yaml", "version: 1\n");
    sandbox.Write(golden + "SR_FOULS.golden", "abc");
    Policy(names.golden, keys);
    Land();
  }
  void Policy(const std::string& golden_folder, const std::string& keys = "") const {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: " + Quoted(names.folder + "/l.h") + ", golden: " +
                      Quoted(golden_folder) + keys + "}]\ntarget: " + Quoted(names.branch) + "\n");
  }
  void Land() const {
    sandbox.CommitAll("ann", "work");
    sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/" + names.branch});
    sandbox.Git("ann", {"fetch", "-q"});
  }
  void Insert(const std::string& line) const {
    sandbox.Write(list, Replaced(sandbox.Read(list), "};", line + "};"));
  }
  /// Returns the fixes that `check` prints.
  std::vector<std::string> Fixes(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"check", "--json"};
    command.insert(command.end(), more.begin(), more.end());
    const auto run = sandbox.Revctl("ann", command);
    INFO(run.err);
    REQUIRE(run.status == 1);
    const auto said = nlohmann::json::parse(run.out);
    std::vector<std::string> out;
    for (const auto& one : said.at("findings")) out.push_back(one.at("fix"));
    return out;
  }
  /// Returns the text after each "fix: " in the output of `command`.
  std::vector<std::string> Fix(const std::vector<std::string>& command) const {
    const auto run = sandbox.Revctl("ann", command);
    std::istringstream lines(run.out + run.err);
    std::vector<std::string> out;
    for (std::string line; std::getline(lines, line);) {
      if (const std::size_t at = line.find("fix: "); at != line.npos)
        out.push_back(line.substr(at + 5));
    }
    INFO(run.out << run.err);
    REQUIRE(!out.empty());
    return out;
  }

  Sandbox sandbox;
  Names names;
  std::string list, golden;
};

/// Splits a fix into commands and the text between them. No name contains a separator.
std::vector<std::string> Pieces(std::string text) {
  for (const char* between : {" && ", ", ", "; where", " (", "\n", " > "})
    text = Replaced(text, between, "\x01");
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\x01', at), text.size());
    std::string piece = text.substr(at, end - at);
    if (piece.starts_with('`')) piece.erase(0, 1);
    if (piece.ends_with('`')) piece.pop_back();
    out.push_back(piece);
    at = end + 1;
  }
  return out;
}

/// Replaces commit ids, which differ between two projects.
std::string WithoutCommits(std::string text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t at = text.find_first_of(kHex); at != text.npos;
       at = text.find_first_of(kHex, at)) {
    const std::size_t end = std::min(text.find_first_not_of(kHex, at), text.size());
    if (end - at == 10) text.replace(at, 10, "COMMIT");
    at = std::min(end, text.size());
  }
  return text;
}

/// Returns the shell words of each piece of `fix`, preceded by "!" if the piece is not a valid
/// command.
std::vector<std::string> Words(const Sandbox& sandbox, const std::string& fix) {
  std::vector<std::string> command = {
      "/bin/sh", "-c",
      "for piece; do (/bin/sh -n -c \"$piece\" 2>/dev/null || printf '!'; eval \"set -- $piece\" "
      "2>/dev/null; printf '<%s>' \"$@\"; printf '\\0'); done",
      "sh"};
  for (std::string& piece : Pieces(fix)) command.push_back(std::move(piece));
  const auto run = sandbox.Run("empty", command, {"PATH=" + sandbox.Path("bin")});
  CHECK(::unlink(sandbox.Path("empty/pwned").c_str()) != 0);
  return revctl::git::SplitAtNul(run.out);
}

using NamedScene = std::function<std::vector<std::string>(const Names&)>;

/// Checks that the scene's fixes have the same words as the fixes for plain names, apart from the
/// names themselves.
void SameWords(const NamedScene& scene) {
  const Sandbox shell;
  shell.Write("empty/x", "");
  ::unlink(shell.Path("empty/x").c_str());
  shell.WriteExecutable("bin/touch", "#!/bin/sh\n/usr/bin/touch \"$@\"\n");
  const auto plain = scene(kPlain);
  REQUIRE(!plain.empty());
  for (const Names& names : kHostile) {
    const auto hostile = scene(names);
    REQUIRE(hostile.size() == plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      INFO(plain[i] << "\n" << hostile[i]);
      const auto expected = Words(shell, plain[i]), words = Words(shell, hostile[i]);
      REQUIRE(words.size() == expected.size());
      for (std::size_t j = 0; j < words.size(); ++j) {
        std::string wanted = expected[j];
        wanted = Replaced(wanted, "plainfolder", names.folder);
        wanted = Replaced(wanted, "plaingolden", names.golden);
        wanted = Replaced(wanted, "plainbranch", names.branch);
        wanted = Replaced(wanted, "plainpending", names.pending);
        CHECK(WithoutCommits(Replaced(words[j], "<./", "<")) ==
              WithoutCommits(Replaced(wanted, "<./", "<")));
      }
    }
  }
}

}  // namespace

TEST_CASE("hostile names: the list is missing, conflicted or unreadable", "[names]") {
  SameWords([](const Names& names) {
    const Project project(names);
    const std::string text = project.sandbox.Read(project.list);
    std::vector<std::string> out;
    const auto add = [&](const std::vector<std::string>& fixes) {
      out.insert(out.end(), fixes.begin(), fixes.end());
    };
    project.sandbox.Write(project.list, text + "<<<<<<< a\n");
    add(project.Fixes());
    add(project.Fix({"fix"}));
    project.sandbox.Write(project.list, Replaced(text, "SR_FOULS=2", "SR_FOULS=x("));
    add(project.Fixes());
    add(project.Fix({"list"}));
    ::unlink(project.sandbox.Path(project.list).c_str());
    add(project.Fixes());
    add(project.Fix({"list"}));
    return out;
  });
}

TEST_CASE("hostile names: goldens are edited, removed, moved or missing", "[names]") {
  SameWords([](const Names& names) {
    const Project project(names);
    std::vector<std::string> out;
    const auto add = [&] {
      const auto fixes = project.Fixes();
      out.insert(out.end(), fixes.begin(), fixes.end());
    };
    project.sandbox.Write(project.golden + "SR_FOULS.golden", "other");
    add();
    project.Policy("elsewhere");
    project.sandbox.Write("ann/elsewhere/SR_FOULS.golden", "other");
    add();
    project.sandbox.Git("ann", {"checkout", "-q", "."});
    project.Insert("    SR_NEW=3,\n");
    project.sandbox.Write("ann/x.cpp", "int x = SR_NEW;\n");
    add();  // SR_NEW is not reserved and has no goldens
    project.sandbox.Write(project.golden + "SR_NEW.yaml", "version: 1\n");
    project.sandbox.CommitAll("ann", "new");
    ::unlink(project.sandbox.Path(project.golden + "SR_NEW.yaml").c_str());
    add();
    return out;
  });
}

TEST_CASE("hostile names: the target has moved", "[names]") {
  SameWords([](const Names& names) {
    const Project project(names);
    project.sandbox.Git("ann", {"checkout", "-q", "-b", "mine"});
    project.Insert("    SR_THEIRS=3,\n");
    project.Land();
    project.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
    project.Insert("    SR_MINE=3,\n");
    project.sandbox.Write("ann/x.cpp", "int x = SR_MINE;\n");
    project.sandbox.CommitAll("ann", "mine");
    auto out = project.Fixes();
    project.sandbox.Git("ann", {"update-ref", "-d", "refs/remotes/origin/" + names.branch});
    project.sandbox.Git("srv.git", {"update-ref", "-d", "refs/heads/" + names.branch});
    for (const auto& fix : project.Fix({"doctor"})) out.push_back(fix);
    return out;
  });
}

TEST_CASE("hostile names: the policy was removed", "[names]") {
  SameWords([](const Names& names) {
    const Project project(names);
    std::vector<std::string> out;
    project.sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
    project.sandbox.CommitAll("ann", "no policy");
    project.Policy(names.golden);
    for (const auto& fix : project.Fixes({"--head", "HEAD"})) out.push_back(fix);
    return out;
  });
}

TEST_CASE("hostile names: the printed fix for an attribute works", "[names]") {
  for (const std::string name : {"#l.h", "!l.h", "-n", "a b.h", "[x]*?.h", "\"q\".h", "it's.h",
                                 "%s.h", "$(touch pwned)", " l.h "}) {
    INFO(name);
    const Sandbox sandbox;
    sandbox.NewRepository("ann", "ann");
    sandbox.Write("ann/src/" + name, "// $Id$\nenum Revision {\n    SR_INITIAL=1,\n};\n");
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: " + Quoted("src/" + name) + "}]\n");
    sandbox.Write("ann/src/.gitattributes", "* ident");  // without a final newline
    sandbox.CommitAll("ann", "ident");
    const auto said = sandbox.Revctl("ann", {"check", "--json"});
    INFO(said.out << said.err);
    REQUIRE(said.status == 1);
    const std::string fix = nlohmann::json::parse(said.out).at("findings").at(0).at("fix");
    REQUIRE(sandbox.Run("ann", {"sh", "-c", fix}).status == 0);
    CHECK(sandbox.Git("ann", {"check-attr", "ident", "--", "src/" + name}).ends_with(": unset"));
    CHECK(sandbox.Git("ann", {"check-attr", "ident", "--", "src/other"}).ends_with(": set"));
    CHECK(sandbox.Revctl("ann", {"check"}).status == 0);
    CHECK_FALSE(sandbox.Exists("ann/pwned"));
  }
}

TEST_CASE("hostile names: pending files", "[names]") {
  SameWords([](const Names& names) {
    const Project project(names, "", ", numbers: at-landing");
    const std::string folder = "ann/" + names.folder + "/l.pending/";
    project.sandbox.Write(folder + "zz" + names.pending, "x");
    project.sandbox.Write(folder + "SR_NEW.yaml", "nonsense: 1\n");
    project.sandbox.Write(folder + "SR_FOULS.yaml", "message: \"another\"\n");
    project.sandbox.Write(folder + "SR_FIRST.yaml", "message: \"a\"\nafter: [SR_NOWHERE]\n");
    project.sandbox.Write("ann/" + names.folder + "/l.pending.inc", "x\n");
    project.sandbox.Git("ann", {"add", "-fA"});
    return project.Fixes();
  });
}
