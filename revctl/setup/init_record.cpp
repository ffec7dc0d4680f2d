#include "revctl/setup/init_record.h"

#include <fmt/core.h>

#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/json.h"
#include "revctl/config/files.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

constexpr std::size_t kLargestRecord = std::size_t{256} << 20;
constexpr std::size_t kJsonLevels = 4;

std::string RecordPath(const git::Repository& repository) {
  return repository.git_dir() + "/revctl-init.json";
}

/// Stores text as hex digits, because sources may have any encoding, but JSON must be UTF-8.
std::string HexOf(const std::string& bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) out += base::Hex(static_cast<unsigned char>(c), 2);
  return out;
}

std::optional<std::string> BytesOf(const std::string* hex) {
  if (hex == nullptr || hex->size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < hex->size(); i += 2) {
    const int high = base::HexValue((*hex)[i]), low = base::HexValue((*hex)[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

}  // namespace

base::Result<base::Done> WriteInitRecord(const git::Repository& repository,
                                         const InitRecord& record) {
  base::Json::List files;
  for (const InitFile& file : record.files) {
    base::Json one = base::Json::Object();
    one.Set("path", HexOf(file.path));
    if (file.before) one.Set("before", HexOf(*file.before));
    one.Set("after", HexOf(file.after));
    files.push_back(std::move(one));
  }
  base::Json json = base::Json::Object();
  json.Set("files", std::move(files));
  json.Set("ledger_ref", record.ledger_ref);
  json.Set("ledger_tip", record.ledger_tip);
  json.Set("created_ledger", record.created_ledger);
  return config::ReplaceFile(RecordPath(repository), base::JsonText(json, 1) + "\n");
}

std::optional<InitRecord> ReadInitRecord(const git::Repository& repository) {
  const auto text = config::ReadFile(RecordPath(repository), kLargestRecord);
  const auto json = text.ok() && *text ? base::ParseJson(**text, kJsonLevels) : std::nullopt;
  if (!json) return std::nullopt;
  const std::string* ref = (*json)["ledger_ref"].text();
  const std::string* tip = (*json)["ledger_tip"].text();
  if (ref == nullptr || tip == nullptr || !(*json)["files"].IsList()) return std::nullopt;
  InitRecord out;
  out.ledger_ref = *ref;
  out.ledger_tip = *tip;
  out.created_ledger = (*json)["created_ledger"] == base::Json(true);
  for (const base::Json& one : (*json)["files"].items()) {
    const auto path = BytesOf(one["path"].text()), after = BytesOf(one["after"].text());
    if (!path || !after) return std::nullopt;
    out.files.push_back({*path, BytesOf(one["before"].text()), *after});
  }
  return out;
}

void ForgetInit(const git::Repository& repository) {
  static_cast<void>(base::RemoveFile(RecordPath(repository)));
}

base::Result<UndoPlan> PlanUndo(const Workspace& workspace, InitRecord record,
                                const ledger::Snapshot& snapshot) {
  UndoPlan out;
  const git::Repository& repository = workspace.repository();
  if (snapshot.target) {
    TRY(const auto landed, repository.ReadFile(*snapshot.target, std::string(config::kFileName)));
    out.has_landed = landed.has_value();
  }
  TRY(const auto head, repository.Head());
  if (head) {
    TRY(const auto committed, repository.ReadFile(*head, std::string(config::kFileName)));
    out.is_committed = committed.has_value();
  }
  const std::string tip = snapshot.tip.value_or("");
  if (!record.ledger_tip.empty() && tip != record.ledger_tip)
    out.why_not = "revisions have been reserved since revctl init";
  out.deletes_ledger = record.created_ledger && !tip.empty() && tip == record.ledger_tip;
  for (const InitFile& file : record.files) {
    TRY(const auto now,
        config::ReadFile(repository.root() + "/" + file.path, config::kMaxListBytes));
    if (now == file.after) continue;
    if (!file.before) {
      if (now) out.edited.push_back(file.path);
    } else if (now != file.before) {
      out.why_not = file.path + " has been edited since revctl init";
    }
  }
  out.record = std::move(record);
  return out;
}

std::string UndoPlan::Text(const Workspace& workspace) const {
  std::string out;
  for (const InitFile& file : record.files) {
    const bool was_edited = std::find(edited.begin(), edited.end(), file.path) != edited.end();
    out += file.before ? fmt::format("restores {}\n", file.path)
                       : fmt::format("removes {}{}\n", file.path,
                                     was_edited ? ", which has been edited since revctl init" : "");
  }
  const std::string where =
      workspace.remote().empty() ? "" : fmt::format(" on {}", workspace.remote());
  if (deletes_ledger) out += fmt::format("deletes the ledger {}{}\n", record.ledger_ref, where);
  else if (!record.ledger_tip.empty())
    out += fmt::format("keeps the ledger {}{}, because other lists use it\n", record.ledger_ref,
                       where);
  return out;
}

base::Result<base::Done> UndoInit(const Workspace& workspace, const UndoPlan& plan,
                                  const ledger::Ledger& ledger) {
  git::Repository& repository = workspace.repository();
  if (plan.deletes_ledger) {
    if (ledger.HasRemote()) {
      TRY(const auto pushed, git::DeleteWithLease(repository, workspace.remote(),
                                                  plan.record.ledger_ref, plan.record.ledger_tip));
      if (!pushed.accepted)
        return Error{
            Exit::Environment,
            fmt::format("{} rejects deleting {}: {}", workspace.remote(), plan.record.ledger_ref,
                        pushed.reason.empty() ? pushed.talk : pushed.reason),
            "delete the ref on the server, then run revctl uninstall --yes"};
    }
    TRY(repository.DeleteRef(ledger.CacheRef()));
  }
  for (const InitFile& file : plan.record.files) {
    const std::string path = repository.root() + "/" + file.path;
    if (file.before) {
      TRY(config::ReplaceFile(path, *file.before));
    } else if (auto removed = base::RemoveFile(path); !removed) {
      return base::InMessage(removed.error());
    }
  }
  ForgetInit(repository);
  return base::Done{};
}

}  // namespace revctl::commands
