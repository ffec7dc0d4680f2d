#include "revctl/setup/init_plan.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <filesystem>

#include "golden/index.h"
#include "revctl/base/counted.h"
#include "revctl/base/file.h"
#include "revctl/base/first_few.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/rule_table.h"
#include "revctl/git/index.h"
#include "revctl/git/settings.h"
#include "revctl/list/rules/rules.h"
#include "revctl/list/writing/edit.h"
#include "revctl/setup/merge_button_host.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

constexpr std::size_t kMostOthers = 5;
constexpr std::string_view kDefaultList = "src/master_version_list.h";

Result<std::string> ChooseTarget(const git::Repository& repository, const std::string& remote,
                                 const std::string& named) {
  if (!named.empty()) return named;
  if (!remote.empty()) {
    TRY(auto branch, git::DefaultBranchOf(repository, remote));
    if (branch) return std::move(*branch);
  }
  for (const char* usual : {"main", "master", "trunk"}) {
    for (const std::string& place : {"refs/remotes/" + remote + "/", std::string("refs/heads/")}) {
      TRY(auto found, repository.Resolve(place + usual));
      if (found.has_value()) return std::string(usual);
    }
  }
  TRY(auto head, repository.HeadBranch());
  return head.value_or("main");
}

/// Returns allowances for the rules that an existing list violates, so that these rules apply only
/// to new entries.
std::vector<config::Allowance> Baseline(const list::RevisionList& list,
                                        const list::ListConfig& config) {
  std::vector<config::Allowance> out;
  list::CheckedLists lists;
  lists.target = lists.merged = &list;
  for (const auto& finding : list::CheckRules(lists, config)) {
    out.push_back({std::string(findings::NameOf(finding.rule)), finding.revision,
                   "existed before revctl", "", 0});
  }
  return out;
}

std::string EnumText(const list::RevisionList& list) {
  return list.qualified_enum.empty()
             ? fmt::format("an unnamed enum, line {}", list.enum_line)
             : fmt::format("enum {}, line {}", list.qualified_enum, list.enum_line);
}

std::string CountText(const list::RevisionList& list) {
  return base::Counted(list.Revisions().size(), "revision");
}

std::string TakingIt(const list::Guess& guess, const WorkingFolder& folder) {
  std::string command = "revctl init " + base::ShellPath(folder.FromHere(guess.config.path));
  if (!guess.config.enum_name.empty()) command += " --enum " + guess.config.enum_name;
  return command;
}

/// Returns the folder that contains goldens. If there is none, returns "golden" if the sources use
/// the library or a harness, because goldens will follow, and "" otherwise.
Result<std::string> GuessGoldenFolder(const git::Repository& repository) {
  std::error_code error;
  if (std::filesystem::is_directory(repository.root() + "/golden", error))
    return std::string("golden");
  TRY(const auto records, git::FilesMatchingAll(repository, {"^revision: ", "^lineage: \""}));
  for (const std::string& path : records) {
    const auto name = golden::ParseFileName(base::FileName(path));
    const std::size_t slash = path.rfind('/');
    if (name && !name->revision.empty() && slash != path.npos) return path.substr(0, slash);
  }
  TRY(const auto users,
      git::FilesWithAny(repository, {git::Place::Kind::WorkTree},
                        {"revctl_add_harness", "HARNESS_TYPE(", "SERIALIZE_TYPE("}));
  const bool has_harness = std::any_of(users.begin(), users.end(), [](const std::string& path) {
    return IsSource(path) || path.ends_with("CMakeLists.txt") || path.ends_with(".cmake");
  });
  return std::string(has_harness ? "golden" : "");
}

Result<list::ListConfig> GivenList(const cli::Arguments& arguments,
                                   const git::Repository& repository, const WorkingFolder& folder) {
  list::ListConfig list;
  if (arguments.Has("--prefix")) list.prefix = arguments.Value("--prefix");
  list.enum_name = arguments.Value("--enum");
  const std::string golden = arguments.Value("--golden"), path = arguments.Value("PATH");
  list.golden = folder.FromRoot(golden);
  if (golden.empty()) {
    TRY(list.golden, GuessGoldenFolder(repository));
  }
  list.path = path.empty() ? std::string(kDefaultList) : folder.FromRoot(path);
  return list;
}

