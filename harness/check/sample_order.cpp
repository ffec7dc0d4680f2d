// GH005: reports samples that influence each other through global or static variables of the
// program.
#include "harness/check/sample_order.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <revctl/serialize.h>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/samples/sample_filler.h"
#include "harness/signals/decoded.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"
#include "revctl/base/first_few.h"

namespace revctl::harness {
namespace {

/// A sample that a child process makes, writes and reads.
struct Step {
  const RootType* root = nullptr;
  const SampleEntry* by_hand = nullptr;  ///< null for an automatic sample
  std::uint64_t seed = 0;                ///< only for an automatic sample

  /// Returns the name of the step. The other checks use the same names, so that a crash has the
  /// same name in every message.
  std::string What() const {
    return by_hand != nullptr ? std::string("sample ") + by_hand->name
                              : fmt::format("automatic sample with seed {}", seed);
  }
  /// Returns the name for messages.
  std::string Name() const {
    return by_hand != nullptr ? fmt::format("sample \"{}\"", by_hand->name) : What();
  }
  Object Make(std::int64_t number) const {
    if (by_hand == nullptr) return FillSample(root->type(), number, seed, nullptr);
    Object object(root->type());
    by_hand->make(object.get());
    return object;
  }
};

using Steps = std::vector<Step>;

/// Returns the steps in order. Automatic samples come first, because the program's own samples are
/// more likely to change the program's state.
Steps StepsOf(const std::vector<const RootType*>& types, std::uint64_t seed) {
  constexpr std::uint64_t kAutomaticSamples = 2;
  Steps steps;
  for (const RootType* root : types) {
    for (std::uint64_t i = 0; i < kAutomaticSamples; ++i)
      steps.push_back({root, nullptr, seed * 1000 + i});
  }
  for (const RootType* root : types) {
    for (const SampleEntry& sample : root->samples) steps.push_back({root, &sample, 0});
  }
  return steps;
}

constexpr std::uint8_t kHeapGarbage = 0xA5, kOtherHeapGarbage = 0x3C;
constexpr std::size_t kHashDigits = 16;

std::string HashText(const std::optional<std::vector<std::byte>>& bytes) {
  return bytes ? golden::HashText(golden::PayloadHash(*bytes))
               : std::string(kHashDigits, 'r');  // the sample was rejected
}

/// Makes, writes and reads a sample. Returns kHashDigits characters that identify the payload.
std::string Run(const Step& step, std::int64_t number) {
  if (!Progress::Enter(step.root->name, step.What())) return std::string(kHashDigits, 'x');
  DirtyHeap(kHeapGarbage);
  const Object object = step.Make(number);
  const auto bytes = TracedBytes(step.root->type(), object.get(), number);
  if (bytes) {
    const Object again(step.root->type());
    (void)step.root->Read(*bytes, number, again.get());
  }
  return HashText(bytes);
}

/// A sample as written by a child.
struct WrittenSample {
  std::string hash;
  bool steady = false;  ///< writing the sample again yielded the same bytes
  std::vector<golden::Leaf> leaves;
};

std::string PackSample(const WrittenSample& written) {
  std::string text = written.hash + (written.steady ? "=" : "!");
  for (const golden::Leaf& leaf : written.leaves) text += leaf.path + '\0' + leaf.text + '\0';
  return text;
}

std::optional<WrittenSample> UnpackSample(const std::string& text) {
  if (text.size() <= kHashDigits) return std::nullopt;
  WrittenSample written{text.substr(0, kHashDigits), text[kHashDigits] == '=', {}};
  std::vector<std::string> parts;
  for (std::size_t at = kHashDigits + 1, end = 0; (end = text.find('\0', at)) != std::string::npos;
       at = end + 1)
    parts.push_back(text.substr(at, end - at));
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
    written.leaves.push_back({parts[i], parts[i + 1]});
  return written;
}

using Order = std::vector<std::uint32_t>;  // indices into Steps

/// The arguments of a child process that runs samples in a given order.
struct OrderMessage {
  std::vector<std::string> types;
  std::uint64_t seed = 0;
  std::int64_t latest = 0;
  Order order;               ///< the steps to run
  std::uint32_t victim = 0;  ///< the step that kWriteSample writes afterwards
  std::uint8_t garbage = 0;  ///< fills the heap before that
};
SERIALIZE_TYPE(OrderMessage) {
  ADD(0, types);
  ADD(0, seed);
  ADD(0, latest);
  ADD(0, order);
  ADD(0, victim);
  ADD(0, garbage);
}
SERIALIZE_END

/// Reads the arguments of a job. Returns the steps to which the indices refer, or nothing if the
/// arguments are invalid.
Steps StepsOf(const JobInput& input, OrderMessage& message) {
  std::vector<const RootType*> types;
  if (!Unpack(input.arguments, message)) return {};
  for (const std::string& name : message.types) {
    types.push_back(input.registry.Find(name));
    if (types.back() == nullptr) return {};
  }
  return StepsOf(types, message.seed);
}

/// Runs the samples in the order of its arguments and returns their hashes.
const JobKind kRunSamples("run samples", [](const JobInput& input) {
  OrderMessage message;
  const Steps steps = StepsOf(input, message);
  std::string hashes;
  for (const std::uint32_t i : message.order) hashes += Run(steps.at(i), message.latest);
  return hashes;
});

/// Runs the other samples, then writes the victim and answers with its hash and values.
const JobKind kWriteSample("write sample", [](const JobInput& input) -> std::string {
  OrderMessage message;
  const Steps steps = StepsOf(input, message);
  for (const std::uint32_t i : message.order) (void)Run(steps.at(i), message.latest);
  const Step& victim = steps.at(message.victim);
  if (!Progress::Enter(victim.root->name, victim.What())) return "";
  const revctl::TypeInfo& type = victim.root->type();
  DirtyHeap(message.garbage);
  const Object object = victim.Make(message.latest);
  const auto bytes = TracedBytes(type, object.get(), message.latest);
  WrittenSample written{HashText(bytes), true, {}};
  written.steady = TracedBytes(type, object.get(), message.latest) == bytes;
  written.leaves = TraceWrite(type, object.get(), message.latest).leaves;
  return PackSample(written);
});

class SampleOrder {
 public:
  SampleOrder(const JobData& data, const std::vector<const RootType*>& types, std::int64_t latest,
              const CheckOptions& options)
      : data_(data), steps_(StepsOf(types, options.seed)), options_(options) {
    for (const RootType* root : types) message_.types.push_back(root->name);
    message_.seed = options.seed;
    message_.latest = latest;
    for (std::uint32_t i = 0; i < steps_.size(); ++i) forward_.push_back(i);
    backward_ = {forward_.rbegin(), forward_.rend()};
  }

