#pragma once
// Helpers for store tests.
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "golden/store.h"
#include "revctl/base/temporary_file.h"

namespace revctl::golden::testing {

inline std::vector<std::byte> Bytes(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

/// A temporary golden folder with a space in its path.
class Folder {
 public:
  Folder()
      : scratch_(std::move(base::ScratchFolder::Make().value())),
        path_(scratch_.path() + "/golden store") {
    std::filesystem::create_directory(path_);
  }
  std::string path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  void Put(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name, std::ios::binary) << text;
  }
  std::string Get(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(*this / name, std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  base::ScratchFolder scratch_;
  std::string path_;
};

struct Recorded {
  RevisionRecord record;
  PayloadPack payloads;
};

inline Recorded Make(const std::string& revision, const std::vector<std::string>& payloads) {
  Recorded made;
  made.record.revision = revision;
  made.record.number = 1;
  made.record.provenance = {"record", revision, "g++", "0.1.0", 1};
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    const auto bytes = Bytes(payloads[i]);
    made.record.cases.push_back({"Score",
                                 "auto-" + std::to_string(i + 1),
                                 made.payloads.Add(bytes),
                                 bytes.size(),
                                 {{"x", "1"}},
                                 {}});
  }
  return made;
}

inline Result<Done> Write(const Folder& folder, const Recorded& made, bool replace = false) {
  return WriteRecord(folder.path(), made.record, made.payloads, replace);
}

inline std::string OnlyProblem(const Folder& folder) {
  const Store store = Store::Open(folder.path());
  REQUIRE(store.problems().size() == 1);
  CHECK_FALSE(store.problems()[0].file.empty());
  return store.problems()[0].file.substr(folder.path().size() + 1) + ": " +
         store.problems()[0].message;
}

}  // namespace revctl::golden::testing
