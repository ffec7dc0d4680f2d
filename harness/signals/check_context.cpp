#include "harness/signals/check_context.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "harness/layout/fields.h"
#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

std::string CheckOptions::Whole(const std::string& file) const {
  namespace fs = std::filesystem;
  return fs::path(file).is_absolute() || build_root.empty() || file.empty()
             ? file
             : (fs::path(build_root) / file).lexically_normal().generic_string();
}

std::string CheckOptions::Relative(const std::string& file) const {
  const std::string whole = Whole(file);
  if (source_root.empty() || !whole.starts_with(source_root + "/")) return whole;
  return whole.substr(source_root.size() + 1);
}

std::string FixLayoutFirst() {
  return fmt::format("fix the layout first ({}); this finding follows from it",
                     findings::NameOf(RuleId::Layout));
}

namespace {

/// A place in a baseline, written as `Type.field: finding`. The field may be empty.
struct UncoveredPlace {
  explicit UncoveredPlace(const std::string& text) {
    const std::size_t colon = std::min(text.find(": "), text.size()),
                      dot = std::min(text.find('.'), colon);
    type = text.substr(0, dot);
    if (dot < colon) field = text.substr(dot + 1, colon - dot - 1);
    what = text.substr(colon);
  }
  std::string type, field, what;
};

const std::string kFollowsLayout = FixLayoutFirst();
const std::string kFollowsBytes =
    fmt::format("fix the bytes first ({}); this finding follows from them",
                findings::NameOf(RuleId::GoldenBytes));

/// A finding whose cause also explains other findings about the same type.
struct Explanation {
  const std::string* fix;  ///< fix for the explained findings; points to a static string
  std::string key;
};

/// Adds the finding. If there is an explanation, adds the finding as a consequence, or omits it if
/// the root type is in `displaced`. Returns the finding's key, or "" if it was omitted.
std::string AddOr(const std::optional<Explanation>& why, CheckContext& context,
                  const RootType& root, Finding finding, const std::string& cause,
                  std::vector<std::string> mentioned) {
  if (!why) return context.verdicts.Add(std::move(finding), cause, std::move(mentioned));
  if (context.displaced.contains(root.name)) return "";
  finding.fix = *why->fix;
  finding.follows = why->key;
  return context.verdicts.AddFollowing(std::move(finding), cause, std::move(mentioned));
}

}  // namespace

bool CheckContext::Accepted(const std::string& place) const {
  const UncoveredPlace now(place);
  const auto same = [&](const std::string& accepted) {
    const UncoveredPlace then(accepted);
    return accepted == place || (then.type == now.type && then.what == now.what &&
                                 renames.Same(now.type, then.field, now.field));
  };
  const auto& all = store.approvals();
  return std::any_of(all.begin(), all.end(), [&](const golden::Approval& approval) {
    return std::any_of(approval.places.begin(), approval.places.end(), same);
  });
}

void CheckContext::Offer(golden::Approval approval, const Finding& finding) {
  AddPending(acceptable,
             {std::move(approval), fmt::format("{}\n{}", finding.message, finding.details),
              FixText(finding.fix)});
}

std::string CheckContext::AddOrFollow(const RootType& root, Finding finding,
                                      const std::string& cause,
                                      std::vector<std::string> mentioned) {
  std::optional<Explanation> why;
  const std::pair<std::string, std::string> place{root.name, finding.revision};
  if (const auto layout = broken_layouts.find(place); layout != broken_layouts.end())
    why = Explanation{&kFollowsLayout, layout->second};
  else if (const auto bytes = shifted.find(place);
           bytes != shifted.end() && finding.rule != RuleId::GoldenBytes)
    why = Explanation{&kFollowsBytes, bytes->second};
  return AddOr(why, *this, root, std::move(finding), cause, std::move(mentioned));
}

bool CheckContext::Broken(const RootType& root) const {
  const auto first = broken_layouts.lower_bound({root.name, ""});
  return first != broken_layouts.end() && first->first.first == root.name;
}

bool CheckContext::FollowsLayout(const RootType& root, const Decoded& decoded,
                                 const std::vector<golden::Change>& changes) const {
  if (!Broken(root)) return false;
  if (misread.contains({root.name, history.revisions()[decoded.golden->revision].name}) ||
      broken_fields.contains({root.name, ""}))
    return true;
  return std::any_of(changes.begin(), changes.end(), [&](const golden::Change& change) {
    // Look up each component of a path such as `players[1].name#count`.
    std::string_view path = change.path;
    while (!path.empty()) {
      const std::string_view part = path.substr(0, path.find('.'));
      if (broken_fields.contains(
              {root.name, std::string(part.substr(0, part.find_first_of("[#")))}))
        return true;
      path.remove_prefix(std::min(path.size(), part.size() + 1));
    }
    return false;
  });
}

