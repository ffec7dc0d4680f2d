#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

// The operating system functions behind child processes, implemented in system_child_posix.cpp and
// system_child_windows.cpp.
namespace revctl::harness {

struct Ending {
  enum class How { Well, Status, Signal, Hangs };
  How how = How::Well;
  /// exit status, or signal number; on Windows, the code of the exception that ended the process
  int number = 0;
};

/// Returns words such as `exit status 7`, `signal 11` or, on Windows, `exception 0xC0000005`.
std::string EndingWords(const Ending& ending);

/// Zeroed memory that this process shares with its children. It takes no memory until it is
/// written.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t size);
  /// Opens the shared memory of the process that started this one. `handle` is the result of
  /// SharedBytes::handle() in that process.
  SharedBytes(std::uint64_t handle, std::size_t size);
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;
  ~SharedBytes();

  /// Null if the memory could not be mapped.
  std::byte* get() const { return bytes_; }
  std::size_t size() const { return size_; }
  std::uint64_t handle() const { return handle_; }

 private:
  std::size_t size_;
  std::uint64_t handle_ = 0;
  std::byte* bytes_ = nullptr;
};

/// A child process. Collects the child's answer and output.
class SystemChild {
 public:
  SystemChild();
  SystemChild(const SystemChild&) = delete;
  SystemChild& operator=(const SystemChild&) = delete;
  /// Kills a running child.
  ~SystemChild();

  /// True if children are forks of this process. Otherwise, each child executes this program again.
  static bool Forks();
  /// Starts a fork that answers with the result of `work`. An exception from `work` ends the child.
  /// Returns false if the system cannot start a child.
  bool Fork(const std::function<std::string()>& work);
  /// Starts this program with `--isolated-job` and the numbers that OpenJob() needs.
  bool StartProgram(const SharedBytes& request, const SharedBytes& memory);

  bool running() const;
  /// Waits up to `most` for an answer, output or the end of the child. Returns how the child ended,
  /// or nullopt if it is still running.
  std::optional<Ending> Wait(std::chrono::milliseconds most);
  /// Kills the child, even if it is stopped.
  void Kill();
  /// Returns the CPU time of all threads of the child.
  std::optional<std::chrono::nanoseconds> Computed() const;
  /// True if the child is sleeping or stopped, as far as the system can tell.
  bool Sleeps() const;

  /// The child's answer so far.
  const std::string& answer() const { return answer_; }
  /// The child's output on stdout and stderr so far, but at most kMostPrinted bytes.
  const std::string& printed() const { return printed_; }
  static constexpr std::size_t kMostPrinted = std::size_t{64} << 10;

 private:
  struct System;
  std::unique_ptr<System> system_;
  std::string answer_, printed_;
};

/// Limits this process to `most` bytes beyond its current size.
void LimitOwnMemory(std::size_t most);

/// Makes the process keep freed blocks of up to 32 MB, as far as the C library allows. A command
/// reads many large goldens one after another, and returning the memory to the system each time
/// takes longer than reading them.
void KeepFreedMemory();

/// Sends the answer of a child that StartProgram() started, and exits.
[[noreturn]] void AnswerAndExit(std::uint64_t pipe, const std::string& answer);

}  // namespace revctl::harness
