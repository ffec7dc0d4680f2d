#include "harness/report/shards.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>

#include <revctl/detail/base/parse_number.h>

#include "harness/report/report.h"
#include "revctl/base/json.h"

namespace revctl::harness {

std::optional<Shard> ParseShard(std::string_view text) {
  const auto slash = text.find('/');
  Shard shard;
  if (slash == std::string_view::npos ||
      !revctl::detail::ParseNumber(text.substr(0, slash), shard.index) ||
      !revctl::detail::ParseNumber(text.substr(slash + 1), shard.count) || shard.index == 0 ||
      shard.index > shard.count || shard.count > 10000)
    return std::nullopt;
  return shard;
}

Costs EstimateCosts(const Registry& registry, const History& history) {
  Costs costs;
  for (const RootType& root : registry.types) {
    double cost = static_cast<double>(history.revisions().size());
    for (const Golden& golden : history.Goldens(root.name)) {
      cost += static_cast<double>(golden.item->values.size());
    }
    costs[root.name] = cost;
  }
  return costs;
}

std::set<std::string> TypesOf(const Shard& shard, const std::vector<std::string>& types,
                              const Costs& costs) {
  double known = 0, sum = 0;
  for (const std::string& type : types) {
    const auto cost = costs.find(type);
    if (cost == costs.end()) continue;
    known += 1;
    sum += cost->second;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const std::string& type : types) {
    const auto cost = costs.find(type);
    order.emplace_back(cost != costs.end() ? cost->second : known > 0 ? sum / known : 1.0, type);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<double> loads(shard.count, 0.0);
  std::set<std::string> mine;
  for (const auto& [cost, type] : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += cost;
    if (least - loads.begin() == static_cast<std::ptrdiff_t>(shard.index - 1)) mine.insert(type);
  }
  return mine;
}

// Merges and reads reports. Reports come from other machines, so nothing in them is trusted.

namespace {

using base::Json;
constexpr std::size_t kDeepest = 32;

golden::Error Wrong(const std::string& file, const std::string& message,
                    const std::string& fix = "") {
  return golden::FileError(file, 0, message, fix);
}

bool AreTexts(const Json& object, std::initializer_list<const char*> keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const char* key) { return object[key].IsText(); });
}

bool AllAre(const Json& list, const auto& good) {
  return list.IsList() && std::all_of(list.items().begin(), list.items().end(), good);
}

bool IsText(const Json& json) { return json.IsText(); }

bool IsCount(const Json& json) { return json.IsCount(); }

std::uint64_t CountAt(const Json& list, std::size_t place) { return *list.items()[place].count(); }

/// True if `list` is a list of `size` elements that all satisfy `good`.
bool AllAre(const Json& list, std::size_t size, const auto& good) {
  return AllAre(list, good) && list.items().size() == size;
}

bool IsOneOf(const Json& json, std::initializer_list<const char*> texts) {
  return json.IsText() && std::find(texts.begin(), texts.end(), *json.text()) != texts.end();
}

bool IsFinding(const Json& finding) {
  // Reject unknown severities, which would otherwise not count as errors.
  return AreTexts(finding, {"rule", "severity", "signal", "type", "field", "message", "details",
                            "fix", "file"}) &&
         IsOneOf(finding["severity"], {"error", "warning", "note"}) && finding["line"].IsWhole() &&
         AllAre(finding["revisions"], IsText);
}

bool IsRevision(const Json& revision) {
  return AreTexts(revision, {"name", "lineage"}) && revision["number"].IsWhole() &&
         revision["recorded"].IsFlag() && revision["imported"].IsFlag() &&
         AllAre(revision["changes"], [](const Json& change) { return AllAre(change, 5, IsText); });
}

/// True if the type is valid. Indices of revisions and fields must be in range, because the page
/// uses them.
bool IsType(const Json& type, std::size_t revisions, std::size_t fields) {
  const auto below = [](const Json& place, std::size_t end) {
    return place.IsCount() && *place.count() < end;
  };
  const auto is_field = [&](const Json& field) { return below(field, fields); };
  const auto is_layout = [&](const Json& layout) {
    return layout.items().size() == 2 && below(layout.items()[0], revisions) &&
           AllAre(layout.items()[1], is_field);
  };
  const auto is_golden = [&](const Json& golden) {
    return AllAre(golden, 5, IsCount) && below(golden.items()[0], revisions);
  };
  const auto is_cost = [&](const Json& cost) {
    const auto& items = cost.items();
    return items.size() == 2 && (items[0] == -1 || below(items[0], revisions)) &&
           items[1].IsNumber();
  };
  return AreTexts(type, {"name", "kind"}) &&
         IsOneOf(type["kind"], {"root", "gone", "record", "enum"}) &&
         AllAre(type["layouts"], is_layout) && AllAre(type["goldens"], is_golden) &&
         AllAre(type["costs"], is_cost);
}

bool IsReport(const Json& json) {
  if (json["version"] != 1 || json["report"] != "sweep" || !AreTexts(json, {"list", "when"}) ||
      !AllAre(json["shard"], 2, IsCount) || !AllAre(json["hostile"], 2, IsCount) ||
      !json["goldens"].IsCount() || !json["fingerprint"].IsCount())
    return false;
  const std::uint64_t index = CountAt(json["shard"], 0), count = CountAt(json["shard"], 1);
  if (index < 1 || index > count || count > 10000) return false;
  const std::size_t revisions = json["revisions"].items().size(),
                    fields = json["fields"].items().size();
  return AllAre(json["covered"], IsText) && AllAre(json["fields"], IsText) &&
         AllAre(json["findings"], IsFinding) && AllAre(json["revisions"], IsRevision) &&
         AllAre(json["types"], [&](const Json& type) { return IsType(type, revisions, fields); });
}

golden::Result<Json> Parse(const std::string& file, const std::string& text) {
  const char* const again = "run that shard's sweep again with --report";
  auto json = base::ParseJson(text, kDeepest);
  if (!json.has_value())
    return Wrong(
        file, fmt::format("is not valid JSON, or nests values more than {} levels deep", kDeepest),
        again);
  if (!IsReport(*json)) return Wrong(file, "is not the report.json of a sweep", again);
  return *std::move(json);
}

/// Returns text that names the shared data (list, store or split) in which two reports differ, or
/// null if there is no difference.
const char* DifferentInputs(const Json& a, const Json& b) {
  if (a["list"] != b["list"] || a["revisions"] != b["revisions"])
    return "its list or records differ";
  if (a["fingerprint"] != b["fingerprint"] || a["fields"] != b["fields"])
    return "its goldens differ";
  if (CountAt(a["shard"], 1) != CountAt(b["shard"], 1)) return "its number of shards differs";
  // Costs may differ between shards.
  const auto same = [](const Json& one, const Json& other) {
    return one["name"] == other["name"] && one["kind"] == other["kind"] &&
           one["layouts"] == other["layouts"] && one["goldens"] == other["goldens"];
  };
  const Json::List &ours = a["types"].items(), &theirs = b["types"].items();
  return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same)
             ? nullptr
             : "its types differ";
}

