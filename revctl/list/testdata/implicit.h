#ifndef GAME_TAG_VERSION_H
#define GAME_TAG_VERSION_H

#define TAG_CHARACTER_FORMAT 0

// The build may override it.
#ifndef TAG_MAJOR_VERSION
#define TAG_MAJOR_VERSION 34
#endif

// Minor numbers restart whenever the major number changes.
enum tag_minor_version
{
    TAG_MINOR_INVALID         = -1,
    TAG_MINOR_RESET           = 0, // Tags start again
#if TAG_MAJOR_VERSION == 34
    TAG_MINOR_BRANCHES_LEFT,       // the old branches ended here, don't reuse
    TAG_MINOR_VAULT_LIST,          // { vaults }, 'seen' = by name
    TAG_MINOR_FOOD,                /* hunger, thirst: TAG_MINOR_THIRST = later */

    // A second group; see #1234.
    TAG_MINOR_GODS,
    TAG_MINOR_ABYSS = 12,          // skipped the numbers of a deleted branch
    TAG_MINOR_ABYSS_DEPTH,
#else
    TAG_MINOR_ONLY_IN_35,
#endif
    NUM_TAG_MINORS,
    TAG_MINOR_VERSION = NUM_TAG_MINORS - 1
};

// All minor numbers were checked against this.
static_assert(TAG_MINOR_ABYSS_DEPTH == 13, "TAG_MINOR_ABYSS_DEPTH = 13");
#endif // GAME_TAG_VERSION_H
