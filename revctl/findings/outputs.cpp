#include "revctl/findings/outputs.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "revctl/findings/printable.h"

namespace revctl::findings {

std::optional<Format> FormatOf(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Format>, 7> kFormats = {
      {{"text", Format::Text},
       {"json", Format::Json},
       {"github", Format::GitHub},
       {"gitlab", Format::GitLab},
       {"sarif", Format::Sarif},
       {"junit", Format::JUnit},
       {"markdown", Format::Markdown}}};
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

bool Outputs::Has(Format format) const {
  return on_stdout == format || std::any_of(files.begin(), files.end(), [&](const File& file) {
           return file.format == format;
         });
}

base::Result<Outputs> ParseOutputs(Format format, const std::vector<std::string>& given) {
  Outputs out{format, {}};
  std::set<std::string> paths;
  for (const std::string& one : given) {
    const std::size_t equals = one.find('=');
    const auto named = equals == std::string::npos ? std::nullopt : FormatOf(one.substr(0, equals));
    const std::string path = named ? one.substr(equals + 1) : one;
    if (path.empty()) {
      return base::Error{base::Exit::Usage,
                         fmt::format("--output {} does not name a file", Quoted(one)),
                         "--output findings.json, or --output sarif=findings.sarif"};
    }
    if (!paths.insert(path).second) {
      return base::Error{base::Exit::Usage, fmt::format("--output names {} twice", Quoted(path)),
                         "give each format its own file"};
    }
    if (!named) out.on_stdout = Format::Text;
    out.files.push_back({named.value_or(format), path});
  }
  return out;
}

}  // namespace revctl::findings
