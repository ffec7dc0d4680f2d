#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/system/files.h"
#include "revctl/base/system/shared_windows.h"
#include "revctl/base/system/start_process.h"

namespace revctl::base {
namespace {

using windows::Handle;
using windows::Pipe;
using windows::Utf8;
using windows::Wide;

/// Appends an argument to a command line such that CommandLineToArgvW returns it unchanged. Doubles
/// backslashes before a quote.
void AppendArgument(std::wstring& line, const std::wstring& argument) {
  if (!line.empty()) line += L' ';
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == argument.npos) {
    line += argument;
    return;
  }
  line += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'"') line.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

bool SameName(std::string_view one, std::string_view other) {
  const std::wstring first = Wide(one), second = Wide(other);
  return ::CompareStringOrdinal(first.data(), static_cast<int>(first.size()), second.data(),
                                static_cast<int>(second.size()), TRUE) == CSTR_EQUAL;
}

/// Returns the program's environment block: zero-terminated strings, followed by another zero.
std::wstring Environment(const ProcessOptions& options) {
  std::vector<std::string> ours;
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* line = block; *line != 0; line += std::wstring_view(line).size() + 1)
    ours.push_back(Utf8(line));
  ::FreeEnvironmentStringsW(block);
  std::wstring out;
  for (const std::string& line : ChangedEnvironment(std::move(ours), options, SameName))
    out += Wide(line) + L'\0';
  return out + L'\0';
}

/// Returns the path of the shell that comes with Git for Windows, or "" if it is not found. The
/// installer of Git for Windows adds only the folder cmd, which contains git.exe, to PATH.
std::string ShellOfGit() {
  const std::string git = FindProgram("git");
  if (git.empty()) return "";
  const std::string folder = git.substr(0, git.find_last_of("/\\"));
  for (const char* const shell : {"/../bin/sh", "/../usr/bin/sh"}) {
    if (const std::string file = folder + shell + kProgramEnding; IsExecutable(file)) return file;
  }
  return "";
}

/// Returns the full path of a program. Given only a name, CreateProcessW would search the current
/// folder first, which may be a repository that contains a git.exe.
std::string ProgramFile(const std::string& name) {
  if (name.find_first_of("/\\") == name.npos) {
    const std::string found = FindProgram(name);
    return found.empty() && name == "sh" ? ShellOfGit() : found;
  }
  return IsExecutable(name) ? name : name + kProgramEnding;
}

}  // namespace

bool windows::Pipe::Open(Handle Pipe::*ours) {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  HANDLE reading = nullptr, writing = nullptr;
  if (::CreatePipe(&reading, &writing, &inherited, 0) == 0) return false;
  read = Handle(reading);
  write = Handle(writing);
  return ::SetHandleInformation((this->*ours).get(), HANDLE_FLAG_INHERIT, 0) != 0;
}

Handle windows::Spawn(const std::vector<std::string>& argv, const ProcessOptions& options,
                      const Inherited& handles, HANDLE job) {
  const std::string file = ProgramFile(argv[0]);
  if (file.empty()) {
    errno = ENOENT;
    return Handle();
  }
  std::wstring line;
  for (const std::string& argument : argv) AppendArgument(line, Wide(argument));
  std::wstring environment = Environment(options);
  const std::wstring directory = windows::WidePath(options.directory);

  std::vector<HANDLE> inherited = handles.others;
  for (const HANDLE handle : {handles.in, handles.out, handles.err}) {
    if (handle != nullptr &&
        std::find(inherited.begin(), inherited.end(), handle) == inherited.end())
      inherited.push_back(handle);
  }
  for (const HANDLE handle : inherited)
    ::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  SIZE_T size = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<std::byte> space(size);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = handles.in;
  start.StartupInfo.hStdOutput = handles.out;
  start.StartupInfo.hStdError = handles.err;
  start.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(space.data());
  PROCESS_INFORMATION made{};
  DWORD error = 0;
  if (::InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size) == 0) {
    error = ::GetLastError();
  } else {
    if (::UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                    inherited.data(), inherited.size() * sizeof(HANDLE), nullptr,
                                    nullptr) == 0 ||
        ::CreateProcessW(windows::WidePath(file).c_str(), line.data(), nullptr, nullptr, TRUE,
                         CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT |
                             (job != nullptr ? CREATE_SUSPENDED : 0),
                         environment.data(), directory.empty() ? nullptr : directory.c_str(),
                         &start.StartupInfo, &made) == 0)
      error = ::GetLastError();
    ::DeleteProcThreadAttributeList(start.lpAttributeList);
  }
  if (error != 0) {
    windows::FailWith(error);
    return Handle();
  }
  Handle child(made.hProcess);
  if (job != nullptr) {
    if (::AssignProcessToJobObject(job, child.get()) == 0) {
      error = ::GetLastError();
      ::TerminateProcess(child.get(), 1);
    } else {
      ::ResumeThread(made.hThread);
    }
  }
  ::CloseHandle(made.hThread);
  if (error == 0) return child;
  windows::FailWith(error);
  return Handle();
}

