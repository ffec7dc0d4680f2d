#include "harness/check/hostile_input.h"

#include <fmt/core.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <random>

#include "golden/large_payload.h"
#include "harness/isolation/child_process.h"
#include "harness/isolation/supervisor.h"
#include "harness/trace/condensed.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/program_state.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargest = 1U << 20;  // maximum size of an input made from small goldens
constexpr std::size_t kMostCutsOfLarge = 32;
constexpr int kDamagesOfOneLoad = 64;
constexpr int kMostAttempts = 400;  // maximum number of attempts to make a crashing input smaller

using Clock = std::chrono::steady_clock;

/// The progress of the child, in memory that the parent shares. No synchronization is needed,
/// because the parent reads the memory only after the child has ended.
struct Shared {
  std::atomic<std::uint64_t> inputs, refused;
  std::atomic<std::uint64_t> index;  ///< position of the current input in the sequence
  std::atomic<std::size_t> size, golden;
  /// a string literal, so the pointer is also valid in the parent
  std::atomic<const char*> how{"before any input"};
  /// true if an allocation failed; the body may have continued nevertheless
  std::atomic<bool> out_of_memory;
  CrashBreadcrumb visit;
  std::byte* input = nullptr;  ///< points into SharedBytes
  std::size_t capacity = 0;

  template <class T>
  static void Put(std::atomic<T>& to, T value) {
    to.store(value, std::memory_order_relaxed);
  }
  static void Count(std::atomic<std::uint64_t>& counter) {
    Put(counter, counter.load(std::memory_order_relaxed) + 1);
  }
};

class Child {
 public:
  /// Skips the first `done` inputs, which an earlier child has decoded.
  Child(const RootType& root, const History& history, const std::vector<Golden>& goldens,
        Clock::time_point end, std::uint64_t seed, std::uint64_t done, Shared& shared)
      : root_(root),
        history_(history),
        goldens_(goldens),
        random_(seed),
        end_(end),
        done_(done),
        shared_(shared) {}

  void Run() {
    // Truncations come first, because they are the most common damage.
    for (const Golden& golden : goldens_) {
      if (golden.large != nullptr) continue;
      const auto payload = golden.payload();
      for (std::size_t size = 0; size < payload.size() && !TimeIsUp(); ++size) {
        Try(golden, {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size)}, "cut");
      }
    }
    while (!goldens_.empty() && !TimeIsUp()) {
      for (const Golden& golden : goldens_) {
        if (TimeIsUp()) return;
        if (golden.large != nullptr) {
          DamageLarge(golden);
        } else {
          Mutate(golden);
        }
      }
    }
  }

 private:
  bool TimeIsUp() const { return Clock::now() >= end_; }
  std::size_t Below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void Mutate(const Golden& golden) {
    const auto payload = golden.payload();
    std::vector<std::byte> bytes(payload.begin(), payload.end());
    const char* how = "flipped";
    switch (Below(4)) {
      case 0:
        for (std::size_t n = 1 + Below(4); n > 0 && !bytes.empty(); --n)
          bytes[Below(bytes.size())] ^= std::byte{1} << Below(8);
        break;
      case 1: {  // overwrite a possible count with a wrong one
        how = "wrong count";
        constexpr std::uint32_t kLies[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000, 0xFFFF, 3};
        const std::uint32_t lie = kLies[Below(std::size(kLies))];
        if (bytes.size() >= 4) std::memcpy(bytes.data() + Below(bytes.size() - 3), &lie, 4);
        break;
      }
      case 2: {  // join the beginning of one golden with the end of another
        how = "spliced";
        const Golden& back = goldens_[Below(goldens_.size())];
        const auto other = back.large == nullptr ? back.payload() : payload;
        bytes.resize(Below(bytes.size() + 1));
        bytes.insert(bytes.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(Below(other.size() + 1)),
                     other.end());
        break;
      }
      default:
        how = "trailing noise";
        bytes.resize(Below(bytes.size() + 1));
        for (std::size_t n = Below(64); n > 0; --n)
          bytes.push_back(static_cast<std::byte>(random_()));
    }
    Try(golden, bytes, how);
  }

  /// Damages a large golden in place, one field at a time, and undoes each change. Chooses fields
  /// by their place in the types, so that a long list does not crowd out other fields.
  void DamageLarge(const Golden& golden) {
    if (TimeIsUp()) return;
    const std::int64_t number = history_.revisions()[golden.revision].number;
    std::vector<std::size_t> fields;
    std::size_t size = 0;
    {
      auto payload = history_.ReadLarge(golden);
      if (!payload || payload->empty() || payload->size() > shared_.capacity) return;
      size = payload->size();
      std::memcpy(shared_.input, payload->data(), size);
      *payload = {};  // the shared memory has a copy
      const Object object(root_.type());
      const std::span<const std::byte> input(shared_.input, size);
      for (const Condensed::Field& field :
           CondensedRead(root_.type(), input, number, object.get(), {}, /*fields=*/true).fields)
        fields.push_back(field.offset);
    }
    const auto place = [&] {
      return fields.empty() || Below(4) == 0 ? Below(size) : fields[Below(fields.size())];
    };
    for (std::size_t cut = 0; cut < kMostCutsOfLarge && !TimeIsUp(); ++cut)
      TryInPlace(golden, number, place(), "cut");
    for (int n = 0; n < kDamagesOfOneLoad && !TimeIsUp(); ++n) {
      std::byte before[4];
      const std::size_t at = std::min(place(), size - std::min<std::size_t>(size, sizeof before));
      const std::size_t bytes = std::min(size - at, sizeof before);
      std::memcpy(before, shared_.input + at, bytes);
      const char* how = "flipped";
      if (Below(2) == 0) {
        shared_.input[at + Below(bytes)] ^= std::byte{1} << Below(8);
      } else {
        how = "wrong count";
        constexpr std::uint32_t kLies[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000, 0xFFFF, 3};
        std::memcpy(shared_.input + at, &kLies[Below(std::size(kLies))], bytes);
      }
      TryInPlace(golden, number, size, how);
      std::memcpy(shared_.input + at, before, bytes);
    }
  }

  /// Decodes the first `size` bytes of the input, which is already in shared memory.
  void TryInPlace(const Golden& golden, std::int64_t number, std::size_t size, const char* how) {
    if (++index_ <= done_) return;
    Shared::Put(shared_.index, index_);
    Shared::Put(shared_.golden, static_cast<std::size_t>(&golden - goldens_.data()));
    Shared::Put(shared_.how, how);
    Shared::Put(shared_.size, size);
    const bool taken =
        ReadAndSave(root_, std::span(shared_.input, size), number, history_.latest().number);
    Shared::Count(shared_.inputs);
    if (!taken) Shared::Count(shared_.refused);
  }

  void Try(const Golden& golden, const std::vector<std::byte>& bytes, const char* how) {
    if (++index_ <= done_ || bytes.size() > kLargest) return;
    Shared::Put(shared_.index, index_);
    Shared::Put(shared_.golden, static_cast<std::size_t>(&golden - goldens_.data()));
    Shared::Put(shared_.how, how);
    if (!bytes.empty()) std::memcpy(shared_.input, bytes.data(), bytes.size());
    Shared::Put(shared_.size, bytes.size());
    const bool taken = ReadAndSave(root_, bytes, history_.revisions()[golden.revision].number,
                                   history_.latest().number);
    Shared::Count(shared_.inputs);
    if (!taken) Shared::Count(shared_.refused);
  }

  const RootType& root_;
  const History& history_;
  const std::vector<Golden>& goldens_;
  std::mt19937_64 random_;
  const Clock::time_point end_;
  const std::uint64_t done_;
  std::uint64_t index_ = 0;
  Shared& shared_;
};

