// Writes the known match as a save file: `write_save FILE`. Built once per revision, with the code of that revision.
#include <cstdio>

#include "known_match.h"
#include "master_version_list.revctl.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_save FILE\n");
    return 2;
  }
  const revctl::Status status = revctl::SaveFile(argv[1], SR_LATEST, pong::KnownMatch());
  if (!status) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status ? 0 : 3;
}
