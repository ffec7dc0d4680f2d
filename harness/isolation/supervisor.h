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

/// An object in memory that this process shares with all children started later.
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

  /// False if the memory could not be mapped. Then no other function may be called.
  bool ok() const { return object_ != nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  void Reset() { new (object_) T{}; }

 private:
  T* object_ = nullptr;
};

/// Bytes that this process shares with all children started later. They take no memory until they
/// are written.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t size) : size_(size) {
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) bytes_ = static_cast<std::byte*>(memory);
  }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;
  ~SharedBytes() {
    if (bytes_ != nullptr) ::munmap(bytes_, size_);
  }

  /// Null if the memory could not be mapped.
  std::byte* get() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::byte* bytes_ = nullptr;
};

/// Limits this process to `most` bytes beyond its current size. Sets `refused`, which must outlive
/// the process, when an allocation fails.
void LimitMemory(std::size_t most, std::atomic<bool>& refused);

/// Time limits for one golden or sample, in seconds; 0 means no limit.
struct TimeLimits {
  unsigned core = 60;   ///< CPU time, which does not depend on how busy the machine is
  unsigned idle = 60;   ///< wall-clock time while the child sleeps or is stopped
  unsigned wall = 600;  ///< wall-clock time in any state
};

struct Ending {
  enum class How { Well, Status, Signal, Hangs };
  How how = How::Well;
  int number = 0;  ///< exit status or signal number
};

/// Time limits for one step of a child; 0 means no limit.
struct WatchLimits {
  std::chrono::milliseconds idle{0};  ///< limit while the child sleeps or is stopped
  std::chrono::milliseconds wall{0};  ///< limit in any state
};

/// Runs work in a child process and watches the child, because bodies may crash, hang or close
/// files. Has at most one child at a time.
class Supervisor {
 public:
  Supervisor() = default;
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  /// Kills a running child.
  ~Supervisor();

  /// Starts a child that answers with the result of `work`. An exception from `work` ends the
  /// child. Returns false if the system cannot start a child.
  bool Start(const std::function<std::string()>& work);
  /// Waits until the child ends. Kills the child if it exceeds a limit. `moved` returns whether the
  /// child has started another step since the last call.
  Ending Finish(const std::function<bool()>& moved, const WatchLimits& limits);

  bool running() const { return child_ >= 0; }
  /// The child's answer so far.
  const std::string& answer() const { return answer_; }
  /// The child's output on stdout and stderr so far, but at most kMostPrinted bytes.
  const std::string& printed() const { return printed_; }
  static constexpr std::size_t kMostPrinted = std::size_t{64} << 10;

 private:
  void Read(int most_milliseconds);
  void ReadPrinted();
  void Close();
  Ending Kill();

  pid_t child_ = -1;
  int pipe_ = -1, output_ = -1;
  std::string answer_, printed_;
};

}  // namespace revctl::harness
