#include "revctl/bench/big_history.h"

#include <stdexcept>

namespace revctl::bench {

std::string BigList(int revisions, const std::string& more) {
  std::string out = "#pragma once\nenum Revision\n{\n";
  for (int i = 1; i <= revisions; ++i) {
    out += "    SR_CHANGE_" + std::to_string(i) + "=" + std::to_string(i) + ",// ae: what change " +
           std::to_string(i) + " is for\n";
  }
  return out + more + "};\n";
}

void MakeBigHistory(const testing::Sandbox& sandbox, const std::string& directory, int commits,
                    int revisions, Grows grows) {
  sandbox.NewRepository(directory, "ann");
  auto data = [](const std::string& text) {
    return "data " + std::to_string(text.size()) + "\n" + text + "\n";
  };
  std::string stream;
  for (int i = 1; i <= commits; ++i) {
    stream += "commit refs/heads/main\ncommitter ann <ann@studio.example> " +
              std::to_string(1600000000 + i * 60) + " +0000\n" + data("work " + std::to_string(i));
    // Spread the files over small folders, because in a folder of a thousand files, every commit
    // would write a tree with a thousand entries.
    stream += "M 100644 inline src/" + std::to_string(i % 32) + "/" + std::to_string(i / 32 % 32) +
              ".cpp\n" + data("// " + std::to_string(i) + "\n");
    const int each = commits / revisions;
    if (grows == Grows::AlongTheWay && i % each == 0 && i != commits)
      stream += "M 100644 inline src/master_version_list.h\n" + data(BigList(i / each));
    if (i == commits) {
      stream += "M 100644 inline src/master_version_list.h\n" + data(BigList(revisions));
      stream +=
          "M 100644 inline .revctl.yaml\n" +
          data("version: 1\nlists: [{path: src/master_version_list.h}]\nreservation: optional\n");
    }
  }
  auto imported = sandbox.Run(directory, {"git", "fast-import", "--quiet"}, {}, stream);
  if (imported.status != 0) throw std::runtime_error(imported.err);
  sandbox.Git(directory, {"reset", "-q", "--hard"});
}

void MakeBigLedger(const testing::Sandbox& sandbox, const std::string& directory, int revisions) {
  const auto data = [](const std::string& text) {
    return "data " + std::to_string(text.size()) + "\n" + text + "\n";
  };
  const auto name = [revisions](int i) {
    return i == revisions ? std::string("SR_NEW") : "SR_CHANGE_" + std::to_string(i);
  };
  const auto state = [&](int last) {
    std::string out = "revctl-ledger-list 1\nhigh-water " + std::to_string(last) + "\n";
    for (int i = 1; i <= last; ++i)
      out += std::to_string(i) + " " + name(i) + " ann <ann@studio.example>\n";
    return "M 100644 inline list.main\n" + data(out);
  };
  std::string stream;
  for (int i = 1; i <= revisions; ++i) {
    const std::string what = name(i) + " " + std::to_string(i);
    stream += "commit refs/revctl/ledger\ncommitter ann <ann@studio.example> " +
              std::to_string(1600000000 + i * 60) + " +0000\n" +
              data("reserve main " + what + "\n\nRevision: " + what + "\n");
    if (i == 1) stream += "M 100644 inline ledger\n" + data("revctl-ledger 1\nid 6f1c\n");
    // Write only the first state of the list and the last 20, because all states together would
    // take gigabytes. revctl reads at most the last 16.
    if (i == 1 || i + 20 >= revisions) stream += state(i);
  }
  auto imported = sandbox.Run(directory, {"git", "fast-import", "--quiet"}, {}, stream);
  if (imported.status != 0) throw std::runtime_error(imported.err);
}

}  // namespace revctl::bench
