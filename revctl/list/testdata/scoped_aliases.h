#pragma once

#include <cstdint>

/// To add a version: put it before CURRENT and point CURRENT at it.
enum class ESaveVersion : std::int32_t
{
	NONE = 0,

	MINIMAL = 831,
	TEXT_BOX = 831, // a second name for the same number
	RELEASE_143, // 832 + names in campaigns, + no limit on artifacts
	BLACK_MARKET, // 833 kept when a market is empty
	QUESTS,
	RELEASE_150 = QUESTS, // 834
	HEROES, // 835: counts on from the alias

	TIMERS = HEROES + 5,
	AFTER_TIMERS,
	CURRENT = AFTER_TIMERS
};

struct Version
{
	ESaveVersion value = ESaveVersion::CURRENT;
	bool HasTimers() const { return value >= ESaveVersion::TIMERS; }
};
