#include "harness/commands/progress_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "harness/check/isolated_check.h"
#include "revctl/base/how_far.h"
#include "revctl/base/terminal.h"

namespace revctl::harness {

ProgressLine::ProgressLine(bool quiet)
    : width_(quiet ? 0 : base::TerminalWidth(base::Stream::Errors)) {}

ProgressLine::~ProgressLine() { Wipe(); }

void ProgressLine::Wipe() {
  if (shown_ != 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_), "");
  shown_ = 0;
}

double ProgressLine::Due() {
  const Clock::time_point now = Clock::now();
  if (width_ == 0 || now - drawn_ < std::chrono::seconds(1)) return 0;
  drawn_ = now;
  return std::chrono::duration<double>(now - began_).count();
}

void ProgressLine::Draw(std::string line) {
  line.resize(std::min(line.size(), width_ - 1));
  Wipe();
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = line.size();
}

void ProgressLine::ShowInputs(std::uint64_t inputs, double seconds, const std::string& type) {
  const double spent = Due();
  if (spent == 0) return;
  Draw(fmt::format("{} hostile inputs, {:.0f} a second, {} left: {}", inputs,
                   static_cast<double>(inputs) / spent,
                   base::Duration(std::max(0.0, seconds - spent)), type));
}

std::string ProgressLine::Goldens(std::size_t done, std::size_t all, double spent,
                                  const std::string& type) {
  return fmt::format("{}: {}", base::HowFar(done, all, "goldens", spent), type);
}

void ProgressLine::ShowGoldens(std::size_t done, std::size_t all, const std::string& type) {
  if (const double spent = Due(); spent != 0) Draw(Goldens(done, all, spent, type));
}

CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options) {
  ProgressLine line(session.quiet);
  options.watch = [&](std::size_t done, std::size_t all, const std::string& type) {
    line.ShowGoldens(done, all, type);
  };
  return CheckIsolated(session.registry, *session.list, store, options);
}

}  // namespace revctl::harness
