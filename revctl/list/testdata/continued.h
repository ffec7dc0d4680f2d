#define LONG_ONE 5 + \
    6 + \
    7
enum Revi\
sion
{
    SR_A = 1\
2,
    SR_B = LONG_ONE, // a comment that goes on \
    SR_NOT_AN_ENTRY = 99,
    SR_C = SR_B + \
           1,
    SR_D /* over
            lines */ = 0x\
1f
};