void Append(Json& into, const Json& from) {
  into.items().insert(into.items().end(), from.items().begin(), from.items().end());
}

void Merge(Json& into, const Json& from) {
  Json::List& types = into.At("types").items();
  for (std::size_t i = 0; i < types.size(); ++i)
    Append(types[i].At("costs"), from["types"].items()[i]["costs"]);
  Json::List& findings = into.At("findings").items();
  for (const Json& finding : from["findings"].items()) {
    // Every shard reports the findings that do not belong to a type, so add each of these only
    // once.
    if (std::find(findings.begin(), findings.end(), finding) == findings.end())
      findings.push_back(finding);
  }
  Append(into.At("covered"), from["covered"]);
  into.At("goldens") = *into["goldens"].count() + *from["goldens"].count();
  const Json &ours = into["hostile"], &theirs = from["hostile"];
  into.At("hostile") =
      Json::List{CountAt(ours, 0) + CountAt(theirs, 0), CountAt(ours, 1) + CountAt(theirs, 1)};
}

/// Returns an error if a root type is in no shard or in several shards, which means that the shards
/// were split by different costs. Returns "" otherwise.
std::string Uncovered(const Json& report) {
  std::map<std::string, int> times;
  for (const Json& type : report["types"].items()) {
    if (type["kind"] == "root") times[*type["name"].text()] = 0;
  }
  for (const Json& type : report["covered"].items()) ++times[*type.text()];
  for (const auto& [name, count] : times) {
    if (count != 1) return fmt::format("{} was checked by {} shards", name, count);
  }
  return "";
}

}  // namespace

golden::Result<std::string> JoinReports(
    const std::vector<std::pair<std::string, std::string>>& shards) {
  std::map<std::uint64_t, std::pair<std::string, Json>> by_index;
  for (const auto& [file, text] : shards) {
    TRY(auto json, Parse(file, text));
    const auto index = CountAt(json["shard"], 0);
    const auto twice = by_index.find(index);
    if (twice != by_index.end())
      return Wrong(file,
                   fmt::format("has the same shard number, {}, as {}", index, twice->second.first),
                   "pass the report of each shard only once");
    by_index.emplace(index, std::pair(file, std::move(json)));
  }
  if (by_index.empty()) return Wrong("", "no report.json was given");
  Json joined = by_index.begin()->second.second;
  const auto count = CountAt(joined["shard"], 1);
  for (const auto& [index, shard] : by_index) {
    if (const char* difference = DifferentInputs(joined, shard.second)) {
      return Wrong(shard.first,
                   fmt::format("belongs to another sweep: {} from {}", difference,
                               by_index.begin()->second.first),
                   "run every shard on the same commit");
    }
    if (index != by_index.begin()->first) Merge(joined, shard.second);
  }
  for (std::uint64_t i = 1; i <= count; ++i) {
    if (by_index.contains(i)) continue;
    return Wrong("", fmt::format("shard {}/{} is missing", i, count),
                 fmt::format("sweep --shard {}/{} --report DIR", i, count));
  }
  if (const std::string uncovered = Uncovered(joined); !uncovered.empty()) {
    return Wrong("", uncovered + ": the shards were split using different --costs",
                 "pass the same --costs to every shard, or to none");
  }
  Json::List& findings = joined.At("findings").items();
  std::stable_sort(findings.begin(), findings.end(), [](const Json& a, const Json& b) {
    return *a["severity"].text() < *b["severity"].text();  // alphabetical order puts errors first
  });
  joined.At("shard") = Json::List{1, 1};
  return base::JsonText(joined) + "\n";
}

golden::Result<bool> HasErrors(const std::string& file, const std::string& text) {
  TRY(auto json, Parse(file, text));
  const Json::List& findings = json["findings"].items();
  return std::any_of(findings.begin(), findings.end(),
                     [](const Json& finding) { return finding["severity"] == "error"; });
}

golden::Result<Costs> MeasuredCosts(const std::string& file, const std::string& text) {
  TRY(auto json, Parse(file, text));
  Costs costs;
  for (const Json& type : json["types"].items()) {
    double sum = 0;
    for (const Json& cost : type["costs"].items()) sum += cost.items()[1].number();
    if (!type["costs"].items().empty()) costs[*type["name"].text()] = std::max(sum, 0.0);
  }
  return costs;
}

}  // namespace revctl::harness
