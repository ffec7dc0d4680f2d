#include "harness/check/check.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "harness/advice/own_words.h"
#include "harness/check/sample_order.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/signals/signals.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/source_place.h"
#include "revctl/base/counted.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// How and where a child ended.
struct Crash {
  std::string last{};  ///< `type\nwhat` as noted by Progress; empty before the first step
  std::string ending;  ///< ChildProcess::ending()
  /// The last visited field, or the field that contains the damaged byte. May be empty.
  std::string field{};
  SourcePlace place{};  ///< place of that field
  std::string harm{};   ///< damage to the golden, such as `cut at`; empty if the golden was intact
  std::size_t offset = 0;
  std::string printed{};  ///< the first lines that the child printed

  /// Returns the step that crashed, such as `golden SR_A/auto-1`, `sample boss room` or `making of
  /// its samples`.
  std::string What() const;
};

/// The crashes during the checks of one root type. Many goldens and samples may crash because of
/// the same bug, so crashes at the same place become one error that lists all of them.
class Crashes {
 public:
  void Add(Crash crash) { all_.push_back(std::move(crash)); }
  bool empty() const { return all_.empty(); }
  /// Returns the number of crashes with undamaged goldens.
  std::size_t goldens() const;
  /// Adds findings to `verdicts`. `skipped` says which other checks of the type were skipped, or is
  /// empty; it is appended to the first finding's message.
  void Tell(const RootType& root, const CheckOptions& options, const std::string& skipped,
            Verdicts& verdicts) const;

 private:
  std::vector<Crash> all_;
};

// Checking this many bytes of a large golden costs as much as checking one value.
constexpr std::uint64_t kBytesOfValue = 4096;
// Number of goldens and samples listed by name; all others are only counted.
constexpr std::size_t kMostListed = 20;

using Group = std::vector<const Crash*>;  // never empty

bool IsGolden(const Crash& crash) { return crash.What().starts_with("golden "); }

/// True if both crashes probably have the same cause.
bool SameEnd(const Crash& a, const Crash& b) {
  const auto key = [](const Crash& crash) {
    return std::tie(crash.ending, crash.field, crash.place.file, crash.place.line, crash.harm);
  };
  return key(a) == key(b);
}

/// Returns `SR_A` for `golden SR_A/auto-1`, and "" for samples.
std::string RevisionOf(const Crash& crash) {
  if (!IsGolden(crash)) return "";
  const std::string id = crash.What().substr(sizeof "golden " - 1);
  return id.find('/') == std::string::npos ? "" : id.substr(0, id.find_first_of("/+"));
}

/// True for a generated sample. Messages only count generated samples, because there are dozens of
/// them.
bool IsAutomatic(const RootType& root, const Crash& crash) {
  const std::string what = crash.What();
  return !IsGolden(crash) &&
         std::none_of(root.samples.begin(), root.samples.end(), [&](const SampleEntry& sample) {
           return what == "sample " + std::string(sample.name);
         });
}

/// Lists all crashes except the first: `also affected: golden SR_A/auto-2, sample boss room, 2
/// more, 17 automatic samples`.
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
  if (automatic > 0) parts.push_back(base::Counted(automatic, "automatic sample"));
  std::string text = "also affected: ";
  for (const std::string& part : parts) text += (&part == &parts.front() ? "" : ", ") + part;
  return text;
}

/// Returns a command that reproduces the crash in a single process.
std::string ReplayCommand(const RootType& root, const Crash& crash, const CheckOptions& options) {
  if (crash.last.empty()) return options.program + " check --in-process";
  return fmt::format("{} check --replay {} --type {}{}", options.program,
                     base::ShellWord(crash.What()), base::ShellWord(root.name),
                     options.thorough ? " --thorough" : "");
}

