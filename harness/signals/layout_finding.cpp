#include "harness/signals/layout_finding.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "harness/layout/fields.h"
#include "harness/trace/source_place.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// Replaces each occurrence of the type name `rename.from` in `wire` with `rename.to`.
std::string Called(std::string wire, const TypeRename& rename) {
  std::string done;
  for (;;) {
    std::size_t at = wire.find(rename.from);
    if (at == std::string::npos) return done + wire;
    // Replace only whole names, as Mentions() finds only whole names.
    const std::size_t end = at + rename.from.size();
    const std::string before = at == 0 ? "" : wire.substr(at - 1, 1);
    const std::string around = before + rename.from + wire.substr(end, 1);
    done += wire.substr(0, at) + (Mentions(around, rename.from) ? rename.to : rename.from);
    wire.erase(0, end);
  }
}

class Search {
 public:
  Search(const History& history, const Renames& renames, std::size_t index,
         const RevisionRun& today)
      : history_(history), renames_(renames), index_(index), today_(today) {}

  TypeRenames Find(const std::string& then, const std::string& now) {
    TypeRenames found;
    std::string text = then;
    const std::vector<std::string> gone = GoneTypes(history_, index_, today_, then),
                                   fresh = Fresh(now);
    for (const std::string& from : gone) {
      // If there are several new names, choose the one whose type has the same layout.
      const auto alike = std::find_if(fresh.begin(), fresh.end(), [&](const std::string& to) {
        return Alike({from, to});
      });
      if (alike == fresh.end() && fresh.size() != 1) return {};
      const TypeRename rename{from, alike != fresh.end() ? *alike : fresh.front()};
      found.same_layout = found.same_layout && alike != fresh.end();
      text = Called(std::move(text), rename);
      found.names.push_back(rename);
    }
    return text == now ? found : TypeRenames();
  }

 private:
  std::vector<std::string> Fresh(const std::string& wire) const {
    std::vector<std::string> fresh;
    const auto look = [&](const std::string& name, bool recorded) {
      if (!recorded && Mentions(wire, name)) fresh.push_back(name);
    };
    for (const auto& [name, trace] : today_.layouts)
      look(name, history_.TypeRecordedAt(name, index_) != History::none());
    for (const auto& [name, layout] : today_.enums)
      look(name, history_.EnumRecordedAt(name, index_) != History::none());
    return fresh;
  }

  /// True if the current layout of `to` equals the recorded layout of `from`, apart from renamed
  /// types.
  bool Alike(const TypeRename& rename) {
    if (!asked_.emplace(rename.from, rename.to).second) return true;  // the type is recursive
    const auto layout = today_.layouts.find(rename.to);
    if (const golden::RecordedType* recorded = history_.TypeAt(rename.from, index_)) {
      if (layout == today_.layouts.end()) return false;
      const auto changes = CompareLayouts(
          *recorded, layout->second, history_.revisions()[index_].number, history_.oldest(),
          history_.TypeAt(rename.from, history_.newest_recorded()), renames_);
      return std::all_of(changes.begin(), changes.end(), [&](const LayoutChange& change) {
        if (change.recorded == nullptr || change.now == nullptr) return false;
        const TypeRenames inner = Find(change.recorded->type, change.now->type);
        return !inner.names.empty() && inner.same_layout;
      });
    }
    const revctl::EnumLayout* recorded = history_.EnumAt(rename.from, index_);
    const auto today = today_.enums.find(rename.to);
    return recorded != nullptr && today != today_.enums.end() &&
           !CompareEnums(*recorded, today->second).Breaks();
  }

  const History& history_;
  const Renames& renames_;
  const std::size_t index_;
  const RevisionRun& today_;
  std::set<std::pair<std::string, std::string>> asked_;
};

}  // namespace

TypeRenames RenamedTypes(const History& history, const Renames& renames, std::size_t index,
                         const RevisionRun& today, const std::string& then,
                         const std::string& now) {
  return Search(history, renames, index, today).Find(then, now);
}

std::vector<std::string> GoneTypes(const History& history, std::size_t index,
                                   const RevisionRun& today, const std::string& wire) {
  std::vector<std::string> gone;
  for (const std::string& name : history.RecordedTypes()) {
    if (!today.layouts.contains(name) && history.TypeAt(name, index) != nullptr &&
        Mentions(wire, name))
      gone.push_back(name);
  }
  for (const auto& [name, records] : history.enums()) {
    if (!today.enums.contains(name) && history.EnumAt(name, index) != nullptr &&
        Mentions(wire, name))
      gone.push_back(name);
  }
  return gone;
}

