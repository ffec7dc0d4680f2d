#include "tests/scenarios/histories/world.h"

#include <filesystem>
#include <mutex>
#include <set>

#include "revctl/base/system/process.h"
#include "revctl/list/reading/revision_list.h"
#include "tests/scenarios/team.h"

namespace revctl::testing {
namespace {

std::string Quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:^~@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

const char* const kConfig =
    "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
    "releases: [\"release/*\"]\nland: {goldens: sh record --refresh-pending}\n";
const char* const kGoldenAttributes =
    "*.golden binary diff=revctl-golden merge=revctl\n*.yaml merge=revctl\n";

/// Returns a script that creates the scene in an empty folder. All clones except Dan's have the
/// driver and the hooks. The commit ids must always be the same, because replay scripts refer to
/// them.
std::string Setup() {
  std::string people, installed;
  for (const std::string& person : World::People()) {
    people += " " + person;
    if (World::HasDriver(person)) installed += " " + person;
  }
  const std::string list = World::kList;
  return "export GIT_AUTHOR_DATE='@1600000000 +0000' GIT_COMMITTER_DATE='@1600000000 +0000'\n"
         "git init -q --bare srv/game.git\n"
         "for who in" +
         people +
         "; do git clone -q \"$PWD/srv/game.git\" $who 2>&1; (cd $who && git config user.name $who "
         "&& git config user.email $who@studio.example); done\n"
         "mkdir ann/src ann/golden\n"
         "cat > ann/" +
         list + " <<'END'\n" + Team::kListText + "END\ncat > ann/.revctl.yaml <<'END'\n" + kConfig +
         "END\ncat > ann/record <<'END'\n" + World::kRecord +
         "END\ncat > ann/golden/.gitattributes <<'END'\n" + kGoldenAttributes + "END\necho '/" +
         list +
         " merge=revctl' > ann/.gitattributes\n"
         "(cd ann && sh record && git add -A && git commit -q -m first && git push -q origin "
         "HEAD:main) 2>&1\n"
         "printf '#!/bin/sh\\nexec revctl pre-receive\\n' > srv/game.git/hooks/pre-receive\n"
         "chmod +x srv/game.git/hooks/pre-receive\n"
         "for who in" +
         people +
         "; do (cd $who && git pull -q origin main && git branch -q -u origin/main); done\n"
         "for who in" +
         installed +
         "; do (cd $who && revctl install -q); done\n"
         "unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE\n";
}

/// Returns the scene, which is created once per program.
const Sandbox& Scene() {
  static std::once_flag once;
  static std::unique_ptr<Sandbox> scene;
  std::call_once(once, [] {
    scene = std::make_unique<Sandbox>();
    scene->Write("setup.sh", "set -e\n" + Setup());
    const auto made = scene->Run(".", {"sh", "setup.sh"});
    if (!made.ok()) throw std::runtime_error("the scene: " + made.out + made.err);
    // Do not copy git's twelve sample hooks.
    for (const auto& file : std::filesystem::recursive_directory_iterator(scene->root())) {
      if (file.path().extension() == ".sample") std::filesystem::remove(file.path());
    }
  });
  return *scene;
}

Entries Parsed(const std::string& text, std::string& why) {
  Entries out;
  auto list = list::Parse(text, {}, World::kList);
  if (!list.ok()) {
    why = list.error().message;
    return out;
  }
  for (const list::Entry& entry : list->entries) {
    if (entry.kind == list::EntryKind::Revision) out.emplace_back(entry.name, entry.number);
    else why = entry.name + " is no revision";
  }
  return out;
}

}  // namespace

// The `compiler` field of a record lists the revisions that existed when it was recorded, for tests
// to compare with `previous`. The payload depends on the revision's position, as with a real
// harness.
const char* const World::kRecord = R"(# record [--refresh-pending]: stands in for a harness.
landed=$(git ls-tree --name-only origin/main golden/)
edge=$(git rev-list --boundary origin/main --not HEAD | sed -n 's/^-//p')
base=$(git merge-base --octopus ${edge:-HEAD origin/main})
met=$(git ls-tree --name-only "$base" golden/)
mkdir -p golden
type() { printf '  - type: %s\n    compared: []\n    fields:\n      - {name: x, type: "%s", form: add}\n' $1 "$2"; }
golden() { printf "rvgold\001\n\001\000\000\000$1" > golden/$name.golden; }
made= last= odd= behind=
for name in $(sed -n 's/^ *\(SR_[A-Za-z0-9_]*\).*/\1/p' src/master_version_list.h); do
  odd=$([ $odd ] || echo yes)
  new=; [ -e golden/$name.yaml ] || new=yes
  if [ "$1" ]; then case "$landed" in *golden/$name.yaml*) ;; *) new=yes ;; esac; fi
  if [ $new ]; then
    case $name in SR_[A-H]*) root=Hero ;; SR_[I-N]*) root=Item ;; SR_[O-T]*) root=Song ;; *) root=Map ;; esac
    hash=d24ec4f1a98c6e5b size=1
    [ $odd ] || hash=44bc2cf5ad770999 size=3
    {
      printf 'version: 1\nrevision: %s\nnumber: 9\nlineage: "0123456789abcdef"\n' $name
      [ -z "$last" ] || echo "previous: $last"
      case "$behind" in *,*) echo "behind: [$behind]" ;; esac
      printf 'recorded: {by: record, code: %s, compiler: "with%s", revctl: 0.1.0, seed: 1}\ntypes:\n' $name "$made"
      if [ -z "$last" ]; then
        type Hero 'vector<Item>'; type Item i32; type Song f32; type Map u8
      else
        case $root in Hero) type Hero 'vector<Item>' ;; *) type $root i32 ;; esac
      fi
      printf 'enums: []\ncases:\n  - {type: %s, name: auto-1, size: %s, hash: "%s", values: {}}\nupgrades: []\n' $root $size $hash
    } > golden/$name.yaml
    if [ $odd ]; then golden '\133\156\214\251\361\304\116\322\001\000\000\000a'
    else golden '\231\011\167\255\365\054\274\104\003\000\000\000abc'; fi
  fi
  made="$made $name" last=$name
  case "$met" in *golden/$name.yaml*) behind=$name ;; *) behind="$behind${behind:+, }$name" ;; esac
