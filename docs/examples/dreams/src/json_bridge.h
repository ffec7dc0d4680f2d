// Converts save files to JSON for tools, and JSON of the latest revision to save files. Works for
// every type with a Serialize.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/serialize.h>

#include "master_version_list.revctl.h"

namespace dreams {

/// Converts a file of any revision to JSON of the latest one.
template <class T>
revctl::Status FileToJson(std::span<const std::byte> file, std::string& json) {
  T value;
  revctl::Status status = revctl::Load(file, value);
  if (status) json = revctl::ToJson(value, SR_LATEST);
  return status;
}

/// Converts JSON to a file of the latest revision. Errors contain line and column.
template <class T>
revctl::Status JsonToFile(std::string_view json, std::vector<std::byte>& file) {
  T value;
  revctl::JsonReader reader(json, SR_LATEST);
  Serialize(reader, value);
  if (!reader.Ok())
    return {revctl::Status::Kind::Corrupt, reader.error_path() + ": " + reader.error_reason()};
  return revctl::Save(SR_LATEST, value, file);
}

}  // namespace dreams
