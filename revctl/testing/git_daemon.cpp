#include <cstdlib>
#include <filesystem>

#include "revctl/testing/servers.h"

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

GitDaemon::GitDaemon(const Sandbox& sandbox, const std::string& base, Access access) {
  const std::string exec_path = sandbox.Git(".", {"--exec-path"});
  const std::string folder = sandbox.Path(base), log = sandbox.Path("git-daemon.log");
  std::filesystem::create_directories(folder);
  // The daemon starts itself again for every connection, by its bare name.
  const std::vector<std::string> environment = {
      "GIT_CONFIG_GLOBAL=" + sandbox.root() + "/gitconfig", "GIT_CONFIG_NOSYSTEM=1",
      "PATH=" + exec_path + ":" + std::getenv("PATH")};
  process_ = StartOnFreePort("git daemon", log, port_, [&](int port) {
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{
            exec_path + "/git-daemon", "--listen=127.0.0.1", "--port=" + std::to_string(port),
            "--base-path=" + folder, "--export-all", "--reuseaddr", "--max-connections=0",
            access == Access::ReadWrite ? "--enable=receive-pack" : "--forbid-override=upload-pack",
            folder},
        environment, log);
  });
}

std::string GitDaemon::Url(const std::string& repository) const {
  return "git://127.0.0.1:" + std::to_string(port_) + "/" + repository;
}

}  // namespace revctl::testing
