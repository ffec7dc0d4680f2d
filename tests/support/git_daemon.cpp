#include <cstdlib>
#include <filesystem>

#include "tests/support/servers.h"

namespace revctl::testing {

std::unique_ptr<GitServer> StartServer(Transport transport, const Sandbox& sandbox,
                                       const std::string& base) {
  switch (transport) {
    case Transport::Http:
      return std::make_unique<HttpServer>(sandbox, base);
    case Transport::Ssh:
      return std::make_unique<SshServer>(sandbox, base);
    case Transport::Git:
      break;
  }
  return std::make_unique<GitDaemon>(sandbox, base);
}

namespace {

/// Starts a daemon for the repositories under `folder`. `home` contains the daemon's configuration
/// and log.
std::unique_ptr<ChildProcess> StartDaemon(const Sandbox& home, const std::string& folder,
                                          GitDaemon::Access access, int& port) {
  const std::string exec_path = home.Git(".", {"--exec-path"});
  const std::string log = home.Path("git-daemon.log");
  // The daemon runs itself by name for every connection, so it must be in PATH.
  const std::vector<std::string> environment = {"GIT_CONFIG_GLOBAL=" + home.root() + "/gitconfig",
                                                "GIT_CONFIG_NOSYSTEM=1",
                                                "PATH=" + exec_path + ":" + std::getenv("PATH")};
  return StartOnFreePort("git daemon", log, port, [&](int free_port) {
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{
            exec_path + "/git-daemon", "--listen=127.0.0.1", "--port=" + std::to_string(free_port),
            "--base-path=" + folder, "--export-all", "--reuseaddr", "--max-connections=0",
            access == GitDaemon::Access::ReadWrite ? "--enable=receive-pack"
                                                   : "--forbid-override=upload-pack",
            folder},
        environment, log);
  });
}

/// Returns the port of the daemon that all sandboxes share. The daemon runs until the program ends,
/// because starting one takes longer than most tests.
int SharedPort(const Sandbox& any) {
  static const Sandbox home;
  static int port = 0;
  static const std::unique_ptr<ChildProcess> process =
      StartDaemon(home, std::filesystem::path(any.root()).parent_path().string(),
                  GitDaemon::Access::ReadWrite, port);
  return port;
}

}  // namespace

GitDaemon::GitDaemon(const Sandbox& sandbox, const std::string& base, Access access) {
  std::filesystem::create_directories(sandbox.Path(base));
  if (access == Access::ReadOnly) {
    process_ = StartDaemon(sandbox, sandbox.Path(base), access, port_);
    return;
  }
  port_ = SharedPort(sandbox);
  folder_ = std::filesystem::path(sandbox.root()).filename().string() + "/" + base + "/";
  // Escape spaces for the URL.
  for (std::size_t at = 0; (at = folder_.find(' ', at)) != std::string::npos;) {
    folder_.replace(at, 1, "%20");
  }
}

std::string GitDaemon::Url(const std::string& repository) const {
  return "git://127.0.0.1:" + std::to_string(port_) + "/" + folder_ + repository;
}

}  // namespace revctl::testing
