#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::findings {

/// Returns the format named "text", "json", "github", "gitlab", "sarif", "junit" or "markdown", or
/// nullopt for any other name.
std::optional<Format> FormatOf(std::string_view name);
/// The names of all formats, for messages and completions.
inline constexpr std::string_view kFormatNames =
    "text, json, github, gitlab, sarif, junit or markdown";

/// The outputs that `--format` and `--output` select.
struct Outputs {
  struct File {
    Format format;
    std::string path;
  };
  Format on_stdout = Format::Text;
  std::vector<File> files;
  /// True if stdout or a file has this format.
  bool Has(Format format) const;
};

/// Parses the values of `--output`. `FILE` writes `format` to that file and text to stdout, so that
/// the log stays readable. `FORMAT=FILE` writes an additional file, while stdout keeps `format`.
/// Fails if a name is empty or if two outputs use the same file.
base::Result<Outputs> ParseOutputs(Format format, const std::vector<std::string>& given);

}  // namespace revctl::findings
