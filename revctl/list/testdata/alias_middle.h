enum class Version
{
    A = 10,
    B,
    C,
    RELEASE_1 = B,   // the next implicit entry is 12 again
    D,
    RELEASE_2 = Version::D,
    E = static_cast<int>(RELEASE_2) + 2,
    CURRENT = (E)
};
