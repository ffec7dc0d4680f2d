#include "harness/type_run.h"

#include <algorithm>

#include "harness/progress.h"

namespace harness {

bool SameSide(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& compared) {
  return std::all_of(compared.begin(), compared.end(),
                     [&](std::int64_t n) { return (a >= n) == (b >= n) && (a > n) == (b > n); });
}

void AddDefaults(const LayoutNotes& notes, std::int64_t number,
                 std::map<std::string, TypeTrace>& layouts) {
  const auto records = notes.Records();
  for (auto& [name, trace] : layouts) {
    const bool any =
        std::any_of(trace.removed.begin(), trace.removed.end(),
                    [](const revctl::LayoutField& field) { return field.form == "rem"; });
    const auto type = records.find(name);
    if (!any || type == records.end() || type->second->construct == nullptr) continue;
    const Object fresh(*type->second);
    const auto of_fresh = TraceDefaults(*type->second, fresh.get(), number);
    for (revctl::LayoutField& field : trace.removed) {
      for (const revctl::LayoutField& with_default : of_fresh) {
        if (with_default.name == field.name && with_default.line == field.line)
          field.fallback = with_default.fallback;
      }
    }
  }
}

std::string FirstDifference(const std::vector<golden::Leaf>& written,
                            const std::vector<golden::Leaf>& read) {
  for (std::size_t i = 0; i < std::max(written.size(), read.size()); ++i) {
    if (i >= read.size()) return "writing visits `" + written[i].path + "`, reading does not";
    if (i >= written.size()) return "reading visits `" + read[i].path + "`, writing does not";
    if (written[i].path != read[i].path) {
      return "writing visits `" + written[i].path + "` where reading visits `" + read[i].path + "`";
    }
    if (written[i].text != read[i].text) {
      return "`" + written[i].path + "` is written as " + written[i].text + " and read as " +
             read[i].text;
    }
  }
  return "";
}

namespace {

/// Where writing a sample and reading it again go different ways, in words.
std::string Difference(const revctl::TypeInfo& type, const Sample& sample, std::int64_t number) {
  const Object object = sample.make(number, nullptr), again(type);
  const Traced written = TraceWrite(type, object.get(), number);
  return FirstDifference(written.leaves, TraceRead(type, written.bytes, number, again.get()).leaves);
}

}  // namespace

TypeRun::TypeRun(const RootType& root, const History& history, std::uint64_t seed)
    : root_(root), samples_(MakeSamples(root, history.latest().number, seed)) {
  for (Sample& odd : MakeOddSamples(root, history.latest().number, seed)) samples_.push_back(std::move(odd));
}

const RevisionRun& TypeRun::At(std::int64_t number, const std::vector<const Golden*>& goldens) {
  if (has_last_ && goldens == last_goldens_ && SameSide(last_number_, number, last_.compared))
    return last_;
  last_ = Run(number, goldens);
  last_number_ = number;
  last_goldens_ = goldens;
  has_last_ = true;
  for (const auto& [type, trace] : last_.layouts) {
    auto& numbers = sides_[type];
    for (const std::int64_t n : trace.layout.compared) {
      Sides& seen = numbers[n];
      (number < n ? seen.below : seen.from_on) = true;
    }
  }
  NoteConditions();
  return last_;
}

void TypeRun::NoteConditions() {
  for (const auto& [type, trace] : last_.layouts) {
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (field.condition.empty()) continue;
      const std::string key = ConditionKey(type, field.name, field.condition);
      const auto found = last_.conditions.find(key);
      if (found == last_.conditions.end()) continue;
      const auto [at, fresh] = conditions_.try_emplace(key);
      SeenCondition& known = at->second;
      const bool newer = fresh || last_number_ > known.number;
      if (!fresh && field.condition.find("revision") != std::string::npos &&
          !SameSide(known.number, last_number_, last_.compared)) {
        if (!newer) continue;
        known.seen = {};
      }
      if (newer) {
        known.type = type;
        known.field = field;
        known.number = last_number_;
      }
      known.seen.when_true |= found->second.when_true;
      known.seen.when_false |= found->second.when_false;
    }
  }
}

RevisionRun TypeRun::Run(std::int64_t number, const std::vector<const Golden*>& goldens) const {
  const revctl::TypeInfo& type = root_.type();
  RevisionRun run;
  LayoutNotes notes;
  for (const Sample& sample : samples_) {
    if (!Progress::Enter(root_.name, "sample " + sample.name)) continue;
    const Object object = sample.make(number, &notes);
    const Traced written = TraceWrite(type, object.get(), number, Leaves::Untold);
    notes.Merge(written.notes);
    if (!written.ok) {
      // A body may refuse what a filler made up; what people wrote by hand must be writable.
      if (sample.by_hand || !written.refused) {
        run.troubles.push_back("the sample " + sample.name + " cannot be written: " + written.path +
                               ": " + written.reason);
      }
      continue;
    }
    const Object again(type);
    const Traced read = TraceRead(type, written.bytes, number, again.get(), Leaves::Untold);
    notes.Merge(read.notes);
    if (!read.ok) {
      if (sample.by_hand || !read.refused) {
        run.troubles.push_back("the sample " + sample.name +
                               " is written but not read back: " + read.path + ": " + read.reason);
      }
      continue;
    }
    const std::string difference = read.steps == written.steps ? "" : Difference(type, sample, number);
    if (!difference.empty()) {
      run.troubles.push_back(difference + " (sample " + sample.name + ")");
    } else if (!read.at_end) {
      run.troubles.push_back("reading stops before the end of what was written (sample " +
                             sample.name + ")");
    }
  }
  for (const Golden* golden : goldens) {
    if (!Progress::Enter(root_.name, "golden " + golden->id)) continue;
    const Object object(type);
    notes.Merge(NotesOfReading(type, golden->payload(), number, object.get()));
  }
  run.layouts = notes.Layouts(number);
  AddDefaults(notes, number, run.layouts);
  run.enums = notes.Enums();
  run.compared = notes.Compared();
  run.conditions = notes.Conditions();
  run.unvisited = notes.UnvisitedMembers();
  return run;
}

}  // namespace harness
