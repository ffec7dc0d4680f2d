#include "harness/hostile_input.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <random>

#include "harness/object.h"

namespace harness {
namespace {

constexpr std::size_t kLargest = 1U << 20;
constexpr std::uint64_t kRandomVariants = 2000;  // per golden, beside the truncations
constexpr unsigned kHangSeconds = 20;            // one input may not take longer

/// What parent and child share: which input is being decoded, and how many were.
struct Shared {
  std::atomic<std::uint64_t> inputs, bytes, refused;
  std::atomic<std::size_t> size;
  char what[256];
  std::byte input[kLargest];
};

class Child {
 public:
  Child(const RootType& root, const History& history, double seconds, std::uint64_t seed,
        Shared& shared)
      : root_(root),
        history_(history),
        random_(seed),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds))),
        shared_(shared) {}

  void Run() {
    const auto& goldens = history_.Goldens(root_.name);
    // Truncations of every golden first: the commonest damage there is.
    for (const Golden& golden : goldens) {
      const auto payload = golden.payload();
      for (std::size_t size = 0; size < payload.size() && !TimeIsUp(); ++size) {
        Try(golden, {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size)}, "cut");
      }
    }
    for (std::uint64_t round = 0; round < kRandomVariants && !goldens.empty(); ++round) {
      for (const Golden& golden : goldens) {
        if (TimeIsUp()) return;
        Mutate(golden);
      }
    }
  }

 private:
  bool TimeIsUp() const { return std::chrono::steady_clock::now() >= end_; }
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
      case 1: {  // a lying count, wherever one may stand
        how = "lying count";
        constexpr std::uint32_t kLies[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000, 0xFFFF, 3};
        const std::uint32_t lie = kLies[Below(std::size(kLies))];
        if (bytes.size() >= 4) std::memcpy(bytes.data() + Below(bytes.size() - 3), &lie, 4);
        break;
      }
      case 2: {  // the front of this and the back of another
        how = "spliced";
        const auto& all = history_.Goldens(root_.name);
        const auto other = all[Below(all.size())].payload();
        bytes.resize(Below(bytes.size() + 1));
        bytes.insert(bytes.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(Below(other.size() + 1)),
                     other.end());
        break;
      }
      default:
        how = "noise behind";
        bytes.resize(Below(bytes.size() + 1));
        for (std::size_t n = Below(64); n > 0; --n)
          bytes.push_back(static_cast<std::byte>(random_()));
    }
    Try(golden, bytes, how);
  }

  void Try(const Golden& golden, const std::vector<std::byte>& bytes, const char* how) {
    if (bytes.size() > kLargest) return;
    if (!bytes.empty()) std::memcpy(shared_.input, bytes.data(), bytes.size());
    shared_.size = bytes.size();
    std::snprintf(shared_.what, sizeof shared_.what, "%.180s, %s", golden.id.c_str(), how);
    ::alarm(kHangSeconds);
    const Object object(root_.type());
    const std::int64_t number = history_.revisions()[golden.revision].number;
    const auto outcome = root_.entry.read(bytes, number, object.get());
    ++shared_.inputs;
    shared_.bytes += bytes.size();
    if (!outcome.ok || !outcome.at_end) {
      ++shared_.refused;
      return;
    }
    // Whatever was accepted is an object like any other, and can be saved (or is refused) without
    // harm.
    std::vector<std::byte> saved;
    (void)root_.entry.write(history_.latest().number, object.get(), saved);
  }

  const RootType& root_;
  const History& history_;
  std::mt19937_64 random_;
  const std::chrono::steady_clock::time_point end_;
  Shared& shared_;
};

}  // namespace

StormResult Storm(const RootType& root, const History& history, double seconds,
                  std::uint64_t seed) {
  StormResult result;
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    result.crashed = "no shared memory for the storm";
    return result;
  }
  auto* shared = new (memory) Shared{};
  const pid_t child = ::fork();
  if (child == 0) {
    Child(root, history, seconds, seed, *shared).Run();
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0) {
    result.crashed = "the storm's process could not be started";
  } else if (WIFSIGNALED(status)) {
    result.crashed = std::string(shared->what) +
                     (WTERMSIG(status) == SIGALRM ? ": hangs" : ": killed by signal ") +
                     (WTERMSIG(status) == SIGALRM ? "" : std::to_string(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) != 0) {
    result.crashed = std::string(shared->what) + ": ended the process with status " +
                     std::to_string(WEXITSTATUS(status));
  }
  result.inputs = shared->inputs;
  result.bytes = shared->bytes;
  result.refused = shared->refused;
  if (!result.crashed.empty()) result.input.assign(shared->input, shared->input + shared->size);
  ::munmap(memory, sizeof(Shared));
  return result;
}

}  // namespace harness
