#include "harness/progress.h"

#include <sys/time.h>

#include <algorithm>
#include <cstring>

#include "harness/last_visit.h"

namespace harness {
namespace {

struct State {
  char* text = nullptr;
  std::set<std::string> left_out;
  unsigned patience = 0;
};
State& Current() {
  static State state;
  return state;
}

}  // namespace

bool Progress::Enter(const std::string& type, const std::string& what) {
  State& state = Current();
  if (state.text == nullptr) return true;
  LastVisit::Forget();
  const std::string whole = type + "\n" + what;
  const std::size_t size = std::min(whole.size(), kTextSize - 1);
  // What is left out is found by what was written here, hence cut alike.
  if (state.left_out.contains(whole.substr(0, size))) return false;
  std::memcpy(state.text, whole.data(), size);
  state.text[size] = '\0';
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(state.patience);
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  return true;
}

void Progress::Install(char* text, std::set<std::string> left_out, unsigned patience) {
  Current() = {text, std::move(left_out), patience};
}

}  // namespace harness
