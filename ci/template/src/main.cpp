// Saves a score and loads it again.
#include <cstdio>

#include <revctl/save_file.h>

#include "master_version_list.revctl.h"  // the generated table; it includes the list
#include "score.h"

int main() {
  Score score{7, 3, {{"ann", 7}, {"bob", 3}}}, loaded;
  revctl::Status status = revctl::SaveFile("score.save", SR_LATEST, score);
  if (status) status = revctl::LoadFile("score.save", loaded);
  if (!status) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status && loaded.p1Score == 7 ? 0 : 1;
}
