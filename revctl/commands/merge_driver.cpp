// merge-driver %O %A %B %L %P, called by git in the middle of a merge, rebase or cherry-pick.
// Whatever goes wrong, %A ends as a plain text merge with markers, or as it was; the exit status is
// 0 or 1, never one that git takes for a crash.
#include <algorithm>
#include <cstdlib>

#include "revctl/commands/command.h"
#include "revctl/commands/merge_context.h"
#include "revctl/commands/session.h"
#include "revctl/config/files.h"
#include "revctl/git/text_merge.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

struct Inputs {
  std::string base, ours, theirs, path;
  int marker_size = 7;
};

Result<std::string> ReadSide(const std::string& file, const char* what) {
  auto text = config::ReadFile(file, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value())
    return Error{Exit::Environment, std::string(what) + " (" + file + "): there is no such file",
                 ""};
  return std::move(**text);
}

Result<Inputs> ReadInputs(const Arguments& arguments) {
  Inputs out;
  auto base = ReadSide(arguments.Value("BASE"), "%O");
  if (!base.ok()) return base.error();
  auto ours = ReadSide(arguments.Value("OURS"), "%A");
  if (!ours.ok()) return ours.error();
  auto theirs = ReadSide(arguments.Value("THEIRS"), "%B");
  if (!theirs.ok()) return theirs.error();
  out.base = std::move(*base);
  out.ours = std::move(*ours);
  out.theirs = std::move(*theirs);
  out.marker_size = std::clamp(std::atoi(arguments.Value("SIZE").c_str()), 1, 200);
  out.path = arguments.Value("PATH");
  return out;
}

Result<list::MergeOutput> MergeAsList(const Inputs& inputs, const Session& session) {
  auto scene = GatherMergeScene(session.directory, inputs.path);
  if (!scene.ok()) return scene.error();
  scene->context.text_merge = PlainTextMerge(inputs.marker_size);
  list::MergeInput input;
  input.base = inputs.base;
  input.ours = inputs.ours;
  input.theirs = inputs.theirs;
  input.path = inputs.path;
  input.marker_size = inputs.marker_size;
  auto merged = list::Merge(input, scene->context, scene->list);
  if (merged.ok())
    merged->messages.insert(merged->messages.begin(), scene->notes.begin(), scene->notes.end());
  return merged;
}

Result<list::MergeOutput> MergeAsText(const Inputs& inputs) {
  git::TextMergeLabels labels;
  labels.marker_size = inputs.marker_size;
  auto merged = git::TextMerge(inputs.base, inputs.ours, inputs.theirs, labels);
  if (!merged.ok()) return merged.error();
  list::MergeOutput out;
  out.text = std::move(merged->text);
  out.conflict = merged->conflict;
  return out;
}

Outcome RunMergeDriver(const Arguments& arguments, Session& session) {
  auto inputs = ReadInputs(arguments);
  if (!inputs.ok()) return inputs.error();
  const char* off = std::getenv("REVCTL");
  auto merged = off != nullptr && std::string_view(off) == "0" ? MergeAsText(*inputs)
                                                               : MergeAsList(*inputs, session);
  if (!merged.ok()) {
    session.Talk("revctl: " + inputs->path + " is merged as plain text: " + merged.error().message);
    merged = MergeAsText(*inputs);
    if (!merged.ok()) return merged.error();
    session.Talk("afterwards: revctl resolve " + inputs->path);
  }
  auto written = config::ReplaceFile(arguments.Value("OURS"), merged->text);
  if (!written.ok()) return written.error();
  for (const std::string& message : merged->messages) session.Talk("revctl: " + message);
  return merged->conflict ? Exit::Findings : Exit::Fine;
}

}  // namespace

Command MergeDriverCommand() {
  using Count = Positional::Count;
  return {"merge-driver",
          "merge two versions of a list (git calls this)",
          "Landed entries keep name, number and order; pending ones of either side follow. Nothing "
          "is asked\n"
          "of a server. Exit 0: merged, 1: conflict, with markers of the given width.",
          "git config merge.revctl.driver \"revctl merge-driver -- %O %A %B %L %P\"",
          {{"BASE", "%O", Count::One, Hint::File},
           {"OURS", "%A, replaced by the result", Count::One, Hint::File},
           {"THEIRS", "%B", Count::One, Hint::File},
           {"SIZE", "%L, width of conflict markers", Count::One, Hint::None},
           {"PATH", "%P, the list in the repository", Count::One, Hint::File}},
          {},
          RunMergeDriver,
          true};
}

}  // namespace revctl::commands
