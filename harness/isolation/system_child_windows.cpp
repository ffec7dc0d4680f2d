#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/isolation/system_child.h"
#include "revctl/base/system/process.h"
#include "revctl/base/system/shared_windows.h"

#include <psapi.h>  // needs windows.h

namespace revctl::harness {
namespace {

using base::windows::Handle;

/// The exit status of a process that LimitProcessorTime() ended.
constexpr DWORD kOutOfTime = 128 + 27;
/// Exit statuses at or above this value are exception codes, such as 0xC0000005 for an invalid
/// access.
constexpr DWORD kFirstException = 0xC0000000;

std::uint64_t NumberOf(HANDLE handle) { return reinterpret_cast<std::uintptr_t>(handle); }
HANDLE HandleOf(std::uint64_t number) {
  return reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(number));
}

Ending EndingOf(DWORD status) {
  const auto number = static_cast<int>(status);
  if (status == kOutOfTime) return {Ending::How::Hangs, number};
  if (status >= kFirstException) return {Ending::How::Signal, number};
  return {status == 0 ? Ending::How::Well : Ending::How::Status, number};
}

/// Creates a job object with these limits. Returns a null handle on failure.
Handle MakeJob(const JOBOBJECT_EXTENDED_LIMIT_INFORMATION& limits) {
  Handle job(::CreateJobObjectW(nullptr, nullptr));
  auto copy = limits;
  if (job.get() != nullptr &&
      ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &copy, sizeof copy) ==
          0)
    job.Close();
  return job;
}

/// Reads the bytes available in a pipe and appends them to `into`, up to a total of `most` bytes.
/// Closes the pipe if the other end was closed. Returns true if it read any bytes.
bool ReadAvailable(Handle& pipe, std::size_t most, std::string& into) {
  bool any = false;
  std::vector<char> buffer(65536);
  while (pipe.get() != nullptr) {
    DWORD available = 0, got = 0;
    if (::PeekNamedPipe(pipe.get(), nullptr, 0, nullptr, &available, nullptr) == 0) {
      pipe.Close();  // the child has closed its end
    } else if (available == 0) {
      break;
    } else if (::ReadFile(pipe.get(), buffer.data(), static_cast<DWORD>(buffer.size()), &got,
                          nullptr) != 0) {
      into.append(buffer.data(), std::min<std::size_t>(got, most - std::min(most, into.size())));
      any = true;
    }
  }
  return any;
}

}  // namespace

std::string EndingWords(const Ending& ending) {
  if (ending.how == Ending::How::Signal)
    return fmt::format("exception 0x{:08X}", static_cast<unsigned>(ending.number));
  return fmt::format("exit status {}", ending.number);
}

SharedBytes::SharedBytes(std::size_t size) : size_(size) {
  const HANDLE mapping = ::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE,
                                              static_cast<DWORD>(std::uint64_t{size} >> 32),
                                              static_cast<DWORD>(size & 0xFFFFFFFF), nullptr);
  handle_ = NumberOf(mapping);
  if (mapping != nullptr)
    bytes_ = static_cast<std::byte*>(::MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, size));
}

SharedBytes::SharedBytes(std::uint64_t handle, std::size_t size) : size_(size), handle_(handle) {
  bytes_ =
      static_cast<std::byte*>(::MapViewOfFile(HandleOf(handle), FILE_MAP_ALL_ACCESS, 0, 0, size));
}

SharedBytes::~SharedBytes() {
  if (bytes_ != nullptr) ::UnmapViewOfFile(bytes_);
  if (handle_ != 0) ::CloseHandle(HandleOf(handle_));
}

struct SystemChild::System {
  Handle job;  ///< kills the child when this process ends
  Handle child, answer, output;
  bool reads = false;  ///< the last look found bytes, so more may follow
};

SystemChild::SystemChild() : system_(std::make_unique<System>()) {}

SystemChild::~SystemChild() {
  if (running()) Kill();
}

bool SystemChild::Forks() { return false; }
bool SystemChild::Fork(const std::function<std::string()>&) { return false; }

bool SystemChild::running() const { return system_->child.get() != nullptr; }

