#define OLD [[deprecated]]
#define NOTHING
#define DEPRECATED(text) [[deprecated(text)]]
enum class [[nodiscard]] Revision : unsigned char
{
    SR_A [[maybe_unused]] = 1,
    SR_B OLD,
    SR_C NOTHING = 7,
    SR_D DEPRECATED("use SR_E, = {") = 8,
    SR_E __attribute__((deprecated)),
    SR_F [[deprecated("a, b"), maybe_unused]] = 20
};
