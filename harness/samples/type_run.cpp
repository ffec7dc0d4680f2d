#include "harness/samples/type_run.h"

#include <fmt/core.h>
#include <algorithm>

#include "harness/layout/fields.h"
#include "harness/samples/sample_filler.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/declarations.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

bool SameSide(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& compared) {
  return std::all_of(compared.begin(), compared.end(),
                     [&](std::int64_t n) { return (a >= n) == (b >= n); });
}

void AddDefaults(const LayoutNotes& notes, std::int64_t number,
                 std::map<std::string, TypeTrace>& layouts) {
  const auto records = notes.Records();
  for (auto& [name, trace] : layouts) {
    const bool any = std::any_of(trace.removed.begin(), trace.removed.end(),
                                 [](const revctl::LayoutField& field) { return IsRem(field); });
    const auto type = records.find(name);
    if (!any || type == records.end() || !CanMake(*type->second)) continue;
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

namespace {

struct Difference {
  std::string text, path;
};

bool Visits(const std::vector<golden::Leaf>& leaves, const std::string& path) {
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const golden::Leaf& leaf) { return leaf.path == path; });
}

/// Returns the first difference between two visits. If reading failed, compares only the leaves
/// before the error.
Difference FirstDifference(const Traced& written, const Traced& read) {
  const std::size_t both = std::min(written.leaves.size(), read.leaves.size());
  for (std::size_t i = 0; i < both; ++i) {
    const golden::Leaf &wrote = written.leaves[i], &got = read.leaves[i];
    if (wrote.path != got.path) {
      // A leaf visited only while reading is an extra leaf, unless it takes the place of a written
      // leaf.
      const bool extra =
          !Visits(written.leaves, got.path) && (!read.ok || Visits(read.leaves, wrote.path));
      return {fmt::format("writing visits `{}`, but reading visits `{}`", wrote.path, got.path),
              extra ? got.path : wrote.path};
    }
    if (wrote.text != got.text)
      return {
          fmt::format("`{}` is written as {}, but read as {}", wrote.path, wrote.text, got.text),
          wrote.path};
  }
  if (!read.ok) return {};
  if (both < written.leaves.size()) {
    const std::string& path = written.leaves[both].path;
    return {fmt::format("writing visits `{}`, but reading does not", path), path};
  }
  if (both < read.leaves.size()) {
    const std::string& path = read.leaves[both].path;
    return {fmt::format("reading visits `{}`, but writing does not", path), path};
  }
  return {};
}

/// Returns the first difference between writing a sample and reading it back.
Difference DifferenceOf(const revctl::TypeInfo& type, const Sample& sample, std::int64_t number) {
  const Object object = sample.make(number, nullptr), again(type);
  const Traced written = TraceWrite(type, object.get(), number);
  return FirstDifference(written, TraceRead(type, written.bytes, number, again.get()));
}

}  // namespace

TypeRun::TypeRun(const RootType& root, const History& history, std::uint64_t seed, Runs runs)
    : root_(root), runs_(runs) {
  if (runs_ == Runs::Visits) {
    for (std::uint64_t i = 0; i < kSampleSeeds; ++i) {
      samples_.push_back({"", false, [&root, seed, i](std::int64_t number, LayoutNotes* notes) {
                            return FillSample(root.type(), number, seed * 1000 + i, notes);
                          }});
    }
    return;
  }
  samples_ = MakeSamples(root, history.latest().number, seed);
  for (Sample& odd : MakeExtremeSamples(root, history.latest().number, seed))
    samples_.push_back(std::move(odd));
}

const RevisionRun& TypeRun::At(std::int64_t number, const std::vector<const Golden*>& goldens) {
  // For an Opaque type, visits reveal neither which revisions the program's own streams distinguish
  // nor which ones they can write, so the previous run is reused only for the same revision.
  const bool alike = IsOpaque(root_.type()) ? last_number_ == number
                                            : SameSide(last_number_, number, last_.compared);
  if (has_last_ && goldens == last_goldens_ && alike) return last_;
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
    for (const std::int64_t n : trace.asked) numbers[n].asked = true;
  }
  NoteConditions();
  NoteEnums();
  return last_;
}