Finding FindingOf(const RootType& root, const Group& group, const CheckOptions& options) {
  const Crash& crash = *group.front();
  const bool golden = IsGolden(crash), harmed = !crash.harm.empty(), placed = crash.place.line != 0;
  Finding finding{.rule = harmed   ? RuleId::BrokenInput
                          : golden ? RuleId::GoldenBytes
                                   : RuleId::Stability,
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
  finding.message =
      fmt::format("{}: the {} terminates the process ({})", root.name, what, crash.ending);
  if (group.size() > 1) {
    finding.message += group.size() == 2 ? ", and so does 1 more"
                                         : fmt::format(", and so do {} more", group.size() - 1);
    finding.details = Others(root, group);
  }
  if (!crash.printed.empty())
    finding.details += (finding.details.empty() ? "" : "\n") + ("it printed:\n" + crash.printed);
  if (!harmed && !at.empty()) finding.message += "; the last visited field is " + at;
  finding.fix =
      ReplayCommand(root, crash, options) +
      "   # run it under a debugger or sanitizer; to reject data that cannot be loaded, use " +
      RefuseWords(root.entry.words, IsOpaque(root.type()));
  return finding;
}

std::string Crash::What() const {
  const auto line = last.find('\n');
  return line == std::string::npos ? "a check" : last.substr(line + 1);
}

Crash CrashOf(const ChildProcess& child) {
  const CrashBreadcrumb& visit = child.visit();
  Crash crash{.last = child.last(), .ending = child.ending()};
  crash.printed = child.printed();
  crash.harm = visit.Harm();
  if (crash.harm.empty()) {
    visit.Tell(crash.field, crash.place);
  } else {
    crash.offset = visit.offset;
  }
  return crash;
}

std::size_t Crashes::goldens() const {
  const auto whole = [](const Crash& crash) { return IsGolden(crash) && crash.harm.empty(); };
  return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), whole));
}

void Crashes::Tell(const RootType& root, const CheckOptions& options, const std::string& skipped,
                   Verdicts& verdicts) const {
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
    // Goldens come first, because they represent real files, whereas samples are made up.
    std::stable_partition(group.begin(), group.end(),
                          [](const Crash* crash) { return IsGolden(*crash); });
    Finding finding = FindingOf(root, group, options);
    // Report the place as the cause, because a bug in a nested type crashes every root type that
    // contains it.
    if (const Crash& first = *group.front(); first.place.line != 0)
      finding.cause = fmt::format("crash at {}:{}\n{}\n{}", first.place.file, first.place.line,
                                  first.ending, first.harm);
    if (&group == &groups.front()) finding.message += skipped;
    for (const Crash* crash : group) {
      Finding there = finding;
      there.revision = RevisionOf(*crash);
      verdicts.Add(std::move(there), "crash of " + group.front()->What(),
                   {RevisionOf(*group.front())});
    }
  }
}

}  // namespace

/// Serializes the options that matter to a child process.
SERIALIZE_TYPE(CheckOptions) {
  ADD(0, seed);
  ADD(0, program);
  ADD(0, source_root);
  ADD(0, build_root);
  ADD(0, thorough);
  ADD(0, only);
  ADD(0, store);
  ADD(0, layouts_only);
}
SERIALIZE_END

