// Shards into one report, and what else is read from reports. They come from other machines:
// nothing in them is trusted.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/report/report.h"

namespace revctl::harness {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDeepest = 32;

golden::Error Wrong(const std::string& file, const std::string& message,
                    const std::string& fix = "") {
  return golden::FileError(file, 0, message, fix);
}

bool AreTexts(const Json& object, std::initializer_list<const char*> keys) {
  return object.is_object() && std::all_of(keys.begin(), keys.end(), [&](const char* key) {
           return object.value(key, Json()).is_string();
         });
}

bool AllAre(const Json& list, const auto& good) {
  return list.is_array() && std::all_of(list.begin(), list.end(), good);
}

bool IsText(const Json& json) { return json.is_string(); }

bool IsCount(const Json& json) { return json.is_number_unsigned(); }

bool IsOneOf(const Json& json, std::initializer_list<const char*> texts) {
  return std::find(texts.begin(), texts.end(), json) != texts.end();
}

bool IsFinding(const Json& finding) {
  // A severity that no one knows is not "no error".
  return AreTexts(finding, {"rule", "severity", "signal", "type", "field", "message", "details",
                            "fix", "file"}) &&
         IsOneOf(finding["severity"], {"error", "warning", "note"}) &&
         finding.value("line", Json()).is_number_integer() &&
         AllAre(finding.value("revisions", Json()), IsText);
}

bool IsRevision(const Json& revision) {
  return AreTexts(revision, {"name", "lineage"}) &&
         revision.value("number", Json()).is_number_integer() &&
         revision.value("recorded", Json()).is_boolean() &&
         AllAre(revision.value("changes", Json()),
                [](const Json& change) { return AllAre(change, IsText) && change.size() == 5; });
}

/// Places in the lists of revisions and fields are places that these have: the page follows them.
bool IsType(const Json& type, std::size_t revisions, std::size_t fields) {
  const auto below = [](const Json& place, std::size_t end) {
    return IsCount(place) && place.get<std::uint64_t>() < end;
  };
  return AreTexts(type, {"name", "kind"}) &&
         IsOneOf(type["kind"], {"root", "gone", "record", "enum"}) &&
         AllAre(type.value("layouts", Json()),
                [&](const Json& layout) {
                  return layout.is_array() && layout.size() == 2 && below(layout[0], revisions) &&
                         AllAre(layout[1], [&](const Json& field) { return below(field, fields); });
                }) &&
         AllAre(type.value("goldens", Json()),
                [&](const Json& golden) {
                  return AllAre(golden, IsCount) && golden.size() == 5 &&
                         below(golden[0], revisions);
                }) &&
         AllAre(type.value("costs", Json()), [&](const Json& cost) {
           return cost.is_array() && cost.size() == 2 &&
                  (cost[0] == -1 || below(cost[0], revisions)) && cost[1].is_number();
         });
}

bool IsReport(const Json& json) {
  if (!json.is_object() || json.value("version", Json()) != 1 ||
      json.value("report", Json()) != "sweep" || !AreTexts(json, {"list", "when"}))
    return false;
  const Json shard = json.value("shard", Json());
  const Json hostile = json.value("hostile", Json());
  if (!AllAre(shard, IsCount) || shard.size() != 2 || shard[0] < 1 || shard[0] > shard[1] ||
      shard[1] > 10000 || !AllAre(hostile, IsCount) || hostile.size() != 2 ||
      !IsCount(json.value("goldens", Json())) || !IsCount(json.value("fingerprint", Json())))
    return false;
  for (const char* list : {"covered", "findings", "revisions", "types", "fields"}) {
    if (!json.contains(list) || !json[list].is_array()) return false;
  }
  const std::size_t revisions = json["revisions"].size(), fields = json["fields"].size();
  return AllAre(json["covered"], IsText) && AllAre(json["fields"], IsText) &&
         AllAre(json["findings"], IsFinding) && AllAre(json["revisions"], IsRevision) &&
         AllAre(json["types"], [&](const Json& type) { return IsType(type, revisions, fields); });
}

golden::Result<Json> Parse(const std::string& file, const std::string& text) {
  // Parsing goes to any depth; what is then done with the tree takes stack for each level.
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    return !(too_deep = too_deep || depth > kDeepest);
  };
  Json json = Json::parse(text, look, /*allow_exceptions=*/false);
  const char* const again = "run that shard's sweep again, with its --report";
  if (too_deep)
    return Wrong(file, "is nested deeper than " + std::to_string(kDeepest) + " levels", again);
  if (json.is_discarded() || !IsReport(json))
    return Wrong(file, "is no report.json of a sweep", again);
  return json;
}

