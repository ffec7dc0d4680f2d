#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "revctl/base/ascii.h"
#include "revctl/base/hex.h"
#include "revctl/findings/json_text.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_texts.h"

namespace revctl::findings {

std::string JsonString(std::string_view text) {
  return JsonSafe(nlohmann::json(std::string(text))
                      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

JsonObject& JsonObject::Raw(std::string_view key, std::string_view json) {
  if (!body_.empty()) body_ += ",";
  body_ += JsonString(key) + ":" + std::string(json);
  return *this;
}

std::string JsonArray(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
  return out + "]";
}

namespace detail {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 (a name from a person's branch) become U+FFFD: the output must stay
/// JSON.
std::string Dump(const Json& json) {
  return JsonSafe(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

/// Same finding, same print, wherever its line has moved to; GitLab tells old findings from new
/// ones by it.
std::string Fingerprint(const Finding& finding, int repetition) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a: only has to be stable
  const auto mix = [&hash](std::string_view text) {
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ 0xffu) * 0x100000001b3u;
  };
  for (std::string_view part :
       {std::string_view(finding.rule), std::string_view(finding.file),
        std::string_view(finding.revision), std::string_view(finding.type),
        std::string_view(finding.field), std::string_view(finding.signal)}) {
    mix(part);
  }
  mix(std::to_string(repetition));
  return base::Hex(hash, 16);
}

/// A path as a relative URI: what is not plain is percent-encoded.
std::string Uri(std::string_view path) {
  std::string out;
  for (char c : path) {
    if (base::IsWord(c) || c == '/' || c == '.' || c == '-' || c == '~') {
      out += c;
    } else {
      out += '%' + base::Upper(base::Hex(static_cast<unsigned char>(c), 2));
    }
  }
  return out;
}

}  // namespace

std::string RenderJson(const Findings& findings) {
  Json out = {{"version", 1}, {"findings", Json::array()}};
  for (const Finding& finding : findings) {
    Json one = {{"rule", finding.rule},       {"severity", SeverityName(finding.severity)},
                {"message", finding.message}, {"file", finding.file},
                {"line", finding.line},       {"revision", finding.revision},
                {"fix", finding.fix}};
    if (!finding.type.empty() || !finding.field.empty() || !finding.signal.empty()) {
      one["type"] = finding.type;
      one["field"] = finding.field;
      one["signal"] = finding.signal;
    }
    if (!finding.details.empty()) one["details"] = finding.details;
    if (!finding.target.empty()) one["target"] = finding.target;
    if (!finding.target_commit.empty()) one["target_commit"] = finding.target_commit;
    out["findings"].push_back(std::move(one));
  }
  return Dump(out);
}

/// GitLab's Code Quality report.
std::string RenderGitLab(const Findings& findings) {
  Json out = Json::array();
  std::map<std::string, int> seen;
  for (const Finding& finding : findings) {
    std::string print = Fingerprint(finding, 0);
    if (const int again = seen[print]++; again != 0) print = Fingerprint(finding, again);
    const char* severity = finding.severity == Severity::Error     ? "critical"
                           : finding.severity == Severity::Warning ? "minor"
                                                                   : "info";
    out.push_back({{"description", BodyAndTarget(finding)},
                   {"check_name", finding.rule},
                   {"fingerprint", print},
                   {"severity", severity},
                   {"location",
                    {{"path", finding.file.empty() ? "." : finding.file},
                     {"lines", {{"begin", finding.line > 0 ? finding.line : 1}}}}}});
  }
  return Dump(out);
}

/// A rule as SARIF's viewers show it beside the finding.
Json SarifRule(const std::string& id) {
  Json out = {{"id", id}};
  if (const RuleText* text = FindRuleText(id)) {
    out["shortDescription"] = {{"text", text->title}};
    out["fullDescription"] = {{"text", text->why}};
    out["help"] = {{"text", fmt::format("{}\nTo mend it: {}", text->why, text->mend)}};
  }
  return out;
}

/// SARIF 2.1.0, one run.
std::string RenderSarif(const Findings& findings) {
  Json rules = Json::array();
  std::map<std::string, std::size_t> rule_index;
  Json results = Json::array();
  for (const Finding& finding : findings) {
    const auto [place, fresh] = rule_index.emplace(finding.rule, rule_index.size());
    if (fresh) rules.push_back(SarifRule(finding.rule));
    Json result = {{"ruleId", finding.rule},
                   {"ruleIndex", place->second},
                   {"level", SeverityName(finding.severity)},
                   {"message", {{"text", BodyAndTarget(finding)}}},
                   {"partialFingerprints", {{"revctl/v1", Fingerprint(finding, 0)}}}};
    if (!finding.file.empty()) {
      Json where = {{"artifactLocation", {{"uri", Uri(finding.file)}, {"uriBaseId", "%SRCROOT%"}}}};
      if (finding.line > 0) where["region"] = {{"startLine", finding.line}};
      result["locations"] = Json::array({{{"physicalLocation", std::move(where)}}});
    }
    results.push_back(std::move(result));
  }
  const Json driver = {{"name", "revctl"}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)}};
  return Dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({run})}});
}

}  // namespace detail
}  // namespace revctl::findings
