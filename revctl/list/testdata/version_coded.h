// Data file versions: major, minor, release, build.
#define CODED(major, minor, release) \
    ((major) * 1000000 + (minor) * 10000 + (release))
#define FIRST_KEPT 3060011

namespace AGS
{
namespace Common
{

typedef int version_number;

enum GameDataVersion
{
    kVersion_Undefined = 0,
    kVersion_272    = 25,
    kVersion_272x = 26,
    kVersion_300    = 0x2A,
    kVersion_321    = CODED(3, 2, 1),
    kVersion_360_11 = FIRST_KEPT,
    kVersion_361,
    kVersion_362    = CODED(3, 6, 2) + kVersion_300 / 2,
    kVersion_Current = kVersion_362
};

} // namespace Common
} // namespace AGS

extern AGS::Common::GameDataVersion loaded_game_file_version; // kVersion_Undefined = not loaded