done
)";

const std::vector<std::string>& World::People() {
  static const std::vector<std::string> people = {"ann", "bob", "eve", "dan"};
  return people;
}

World::World() {
  const Sandbox& scene = Scene();
  sandbox_.CopyFolder(scene, kServer);
  for (const std::string& person : People()) {
    sandbox_.CopyFolder(scene, person);
    sandbox_.MoveOrigin(person, scene.Path(kServer), sandbox_.Path(kServer));
  }
}

base::ProcessResult World::Run(const std::string& person, const std::vector<std::string>& argv,
                               std::vector<std::string> environment) {
  // Use a simulated clock, so that git orders commits by date in the same way in every replay.
  const std::string now = "@" + std::to_string(1700000000 + 60 * ++clock_) + " +0000";
  environment.insert(environment.end(), {"GIT_AUTHOR_DATE=" + now, "GIT_COMMITTER_DATE=" + now});
  std::string line = "(cd " + person + " &&";
  for (const std::string& one : environment) {
    const std::size_t equals = one.find('=');
    line += " " + one.substr(0, equals + 1) + Quoted(one.substr(equals + 1));
  }
  // In a replay, the program is in PATH.
  for (const std::string& word : argv)
    line += " " + (word == ProgramPath() ? "revctl" : Quoted(word));
  script_ += line + ")";
  auto result = sandbox_.Run(person, argv, environment);
  if (result.status != 0) script_ += "  # exit " + std::to_string(result.status);
  script_ += "\n";
  return result;
}

base::ProcessResult World::TryGit(const std::string& person, std::vector<std::string> arguments,
                                  const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), "git");
  return Run(person, arguments, environment);
}

void World::Git(const std::string& person, std::vector<std::string> arguments,
                const std::vector<std::string>& environment) {
  std::string line;
  for (const std::string& argument : arguments) line += " " + argument;
  const auto result = TryGit(person, std::move(arguments), environment);
  if (!result.ok())
    throw Broken(person + ": git" + line + " needs a human:\n" + result.out + result.err +
                 Read(person, kList));
}

base::ProcessResult World::Revctl(const std::string& person, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ProgramPath());
  return Run(person, arguments, {});
}

void World::Shell(const std::string& person, const std::string& line) {
  const auto result = Run(person, {"sh", "-c", line}, {});
  if (!result.ok())
    throw Broken(person + ": " + line + " failed:\n" + result.out + result.err +
                 Read(person, kList));
}

std::string World::Fix(const std::string& person) {
  const auto result = Revctl(person, {"fix"});
  bool fine = result.status == 0 || result.status == 1;
  for (std::size_t at = 0; (at = result.out.find("error[", at)) != std::string::npos; ++at) {
    const std::string rule = result.out.substr(at + 6, 5);
    fine = fine && (rule == "RV017" || rule == "RV018" || rule == "RV020" || rule == "RV028");
  }
  if (!fine)
    throw Broken(person + ": revctl fix:\n" + result.out + result.err + Read(person, kList));
  return result.out;
}

