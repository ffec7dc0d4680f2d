#include "harness/child_process.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "harness/progress.h"

namespace harness {
namespace {

void WriteAll(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

std::string ReadAll(int descriptor) {
  std::string bytes;
  char buffer[1U << 16];
  for (ssize_t got; (got = ::read(descriptor, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(got));
  return bytes;
}

}  // namespace

ChildProcess::ChildProcess() {
  void* memory = ::mmap(nullptr, Progress::kTextSize, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) text_ = static_cast<char*>(memory);
}

ChildProcess::~ChildProcess() {
  if (child_ >= 0) (void)Finish();
  if (text_ != nullptr) ::munmap(text_, Progress::kTextSize);
}

bool ChildProcess::Start(const std::set<std::string>& left_out,
                         const std::function<std::string()>& work, unsigned patience) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  text_[0] = '\0';
  std::fflush(nullptr);  // or the child would say it again
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    Progress::Install(text_, left_out, patience);
    WriteAll(ends[1], work());
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child_ < 0) {
    ::close(ends[0]);
    return false;
  }
  answer_ = ends[0];
  return true;
}

std::optional<std::string> ChildProcess::Finish() {
  std::string bytes = ReadAll(answer_);
  ::close(answer_);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (!WIFSIGNALED(status)) {
    ending_ = "exit status " + std::to_string(WEXITSTATUS(status));
    if (WEXITSTATUS(status) == 0) return bytes;  // half of them, if a body called exit(0)
  } else if (WTERMSIG(status) == SIGPROF) {
    ending_ = kHangs;
  } else {
    ending_ = "signal " + std::to_string(WTERMSIG(status));
  }
  return std::nullopt;
}

}  // namespace harness
