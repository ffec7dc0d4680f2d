#pragma once
#include <sys/mman.h>
#include <sys/types.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <new>
#include <string>

namespace revctl::harness {

/// An object in memory that this process shares with the children it starts from now on.
template <class T>
class SharedMemory {
 public:
  SharedMemory() {
    void* memory =
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) object_ = new (memory) T{};
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() {
    if (object_ != nullptr) ::munmap(object_, sizeof(T));
  }

  /// False where the system gives no such memory; then nothing else may be called.
  bool ok() const { return object_ != nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  /// As it was at first.
  void Reset() { new (object_) T{}; }

 private:
  T* object_ = nullptr;
};

/// This process may take `most` bytes beyond what it has. `refused` is set once it was refused
/// more, and must outlive the process.
void LimitMemory(std::size_t most, std::atomic<bool>& refused);

/// How long one golden or sample may take before it is said to hang. Seconds; 0: for ever.
struct TimeLimits {
  unsigned core = 60;  ///< of the processor: a machine that is busy with other things costs nothing
  unsigned idle =
      60;  ///< of the clock, in which it sleeps or is stopped and computes next to nothing
  unsigned wall = 600;  ///< of the clock, whatever it does
};

/// How a child process ended.
struct Ending {
  enum class How { Well, Status, Signal, Hangs };
  How how = How::Well;
  int number = 0;  ///< of the exit status or the signal
};

/// How long a child may stand at one thing; 0: for ever.
struct WatchLimits {
  std::chrono::milliseconds idle{0};  ///< while it sleeps or is stopped, and computes nothing
  std::chrono::milliseconds wall{0};  ///< whatever it does
};

/// Runs work in a child process and watches it, since the work calls bodies that may end their
/// process, hang it, or close its files. There is one child at a time.
class Supervisor {
 public:
  Supervisor() = default;
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  /// Kills a child that was not waited for.
  ~Supervisor();

  /// Starts a child, which answers what `work` returns. An exception out of `work` ends the child.
  /// What `work` prints goes to stderr.
  /// False where the system gives none.
  bool Start(const std::function<std::string()>& work);
  /// Waits until the child has ended, or has stood at one thing for too long; then it is killed.
  /// `moved`: whether it has gone on to something else since the last call.
  Ending Finish(const std::function<bool()>& moved, const WatchLimits& limits);

  bool running() const { return child_ >= 0; }
  /// What the child answered, as far as it came.
  const std::string& answer() const { return answer_; }

 private:
  void Read(int most_milliseconds);
  void Close();
  Ending Kill();

  pid_t child_ = -1;
  int pipe_ = -1;
  std::string answer_;
};

}  // namespace revctl::harness