void World::Write(const std::string& person, const std::string& file, const std::string& text) {
  sandbox_.Write(person + "/" + file, text);
  script_ += "cat > " + person + "/" + file + " <<'END'\n" + text + "END\n";
}

std::string World::Read(const std::string& person, const std::string& file) const {
  return sandbox_.Read(person + "/" + file);
}

void World::Say(const std::string& what) { script_ += "# " + what + "\n"; }

Entries World::ListOf(const std::string& person) const {
  std::string why;
  const std::string text = Read(person, kList);
  Entries entries = Parsed(text, why);
  if (!why.empty()) throw Broken(person + ": " + why + "\n" + text);
  return entries;
}

std::unique_ptr<git::Repository> World::Open(const std::string& repository) const {
  auto opened = git::OpenRepository(sandbox_.Path(repository));
  if (!opened.ok()) throw std::runtime_error(opened.error().message);
  return std::move(*opened);
}

Entries World::ListAt(const std::string& repository, const git::Oid& commit) const {
  auto text = Open(repository)->ReadFile(commit, kList);
  if (!text.ok() || !*text) return {};
  std::string why;
  Entries entries = Parsed(**text, why);
  return why.empty() ? entries : Entries{};
}

std::string World::FileAt(const std::string& repository, const git::Oid& commit,
                          const std::string& file) const {
  auto text = Open(repository)->ReadFile(commit, file);
  return text.ok() && *text ? **text : std::string();
}

std::string World::BuildErrors(const git::Oid& commit) const {
  const auto repository = Open(kServer);
  std::string code = FileAt(kServer, commit, kList) +
                     "\n#define ADD(revision, field) static_assert(revision >= SR_INITIAL)\n";
  const auto files = repository->ListFiles(commit, "src");
  if (!files.ok()) return files.error().message;
  for (const git::TreeFile& file : *files) {
    if (file.path.ends_with(".cpp")) code += FileAt(kServer, commit, "src/" + file.path) + "\n";
  }
  const auto built =
      sandbox_.Run(".", {"c++", "-std=c++20", "-fsyntax-only", "-w", "-x", "c++", "-"}, {}, code);
  return built.ok() ? "" : built.err + code;
}

git::Oid World::Tip(const std::string& repository, const std::string& what) const {
  auto tip = Open(repository)->RevParse(what);
  return tip.ok() && *tip ? **tip : git::Oid{};
}

bool World::IsAncestor(const std::string& repository, const git::Oid& old,
                       const git::Oid& young) const {
  auto is = Open(repository)->IsAncestor(old, young);
  return is.ok() && *is;
}

git::CommitInfo World::Commit(const std::string& repository, const git::Oid& id) const {
  auto commit = Open(repository)->ReadCommit(id);
  if (!commit.ok()) throw std::runtime_error(commit.error().message);
  return std::move(*commit);
}

std::vector<git::CommitInfo> World::Own(const std::string& repository, const git::Oid& tip,
                                        const git::Oid& upstream) const {
  const auto opened = Open(repository);
  std::vector<git::CommitInfo> out;
  std::vector<git::Oid> open{tip};
  std::set<git::Oid> seen;
  while (!open.empty()) {
    const git::Oid id = open.back();
    open.pop_back();
    const auto landed = opened->IsAncestor(id, upstream);
    if (!seen.insert(id).second || !landed.ok() || *landed) continue;
    auto commit = opened->ReadCommit(id);
    if (!commit.ok()) throw std::runtime_error(commit.error().message);
    open.insert(open.end(), commit->parents.rbegin(), commit->parents.rend());
    out.push_back(std::move(*commit));
  }
  return out;
}

std::string World::Script() const {
  return "# sh THIS_FILE, with revctl on the PATH: plays the history again in a new folder.\n"
         "R=$(mktemp -d) && cd \"$R\" && echo \"$R\" || exit\n"
         "export HOME=\"$R\" XDG_CONFIG_HOME=\"$R\" GIT_CONFIG_NOSYSTEM=1 "
         "GIT_CONFIG_GLOBAL=\"$R/gitconfig\" GIT_EDITOR=true GIT_TERMINAL_PROMPT=0\n"
         "unset CI GITHUB_ACTIONS GITLAB_CI EMAIL\n"
         "git config --global init.defaultBranch main\n" +
         Setup() + "set -x\n" + script_;
}

}  // namespace revctl::testing
