#pragma once
// The list of a new project: one entry per line, with explicit numbers.
enum
{
    SR_INITIAL=664,// ae: everything up to the first playtest
    SR_STAMINA=665,// bk: stamina, regenerates
    SR_COOL_THING=666,// ae: what it is for
    SR_LATEST_PLUS_ONE
};
constexpr int SR_LATEST = SR_LATEST_PLUS_ONE - 1;
