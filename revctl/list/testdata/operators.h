constexpr int kBase = 100;
static const unsigned kStep = 7u;
inline constexpr auto kWide = 1LL << 40;
using Small = unsigned char;
typedef short Narrow;
enum Other { OTHER_A = 3, OTHER_B, OTHER_NEGATIVE = -9 };
enum class Scoped : unsigned char { One = 1, Big = 200 };

enum Revision
{
    SR_ADD = kBase + kStep,
    SR_SUB = kBase - kStep * 2,
    SR_DIV = -7 / 2,
    SR_MOD = -7 % 4,
    SR_SHIFT = 1 << 10 | 1,
    SR_SHIFT_RIGHT = -16 >> 2,
    SR_AND = 0xf0 & 0x3c,
    SR_XOR = 0xf0 ^ 0x3c,
    SR_PRECEDENCE = 2 + 3 * 4 - 10 / 5 % 3,
    SR_COMPARE = (3 < 4) + (4 <= 4) + (5 > 4) + (5 >= 6) + (1 == 1) + (1 != 1),
    SR_LOGIC = (1 && 0) + (1 || 0) * 2,
    SR_CONDITIONAL = kBase > 50 ? 5 : 1 / 0,
    SR_NESTED = kBase < 50 ? 1 : kBase < 150 ? 2 : 3,
    SR_UNSIGNED_COMPARE = -1 > 0u,
    SR_CAST = (unsigned char)300,
    SR_CAST_STATIC = static_cast<Small>(511) + 1,
    SR_CAST_NARROW = Narrow(70000),
    SR_CAST_CALL = int(7 > 6 ? 1 : 2) * 0 + 4,
    SR_OTHER = OTHER_B + Other::OTHER_A,
    SR_OTHER_NEGATIVE = OTHER_NEGATIVE * -1,
    SR_SCOPED = static_cast<int>(Scoped::Big) + 1,
    SR_SELF = SR_ADD + SR_SUB,
    SR_SIZE = 5,
    SR_WORDS = (not 0) bitor (compl 0 bitand 6),
    SR_WIDE = kWide,
    SR_AFTER_WIDE
};
