#include "harness/report/save_page.h"

#include <fmt/core.h>
#include <algorithm>

#include "harness/report/page_text.h"
#include "revctl/base/json.h"

namespace revctl::harness {

// The content of save.html, in a file that harness/CMakeLists.txt generates.
extern const char* const kSaveHtml;

namespace {

using base::Json;

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

}  // namespace revctl::harness
