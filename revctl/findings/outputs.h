#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::findings {

/// "text", "json", "github", "gitlab", "sarif", "junit"; nullopt: no format is called so.
std::optional<Format> FormatOf(std::string_view name);
/// The names, for messages and completions: "text, json, github, gitlab, sarif or junit".
inline constexpr std::string_view kFormatNames = "text, json, github, gitlab, sarif or junit";

/// What `--format` and `--output` of one command line say together.
struct Outputs {
  struct File {
    Format format;
    std::string path;
  };
  Format on_stdout = Format::Text;
  std::vector<File> files;
};

/// `--output FILE`: the file has `format`, and stdout has text, so that a log stays readable.
/// `--output FORMAT=FILE`: one more file, stdout keeps `format`. Exit::Usage for an empty name, and
/// for two outputs into one file.
base::Result<Outputs> ParseOutputs(Format format, const std::vector<std::string>& given);

}  // namespace revctl::findings