/// Returns the enum in the file at PATH that is most likely the version list. Fails if two enums
/// are equally likely.
Result<list::Guess> ReadNamed(const std::string& text, const list::ListConfig& given,
                              bool any_prefix, const WorkingFolder& folder) {
  const std::string path = base::ShellPath(folder.FromHere(given.path));
  auto guesses = list::GuessLists(text, given, any_prefix, given.path);
  if (guesses.size() > 1 && guesses[0].likeness == guesses[1].likeness)
    return Error{Exit::Usage,
                 fmt::format("{}: two enums look like a version list: {} and {}", given.path,
                             EnumText(guesses[0].list), EnumText(guesses[1].list)),
                 TakingIt(guesses[0], folder)};
  if (!guesses.empty()) return std::move(guesses.front());
  auto parsed = list::Parse(text, given, given.path);
  if (!parsed.ok()) {
    // Replace fixes that tell the user to edit `.revctl.yaml`, because it does not exist yet.
    base::Error& error = parsed.error();
    if (error.fix.empty() || error.fix_kind == base::ErrorFix::EditConfig)
      error.fix = fmt::format(
          "revctl init {} --enum NAME --prefix PREFIX, or --prefix \"\" if the names share no "
          "prefix",
          path);
    return parsed.error();
  }
  if (parsed->Revisions().empty())
    return Error{Exit::Usage,
                 fmt::format("{}: no enumerator begins with {}", given.path, given.prefix),
                 fmt::format("revctl init {} --prefix PREFIX", path)};
  return list::Guess{given, std::move(*parsed), given.enum_name, 0};
}

std::string LineOf(const list::Guess& guess, const WorkingFolder& folder) {
  return fmt::format("{} ({}, {}): {}", guess.config.path, EnumText(guess.list),
                     CountText(guess.list), TakingIt(guess, folder));
}

constexpr std::array<std::string_view, 7> kHeaders = {".h",   ".hh",  ".hpp", ".hxx",
                                                      ".inc", ".inl", ".def"};

/// Limits that keep the search within seconds in the source tree of a large engine.
constexpr std::size_t kMostHeaders = 1000;
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;