  void Run(const std::string& revision, Verdicts& verdicts) {
    // Both children run at the same time. If one of them crashes, it is restarted without the step
    // that crashed.
    ChildProcess forward, backward;
    if (!Start(forward, forward_) || !Start(backward, backward_)) return;
    const std::string in_order = Finish(forward, forward_);
    std::string in_reverse = Finish(backward, backward_);
    const std::size_t size = steps_.size() * kHashDigits;
    if (in_order.size() != size || in_reverse.size() != size) return;
    std::vector<std::size_t> victims;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::string_view there = Hash(in_order, i),
                             back = Hash(in_reverse, steps_.size() - 1 - i);
      if (there != back && there[0] != 'x' && back[0] != 'x') victims.push_back(i);
    }
    while (!victims.empty() && victims_examined_ < kMostExamined)
      Examine(victims, in_order, in_reverse, revision, verdicts);
  }

  std::vector<OrderCrash> crashes;

 private:
  static constexpr std::size_t kMostExamined = 64;

  static std::string_view Hash(const std::string& hashes, std::size_t i) {
    return std::string_view(hashes).substr(i * kHashDigits, kHashDigits);
  }

  bool Start(ChildProcess& child, const Order& order) {
    message_.order = order;
    return child.Start({kRunSamples, data_, Pack(message_), left_out_}, options_.limits);
  }

  /// Returns the child's answer, or "" after too many crashes.
  std::string Finish(ChildProcess& child, const Order& order) {
    for (;;) {
      if (auto answer = child.Finish()) return *answer;
      const bool hangs = child.ending() == ChildProcess::kHangs;
      if (!left_out_.insert(child.last()).second) return "";
      crashes.push_back({child.last(), child.ending()});
      if (hangs || left_out_.size() > ChildProcess::kMostCrashes || !Start(child, order)) return "";
    }
  }

  /// Writes the step `victim` in a fresh child, after the steps of `before`.
  std::optional<WrittenSample> Write(std::span<const std::uint32_t> before, std::size_t victim,
                                     std::uint8_t garbage = kHeapGarbage) {
    ChildProcess child;
    message_.order.assign(before.begin(), before.end());
    message_.victim = static_cast<std::uint32_t>(victim);
    message_.garbage = garbage;
    const Job job{kWriteSample, data_, Pack(message_), left_out_};
    if (!child.Start(job, options_.limits)) return std::nullopt;
    const auto answer = child.Finish();
    return answer ? UnpackSample(*answer) : std::nullopt;
  }