/// Runs each decoder in a child process, because a body that reads hostile input may change signal
/// handlers, memory or anything else.
class Arena {
 public:
  Arena(Shared& shared, const StormLimits& limits) : shared_(shared), limits_(limits) {}

  static constexpr char kHangs[] = "hangs";

  /// Runs `work` in a child. Returns how the child ended, or "" if it ended normally.
  std::string Run(const std::function<void()>& work) { return Run(work, limits_.patience); }
  std::string Run(const std::function<void()>& work, std::chrono::milliseconds wall) {
    shared_.out_of_memory = false;
    const bool started = supervisor_.Start([&] {
      LimitMemory(limits_.memory, shared_.out_of_memory);
      work();
      return std::string();
    });
    std::uint64_t at = shared_.index;
    const auto moved = [&] {
      if (limits_.watch) limits_.watch(shared_.inputs);
      return std::exchange(at, shared_.index.load()) != at;
    };
    return started ? Text(supervisor_.Finish(moved, {.wall = wall})) : "";
  }

 private:
  std::string Text(const Ending& ending) const {
    if (ending.how == Ending::How::Well) return "";
    if (ending.how == Ending::How::Hangs) return kHangs;
    const std::string how = fmt::format(
        "{} {}", ending.how == Ending::How::Signal ? "killed by signal" : "ended with status",
        ending.number);
    return shared_.out_of_memory ? fmt::format("{} when it tried to allocate more than {} MiB", how,
                                               limits_.memory >> 20)
                                 : how;
  }

  Shared& shared_;
  const StormLimits limits_;
  Supervisor supervisor_;

 public:
  const std::string& printed() const { return supervisor_.printed(); }
};

/// Simplifies an input as long as it still crashes in the same way: truncates it and replaces bytes
/// with zeros.
class Minimiser {
 public:
  Minimiser(const RootType& root, std::int64_t number, std::int64_t latest, std::string ending,
            Clock::time_point end, Arena& arena)
      : root_(root),
        number_(number),
        latest_(latest),
        ending_(std::move(ending)),
        end_(end),
        arena_(arena) {}

