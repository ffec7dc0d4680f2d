#include "tests/support/sandbox.h"

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "revctl/base/system/process.h"

namespace revctl::testing {

namespace {

/// Returns the folder for sandboxes. Prefers /dev/shm, because on a disk, git would sync thousands
/// of small files. Does not use /dev/shm if $TMPDIR is set, or if /dev/shm is too small or does not
/// allow executables.
std::filesystem::path Place() {
  constexpr std::uint64_t kPlenty = std::uint64_t{4} << 30;
  struct statvfs about {};
  const char* const memory = "/dev/shm";
  const bool fit = ::statvfs(memory, &about) == 0 && (about.f_flag & ST_NOEXEC) == 0 &&
                   std::uint64_t{about.f_bavail} * about.f_frsize >= kPlenty;
  return std::getenv("TMPDIR") == nullptr && fit && ::access(memory, W_OK | X_OK) == 0
             ? memory
             : std::filesystem::temp_directory_path();
}

}  // namespace

const std::string& ProgramPath() {
  const char* const other = std::getenv("REVCTL_TEST_PROGRAM");
  static const std::string path = other == nullptr ? REVCTL_PROGRAM : other;
  return path;
}

Sandbox::Sandbox() {
  std::string name = (Place() / "revctl test XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  root_ = std::filesystem::canonical(name).string();
  // Isolate the tests from the user's configuration, and vice versa.
  Write("gitconfig",
        "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
        "[commit]\n\tgpgsign = false\n[pull]\n\trebase = false\n"
        // Disable housekeeping, which starts a process or two after every commit, fetch and push.
        "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n"
        // Use one thread for packing, because several tests run in parallel. On a virtual machine,
        // two threads took three times as long.
        "[pack]\n\tthreads = 1\n"
        "[protocol \"file\"]\n\tallow = always\n");
}

Sandbox::~Sandbox() {
  std::error_code error;
  std::filesystem::remove_all(root_, error);
}

std::vector<std::string> Sandbox::Environment() const {
  const char* path = std::getenv("PATH");
  const std::string program = std::filesystem::path(ProgramPath()).parent_path().string();
  std::vector<std::string> out = {"HOME=" + root_,
                                  "XDG_CONFIG_HOME=" + root_,
                                  "GIT_CONFIG_NOSYSTEM=1",
                                  "GIT_CONFIG_GLOBAL=" + root_ + "/gitconfig",
                                  "GIT_TERMINAL_PROMPT=0",
                                  "GIT_EDITOR=true",
                                  "PATH=" + program + ":" + (path == nullptr ? "" : path)};
  for (const char* name :
       {"CI", "REVCTL", "NO_COLOR", "GITHUB_ACTIONS", "GITLAB_CI", "GERRIT_BRANCH", "CHANGE_TARGET",
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"}) {
    out.emplace_back(name);
  }
  return out;
}

base::ProcessResult Sandbox::Run(const std::string& directory, const std::vector<std::string>& argv,
                                 const std::vector<std::string>& environment,
                                 const std::string& input) const {
  base::ProcessOptions options;
  options.directory = directory.starts_with('/') ? directory : Path(directory);
  options.environment = Environment();
  for (const std::string& line : environment) {
    const std::string name = line.substr(0, line.find('='));
    std::erase_if(options.environment,
                  [&](const std::string& e) { return e.substr(0, e.find('=')) == name; });
    options.environment.push_back(line);
  }
  options.input = input;
  auto result = base::Run(argv, options);
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

base::ProcessResult Sandbox::TryGit(const std::string& directory,
                                    std::vector<std::string> arguments,
                                    const std::vector<std::string>& environment) const {
  arguments.insert(arguments.begin(), "git");
  return Run(directory, arguments, environment);
}

std::string Sandbox::Git(const std::string& directory, std::vector<std::string> arguments) const {
  std::string line;
  for (const std::string& argument : arguments) line += " " + argument;
  auto result = TryGit(directory, std::move(arguments));
  if (!result.ok()) throw std::runtime_error("git" + line + " failed: " + result.out + result.err);
  if (result.out.ends_with('\n')) result.out.pop_back();
  return std::move(result.out);
}

base::ProcessResult Sandbox::Revctl(const std::string& directory,
                                    std::vector<std::string> arguments,
                                    const std::vector<std::string>& environment,
                                    const std::string& input) const {
  arguments.insert(arguments.begin(), ProgramPath());
  return Run(directory, arguments, environment, input);
}

void Sandbox::Write(const std::string& file, const std::string& text) const {
  const std::filesystem::path path = Path(file);
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

void Sandbox::WriteExecutable(const std::string& path, const std::string& text) const {
  Write(path, text);
  std::filesystem::permissions(Path(path), std::filesystem::perms::owner_all);
}

std::string Sandbox::Read(const std::string& file) const {
  std::ifstream in(Path(file), std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool Sandbox::Exists(const std::string& file) const {
  return std::filesystem::exists(std::filesystem::symlink_status(Path(file)));
}

std::string Sandbox::Snapshot(const std::string& folder) const {
  std::map<std::string, std::string> files;
  const std::filesystem::path top = Path(folder);
  if (!std::filesystem::exists(top)) return "";
  for (auto at = std::filesystem::recursive_directory_iterator(top);
       at != std::filesystem::recursive_directory_iterator(); ++at) {
    if (at->path().filename() == ".git") at.disable_recursion_pending();
    const std::string name = at->path().lexically_relative(top).string();
    if (at->is_symlink()) files[name] = "-> " + std::filesystem::read_symlink(at->path()).string();
    else if (at->is_regular_file()) files[name] = Read(folder + "/" + name);
    else files[name] = "folder";
  }
  std::string out;
  for (const auto& [name, text] : files) out += "== " + name + "\n" + text + "\n";
  return out;
}

void Sandbox::NewRepository(const std::string& directory, const std::string& person) const {
  std::filesystem::create_directories(Path(directory));
  Git(directory, {"init", "-q", "-b", "main"});
  SetOwner(directory, person);
}

void Sandbox::Clone(const std::string& url, const std::string& directory,
                    const std::string& person) const {
  Git(".", {"clone", "-q", url, directory});
  SetOwner(directory, person);
}

void Sandbox::SetOwner(const std::string& directory, const std::string& person) const {
  std::ofstream(Path(directory) + "/.git/config", std::ios::app)
      << "[user]\n\tname = " + person + "\n\temail = " + person + "@studio.example\n";
  // Suppress the daily notice about a clone without the driver.
  std::ofstream(Path(directory) + "/.git/revctl-not-installed");
}

void Sandbox::CopyFolder(const Sandbox& other, const std::string& folder) const {
  std::filesystem::create_directories(std::filesystem::path(Path(folder)).parent_path());
  // Copy the files in a separate process. If this process copied them, child processes that other
  // threads start at the same time would inherit the open hooks, and the system refuses to run a
  // program that is open for writing.
  const auto copied = Run(".", {"cp", "-a", other.Path(folder), Path(folder)});
  if (!copied.ok()) throw std::runtime_error("cp: " + copied.err);
}

void Sandbox::MoveOrigin(const std::string& directory, const std::string& from,
                         const std::string& to) const {
  const std::string file = directory + "/.git/config", old = "url = " + from + "\n";
  std::string text = Read(file);
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::runtime_error(file + " does not say " + old + text);
  text.replace(at, old.size(), "url = " + to + "\n");
  Write(file, text);
}

void Sandbox::CommitAll(const std::string& directory, const std::string& message) const {
  Git(directory, {"add", "-A"});
  Git(directory, {"commit", "-q", "--allow-empty", "-m", message});
}

}  // namespace revctl::testing
