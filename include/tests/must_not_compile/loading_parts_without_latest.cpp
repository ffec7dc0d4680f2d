// pass the latest revision, as in PartOf<Revision>(value, SR_LATEST)
#include <string>

#include <revctl/save_parts.h>
#include <revctl/serialize.h>

enum Rev { SR_INITIAL = 1, SR_LATEST = SR_INITIAL };
struct Score {
  int points = 0;
};
SERIALIZE_TYPE(Score) { ADD(SR_INITIAL, points); }
SERIALIZE_END

revctl::Status Both(const std::string& bytes, Score& score, Score& other) {
#ifdef FINE
  return revctl::LoadParts(bytes, {}, revctl::PartOf<Rev>(score, SR_LATEST),
                           revctl::PartOf<Rev>(other, SR_LATEST));
#else
  return revctl::LoadParts(bytes, {}, revctl::PartOf<Rev>(score),
                           revctl::PartOf<Rev>(other, SR_LATEST));
#endif
}
