#pragma once

// Every change to the saved data has an entry here, in the order in which the changes landed. An
// entry that has landed never changes. To add one: revctl reserve SR_NAME -m "what it is for"
enum Revision {
  SR_INITIAL = 1,  // the first
#if __has_include("master_version_list.pending.inc")
#include "master_version_list.pending.inc"
#endif
};
