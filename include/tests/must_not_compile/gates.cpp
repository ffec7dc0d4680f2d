// the field ends before it begins; write the older revision first: member
// and: the field ends before it begins; write the older revision first: local
// and: the field ends before it begins; write the older revision first: scoped
#include <revctl/serialize.h>

enum { SR_INITIAL = 1, SR_LATER = 3 };
enum class Mod { Begin = 2, End = 9 };
int WorkedOut();

struct Gates {
  int member = 0, fine = 0;
  int cells[2] = {};
};
#ifdef FINE
#define ORDER(a, b) a, b
#else
#define ORDER(a, b) b, a
#endif
SERIALIZE_TYPE(Gates) {
  ADD(1, cells[1]);
  REM(ORDER(SR_INITIAL, SR_LATER), member);
  REM(ORDER(1, 3), int, local, 0);
  REM(ORDER(Mod::Begin, Mod::End), int, scoped, 0);
  REM(3, 3, int, never_landed, 0);
  const int until = WorkedOut();
  REM(SR_LATER, until, int, asked, 0);
  REM(SR_LATER, WorkedOut(), fine);
}
SERIALIZE_END
void Use(revctl::Writer& w, Gates& gates) { Serialize(w, gates); }