namespace {

/// The arguments of a child process that runs a check.
struct CheckMessage {
  CheckOptions options;
  std::string type, what;    ///< a step that kReplay watches for, or kFindHarmed decodes
  std::uint64_t offset = 0;  ///< the damaged byte that kFindHarmed looks up
};
SERIALIZE_TYPE(CheckMessage) {
  ADD(0, options);
  ADD(0, type);
  ADD(0, what);
  ADD(0, offset);
}
SERIALIZE_END

/// Runs the check that `message` describes. Returns a folded result.
CheckResult CheckFolded(const JobData& data, CheckMessage message) {
  message.options.fold_only = true;
  return Check(data.registry, *data.list, *data.store, message.options);
}

const JobKind kCheckPart("check", [](const JobInput& input) -> std::string {
  CheckMessage message;
  return Unpack(input.arguments, message) ? PackCheckResult(CheckFolded(input, message)) : "";
});

/// Finds the field of a golden that contains a damaged byte. Answers with its path, line and file.
const JobKind kFindHarmed("find harmed field", [](const JobInput& input) -> std::string {
  CheckMessage message;
  if (!Unpack(input.arguments, message)) return "";
  const History history(*input.list, *input.store);
  const RootType* const root = input.registry.Find(message.type);
  for (const Golden& golden : history.Goldens(message.type)) {
    if (root == nullptr || "golden " + golden.id != message.what) continue;
    const std::int64_t number = history.revisions()[golden.revision].number;
    const Decoded decoded = Decode(*root, golden, number, history.latest().number);
    const std::string path = LeafAt(decoded, message.offset);
    const SourcePlace place = FieldPlace(decoded.read.notes.Layouts(number), root->name, path);
    return fmt::format("{}\n{}\n{}", path, place.line, place.file);
  }
  return "";
});

constexpr char kMet[] = "met";

const JobKind kReplay("replay", [](const JobInput& input) -> std::string {
  CheckMessage message;
  if (!Unpack(input.arguments, message)) return "";
  Progress::Watch(message.type, message.what);
  (void)CheckFolded(input, message);
  return Progress::Met() ? kMet : "not met";
});

// Number of goldens of one type that may crash before the others are skipped.
constexpr std::size_t kMostCrashed = 3;
constexpr unsigned kHurried = 5;  // seconds that a child may be idle after the first hang
// Maximum number of children running in parallel, because each of them loads the history.
constexpr std::size_t kMostChildren = 4;

/// Splits a program's check into parts, which together report the same findings as a single
/// process.
class Parts {
 public:
  Parts(const JobData& data, const CheckOptions& options) : data_(data), options_(options) {}

  /// Runs all parts. Returns nullopt if no child process can be started.
  std::optional<CheckResult> Run() {
    for (auto& types : Split()) {
      parts_.push_back(std::make_unique<Part>());
      Part& part = *parts_.back();
      part.types = std::move(types);
      for (const RootType* root : part.types) part.names.insert(root->name);
      if (!Start(part.child, part.names, options_.store && parts_.size() == 1, {}))
        return std::nullopt;
    }
    for (const auto& part : parts_) {
      if (TakeAnswer(part->child, [&] { Look(part->child); })) continue;
      // The child crashed. If it was the first child, the checks of the whole store were lost as
      // well, so repeat them.
      const Crash crash = CrashOf(part->child);
      NoteHang(crash);
      if (part == parts_.front() && options_.store) RunAlone({}, true, {});
      for (const RootType* root : part->types) OneByOne(*root, crash);
    }
    SeeOrder();
    result_.types = data_.registry.types.size();
    Tell(verdicts_, result_);
    return std::move(result_);
  }

 private:
  struct Part {
    std::vector<const RootType*> types;
    std::set<std::string> names;
    ChildProcess child;
  };

  /// Splits the types into parts of similar cost without changing their order.
  std::vector<std::vector<const RootType*>> Split() {
    std::map<std::string_view, std::size_t> values, goldens;
    for (const golden::StoredRecord& stored : data_.store->records()) {
      for (const golden::Case& item : stored.record.cases) {
        values[item.type] += item.values.size();
        ++goldens[item.type];
      }
      for (const golden::LargeCase& large : stored.record.large) {
        values[large.item.type] += large.item.size / kBytesOfValue;
        ++goldens[large.item.type];
      }
    }
    std::vector<const RootType*> types;
    std::size_t whole = 0;
    for (const RootType& root : data_.registry.types) {
      if (options_.only && !options_.only->contains(root.name)) continue;
      types.push_back(&root);
      whole += values[root.name] + 1;
      goldens_ += goldens[root.name];
    }
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count =
        std::max<std::size_t>(1, std::min({cores, types.size(), kMostChildren}));
    std::vector<std::vector<const RootType*>> parts(count);
    std::size_t before = 0;
    for (const RootType* root : types) {
      parts[std::min(count - 1, before * count / whole)].push_back(root);
      before += values[root->name] + 1;
    }
    return parts;
  }