std::string NameOfLines(const TypeRename& rename) {
  return fmt::format(
      "template <>   // in the global namespace, right after {0}\nstruct revctl::NameOf<{0}> {{\n  "
      "static std::string Name() {{ return \"{1}\"; }}\n}};",
      rename.to, rename.from);
}

void TellOfTypeRename(const TypeRenames& renames, const std::string& field, Finding& finding) {
  std::string lines, were, are;
  for (const TypeRename& name : renames.names) {
    lines += NameOfLines(name) + "\n";
    were += (were.empty() ? "" : " and ") + name.from;
    are += (are.empty() ? "" : " and ") + name.to;
  }
  if (renames.same_layout) {
    finding.message = fmt::format("{}: {} {} renamed to {}, with the same layout", field, were,
                                  renames.names.size() == 1 ? "was" : "were", are);
    finding.fix = fmt::format("{}or restore the name: {}", lines, were);
  } else {
    finding.fix = fmt::format(
        "if {0} is the new name of {1}, declare the rename, so that other changes are listed field "
        "by field:\n{2}or restore the old type: {1}",
        are, were, lines);
  }
}

namespace {

using revctl::LayoutField;

/// Returns the current visit of a recorded field, or null. If the field's type changed, the current
/// code may visit two fields with this name.
const LayoutField* FindToday(const LayoutField& field, const TypeTrace& now,
                             const Renames& renames) {
  const LayoutField *same_gate = nullptr, *same_name = nullptr, *renamed = nullptr;
  for (const LayoutField* const today : now.AllFields()) {
    if (today->name.empty()) continue;
    const bool named = today->name == field.name;
    if (named && same_name == nullptr) same_name = today;
    if (named && same_gate == nullptr && LastComponent(today->since) == LastComponent(field.since))
      same_gate = today;
    if (!named && renamed == nullptr && renames.Same(now.layout.type, field.name, today->name))
      renamed = today;
  }
  return same_gate != nullptr ? same_gate : same_name != nullptr ? same_name : renamed;
}

}  // namespace

CurrentSpelling::CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                                 const Renames& renames, const Revision& oldest)
    : recorded_(recorded), now_(now), renames_(renames), oldest_(oldest), said_(recorded) {
  for (auto* fields : {&said_.layout.fields, &said_.removed}) {
    for (LayoutField& field : *fields) field = Say(std::move(field));
  }
}

LayoutField CurrentSpelling::Of(const LayoutField& field) const {
  for (std::size_t i = 0; i < recorded_.layout.fields.size(); ++i) {
    if (&recorded_.layout.fields[i] == &field) return said_.layout.fields[i];
  }
  for (std::size_t i = 0; i < recorded_.removed.size(); ++i) {
    if (&recorded_.removed[i] == &field) return said_.removed[i];
  }
  return Say(field);
}

LayoutField CurrentSpelling::Say(LayoutField field) const {
  const LayoutField* const today = field.name.empty() ? nullptr : FindToday(field, now_, renames_);
  // The current code still uses the recorded gate, which may be a constant that is not in the list.
  const std::string gate = LastComponent(field.since);
  const bool still_there = today != nullptr && LastComponent(today->since) == gate;
  if (!gate.empty() && field.since_number < oldest_.number && !still_there)
    field.since.replace(field.since.size() - gate.size(), gate.size(), oldest_.name);
  if (today == nullptr) return field;
  field.name = today->name;
  field.reference = field.type == today->type && today->reference;
  if (SameCondition(field.condition, today->condition, renames_))
    field.condition = today->condition;
  if (IsRem(*today) || today->form == "rem_member") {
    field.form = today->form == "rem_member" ? today->form
                 : field.condition.empty()   ? "rem"
                                             : "rem_conditional";
    if (field.until.empty()) field.until = today->until;
    field.spelled = today->spelled;
  }
  return field;
}

PlainList PlainListOf(const CheckContext& context, const std::string& type,
                      const TypeTrace& trace) {
  PlainList list;
  for (const LayoutField* const field : trace.AllFields()) {
    if (!field->name.empty())
      list.items.push_back(ReadPlainItem(*field, context.Whole(field->file)));
  }
  std::stable_sort(
      list.items.begin(), list.items.end(),
      [](const PlainItem& a, const PlainItem& b) { return a.field.line < b.field.line; });
  const golden::RecordedType* last = nullptr;
  for (std::size_t i = 0; i < context.history.revisions().size(); ++i) {
    const golden::RecordedType* const recorded = context.history.TypeAt(type, i);
    if (recorded != nullptr && recorded != last)
      list.recorded.push_back(
          CurrentSpelling(*recorded, trace, context.renames, context.history.revisions().front())
              .type());
    last = recorded;
  }
  return list;
}

bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index) {
  const auto& history = context.history;
  return std::any_of(today.layouts.begin(), today.layouts.end(), [&](const auto& held) {
    const auto& fields = holder.layout.fields;
    const golden::RecordedType* const recorded = history.TypeAt(held.first, index);
    return recorded != nullptr &&
           std::any_of(fields.begin(), fields.end(),
                       [&](const auto& field) { return Mentions(field.type, held.first); }) &&
           !CompareLayouts(*recorded, held.second, history.revisions()[index].number,
                           history.oldest(), history.TypeAt(held.first, history.newest_recorded()),
                           context.renames)
                .empty();
  });
}

Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at) {
  Finding finding{.rule = RuleId::Layout,
                  .message = advice.sentence,
                  .file = context.Relative(at.file),
                  .line = at.line,
                  .revision = revision,
                  .fix = advice.Lines(),
                  .type = type,
                  .field = change.field,
                  .signal = "layout",
                  .details = fmt::format("recorded: {}\nnow:      {}\ncause:    {}",
                                         change.recorded_text, change.now_text, advice.cause)};
  return finding;
}

std::string CauseKey(const LayoutChange& change) {
  return CauseText(change.cause) + "\n" + change.recorded_text + "\n" + change.now_text;
}

Acceptance AcceptanceOfRename(const std::string& type, const std::string& from,
                              const std::string& to) {
  return {{.type = type, .from = from, .to = to},
          "or, if only the name changed:",
          "--rename " + base::ShellWord(type + "." + from + "=" + to)};
}

Acceptance AcceptanceOfEnumerator(const EnumDiff::Added& added, const std::string& type) {
  return {{.kind = golden::Approval::Kind::Enumerator,
           .type = type,
           .to = added.name,
           .value = added.value},
          "or, if no released build has to read the new value:",
          "--enumerator " + base::ShellWord(type + "." + added.name)};
}

std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type) {
  using Kind = golden::Approval::Kind;
  const std::string path = type + "." + change.field;
  switch (change.cause) {
    case Cause::Renamed:
      return AcceptanceOfRename(type, change.field, change.other);
    case Cause::ConditionChanged:
      return Acceptance{{.kind = Kind::Condition,
                         .type = type,
                         .from = change.recorded->condition,
                         .to = change.now->condition,
                         .field = change.field},
                        "or, if both conditions have the same result:",
                        "--condition " + base::ShellWord(path)};
    default:
      return std::nullopt;
  }
}

bool Acceptance::IsGiven(const CheckContext& context) const {
  const Renames& renames = context.renames;
  if (approval.kind == golden::Approval::Kind::Rename)
    return renames.Approved(approval.type, approval.from, approval.to);
  const auto& given = context.store.approvals();
  return std::any_of(given.begin(), given.end(), [&](const golden::Approval& one) {
    if (one.kind != approval.kind || one.type != approval.type) return false;
    return approval.kind == golden::Approval::Kind::Enumerator
               ? one.to == approval.to && one.value == approval.value
               : renames.Same(one.type, one.field, approval.field) &&
                     SameCondition(one.from, approval.from, renames) &&
                     SameCondition(one.to, approval.to, renames);
  });
}

void AddWaysToAccept(CheckContext& context, const std::vector<Acceptance>& acceptances,
                     std::size_t index, Finding& finding) {
  constexpr std::size_t kMost = 3;
  std::string condition;  // printed once for all acceptances that share it
  for (std::size_t i = 0; i < std::min(acceptances.size(), kMost); ++i) {
    if (acceptances[i].condition != condition) finding.fix += "\n" + acceptances[i].condition;
    condition = acceptances[i].condition;
    finding.fix += fmt::format("\n{} approve {} --reason \"...\"", context.options.program,
                               acceptances[i].option);
  }
  if (acceptances.size() > kMost)
    finding.fix +=
        fmt::format("\n{} review   # {} more", context.options.program, acceptances.size() - kMost);
  finding.fix = context.OrRefresh(FixText(finding.fix), index);
  for (const Acceptance& acceptance : acceptances) context.Offer(acceptance.approval, finding);
}

}  // namespace revctl::harness
