#include "revctl/setup/merge_button_host.h"

#include <catch2/catch.hpp>

namespace revctl::commands {

TEST_CASE("merge button hosts: recognized by the remote's URL", "[setup]") {
  for (const auto& [url, host] : {
           std::pair("https://github.com/studio/game.git", "github.com"),
           std::pair("git@github.com:studio/game.git", "github.com"),
           std::pair("ssh://git@GitLab.studio.example:2222/game", "gitlab.studio.example"),
           std::pair("https://user:token@gitlab.com/a/b", "gitlab.com"),
           std::pair("git@bitbucket.org:a/b.git", "bitbucket.org"),
           std::pair("https://codeberg.org/a/b", "codeberg.org"),
           std::pair("gitea.studio.example:game.git", "gitea.studio.example"),
           std::pair("https://studio@dev.azure.com/studio/game/_git/game", "dev.azure.com"),
           std::pair("git://git.studio.example/game.git", ""),
           std::pair("git@studio.example:github.com/mirror.git", ""),
           std::pair("/srv/github.com/game.git", ""),
           std::pair("../github/game.git", ""),
           std::pair("C:/github/game.git", ""),
           std::pair("file:///srv/gitlab/game.git", ""),
           std::pair("https://studio.example/github/game.git", ""),
           std::pair("", ""),
       }) {
    INFO(url);
    CHECK(MergeButtonHost(url) == host);
  }
}

}  // namespace revctl::commands
