#include <cstddef>

#include "revctl/findings/render_formats.h"

namespace revctl::findings::detail {
namespace {

/// XML 1.0 has no way at all to write most control characters, so they become U+FFFD, as do bytes
/// that are no UTF-8.
std::size_t Utf8Length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  if (length == 3) {
    const unsigned code = ((lead & 15u) << 12) | ((byte(at + 1) & 63u) << 6) | (byte(at + 2) & 63u);
    if (code < 0x800 || (code >= 0xd800 && code < 0xe000) || code > 0xfffd) return 0;
  }
  if (lead == 0xf0 && byte(at + 1) < 0x90) return 0;
  if (lead == 0xf4 && byte(at + 1) > 0x8f) return 0;
  return length;
}

std::string Xml(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = Utf8Length(text, i);
    if (length == 0 || (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')) {
      out += "\xef\xbf\xbd";
      ++i;
      continue;
    }
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += text.substr(i, length);
    }
    i += length;
  }
  return out;
}

}  // namespace

/// One test case per finding; an error fails it, the others pass and speak on their output. No
/// findings: one that passes, since several CI systems take an empty report for a broken one.
std::string RenderJUnit(const Findings& findings) {
  std::size_t failures = 0;
  for (const Finding& finding : findings) failures += finding.severity == Severity::Error ? 1 : 0;
  const std::size_t tests = findings.empty() ? 1 : findings.size();
  const std::string counts =
      " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\"";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
                    ">\n  <testsuite name=\"revctl\"" + counts + " errors=\"0\">\n";
  if (findings.empty()) out += "    <testcase classname=\"revctl\" name=\"no findings\"/>\n";
  for (const Finding& finding : findings) {
    std::string name = finding.revision.empty() ? finding.type : finding.revision;
    if (!finding.field.empty()) name += (name.empty() ? "" : ".") + finding.field;
    const std::string place = Place(finding);
    if (!place.empty()) name += (name.empty() ? "" : " at ") + place;
    if (name.empty()) name = finding.message;
    const std::string body = (place.empty() ? "" : place + ": ") + BodyAndTarget(finding);
    out +=
        "    <testcase classname=\"revctl." + Xml(finding.rule) + "\" name=\"" + Xml(name) + "\"";
    if (!finding.file.empty()) out += " file=\"" + Xml(finding.file) + "\"";
    if (!finding.file.empty() && finding.line > 0)
      out += " line=\"" + std::to_string(finding.line) + "\"";
    out += ">\n";
    if (finding.severity == Severity::Error) {
      out += "      <failure type=\"" + Xml(finding.rule) + "\" message=\"" + Xml(finding.message) +
             "\">" + Xml(body) + "</failure>\n";
    } else {
      out += "      <system-out>" + std::string(SeverityName(finding.severity)) + ": " + Xml(body) +
             "</system-out>\n";
    }
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace revctl::findings::detail
