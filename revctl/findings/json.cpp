#include <fmt/core.h>

#include <map>

#include "revctl/base/ascii.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {
namespace {

using base::Json;

constexpr int kIndent = 2;

/// Returns a hash of the finding that does not depend on the line number. GitLab uses the hash to
/// recognize known findings.
std::string Fingerprint(const Finding& finding, int repetition) {
  // FNV-1a suffices, because the hash only has to be stable.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](std::string_view text) {
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ 0xffu) * 0x100000001b3u;
  };
  for (std::string_view part :
       {NameOf(finding.rule), std::string_view(finding.file), std::string_view(finding.revision),
        std::string_view(finding.type), std::string_view(finding.field),
        std::string_view(finding.signal)}) {
    mix(part);
  }
  mix(std::to_string(repetition));
  return base::Hex(hash, 16);
}

/// Returns a path as a relative URI, with special characters percent-encoded.
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
  // Write one object per finding, even if the text output folds the findings, so that tools see
  // every place.
  std::vector<std::size_t> causes(findings.size(), 0);
  std::size_t folded = 0;
  for (const CauseGroup& group : GroupByCause(findings)) {
    if (group.Size() == 1) continue;
    ++folded;
    for (const std::size_t i : group.same) causes[i] = folded;
    for (const std::size_t i : group.following) causes[i] = folded;
  }
  Json::List all;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    Json one = Json::Object()
                   .Set("rule", NameOf(finding.rule))
                   .Set("severity", SeverityName(finding.severity))
                   .Set("message", finding.message)
                   .Set("file", finding.file)
                   .Set("line", finding.line)
                   .Set("revision", finding.revision)
                   .Set("fix", FixText(finding.fix));
    if (!finding.type.empty() || !finding.field.empty() || !finding.signal.empty())
      one.Set("type", finding.type).Set("field", finding.field).Set("signal", finding.signal);
    if (!finding.details.empty()) one.Set("details", finding.details);
    if (!finding.items.empty())
      one.Set("items", Json::List(finding.items.begin(), finding.items.end()));
    if (causes[i] != 0) one.Set("cause", causes[i]);
    if (!finding.target.empty()) one.Set("target", finding.target);
    if (!finding.target_commit.empty()) one.Set("target_commit", finding.target_commit);
    all.push_back(std::move(one));
  }
  return JsonSafe(Json::Object().Set("version", 1).Set("findings", std::move(all)), kIndent);
}

/// Renders GitLab's Code Quality report.
std::string RenderGitLab(const Findings& findings) {
  Json::List out;
  std::map<std::string, int> seen;
  for (const Finding& finding : findings) {
    std::string print = Fingerprint(finding, 0);
    if (const int again = seen[print]++; again != 0) print = Fingerprint(finding, again);
    const char* severity = finding.severity == Severity::Error     ? "critical"
                           : finding.severity == Severity::Warning ? "minor"
                                                                   : "info";
    Json lines = Json::Object().Set("begin", finding.line > 0 ? finding.line : 1);
    out.push_back(Json::Object()
                      .Set("description", BodyAndTarget(finding))
                      .Set("check_name", NameOf(finding.rule))
                      .Set("fingerprint", print)
                      .Set("severity", severity)
                      .Set("location", Json::Object()
                                           .Set("path", finding.file.empty() ? "." : finding.file)
                                           .Set("lines", std::move(lines))));
  }
  return JsonSafe(std::move(out), kIndent);
}

Json Said(std::string_view text) { return Json::Object().Set("text", text); }

/// Returns the description of a rule, which SARIF viewers show next to the finding.
Json SarifRule(const Rule& rule) {
  Json out = Json::Object().Set("id", rule.name);
  if (rule.id == RuleId::None) return out;
  return out.Set("shortDescription", Said(rule.title))
      .Set("fullDescription", Said(rule.why))
      .Set("help", Said(fmt::format("{}\nHow to fix it: {}", rule.why, rule.how_to_fix)));
}

/// Renders SARIF 2.1.0 with one run.
std::string RenderSarif(const Findings& findings) {
  Json::List rules, results;
  std::map<RuleId, std::size_t> rule_index;
  for (const Finding& finding : findings) {
    const auto [place, fresh] = rule_index.emplace(finding.rule, rule_index.size());
    if (fresh) rules.push_back(SarifRule(RuleOf(finding.rule)));
    Json result =
        Json::Object()
            .Set("ruleId", NameOf(finding.rule))
            .Set("ruleIndex", place->second)
            .Set("level", SeverityName(finding.severity))
            .Set("message", Said(BodyAndTarget(finding)))
            .Set("partialFingerprints", Json::Object().Set("revctl/v1", Fingerprint(finding, 0)));
    if (!finding.file.empty()) {
      Json where = Json::Object().Set(
          "artifactLocation",
          Json::Object().Set("uri", Uri(finding.file)).Set("uriBaseId", "%SRCROOT%"));
      if (finding.line > 0) where.Set("region", Json::Object().Set("startLine", finding.line));
      result.Set("locations", Json::List{Json::Object().Set("physicalLocation", std::move(where))});
    }
    results.push_back(std::move(result));
  }
  Json driver = Json::Object().Set("name", "revctl").Set("rules", std::move(rules));
  Json run = Json::Object()
                 .Set("tool", Json::Object().Set("driver", std::move(driver)))
                 .Set("columnKind", "utf16CodeUnits")
                 .Set("results", std::move(results));
  return JsonSafe(Json::Object()
                      .Set("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
                      .Set("version", "2.1.0")
                      .Set("runs", Json::List{std::move(run)}),
                  kIndent);
}

}  // namespace revctl::findings::detail
