#include "harness/samples/reaching.h"

#include <fmt/core.h>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <revctl/serialize.h>

#include "golden/payload_pack.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/samples/reaching_inventor.h"
#include "harness/samples/samples.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::TypeInfo;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kTriesPerRound = 64;
/// number of additional rounds, each with different enumerators and alternatives
constexpr std::size_t kTurns = 8;
constexpr std::size_t kMostEndings = 8;
constexpr unsigned char kGarbage = 0xA5;
// Short, because payloads that hang are simply dropped.
constexpr TimeLimits kShort{5, 5, 60};

/// True if the object survives saving at the latest revision and reading into dirty memory.
bool Survives(const RootType& root, const Bytes& payload, std::int64_t number, std::int64_t latest,
              const Object& read) {
  const TypeInfo& type = root.type();
  const Traced resaved = TraceWrite(type, read.get(), latest);
  if (!resaved.ok || !resaved.nameless.empty()) return false;
  DirtyHeap(kGarbage);
  const Object elsewhere(type, kGarbage), again(type);
  const auto product = root.Read(payload, number, elsewhere.get());
  Bytes bytes;
  if (!product.ok || !product.at_end || !root.Write(latest, elsewhere.get(), bytes).ok ||
      bytes != resaved.bytes)
    return false;
  const Traced back = TraceRead(type, resaved.bytes, latest, again.get());
  return back.ok && back.at_end && back.leaves == resaved.leaves &&
         root.Write(latest, again.get(), bytes).ok && bytes == resaved.bytes;
}

class Maker {
 public:
  Maker(const RootType& root, std::int64_t number, std::int64_t latest, std::uint64_t seed,
        const std::set<std::string>& covered, std::uint64_t most)
      : root_(root),
        number_(number),
        latest_(latest),
        seed_(seed * 1000),
        covered_(covered),
        most_(most) {}

  std::vector<Bytes> Run() {
    std::vector<Bytes> payloads;
    if (!FindBase()) return payloads;
    for (std::size_t turn = 1; turn <= kTurns; ++turn) (void)Brings(Plan(0, turn));
    MeasureBits();
    std::set<std::uint64_t> hashes;
    const auto keep = [&](std::optional<Bytes> payload) {
      if (payload && hashes.insert(golden::PayloadHash(*payload)).second)
        payloads.push_back(std::move(*payload));
    };
    for (std::size_t round = 0; round < Reaching::kRounds && !fields_.empty(); ++round)
      keep(Round(round));
    // Cover values that were too large together with other fields, or that depend on conditions.
    for (std::size_t round = 0; round < Reaching::kRounds; ++round) {
      for (const Sizes most : {Sizes{257, 65}, Sizes{65, 17}, Sizes{17, 2}}) {
        while (auto payload = Rest(Plan(round, 0, most))) keep(std::move(payload));
      }
      for (std::size_t turn = 1; turn <= kTurns; ++turn) keep(Rest(Plan(round, turn, {2, 2})));
    }
    return payloads;
  }

 private:
  enum class Outcome { Taken, TooLarge, Refused };

  std::string What(const ReachingPlan& plan) {
    return fmt::format("made-up values, round {}, try {}", plan.round + 1, ++all_tries_);
  }

  Outcome Try(const ReachingPlan& plan, Bytes* made) {
    if (++tries_ > kTriesPerRound || !Progress::Enter(root_.name, What(plan)))
      return Outcome::Refused;
    const TypeInfo& type = root_.type();
    const Object object(type);
    ReachingInventor inventor(type, number_, seed_, plan);
    ResetProgram();
    inventor.VisitRoot(type, object.get());
    NoteFields(inventor);
    std::optional<Bytes> payload;
    if (inventor.Ok() && !as_written_) payload = inventor.Payload();
    // A generated payload lacks marks that the body puts between values, so write the object
    // instead. It may be incomplete, because an invalid value ends the visit.
    if (as_written_ && (inventor.Ok() || inventor.RefusedByBody()))
      payload = TracedBytes(type, object.get(), number_);
    const Outcome outcome = payload ? OutcomeOf(std::move(*payload), made) : Outcome::Refused;
    if (outcome == Outcome::Taken) taken_ = inventor.fields();
    return outcome;
  }