/// The same list, store and split: what both shards know must be equal.
const char* DifferentInputs(const Json& a, const Json& b) {
  if (a["list"] != b["list"] || a["revisions"] != b["revisions"]) return "its list or its records";
  if (a["fingerprint"] != b["fingerprint"] || a["fields"] != b["fields"]) return "its goldens";
  if (a["shard"][1] != b["shard"][1]) return "its number of shards";
  const auto known = [](const Json& report) {
    Json types = report["types"];
    for (Json& type : types) type.erase("costs");  // each shard's own
    return types;
  };
  return known(a) == known(b) ? nullptr : "its types";
}

void Merge(Json& into, const Json& from) {
  for (std::size_t i = 0; i < from["types"].size(); ++i) {
    for (const Json& cost : from["types"][i]["costs"]) into["types"][i]["costs"].push_back(cost);
  }
  for (const Json& finding : from["findings"]) {
    // What no type has to do with is found by every shard.
    const auto same = std::find(into["findings"].begin(), into["findings"].end(), finding);
    if (same == into["findings"].end()) into["findings"].push_back(finding);
  }
  for (const Json& type : from["covered"]) into["covered"].push_back(type);
  into["goldens"] = into["goldens"].get<std::uint64_t>() + from["goldens"].get<std::uint64_t>();
  for (std::size_t i : {std::size_t{0}, std::size_t{1}})
    into["hostile"][i] =
        into["hostile"][i].get<std::uint64_t>() + from["hostile"][i].get<std::uint64_t>();
}

/// Every root type in exactly one shard; else the shards were not given the same costs.
std::string Uncovered(const Json& report) {
  std::map<std::string, int> times;
  for (const Json& type : report["types"]) {
    if (type.value("kind", Json()) == "root") times[type["name"].get<std::string>()] = 0;
  }
  for (const Json& type : report["covered"]) {
    if (type.is_string()) ++times[type.get<std::string>()];
  }
  for (const auto& [name, count] : times) {
    if (count != 1) return name + " was looked at by " + std::to_string(count) + " shards";
  }
  return "";
}

}  // namespace

golden::Result<std::string> JoinReports(
    const std::vector<std::pair<std::string, std::string>>& shards) {
  std::map<std::size_t, std::pair<std::string, Json>> by_index;
  for (const auto& [file, text] : shards) {
    TRY(auto json, Parse(file, text));
    const auto index = json["shard"][0].get<std::size_t>();
    const auto twice = by_index.find(index);
    if (twice != by_index.end())
      return Wrong(file,
                   "is shard " + std::to_string(index) + ", as " + twice->second.first + " is",
                   "give each shard's report once");
    by_index.emplace(index, std::pair(file, std::move(json)));
  }
  if (by_index.empty()) return Wrong("", "no report.json was given");
  Json joined = by_index.begin()->second.second;
  const auto count = joined["shard"][1].get<std::size_t>();
  for (const auto& [index, shard] : by_index) {
    if (const char* difference = DifferentInputs(joined, shard.second)) {
      return Wrong(shard.first,
                   std::string("is of another sweep: ") + difference + " differ from " +
                       by_index.begin()->second.first,
                   "run every shard on the same commit");
    }
    if (index != by_index.begin()->first) Merge(joined, shard.second);
  }
  for (std::size_t i = 1; i <= count; ++i) {
    if (by_index.contains(i)) continue;
    const std::string missing = std::to_string(i) + "/" + std::to_string(count);
    return Wrong("", "shard " + missing + " is missing",
                 "sweep --shard " + missing + " --report DIR");
  }
  if (const std::string uncovered = Uncovered(joined); !uncovered.empty()) {
    return Wrong("", uncovered + ": the shards were split by different costs",
                 "give every shard the same --costs, or none");
  }
  std::stable_sort(joined["findings"].begin(), joined["findings"].end(),
                   [](const Json& a, const Json& b) {
                     return a["severity"].get<std::string>() <
                            b["severity"].get<std::string>();  // error, note, warning: errors first
                   });
  joined["shard"] = {1, 1};
  return joined.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

golden::Result<bool> HasErrors(const std::string& file, const std::string& text) {
  TRY(auto json, Parse(file, text));
  return std::any_of(json["findings"].begin(), json["findings"].end(),
                     [](const Json& finding) { return finding["severity"] == "error"; });
}

golden::Result<Costs> MeasuredCosts(const std::string& file, const std::string& text) {
  TRY(auto json, Parse(file, text));
  Costs costs;
  for (const Json& type : json["types"]) {
    double sum = 0;
    for (const Json& cost : type["costs"]) sum += cost[1].get<double>();
    if (!type["costs"].empty()) costs[type["name"].get<std::string>()] = std::max(sum, 0.0);
  }
  return costs;
}

}  // namespace revctl::harness
