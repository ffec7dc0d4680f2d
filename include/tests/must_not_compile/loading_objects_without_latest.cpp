// pass the latest revision, as in Load(bytes, value, SR_LATEST)
#include <memory>
#include <string>
#include <vector>

#include <revctl/objects.h>
#include <revctl/serialize.h>

enum Rev { SR_INITIAL = 1, SR_LATEST = SR_INITIAL };
struct Thing {
  int hp = 0;
  virtual ~Thing() = default;
};
SERIALIZE_TYPE(Thing) { ADD(SR_INITIAL, hp); }
SERIALIZE_END
using Roots = std::vector<std::unique_ptr<Thing>>;

#ifdef FINE
revctl::Status One(const std::string& bytes, const revctl::ObjectClasses& classes, Roots& roots) {
  return revctl::LoadObjects(bytes, classes, roots, SR_LATEST);
}
revctl::Status Two(const std::string& path, const revctl::ObjectClasses& classes, Roots& roots) {
  return revctl::LoadObjectsFile(path, classes, roots, SR_LATEST);
}
#else
revctl::Status One(const std::string& bytes, const revctl::ObjectClasses& classes, Roots& roots) {
  return revctl::LoadObjects(bytes, classes, roots);
}
revctl::Status Two(const std::string& path, const revctl::ObjectClasses& classes, Roots& roots) {
  return revctl::LoadObjectsFile<Rev>(path, classes, roots);
}
#endif