  Outcome OutcomeOf(Bytes payload, Bytes* made) const {
    if (payload.size() > most_) return Outcome::TooLarge;
    const Object fresh(root_.type());
    const Traced read = TraceRead(root_.type(), payload, number_, fresh.get());
    if (!read.ok || !read.at_end || !read.nameless.empty()) return Outcome::Refused;
    if (read.leaves.size() > kMostLeaves || StoredCost(payload.size(), read.leaves) > most_)
      return Outcome::TooLarge;
    if (!Survives(root_, payload, number_, latest_, fresh)) return Outcome::Refused;
    if (made != nullptr) *made = std::move(payload);
    return Outcome::Taken;
  }

  void NoteFields(const ReachingInventor& inventor) {
    for (const std::string& field : inventor.fields()) {
      if (known_.insert(field).second) fields_.push_back(field);
    }
    for (const auto& [field, width] : inventor.bit_fields()) widths_.emplace(field, width);
  }

  /// Size limits for containers of single values (`singles`) and for all other containers
  /// (`records`).
  struct Sizes {
    std::size_t singles, records;
  };

  ReachingPlan Plan(std::size_t round, std::size_t turn = 0, Sizes most = {257, 65}) const {
    ReachingPlan plan;
    plan.round = round;
    plan.turn = turn;
    plan.most_singles = most.singles;
    plan.most_records = most.records;
    plan.covered = &covered_;
    plan.bits = bits_;
    return plan;
  }

  /// Finds small values that the body accepts, for fields outside a plan. Returns false if the body
  /// rejects all values that were tried.
  bool FindBase() {
    const std::uint64_t own = seed_;
    for (const bool written : {false, true}) {
      as_written_ = written;
      // A visit cannot generate the payload of an opaque type.
      if (!written && IsOpaque(root_.type())) continue;
      for (const std::uint64_t form : {2U, 0U, 3U}) {
        seed_ = own + form;
        if (Try(Plan(0), nullptr) == Outcome::Taken) return true;
      }
    }
    return false;
  }

  /// Determines the width of each bit-field by trying numbers. Only the field's macro knows the
  /// width, and rejects larger numbers.
  void MeasureBits() {
    for (const auto& [field, width] : widths_) {
      unsigned low = 0, high = width;
      while (low < high) {
        ReachingPlan plan = Plan(0);
        plan.fields = {field};
        const unsigned middle = plan.bits[field] = (low + high + 1) / 2;
        tries_ = 0;
        if (Try(plan, nullptr) == Outcome::Taken) low = middle;
        else high = middle - 1;
      }
      bits_[field] = low;
    }
  }

  /// Returns the fields that the body visits with a plan's values, and adds them to fields_.
  std::vector<std::string> Brings(const ReachingPlan& plan) {
    if (!Progress::Enter(root_.name, What(plan))) return {};
    const Object object(root_.type());
    ReachingInventor inventor(root_.type(), number_, seed_, plan);
    ResetProgram();
    inventor.VisitRoot(root_.type(), object.get());
    NoteFields(inventor);
    return inventor.fields();
  }

  /// Returns a payload in which all fields have this round's values, or as many of them as the body
  /// accepts together.
  std::optional<Bytes> Round(std::size_t round) {
    tries_ = 0;
    Bytes made;
    ReachingPlan plan = Plan(round);
    plan.all_fields = true;
    for (const std::size_t records : {257U, 65U}) {
      plan.most_records = records;
      const Outcome outcome = Try(plan, &made);
      if (outcome == Outcome::Taken) {
        had_[round].insert(taken_.begin(), taken_.end());
        return made;
      }
      if (outcome == Outcome::Refused) break;
    }
    return Some(Plan(round), fields_);
  }

