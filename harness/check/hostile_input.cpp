#include "harness/check/hostile_input.h"

#include <fmt/core.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <utility>

#include <revctl/serialize.h>

#include "golden/large_payload.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/trace/condensed.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargest = 1U << 20;  // maximum size of an input made from small goldens
constexpr std::size_t kMostCutsOfLarge = 32;
constexpr int kDamagesOfOneLoad = 64;
constexpr std::uint32_t kLies[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000, 0xFFFF, 3};
constexpr int kMostAttempts = 400;  // maximum number of attempts to make a crashing input smaller

using Clock = std::chrono::steady_clock;

/// Kinds of damage to a golden.
enum class Damage : std::uint8_t { None, Cut, Flipped, WrongCount, Spliced, Noise };

const char* WordsOf(Damage damage) {
  switch (damage) {
    case Damage::None:
      return "before any input";
    case Damage::Cut:
      return "cut";
    case Damage::Flipped:
      return "flipped";
    case Damage::WrongCount:
      return "wrong count";
    case Damage::Spliced:
      return "spliced";
    case Damage::Noise:
      return "trailing noise";
  }
  return "";
}

/// The progress of the child, in memory that the parent shares, followed by the current input. No
/// synchronization is needed, because the parent reads the memory only after the child has ended.
struct Shared {
  std::atomic<std::uint64_t> inputs, refused;
  std::atomic<std::uint64_t> index;  ///< position of the current input in the sequence
  std::atomic<std::size_t> size, golden;
  std::atomic<Damage> how;

  static Shared& In(std::span<std::byte> memory) {
    return *reinterpret_cast<Shared*>(memory.data());
  }
  static std::span<std::byte> Input(std::span<std::byte> memory) {
    return memory.subspan(sizeof(Shared));
  }
  template <class T>
  static void Put(std::atomic<T>& to, T value) {
    to.store(value, std::memory_order_relaxed);
  }
  static void Count(std::atomic<std::uint64_t>& counter) {
    Put(counter, counter.load(std::memory_order_relaxed) + 1);
  }
};

/// The arguments of a child process that decodes damaged goldens of one type.
struct StormMessage {
  std::string type;
  std::uint64_t seed = 0;
  std::uint64_t done = 0;    ///< number of inputs that earlier children have decoded
  std::int64_t left_us = 0;  ///< time that is left, in microseconds
};
SERIALIZE_TYPE(StormMessage) {
  ADD(0, type);
  ADD(0, seed);
  ADD(0, done);
  ADD(0, left_us);
}
SERIALIZE_END

/// The arguments of a child process that decodes a single input.
struct InputMessage {
  std::string type;
  std::vector<std::byte> input;
  std::int64_t number = 0, latest = 0;
};
SERIALIZE_TYPE(InputMessage) {
  ADD(0, type);
  ADD(0, input);
  ADD(0, number);
  ADD(0, latest);
}
SERIALIZE_END

class Child {
 public:
  /// Skips the first `done` inputs, which earlier children have decoded.
  Child(const RootType& root, const History& history, const std::vector<Golden>& goldens,
        Clock::time_point end, std::uint64_t seed, std::uint64_t done, std::span<std::byte> memory)
      : root_(root),
        history_(history),
        goldens_(goldens),
        random_(seed),
        end_(end),
        done_(done),
        shared_(Shared::In(memory)),
        input_(Shared::Input(memory)) {}

