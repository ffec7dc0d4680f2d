#pragma once
#include <filesystem>
#include <string>
#include <utility>

#include "revctl/base/file.h"
#include "revctl/base/temporary_file.h"

namespace revctl::base::testing {

/// A temporary folder for one test. Its name contains a space and non-ASCII letters.
class Folder {
 public:
  Folder()
      : folder_(std::move(ScratchFolder::Make().value())),
        path_(folder_.path() + "/\u00fc \u540d") {
    std::filesystem::create_directory(path_);
  }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  ScratchFolder folder_;
  std::string path_;
};

/// Returns the content of a file, "(none)" if there is no such file, or the error message.
inline std::string Read(const std::string& path) {
  auto text = ReadFile(path, 1000);
  if (!text.ok()) return text.error().file + ": " + text.error().message;
  return text->value_or("(none)");
}

}  // namespace revctl::base::testing
