#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "revctl/base/unicode.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> kEntities = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};

/// Escapes text for XML 1.0. Most control characters cannot be represented, so they become U+FFFD,
/// as do bytes of invalid UTF-8. Line breaks and characters that control a terminal or begin a CI
/// log command become character references.
std::string Xml(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto character = base::CharacterAt(text, i);
    const std::uint32_t code = character ? character->code : 0;
    if ((code < 0x20 && code != '\n' && code != '\t') || code == 0xfffe || code == 0xffff) {
      out += "\xef\xbf\xbd";
      i += character ? character->length : 1;
      continue;
    }
    if (base::Steers(code) || code == '\n' || text.substr(i, 2) == "##") {
      out += fmt::format("&#{};", code);
      i += character->length;
      continue;
    }
    const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                     [&](const auto& one) { return one.first == text[i]; });
    out += entity != kEntities.end() ? entity->second : text.substr(i, character->length);
    i += character->length;
  }
  return out;
}

}  // namespace

/// Renders one test case per finding. Errors fail; other findings pass and print their text. If
/// there are no findings, adds one passing test, because several CI systems treat an empty report
/// as broken.
std::string RenderJUnit(const Findings& findings) {
  std::size_t failures = 0;
  for (const Finding& finding : findings) failures += finding.severity == Severity::Error ? 1 : 0;
  const std::size_t tests = findings.empty() ? 1 : findings.size();
  const std::string counts = fmt::format(" tests=\"{}\" failures=\"{}\"", tests, failures);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites{}>\n"
      "  <testsuite name=\"revctl\"{} errors=\"0\">\n",
      counts, counts);
  if (findings.empty()) out += "    <testcase classname=\"revctl\" name=\"no findings\"/>\n";
  for (const Finding& finding : findings) {
    std::string name = finding.revision.empty() ? finding.type : finding.revision;
    if (!finding.field.empty()) name += (name.empty() ? "" : ".") + finding.field;
    const std::string place = Place(finding);
    if (!place.empty()) name += (name.empty() ? "" : " at ") + place;
    if (name.empty()) name = finding.message;
    const std::string body = (place.empty() ? "" : place + ": ") + BodyAndTarget(finding);
    out += fmt::format("    <testcase classname=\"revctl.{}\" name=\"{}\"",
                       Xml(NameOf(finding.rule)), Xml(name));
    if (!finding.file.empty()) out += fmt::format(" file=\"{}\"", Xml(finding.file));
    if (!finding.file.empty() && finding.line > 0) out += fmt::format(" line=\"{}\"", finding.line);
    out += ">\n";
    if (finding.severity == Severity::Error) {
      out += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                         Xml(NameOf(finding.rule)), Xml(finding.message), Xml(body));
    } else {
      out += fmt::format("      <system-out>{}: {}</system-out>\n", SeverityName(finding.severity),
                         Xml(body));
    }
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace revctl::findings::detail
