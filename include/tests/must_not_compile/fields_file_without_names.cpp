// define FIELDS_TYPE and FIELDS_FILE before including fields_file.inc
#include <revctl/fields.h>
enum { SR_INITIAL = 1, SR_FOULS, SR_PLAYERS, SR_NO_FOULS };
using Player = std::int32_t;
#ifdef FINE
#define FIELDS_TYPE Score
#define FIELDS_FILE "../tests/score_fields.def"
#endif
#include <revctl/fields_file.inc>
