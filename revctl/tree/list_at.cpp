#include "revctl/tree/list_at.h"

#include "revctl/list/reading/revision_list.h"

namespace revctl::commands {

Result<std::optional<config::Config>> ConfigAt(const git::Repository& repository,
                                               const git::Oid& commit, const std::string& folder) {
  const std::string path = folder + std::string(config::kFileName);
  TRY(auto text, repository.ReadFile(commit, path));
  if (!text.has_value()) return std::optional<config::Config>();
  TRY(auto parsed, config::ParseConfig(*text, commit.substr(0, 10) + ":" + path));
  return std::optional<config::Config>(std::move(parsed));
}

bool IsList(const std::string& text, const list::ListConfig& config) {
  const auto parsed = list::Parse(text, config, config.path);
  return parsed.ok() && !parsed->Revisions().empty();
}

Result<ListThere> ListAt(const git::Repository& repository, const git::Oid& commit,
                         const std::string& folder, const list::ListConfig& list) {
  const auto config = ConfigAt(repository, commit, folder);
  const auto* named = config.ok() && *config ? (**config).ListNamed(list.name) : nullptr;
  ListThere out{named == nullptr ? list : *named, std::nullopt, named != nullptr};
  TRY(auto text, repository.ReadFile(commit, folder + out.config.path));
  if (!text.has_value() && !config.ok()) return config.error();
  out.text = std::move(text);
  return out;
}

}  // namespace revctl::commands