  void Run() {
    // Truncations come first, because they are the most common damage.
    for (const Golden& golden : goldens_) {
      if (golden.large != nullptr) continue;
      const auto payload = golden.payload();
      for (std::size_t size = 0; size < payload.size() && !TimeIsUp(); ++size) {
        Try(golden, {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size)},
            Damage::Cut);
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
    Damage how = Damage::Flipped;
    switch (Below(4)) {
      case 0:
        for (std::size_t n = 1 + Below(4); n > 0 && !bytes.empty(); --n)
          bytes[Below(bytes.size())] ^= std::byte{1} << Below(8);
        break;
      case 1: {  // overwrite a possible count with a wrong one
        how = Damage::WrongCount;
        const std::uint32_t lie = kLies[Below(std::size(kLies))];
        if (bytes.size() >= 4) std::memcpy(bytes.data() + Below(bytes.size() - 3), &lie, 4);
        break;
      }
      case 2: {  // join the beginning of one golden with the end of another
        how = Damage::Spliced;
        const Golden& back = goldens_[Below(goldens_.size())];
        const auto other = back.large == nullptr ? back.payload() : payload;
        bytes.resize(Below(bytes.size() + 1));
        bytes.insert(bytes.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(Below(other.size() + 1)),
                     other.end());
        break;
      }
      default:
        how = Damage::Noise;
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
    std::vector<std::size_t> fields;
    std::size_t size = 0;
    {
      auto payload = history_.ReadLarge(golden);
      if (!payload || payload->empty() || payload->size() > input_.size()) return;
      size = payload->size();
      std::memcpy(input_.data(), payload->data(), size);
      *payload = {};  // free the payload, which has been copied to shared memory
      const Object object(root_.type());
      const std::int64_t number = history_.revisions()[golden.revision].number;
      const std::span<const std::byte> input = input_.first(size);
      for (const Condensed::Field& field :
           CondensedRead(root_.type(), input, number, object.get(), {}, /*fields=*/true).fields)
        fields.push_back(field.offset);
    }
    const auto place = [&] {
      return fields.empty() || Below(4) == 0 ? Below(size) : fields[Below(fields.size())];
    };
    for (std::size_t cut = 0; cut < kMostCutsOfLarge && !TimeIsUp(); ++cut)
      TryInPlace(golden, place(), Damage::Cut);
    for (int n = 0; n < kDamagesOfOneLoad && !TimeIsUp(); ++n) {
      std::byte before[4];
      const std::size_t at = std::min(place(), size - std::min<std::size_t>(size, sizeof before));
      const std::size_t bytes = std::min(size - at, sizeof before);
      std::memcpy(before, input_.data() + at, bytes);
      Damage how = Damage::Flipped;
      if (Below(2) == 0) {
        input_[at + Below(bytes)] ^= std::byte{1} << Below(8);
      } else {
        how = Damage::WrongCount;
        std::memcpy(input_.data() + at, &kLies[Below(std::size(kLies))], bytes);
      }
      TryInPlace(golden, size, how);
      std::memcpy(input_.data() + at, before, bytes);
    }
  }

  /// Decodes the first `size` bytes of the input, which is already in shared memory.
  void TryInPlace(const Golden& golden, std::size_t size, Damage how) {
    if (++index_ > done_) Read(golden, input_.first(size), how);
  }

  void Try(const Golden& golden, const std::vector<std::byte>& bytes, Damage how) {
    if (++index_ <= done_ || bytes.size() > kLargest) return;
    if (!bytes.empty()) std::memcpy(input_.data(), bytes.data(), bytes.size());
    Read(golden, bytes, how);
  }

  /// Decodes `bytes`. Shared memory holds a copy, which survives if this process crashes.
  void Read(const Golden& golden, std::span<const std::byte> bytes, Damage how) {
    Shared::Put(shared_.index, index_);
    Shared::Put(shared_.golden, static_cast<std::size_t>(&golden - goldens_.data()));
    Shared::Put(shared_.how, how);
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
  const std::span<std::byte> input_;
};

constexpr char kFinished[] = "finished";

/// Unpacks a job's arguments. Returns the root type that they name, or null if they are invalid.
template <class Message>
const RootType* UnpackWithRoot(const JobInput& input, Message& message) {
  return Unpack(input.arguments, message) ? input.registry.Find(message.type) : nullptr;
}

const JobKind kStorm("storm", [](const JobInput& input) -> std::string {
  StormMessage message;
  const RootType* const root = UnpackWithRoot(input, message);
  if (root == nullptr) return "";
  const Clock::time_point end = Clock::now() + std::chrono::microseconds(message.left_us);
  Child(*root, *input.history, input.history->SmallAndLarge(message.type), end, message.seed,
        message.done, input.memory)
      .Run();
  return kFinished;
});

const JobKind kOneInput("one hostile input", [](const JobInput& input) -> std::string {
  InputMessage message;
  const RootType* const root = UnpackWithRoot(input, message);
  if (root == nullptr) return "";
  (void)ReadAndSave(*root, message.input, message.number, message.latest);
  return kFinished;
});

/// Reads an input with a tracing archive, which notes the fields that the body visits.
const JobKind kTraceInput("trace hostile input", [](const JobInput& input) -> std::string {
  InputMessage message;
  const RootType* const root = UnpackWithRoot(input, message);
  if (root == nullptr) return "";
  CrashBreadcrumb::Forget();
  const Object object(root->type());
  const Traced read =
      TraceRead(root->type(), message.input, message.number, object.get(), Leaves::Untold);
  if (read.ok && read.at_end)
    (void)TraceWrite(root->type(), object.get(), message.latest, Leaves::Untold);
  return kFinished;
});

/// Runs each decoder in a child process, because a body that reads hostile input may change signal
/// handlers, memory or anything else.
class Arena {
 public:
  Arena(const JobData& data, std::size_t capacity, const StormLimits& limits)
      : data_(data), limits_(limits), supervisor_(sizeof(Shared) + capacity) {
    if (ok()) new (supervisor_.bytes().data()) Shared{};
  }

  static constexpr char kHangs[] = "hangs";

  bool ok() const { return supervisor_.ok(); }
  Shared& shared() const { return Shared::In(supervisor_.bytes()); }
  std::span<const std::byte> input() const {
    return Shared::Input(supervisor_.bytes()).first(shared().size);
  }
  const ChildNotes& notes() const { return supervisor_.notes(); }
  const std::string& printed() const { return supervisor_.printed(); }

  /// Runs a job in a child. Returns how the child ended, or "" if it finished the job.
  std::string Run(const JobKind& kind, std::string arguments) {
    return Run(kind, std::move(arguments), limits_.patience);
  }
  std::string Run(const JobKind& kind, std::string arguments, std::chrono::milliseconds wall) {
    const bool started =
        supervisor_.Start({kind, data_, std::move(arguments), {}, 0, limits_.memory});
    std::uint64_t at = shared().index;
    const auto moved = [&] {
      if (limits_.watch) limits_.watch(shared().inputs);
      return std::exchange(at, shared().index.load()) != at;
    };
    return started ? Text(supervisor_.Finish(moved, {.wall = wall})) : "";
  }

 private:
  std::string Text(const Ending& ending) const {
    if (ending.how == Ending::How::Hangs) return kHangs;
    if (ending.how == Ending::How::Well && supervisor_.answer() == kFinished) return "";
    const std::string how = ending.how == Ending::How::Signal
                                ? "killed by " + EndingWords(ending)
                                : fmt::format("ended with status {}", ending.number);
    return notes().out_of_memory ? fmt::format("{} when it tried to allocate more than {} MiB", how,
                                               limits_.memory >> 20)
                                 : how;
  }

  const JobData& data_;
  const StormLimits limits_;
  Supervisor supervisor_;
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
    if (ending_ == Arena::kHangs) return input;  // each attempt would hang until the timeout
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
    return arena_.Run(kOneInput, Pack(InputMessage{root_.name, bytes, number_, latest_})) ==
           ending_;
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
                    HostileCrash& crash) {
  // A hanging body reaches the hang long before the timeout, so a shorter timeout is enough here.
  const auto patience =
      std::max(limits.patience / 5, std::min(limits.patience, std::chrono::milliseconds(200)));
  const InputMessage message{root.name, crash.input, number, latest};
  if (arena.Run(kTraceInput, Pack(message), patience) == ending)
    arena.notes().visit.Tell(crash.field, crash.place);
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
  std::size_t capacity = kLargest;
  for (const Golden& golden : goldens)
    capacity = std::max<std::size_t>(capacity, golden.item->size);
  Registry registry;
  registry.types.push_back(root);
  const JobData data{registry, nullptr, nullptr, &history};
  Arena arena(data, std::min(capacity, golden::kLargestLargePayload), limits);
  if (!arena.ok()) {
    result.crashes.push_back({"cannot create shared memory for the hostile input", "", {}});
    return result;
  }
  const Shared& shared = arena.shared();
  for (std::uint64_t done = 0;
       result.crashes.size() < StormResult::kMostCrashes && Clock::now() < end;) {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(end - Clock::now());
    const std::string ending =
        arena.Run(kStorm, Pack(StormMessage{root.name, seed, done, left.count()}));
    if (ending.empty()) break;
    const std::string printed = FirstLines(arena.printed());
    done = shared.index;
    const Golden& golden = goldens[shared.golden];
    const Revision& revision = history.revisions()[golden.revision];
    Minimiser minimiser(root, revision.number, history.latest().number, ending, end, arena);
    const auto input = arena.input();
    HostileCrash crash{fmt::format("{}, {}: {}", golden.id, WordsOf(shared.how), ending),
                       revision.name, minimiser.Run({input.begin(), input.end()})};
    const bool known =
        std::any_of(result.crashes.begin(), result.crashes.end(), [&](const HostileCrash& other) {
          return other.revision == crash.revision && other.input == crash.input;
        });
    if (known) continue;
    crash.printed = printed;
    FindCrashField(root, revision.number, history.latest().number, ending, limits, arena, crash);
    result.crashes.push_back(std::move(crash));
  }
  result.inputs = shared.inputs;
  result.refused = shared.refused;
  return result;
}

}  // namespace revctl::harness
