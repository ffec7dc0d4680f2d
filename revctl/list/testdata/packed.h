enum class Revision : unsigned {
  SR_A, SR_B, SR_C = 10, SR_D,
  SR_E, /* five */ SR_F, // six
  SR_G };