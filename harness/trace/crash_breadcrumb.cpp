#include "harness/trace/crash_breadcrumb.h"

#include <cstdint>
#include <cstring>

#include "harness/trace/registry.h"
#include "harness/trace/source_place.h"
#include "revctl/base/system/process.h"

namespace revctl::harness {
namespace {

constexpr char kAnchor[] = "anchor";

struct State {
  char* text = nullptr;
  std::set<std::string> left_out;
  unsigned core_seconds = 0;
  std::string watched;
  bool met = false;
  std::atomic<std::size_t>* done = nullptr;
};

/// Returns the text that identifies a step, truncated to fit in the shared memory.
std::string Noted(const std::string& type, const std::string& what) {
  return (type + "\n" + what).substr(0, Progress::kTextSize - 1);
}

State& Current() {
  static State state;
  return state;
}

}  // namespace

void CrashBreadcrumb::Tell(std::string& name, SourcePlace& place) const {
  if (field.load() == nullptr) return;
  name = Text(Here(field));
  if (const std::string source = Text(Here(file)); !source.empty()) place = {source, line};
}

void CrashBreadcrumb::NoteIn(CrashBreadcrumb* visit) {
  current = visit != nullptr ? visit : &nowhere;
  Put<const char*>(current->anchor, kAnchor);
}

const char* CrashBreadcrumb::Here(const char* there) const {
  if (there == nullptr || anchor.load() == nullptr) return there;
  // Subtract the addresses as numbers, because subtracting pointers into different arrays is
  // undefined.
  const auto distance =
      reinterpret_cast<std::uintptr_t>(kAnchor) - reinterpret_cast<std::uintptr_t>(anchor.load());
  return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(there) + distance);
}

std::string CrashBreadcrumb::Text(const char* at) {
  constexpr std::size_t kLongest = 4096;
  return base::TextAt(at, kLongest);
}

bool Progress::Enter(const std::string& type, const std::string& what, unsigned most_seconds) {
  State& state = Current();
  if (state.text == nullptr) {
    ResetProgram();
    return true;
  }
  CrashBreadcrumb::Forget();
  const std::string noted = Noted(type, what);
  state.met = state.met || noted == state.watched;
  if (state.left_out.contains(noted)) return false;
  std::memcpy(state.text, noted.c_str(), noted.size() + 1);
  const bool smaller = most_seconds != 0 && most_seconds < state.core_seconds;
  base::LimitProcessorTime(smaller ? most_seconds : state.core_seconds);
  ResetProgram();  // must be last, because the program's own code may crash here
  return true;
}

void Progress::Relax() {
  if (const State& state = Current(); state.text != nullptr)
    base::LimitProcessorTime(state.core_seconds);
}

void Progress::Install(char* text, std::set<std::string> left_out, unsigned core_seconds,
                       std::atomic<std::size_t>* done) {
  Current() = {text, std::move(left_out), core_seconds, "", false, done};
}

void Progress::Done() {
  if (State& state = Current(); state.done != nullptr) ++*state.done;
}

void Progress::Watch(const std::string& type, const std::string& what) {
  Current().watched = Noted(type, what);
}

bool Progress::Met() { return Current().met; }

}  // namespace revctl::harness
