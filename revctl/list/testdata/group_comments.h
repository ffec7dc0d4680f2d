#ifndef SAVE_LOAD_VERSION_H
#define SAVE_LOAD_VERSION_H

#include <cstdint>

/** Every version of the save format. Each comment has the number, and the release or change that added the version. */
enum SaveLoadVersion : uint16_t {
	SL_FIRST_VERSION,                       ///< The first version

	SLV_1,                                  ///<  1.0         0.1.x
	SLV_2,                                  /**<  2.0         0.3.0
	                                         *    2.1         0.3.1, 0.3.2 */
	SLV_3,                                  ///<  3.x         lost
	SLV_4,                                  /*    4.0     1
	                                         *    4.1   122   0.3.3, 0.3.4
	                                         *    4.2  1222   0.3.5 */
	SLV_5,                                  ///<  5   1429

	/* The following versions are named after their purpose. Patched builds use numbers from 100, which
	 * are never used here, because their games could not be distinguished from ours. */
	SLV_LONG_TRACKS,                        ///<  6  change 6805: tracks of more than 64 pieces
	SLV_TOWN_NAMES,                         ///<  7  change 6918: names with ', { and = in them
	SLV_RESERVED_8,                         ///<  8  reserved for a patch that never landed
	SLV_CALENDAR = 100,                     ///< 100 change 7003: SLV_TOWN_NAMES = 7 is not enough
	SLV_CARGO_FLOW,                         ///< 101 change 7103

	SL_MAX_VERSION,                         ///< Highest possible version, and always the last entry
};

/** The version of new saves. */
const SaveLoadVersion SAVEGAME_VERSION = (SaveLoadVersion)(SL_MAX_VERSION - 1);

#endif /* SAVE_LOAD_VERSION_H */
