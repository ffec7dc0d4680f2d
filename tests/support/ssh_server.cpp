#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "tests/support/servers.h"

namespace revctl::testing {
namespace {

std::string SshdConfig(const Sandbox& sandbox, const std::string& folder, int port) {
  // The keys are under /tmp, which StrictModes would not allow. The default MaxStartups would
  // reject clones when many of them run at the same time.
  return "ListenAddress 127.0.0.1\nPort " + std::to_string(port) + "\nHostKey \"" + folder +
         "/host\"\nAuthorizedKeysFile \"" + folder +
         "/id.pub\"\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication "
         "no\nKbdInteractiveAuthentication no\n"
         "PermitRootLogin prohibit-password\nMaxStartups 1000\nLogLevel ERROR\n"
         // With SHLVL set, bash started by sshd does not read the user's ~/.bashrc.
         "SetEnv SHLVL=2 GIT_CONFIG_NOSYSTEM=1 \"GIT_CONFIG_GLOBAL=" +
         sandbox.Path("gitconfig") + "\"\n";
}

std::string SshConfig(const std::string& folder) {
  return "Host *\n  IdentityFile \"" + folder +
         "/id\"\n  IdentitiesOnly yes\n  UserKnownHostsFile \"" + folder +
         "/known_hosts\"\n  GlobalKnownHostsFile none\n  StrictHostKeyChecking yes\n  BatchMode "
         "yes\n  IdentityAgent none\n";
}

}  // namespace

SshServer::SshServer(const Sandbox& sandbox, const std::string& base)
    : folder_(sandbox.Path(base)) {
  const std::string sshd = FindServer("sshd", "openssh-server");
  const std::string folder = sandbox.Path("ssh"), log = folder + "/log";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directories(folder_);
  const passwd* me = ::getpwuid(::geteuid());
  if (me == nullptr) throw std::runtime_error("this user has no name, so no ssh client can log in");
  user_ = me->pw_name;
  // If sshd is started as root, it requires this folder, which otherwise only the system service
  // creates.
  if (::geteuid() == 0) ::mkdir("/run/sshd", 0755);
  for (const char* key : {"host", "id"}) {
    auto made =
        sandbox.Run("ssh", {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", key});
    if (!made.ok()) throw std::runtime_error("ssh-keygen: " + made.err);
  }
  process_ = StartOnFreePort("sshd", log, port_, [&](int port) {
    sandbox.Write("ssh/sshd_config", SshdConfig(sandbox, folder, port));
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{sshd, "-D", "-e", "-f", folder + "/sshd_config"},
        std::vector<std::string>{}, log);
  });
  sandbox.Write("ssh/known_hosts",
                "[127.0.0.1]:" + std::to_string(port_) + " " + sandbox.Read("ssh/host.pub"));
  sandbox.Write("ssh/config", SshConfig(folder));
  sandbox.Git(".", {"config", "--global", "core.sshCommand", "ssh -F '" + folder + "/config'"});
}

std::string SshServer::Url(const std::string& repository) const {
  std::string path;
  for (char c : folder_ + "/" + repository)
    path += c == ' ' ? std::string("%20") : std::string(1, c);
  return "ssh://" + user_ + "@127.0.0.1:" + std::to_string(port_) + path;
}

}  // namespace revctl::testing