namespace {

/// Reads a pipe until its end, or until `keep` returns false.
template <class Keep>
void Drain(HANDLE pipe, const Keep& keep) {
  std::vector<char> buffer(65536);
  DWORD got = 0;
  while (::ReadFile(pipe, buffer.data(), static_cast<DWORD>(buffer.size()), &got, nullptr) != 0 &&
         got != 0) {
    if (!keep(std::string_view(buffer.data(), got))) return;
  }
}

void Feed(Handle pipe, std::string_view input) {
  while (!input.empty()) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min<std::size_t>(input.size(), 1 << 20));
    if (::WriteFile(pipe.get(), input.data(), size, &written, nullptr) == 0) return;
    input.remove_prefix(written);
  }
}

}  // namespace

Result<ProcessResult> Start(const std::vector<std::string>& argv, const ProcessOptions& options) {
  Pipe in, out, err;
  if (!in.Open(&Pipe::write) || !out.Open(&Pipe::read) || !err.Open(&Pipe::read)) {
    windows::FailWith(::GetLastError());
    return Error{Exit::Environment,
                 fmt::format("cannot create a pipe for {}: {}", argv[0], ErrorWords(errno)), ""};
  }
  const HANDLE ours = ::GetStdHandle(STD_ERROR_HANDLE);
  const Handle child =
      windows::Spawn(argv, options,
                     {in.read.get(), options.to_stderr ? ours : out.write.get(),
                      options.to_stderr || options.errors_to_stderr ? ours : err.write.get()});
  if (child.get() == nullptr) return CannotStart(argv, options, errno);
  in.read.Close();
  out.write.Close();
  err.write.Close();

  // Read each pipe in a thread, because Windows has no poll() for pipes.
  ProcessResult result;
  bool whole = true;
  std::thread feeder([&] { Feed(std::move(in.write), options.input); });
  std::thread errors([&] {
    Drain(err.read.get(), [&](std::string_view bytes) {
      result.err += bytes;
      if (result.err.size() > 1 << 20) result.err.erase(0, result.err.size() / 2);
      return true;
    });
  });
  Drain(out.read.get(), [&](std::string_view bytes) {
    result.out += bytes;
    return whole = result.out.size() <= options.max_output;
  });
  if (!whole) {
    // Windows cannot ask a program to exit, so terminate it. Its child processes end at their next
    // write to a pipe.
    ::TerminateProcess(child.get(), 1);
    out.read.Close();
  }
  errors.join();
  ::WaitForSingleObject(child.get(), INFINITE);
  feeder.join();
  DWORD status = 0;
  ::GetExitCodeProcess(child.get(), &status);
  result.status = static_cast<int>(status);
  if (!whole) return WroteTooMuch(argv, options);
  return result;
}

void LimitProcessorTime(unsigned seconds) {
  // Returns the processor time of this process so far, in units of 100 ns.
  const auto used = [] {
    FILETIME ignored{}, kernel{}, user{};
    ::GetProcessTimes(::GetCurrentProcess(), &ignored, &ignored, &kernel, &user);
    const auto ticks = [](const FILETIME& time) {
      return std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime;
    };
    return ticks(kernel) + ticks(user);
  };
  constexpr std::uint64_t kSecond = 10'000'000;
  constexpr unsigned kEnded = 128 + 27;  // exit status as if SIGPROF had ended the process
  static std::atomic<std::uint64_t> limit{0};
  limit = seconds == 0 ? 0 : used() + seconds * kSecond;
  static std::atomic<bool> watched{false};
  if (seconds == 0 || watched.exchange(true)) return;
  std::thread([used] {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::uint64_t most = limit;
      if (most != 0 && used() > most) ::TerminateProcess(::GetCurrentProcess(), kEnded);
    }
  }).detach();
}

std::string TextAt(const char* address, std::size_t longest) {
  std::string text;
  // Copy single bytes, because the text may end just before an unmapped page.
  for (char c = 1; text.size() <= longest; text += c) {
    SIZE_T got = 0;
    if (address == nullptr ||
        ::ReadProcessMemory(::GetCurrentProcess(), address + text.size(), &c, 1, &got) == 0)
      return {};
    if (c == 0) return text;
  }
  return {};
}

std::string OwnProgram() {
  std::wstring name(std::size_t{32768}, L'\0');
  name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return windows::PlainPath(name);
}

const char kPathSeparator = ';';
const char* const kProgramEnding = ".exe";

}  // namespace revctl::base
