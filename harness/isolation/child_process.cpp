#include "harness/isolation/child_process.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "harness/isolation/supervisor.h"

namespace revctl::harness {

bool ChildProcess::Start(Job job, const TimeLimits& limits) {
  limits_ = limits;
  memory_ = job.memory;
  job.core_seconds = limits.core;
  return supervisor_.ok() && supervisor_.Start(job);
}

std::optional<std::string> ChildProcess::Finish(const std::function<void()>& look) {
  std::string before = last();
  const auto moved = [&] {
    std::string now = last();
    const bool other = now != before;
    before = std::move(now);
    if (look) look();
    return other;
  };
  const Ending ending = supervisor_.Finish(
      moved, {std::chrono::seconds(limits_.idle), std::chrono::seconds(limits_.wall)});
  if (look) look();
  ending_ = ending.how == Ending::How::Hangs ? kHangs : EndingWords(ending);
  if (supervisor_.notes().out_of_memory)
    ending_ += fmt::format(" when it tried to allocate more than {} MiB", memory_ >> 20);
  if (ending.how != Ending::How::Well || supervisor_.answer().empty()) return std::nullopt;
  std::fputs(supervisor_.printed().c_str(), stderr);
  return supervisor_.answer();
}

std::string ChildProcess::printed() const { return FirstLines(supervisor_.printed()); }

std::string FirstLines(const std::string& printed) {
  constexpr std::size_t kPrintedLines = 6, kPrintedLetters = 200;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    std::string line;
    for (const char c : printed.substr(begin, std::min(end - begin, kPrintedLetters)))
      // Replace control characters, and non-ASCII bytes, because they may be invalid UTF-8.
      line += c < 0x20 || c > 0x7E ? ' ' : c;
    begin = end + 1;
    if (line.find_first_not_of(' ') == std::string::npos ||
        std::find(lines.begin(), lines.end(), line) != lines.end())
      continue;
    if (lines.size() == kPrintedLines) ++more;
    else lines.push_back(std::move(line));
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  if (more > 0) text += fmt::format("\nand {} more line{}", more, more == 1 ? "" : "s");
  return text;
}

}  // namespace revctl::harness
