#include "revctl/workspace/include_file.h"

#include "revctl/config/files.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

Result<Synced> ReadSynced(const std::string& root, const list::ListConfig& list) {
  TRY(RefuseOutside(root, list));
  TRY(auto text, config::ReadFile(root + "/" + list.path, config::kMaxListBytes));
  if (!text.has_value())
    return Error{Exit::Usage, list.path + ": there is no such file", "mend `path` in .revctl.yaml"};
  TRY(auto parsed, list::Parse(*text, list, list.path));
  TRY(auto files, pending::ReadFolder(root + "/" + pending::Folder(list), pending::Folder(list)));
  Synced out{std::move(parsed), {}, false};
  out.plan = pending::MakePlan(out.list, list, files);
  return out;
}

}  // namespace

Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list) {
  TRY(auto out, ReadSynced(root, list));
  auto written =
      pending::WriteIfChanged(root + "/" + pending::IncludePath(list), pending::IncludePath(list),
                              pending::IncludeText(out.list, list, out.plan));
  if (!written.ok()) return written.error();
  out.written = *written;
  return out;
}

Result<bool> IncludeIsStale(const std::string& root, const list::ListConfig& list) {
  if (!AtLanding(list)) return false;
  TRY(const auto there,
      config::ReadFile(root + "/" + pending::IncludePath(list), config::kMaxListBytes));
  if (!there) return false;
  TRY(const auto synced, ReadSynced(root, list));
  return *there != pending::IncludeText(synced.list, list, synced.plan);
}

}  // namespace revctl::commands
