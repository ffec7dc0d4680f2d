// Newest first, so that nobody has to scroll.
enum SaveVersion : unsigned short {
    CURRENT_VERSION = 1009,

    FORMAT_VERSION_1003_RELEASE = 1009,  // 1.0.3
    FORMAT_VERSION_PRE2_1003 = 1008,
    FORMAT_VERSION_PRE1_1003 = 1007,

    FORMAT_VERSION_1002_RELEASE = 1002,
    FORMAT_VERSION_1001_RELEASE = 0x3e8,
};
