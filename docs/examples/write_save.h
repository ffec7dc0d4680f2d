// Lets the harnesses of old revisions (history/) also write a save file.
#pragma once
#include <cstdio>
#include <cstdlib>

#include <revctl/save_file.h>

/// If EXAMPLE_SAVE_TO=FILE is set, the program calls `save(FILE)` and exits before main(). This
/// way, each revision needs only one program, which halves the compile time. Use it after including
/// the list's generated table.
#define WRITES_SAVE_BY(save)                                             \
  [[maybe_unused]] static const bool writes_save = [] {                  \
    const char* file = std::getenv("EXAMPLE_SAVE_TO");                   \
    if (file == nullptr) return false;                                   \
    const revctl::Status status = save(file);                            \
    if (!status) std::fprintf(stderr, "%s\n", status.message().c_str()); \
    std::exit(status ? 0 : 3);                                           \
  }()

#define WRITES_SAVE(value) \
  WRITES_SAVE_BY([](const char* path) { return revctl::SaveFile(path, SR_LATEST, value); })