  bool Start(ChildProcess& child, const std::set<std::string>& types, bool store,
             const std::set<std::string>& left_out) const {
    CheckMessage message;
    message.options = options_;
    message.options.only = types;
    message.options.store = store;
    return child.Start({kCheckPart, data_, Pack(message), left_out}, limits_);
  }

  /// Shortens the limit for idling after a hang, because later hangs probably have the same cause.
  void NoteHang(const Crash& crash) {
    if (crash.ending == ChildProcess::kHangs && limits_.idle > kHurried) limits_.idle = kHurried;
  }

  void Look(const ChildProcess& child) const {
    if (!options_.watch) return;
    std::size_t done = 0;
    for (const auto& part : parts_) done += part->child.done();
    options_.watch(done, goldens_, child.last().substr(0, child.last().find('\n')));
  }

  /// Waits for the child and adds its findings to the result. Returns false if the child crashed.
  bool TakeAnswer(ChildProcess& child, const std::function<void()>& look = {}) {
    child.LowerLimits(limits_);
    const auto bytes = child.Finish(look);
    auto part = bytes ? UnpackCheckResult(*bytes) : std::nullopt;
    if (!part) return false;
    verdicts_.Join(std::move(part->folded));
    std::move(part->costs.begin(), part->costs.end(), std::back_inserter(result_.costs));
    for (Pending& pending : part->pending) AddPending(result_.pending, std::move(pending));
    std::move(part->uncovered.begin(), part->uncovered.end(),
              std::back_inserter(result_.uncovered));
    std::move(part->untested.begin(), part->untested.end(), std::back_inserter(result_.untested));
    result_.revisions = part->revisions;
    result_.goldens += part->goldens;
    return true;
  }

  std::optional<Crash> RunAlone(const std::set<std::string>& types, bool store,
                                const std::set<std::string>& left_out) {
    ChildProcess child;
    if (!Start(child, types, store, left_out))
      return Crash{.ending = "could not start a child process"};
    if (TakeAnswer(child)) return std::nullopt;
    Crash crash = CrashOf(child);
    NoteHang(crash);
    return crash;
  }

  /// Finds the field that contains the damaged byte. Uses a child process, because decoding the
  /// golden runs the body.
  void FindHarmed(const RootType& root, const std::string& what, Crash& crash) const {
    ChildProcess child;
    CheckMessage message;
    message.type = root.name;
    message.what = what;
    message.offset = crash.offset;
    if (!child.Start({kFindHarmed, data_, Pack(message)}, limits_)) return;
    const std::string text = child.Finish().value_or("");
    const auto first = text.find('\n'), second = text.find('\n', first + 1);
    if (second == std::string::npos) return;
    crash.field = text.substr(0, first);
    crash.place = {text.substr(second + 1), std::atoi(text.c_str() + first + 1)};
  }

  /// Checks one type alone, and continues after each crash. `first` is the crash of the part that
  /// contained the type. If this type hung there, the hanging step is not repeated.
  void OneByOne(const RootType& root, const Crash& first) {
    std::set<std::string> left_out;
    Crashes crashes;
    const bool known = first.ending == ChildProcess::kHangs &&
                       first.last.starts_with(root.name + "\n") && first.harm.empty();
    if (known) crashes.Add(first);
    bool gave_up = known, in_golden = known && IsGolden(first);
    while (!gave_up) {
      auto crash = RunAlone({root.name}, false, left_out);
      if (!crash) break;
      // Give up on the type if the same step crashes again although it was skipped. Also give up
      // after a hang, because the next golden would probably take as long.
      gave_up = !left_out.insert(crash->last).second;
      if (gave_up) break;
      if (!crash->harm.empty()) FindHarmed(root, crash->What(), *crash);
      in_golden = IsGolden(*crash);
      gave_up =
          crash->ending == ChildProcess::kHangs || left_out.size() > ChildProcess::kMostCrashes;
      crashes.Add(std::move(*crash));
      gave_up = gave_up || crashes.goldens() == kMostCrashed;
    }
    if (!crashes.empty()) crashed_.insert(root.name);
    // If the library's own archives hang on a sample, they would also hang while collecting
    // layouts.
    std::string skipped;
    if (gave_up) {
      const bool visits = IsOpaque(root.type()) || in_golden;
      skipped = visits && CheckLayoutsOf(root)
                    ? "; all other checks of this type are skipped, except the layout check"
                    : "; all other checks of this type are skipped";
    }
    crashes.Tell(root, options_, skipped, verdicts_);
  }

