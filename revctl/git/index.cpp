#include "revctl/git/index.h"

#include <fmt/core.h>
#include <cstdlib>
#include <sstream>

#include "revctl/base/ascii.h"
#include "revctl/base/temporary_file.h"
#include "revctl/git/command.h"

namespace revctl::git {

using Kind = Place::Kind;

bool StatusEntry::unmerged() const {
  return code == "DD" || code == "AA" || code.find('U') != std::string::npos;
}

Result<std::vector<StatusEntry>> Status(const Repository& repository, bool with_untracked) {
  TRY(const auto text, Output(Command::Run(repository, {"status", "--porcelain=v1", "-z",
                                                        "--no-renames", "--ignore-submodules=dirty",
                                                        with_untracked ? "--untracked-files=all"
                                                                       : "--untracked-files=no"}),
                              "git status failed:\n"));
  std::vector<StatusEntry> out;
  for (const std::string& line : SplitAtNul(text))  // each line is "XY PATH"
    out.push_back({line.substr(0, 2), line.substr(std::min(line.size(), std::size_t{3}))});
  return out;
}

namespace {

const std::string kIndexFailed = "cannot read the index: ";

}  // namespace

Result<std::vector<IndexEntry>> IndexEntries(const Repository& repository, Entries which,
                                             const std::string& path) {
  const char* const option = which == Entries::All ? "-s" : "--unmerged";
  TRY(const auto text,
      Output(Command::Run(repository, {"ls-files", "-z", "--full-name", option, "--", path}),
             kIndexFailed));
  std::vector<IndexEntry> out;
  for (const std::string& line : SplitAtNul(text)) {  // each line is "MODE OID STAGE\tPATH"
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string::npos || line.size() < second + 4) continue;
    out.push_back({line.substr(second + 3), line.substr(first + 1, second - first - 1),
                   static_cast<std::uint32_t>(std::strtoul(line.c_str(), nullptr, 8)),
                   line[second + 1] - '0'});
  }
  return out;
}

Result<std::vector<std::string>> TrackedFiles(const Repository& repository,
                                              const std::string& path) {
  TRY(const auto text,
      Output(Command::Run(repository, {"ls-files", "-z", "--full-name", "--", path}),
             kIndexFailed));
  return SplitAtNul(text);
}

Result<std::vector<std::string>> TrackedFilesLike(const Repository& repository,
                                                  const std::string& glob) {
  TRY(const auto text, Output(Command::Run(repository, {"--no-literal-pathspecs", "ls-files", "-z",
                                                        "--full-name", "--", ":(top,glob)" + glob}),
                              kIndexFailed));
  return SplitAtNul(text);
}

Result<std::vector<std::string>> UntrackedFiles(const Repository& repository) {
  TRY(const auto text,
      Output(Command::Run(repository, {"ls-files", "-z", "--others"}), "git ls-files failed:\n"));
  return SplitAtNul(text);
}

Result<std::string> ReadBlob(const Repository& repository, const Oid& id, const std::string& what) {
  return Output(Command::Run(repository, {"cat-file", "blob", id}), "cannot read " + what + ": ");
}

namespace {

/// Runs git grep, which exits with 1 if it finds nothing.
Result<std::string> Grep(const Repository& repository, const Place& place,
                         const std::vector<std::string>& how, std::string patterns) {
  std::vector<std::string> arguments = {
      "-c", "grep.lineNumber=true", "-c",         "core.quotePath=false", "grep",
      "-I", "--no-color",           "--full-name"};
  if (place.kind == Kind::Index) arguments.emplace_back("--cached");
  if (place.kind == Kind::WorkTree) arguments.emplace_back("--untracked");
  arguments.insert(arguments.end(), how.begin(), how.end());
  if (place.kind == Kind::Commit) arguments.push_back(place.commit);
  ProcessOptions options;
  options.input = std::move(patterns);
  TRY(auto run, Command::Run(repository, std::move(arguments), std::move(options)));
  if (run.status > 1) return Error{Exit::Environment, "git grep failed: " + LastLines(run.err), ""};
  return std::move(run.out);
}

/// Splits the output of git grep into lines or names, and removes the `COMMIT:` prefix from each.
std::vector<std::string> Answers(const std::string& text, char end_of_line, const Place& place) {
  const std::string prefix = place.kind == Kind::Commit ? place.commit + ":" : "";
  std::vector<std::string> out = Split(text, end_of_line);
  for (std::string& line : out) {
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
  }
  return out;
}

/// Joins the strings into a single regular expression. If given several patterns, git grep would
/// search the rest of the file for each of them after every hit, which takes almost a second for
/// 10,000 lines.
std::string AnyOf(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    if (!out.empty()) out += '|';
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x80 && !base::IsWord(c) && c != ':') out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> LinesWithWords(const Repository& repository, const Place& place,
                                                const std::vector<std::string>& words) {
  std::vector<std::string> how = {"-n", "-F", "-w"};
  for (const std::string& word : words) how.insert(how.end(), {"-e", word});
  TRY(const auto lines, Grep(repository, place, how, ""));
  return Answers(lines, '\n', place);
}

Result<std::vector<std::string>> FilesWithAny(const Repository& repository, const Place& place,
                                              const std::vector<std::string>& texts) {
  // Pass the patterns through stdin, because they may exceed the limit for one argument.
  TRY(const auto names,
      Grep(repository, place, {"-l", "-z", "-E", "-f", "-"}, AnyOf(texts) + "\n"));
  return Answers(names, '\0', place);
}

Result<std::vector<std::string>> FilesMatchingAll(const Repository& repository,
                                                  const std::vector<std::string>& patterns) {
  std::vector<std::string> how = {"-l", "-z", "-E", "--all-match"};
  for (const std::string& pattern : patterns) how.insert(how.end(), {"-e", pattern});
  TRY(const auto names, Grep(repository, {}, how, ""));
  return Answers(names, '\0', {});
}

Result<std::vector<std::string>> LinesMatching(const Repository& repository,
                                               const std::string& pattern) {
  TRY(const auto lines, Grep(repository, {}, {"-n", "-E", "-e", pattern}, ""));
  return Answers(lines, '\n', {});
}

namespace {

/// True for an entry ":MODE MODE OID OID STATUS" in which only the executable bit changed.
bool SameBytes(const std::string& entry) {
  std::istringstream words(entry);
  std::string old_mode, new_mode, before, after;
  words >> old_mode >> new_mode >> before >> after;
  return old_mode.starts_with(":100") && new_mode.starts_with("100") && before == after &&
         !IsNull(before);
}

/// Parses the output of `git diff-tree --raw -z`.
std::vector<FileChange> ParseRaw(const std::string& text) {
  std::vector<FileChange> out;
  const auto words = SplitAtNul(text);  // pairs of an entry and a path
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const char status = words[i].back();
    if (status != 'A' && !(status == 'M' && SameBytes(words[i])))
      out.push_back({words[i + 1], status});
  }
  return out;
}

}  // namespace

