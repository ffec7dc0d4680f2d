#include "harness/check/replay.h"

#include <utility>

#include "harness/check/crash.h"
#include "harness/trace/progress.h"

namespace revctl::harness {

Replayed Replay(const Registry& registry, const revctl::ListTable& list, const golden::Store& store,
                const CheckOptions& options, const std::string& type, const std::string& what) {
  const std::set<std::string> only = {type};
  CheckOptions own = options;
  own.only = &only;
  own.store = false;
  const auto run = [&] { (void)Check(registry, list, store, own); };
  static constexpr char kMet[] = "met";
  std::set<std::string> left_out;
  while (left_out.size() <= ChildProcess::kMostCrashes) {
    ChildProcess child;
    const auto work = [&] {
      Progress::Watch(type, what);
      run();
      return std::string(Progress::Met() ? kMet : "not met");
    };
    if (!child.ok() || !child.Start(left_out, work, options.limits)) break;
    if (const auto answer = child.Finish())
      return *answer == kMet ? Replayed::Harmless : Replayed::Unknown;
    const Crash crash = CrashOf(child);
    if (crash.What() == what) break;
    if (!left_out.insert(crash.last).second || crash.ending == ChildProcess::kHangs)
      return Replayed::Unknown;
  }
  static char noted[Progress::kTextSize];
  Progress::Install(noted, std::move(left_out), 0);
  run();
  return Replayed::Vanished;
}

}  // namespace revctl::harness