  std::vector<std::byte> Run(std::vector<std::byte> input) {
    if (ending_ == Arena::kHangs) return input;  // every attempt would wait for the timeout
    for (std::size_t step = input.size(); step > 0; step /= 2) {
      while (step <= input.size() && !IsSpent() &&
             Still({input.begin(), input.end() - static_cast<std::ptrdiff_t>(step)}))
        input.erase(input.end() - static_cast<std::ptrdiff_t>(step), input.end());
    }
    for (std::size_t step = input.size(); step > 0; step /= 2) {
      // Each attempt copies the whole input, so stop when no attempts are left.
      for (std::size_t at = 0; at < input.size() && !IsSpent(); at += step) {
        auto zeroed = input;
        const std::size_t to = std::min(at + step, zeroed.size());
        std::fill(zeroed.begin() + static_cast<std::ptrdiff_t>(at),
                  zeroed.begin() + static_cast<std::ptrdiff_t>(to), std::byte{0});
        if (zeroed != input && Still(zeroed)) input = std::move(zeroed);
      }
    }
    return input;
  }

 private:
  bool IsSpent() const { return attempts_ >= kMostAttempts || Clock::now() >= end_; }

  bool Still(const std::vector<std::byte>& bytes) {
    if (IsSpent()) return false;
    ++attempts_;
    return arena_.Run([&] { (void)ReadAndSave(root_, bytes, number_, latest_); }) == ending_;
  }

  const RootType& root_;
  const std::int64_t number_, latest_;
  const std::string ending_;
  const Clock::time_point end_;
  Arena& arena_;
  int attempts_ = 0;
};

/// Finds the field that the body was reading when it crashed. Uses a tracing archive, so the body
/// must crash with that archive as well.
void FindCrashField(const RootType& root, std::int64_t number, std::int64_t latest,
                    const std::string& ending, const StormLimits& limits, Arena& arena,
                    CrashBreadcrumb& visit, HostileCrash& crash) {
  const auto work = [&] {
    CrashBreadcrumb::NoteIn(&visit);
    CrashBreadcrumb::Forget();
    const Object object(root.type());
    const Traced read = TraceRead(root.type(), crash.input, number, object.get(), Leaves::Untold);
    if (read.ok && read.at_end) (void)TraceWrite(root.type(), object.get(), latest, Leaves::Untold);
  };
  // A hanging body reaches the hang long before the timeout, so a shorter timeout is enough here.
  const auto patience =
      std::max(limits.patience / 5, std::min(limits.patience, std::chrono::milliseconds(200)));
  if (arena.Run(work, patience) == ending) visit.Tell(crash.field, crash.place);
}

}  // namespace

bool ReadAndSave(const RootType& root, std::span<const std::byte> input, std::int64_t number,
                 std::int64_t latest) {
  const Object object(root.type());
  ResetProgram();
  const auto outcome = root.entry.read(input, number, object.get());
  if (!outcome.ok || !outcome.at_end) return false;
  // If the input is accepted, the object must behave like any other: saving it must succeed, or
  // fail without a crash.
  std::vector<std::byte> saved;
  (void)root.entry.write(latest, object.get(), saved);
  return true;
}

StormResult Storm(const RootType& root, const History& history, double seconds, std::uint64_t seed,
                  const StormLimits& limits) {
  StormResult result;
  const std::vector<Golden> goldens = history.SmallAndLarge(root.name);
  if (goldens.empty()) return result;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
  const SharedMemory<Shared> shared;
  std::size_t capacity = kLargest;
  for (const Golden& golden : goldens)
    capacity = std::max<std::size_t>(capacity, golden.item->size);
  const SharedBytes input(std::min(capacity, golden::kLargestLargePayload));
  if (shared.ok()) {
    shared->input = input.get();
    shared->capacity = input.size();
  }
  if (!shared.ok() || input.get() == nullptr) {
    result.crashes.push_back({"no shared memory for the hostile input", "", {}});
    return result;
  }
  Arena arena(*shared, limits);
  for (std::uint64_t done = 0;
       result.crashes.size() < StormResult::kMostCrashes && Clock::now() < end;) {
    const std::string ending =
        arena.Run([&] { Child(root, history, goldens, end, seed, done, *shared).Run(); });
    if (ending.empty()) break;
    const std::string printed = FirstLines(arena.printed());
    done = shared->index;
    const Golden& golden = goldens[shared->golden];
    const Revision& revision = history.revisions()[golden.revision];
    Minimiser minimiser(root, revision.number, history.latest().number, ending, end, arena);
    HostileCrash crash{fmt::format("{}, {}: {}", golden.id, shared->how.load(), ending),
                       revision.name, minimiser.Run({shared->input, shared->input + shared->size})};
    const bool known =
        std::any_of(result.crashes.begin(), result.crashes.end(), [&](const HostileCrash& other) {
          return other.revision == crash.revision && other.input == crash.input;
        });
    if (known) continue;
    crash.printed = printed;
    FindCrashField(root, revision.number, history.latest().number, ending, limits, arena,
                   shared->visit, crash);
    result.crashes.push_back(std::move(crash));
  }
  result.inputs = shared->inputs;
  result.refused = shared->refused;
  return result;
}

}  // namespace revctl::harness
