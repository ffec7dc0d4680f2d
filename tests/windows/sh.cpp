// A stub of sh.exe for git.exe in Wine, because no POSIX shell can be compiled with MinGW. It sends
// its arguments, folder, variables and input over a socket to ci/windows-git, which runs /bin/sh
// with them and sends back the output and the exit status.
#include <winsock2.h>

#include <windows.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

/// Exit status if ci/windows-git does not answer.
constexpr int kNoServer = 126;

int Fail(const char* what) {
  std::fprintf(stderr, "stub of sh.exe: %s\n", what);
  return kNoServer;
}

std::string Utf8(const wchar_t* text) {
  std::string bytes(4 * std::wstring_view(text).size() + 1, '\0');
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes.data(),
                                         static_cast<int>(bytes.size()), nullptr, nullptr);
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) - 1 : 0);
  return bytes;
}

bool Send(SOCKET server, std::string_view bytes) {
  while (!bytes.empty()) {
    const int sent = ::send(server, bytes.data(), static_cast<int>(bytes.size()), 0);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Receive(SOCKET server, char* to, std::size_t size) {
  while (size > 0) {
    const int got = ::recv(server, to, static_cast<int>(size), 0);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void SendInput(SOCKET server) {
  std::vector<char> buffer(65536);
  DWORD got = 0;
  while (::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), buffer.data(),
                    static_cast<DWORD>(buffer.size()), &got, nullptr) != 0 &&
         got != 0) {
    if (!Send(server, {buffer.data(), got})) return;
  }
  ::shutdown(server, SD_SEND);
}

/// Returns the request: the folder, the number of arguments and the arguments, the number of
/// variables and the variables. Every item ends with a zero byte.
std::string Request(int argc, wchar_t** argv) {
  std::string out;
  const auto add = [&](const std::string& text) { out.append(text) += '\0'; };
  std::vector<wchar_t> folder(32768);
  ::GetCurrentDirectoryW(static_cast<DWORD>(folder.size()), folder.data());
  add(Utf8(folder.data()));
  add(std::to_string(argc - 1));
  for (int i = 1; i < argc; ++i) add(Utf8(argv[i]));
  std::vector<std::string> variables;
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* line = block; *line != 0; line += std::wstring_view(line).size() + 1)
    variables.push_back(Utf8(line));
  ::FreeEnvironmentStringsW(block);
  add(std::to_string(variables.size()));
  for (const std::string& line : variables) add(line);
  return out;
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  WSADATA about{};
  const char* const port = std::getenv("REVCTL_SH_PORT");
  if (port == nullptr || ::WSAStartup(MAKEWORD(2, 2), &about) != 0)
    return Fail("REVCTL_SH_PORT is not set");
  const SOCKET server = ::socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = ::htons(static_cast<u_short>(std::atoi(port)));
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      !Send(server, Request(argc, argv)))
    return Fail("ci/windows-git does not answer");
  std::thread([server] { SendInput(server); }).detach();
  // Each answer consists of a letter, a 4-byte size, and that many bytes: output, error output, or
  // the exit status.
  for (;;) {
    unsigned char head[5] = {};
    if (!Receive(server, reinterpret_cast<char*>(head), sizeof head)) break;
    std::string text(std::size_t{head[1]} << 24 | std::size_t{head[2]} << 16 |
                         std::size_t{head[3]} << 8 | head[4],
                     '\0');
    if (!Receive(server, text.data(), text.size())) break;
    // The other thread may still be waiting for input, and only ending the process stops it.
    if (head[0] == 'x') ::ExitProcess(static_cast<UINT>(std::atoi(text.c_str())));
    DWORD written = 0;
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(written)) {
      if (::WriteFile(::GetStdHandle(head[0] == 'e' ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE),
                      rest.data(), static_cast<DWORD>(rest.size()), &written, nullptr) == 0)
        break;
    }
  }
  return Fail("the answer ended early");
}