  /// Returns a payload for fields that the plan's values reach and that no payload of this round
  /// covers yet, or nullopt if there are no such fields.
  std::optional<Bytes> Rest(const ReachingPlan& plan) {
    const std::set<std::string>& had = had_[plan.round];
    if (had.size() == fields_.size()) return std::nullopt;
    std::vector<std::string> missing = Brings(plan);
    std::erase_if(missing, [&](const std::string& field) { return had.contains(field); });
    if (missing.empty()) return std::nullopt;
    tries_ = 0;
    return Some(plan, missing);
  }

  std::optional<Bytes> Some(ReachingPlan plan, const std::vector<std::string>& fields) {
    Bytes made;
    Add(fields, plan, made);
    if (made.empty() || !NoteHad(plan)) return std::nullopt;
    return made;
  }

  /// Marks the plan's fields in the last accepted payload as covered. Returns true if some of them
  /// were not covered before.
  bool NoteHad(const ReachingPlan& plan) {
    bool any = false;
    for (const std::string& field : taken_)
      any = (plan.fields.contains(field) && had_[plan.round].insert(field).second) || any;
    return any;
  }

  /// Adds `fields` to the plan, or as many of them as the body accepts together.
  void Add(std::span<const std::string> fields, ReachingPlan& plan, Bytes& made) {
    ReachingPlan more = plan;
    more.fields.insert(fields.begin(), fields.end());
    const Outcome outcome = Try(more, &made);
    if (outcome == Outcome::Taken) {
      plan = std::move(more);
    } else if (outcome == Outcome::Refused && fields.size() == 1) {
      had_[plan.round].insert(fields.front());  // later turns must not try this field again
    } else if (fields.size() > 1) {
      const std::size_t half = fields.size() / 2;
      Add(fields.first(half), plan, made);
      Add(fields.subspan(half), plan, made);
    }
  }

  const RootType& root_;
  const std::int64_t number_, latest_;
  std::uint64_t seed_;
  const std::set<std::string>& covered_;
  const std::uint64_t most_;
  std::vector<std::string> fields_;
  std::set<std::string> known_;
  std::map<std::string, unsigned> widths_, bits_;
  std::vector<std::string> taken_;  ///< fields of the last accepted payload
  /// for each round: fields that a payload covers, or whose value the body rejects
  std::set<std::string> had_[Reaching::kRounds];
  std::size_t tries_ = 0, all_tries_ = 0;
  /// true if payloads are written from objects, because the body puts marks between values
  bool as_written_ = false;
};

/// The arguments of a child process that makes far-reaching payloads.
struct ReachingMessage {
  std::string type;
  std::int64_t number = 0, latest = 0;
  std::uint64_t seed = 0, most = 0;
  std::set<std::string> covered;
};
SERIALIZE_TYPE(ReachingMessage) {
  ADD(0, type);
  ADD(0, number);
  ADD(0, latest);
  ADD(0, seed);
  ADD(0, most);
  ADD(0, covered);
}
SERIALIZE_END

std::vector<Bytes> MakePayloads(const RootType& root, const ReachingMessage& m) {
  return Maker(root, m.number, m.latest, m.seed, m.covered, m.most).Run();
}

const JobKind kMakeReaching("make reaching values", [](const JobInput& input) -> std::string {
  ReachingMessage message;
  if (!Unpack(input.arguments, message)) return "";
  const RootType* const root = input.registry.Find(message.type);
  return root == nullptr ? "" : Pack(MakePayloads(*root, message));
});

}  // namespace

ReachingPayloads MakeReaching(const RootType& root, std::int64_t number, std::int64_t latest,
                              std::uint64_t seed, const std::set<std::string>& covered,
                              std::uint64_t most) {
  ReachingPayloads result;
  const ReachingMessage message{root.name, number, latest, seed, most, covered};
  Registry registry;
  registry.types.push_back(root);
  std::set<std::string> left_out;
  while (left_out.size() < kMostEndings) {
    ChildProcess child;
    if (!child.Start({kMakeReaching, {registry}, Pack(message), left_out}, kShort)) {
      result.payloads = MakePayloads(root, message);
      break;
    }
    if (const auto answer = child.Finish(); answer && Unpack(*answer, result.payloads)) break;
    result.endings.push_back(child.ending());
    if (!left_out.insert(child.last()).second) break;
  }
  return result;
}

}  // namespace revctl::harness