void CheckContext::AddOrFollowAny(const RootType& root, Finding finding, const std::string& cause,
                                  std::vector<std::string> mentioned) {
  std::optional<Explanation> why;
  if (Broken(root))
    why = Explanation{&kFollowsLayout, broken_layouts.lower_bound({root.name, ""})->second};
  else if (const auto bytes = shifted.find({root.name, finding.revision}); bytes != shifted.end())
    why = Explanation{&kFollowsBytes, bytes->second};
  AddOr(why, *this, root, std::move(finding), cause, std::move(mentioned));
}

namespace {

/// Returns the place of the current visit that is closest to where a removed field of a root type
/// was visited.
SourcePlace GonePlace(const History& history, const RootType& root, std::int64_t number,
                      const std::string& path, const std::map<std::string, TypeTrace>& layouts) {
  const auto now = layouts.find(root.name);
  const Revision* revision = history.Find(number);
  if (now == layouts.end() || revision == nullptr) return {};
  const auto* recorded = history.TypeAt(root.name, history.IndexOf(*revision));
  if (recorded == nullptr) return {};
  const auto& fields = recorded->layout.fields;
  const auto* field = FindField(fields, path.substr(0, path.find_first_of(".[#~")));
  return field == nullptr ? SourcePlace{} : NearestVisit(fields, field, now->second);
}

}  // namespace

void CheckContext::PointAt(const RootType& root, const LayoutNotes& notes, std::int64_t number,
                           Finding& finding) const {
  const auto layouts = notes.Layouts(number);
  SourcePlace field = FieldPlace(layouts, root.name, finding.field);
  if (field.line == 0) field = GonePlace(history, root, number, finding.field, layouts);
  finding.file = Relative(field.line != 0 ? field.file : root.entry.file);
  finding.line = field.line != 0 ? field.line : root.entry.line;
}

void CheckContext::PointAt(const SourcePlace& place, Finding& finding) const {
  if (place.line == 0) return;
  finding.file = Relative(place.file);
  finding.line = place.line;
}

Finding CheckContext::AboutRead(const RootType& root, const Decoded& decoded, RuleId rule,
                                const char* signal, const std::string& field) const {
  // The golden may have been read as a file of a later revision that inherits it.
  const Revision* read_at = history.Find(decoded.number);
  const Revision& revision =
      read_at != nullptr ? *read_at : history.revisions()[decoded.golden->revision];
  Finding finding{.rule = rule,
                  .revision = revision.name,
                  .type = root.name,
                  .field = field,
                  .signal = signal,
                  .details = "golden: " + decoded.golden->id};
  PointAt(root, decoded.read.notes, revision.number, finding);
  return finding;
}

Finding CheckContext::AboutSaved(const RootType& root, const Decoded& decoded, RuleId rule,
                                 const char* signal, const std::string& field) const {
  Finding finding = AboutRead(root, decoded, rule, signal, field);
  PointAt(root, decoded.resaved.notes, history.latest().number, finding);
  return finding;
}

const Landed& CheckContext::landed() const {
  if (!looked_up) looked_up.emplace(store.folder());
  return *looked_up;
}

std::string CheckContext::Refresh(std::size_t index) const {
  const std::size_t newest = history.newest_recorded();
  if (newest == History::none() || index > newest) return "";
  if (!landed().known() && index != newest) return "";
  std::string command = options.program + " record";
  for (std::size_t i = index; i <= newest; ++i) {
    const Revision& revision = history.revisions()[i];
    if (landed().Has(revision.name)) return "";
    if (revision.exists) command += " --refresh " + revision.name;
  }
  return history.revisions()[index].exists ? command : "";
}

std::string CheckContext::OrRefresh(std::string fix, std::size_t index) const {
  const std::string command = Refresh(index);
  if (command.empty()) return fix;
  return fmt::format("{}\nor, while {} is pending:\n{}", fix, history.revisions()[index].name,
                     command);
}

std::string CheckContext::FreeUpgradeName(const RootType& root) const {
  const std::string wanted =
      RevisionName(list_prefix, UpperSnake(RootName(root.type())), "UPGRADE");
  std::string name = wanted;
  for (int next = 2; history.Find(name) != nullptr; ++next)
    name = fmt::format("{}_{}", wanted, next);
  return name;
}

}  // namespace revctl::harness