void TypeRun::NoteEnums() {
  const auto visit = [&](const std::string& name) -> SourcePlace {
    for (const auto& [type, trace] : last_.layouts) {
      for (const auto* fields : {&trace.layout.fields, &trace.removed, &trace.closed}) {
        for (const revctl::LayoutField& field : *fields) {
          if (!field.file.empty() && Mentions(field.type, name)) return {field.file, field.line};
        }
      }
    }
    return {};
  };
  for (const auto& [name, layout] : last_.enums) {
    if (!enums_.contains(name)) enums_.emplace(name, SeenEnum{layout, visit(name)});
  }
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
    if (runs_ == Runs::Visits) {
      const Object object = sample.make(number, &notes);
      notes.Merge(TraceValues(type, object.get(), number).notes);
      continue;
    }
    if (!Progress::Enter(root_.name, "sample " + sample.name)) continue;
    const Object object = sample.make(number, &notes);
    const Traced written = TraceWrite(type, object.get(), number, Leaves::Untold);
    notes.Merge(written.notes);
    const auto trouble = [&](std::string text, const std::string& field) {
      run.troubles.push_back(
          {std::move(text), field, FieldPlace(notes.Layouts(number), root_.name, field)});
    };
    if (!written.ok) {
      // A body may reject generated values, but it must be able to write a hand-written sample.
      if (sample.by_hand || !written.refused) {
        trouble(fmt::format("the sample {} cannot be written: {}: {}", sample.name,
                            FromRoot(root_.name, written.path), written.reason),
                written.path);
      }
      continue;
    }
    const Object again(type);
    const Traced read = TraceRead(type, written.bytes, number, again.get(), Leaves::Untold);
    notes.Merge(read.notes);
    if (!read.ok) {
      if (!sample.by_hand && read.refused) continue;
      // Look for an earlier difference, because reading usually fails long after a misread field.
      const Difference before = DifferenceOf(type, sample, number);
      trouble(fmt::format("the sample {} cannot be read back: {}: {}{}", sample.name,
                          FromRoot(root_.name, read.path), read.reason,
                          before.text.empty() ? "" : "; before that, " + before.text),
              before.path.empty() ? read.path : before.path);
      continue;
    }
    Difference difference =
        read.steps == written.steps ? Difference() : DifferenceOf(type, sample, number);
    // The program may keep only part of a generated value, for example in a ring buffer. That is
    // harmless if saving the object produces the same bytes again.
    if (!difference.text.empty() && IsOpaque(type) && !sample.by_hand &&
        TracedBytes(type, again.get(), number) == written.bytes)
      difference = {};
    if (!difference.text.empty()) {
      trouble(fmt::format("{} (sample {})", difference.text, sample.name), difference.path);
    } else if (!read.at_end) {
      const Object told(type);
      const Traced all = TraceRead(type, written.bytes, number, told.get());
      trouble(
          fmt::format("reading stops before the end of the written bytes (sample {})", sample.name),
          all.leaves.empty() ? "" : all.leaves.back().path);
    }
  }
  for (const Golden* golden : goldens) {
    if (runs_ == Runs::Visits) break;
    if (!Progress::Enter(root_.name, "golden " + golden->id)) continue;
    const Object object(type);
    notes.Merge(NotesOfReading(type, golden->payload(), number, object.get()));
  }
  run.layouts = notes.Layouts(number);
  AddDefaults(notes, number, run.layouts);
  for (auto& [name, trace] : run.layouts) AddMembers(trace);
  run.enums = notes.Enums();
  run.compared = notes.Compared();
  run.conditions = notes.Conditions();
  run.unvisited = notes.UnvisitedMembers();
  run.records = notes.Records();
  return run;
}

}  // namespace revctl::harness
