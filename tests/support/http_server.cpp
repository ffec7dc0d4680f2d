#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "tests/support/servers.h"

namespace revctl::testing {
namespace {

constexpr const char* kUser = "team";
constexpr const char* kPassword = "open-sesame";

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

std::string NginxConfig(const Sandbox& sandbox, const std::string& folder, const std::string& base,
                        const std::string& backend, int port) {
  auto parameter = [](const std::string& name, const std::string& value) {
    return "      fastcgi_param " + name + " " + value + ";\n";
  };
  // If nginx runs as root, it would by default start its workers as a different user, who cannot
  // read the sandbox.
  return std::string(::geteuid() == 0 ? "user root;\n" : "") +
         "daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log error.log;\nevents { "
         "worker_connections 512; }\nhttp {\n"
         "  access_log off;\n  client_max_body_size 0;\n  client_body_temp_path body;\n  "
         "fastcgi_temp_path fastcgi;\n  proxy_temp_path proxy;\n"
         "  uwsgi_temp_path uwsgi;\n  scgi_temp_path scgi;\n  fastcgi_read_timeout 300s;\n  server "
         "{\n    listen 127.0.0.1:" +
         std::to_string(port) +
         " backlog=511;\n    location / {\n      auth_basic git;\n      auth_basic_user_file "
         "users;\n      fastcgi_pass " +
         Quoted("unix:" + folder + "/fcgi") + ";\n" +
         parameter("SCRIPT_FILENAME", Quoted(backend)) +
         parameter("GIT_PROJECT_ROOT", Quoted(sandbox.Path(base))) +
         parameter("GIT_HTTP_EXPORT_ALL", "1") + parameter("PATH_INFO", "$uri") +
         parameter("QUERY_STRING", "$query_string") +
         parameter("REQUEST_METHOD", "$request_method") +
         parameter("CONTENT_TYPE", "$content_type") +
         parameter("CONTENT_LENGTH", "$content_length") + parameter("REMOTE_USER", "$remote_user") +
         parameter("REMOTE_ADDR", "$remote_addr") +
         parameter("SERVER_PROTOCOL", "$server_protocol") +
         parameter("GIT_CONFIG_GLOBAL", Quoted(sandbox.Path("gitconfig"))) +
         parameter("GIT_CONFIG_NOSYSTEM", "1") + parameter("HOME", Quoted(sandbox.root())) +
         parameter("PATH", Quoted(std::getenv("PATH"))) + "    }\n  }\n}\n";
}

}  // namespace

HttpServer::HttpServer(const Sandbox& sandbox, const std::string& base) {
  const std::string nginx = FindServer("nginx", "nginx-light"),
                    fcgiwrap = FindServer("fcgiwrap", "fcgiwrap");
  const std::string backend = sandbox.Git(".", {"--exec-path"}) + "/git-http-backend";
  const std::string folder = sandbox.Path("http"), log = folder + "/log";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directories(sandbox.Path(base));
  sandbox.Write("http/users", std::string(kUser) + ":{PLAIN}" + kPassword + "\n");
  cgi_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{fcgiwrap, "-c", "8", "-s", "unix:" + folder + "/fcgi"},
      std::vector<std::string>{}, log);
  for (int wait = 0; !std::filesystem::exists(folder + "/fcgi"); ++wait) {
    if (wait == 1000 || cgi_->Ended())
      throw std::runtime_error("fcgiwrap does not start: " + TailOf(log));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  nginx_ = StartOnFreePort("nginx", log, port_, [&](int port) {
    sandbox.Write("http/nginx.conf", NginxConfig(sandbox, folder, base, backend, port));
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{nginx, "-p", folder + "/", "-c", folder + "/nginx.conf", "-e",
                                 folder + "/error.log"},
        std::vector<std::string>{}, log);
  });
  // Use a credential helper, as users do, instead of putting the password into the URL.
  sandbox.Write("http/credentials", "http://" + std::string(kUser) + ":" + kPassword +
                                        "@127.0.0.1%3a" + std::to_string(port_) + "\n");
  ::chmod(sandbox.Path("http/credentials").c_str(), 0600);
  sandbox.Git(".", {"config", "--global", "credential.helper",
                    "store --file='" + folder + "/credentials'"});
}

std::string HttpServer::Url(const std::string& repository) const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/" + repository;
}

}  // namespace revctl::testing
