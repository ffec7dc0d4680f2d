#include "harness/commands/progress_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "revctl/base/terminal.h"

namespace revctl::harness {
namespace {

std::string Duration(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

ProgressLine::ProgressLine(double seconds, bool quiet)
    : seconds_(seconds), width_(quiet ? 0 : base::TerminalWidth(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() { Wipe(); }

void ProgressLine::Wipe() {
  if (shown_ != 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_), "");
  shown_ = 0;
}

void ProgressLine::Show(const std::string& type, std::uint64_t inputs) {
  const Clock::time_point now = Clock::now();
  if (width_ == 0 || now - drawn_ < std::chrono::seconds(1)) return;
  drawn_ = now;
  const double spent = std::chrono::duration<double>(now - began_).count();
  std::string line = fmt::format("{} hostile inputs, {:.0f} a second, {} left: {}", inputs,
                                 static_cast<double>(inputs) / spent,
                                 Duration(std::max(0.0, seconds_ - spent)), type);
  line.resize(std::min(line.size(), width_ - 1));
  Wipe();
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = line.size();
}

}  // namespace revctl::harness