Result<std::vector<FileChange>> ChangesSince(const Repository& repository, const Place& place,
                                             const Oid& from, const std::string& folder) {
  std::vector<std::string> arguments;
  if (place.kind == Kind::Commit) {
    arguments = {"diff-tree", "-r",         "--raw", "-z",  "--no-renames",
                 from,        place.commit, "--",    folder};
  } else {
    TRY(auto changes, repository.ChangesHere(from, folder, place.kind == Kind::Index));
    if (changes) return std::move(*changes);
    arguments = {"diff-index", "--raw", "-z", "--no-renames"};
    if (place.kind == Kind::Index) arguments.emplace_back("--cached");
    arguments.insert(arguments.end(), {from, "--", folder});
  }
  TRY(const auto text, Output(Command::Run(repository, std::move(arguments)),
                              fmt::format("cannot compare the files of {}: ", folder)));
  return ParseRaw(text);
}

namespace {

/// Fills the index file of `options` with the `.gitattributes` files of `source`, or with the whole
/// commit if `source` lists none.
Result<base::Done> FillIndex(const Repository& repository, const AttributeSource& source,
                             ProcessOptions options) {
  if (!source.files) {
    TRY(Output(Command::Run(repository, {"read-tree", source.place.commit}, std::move(options)),
               "git read-tree failed:\n"));
    return base::Done{};
  }
  for (const TreeFile& file : *source.files)
    options.input += fmt::format("100644 {}\t{}", file.id, file.path) + '\0';
  TRY(Output(Command::Run(repository, {"update-index", "-z", "--index-info"}, std::move(options)),
             "git update-index failed: "));
  return base::Done{};
}

}  // namespace

Result<std::vector<PathAttribute>> AttributesOf(const Repository& repository,
                                                const AttributeSource& source,
                                                const std::vector<std::string>& names,
                                                const std::vector<std::string>& paths) {
  ProcessOptions options;
  std::optional<base::ScratchFolder> scratch;
  if (source.place.kind == Kind::Commit) {
    // git 2.39 can read a commit's attributes only through an index.
    TRY(auto folder, base::ScratchFolder::Make());
    scratch.emplace(std::move(folder));
    options.environment = {"GIT_INDEX_FILE=" + scratch->path() + "/index"};
    TRY(FillIndex(repository, source, options));
  }
  std::vector<std::string> arguments;
  if (!source.users_files) arguments = {"-c", "core.attributesFile=/dev/null"};
  arguments.insert(arguments.end(), {"check-attr", "-z", "--stdin"});
  if (source.place.kind != Kind::WorkTree) arguments.emplace_back("--cached");
  arguments.insert(arguments.end(), names.begin(), names.end());
  for (const std::string& path : paths) options.input += path + '\0';
  TRY(const auto text, Output(Command::Run(repository, std::move(arguments), std::move(options)),
                              "git check-attr failed: "));
  const auto words = SplitAtNul(text);  // triples of PATH, NAME, VALUE
  std::vector<PathAttribute> out;
  for (std::size_t i = 0; i + 2 < words.size(); i += 3)
    out.push_back({words[i], words[i + 1], words[i + 2]});
  return out;
}

}  // namespace revctl::git
