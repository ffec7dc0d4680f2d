#include "harness/report/page_parts.h"
#include "harness/report/report.h"

namespace revctl::harness {
namespace {

/// Data inside a script element ends where `</` begins, whatever quotes it stands in. In JSON these
/// characters stand in texts alone, where they may be escaped.
std::string ForScript(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void Fill(std::string& page, const std::string& place, const std::string& text) {
  page.replace(page.find(place), place.size(), text);
}

}  // namespace

std::string ReportPage(const std::string& json) {
  std::string page = kPageHtml;
  Fill(page, "@STYLE@", kPageCss);
  Fill(page, "@SCRIPT@", kPageJs);
  Fill(page, "@DATA@", ForScript(json));  // last: what stands in the data is not looked at
  return page;
}

}  // namespace revctl::harness
