#include "golden/index.h"

#include <catch2/catch.hpp>

using revctl::golden::FileName;
using revctl::golden::FileNameText;
using revctl::golden::ParseFileName;

TEST_CASE("index: parses and formats the names of all kinds of files", "[golden][index]") {
  for (const char* path : {"SR_FOULS.yaml", "SR_FOULS.golden", "SR_FOULS+9f86d081884c7d65.yaml",
                           "SR_FOULS+9f86d081884c7d65.golden", "approved/9f86d081884c7d65.yaml"}) {
    const auto name = ParseFileName(path);
    REQUIRE(name);
    CHECK(FileNameText(*name) == path);
  }
  CHECK(ParseFileName("SR_FOULS.golden")->kind == FileName::Kind::Payloads);
  CHECK(ParseFileName("SR_FOULS.golden")->revision == "SR_FOULS");
  CHECK_FALSE(ParseFileName("SR_FOULS.yaml")->IsAddition());
  CHECK(ParseFileName("SR_FOULS+9f86d081884c7d65.yaml")->IsAddition());
}

TEST_CASE("index: ignores other files and paths outside the folder", "[golden][index]") {
  for (const char* path : {"README.md", ".SR_FOULS.yaml.tmp-12", "../SR_FOULS.yaml",
                           "a/SR_FOULS.yaml", "SR_FOULS+zz.yaml", "SR_FOULS+9F86D081884C7D65.yaml",
                           "approved/x.yaml", "approved/../SR_X.yaml", ".yaml", "6.yaml",
                           "approved/9f86d081884c7d65.golden", "SR FOULS.yaml", ""}) {
    INFO(path);
    CHECK_FALSE(ParseFileName(path));
  }
  CHECK_FALSE(ParseFileName(std::string(300, 'A') + ".yaml"));
}
