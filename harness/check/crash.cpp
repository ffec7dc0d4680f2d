#include "harness/check/crash.h"

#include <fmt/core.h>
#include <algorithm>
#include <tuple>

#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kMostListed = 20;  // goldens and samples by name; the rest is counted

using Group = std::vector<const Crash*>;  // never empty

bool IsGolden(const Crash& crash) { return crash.What().starts_with("golden "); }

/// Whether one trap has probably ended both.
bool SameEnd(const Crash& a, const Crash& b) {
  const auto key = [](const Crash& crash) {
    return std::tie(crash.ending, crash.field, crash.place.file, crash.place.line, crash.harm);
  };
  return key(a) == key(b);
}

/// `SR_A` of `golden SR_A/auto-1`; empty for what is no golden.
std::string RevisionOf(const Crash& crash) {
  if (!IsGolden(crash)) return "";
  const std::string id = crash.What().substr(sizeof "golden " - 1);
  return id.find('/') == std::string::npos ? "" : id.substr(0, id.find_first_of("/+"));
}

/// What a person wrote or has: the other samples are made up by the dozen.
bool IsAutomatic(const RootType& root, const Crash& crash) {
  const std::string what = crash.What();
  return !IsGolden(crash) &&
         std::none_of(root.samples.begin(), root.samples.end(), [&](const SampleEntry& sample) {
           return what == "sample " + std::string(sample.name);
         });
}

/// `likewise: golden SR_A/auto-2, sample boss room, 2 more, 17 automatic samples`: all but the
/// first.
std::string Others(const RootType& root, const Group& group) {
  std::vector<std::string> parts;
  std::size_t automatic = 0, unnamed = 0;
  for (std::size_t i = 1; i < group.size(); ++i) {
    if (IsAutomatic(root, *group[i])) {
      ++automatic;
    } else if (parts.size() < kMostListed) {
      parts.push_back(group[i]->What());
    } else {
      ++unnamed;
    }
  }
  if (unnamed > 0) parts.push_back(fmt::format("{} more", unnamed));
  if (automatic > 0)
    parts.push_back(fmt::format("{} automatic sample{}", automatic, automatic == 1 ? "" : "s"));
  std::string text = "likewise: ";
  for (const std::string& part : parts) text += (&part == &parts.front() ? "" : ", ") + part;
  return text;
}

/// The command that ends as `crash` did, in this very process.
std::string ReplayCommand(const RootType& root, const Crash& crash, const CheckOptions& options) {
  if (crash.last.empty()) return options.program + " check --in-process";
  return fmt::format("{} check --replay {} --type {}{}", options.program,
                     base::ShellWord(crash.What()), base::ShellWord(root.name),
                     options.thorough ? " --thorough" : "");
}

Finding FindingOf(const RootType& root, const Group& group, const CheckOptions& options) {
  const Crash& crash = *group.front();
  const bool golden = IsGolden(crash), harmed = !crash.harm.empty(), placed = crash.place.line != 0;
  Finding finding{.rule = harmed   ? rule::kRefusal
                          : golden ? rule::kBytes
                                   : rule::kStability,
                  .file = options.Relative(placed ? crash.place.file : root.entry.file),
                  .line = placed ? crash.place.line : root.entry.line,
                  .type = root.name,
                  .field = crash.field,
                  .signal = harmed   ? "refusal"
                            : golden ? "bytes"
                                     : "stability"};
  const std::string at = crash.field.empty() ? "" : fmt::format("`{}`", crash.field);
  std::string what = crash.What();
  if (harmed)
    what +=
        fmt::format(", {} byte {}{},", crash.harm, crash.offset, at.empty() ? "" : ", in " + at);
  finding.message = fmt::format("{}: the {} ends the process ({})", root.name, what, crash.ending);
  if (group.size() > 1) {
    finding.message += group.size() == 2 ? ", and so does 1 more"
                                         : fmt::format(", and so do {} more", group.size() - 1);
    finding.details = Others(root, group);
  }
  if (!harmed && !at.empty()) finding.message += "; the last field visited is " + at;
  finding.fix = ReplayCommand(root, crash, options) +
                "   # under a debugger or sanitizer shows where; let the body refuse what it "
                "cannot take with r.Fail(reason)";
  return finding;
}

}  // namespace

std::string Crash::What() const {
  const auto line = last.find('\n');
  return line == std::string::npos ? "a check" : last.substr(line + 1);
}

Crash CrashOf(const ChildProcess& child) {
  const CrashBreadcrumb& visit = child.visit();
  Crash crash{child.last(), child.ending(), "", {}};
  crash.harm = CrashBreadcrumb::Text(visit.harm);
  if (crash.harm.empty()) {
    visit.Tell(crash.field, crash.place);
  } else {
    crash.offset = visit.offset;
  }
  return crash;
}

void Crashes::Tell(const RootType& root, const CheckOptions& options, Verdicts& verdicts) const {
  std::vector<Group> groups;
  for (const Crash& crash : all_) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return SameEnd(*group.front(), crash);
    });
    if (same == groups.end()) {
      groups.push_back({&crash});
    } else {
      same->push_back(&crash);
    }
  }
  for (Group& group : groups) {
    // A golden is a file that a user has; samples may be made up.
    std::stable_partition(group.begin(), group.end(),
                          [](const Crash* crash) { return IsGolden(*crash); });
    const Finding finding = FindingOf(root, group, options);
    for (const Crash* crash : group) {
      Finding there = finding;
      there.revision = RevisionOf(*crash);
      verdicts.Add(std::move(there), "crash of " + group.front()->What());
    }
  }
}

}  // namespace revctl::harness
