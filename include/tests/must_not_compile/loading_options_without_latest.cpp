// pass the latest revision, as in Load(bytes, value, SR_LATEST)
#include <revctl/save_file.h>
#include <revctl/serialize.h>

enum Rev { SR_INITIAL = 1, SR_LATEST = SR_INITIAL };
struct Score {
  int points = 0;
};
SERIALIZE_TYPE(Score) { ADD(SR_INITIAL, points); }
SERIALIZE_END

#ifdef FINE
revctl::Status One(const std::string& bytes, Score& score) {
  return revctl::Load(bytes, score, SR_LATEST, {.checksum = true});
}
revctl::Status Two(const std::string& path, Score& score) {
  return revctl::LoadFile(path, score, SR_LATEST, {.checksum = true});
}
#else
revctl::Status One(const std::string& bytes, Score& score) {
  return revctl::Load(bytes, score, {.checksum = true});
}
revctl::Status Two(const std::string& path, Score& score) {
  return revctl::LoadFile<Rev>(path, score, {.checksum = true});
}
#endif
