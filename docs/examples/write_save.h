// For the programs of history/: each is a harness that can also write the file that people know.
#pragma once
#include <cstdio>
#include <cstdlib>

#include <revctl/save_file.h>

/// Under EXAMPLE_SAVE_TO=FILE the program lets `save(FILE)` write and ends, before its main()
/// begins: one program for each revision instead of two, since what these cost is their
/// compilation. Behind the generated table of the list.
#define WRITES_SAVE_BY(save)                                             \
  [[maybe_unused]] static const bool writes_save = [] {                  \
    const char* file = std::getenv("EXAMPLE_SAVE_TO");                   \
    if (file == nullptr) return false;                                   \
    const revctl::Status status = save(file);                            \
    if (!status) std::fprintf(stderr, "%s\n", status.message().c_str()); \
    std::exit(status ? 0 : 3);                                           \
  }()

/// The same for a value, as a file of the latest revision.
#define WRITES_SAVE(value) \
  WRITES_SAVE_BY([](const char* path) { return revctl::SaveFile(path, SR_LATEST, value); })