bool IsHeader(std::string_view path) {
  return std::any_of(kHeaders.begin(), kHeaders.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

/// True if the file name suggests a version list. The search reads such files first.
bool IsNamedAsList(std::string_view path) {
  const std::string_view file = base::FileName(path);
  return file.find("version") != file.npos || file.find("revision") != file.npos;
}

/// Returns the headers that contain an enum and a word typical of version lists.
Result<std::vector<std::string>> Headers(const git::Repository& repository,
                                         const std::string& prefix) {
  std::string words = "[Vv]ersion|VERSION|[Rr]evision|REVISION";
  if (config::IsIdentifier(prefix)) words += "|" + prefix;
  const std::string word_enum = "(^|[^A-Za-z0-9_])enum([^A-Za-z0-9_]|$)";
  TRY(const auto paths, git::FilesMatchingAll(repository, {word_enum, words}));
  std::vector<std::string> headers;
  for (const std::string& path : paths) {
    if (IsHeader(path)) headers.push_back(path);
  }
  std::stable_partition(headers.begin(), headers.end(), IsNamedAsList);
  return headers;
}

/// The result of searching the headers that git tracks or would add.
struct FoundLists {
  std::vector<list::Guess> likely;  ///< the most likely list first, at most one list per file
  std::string searched;             ///< a sentence about how many headers were read
};

/// Finds enums that look like version lists. See list::GuessLists() for `given` and `any_prefix`.
Result<FoundLists> FindLists(const git::Repository& repository, const list::ListConfig& given,
                             bool any_prefix) {
  TRY(auto headers, Headers(repository, given.prefix));
  FoundLists out;
  const std::size_t all = headers.size();
  headers.resize(std::min(all, kMostHeaders));
  out.searched = fmt::format(
      "{} {} an enum and a word like \"version\"{}{}", all,
      all == 1 ? "header has" : "headers have", given.prefix.empty() ? "" : " or " + given.prefix,
      all > headers.size() ? fmt::format(" ({} were read)", headers.size()) : "");
  for (const std::string& path : headers) {
    auto text = config::ReadFile(repository.root() + "/" + path, kLargestHeader);
    if (!text.ok() || !text->has_value()) continue;
    list::ListConfig config = given;
    config.path = path;
    auto guesses = list::GuessLists(**text, config, any_prefix, path);
    if (!guesses.empty() && guesses.front().likeness >= list::kLikelyList)
      out.likely.push_back(std::move(guesses.front()));
  }
  std::stable_sort(
      out.likely.begin(), out.likely.end(), [](const list::Guess& a, const list::Guess& b) {
        return a.likeness != b.likeness ? a.likeness > b.likeness
                                        : a.list.entries.size() > b.list.entries.size();
      });
  return out;
}

/// Returns the most likely version list in the repository. Fails if there is none or if several
/// lists are equally likely. Appends a line for each other candidate to `others`.
Result<list::Guess> SearchList(const git::Repository& repository, const list::ListConfig& given,
                               bool any_prefix, const WorkingFolder& folder, std::string& others) {
  TRY(auto found, FindLists(repository, given, any_prefix));
  auto& likely = found.likely;
  if (likely.empty())
    return Error{Exit::Usage, "no enum looks like a version list; " + found.searched,
                 fmt::format("for an existing list: revctl init PATH --enum NAME; for a new list "
                             "in {}: revctl init --new",
                             kDefaultList)};
  std::vector<std::string> lines;
  for (const list::Guess& guess : likely) lines.push_back(LineOf(guess, folder));
  const std::string first = lines.front();
  lines.erase(lines.begin());
  others += base::FirstLines(lines, kMostOthers);
  if (likely.size() > 1 && likely[0].likeness == likely[1].likeness)
    return Error{Exit::Usage,
                 fmt::format("several enums look like the version list:\n{}\n{}nothing was written",
                             first, others),
                 TakingIt(likely[0], folder)};
  return std::move(likely.front());
}

/// True if the enum is clearly a version list: it names its latest entry, or its prefix is SR_.
bool IsCertain(const list::Guess& guess) {
  return guess.likeness >= list::kLikelyList &&
         (!guess.config.sentinel.empty() || !guess.config.current.empty() ||
          guess.config.prefix == "SR_");
}

std::string TakingIt(const VersionConstant& one, const WorkingFolder& folder) {
  return fmt::format("revctl init {} --enum {}", base::ShellPath(folder.FromHere(one.path)),
                     one.name);
}

std::string LineOf(const VersionConstant& one, const WorkingFolder& folder) {
  return fmt::format("{}:{} ({} = {}): {}\n", one.path, one.line, one.name, one.number,
                     TakingIt(one, folder));
}

/// Returns the constant with the given name, or null unless exactly one constant has it.
const VersionConstant* ConstantNamed(const std::vector<VersionConstant>& constants,
                                     const std::string& name) {
  const VersionConstant* found = nullptr;
  for (const VersionConstant& one : constants) {
    if (one.name != name) continue;
    if (found != nullptr) return nullptr;
    found = &one;
  }
  return found;
}

/// Returns the constant that is most likely the save version, or null if there is none. Fails if
/// two constants are equally likely.
Result<const VersionConstant*> ChooseConstant(const std::vector<VersionConstant>& constants,
                                              const WorkingFolder& folder) {
  const VersionConstant* best = nullptr;
  const VersionConstant* rival = nullptr;
  for (const VersionConstant& one : constants) {
    if (one.is_oldest || one.likeness < 0) continue;
    if (best == nullptr || one.likeness > best->likeness) {
      best = &one;
      rival = nullptr;
    } else if (one.likeness == best->likeness) {
      rival = &one;
    }
  }
  if (rival == nullptr) return best;
  return Error{Exit::Usage,
               fmt::format("several constants look like the save version:\n{}{}nothing was written",
                           LineOf(*best, folder), LineOf(*rival, folder)),
               TakingIt(*best, folder)};
}

/// Returns the constant that the user named, or a constant that is more likely to be the version
/// than any enum in the file. Returns null if the list is an enum.
Result<const VersionConstant*> ConstantOf(const cli::Arguments& arguments, const std::string& text,
                                          const list::ListConfig& given,
                                          const std::vector<VersionConstant>& constants,
                                          const WorkingFolder& folder) {
  if (arguments.Has("--enum")) return ConstantNamed(constants, arguments.Value("--enum"));
  if (arguments.Has("--prefix")) return nullptr;
  const auto guesses = list::GuessLists(text, given, true, given.path);
  if (!guesses.empty() && IsCertain(guesses.front())) return nullptr;
  TRY(const VersionConstant* constant, ChooseConstant(constants, folder));
  const bool likely = !guesses.empty() && guesses.front().likeness >= list::kLikelyList;
  if (constant != nullptr && (!likely || constant->likeness >= kLikelyConstant)) return constant;
  if (guesses.empty() || likely) return nullptr;
  return Error{
      Exit::Usage,
      fmt::format("{}: {} does not look like a version list", given.path,
                  EnumText(guesses.front().list)),
      fmt::format("if this enum is your version list: {}", TakingIt(guesses.front(), folder))};
}

}  // namespace

WorkingFolder::WorkingFolder(const std::string& directory, const std::string& root)
    : root_(base::ResolvedPath(root)) {
  const std::filesystem::path below = std::filesystem::path(directory).lexically_relative(root_);
  if (below != ".") below_ = below;
}

std::string WorkingFolder::FromRoot(const std::string& path) const {
  if (path.empty()) return "";
  std::filesystem::path out = below_ / path;
  if (out.has_root_directory()) {
    const std::string folder = base::ResolvedPath(out.parent_path().generic_string());
    out = (std::filesystem::path(folder) / out.filename()).lexically_relative(root_);
  }
  out = out.lexically_normal();
  return (out.has_filename() ? out : out.parent_path()).generic_string();
}

std::string WorkingFolder::FromHere(const std::string& path) const {
  if (below_.empty()) return path;
  return std::filesystem::path(path).lexically_relative(below_).generic_string();
}

base::Result<InitPlan> PlanInit(const cli::Arguments& arguments, const git::Repository& repository,
                                const std::string& remote, const WorkingFolder& folder) {
  InitPlan out;
  config::Config& config = out.config;
  config.remote_named = !remote.empty();
  if (config.remote_named) config.remote = remote;
  TRY(config.target, ChooseTarget(repository, remote, arguments.Value("--target")));

  const std::string root = repository.root();
  TRY(auto given, GivenList(arguments, repository, folder));
  // Let the config parser validate the command-line values before anything uses them.
  config.lists = {given};
  TRY(config::ParseConfig(config::FormatConfig(config), "revctl init"));

  const bool any_prefix = !arguments.Has("--prefix");
  const bool named = arguments.Has("PATH");
  out.asked_for = named || arguments.Has("--new");
  const auto take_constant = [&](const VersionConstant& constant,
                                 const std::string& text) -> Result<base::Done> {
    list::ListConfig without_enum = given;  // the value of `--enum` may be the constant's name
    without_enum.enum_name.clear();
    TRY(auto made, MakeListFrom(repository, constant, text, without_enum));
    config.lists = {made.list.config};
    out.list = made.list.list;
    out.new_list = made.list_text;
    out.from_constant = std::move(made);
    return base::Done{};
  };
  if (!named && !arguments.Has("--new")) {
    TRY(const auto constants, SearchConstants(repository));
    const VersionConstant* constant = ConstantNamed(constants, arguments.Value("--enum"));
    auto found = SearchList(repository, given, any_prefix, folder, out.others);
    if (constant == nullptr && (constants.empty() || arguments.Has("--enum") || !any_prefix ||
                                (found.ok() && IsCertain(*found)))) {
      if (!found.ok()) return found.error();
      config.lists = {found->config};
      out.list = std::move(found->list);
      for (const VersionConstant& one : constants) out.others += LineOf(one, folder);
    } else {
      if (constant == nullptr) {
        TRY(constant, ChooseConstant(constants, folder));
      }
      TRY(const auto text, config::ReadFile(root + "/" + constant->path, config::kMaxListBytes));
      if (found.ok()) out.others.insert(0, LineOf(*found, folder) + "\n");
      TRY(take_constant(*constant, text.value_or("")));
    }
  } else {
    const std::string path_here = base::ShellPath(folder.FromHere(given.path));
    TRY(auto text, config::ReadFile(root + "/" + given.path, config::kMaxListBytes));
    if (!text.has_value() && !arguments.Has("--new"))
      return Error{Exit::Usage, given.path + ": there is no such file",
                   fmt::format("for a new list: revctl init {} --new", path_here)};
    if (text.has_value() && arguments.Has("--new")) {
      return Error{Exit::Usage, given.path + ": already exists, but --new writes a new list",
                   "revctl init " + path_here};
    }
    if (text.has_value()) {
      const auto constants = FindConstants(*text, given.path);
      TRY(const VersionConstant* constant, ConstantOf(arguments, *text, given, constants, folder));
      if (constant != nullptr) {
        TRY(take_constant(*constant, *text));
      } else {
        TRY(auto found, ReadNamed(*text, given, any_prefix, folder));
        config.lists = {found.config};
        out.list = std::move(found.list);
      }
    } else {
      out.new_list = list::NewList(given);
      TRY(out.list, list::Parse(out.new_list, given, given.path));
    }
  }
  if (const list::Entry* latest = out.list.Latest()) out.latest = latest->number;
  config.allow = Baseline(out.list, config.lists.front());
  if (!remote.empty() && !arguments.Has("--numbers")) {
    TRY(const auto url, repository.ConfigValue("remote." + remote + ".url"));
    if (const std::string host = MergeButtonHost(url.value_or("")); !host.empty())
      out.advice = fmt::format(
          "recommended: revctl init --numbers at-landing, because {} merges pull requests without "
          "the merge driver, so two pull requests that add to the list would conflict\n",
          host);
  }
  return out;
}

std::string InitPlan::Text(bool with_remote) const {
  const list::ListConfig& mine = config.lists.front();
  const auto revisions = list.Revisions();
  std::string out =
      from_constant
          ? fmt::format("writes a list for {} = {} ({}:{}) to {}: {}", from_constant->constant.name,
                        from_constant->constant.number, from_constant->constant.path,
                        from_constant->constant.line, mine.path, EnumText(list))
      : new_list.empty() ? fmt::format("adopts {}: {}", mine.path, EnumText(list))
                         : "writes a new list " + mine.path;
  if (!revisions.empty())
    out += fmt::format(", {}, {} = {} to {} = {}", CountText(list), revisions.front()->name,
                       revisions.front()->number, revisions.back()->name, revisions.back()->number);
  if (from_constant) {
    out += ":\n" + cli::Indented(new_list) +
           fmt::format("sets {} to {} in {}, and includes the list there\n",
                       from_constant->constant.name, mine.current, from_constant->constant.path) +
           "guessed:\n";
    for (const std::string& sentence : from_constant->guessed) out += cli::Indented(sentence);
  } else {
    out += "\n";
  }
  out += "writes .revctl.yaml:\n" + cli::Indented(config::FormatConfig(config));
  out += fmt::format(
      "creates the ledger {} {}, or uses the existing one\nsets up this clone: merge driver, "
      ".gitattributes, hooks\n",
      config.ledger, with_remote ? "on " + config.remote : "in this repository");
  out += advice;
  if (!others.empty()) out += "other candidates:\n" + cli::Indented(others);
  return out;
}

std::optional<base::Error> InitContradiction(const cli::Arguments& arguments,
                                             const config::Config& present,
                                             const WorkingFolder& folder) {
  std::string given, says;
  const auto compare = [&](const char* option, const std::string& asked, const std::string& value) {
    if (!says.empty() || !arguments.Has(option) || asked == value) return;
    given = fmt::format("{} {}", option, asked);
    says = value.empty() ? "no such value" : value;
  };
  compare("--target", arguments.Value("--target"), present.target);
  const list::ListConfig* mine = present.lists.size() == 1 ? &present.lists.front() : nullptr;
  if (arguments.Has("PATH")) {
    const std::string path = folder.FromRoot(arguments.Value("PATH"));
    std::string paths;
    for (const list::ListConfig& list : present.lists) {
      if (list.path == path) mine = &list;
      paths += (paths.empty() ? "" : ", ") + list.path;
    }
    if (mine == nullptr || mine->path != path) {
      given = path;
      says = paths;
    }
  }
  if (mine != nullptr) {
    compare("--prefix", arguments.Value("--prefix"), mine->prefix);
    compare("--enum", arguments.Value("--enum"), mine->enum_name);
    compare("--golden", folder.FromRoot(arguments.Value("--golden")), mine->golden);
  }
  if (arguments.Has("--new") && says.empty()) {
    given = "--new";
    says = present.lists.front().path;
  }
  if (says.empty()) return std::nullopt;
  return Error{Exit::Usage, fmt::format(".revctl.yaml already exists with {}, not {}", says, given),
               "remove the argument, or edit .revctl.yaml"};
}

}  // namespace revctl::commands
