#ifndef CONDITIONS_H_
#define CONDITIONS_H_
#define MAJOR 3
#define MINOR 2
#define HAS_EXTRA
#undef HAS_EXTRA
#ifdef _MSC_VER
#pragma warning(disable : 4244)
#define ON_WINDOWS 1
#endif
#if defined(__cplusplus) && __cplusplus >= 201103L
namespace saves {
#endif
#if 0
enum Revision { SR_NEVER = 1, don't parse this };
#endif
enum Revision {
  SR_A = 1,
#if MAJOR == 3 && MINOR >= 2
  SR_B,
#  if defined HAS_EXTRA
  SR_EXTRA,
#  elif MAJOR > 2 // nested
  SR_C,
#  else
  SR_OTHER,
#  endif
#elif UNKNOWN_TO_THIS_FILE
  SR_UNKNOWN,
#else
  SR_OLD,
#endif
#ifdef MINOR
  SR_D,
#endif
#if 0 && defined(UNKNOWN_TO_THIS_FILE)
  SR_ZERO,
#endif
#if 1 || UNKNOWN_TO_THIS_FILE
  SR_E,
#endif
#if (MAJOR << 8 | MINOR) == 0x302 ? 1 : 0
  SR_F,
#endif
#define LAST SR_F
  SR_ALIAS = LAST
};
#if defined(__cplusplus) && __cplusplus >= 201103L
}
#endif
#endif