  /// Finds the step that changes the first of `victims`, reports it, and removes all victims that
  /// it explains.
  void Examine(std::vector<std::size_t>& victims, const std::string& in_order,
               const std::string& in_reverse, const std::string& revision, Verdicts& verdicts) {
    ++victims_examined_;
    const std::size_t first = victims.front();
    victims.erase(victims.begin());
    const auto alone = Write({}, first), elsewhere = Write({}, first, kOtherHeapGarbage);
    // Other checks report objects that depend on memory contents, the clock or a counter.
    if (!alone || !elsewhere || !alone->steady || alone->hash != elsewhere->hash) return;
    const bool forward = Hash(in_order, first) != alone->hash;
    const std::span<const std::uint32_t> order = forward ? forward_ : backward_;
    const std::size_t place = forward ? first : steps_.size() - 1 - first;
    if (!forward && Hash(in_reverse, place) == alone->hash) return;
    // Nothing ran before this sample, so it differs by itself, for example because of addresses.
    if (place == 0) return;
    // After `fine` steps, the sample is the same as after none; after `changed` steps, it differs.
    std::size_t fine = 0, changed = place;
    auto after = Write(order.first(changed), first);
    if (!after || after->hash == alone->hash) return;
    while (changed - fine > 1) {
      const std::size_t middle = fine + (changed - fine) / 2;
      auto there = Write(order.first(middle), first);
      if (!there) return;
      if (there->hash == alone->hash) {
        fine = middle;
      } else {
        changed = middle;
        after = std::move(there);
      }
    }
    const std::span<const std::uint32_t> cause = order.subspan(changed - 1, 1);
    std::vector<std::string> others;
    std::erase_if(victims, [&](std::size_t other) {
      if (victims_examined_++ >= kMostExamined) return false;
      const auto own = Write({}, other), then = Write(cause, other);
      if (!own || !then || own->hash == then->hash) return false;
      others.push_back(steps_[other].Name() + " of " + steps_[other].root->name);
      return true;
    });
    Report(steps_[first], steps_[cause[0]], *alone, *after, others, revision, verdicts);
  }

  void Report(const Step& victim, const Step& cause, const WrittenSample& alone,
              const WrittenSample& after, const std::vector<std::string>& others,
              const std::string& revision, Verdicts& verdicts) const {
    const auto changes = golden::Compare(alone.leaves, after.leaves);
    const bool same_type = victim.root == cause.root;
    const bool by_hand = cause.by_hand != nullptr;
    Finding finding{
        .rule = RuleId::Stability,
        .file = options_.Relative(by_hand ? cause.by_hand->file : cause.root->entry.file),
        .line = by_hand ? cause.by_hand->line : cause.root->entry.line,
        .revision = revision,
        .type = victim.root->name,
        .field = changes.empty() ? "" : changes[0].path,
        .signal = "stability"};
    finding.message = fmt::format(
        "{} of {} is written differently after {}{}: the {} changes a global variable that is not "
        "reset",
        victim.Name(), victim.root->name, cause.Name(), same_type ? "" : " of " + cause.root->name,
        by_hand ? "latter" : "body, or a function that it calls,");
    for (std::size_t i = 0; i < std::min(changes.size(), base::kFirstFew); ++i)
      finding.details += fmt::format(
          "{}{}: {} if written on its own, {} if written after the other sample",
          i == 0 ? "" : "\n", changes[i].path, Side(changes[i].before), Side(changes[i].after));
    if (!others.empty())
      finding.details += fmt::format("{}also affected: {}", finding.details.empty() ? "" : "\n",
                                     base::FirstFew(others));
    finding.fix =
        "make the variable a member of the object and use the member in the body, or reset the "
        "variable before each sample and each read:\nHARNESS_RESET() { /* variable = its initial "
        "value; */ }";
    verdicts.Add(std::move(finding), "after " + cause.root->name + " " + cause.What());
  }

  const JobData data_;
  const Steps steps_;
  Order forward_, backward_;
  OrderMessage message_;
  const CheckOptions& options_;
  std::set<std::string> left_out_;
  std::size_t victims_examined_ = 0;
};

}  // namespace

std::vector<OrderCrash> CheckSampleOrder(const JobData& data,
                                         const std::vector<const RootType*>& types,
                                         std::int64_t latest, const std::string& latest_name,
                                         const CheckOptions& options, Verdicts& verdicts) {
  if (types.empty()) return {};
  SampleOrder order(data, types, latest, options);
  order.Run(latest_name, verdicts);
  return std::move(order.crashes);
}

}  // namespace revctl::harness
