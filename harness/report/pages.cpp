#include "harness/report/pages.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/json.h"

namespace revctl::harness {

// The contents of page.html, page.css, page.js and save.html, in a file that harness/CMakeLists.txt
// generates.
extern const char *const kPageHtml, *const kPageCss, *const kPageJs, *const kSaveHtml;

namespace {

using base::Json;

/// Escapes `<` and similar characters, because a script element ends at `</` even inside quotes.
/// These characters occur only in JSON strings, where they can be escaped.
std::string ForScript(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else out += c;
  }
  return out;
}

/// Replaces the only occurrence of `place` in a page.
void Fill(std::string& page, const std::string& place, const std::string& text) {
  page.replace(page.find(place), place.size(), text);
}

/// Returns `[[COMMON,"REST",OFFSET,SIZE],...]`, where each path is the first COMMON UTF-16 units of
/// the previous path plus REST. The result takes only a third of the space of whole paths.
std::string Places(const SavePage& save) {
  std::string out = "[";
  if (save.offsets == nullptr || save.offsets->empty()) return out + "]";
  std::string_view last;
  for (std::size_t i = 0; i < save.leaves->size(); ++i) {
    const std::string& path = (*save.leaves)[i].path;
    // The common part must be ASCII, because JavaScript counts other characters differently.
    std::size_t common = 0;
    while (common < std::min(last.size(), path.size()) && last[common] == path[common] &&
           static_cast<unsigned char>(path[common]) < 0x80)
      ++common;
    const std::size_t begin = (*save.offsets)[i];
    const std::size_t end = i + 1 < save.offsets->size() ? (*save.offsets)[i + 1] : save.payload;
    out += fmt::format("{}[{},{},{},{}]", i == 0 ? "" : ",", common,
                       base::JsonText(Json(path.substr(common))), begin + save.header, end - begin);
    last = path;
  }
  return out + "]";
}

}  // namespace

std::string SavePageText(const SavePage& save) {
  Json::List facts;
  for (const auto& [name, value] : save.facts) facts.push_back(Json::List{name, value});
  const Json meta =
      Json::Object().Set("file", save.file).Set("type", save.type).Set("facts", std::move(facts));
  std::string page = kSaveHtml;
  // META is filled last, so that placeholders in the data are not replaced.
  Fill(page, "@PLACES@", ForScript(Places(save)));
  Fill(page, "@VALUE@", ForScript(save.json));
  Fill(page, "@META@", ForScript(base::JsonText(meta)));
  return page;
}

std::string ReportPage(const std::string& json) {
  std::string page = kPageHtml;
  Fill(page, "@STYLE@", kPageCss);
  Fill(page, "@SCRIPT@", kPageJs);
  // Fill the data last, so that placeholders inside it are not replaced.
  Fill(page, "@DATA@", ForScript(json));
  return page;
}

}  // namespace revctl::harness