  /// Compares the layouts of a type whose readers or writers crash. Returns false if visits crash
  /// as well.
  bool CheckLayoutsOf(const RootType& root) {
    ChildProcess child;
    CheckMessage message;
    message.options = options_;
    message.options.only = std::set<std::string>{root.name};
    message.options.store = false;
    message.options.layouts_only = true;
    return child.Start({kCheckPart, data_, Pack(message)}, limits_) && TakeAnswer(child);
  }

  /// Checks whether samples depend on their order, for all types whose own checks did not end a
  /// process.
  void SeeOrder() {
    if (data_.list->entries.empty()) return;
    std::vector<const RootType*> types;
    for (const auto& part : parts_) {
      for (const RootType* root : part->types) {
        if (!crashed_.contains(root->name)) types.push_back(root);
      }
    }
    const revctl::ListEntry& latest = data_.list->entries.back();
    const std::string name(latest.name);
    for (const OrderCrash& ended :
         CheckSampleOrder(data_, types, latest.number, name, options_, verdicts_))
      AddOrderCrash(ended, name);
  }

  /// Adds a crash that occurs only after other samples, so that `check --replay` would not
  /// reproduce it.
  void AddOrderCrash(const OrderCrash& ended, const std::string& revision) {
    const Crash crash{.last = ended.step, .ending = ended.ending};
    const RootType* const root = data_.registry.Find(ended.step.substr(0, ended.step.find('\n')));
    if (root == nullptr) return;
    Finding finding{
        .rule = RuleId::Stability,
        .message = fmt::format(
            "{}: the {} terminates the process ({}) after other samples, but not on its own",
            root->name, crash.What(), crash.ending),
        .file = options_.Relative(root->entry.file),
        .line = root->entry.line,
        .revision = revision,
        .fix =
            "make every sample independent of the program's variables, or reset them before each "
            "sample and each read:\nHARNESS_RESET() { /* variable = its initial value; */ }",
        .type = root->name,
        .signal = "stability"};
    verdicts_.Add(std::move(finding), "crash in order");
  }

  const JobData data_;
  const CheckOptions& options_;
  TimeLimits limits_ = options_.limits;
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t goldens_ = 0;        ///< number of goldens to check, over all types
  std::set<std::string> crashed_;  ///< types for which a crash was reported
  Verdicts verdicts_;
  CheckResult result_;
};

}  // namespace

CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options) {
  if (!options.in_process) {
    if (auto result = Parts({registry, &list, &store}, options).Run()) return std::move(*result);
  }
  return Check(registry, list, store, options);
}

Replayed Replay(const Registry& registry, const revctl::ListTable& list, const golden::Store& store,
                const CheckOptions& options, const std::string& type, const std::string& what) {
  CheckMessage message;
  message.options = options;
  message.options.only = std::set<std::string>{type};
  message.options.store = false;
  message.type = type;
  message.what = what;
  std::set<std::string> left_out;
  while (left_out.size() <= ChildProcess::kMostCrashes) {
    ChildProcess child;
    const Job job{kReplay, {registry, &list, &store}, Pack(message), left_out};
    if (!child.Start(job, options.limits)) break;
    if (const auto answer = child.Finish())
      return *answer == kMet ? Replayed::Harmless : Replayed::Unknown;
    const Crash crash = CrashOf(child);
    if (crash.What() == what) break;
    if (!left_out.insert(crash.last).second || crash.ending == ChildProcess::kHangs)
      return Replayed::Unknown;
  }
  static char noted[Progress::kTextSize];
  Progress::Install(noted, std::move(left_out), 0);
  (void)Check(registry, list, store, message.options);
  return Replayed::Vanished;
}

}  // namespace revctl::harness