bool SystemChild::StartProgram(const SharedBytes& request, const SharedBytes& memory) {
  using base::windows::Pipe;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  Pipe answer, output, input;
  system_->job = MakeJob(limits);
  if (system_->job.get() == nullptr || !answer.Open(&Pipe::read) || !output.Open(&Pipe::read) ||
      !input.Open(&Pipe::write))
    return false;
  input.write.Close();  // the child's stdin is empty
  std::vector<std::string> words = {base::OwnProgram(), "--isolated-job",
                                    std::to_string(NumberOf(answer.write.get()))};
  for (const SharedBytes* bytes : {&request, &memory}) {
    words.push_back(std::to_string(bytes->handle()));
    words.push_back(std::to_string(bytes->size()));
  }
  const HANDLE out = output.write.get();
  const std::vector<HANDLE> others = {answer.write.get(), HandleOf(request.handle()),
                                      HandleOf(memory.handle())};
  system_->child =
      base::windows::Spawn(words, {}, {input.read.get(), out, out, others}, system_->job.get());
  system_->answer = std::move(answer.read);
  system_->output = std::move(output.read);
  return running();
}

std::optional<Ending> SystemChild::Wait(std::chrono::milliseconds most) {
  // Poll, because Windows cannot wait for pipes and processes at the same time. The end of the
  // child interrupts a pause, so pauses must be short only while a long answer is read.
  std::chrono::milliseconds waited{0},
      pause = std::exchange(system_->reads, false) ? std::chrono::milliseconds{1} : most;
  for (;;) {
    const bool ended = ::WaitForSingleObject(system_->child.get(), 0) == WAIT_OBJECT_0;
    const bool answered =
        ReadAvailable(system_->answer, std::numeric_limits<std::size_t>::max(), answer_);
    const bool printed = ReadAvailable(system_->output, kMostPrinted, printed_);
    if (ended) break;
    system_->reads = answered || printed;
    if (system_->reads || waited >= most) return std::nullopt;
    ::WaitForSingleObject(system_->child.get(), static_cast<DWORD>(pause.count()));
    waited += pause;
    pause *= 2;
  }
  DWORD status = 0;
  ::GetExitCodeProcess(system_->child.get(), &status);
  *system_ = System();
  return EndingOf(status);
}

void SystemChild::Kill() {
  ::TerminateProcess(system_->child.get(), 1);
  ::WaitForSingleObject(system_->child.get(), INFINITE);
  ReadAvailable(system_->output, kMostPrinted, printed_);
  *system_ = System();
}

/// In Wine 8, GetProcessTimes() returns the caller's times for every process, so a child looks idle
/// there whenever this process is idle, even if the child computes.
std::optional<std::chrono::nanoseconds> SystemChild::Computed() const {
  FILETIME ignored{}, kernel{}, user{};
  if (::GetProcessTimes(system_->child.get(), &ignored, &ignored, &kernel, &user) == 0)
    return std::nullopt;
  const auto ticks = [](const FILETIME& time) {
    return std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime;
  };
  return std::chrono::nanoseconds(100 * (ticks(kernel) + ticks(user)));
}

/// Always true, because Windows does not tell why a process uses no CPU time.
bool SystemChild::Sleeps() const { return true; }

void LimitOwnMemory(std::size_t most) {
  // Suppress the system's crash dialogs, because the parent reports crashes.
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  PROCESS_MEMORY_COUNTERS counters{};
  ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limits.ProcessMemoryLimit = counters.PagefileUsage + most;
  // A job object lives as long as a process belongs to it, even without a handle.
  if (const Handle job = MakeJob(limits); job.get() != nullptr)
    ::AssignProcessToJobObject(job.get(), ::GetCurrentProcess());
}

void KeepFreedMemory() {}

void AnswerAndExit(std::uint64_t pipe, const std::string& answer) {
  for (std::string_view rest = answer; !rest.empty();) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min<std::size_t>(rest.size(), 1 << 20));
    if (::WriteFile(HandleOf(pipe), rest.data(), size, &written, nullptr) == 0) break;
    rest.remove_prefix(written);
  }
  ::TerminateProcess(::GetCurrentProcess(), 0);
  std::abort();
}

}  // namespace revctl::harness
