#include "harness/history/program_output.h"

#include "revctl/base/process.h"

namespace revctl::harness {

ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints) {
  base::ProcessOptions options;
  options.without = "GIT_";
  options.errors_to_stderr = complaints == Complaints::Shown;
  auto run = base::Run(words, options);
  if (!run.ok()) return {};
  return {true, run->ok(), std::move(run->out)};
}

}  // namespace revctl::harness
