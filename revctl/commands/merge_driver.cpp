// Implements `merge-driver %O %A %B %L %P`, which git calls during a merge, rebase or cherry-pick.
// With `--landed`, it is a merge tool for other version control systems. On failure, %A contains a
// plain text merge with conflict markers or stays unchanged. The exit status is always 0 or 1,
// because git treats statuses above 128 as a crash. For goldens, the result is one of the two
// versions, unchanged.
#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "golden/merge.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/git/text_merge.h"
#include "revctl/repair/merge_context.h"
#include "revctl/session/session.h"
#include "revctl/setup/installation.h"

namespace revctl::commands {
namespace {

struct Inputs {
  std::string base, ours, theirs, path;
  std::string result;  ///< path of the file that receives the merged text
  int marker_size = 7;
  /// Outside git, the landed version. Null in git, where the refs show which side has landed.
  const std::string* landed = nullptr;
  bool in_git() const { return landed == nullptr; }
};

Result<std::string> ReadSide(const std::string& file, const char* what) {
  TRY(auto text, config::ReadFile(file, config::kMaxListBytes));
  if (!text.has_value())
    return Error{Exit::Environment, fmt::format("{} ({}): there is no such file", what, file), ""};
  return std::move(*text);
}

constexpr std::string_view kUsageOfTool =
    "revctl merge-driver --landed theirs -- BASE THEIRS YOURS MERGED";

/// Reads the arguments of a merge tool: BASE THEIRS YOURS MERGED, optionally followed by the path
/// of the file in the depot, which defaults to YOURS.
Result<std::unique_ptr<Inputs>> ReadInputsOfTool(const Arguments& arguments) {
  const std::string side = arguments.Value("--landed");
  if (side != "theirs" && side != "yours")
    return Error{Exit::Usage, "--landed takes `theirs` or `yours`", std::string(kUsageOfTool)};
  auto out = std::make_unique<Inputs>();
  TRY(out->base, ReadSide(arguments.Value("BASE"), "BASE"));
  TRY(out->theirs, ReadSide(arguments.Value("OURS"), "THEIRS"));
  TRY(out->ours, ReadSide(arguments.Value("THEIRS"), "YOURS"));
  out->result = arguments.Value("SIZE");
  out->path = arguments.Value(arguments.Has("PATH") ? "PATH" : "THEIRS");
  out->landed = side == "theirs" ? &out->theirs : &out->ours;
  return out;
}

/// Reads the arguments that git passes: %O %A %B %L %P.
Result<std::unique_ptr<Inputs>> ReadInputsOfGit(const Arguments& arguments) {
  if (!arguments.Has("PATH"))
    return Error{Exit::Usage, "expected the five arguments that git passes: %O %A %B %L %P",
                 fmt::format("as a merge tool outside of git: {}", kUsageOfTool)};
  auto out = std::make_unique<Inputs>();
  TRY(out->base, ReadSide(arguments.Value("BASE"), "%O"));
  TRY(out->ours, ReadSide(arguments.Value("OURS"), "%A"));
  TRY(out->theirs, ReadSide(arguments.Value("THEIRS"), "%B"));
  out->result = arguments.Value("OURS");
  out->marker_size = std::clamp(std::atoi(arguments.Value("SIZE").c_str()), 1, 200);
  out->path = arguments.Value("PATH");
  return out;
}

Result<list::MergeOutput> MergeAsList(const Inputs& inputs, const Session& session) {
  TRY(auto scene, inputs.in_git()
                      ? GatherMergeScene(session.directory, inputs.path)
                      : SceneOfTool(session.directory, inputs.path, inputs.base, *inputs.landed));
  scene.context.text_merge = PlainTextMerge(inputs.marker_size);
  list::MergeInput input;
  input.base = inputs.base;
  input.ours = inputs.ours;
  input.theirs = inputs.theirs;
  input.path = inputs.path;
  input.marker_size = inputs.marker_size;
  if (!inputs.in_git()) input.ours_label = "yours";
  auto merged = list::Merge(input, scene.context, scene.list);
  if (merged.ok())
    merged->messages.insert(merged->messages.begin(), scene.notes.begin(), scene.notes.end());
  return merged;
}

Result<list::MergeOutput> MergeAsText(const Inputs& inputs) {
  git::TextMergeLabels labels;
  labels.marker_size = inputs.marker_size;
  TRY(auto merged, git::TextMerge(inputs.base, inputs.ours, inputs.theirs, labels));
  list::MergeOutput out;
  out.text = std::move(merged.text);
  out.conflict = merged.conflict;
  return out;
}

/// True if the file contains payloads, which are binary and cannot be merged as text.
bool IsPayloads(const std::string& path) { return path.ends_with(".golden"); }

/// Keeps our version and reports a conflict to git.
list::MergeOutput LeaveGolden(const Inputs& inputs, const std::string& why) {
  const std::string both = inputs.path.substr(0, inputs.path.rfind('.')) + ".*";
  list::MergeOutput out;
  out.text = inputs.ours;
  out.conflict = true;
  out.messages = {
      fmt::format("{}: {}. Take the record and its payloads from one side: git checkout HEAD -- {}",
                  inputs.path, why, base::ShellQuoted(both)) +
      " (for the other side, replace HEAD with MERGE_HEAD, or with REBASE_HEAD during a rebase, or "
      "with CHERRY_PICK_HEAD during a cherry-pick)"};
  return out;
}

/// Merges a file in a golden folder. Returns nullopt for any other file.
std::optional<list::MergeOutput> MergeAsGolden(const Inputs& inputs, const Session& session) {
  if (!golden::ParseFileName(base::FileName(inputs.path))) return std::nullopt;
  auto scene = GatherGoldenScene(session.directory, inputs.path);
  if (!scene.ok()) return LeaveGolden(inputs, ErrorText(scene.error()));
  if (!*scene) return LeaveGolden(inputs, "it is not in a golden folder named in .revctl.yaml");
  const GoldenScene& golden = **scene;
  if (!golden.target_known)
    return LeaveGolden(
        inputs,
        golden.target + " is not in this clone, so revctl cannot tell which version has landed");
  golden::Versions versions{inputs.base, inputs.ours, inputs.theirs, std::nullopt};
  if (golden.landed) versions.landed = *golden.landed;
  const golden::Kept kept = golden::Merge(golden.name, versions);
  if (kept == golden::Kept::Neither) return LeaveGolden(inputs, "both sides changed it");
  list::MergeOutput out;
  out.text = kept == golden::Kept::Ours ? inputs.ours : inputs.theirs;
  if (!golden.landed && !IsPayloads(inputs.path))
    out.messages.push_back(
        inputs.path +
        ": both sides recorded it, and one record is kept. If the merged code writes different "
        "files, your harness's `check` reports it, and `record --refresh-pending` fixes it");
  return out;
}

Result<list::MergeOutput> Merged(const Inputs& inputs, const Session& session) {
  const char* off = std::getenv("REVCTL");
  if (off != nullptr && std::string_view(off) == "0") {
    if (IsPayloads(inputs.path)) return LeaveGolden(inputs, "REVCTL=0");
    return MergeAsText(inputs);
  }
  if (inputs.in_git()) {
    if (auto golden = MergeAsGolden(inputs, session)) return std::move(*golden);
  }
  return MergeAsList(inputs, session);
}

Outcome RunMergeDriver(const Arguments& arguments, Session& session) {
  TRY(const auto read,
      arguments.Has("--landed") ? ReadInputsOfTool(arguments) : ReadInputsOfGit(arguments));
  const Inputs& inputs = *read;
  auto merged = Merged(inputs, session);
  if (!merged.ok()) {
    session.Message(fmt::format("revctl: merging {} as plain text: {}", inputs.path,
                                ErrorText(merged.error())));
    merged = MergeAsText(inputs);
    if (!merged.ok()) return merged.error();
    if (inputs.in_git()) session.Message("run revctl fix after the merge");
  }
  TRY(config::ReplaceFile(inputs.result, merged->text));
  if (!inputs.in_git())
    session.Message(
        fmt::format("revctl: treating `{}` as landed; the other side's new revisions come after it",
                    arguments.Value("--landed")));
  for (const std::string& message : merged->messages) session.Message("revctl: " + message);
  return merged->conflict ? Exit::Findings : Exit::Fine;
}

}  // namespace

Command MergeDriverCommand() {
  using Count = Positional::Count;
  return {
      {"merge-driver",
       "merge a list or a golden (called by git)",
       "Landed entries keep their name, number and order; pending entries of both sides follow. "
       "For a golden,\nthe landed version is kept. Does not contact the server. Exits with 0 if "
       "the merge is clean, and with 1\nif there is a conflict; conflict markers have the given "
       "size. With --landed it is a merge tool for\nPerforce (P4MERGE), SVN and Plastic, and needs "
       "no git: the arguments are BASE THEIRS YOURS MERGED,\nand the file's path if it is not "
       "YOURS.",
       "git config merge.revctl.driver \"revctl merge-driver -- %O %A %B %L %P\"",
       {{"BASE", "%O", Count::One, Hint::File},
        {"OURS", "%A, the file for the result; with --landed: THEIRS", Count::One, Hint::File},
        {"THEIRS", "%B; with --landed: YOURS", Count::One, Hint::File},
        {"SIZE", "%L, conflict marker size; with --landed: MERGED, the file for the result"},
        {"PATH", "%P, the file in the repository", Count::Optional, Hint::File}},
       {{"--landed", "SIDE", "merge without git; SIDE is the landed side, theirs or yours"}},
       true},
      RunMergeDriver};
}

}  // namespace revctl::commands
